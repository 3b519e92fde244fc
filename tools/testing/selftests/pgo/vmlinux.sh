#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The profile of vmlinux:
# - has as many functions as its header announces, or less by those that have a
#   name and a body in common
# - names the build id
# - has what runs before there is a file to read it from
# - shows one more system call for each that is made, and no other
# - shows what was called through a pointer in an NMI

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh
# shellcheck disable=SC2034
MODULES=no

case "$(uname -m)" in
x86_64)  syscall=__x64_sys_sched_get_priority_max ;;
aarch64) syscall=__arm64_sys_sched_get_priority_max ;;
*)	 syscall=sys_sched_get_priority_max ;;
esac

# What the NMI selftest at boot has the NMI handler call, twice at least with
# more than one CPU
in_nmi() {
	calls=$(count vmlinux test_nmi_ipi_callback)
	if [ -z "$calls" ]; then
		ktap_test_skip "no NMI selftest, needs DEBUG_NMI_SELFTEST"
		return
	fi
	seen=$(values vmlinux nmi_handle 0 | tr ' ' '\n' |
		awk -F : '$2 == "test_nmi_ipi_callback" { n += $3 } END { print n + 0 }')
	ktap_print_msg "$calls calls in NMIs"
	# More than one CPU counts at a time where there are more than two.
	if [ "$(nproc)" -gt 2 ]; then
		check "indirect calls in NMIs are seen" [ "$seen" -gt 0 ]
	else
		check_is "each indirect call in an NMI is seen" "$seen" "$calls"
	fi
}

begin 8

check "the profile is read" profile vmlinux

announced=$(records vmlinux)
functions=$(functions vmlinux | wc -l)
ktap_print_msg "$announced records, $functions functions"
check "no more functions than records" [ "$functions" -le "$announced" ]
check "as good as all records have a function" \
	[ "$functions" -gt $((announced - announced / 50)) ]

check_build_id vmlinux /sys/kernel/notes

check_is "start_kernel ran once" "$(count vmlinux start_kernel)" 1

in_nmi

before=$(count vmlinux $syscall)
"$DIR"/pgo_syscalls 1234
check "the profile is read again" profile vmlinux
check_is "1234 system calls are counted" \
	"$(count vmlinux $syscall)" $((before + 1234))

ktap_finished

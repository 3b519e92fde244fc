#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The profile of vmlinux:
# - has as many functions as its header announces, or less by those that have a
#   name and a body in common
# - has what runs before there is a file to read it from
# - shows one more system call for each that is made, and no other

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

case "$(uname -m)" in
x86_64)  syscall=__x64_sys_sched_get_priority_max ;;
aarch64) syscall=__arm64_sys_sched_get_priority_max ;;
*)	 syscall=sys_sched_get_priority_max ;;
esac

begin 6

check "the profile is read" profile vmlinux

announced=$(records vmlinux)
functions=$(functions vmlinux | wc -l)
ktap_print_msg "$announced records, $functions functions"
check "no more functions than records" [ "$functions" -le "$announced" ]
check "as good as all records have a function" \
	[ "$functions" -gt $((announced - announced / 50)) ]

check_is "start_kernel ran once" "$(count vmlinux start_kernel)" 1

before=$(count vmlinux $syscall)
"$DIR"/pgo_syscalls 1234
check "the profile is read again" profile vmlinux
check_is "1234 system calls are counted" \
	"$(count vmlinux $syscall)" $((before + 1234))

ktap_finished

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Whenever an allocation fails, whoever asked is told so and nothing else
# happens: what was learned is there, what comes next works, no memory leaks.
# When there is none for the profile of a module, it goes without saying no more
# than one line, and the module comes and goes as ever.
#
# First the allocations of kernel/pgo fail and those of others on its behalf, if
# the kernel can tell them by the stack. Then all do that a system call makes, or
# one of STRESS_STEP, which is 16 if not set: they are hundreds, and after each
# the module is loaded a few times.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh
# shellcheck disable=SC1091
. "$DIR"/leaks.sh

debugfs=/sys/kernel/debug
step=${STRESS_STEP:-16}

# setting FILE VALUE: of both kinds of allocations, where it is there
setting() {
	for attr in "$debugfs"/failslab "$debugfs"/fail_page_alloc; do
		[ ! -e "$attr/$1" ] || echo "$2" > "$attr/$1"
	done
}

# Prints where the text of kernel/pgo begins and ends: where pgo_image_add() is,
# and not far from there its other functions, but for init text.
text() {
	here=$((0x$(awk '$3 == "pgo_image_add" { print $1 }' /proc/kallsyms)))
	low=0
	high=0
	grep -E '^[0-9a-f]* [tT] (__)?pgo_[^ 	]*$' /proc/kallsyms > "$TMP/text"
	while read -r addr _; do
		off=$((0x$addr - here))
		if [ $off -gt -65536 ] && [ $off -lt $low ]; then
			low=$off
		elif [ $off -lt 65536 ] && [ $off -gt $high ]; then
			high=$off
		fi
	done < "$TMP/text"
	# The last one is not so long.
	printf '0x%x 0x%x\n' $((here + low)) $((here + high + 4096))
}

# acts WHOSE STEP: leaves what was done in $TMP/did
acts() {
	mark="pgo selftest $$ $1"
	echo "$mark" > /dev/kmsg
	"$DIR"/pgo_fail -s "$2" "$DIR"/test_modules > "$TMP/did" 2> "$TMP/stderr"
	acts_status=$?
	while read -r line; do
		ktap_print_msg "$line"
	done < "$TMP/did"
	[ $acts_status -eq 0 ] && return
	ktap_print_msg "$(cat "$TMP/stderr")"
	return 1
}

# As many lines of the kernel's as profiles were lost
check_lines() {
	check_is "the kernel says so each time that a profile is lost" \
		"$(dmesg | sed -n "/$mark\$/,\$ p" | grep -c 'pgo: pgo_test_values: ')" \
		"$(awk '{ sum += $5 } END { print sum }' "$TMP/did")"
}

begin 8 "$PGO/reset"
for file in "$PGO/stats" /proc/self/fail-nth "$debugfs/failslab" \
	    "$debugfs/fail_page_alloc"; do
	[ -e "$file" ] || skip_all "no $file, needs FAILSLAB, FAIL_PAGE_ALLOC" \
		"and FAULT_INJECTION_DEBUG_FS"
done

setting ignore-gfp-wait N
setting ignore-gfp-highmem N
setting min-order 0
setting verbose 0
if [ -e "$debugfs/failslab/require-start" ]; then
	range=$(text)
	ktap_print_msg "allocations for $range"
	setting require-start "${range% *}"
	setting require-end "${range#* }"
fi

load pgo_test_values
run pgo_test_values 100
check "a profile to compare with" profile pgo_test_values
check_is "which is right" "$(values pgo_test_values pgo_test_indirect 0)" \
	"0:pgo_test_often:75 0:pgo_test_seldom:25"
rmmod pgo_test_values
leaks_begin

check "each allocation of the profiler fails" acts profiler 1
check_lines

setting require-start 0
setting require-end 0xffffffffffffffff
check "each allocation that a system call makes fails, or one of $step" \
	acts all "$step"
check_lines

check_leaks
ktap_finished

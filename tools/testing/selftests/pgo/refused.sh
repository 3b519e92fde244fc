#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A module whose profile sections are another compiler's, or do not hold up, is
# refused with one line that says why. It works all the same, without a file.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

name=pgo_test_values

# said MARK: what the kernel said of the module since that line of the log
said() {
	dmesg | sed -n "/$1\$/,\$ s/.*pgo: $name: //p"
}

# The module does its work and leaves, and nobody offers its profile. It leaves
# in any case: the next fault is not to find this one's module.
works() {
	loaded $name && run $name 100 && [ ! -e "$PGO/$name.profraw" ]
	worked=$?
	rmmod $name && [ $worked -eq 0 ]
}

# refused FAULT REASON
refused() {
	mark="pgo selftest $$ $1"
	echo "$mark" > /dev/kmsg
	insmod "$DIR/test_modules/pgo_test_break.ko" fault="$1"
	load $name
	check_is "$1: refused" "$(said "$mark")" "not profiled: $2"
	check "$1: the module works" works
	rmmod pgo_test_break
}

begin 33
cat "$PGO/vmlinux.profraw" > "$TMP/raw"
here=$(number "$TMP/raw" 8)
entry=$((1 << 58))
broken="broken profile sections:"

# other VERSION: what is said of a module that has it
other() {
	printf '%s %u with variant bits %#x, this kernel has %u with %#x; %s' \
		"raw profile version" $(($1 & 0xffffffff)) $(($1 >> 32)) \
		$((here & 0xffffffff)) $((here >> 32)) \
		"build it with the kernel's compiler and flags"
}

refused version "$(other $((here - 1)))"
refused variant "$(other $((here ^ entry)))"
refused no-version "$broken no raw version"
refused short-data "$broken records of another size"
refused unaligned "$broken unaligned sections"
refused few-counters "$broken counters outside of their section"
refused no-names "$broken no names"
refused no-counter "$broken a function without counters"
refused many-counters "$broken counters outside of their section"
refused counters-behind "$broken counters outside of their section"
refused counters-before "$broken counters outside of their section"
refused odd-counters "$broken counters outside of their section"
refused many-sites "$broken value sites outside of their section"
refused foreign-sites "$broken value sites outside of their section"
refused odd-sites "$broken value sites outside of their section"

load $name
run $name 1000
check "unbroken, it is profiled" profile $name
check_is "and counts" "$(count $name pgo_test_often)" 750
check "vmlinux still is" profile vmlinux

ktap_finished

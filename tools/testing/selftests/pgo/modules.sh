#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Profiles of modules that do what is known, no more and no less:
# - a function called N times
# - an indirect call with targets in a known ratio, memory operations of known
#   sizes
# - several objects with functions of the same name
# - hundreds of functions
# - code that runs while a module is loaded, and only then
# - no instrumented function

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

test_calls() {
	check "a module is loaded" load pgo_test_calls
	check "its profile is read" profile pgo_test_calls
	check_is "a function was not called yet" \
		"$(count pgo_test_calls pgo_test_called)" 0
	run pgo_test_calls 1000
	run pgo_test_calls 17
	profile pgo_test_calls
	check_is "it was called 1017 times" \
		"$(count pgo_test_calls pgo_test_called)" 1017
	check_is "by another that ran twice" \
		"$(count pgo_test_calls pgo_test_run)" 2
	check_is "the module has no value sites" \
		"$(grep -c 'Value Kind' "$TMP/pgo_test_calls")" 0
	# The compiler names the functions of module_init() and module_exit()
	# after their aliases.
	check_is "all functions are there" "$(functions pgo_test_calls | xargs)" \
		"cleanup_module init_module pgo_test_called pgo_test_run pgo_test_set_run"
	check_is "and as many records" "$(records pgo_test_calls)" 5
	check_build_id pgo_test_calls \
		/sys/module/pgo_test_calls/notes/.note.gnu.build-id

	check "the module is unloaded" rmmod pgo_test_calls
}

# copy SIZE N: N copies of that size
copy() {
	seq "$2" | while read -r _; do
		echo "$1" > /sys/module/pgo_test_values/parameters/copy
	done
}

test_values() {
	load pgo_test_values
	run pgo_test_values 1000
	copy 0 1
	copy 1 2
	copy 8 3
	copy 9 1
	copy 12 1
	copy 15 1
	copy 16 5
	copy 17 1
	copy 31 1
	copy 32 1
	copy 100 4
	copy 512 6
	copy 513 1
	copy 4096 1
	profile pgo_test_values
	check_is "targets of an indirect call" \
		"$(values pgo_test_values pgo_test_indirect 0)" \
		"0:pgo_test_often:750 0:pgo_test_seldom:250"
	check_is "which were called as often" \
		"$(count pgo_test_values pgo_test_often),$(
		   count pgo_test_values pgo_test_seldom)" 750,250
	check_is "sizes of copies" \
		"$(values pgo_test_values pgo_test_copy 1)" \
		"0:0:1 0:1:2 0:8:3 0:9:3 0:16:5 0:17:2 0:32:1 0:65:4 0:512:6 0:513:2"
	check_is "a site that was not reached has no value" \
		"$(values pgo_test_values pgo_test_idle 1)" ""
}

test_multi() {
	load pgo_test_multi
	run pgo_test_multi 10
	profile pgo_test_multi
	check_is "two functions of one name in two objects" \
		"$(count pgo_test_multi pgo_test_same | sort -n | xargs)" "30 50"
	check "of which one is the first object's" \
		grep -q 'pgo_test_multi_a\.c;pgo_test_same$' "$TMP/pgo_test_multi"
	check "and one is the second object's" \
		grep -q 'pgo_test_multi_b\.c;pgo_test_same$' "$TMP/pgo_test_multi"
}

test_many() {
	load pgo_test_many
	run pgo_test_many 1
	profile pgo_test_many
	check_is "all of many functions are there" \
		"$(functions pgo_test_many | grep -c 'pgo_test_many_[0-9]')" 400
	# pgo_test_many_NNN is called NNN times.
	wrong=$(awk 'BEGIN { RS = ""; FS = "\n" }
	{
		for (i = 1; $i ~ /^[#:]/; i++)
			;
		# Without its zeros: some awk take them for an octal number.
		if (sub(/.*;pgo_test_many_0*/, "", $i) &&
		    $i ~ /^[0-9]/ && $i != $(i + 6))
			print $i ":" $(i + 6)
	}' "$TMP/pgo_test_many" | xargs)
	check_is "each with its own count" "$wrong" ""
}

test_init() {
	if loaded pgo_test_init; then
		ktap_test_skip "pgo_test_init stays, this needs a fresh boot"
		ktap_test_skip "as does this"
		ktap_test_skip "and this"
		return
	fi
	load pgo_test_init
	profile pgo_test_init
	check_is "code that runs while a module is loaded" \
		"$(count pgo_test_init init_module)" 1
	check_is "and what it calls" \
		"$(count pgo_test_init pgo_test_from_init)" 42
	check_is "which is named as a target when its memory is freed" \
		"$(values pgo_test_init init_module 0)" \
		"0:pgo_test_from_init:42"
}

test_none() {
	check "a module without instrumented functions is loaded" \
		load pgo_test_none
	check "and has no file" [ ! -e "$PGO/pgo_test_none.profraw" ]
}

begin 24
test_calls
test_values
test_multi
test_many
test_init
test_none
ktap_finished

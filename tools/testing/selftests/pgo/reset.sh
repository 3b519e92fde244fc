#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A reset forgets the counts of what it names and of nothing else.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

# reset WHAT: prints nothing, or why it did not work
reset() {
	printf '%s\n' "$1" 2>/dev/null > "$PGO/reset" && return
	# The shell's own echo does not say why.
	printf '%s\n' "$1" | dd of="$PGO/reset" 2>&1 | sed -n 's/^dd: .*: //p'
}

counts() {
	profile pgo_test_calls
	profile pgo_test_multi
	echo "$(count pgo_test_calls pgo_test_called)" \
		"$(count pgo_test_multi pgo_test_same | sort -n | xargs)"
}

rerun() {
	reset pgo_test_calls
	reset pgo_test_multi
	run pgo_test_calls 7
	run pgo_test_multi 1
}

# Only boot and the loading of modules make these calls.
initcalls() { values vmlinux do_one_initcall 0; }

begin 16 "$PGO/reset"

load pgo_test_calls
load pgo_test_multi
load pgo_test_values

run pgo_test_calls 7
run pgo_test_multi 1
check_is "counts to begin with" "$(counts)" "7 3 5"
check_is "reset of one module" "$(reset pgo_test_calls)" ""
check_is "touches no other" "$(counts)" "0 3 5"
run pgo_test_calls 2
check_is "and the module goes on from there" "$(counts)" "2 3 5"

profile vmlinux
check "initcalls are values of vmlinux" [ -n "$(initcalls)" ]
check_is "reset of vmlinux" "$(reset vmlinux)" ""
check_is "touches no module" "$(counts)" "2 3 5"
profile vmlinux
check_is "start_kernel is forgotten" "$(count vmlinux start_kernel)" 0
check_is "and so are initcalls" "$(initcalls)" ""

reset all
check_is "reset of all" "$(counts)" "0 0 0"
rerun
reset 1
check_is "reset by a 1, as for gcov" "$(counts)" "0 0 0"

run pgo_test_values 4
reset pgo_test_values
run pgo_test_values 400
profile pgo_test_values
check_is "values go on from there as well" \
	"$(values pgo_test_values pgo_test_indirect 0)" \
	"0:pgo_test_often:300 0:pgo_test_seldom:100"

rerun
check_is "an unknown name" "$(reset no_such_image)" "No such file or directory"
check_is "an empty name" "$(reset "")" "Invalid argument"
check_is "a name that is too long" "$(reset "$(seq -s _ 100)")" \
	"No such file or directory"
check_is "which touch nothing" "$(counts)" "7 3 5"

ktap_finished

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What a module has counted outlives it: what it did before, while and after it
# was loaded can be read when it is gone, is added to when it comes again, and
# goes when it is reset. Builds of the same name are not mixed up.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

life=$PGO/pgo_test_life.profraw

# counts: of each point in its life
counts() {
	profile pgo_test_life
	for fn in in_param in_init in_run in_exit at_last; do
		count pgo_test_life "pgo_test_$fn"
	done | xargs
}

# live N: come, run N times, and go
live() {
	load pgo_test_life owned=1
	run pgo_test_life "$1"
	rmmod pgo_test_life
}

# targets: which the only indirect call saw, without what their names begin with
targets() {
	values pgo_test_life pgo_test_call 0 | tr ' ' '\n' |
		sed 's/^0:pgo_test_//' | xargs
}

test_saved() {
	live 7
	check "the file outlives the module" [ -e "$life" ]
	check_is "everything is there, to the last call" "$(counts)" "2 3 7 5 11"
	check_is "targets of calls are named, those of init text too" \
		"$(targets)" \
		"at_last:11 in_exit:5 in_init:3 in_param:2 in_run:7"
	check_is "it is saved" "$(stats pgo_test_life state)" saved
	check "in memory" [ "$(stats pgo_test_life kept)" -gt 0 ]

	load pgo_test_life owned=1
	check_is "when it is loaded again, it goes on" "$(counts)" "4 6 7 5 11"
	check_is "it is live" "$(stats pgo_test_life state)" live
	check_is "and nothing is kept" "$(kept)" 0
	run pgo_test_life 1
	rmmod pgo_test_life
	check_is "as often as one likes" "$(counts)" "4 6 8 10 22"
	check_is "and no target is there twice" "$(targets)" \
		"at_last:22 in_exit:10 in_init:6 in_param:4 in_run:8"
	used=$(stats pgo_test_life used)
	live 1
	live 1
	check_is "nor takes another node" "$(stats pgo_test_life used)" "$used"
}

test_reset() {
	exec 3< "$life"
	check "a saved profile is reset" reset pgo_test_life
	check "then its file is gone" [ ! -e "$life" ]
	check_is "and its memory" "$(kept)" 0
	cat <&3 > "$TMP/late"
	exec 3<&-
	check "who has it open reads it to the end" merge "$TMP/text" "$TMP/late"
	check_is "and it is what was opened" "$(count text pgo_test_in_run)" 10
	live 4
	check_is "the next one begins anew" "$(counts)" "2 3 4 5 11"
	reset all
	check "a reset of all takes it, too" [ ! -e "$life" ]
}

# Some insmod try a second time, by the other system call.
test_failing() {
	check "a module fails to load" \
		not load pgo_test_life owned=1 fail=1
	profile pgo_test_life
	n=$(count pgo_test_life init_module)
	check "and leaves its profile, with its init function" [ "$n" -gt 0 ]
	check_is "and all that it did" "$(counts)" \
		"$((2 * n)) $((3 * n)) 0 0 $((11 * n))"
	check "a parameter is refused" not load pgo_test_life owned=1 run=x
	check_is "and the profile is there" "$(counts)" \
		"$((4 * n)) $((3 * n)) 0 0 $((22 * n))"
	reset pgo_test_life
}

test_values() {
	load pgo_test_values
	run pgo_test_values 1000
	rmmod pgo_test_values
	load pgo_test_values
	run pgo_test_values 400
	rmmod pgo_test_values
	profile pgo_test_values
	check_is "values add up" \
		"$(values pgo_test_values pgo_test_indirect 0)" \
		"0:pgo_test_often:1050 0:pgo_test_seldom:350"
	reset pgo_test_values
}

not() {
	! "$@" 2> "$TMP/not"
}

# other_build: pgo_test_life with another build id, as $TMP/pgo_test_life.ko;
# sets id
other_build() {
	module=$DIR/test_modules/pgo_test_life.ko
	at=$(xxd -p "$module" | tr -d '\n' |
		awk -v id="$1" '{ print (index($0, id) - 1) / 2 }')
	cp "$module" "$TMP"
	printf '\252\273' |
		dd of="$TMP/pgo_test_life.ko" bs=1 seek="$at" conv=notrunc 2>/dev/null
	id=aabb${1#????}
}

test_builds() {
	live 1
	other_build "$(stats pgo_test_life build_id)"
	if ! insmod "$TMP/pgo_test_life.ko" owned=1 2>/dev/null; then
		for what in 1 2 3 4 5 6; do
			ktap_test_skip "another build, $what: signed modules only"
		done
		reset pgo_test_life
		return
	fi
	run pgo_test_life 100
	check_is "another build is another image" \
		"$(stats "pgo_test_life-$id" state)" live
	check_is "the first is as it was" "$(counts)" "2 3 1 5 11"
	mv "$TMP/pgo_test_life" "$TMP/first"
	rmmod pgo_test_life
	merge "$TMP/other" "$PGO/pgo_test_life-$id.profraw"
	check_is "the other has its own" "$(count other pgo_test_in_run)" 100
	live 1
	check_is "each goes on with its own" "$(counts)" "4 6 2 10 22"
	reset "pgo_test_life-$id"
	check "a build is reset by its full name" \
		[ ! -e "$PGO/pgo_test_life-$id.profraw" ]
	check "which leaves the others" [ -e "$life" ]
	reset pgo_test_life
}

test_stats() {
	load pgo_test_values
	run pgo_test_values 8
	check_is "the header of stats" "$(head -n 1 "$PGO/stats")" \
		"image state records counters sites nodes used dropped bytes kept build_id"
	check_is "one line for each file" \
		"$(tail -n +2 "$PGO/stats" | cut -d ' ' -f 1 | sort | xargs)" \
		"$(find "$PGO" -name '*.profraw' ! -name all.profraw |
		   sed 's/.*\///; s/\.profraw$//' | sort | xargs)"
	check_is "of as many columns" \
		"$(awk 'NF != 11' "$PGO/stats")" ""
	check_is "records" "$(stats pgo_test_values records)" \
		"$(records pgo_test_values)"
	check_is "bytes" "$(stats pgo_test_values bytes)" \
		"$(wc -c < "$PGO/pgo_test_values.profraw")"
	check_is "two targets are two nodes" "$(stats pgo_test_values used)" 2
	check_is "of four for each site" "$(stats pgo_test_values nodes)" \
		$((4 * $(stats pgo_test_values sites)))
	check_is "none was dropped" "$(stats pgo_test_values dropped)" 0
	rmmod pgo_test_values
	reset pgo_test_values
	check_is "in the end nothing is kept" "$(kept)" 0
}

reset() {
	echo "$1" > "$PGO/reset"
}

# With pgo_keep=0
test_not_kept() {
	load pgo_test_life owned=1
	check "a module has a file" [ -e "$life" ]
	rmmod pgo_test_life
	check "which goes with it" [ ! -e "$life" ]
	check_is "and nothing is kept" "$(kept)" 0
}

if grep -q 'pgo_keep=0' /proc/cmdline; then
	begin 3
	test_not_kept
	ktap_finished
fi
begin 39 "$PGO/reset"

reset all
test_saved
test_reset
test_failing
test_values
test_builds
test_stats

ktap_finished

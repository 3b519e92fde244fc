#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# While a module comes and goes, its file opens to a whole profile or, where a
# reset took it away, not at all, and what was opened can be read to its end.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

file=$PGO/pgo_test_calls.profraw

come_and_go() {
	for n in $(seq 30); do
		load pgo_test_calls && run pgo_test_calls "$n" &&
			rmmod pgo_test_calls || echo "round $n" >> "$TMP/failed"
	done
	: > "$TMP/done"
}

# Prints what went wrong; keeps what was read as $TMP/read.N
read_meanwhile() {
	n=0
	until [ -e "$TMP/done" ]; do
		n=$((n + 1))
		if cat "$file" > "$TMP/read.$n" 2> "$TMP/error"; then
			continue
		fi
		rm "$TMP/read.$n"
		grep -v -e 'No such file or directory$' \
			-e 'No such device$' "$TMP/error"
	done
}

reset_meanwhile() {
	until [ -e "$TMP/done" ]; do
		( echo all > "$PGO/reset" ) 2>/dev/null
	done
}

begin 6

come_and_go &
reset_meanwhile &
check_is "no other error than that the module is gone" \
	"$(read_meanwhile 2>&1)" ""
wait
check "each time it is loaded and unloaded" [ ! -e "$TMP/failed" ]
read=$(find "$TMP" -name 'read.*' | wc -l)
ktap_print_msg "$read whole profiles"
check "the file was read now and then" [ "$read" -gt 0 ]
check "and each time whole" merge "$TMP/all" "$TMP"/read.*

( echo pgo_test_calls > "$PGO/reset" ) 2>/dev/null
load pgo_test_calls
run pgo_test_calls 5
exec 3< "$file"
rmmod pgo_test_calls
cat <&3 > "$TMP/late"
exec 3<&-
check "what is open outlives its module" merge "$TMP/text" "$TMP/late"
check_is "and is what was opened" "$(count text pgo_test_called)" 5

ktap_finished

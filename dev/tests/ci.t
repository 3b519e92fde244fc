#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The closing line and the status of .ci/run, whatever the tests do.

. "$(dirname -- "$0")/tap.sh"

mkdir "$work/.ci"
cp "$here/../../.ci/run" "$work/.ci/"

# ci LAST-LINE-OF-THE-TESTS THEIR-STATUS EXPECTED-LINE EXPECTED-STATUS
ci() {
	printf 'check:\n\t@echo "%s"; exit %s\n' "$1" "$2" >"$work/Makefile"
	rc=0
	"$work/.ci/run" >"$work/out.txt" 2>/dev/null || rc=$?
	tail -n 1 "$work/out.txt"
	[ "$(tail -n 1 "$work/out.txt")" = "$3" ] && [ "$((rc != 0))" = "$4" ]
}

ok "all pass" ci "7 passed, 0 failed" 0 "7 passed, 0 failed" 0
ok "skips are told" ci "7 passed, 0 failed, 2 skipped" 0 "7 passed, 0 failed, 2 skipped" 0
ok "one fails" ci "6 passed, 1 failed" 1 "6 passed, 1 failed" 1
ok "ten fail" ci "6 passed, 10 failed" 1 "6 passed, 10 failed" 1
ok "one fails and the status forgot" ci "6 passed, 1 failed" 0 "6 passed, 1 failed" 1
ok "what is not a test fails" ci "7 passed, 0 failed" 2 "7 passed, 1 failed" 1
ok "nothing was tested" ci "no kernel" 2 "0 passed, 1 failed" 1
ok "nothing was tested and the status forgot" ci "no kernel" 0 "0 passed, 1 failed" 1
ok "no test is no success" ci "0 passed, 0 failed" 0 "0 passed, 1 failed" 1

plan

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Modules that were loaded before the kernel began to keep account of images are
# found by going through the list of modules. The KUnit test of that, run here
# and now, must find each module, and each profile must be the same after it.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

suite=/sys/kernel/debug/kunit/pgo

# said WHAT: the number that the test gave for it
said() {
	sed -n "s/.*modules .*$1: \\([0-9]*\\).*/\\1/p" "$suite/results"
}

# Needs KUNIT_DEBUGFS, PGO_KUNIT_TEST and kunit.enable=1
begin 7 "$suite/run"

load pgo_test_calls
load pgo_test_none
run pgo_test_calls 5

check "the suite is run" sh -c "echo run > '$suite/run'"
check "the test passes" grep -q '^ *ok [0-9]* test_replay' "$suite/results"
check_is "each module was visited" "$(said visited)" "$(wc -l < /proc/modules)"
check_is "each that has a profile is an image again" \
	"$(said added)" "$(($(find "$PGO" -name '*.profraw' | wc -l) - 1))"
check "a file is there again" profile pgo_test_calls
check_is "and nothing was lost" "$(count pgo_test_calls pgo_test_called)" 5
run pgo_test_calls 2
profile pgo_test_calls
check_is "and it goes on from there" \
	"$(count pgo_test_calls pgo_test_called)" 7

ktap_finished

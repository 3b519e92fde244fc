# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# TAP for the commands that judge: a check is a command that finds nothing.
# Sourced after lib.sh, never run.

checks=0
failed=0
# ok WHAT COMMAND...: the check WHAT is that COMMAND succeeds and says nothing
ok() {
	checks=$((checks + 1))
	what=$1
	shift
	if said=$("$@" 2>&1) && [ -z "$said" ]; then
		echo "ok $checks - $what"
	else
		echo "not ok $checks - $what"
		echo "$said" | head -n 40 | sed 's/^/# /'
		failed=1
	fi
}

# skip WHAT WHY
skip() {
	checks=$((checks + 1))
	echo "ok $checks - $1 # SKIP $2"
}

plan() { echo "1..$checks"; exit $failed; }

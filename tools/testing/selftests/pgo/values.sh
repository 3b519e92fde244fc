#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Value sites that see more than is usual: how many targets are kept, which ones,
# and with what counts; and what happens when an interrupt and an NMI are at the
# same site as what they interrupt.
#
# A site keeps 24 values. Each call is in a count or is counted as dropped. What
# is dropped is no more than two for each call whose target had no node.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

module=pgo_test_targets

# called N N N...: the targets from the first, the number of them, the rounds
called() {
	echo "$*" > "/sys/module/$module/parameters/run"
}

# seen: what the site saw, as number:count, by number
seen() {
	profile "$module"
	values "$module" pgo_test_call 0 | tr ' ' '\n' |
		sed -n 's/^0:pgo_test_target_0*\([0-9][0-9]*:\)/\1/p' | sort -n | xargs
}

# sum: of those counts, and of those that were dropped
sum() {
	seen | tr ' ' '\n' | awk -F : -v dropped="$(stats "$module" dropped)" \
		'{ n += $2 } END { print n + dropped }'
}

again() {
	echo "$module" > "$PGO/reset"
}

# lacks NUMBER TRUE: how many of its calls target NUMBER lacks
lacks() {
	seen | tr ' ' '\n' | awk -F : -v fn="$1" -v true="$2" \
		'$1 == fn { n = $2 } END { print true - n }'
}

# kept NUMBER TRUE MOST: it lacks no more than MOST calls, and has none too many
kept() {
	lack=$(lacks "$1" "$2")
	ktap_print_msg "target $1 of $2 calls lacks $lack"
	[ "$lack" -ge 0 ] && [ "$lack" -le "$3" ]
}

test_few() {
	called 5 1 1000
	check_is "one target" "$(seen)" 5:1000
	again
	for i in $(seq 0 23); do
		called "$i" 1 $((i + 1))
	done
	check_is "24 targets, each with its own count" "$(seen)" \
		"$(seq 0 23 | awk '{ print $1 ":" $1 + 1 }' | xargs)"
	check_is "none is dropped" "$(stats "$module" dropped)" 0
	check_is "in as many nodes" "$(stats "$module" used)" 24
	again
}

# 24 that are called 1,000 times, then 276 that are called once
test_early() {
	for i in $(seq 0 23); do
		called "$i" 1 1000
	done
	called 24 276 1
	check_is "300 targets: the 24 hottest, exactly" "$(seen)" \
		"$(seq 0 23 | awk '{ print $1 ":1000" }' | xargs)"
	check_is "the others are dropped" "$(stats "$module" dropped)" 276
	again
}

# 290 that are called 15 times in all, and ten that come late, 2,000 times
test_late() {
	called 0 290 5
	for i in $(seq 1 10); do
		called 290 10 200
		called 0 290 1
	done
	for i in 290 294 299; do
		check "300 targets: one that comes late" kept "$i" 2000 200
	done
	check_is "no call is lost" "$(sum)" $((290 * 5 + 10 * (10 * 200 + 290)))
	again
}

# All 10,000 targets 5 times, and one call in four of one of three hot ones
test_many() {
	for i in 1 2 3 4 5; do
		for from in 0 2500 5000 7500; do
			called "$from" 2500 1
			called 9000 3 300
		done
	done
	for i in 9000 9001 9002; do
		check "10,000 targets: a hot one" kept "$i" $((20 * 300 + 5)) 120
	done
	check_is "no call is lost" "$(sum)" $((5 * (10000 + 4 * 900)))
	check_is "24 nodes are taken" "$(stats "$module" used)" 24
	again
}

# context KIND: what the site saw of those targets
context() {
	values pgo_test_context pgo_test_site 0 | tr ' ' '\n' |
		awk -F : -v kind="$1" 'index($2, "pgo_test_" kind "_") {
			n++; sum += $3 } END { print n + 0, sum + 0 }'
}

param() {
	cat "/sys/module/pgo_test_context/parameters/$1"
}

# contexts: is each call of each there, or known to be dropped?
contexts() {
	profile pgo_test_context
	tasks=$(context task) irqs=$(context irq) nmis=$(context nmi)
	dropped=$(stats pgo_test_context dropped)
	ktap_print_msg "targets and calls: tasks $tasks of $(param tasks)," \
		"interrupts $irqs of $(param irqs), NMIs $nmis of $(param nmis)," \
		"dropped $dropped"
	is $((${tasks#* } + ${irqs#* } + ${nmis#* } + dropped)) \
		$(($(param tasks) + $(param irqs) + $(param nmis)))
}

# A target that comes first in an interrupt while another is being noted is
# dropped once for that.
test_contexts() {
	load pgo_test_context
	run pgo_test_context 300000
	if [ "$(nproc)" -lt 2 ]; then
		for what in 1 2 3 4 5 6; do
			ktap_test_skip "contexts, $what: needs two CPUs"
		done
		return
	fi
	check "interrupts and NMIs at the site that they interrupt" contexts
	check_is "targets of the task" "${tasks% *}" 8
	check_is "targets of interrupts" "${irqs% *}" 8
	if [ "$(param nmis)" -gt 0 ]; then
		check_is "targets of NMIs" "${nmis% *}" 8
	else
		ktap_test_skip "no NMI can be sent here"
	fi
	check "few are dropped" [ "$dropped" -le 24 ]
	run pgo_test_context 300000
	check "again, all of them known" contexts
}

begin 21 "$PGO/reset"

load "$module"
test_few
test_early
test_late
test_many
test_contexts

ktap_finished

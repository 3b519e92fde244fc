#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The judge of dev/latency: what is longer than without a profile is found, and so
# is that there is nothing to judge.

. "$(dirname -- "$0")/tap.sh"

# rows MAX: of reading vmlinux, where the kernel itself takes 20 us
rows() {
	echo "# latency: - nothing irqsoff 20000 9 10 one two"
	echo "# latency: plain load irqsoff 5000 15 20 three four"
	echo "# latency: plain hold irqsoff 300 200 201 lock unlock"
	echo "# latency: vmlinux open+read irqsoff 5000 10 $1 five six six seven do_syscall_64 eight"
}
judge() { rows "$1" | awk -f "$here/../latency.awk"; }
without() { rows 1 | sed "/$1/d" | awk -f "$here/../latency.awk"; }

ok "as long as without a profile" judge 30
ok "longer is too long" not judge 31
judge 30 >"$work/table"
ok "the figures are in the table" \
	says "$work/table" "vmlinux  open+read       5000       10     30"
ok "and where they come from" grep -q 'five \.\. six < seven$' "$work/table"
none() { awk -f "$here/../latency.awk" </dev/null; }
ok "no figure is no proof" not none
ok "nor are those with a profile alone" not without '20'
ok "nor those without one alone" not without vmlinux
ok "nor a tracer that does not see a lock that is held" not without hold
plan

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
	echo "# latency: vmlinux open+read irqsoff 5000 10 $1 five six"
}
judge() { rows "$1" | awk -f "$here/../latency.awk"; }

ok "as long as without a profile" judge 30
ok "longer is too long" not judge 31
judge 30 >"$work/table"
ok "the figures are in the table" \
	says "$work/table" "vmlinux  open+read       5000       10     30"
ok "and where they come from" says "$work/table" "five .. six"
none() { awk -f "$here/../latency.awk" </dev/null; }
ok "no figure is no proof" not none
ours() { rows 1 | sed '/vmlinux/!d' | awk -f "$here/../latency.awk"; }
ok "nor are those of a profile alone" not ours
plan

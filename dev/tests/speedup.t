#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The table of dev/speedup, from figures whose means are known; and that what the
# kernel is trained with is not what it is measured with.

. "$(dirname -- "$0")/tap.sh"

tab=$(printf '\t')
# rows KERNEL A B: exact figures of two workloads in million instructions, of which one
# waits a while, and of one that sleeps nearly always
rows() {
	echo "$1 exact 1 pipes a ${2}005000 5000 10 30"
	echo "$1 exact 1 exec b ${3}000000 0 60 20"
	echo "$1 exact 1 scheduler c 3400000000 3000000000 300 0"
}
# timed KERNEL TURN A...: wall time of both, as many times
timed() {
	kernel=$1 turn=$2
	shift 2
	for time; do
		echo "$kernel wall $turn pipes a $time 0 0 0"
		echo "$kernel wall $turn exec b $time 0 0 0"
		echo "$kernel wall $turn scheduler c $time 0 0 0"
	done
}
raw() {
	echo kernel clock turn area workload passed idle user system
	rows plain 400 800
	rows use 360 648
	rows slow 400 840
	timed plain 1 100 120
	timed use 1 95 90
	timed plain 2 200 200
	timed use 2 170 160
}
raw | tr ' ' "$tab" >"$work/raw.tsv"
table() { python3 "$here/../speedup.py" "$1" use="with it" >"$work/table"; }
without() {
	grep -v "$1" "$work/raw.tsv" >"$work/less.tsv"
	table "$work/less.tsv"
}

ok "a table" table "$work/raw.tsv"
ok "titles of kernels" says "$work/table" "with it"
ok "instructions without what was idle, and the kernel's share" \
	says "$work/table" "pipes      a                   75%    400.0     -10.0"
ok "none where the clock did not tick with the work" \
	says "$work/table" "scheduler  c                     ?    400.0      +0.0"
ok "wall time: the fastest of each turn" says "$work/table" " -15.0 ( -20.0 .. -10.0)"
ok "the geometric mean" says "$work/table" "geometric mean                                  -10.0"
ok "and that of the kernel alone" \
	says "$work/table" "without the programs, by the share              -54.4"
ok "what got slower is named" says "$work/table" "instructions: b +5.0" "instructions: none"
ok "no wall time, no such figures" without "wall"
ok "a workload that a kernel lacks" not without "use${tab}exact.*${tab}a"
ok "a file of something else" not table "$here/speedup.t"

# programs SET: the first word of each command in guest/workloads; of the class of
# stress-ng, in $name, it is the program
programs() {
	# shellcheck disable=SC2034,SC2317	# called from there
	(
		workload() { [ "$1" != "$set" ] || echo "$4"; }
		set=$1
		. "$here/../guest/workloads"
	) | grep -oE "^[a-z0-9-]+|[;|] *[a-z0-9-]+|do [a-z0-9-]+" | sed 's/.*[ ;|]//' |
		grep -vxE 'do|done|for' | sort -u
}
programs train >"$work/train"
programs held >"$work/held"
ok "both sets have programs" [ "$(sort -u "$work/train" "$work/held" | wc -l)" -gt 15 ]
ok "and none is in both" not grep -xFf "$work/train" "$work/held"
plan

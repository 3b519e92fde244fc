#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The judges of dev/bench-values: what its table says of figures that are known, that
# too many points are found, and that there is nothing to judge; and of a profile,
# whether it has all of the calls.

. "$(dirname -- "$0")/tap.sh"

# figures PART CASE WHAT... of which all are LOW 1, MEDIAN 2, HIGH 3
figures() {
	case=$1
	shift
	for what; do
		printf 'bench\t%s\t%s\t1\t2\t3\n' "$case" "$what"
	done
}

tab=$(printf '\t')
host() {
	echo "# host: a machine"
	printf 'bench\tknown\t1 value, one site\t%s\n' "ns loop${tab}0.3${tab}0.4${tab}0.5" \
		"ns llvm${tab}2${tab}2.5${tab}3" "ns ours${tab}1${tab}1.25${tab}1.5" \
		"ns 2021${tab}3${tab}3.75${tab}4" \
		"ratio ours/llvm${tab}0.45${tab}0.5${tab}0.55" \
		"net ours/llvm${tab}0.35${tab}0.4${tab}0.45" \
		"ratio 2021/llvm${tab}1.4${tab}1.5${tab}1.6"
	figures "new${tab}full: all are new" "ns loop" "ns llvm" "ns ours" "ns 2021" \
		"ratio ours/llvm"
	figures "two${tab}3 values, nothing in common" "speed ours" "scale ours"
	printf 'bench\ttwo\t3 values, two sites far apart\tscale ours\t0.1\t%s\t2\n' "$1"
	printf 'bench\ttwo\t3 values, two sites side by side\tscale ours\t0.1\t%s\t2\n' \
		"${2:-1}"
	printf 'bench\tnew\t-\tdisturbed\t3\n'
	printf 'bench\ttwo\t-\tdisturbed\t4\n'
}

# guest MS: of three times on the kernel that counts values
guest() {
	echo "# guest: a kernel"
	echo "guest plain pipe 10 101000000 100000000 99000000"
	echo "guest novalues pipe 10 110000000 110000000 110000000"
	echo "guest base pipe 10 ${1}000000 ${1}000000 ${1}000000"
}

judge() { awk -v parts="$1" -f "$here/../bench-values.awk"; }
of_host() { host "$@" | judge host; }
of_guest() { guest "$1" | judge guest; }
both() { { host 1; guest 115; } | judge "host guest"; }
half() { host 1 | judge "host guest"; }
without() { { host 1; guest 115; } | grep -v "$1" | judge "host guest"; }

both >"$work/table"
ok "figures are in the table" says "$work/table" "host: a machine" "guest: a kernel" \
	"0.40   2.50   1.25   3.75   0.50 (0.45-0.55)  0.40 (0.35-0.45)       1.50" \
	"full: all are new" "known, 1 value: 0.50 to 0.50 of LLVM's time" "7 times were taken again"
ok "the median of each kernel, and the points" says "$work/table" \
	"100.00    110.00  115.00   1.100 1.150   2.0%      5.0" "values add at most 5.0 points"
ok "five points are allowed" of_guest 115
ok "six are too many" not of_guest 116
of_guest 116 >"$work/table"
ok "and the table says where" grep -q 'pipe .*6.0  TOO MANY' "$work/table"
of_host 0.95 >"$work/table"
ok "two threads are compared with what the machine can do" \
	says "$work/table" "3 values, far apart: 0.95 of the speed" "wanted: ok"
of_host 0.85 >"$work/table"
ok "and where they are slower, it is said" \
	says "$work/table" "3 values, far apart: 0.85 of the speed" "wanted: NOT REACHED"
of_host 1 0.5 >"$work/table"
ok "neighbours, too" says "$work/table" "3 values, side by side: 0.50 of the speed" \
	"wanted: NOT REACHED"
none() { judge guest </dev/null; }
ok "no figure is no proof" not none
ok "nor is half of what was asked for" not half
ok "nor a workload that one kernel did not do" not without 'guest plain'
ok "nor one part of the host alone" not without "bench${tab}two"

# profile COUNT: of a function whose first of 256 sites has two values
profile() {
	printf '# NumValueSites:\n256\n2\n** External Symbol **:70\nname:%s\n' "$1"
	yes '1
a.c:f:72' | head -n 30
	yes '1
f:8' | head -n 480
}
proved() { profile "$1" | awk -f "$here/../host/bench/proof.awk"; }
one_less() { profile 2 | head -n -2 | awk -f "$here/../host/bench/proof.awk"; }
lost() { profile 2 | sed '4d; 3s/2/1/' | awk -f "$here/../host/bench/proof.awk"; }
none_counted() {
	{ printf '# NumValueSites:\n256\n'; yes 0 | head -n 256; } |
		awk -f "$here/../host/bench/proof.awk"
}
ok "a profile with all calls" proved 2
ok "one with a call too few" not proved 1
ok "one without a value" not lost
ok "one without a site" not one_less
ok "one of hooks that did nothing" not none_counted
plan

# SPDX-License-Identifier: GPL-2.0-only
#
# The table of dev/latency from what guest/latency said, and whether it holds: no
# stretch with a profile is half as long again as the longest of all without, and a
# lock that is held for 200 us on purpose was seen by each tracer. (Not the longest
# of the same tracer: the allocator's worst is rare, and not in every run.)

/^# (vmlinux|stats)/ && !said[$0]++ {
	print substr($0, 3)
}

# callers: the last column, the innermost first, without what all have in common
function callers(  i, list) {
	for (i = 11; i <= NF && i < 18 && $i != "do_syscall_64"; i++) {
		if ($i != $(i - 1))
			list = list " < " $i
	}
	return list
}

# IMAGE OPERATION TRACER TIME MEDIAN MAX FROM TO CALLER...
/^# latency: / && NF >= 10 {
	row = $3 " " $4
	if (!(row in time))
		rows[++num] = row
	time[row] = $6
	figures[row] = figures[row] sprintf(" %8d %6d", $7, $8)
	places[++found] = sprintf("%-8s %-10s %-15s %6d  %s .. %s%s", $3, $4, $5, $8,
		$9, $10, callers())
	if ($4 == "hold")
		held[$5] = $8
	else if ($3 == "-" || $3 == "plain")
		own = $8 > own ? $8 : own
	else
		ours[$5] = $8 > ours[$5] ? $8 : ours[$5]
}

END {
	print "\nlongest stretch in microseconds (median and maximum of all runs) with"
	print "                              interrupts off  preemption off  either of them"
	print "image    operation   time(us)  median    max   median    max   median    max"
	for (i = 1; i <= num; i++) {
		split(rows[i], part)
		printf "%-8s %-10s %9d%s\n", part[1], part[2], time[rows[i]], figures[rows[i]]
	}
	print "\nwhere the maximum began and ended"
	for (i = 1; i <= found; i++)
		print places[i]
	print ""
	for (tracer in ours) {
		verdict = ours[tracer] > 1.5 * own ? "TOO LONG" :
			held[tracer] < 200 ? "BLIND" : "ok"
		bad += verdict != "ok"
		judged++
		printf "%s: at most %d us without a profile, %d us with one: %s\n",
			tracer, own, ours[tracer], verdict
	}
	exit bad || !judged
}

# SPDX-License-Identifier: GPL-2.0-only
#
# The table of dev/latency from what guest/latency said, and whether it holds.

/^# (vmlinux|stats)/ {
	print substr($0, 3)
}

# IMAGE OPERATION TRACER TIME MEDIAN MAX FROM TO
/^# latency: / && NF == 10 {
	row = $3 " " $4
	if (!(row in time))
		rows[++num] = row
	time[row] = $6
	figures[row] = figures[row] sprintf(" %8d %6d", $7, $8)
	places[++found] = sprintf("%-8s %-10s %-15s %6d  %s .. %s", $3, $4, $5, $8, $9, $10)
	# Images without a profile are the measure.
	if ($3 == "-" || $3 == "plain")
		own[$5] = $8 > own[$5] ? $8 : own[$5]
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
		verdict = ours[tracer] <= 1.5 * own[tracer] ? "ok" : "TOO LONG"
		bad += verdict != "ok"
		judged++
		printf "%s: at most %d us without a profile, %d us with one: %s\n", \
			tracer, own[tracer], ours[tracer], verdict
	}
	exit bad || !judged
}

# SPDX-License-Identifier: GPL-2.0-only
#
# The table of dev/bench-values from what bench.c and the guests said, and whether it
# holds: values add at most five points to each workload of the guest, and nothing is
# missing of the parts that were asked for. Times of a busy machine are not a reason
# to fail: what is wanted of them is printed, and whether it was so.
#
#   bench<TAB>PART<TAB>CASE<TAB>WHAT<TAB>LOW<TAB>MEDIAN<TAB>HIGH, see bench.c
#   guest CONFIG WORKLOAD N NANOSECONDS...

BEGIN {
	most_points = 5
	wanted_ratio["1 value"] = 0.8
	wanted_ratio["8 values"] = 1
	wanted_scale = 0.9
}

/^# / { print substr($0, 3) }

/^bench\t/ {
	split($0, field, "\t")
	row = field[2] "\t" field[3]
	if (field[4] == "disturbed") {
		disturbed += field[5]
		next
	}
	if (!(row in known))
		rows[++num_rows] = row
	known[row]
	low[row, field[4]] = field[5]
	mid[row, field[4]] = field[6]
	high[row, field[4]] = field[7]
}

/^guest / {
	job = $3
	if (!(job in times))
		jobs[++num_jobs] = job
	times[job] = $4
	for (i = 5; i <= NF; i++)
		figure[i - 4] = $i
	sort(figure, NF - 4)
	time[$2, job] = figure[int((NF - 3) / 2)]
	change = 100 * (figure[NF - 4] / figure[1] - 1)
	spread[job] = change > spread[job] ? change : spread[job]
}

function sort(list, n,  i, j, swap) {
	for (i = 2; i <= n; i++) {
		for (j = i; j > 1 && list[j - 1] + 0 > list[j] + 0; j--) {
			swap = list[j]
			list[j] = list[j - 1]
			list[j - 1] = swap
		}
	}
}

function range(row, what) {
	return sprintf("%.2f (%.2f-%.2f)", mid[row, what], low[row, what], high[row, what])
}

# kind_of PART CASE: what is wanted differs
function kind_of(part, name) {
	if (part != "known")
		return part
	return match(name, /^[0-9]+ values?/) ? substr(name, 1, RLENGTH) : part
}

function one_thread(part, title,  i, row, name) {
	printf "\n%-34s%6s%7s%7s%7s   %-17s %-17s %9s\n", title, "loop", "LLVM", "ours",
		"2021", "ours/LLVM", "less the loop", "2021/LLVM"
	for (i = 1; i <= num_rows; i++) {
		row = rows[i]
		if (index(row, part "\t") != 1)
			continue
		name = substr(row, length(part) + 2)
		printf "%-34s%6.2f%7.2f%7.2f%7.2f   %-17s %-17s %9.2f\n", name,
			mid[row, "ns loop"], mid[row, "ns llvm"], mid[row, "ns ours"],
			mid[row, "ns 2021"], range(row, "ratio ours/llvm"),
			range(row, "net ours/llvm"), mid[row, "ratio 2021/llvm"]
		judge_ratio(kind_of(part, name), mid[row, "ratio ours/llvm"])
	}
}

function judge_ratio(part, ratio) {
	judged[part]++
	if (ratio > worst[part])
		worst[part] = ratio
	if (!(part in best) || ratio < best[part])
		best[part] = ratio
}

function two_threads(  i, row, name) {
	printf "\n%-42s%-19s%-34s%s\n", "two threads: ns; speed against one", "  LLVM",
		"  ours, and against two without", "  2021"
	printf "%-42s%-19s%s\n", "", "", "              anything in common"
	for (i = 1; i <= num_rows; i++) {
		row = rows[i]
		if (index(row, "two\t") != 1)
			continue
		name = substr(row, 5)
		printf "%-42s%6.1f%6.2f       %6.1f%6.2f  %-18s %6.1f%6.2f\n", name,
			mid[row, "ns llvm"], mid[row, "speed llvm"],
			mid[row, "ns ours"], mid[row, "speed ours"],
			range(row, "scale ours"),
			mid[row, "ns 2021"], mid[row, "speed 2021"]
		judged["two"]++
		if (sub(/two sites /, "", name))
			scales[name] = mid[row, "scale ours"]
	}
}

function in_guest(  i, job, plain, counters, values, points) {
	print ""
	print "guest time, ms                  counters     and   both against          points"
	print "workload      times      plain      only  values   plain        spread  of values"
	for (i = 1; i <= num_jobs; i++) {
		job = jobs[i]
		plain = time["plain", job]
		counters = time["novalues", job]
		values = time["base", job]
		if (!plain || !counters || !values) {
			print job ": not on each kernel"
			bad++
			continue
		}
		judged["guest"]++
		points = 100 * (values - counters) / plain
		bad += points > most_points
		if (judged["guest"] == 1 || points > added)
			added = points
		printf "%-10s%9d%11.2f%10.2f%8.2f   %.3f %.3f  %4.1f%%  %7.1f%s\n", job,
			times[job], plain / 1e6, counters / 1e6, values / 1e6,
			counters / plain, values / plain, spread[job], points,
			(points > most_points ? "  TOO MANY" : "")
	}
}

function verdict_host(  name) {
	for (name in wanted_ratio) {
		if (name in best)
			printf "known, %s: %.2f to %.2f of LLVM's time, at most %.2f is wanted: %s\n",
				name, best[name], worst[name], wanted_ratio[name],
				(worst[name] > wanted_ratio[name] ? "NOT REACHED" : "ok")
	}
	printf "new values: %.2f to %.2f of LLVM's time\n", best["new"], worst["new"]
	for (name in scales)
		printf "%s: %.2f of the speed without anything in common, %.2f is wanted: %s\n",
			name, scales[name], wanted_scale,
			(scales[name] < wanted_scale ? "NOT REACHED" : "ok")
	printf "%d times were taken again because another thread came between\n", disturbed
}

END {
	if (parts ~ /host/) {
		print "\nns of a call: median; ratios in the same round: median (and quartiles)"
		one_thread("known", "values that the site has")
		one_thread("new", "values that it has not")
		two_threads()
	}
	if (parts ~ /guest/)
		in_guest()
	print ""
	if (parts ~ /host/)
		verdict_host()
	if (parts ~ /guest/)
		printf "values add at most %.1f points to a workload, %d are allowed: %s\n",
			added, most_points, (bad ? "TOO MANY" : "ok")
	if (parts ~ /host/ && !(judged["1 value"] && judged["new"] && judged["two"]))
		bad += missing("host")
	if (parts ~ /guest/ && !judged["guest"])
		bad += missing("guest")
	exit bad || !parts
}

function missing(part) {
	print part ": there are no figures"
	return 1
}

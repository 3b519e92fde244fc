# SPDX-License-Identifier: GPL-2.0-only
#
# Has a profile, as text, what bench.c left at its end? Each of 256 sites counted 8
# calls, each of the first 16 another 64. For every site the text has how many values
# there are, and then each with its count.

function done() {
	wanted = site < 16 ? 72 : 8
	if (sum != wanted && !bad++)
		printf "site %d: %d calls were counted, not %d\n", site, sum, wanted
	site++
	sum = 0
}

/^# NumValueSites:/ {
	getline
	sites = $1
	next
}
left {
	n = split($0, field, ":")
	sum += field[n]
	if (!--left)
		done()
	next
}
site < sites {
	left = $1 + 0
	if (!left)
		done()
}

END {
	if (bad)
		print bad " sites are wrong"
	if (site != 256)
		printf "%d sites, not 256\n", site
	exit bad || site != 256
}

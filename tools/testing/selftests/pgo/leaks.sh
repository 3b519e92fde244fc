# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Whether a test of kernel/pgo leaves memory behind, for those who source this
# after functions.sh. The same modules must be loaded at begin and end.

KMEMLEAK=/sys/kernel/debug/kmemleak

# KiB that the kernel has by vmalloc(): modules, snapshots, saved profiles.
# Some of it is freed by work that RCU lets begin, hence the time.
vmalloc_used() {
	sleep 2
	awk '$1 == "VmallocUsed:" { print $2 }' /proc/meminfo
}

leaks_begin() {
	leaks_before=$(vmalloc_used)
	[ ! -e $KMEMLEAK ] || echo clear > $KMEMLEAK
}

# What kmemleak found that was allocated here. It says so of what is some seconds
# old, and for the second time: at the first it may have been in a register.
kmemleak_found() {
	sleep 6
	echo scan > $KMEMLEAK
	echo scan > $KMEMLEAK
	awk '/^unreferenced object/ { if (ours) print block; block = ""; ours = 0 }
		{ block = block "\n" $0 }
		/^ *\[<.*>\] pgo_/ { ours = 1 }
		END { if (ours) print block }' $KMEMLEAK
}

# check_leaks: two tests
check_leaks() {
	# Of kernel stacks, each CPU keeps two for later, of at most 32 KiB.
	grown=$(($(vmalloc_used) - leaks_before))
	ktap_print_msg "memory by vmalloc() grew by $grown KiB"
	check "no memory by vmalloc() is left" [ $grown -le $((64 * $(nproc))) ]
	if [ -e $KMEMLEAK ]; then
		check_is "kmemleak finds nothing" "$(kmemleak_found)" ""
	else
		ktap_test_skip "kmemleak, needs DEBUG_KMEMLEAK"
	fi
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The judge of the guest's console: what must not be there is found, and so is
# that there is nothing to judge.

. "$(dirname -- "$0")/tap.sh"

console=$work/console.log
console() {
	printf '%s\r\n' 'Linux version 6.12' "$@" 'reboot: Restarting system' >"$console"
}
splat() { "$here/../splat" "$console"; }

console 'Run /init as init process'
ok "a kernel that has nothing to say" splat

for line in 'WARNING: CPU: 1 PID: 2 at kernel/fork.c:1 fork+0x1/0x2' \
	'BUG: sleeping function called from invalid context at mm/slab.c:1' \
	'BUG: KASAN: slab-out-of-bounds in pgo_open+0x1/0x2' \
	'BUG: kernel NULL pointer dereference, address: 0000000000000000' \
	'BUG: KCSAN: data-race in pgo_image_put / vfree' \
	'WARNING: possible circular locking dependency detected' \
	'rcu: INFO: rcu_sched detected stalls on CPUs/tasks: stall' \
	'INFO: task cat:12 blocked for more than 120 seconds.' \
	' Call Trace:' \
	'pgo: ext4: not profiled: broken profile sections'; do
	console "$line"
	ok "finds: $line" not splat
done

console 'BUG: KCSAN: data-race in tick_do_update_jiffies64 / get_next_timer_interrupt'
ok "leaves the races of others to them" splat

console 'pgo: kunit_fake: not profiled: broken profile sections'
ok "excuses what KUnit provokes" splat

: >"$console"
ok "an empty console is no proof" not splat
rm "$console"
ok "nor is one that is missing" not splat
echo 'Linux version 6.12' >"$console"
ok "nor one that ends too early" not splat
echo 'Linux version 6.12 #1 SMP PREEMPT_RT 1970' >"$console"
ok "nor that of a realtime kernel" not splat
echo 'guest: selftest is done' >>"$console"
ok "which ends with what the guest said" splat
plan

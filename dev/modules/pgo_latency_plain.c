// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code of pgo_latency_large, which the Makefile does not instrument, and as
 * much data. Writing N to its parameter copy allocates, fills and frees N bytes:
 * nobody makes a snapshot of that size with less. Writing it to parameter hold
 * keeps interrupts and preemption off for N microseconds, which must be seen.
 */
#include <linux/delay.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#define PGO_LATENCY_LARGE
#include "pgo_latency.h"

static u8 pgo_latency_data[110592 * 24] = { 1 };

static int pgo_latency_copy(const char *val, const struct kernel_param *kp)
{
	unsigned int size, at;
	u8 *buf;
	int err = kstrtouint(val, 0, &size);

	if (err)
		return err;
	buf = vmalloc(size);
	if (!buf)
		return -ENOMEM;
	for (at = 0; at < size; at++)
		buf[at] = READ_ONCE(pgo_latency_data[at % sizeof(pgo_latency_data)]);
	vfree(buf);
	return 0;
}

static const struct kernel_param_ops pgo_latency_copy_ops = {
	.set = pgo_latency_copy,
};
module_param_cb(copy, &pgo_latency_copy_ops, NULL, 0200);

static int pgo_latency_hold(const char *val, const struct kernel_param *kp)
{
	static DEFINE_SPINLOCK(lock);
	unsigned long flags;
	unsigned int time;
	int err = kstrtouint(val, 0, &time);

	if (err)
		return err;
	spin_lock_irqsave(&lock, flags);
	udelay(time);
	spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static const struct kernel_param_ops pgo_latency_hold_ops = {
	.set = pgo_latency_hold,
};
module_param_cb(hold, &pgo_latency_hold_ops, NULL, 0200);

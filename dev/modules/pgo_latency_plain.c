// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code of pgo_latency_large, which the Makefile does not instrument, and as
 * much data. Writing N to its parameter copy allocates, fills and frees N bytes:
 * nobody makes a snapshot of that size with less.
 */
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a module for dev/latency is beside the functions that its Makefile writes.
 * Writing N to its parameter run lets each value site see 24 values N times: as
 * many as it keeps.
 */
#ifndef _PGO_LATENCY_H
#define _PGO_LATENCY_H

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#define PGO_LATENCY_TARGET(n)						\
static noinline void pgo_latency_target_##n(void)			\
{									\
	barrier();							\
}

#ifdef PGO_LATENCY_LARGE
#include "pgo_latency_64.h"
#else
#include "pgo_latency_1.h"
#endif

static int pgo_latency_run(const char *val, const struct kernel_param *kp)
{
	unsigned int times, i;
	int err = kstrtouint(val, 0, &times);

	if (err)
		return err;
	while (times--) {
		for (i = 0; i < ARRAY_SIZE(pgo_latency_targets); i++) {
			void (*fn)(void) = pgo_latency_targets[i];

			OPTIMIZER_HIDE_VAR(fn);
			pgo_latency_all(fn);
		}
	}
	return 0;
}

static const struct kernel_param_ops pgo_latency_run_ops = {
	.set = pgo_latency_run,
};
module_param_cb(run, &pgo_latency_run_ops, NULL, 0200);

static int __init pgo_latency_init(void)
{
	return 0;
}
module_init(pgo_latency_init);

static void __exit pgo_latency_exit(void)
{
}
module_exit(pgo_latency_exit);

MODULE_DESCRIPTION("For dev/latency");
MODULE_LICENSE("GPL");

#endif /* _PGO_LATENCY_H */

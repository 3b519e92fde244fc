// SPDX-License-Identifier: GPL-2.0-only
/*
 * An indirect call with up to 10,000 targets.
 */
#include "pgo_test.h"

#define PGO_TEST_DEFINE(n)						\
static noinline void pgo_test_target_##n(void)				\
{									\
	barrier();							\
}

#include "pgo_test_targets_all.h"
#undef PGO_TEST_DEFINE

static void (*const pgo_test_targets[])(void) = {
#define PGO_TEST_DEFINE(n)	pgo_test_target_##n,
#include "pgo_test_targets_all.h"
};

static noinline void pgo_test_call(void (*fn)(void))
{
	OPTIMIZER_HIDE_VAR(fn);
	fn();
}

/* "FIRST NUMBER TIMES": that many targets in turn, and all of it so often */
static int pgo_test_set_run(const char *val, const struct kernel_param *kp)
{
	unsigned int first, num, times, i;

	if (sscanf(val, "%u %u %u", &first, &num, &times) != 3 ||
	    first > ARRAY_SIZE(pgo_test_targets) ||
	    num > ARRAY_SIZE(pgo_test_targets) - first)
		return -EINVAL;
	while (times--) {
		for (i = 0; i < num; i++)
			pgo_test_call(pgo_test_targets[first + i]);
		cond_resched();
	}
	return 0;
}

static const struct kernel_param_ops pgo_test_ops_run = {
	.set = pgo_test_set_run,
};
module_param_cb(run, &pgo_test_ops_run, NULL, 0200);

MODULE_DESCRIPTION("Test of kernel/pgo: many targets");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does something at each point of its life: when its parameters are set, in its
 * init function, which fails if one asks for that, when a number is written to
 * parameter run, in its exit function, and when its parameters are freed, which
 * comes last of all.
 */
#include "pgo_test.h"

static bool fail;
module_param(fail, bool, 0);

static noinline void pgo_test_in_param(void)
{
	barrier();
}

static noinline void pgo_test_in_run(void)
{
	barrier();
}

static noinline void __init pgo_test_in_init(void)
{
	barrier();
}

static noinline void pgo_test_in_exit(void)
{
	barrier();
}

static noinline void pgo_test_at_last(void)
{
	barrier();
}

static noinline void pgo_test_call(void (*fn)(void), unsigned int n)
{
	OPTIMIZER_HIDE_VAR(fn);
	while (n--)
		fn();
}

static void pgo_test_run(unsigned int n)
{
	pgo_test_call(pgo_test_in_run, n);
}

PGO_TEST_PARAM(run, pgo_test_run);

static int pgo_test_set_owned(const char *val, const struct kernel_param *kp)
{
	pgo_test_call(pgo_test_in_param, 2);
	return 0;
}

static void pgo_test_free_owned(void *arg)
{
	pgo_test_call(pgo_test_at_last, 11);
}

static const struct kernel_param_ops pgo_test_ops_owned = {
	.set = pgo_test_set_owned,
	.free = pgo_test_free_owned,
};
module_param_cb(owned, &pgo_test_ops_owned, NULL, 0);

static int __init pgo_test_init(void)
{
	pgo_test_call(pgo_test_in_init, 3);
	return fail ? -ENODATA : 0;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
	pgo_test_call(pgo_test_in_exit, 5);
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: from the first to the last");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module of several objects.
 */
#include "pgo_test.h"
#include "pgo_test_multi.h"

static noinline void pgo_test_run(unsigned int n)
{
	pgo_test_multi_a(3 * n);
	pgo_test_multi_b(5 * n);
}

PGO_TEST_PARAM(run, pgo_test_run);

static int __init pgo_test_init(void)
{
	return 0;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: several objects");
MODULE_LICENSE("GPL");

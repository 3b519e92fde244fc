// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that is called as often as one says, and no value site.
 */
#include "pgo_test.h"

static noinline void pgo_test_called(void)
{
	barrier();
}

static noinline void pgo_test_run(unsigned int n)
{
	while (n--)
		pgo_test_called();
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

MODULE_DESCRIPTION("Test of kernel/pgo: calls");
MODULE_LICENSE("GPL");

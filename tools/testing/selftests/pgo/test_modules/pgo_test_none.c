// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is not instrumented, see the Makefile.
 */
#include "pgo_test.h"

static int __init pgo_test_init(void)
{
	return 0;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: no instrumented function");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works while it is loaded, and then is not: its init function fails, with an
 * error that no system call for modules has otherwise.
 */
#include <linux/errno.h>

#include "pgo_test.h"

static noinline void pgo_test_stays(void)
{
	barrier();
}

static noinline void __init pgo_test_from_init(void)
{
	barrier();
}

static int __init pgo_test_init(void)
{
	void (*fn[])(void) = { pgo_test_stays, pgo_test_from_init };

	for (int i = 0; i < 4; i++) {
		OPTIMIZER_HIDE_VAR(fn[i / 3]);
		fn[i / 3]();
	}
	return -EDOM;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: failing init function");
MODULE_LICENSE("GPL");

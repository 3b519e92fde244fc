// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs while it is loaded and never again. It has no exit function, so that it
 * can't be unloaded.
 */
#include "pgo_test.h"

static noinline void __init pgo_test_from_init(void)
{
	barrier();
}

static int __init pgo_test_init(void)
{
	for (int i = 0; i < 42; i++) {
		void (*fn)(void) = pgo_test_from_init;

		OPTIMIZER_HIDE_VAR(fn);
		fn();
	}
	return 0;
}
module_init(pgo_test_init);

MODULE_DESCRIPTION("Test of kernel/pgo: init function");
MODULE_LICENSE("GPL");

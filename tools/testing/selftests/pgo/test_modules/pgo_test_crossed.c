// SPDX-License-Identifier: GPL-2.0-only
/*
 * What another module calls through a pointer.
 */
#include "pgo_test.h"
#include "pgo_test_cross.h"

void pgo_test_exported(void)
{
	barrier();
}
EXPORT_SYMBOL_GPL(pgo_test_exported);

MODULE_DESCRIPTION("Test of kernel/pgo: called from another image");
MODULE_LICENSE("GPL");

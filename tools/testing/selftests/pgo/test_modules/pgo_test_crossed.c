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

static int __init pgo_test_init(void)
{
	return 0;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: called from another image");
MODULE_LICENSE("GPL");

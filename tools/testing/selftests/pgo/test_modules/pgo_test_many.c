// SPDX-License-Identifier: GPL-2.0-only
/*
 * 400 functions, pgo_test_many_001 to _400, each called as often as its name
 * says.
 */
#include "pgo_test.h"

#define PGO_TEST_DEFINE(name)						\
static noinline void pgo_test_many_##name(void)				\
{									\
	barrier();							\
}

#define PGO_TEST_CALL(name, n)						\
	do {								\
		for (int i = 0; i < (n); i++)				\
			pgo_test_many_##name();				\
	} while (0)

/* Uses both for each function; the Makefile writes it. */
#include "pgo_test_many_all.h"

static noinline void pgo_test_run(unsigned int n)
{
	while (n--)
		pgo_test_many_all();
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

MODULE_DESCRIPTION("Test of kernel/pgo: hundreds of functions");
MODULE_LICENSE("GPL");

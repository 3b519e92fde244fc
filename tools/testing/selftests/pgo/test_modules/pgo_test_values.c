// SPDX-License-Identifier: GPL-2.0-only
/*
 * Value sites: an indirect call and memory operations of a size that the
 * compiler does not know.
 */
#include <linux/string.h>

#include "pgo_test.h"

static char pgo_test_from[4096], pgo_test_to[4096];

static noinline void pgo_test_often(void)
{
	barrier();
}

static noinline void pgo_test_seldom(void)
{
	barrier();
}

/* Three calls of four go to pgo_test_often(). */
static noinline void pgo_test_indirect(unsigned int n)
{
	while (n--) {
		void (*fn)(void) = n % 4 ? pgo_test_often : pgo_test_seldom;

		OPTIMIZER_HIDE_VAR(fn);
		fn();
	}
}

PGO_TEST_PARAM(run, pgo_test_indirect);

/*
 * The builtins: with KASAN, FORTIFY_SOURCE makes of memcpy() a function that
 * the compiler takes for any other.
 */
static noinline void pgo_test_copy(unsigned int n)
{
	if (n <= sizeof(pgo_test_to))
		__builtin_memcpy(pgo_test_to, pgo_test_from, n);
}

PGO_TEST_PARAM(copy, pgo_test_copy);

/*
 * Value sites that nobody reaches: a module has a number of value nodes for
 * each site, and pgo_test_copy() is to be shown more values than a few.
 */
static noinline void pgo_test_idle(unsigned int n)
{
	if (n > sizeof(pgo_test_to))
		return;
	__builtin_memset(pgo_test_to, 1, n);
	__builtin_memmove(pgo_test_to + 1, pgo_test_to, n - 1);
	__builtin_memset(pgo_test_to, 2, n / 2);
	__builtin_memmove(pgo_test_to + 2, pgo_test_to, n - 2);
	__builtin_memset(pgo_test_to, 3, n / 3);
	__builtin_memmove(pgo_test_to + 3, pgo_test_to, n - 3);
}

PGO_TEST_PARAM(idle, pgo_test_idle);

static int __init pgo_test_init(void)
{
	return 0;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: values");
MODULE_LICENSE("GPL");

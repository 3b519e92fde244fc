// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compiler.h>

#include "pgo_test_multi.h"

/* There is another of this name in pgo_test_multi_a.c. */
static noinline void pgo_test_same(void)
{
	barrier();
}

void pgo_test_multi_b(unsigned int n)
{
	while (n--)
		pgo_test_same();
}

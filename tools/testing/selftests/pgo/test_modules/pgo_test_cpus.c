// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that two CPUs call at the same time, one directly and one through a
 * pointer, and with interrupts off: nothing else gets in between.
 *
 * No more than two, since each may need a value node to see what to do with it,
 * and there are few.
 */
#include <linux/atomic.h>
#include <linux/smp.h>

#include "pgo_test.h"

/* Was this module built to count exactly whatever happens at the same time? */
static bool atomic = IS_ENABLED(CONFIG_PGO_ATOMIC);
module_param(atomic, bool, 0444);

static atomic_t pgo_test_here;

static noinline void pgo_test_called(void)
{
	barrier();
}

static noinline void pgo_test_pointed(void)
{
	barrier();
}

static noinline void pgo_test_on_cpu(void *n)
{
	void (*fn)(void) = pgo_test_pointed;
	int patience = 10000;

	if (atomic_inc_return(&pgo_test_here) > 2)
		return;
	/* The other may have its interrupts off and wait for this one. */
	while (atomic_read(&pgo_test_here) < 2 && patience--)
		cpu_relax();

	for (unsigned int i = *(unsigned int *)n; i; i--) {
		OPTIMIZER_HIDE_VAR(fn);
		pgo_test_called();
		fn();
	}
}

static noinline void pgo_test_run(unsigned int n)
{
	atomic_set(&pgo_test_here, 0);
	on_each_cpu(pgo_test_on_cpu, &n, 1);
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

MODULE_DESCRIPTION("Test of kernel/pgo: two CPUs at once");
MODULE_LICENSE("GPL");

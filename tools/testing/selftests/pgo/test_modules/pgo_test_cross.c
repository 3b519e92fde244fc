// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls through a pointer from this module to vmlinux and to another module.
 */
#include <linux/string.h>

#include "pgo_test.h"
#include "pgo_test_cross.h"

static noinline void pgo_test_to_vmlinux(unsigned int n)
{
	char *(*fn)(char *s) = strim;
	char buf[] = " x ";

	while (n--) {
		OPTIMIZER_HIDE_VAR(fn);
		fn(buf);
	}
}

static noinline void pgo_test_to_module(unsigned int n)
{
	void (*fn)(void) = pgo_test_exported;

	while (n--) {
		OPTIMIZER_HIDE_VAR(fn);
		fn();
	}
}

static noinline void pgo_test_run(unsigned int n)
{
	pgo_test_to_vmlinux(n);
	pgo_test_to_module(2 * n);
}

PGO_TEST_PARAM(run, pgo_test_run);

MODULE_DESCRIPTION("Test of kernel/pgo: calls between images");
MODULE_LICENSE("GPL");

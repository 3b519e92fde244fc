// SPDX-License-Identifier: GPL-2.0-only
/* See images.h. A shared object. */

#include <string.h>
#include "images.h"

static volatile int sink;
static char buf[64];

static noinline void private(int n)
{
	memset(buf, n, n);
}

work_fn one_private = private;

void one_work(int n)
{
	sink += n;
}

void one_run(work_fn *volatile fn, int n)
{
	if (*fn == private || *fn == one_work)
		(*fn)(n);
	else if (n % 3)
		one_work(n);
}

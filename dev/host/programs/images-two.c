// SPDX-License-Identifier: GPL-2.0-only
/* See images.h. Another one, which calls into the first. */

#include "images.h"

static volatile int sink;

void two_work(int n)
{
	one_work(n);
	if (n & 4)
		sink++;
}

void two_run(work_fn *volatile fn, int n)
{
	int i;

	for (i = 0; i < n % 4; i++)
		(*fn)(i);
}

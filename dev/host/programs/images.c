// SPDX-License-Identifier: GPL-2.0-only
/* See images.h. The program. */

#include "images.h"

static volatile int sink;

static noinline void work(int n)
{
	sink += n;
}

static noinline void more(int n)
{
	if (n % 3)
		sink -= n;
}

static noinline void call(work_fn *volatile fn, int n)
{
	(*fn)(n);
}

int main(void)
{
	work_fn all[] = { work, more, one_work, two_work };
	int i;

	for (i = 0; i < 300; i++) {
		one_run(&all[i % 3], i);
		two_run(&all[i % 2 * 3], i);
		call(&all[i % 3], i);
	}
	for (i = 0; i < 17; i++)
		one_run(&one_private, i);
	return 0;
}

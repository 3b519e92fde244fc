// SPDX-License-Identifier: GPL-2.0-only
/*
 * One site whose targets are in this image, in others, and in this one but not
 * instrumented: how many have no name is where the two files may differ.
 */

#include <stdlib.h>

#define noinline __attribute__((__noinline__))

static volatile int sink;

static noinline int here(int n)
{
	sink += n;
	return sink;
}

static noinline __attribute__((__no_profile_instrument_function__))
int nameless(int n)
{
	sink -= n;
	return sink;
}

static noinline int last(int n)
{
	return n;
}

static int (*volatile targets[])(int) = { here, abs, nameless, last };

int main(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		targets[i % (4 - i / 500)](i);
	return 0;
}

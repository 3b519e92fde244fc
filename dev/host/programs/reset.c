// SPDX-License-Identifier: GPL-2.0-only
/*
 * Everything is forgotten half way through, and then the half of it that comes
 * again is counted from 0. What does not come again is where the two files may
 * differ: LLVM's has values that were seen 0 times. The function with the value
 * sites has one of each kind.
 */

#include <string.h>

#define noinline __attribute__((__noinline__))

void profile_reset(void) __attribute__((__visibility__("hidden")));

static volatile int sink;
char from[128], to[128];	/* not static: or nobody would read them */

static noinline void once(void)
{
	sink++;
}

static noinline void always(void)
{
	sink--;
}

static void (*volatile targets[])(void) = { once, always };

static noinline void work(int first, size_t size)
{
	int i;

	for (i = 0; i < 10; i++) {
		targets[first + i % (2 - first)]();
		memcpy(to, from, size + i);
	}
}

int main(void)
{
	work(0, 1);
	work(0, 100);
	profile_reset();
	work(1, 1);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lengths of memory operations on both sides of the border of every range that
 * they are counted in, and two sites in a function, of which one sees no more
 * than one range.
 */

#include <string.h>

#define noinline __attribute__((__noinline__))

static char from[1 << 17], to[1 << 17];

static noinline void copy(size_t size, size_t fixed)
{
	memcpy(to, from, size);
	memset(to, 1, fixed);
}

static noinline int compare(size_t size)
{
	return memcmp(from, to, size);
}

int main(void)
{
	static volatile size_t five = 5;
	size_t size;

	for (size = 0; size <= 16; size++)
		copy(size, five);
	for (size = 16; size <= 1 << 16; size *= 2) {
		copy(size - 1, five);
		copy(size, five);
		copy(size + 1, five);
		copy(size + size / 2, five);
	}
	for (size = 0; size <= 1025; size++)
		compare(size);
	return 0;
}

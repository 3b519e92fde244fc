// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters alone: no value site, a function that never runs, loops and
 * branches, and counts beyond 32 bits' half.
 */

#define noinline __attribute__((__noinline__))

static volatile unsigned int sink;

noinline void never(int x)
{
	while (x--)
		sink += x;
}

noinline unsigned int collatz(unsigned int x)
{
	unsigned int steps = 0;

	while (x != 1) {
		x = x % 2 ? 3 * x + 1 : x / 2;
		steps++;
	}
	return steps;
}

noinline const char *name(int x)
{
	switch (x % 5) {
	case 0: return "zero";
	case 1: return "one";
	case 3: return "three";
	default: return "many";
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 1; i < 2000; i++)
		sink += collatz(i) + name(i)[0];
	if (argc > 100)
		never(argc);
	return 0;
}

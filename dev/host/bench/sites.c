// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of dev/bench-values: a function with 256 value sites, which never
 * runs. The compiler makes a record of it, heads and nodes; see calls.c.
 */

#define X4(x)	x x x x
#define X256(x)	X4(X4(X4(X4(x))))

static void (*volatile target)(void);

void sites(void)
{
	X256(target();)
}

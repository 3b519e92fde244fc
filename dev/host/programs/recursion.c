// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that are entered again before they return, directly, by way of
 * each other, and through a pointer.
 */

#define noinline __attribute__((__noinline__))

static noinline unsigned int ackermann(unsigned int m, unsigned int n)
{
	if (!m)
		return n + 1;
	if (!n)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static int odd(int n);
static int even(int n);
static int (*volatile parity[])(int) = { even, odd };

static noinline int even(int n)
{
	return n ? parity[1](n - 1) : 1;
}

static noinline int odd(int n)
{
	return n ? parity[0](n - 1) : 0;
}

int main(void)
{
	return ackermann(2, 40) != 83 || !even(1000) || odd(500);
}

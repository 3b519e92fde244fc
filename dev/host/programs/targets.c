// SPDX-License-Identifier: GPL-2.0-only
/*
 * An indirect call with TARGETS targets, target i being called so often:
 * once, but more often than all of the others together if it is among the first
 * FIRST. A second site sees them all but in another order.
 */

#ifndef FIRST
#define FIRST 0
#endif

#define noinline __attribute__((__noinline__))
#define TIMES(i) ((i) < FIRST ? 1000 : 1)

static volatile unsigned int sink;

#define F(n)	static noinline void f##n(void) { sink += n; }
#define P(n)	f##n,
#define T1(X, n)	X(n##0) X(n##1) X(n##2) X(n##3) X(n##4)	\
			X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define T2(X, n)	T1(X, n##0) T1(X, n##1) T1(X, n##2) T1(X, n##3)	\
			T1(X, n##4) T1(X, n##5) T1(X, n##6) T1(X, n##7)	\
			T1(X, n##8) T1(X, n##9)
#define ALL(X)		T2(X, 1) T2(X, 2) T2(X, 3)	/* 100 to 399 */
ALL(F)

static void (*volatile targets[])(void) = { ALL(P) };

static noinline void forward(void)
{
	int i, n;

	for (i = 0; i < TARGETS; i++) {
		for (n = 0; n < TIMES(i); n++)
			targets[i]();
	}
}

static noinline void backward(void)
{
	int i;

	for (i = TARGETS - 1; i >= 0; i--)
		targets[i]();
}

int main(void)
{
	forward();
	if (!FIRST)
		backward();
	return 0;
}

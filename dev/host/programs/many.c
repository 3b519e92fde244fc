// SPDX-License-Identifier: GPL-2.0-only
/*
 * 1,000 functions in each file, each with a site of an indirect call, every
 * third of which never runs.
 */

#define noinline __attribute__((__noinline__))
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

static volatile unsigned int sink;

static noinline void callee(void)
{
	sink++;
}

static void (*volatile pointer)(void) = callee;

#define F(n)	static noinline void f##n(int x)		\
		{ if (x & 1) sink += n; else pointer(); }
#define C(n)	if (n % 3) { f##n(n); f##n(n / 2); }
#define T1(X, n)	X(n##0) X(n##1) X(n##2) X(n##3) X(n##4)	\
			X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define T2(X, n)	T1(X, n##0) T1(X, n##1) T1(X, n##2) T1(X, n##3)	\
			T1(X, n##4) T1(X, n##5) T1(X, n##6) T1(X, n##7)	\
			T1(X, n##8) T1(X, n##9)
#define T3(X, n)	T2(X, n##0) T2(X, n##1) T2(X, n##2) T2(X, n##3)	\
			T2(X, n##4) T2(X, n##5) T2(X, n##6) T2(X, n##7)	\
			T2(X, n##8) T2(X, n##9)
#define ALL(X)		T3(X, 1)
ALL(F)

#ifdef OTHER
void other(void)
{
	ALL(C)
}
#else
void other(void);

int main(void)
{
	ALL(C)
	other();
	return 0;
}
#endif

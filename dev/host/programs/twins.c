// SPDX-License-Identifier: GPL-2.0-only
/*
 * Static functions of the same name and shape in two files, called directly
 * and through pointers, so often here and thrice as often there.
 */

#define noinline __attribute__((__noinline__))

#ifndef TIMES
#define TIMES 5
#endif

static volatile unsigned int sink;

static noinline void same(void)
{
	sink++;
}

static noinline void alike(void)
{
	sink += 2;
}

static void (*volatile pointers[])(void) = { same, alike };

static noinline void run(void)
{
	int i;

	for (i = 0; i < TIMES; i++) {
		same();
		pointers[i % 2]();
	}
}

#ifdef OTHER
void other(void)
{
	run();
}
#else
void other(void);

int main(void)
{
	run();
	other();
	return 0;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What the objects under measurement and the one who measures agree on. */
#ifndef _BENCH_CALLS_H
#define _BENCH_CALLS_H

#define NUM_SITES	256

struct call {
	unsigned long long value;
	unsigned int site;
};

/* Make @num calls @times times: "calls_of_hook" or "calls_of_nothing" */
typedef void calls_fn(const struct call *call, long num, long times);

#endif /* _BENCH_CALLS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the fuzz target share.
 *
 * fuzz.c	 what must hold of the validator, serializer, reset and hooks
 * fuzz-world.c	 from any bytes to a section set
 * fuzz-walk.c	 a raw profile read by the format's rules
 */
#ifndef _HOST_FUZZ_H
#define _HOST_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <linux/pgo.h>
#include <linux/string.h>

#include "../../kernel/pgo/pgo.h"
#include "../../kernel/pgo/profraw.h"
#include "../../kernel/pgo/values.h"
#include "layout.h"		/* made by rawprof.py, knows nothing of profraw.h */

#define MAX_RECORDS	8

/* What must hold; the fuzzer and its user see where it does not. */
#define must(truth) do {						\
	if (!(truth)) {							\
		fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__,	\
			__LINE__, __func__, #truth);			\
		abort();						\
	}								\
} while (0)

/**
 * struct input - Bytes that are left of an input; behind them are zeros.
 */
struct input {
	const u8 *pos;
	size_t left;
};

u8 take(struct input *in);

/**
 * struct world - A section set, each section in memory of exactly its size.
 * @set: it; pgo_vmlinux if @vmlinux
 * @memory: to free
 * @num_memory: how many
 * @vmlinux: lists end in NULL until pgo_nodes_init() comes
 * @by_hooks: no list yet: the rest of the input is calls of the hooks
 * @good_names: llvm-profdata has no reason to refuse them
 * @counters_at: offset of the counters of each record, as it was meant
 */
struct world {
	struct pgo_sections own, *set;
	void *memory[8];
	unsigned int num_memory;
	bool vmlinux, by_hooks, good_names;
	u64 counters_at[MAX_RECORDS];
};

void world_make(struct world *world, struct input *in);
void world_free(struct world *world);
unsigned int world_num_records(const struct world *world);

static inline u64 get_raw(const void *at, size_t size)
{
	u64 value = 0;

	memcpy(&value, at, size);	/* little endian */
	return value;
}

/* A field of a record, by the layout of rawprof.py */
#define record_get(record, field, type)					\
	((type)get_raw((const char *)(record) + RAW_RECORD_##field, sizeof(type)))

u64 walk(const void *buf, size_t size, const struct world *world);

#endif /* _HOST_FUZZ_H */

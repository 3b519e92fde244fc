// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of the hook with the record of sites(), as instrumented code makes them,
 * and the same loop without the call. Linked into one shared object with each
 * implementation of the hook.
 *
 * Guarantees that all of them run the same machine code up to the hook itself,
 * and call it directly: LLVM's is hidden in each image, and so no object goes
 * through a procedure linkage table.
 */

#include <linux/types.h>

#include "calls.h"

extern char __start___llvm_prf_data[] __attribute__((__visibility__("hidden")));

void __llvm_profile_instrument_target(u64 value, void *data, u32 site);

#define LOOP(name, work)							\
	__attribute__((__aligned__(64)))					\
	void name(const struct call *call, long num, long times)		\
	{									\
		void *record = __start___llvm_prf_data;				\
										\
		while (times--) {						\
			for (long i = 0; i < num; i++)				\
				work;						\
		}								\
	}

LOOP(calls_of_hook,
     __llvm_profile_instrument_target(call[i].value, record, call[i].site))
LOOP(calls_of_nothing,
     __asm__ volatile("" : : "r" (call[i].value), "r" (record), "r" (call[i].site)))

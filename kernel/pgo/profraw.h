/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What LLVM dictates: the layout of the profile sections, of the raw profile,
 * and the names that the compiler calls.
 *
 * llvm-profdata reads one raw version only, that of its own release, so that
 * the compiler which builds the kernel decides what the kernel writes. All
 * that differs from version to version is in this file; the serializer and the
 * hooks do not ask for it.
 *
 * Source: compiler-rt/include/profile/InstrProfData.inc (INSTR_PROF_DATA,
 * INSTR_PROF_RAW_HEADER, INSTR_PROF_VALUE_NODE, VALUE_PROF_KIND, struct
 * ValueProfData, struct ValueProfRecord) of LLVM 13.0.1, 14.0.6, 15.0.6,
 * 16.0.6, 17.0.6, 18.1.8, 19.1.7, 21.1.8, 22.1.8 and 23.1.1.
 */
#ifndef _KERNEL_PGO_PROFRAW_H
#define _KERNEL_PGO_PROFRAW_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/linkage.h>
#include <linux/math.h>
#include <linux/pgo.h>
#include <linux/stddef.h>
#include <linux/types.h>

#define LLVM_PRF_BITS(_64, _32)	(sizeof(long) == 8 ? (_64) : (_32))

/*
 * The raw version of each release, and what the compiler must make of the
 * structures below with it: sizes, where names_size is in the header, where the
 * function and the number of counters are in a record, and where its last member
 * ends. What is behind that may be missing from the last record of a section.
 *
 * A new version goes here. To see what it is, compare InstrProfData.inc of the
 * new release with that of the last one known (INSTR_PROF_RAW_VERSION, and the
 * macros named above), and readelf -x __llvm_prf_data of an object that it
 * made. That llvm-profdata reads the result as it reads that of LLVM's own
 * runtime is for the differential test to say.
 */
#if CONFIG_CLANG_VERSION < 130000 || CONFIG_CLANG_VERSION >= 240000
#error "kernel/pgo knows raw profile versions 7 to 11 only, those of clang 13 to 23"
#elif CONFIG_CLANG_VERSION >= 230000
#define LLVM_PRF_RAW_VERSION	11
#define LLVM_PRF_HEADER_SIZE	152
#define LLVM_PRF_AT_NAMES	96
#define LLVM_PRF_RECORD_SIZE	LLVM_PRF_BITS(72, 56)
#define LLVM_PRF_AT_FUNCTION	LLVM_PRF_BITS(40, 28)
#define LLVM_PRF_AT_COUNTERS	LLVM_PRF_BITS(56, 36)
#define LLVM_PRF_RECORD_USED	LLVM_PRF_BITS(72, 52)
#elif CONFIG_CLANG_VERSION >= 190000
#define LLVM_PRF_RAW_VERSION	10
#define LLVM_PRF_HEADER_SIZE	128
#define LLVM_PRF_AT_NAMES	72
#define LLVM_PRF_RECORD_SIZE	LLVM_PRF_BITS(64, 48)
#define LLVM_PRF_AT_FUNCTION	LLVM_PRF_BITS(32, 24)
#define LLVM_PRF_AT_COUNTERS	LLVM_PRF_BITS(48, 32)
#define LLVM_PRF_RECORD_USED	LLVM_PRF_BITS(64, 48)
#elif CONFIG_CLANG_VERSION >= 180000
#define LLVM_PRF_RAW_VERSION	9
#define LLVM_PRF_HEADER_SIZE	112
#define LLVM_PRF_AT_NAMES	72
#define LLVM_PRF_RECORD_SIZE	LLVM_PRF_BITS(64, 48)
#define LLVM_PRF_AT_FUNCTION	LLVM_PRF_BITS(32, 24)
#define LLVM_PRF_AT_COUNTERS	LLVM_PRF_BITS(48, 32)
#define LLVM_PRF_RECORD_USED	LLVM_PRF_BITS(60, 44)
#elif CONFIG_CLANG_VERSION >= 140000
#define LLVM_PRF_RAW_VERSION	8
#define LLVM_PRF_HEADER_SIZE	88
#define LLVM_PRF_AT_NAMES	56
#define LLVM_PRF_RECORD_SIZE	LLVM_PRF_BITS(48, 40)
#define LLVM_PRF_AT_FUNCTION	LLVM_PRF_BITS(24, 20)
#define LLVM_PRF_AT_COUNTERS	LLVM_PRF_BITS(40, 28)
#define LLVM_PRF_RECORD_USED	LLVM_PRF_BITS(48, 36)
#else
#define LLVM_PRF_RAW_VERSION	7
#define LLVM_PRF_HEADER_SIZE	88
#define LLVM_PRF_AT_NAMES	56
#define LLVM_PRF_RECORD_SIZE	LLVM_PRF_BITS(48, 40)
#define LLVM_PRF_AT_FUNCTION	LLVM_PRF_BITS(24, 20)
#define LLVM_PRF_AT_COUNTERS	LLVM_PRF_BITS(40, 28)
#define LLVM_PRF_RECORD_USED	LLVM_PRF_BITS(48, 36)
#endif

/* "\xfflprofr\x81" on a 64-bit target, "R" on a 32-bit one, in its byte order */
#define LLVM_PRF_MAGIC		LLVM_PRF_BITS(0xff6c70726f667281ULL, \
					      0xff6c70726f665281ULL)

/* With the VARIANT_MASKs that scripts/Makefile.pgo causes */
#define LLVM_PRF_VARIANT_IR	BIT_ULL(56)
#define LLVM_PRF_VARIANT_ENTRY	BIT_ULL(58)
#define LLVM_PRF_VERSION	(LLVM_PRF_RAW_VERSION | LLVM_PRF_VARIANT_IR | \
				 LLVM_PRF_VARIANT_ENTRY)

/* Readers of LLVM 18 and later refuse a whole file for a larger counter. */
#define LLVM_PRF_COUNTER_MAX	BIT_ULL(56)

/* The number of values at a site is written as one byte. */
#define LLVM_PRF_SITE_MAX	255

/* LLVM 13 writes binary ids that its own reader can't read. */
#define LLVM_PRF_BINARY_IDS	(LLVM_PRF_RAW_VERSION >= 8)

/* Is counter_ptr counted from the record that it is in, or an address? */
#define LLVM_PRF_RELATIVE	(LLVM_PRF_RAW_VERSION >= 8)

enum llvm_prf_kind {
	LLVM_PRF_KIND_TARGET,		/* function called through a pointer */
	LLVM_PRF_KIND_MEMOP,		/* length of a memory operation */
#if LLVM_PRF_RAW_VERSION >= 10
	LLVM_PRF_KIND_VTABLE,		/* C++ only */
#endif
	LLVM_PRF_NR_KINDS
};

struct pgo_block;

/**
 * struct llvm_prf_record - One instrumented function, in __llvm_prf_data.
 * @name_ref: low half of the MD5 of its name
 * @func_hash: hash of its control flow graph
 * @counter_ptr: first counter, relative to this very record (raw version 7: its
 *		 address)
 * @uniform_counter_ptr: of GPUs
 * @bitmap_ptr: MC/DC bitmap; unused
 * @function_ptr: its address, NULL if it can't be called through a pointer
 * @values: a pointer for each of its value sites, all kinds one after the other;
 *	    see values.h
 * @num_counters: its counters
 * @num_value_sites: its value sites of each kind
 * @wave_size: of GPUs
 * @num_bitmap_bytes: unused
 */
struct llvm_prf_record {
	u64 name_ref;
	u64 func_hash;
	unsigned long counter_ptr;
#if LLVM_PRF_RAW_VERSION >= 11
	unsigned long uniform_counter_ptr;
#endif
#if LLVM_PRF_RAW_VERSION >= 9
	unsigned long bitmap_ptr;
#endif
	void *function_ptr;
	unsigned long *values;
	u32 num_counters;
	u16 num_value_sites[LLVM_PRF_NR_KINDS];
#if LLVM_PRF_RAW_VERSION >= 11
	u16 wave_size;
#endif
#if LLVM_PRF_RAW_VERSION >= 9
	u32 num_bitmap_bytes;
#endif
} __aligned(8);

/* MC/DC bitmaps came with raw version 9. */
static inline bool llvm_prf_has_bitmap(const struct llvm_prf_record *record)
{
#if LLVM_PRF_RAW_VERSION >= 9
	return record->num_bitmap_bytes;
#else
	return false;
#endif
}

/*
 * Header of a raw profile. Behind it follow, each padded to 8 bytes: binary
 * ids, records, counters, bitmaps, uniform counters, names, vtables and their
 * names, and one value block for each record that has value sites.
 */
struct llvm_prf_header {
	u64 magic;
	u64 version;
	u64 binary_ids_size;
	u64 num_data;
	u64 padding_before_counters;
	u64 num_counters;
	u64 padding_after_counters;
#if LLVM_PRF_RAW_VERSION >= 9
	u64 num_bitmap_bytes;
	u64 padding_after_bitmap;
#endif
#if LLVM_PRF_RAW_VERSION >= 11
	u64 num_uniform_counters;
	u64 padding_after_uniform_counters;
	u64 uniform_counters_delta;
#endif
	u64 names_size;
	u64 counters_delta;
#if LLVM_PRF_RAW_VERSION >= 9
	u64 bitmap_delta;
#endif
	u64 names_delta;
#if LLVM_PRF_RAW_VERSION >= 10
	u64 num_vtables;
	u64 vnames_size;
#endif
	u64 value_kind_last;
};

/* Of a binary id; its bytes follow, padded to 8. */
struct llvm_prf_binary_id {
	u64 size;
	u8 id[];
};

/* Head of a value block; one struct llvm_prf_values per kind with sites follows. */
struct llvm_prf_value_block {
	u32 total_size;
	u32 num_kinds;
};

/* Behind the counts, padded to 8 bytes, come all values of the kind. */
struct llvm_prf_values {
	u32 kind;
	u32 num_sites;
	u8 counts[];		/* values of each site */
};

struct llvm_prf_value {
	u64 value;
	u64 count;
};

static_assert(sizeof(struct llvm_prf_record) == LLVM_PRF_RECORD_SIZE);
static_assert(offsetof(struct llvm_prf_record, counter_ptr) == 16);
static_assert(offsetof(struct llvm_prf_record, function_ptr) ==
	      LLVM_PRF_AT_FUNCTION);
static_assert(offsetof(struct llvm_prf_record, values) ==
	      LLVM_PRF_AT_FUNCTION + sizeof(void *));
static_assert(offsetof(struct llvm_prf_record, num_counters) ==
	      LLVM_PRF_AT_COUNTERS);
static_assert(offsetof(struct llvm_prf_record, num_value_sites) ==
	      LLVM_PRF_AT_COUNTERS + sizeof(u32));
#if LLVM_PRF_RAW_VERSION >= 9
static_assert(offsetofend(struct llvm_prf_record, num_bitmap_bytes) ==
	      LLVM_PRF_RECORD_USED);
#else
static_assert(offsetofend(struct llvm_prf_record, num_value_sites) ==
	      LLVM_PRF_RECORD_USED);
#endif
static_assert(sizeof(struct llvm_prf_header) == LLVM_PRF_HEADER_SIZE);
static_assert(offsetof(struct llvm_prf_header, num_counters) == 40);
static_assert(offsetof(struct llvm_prf_header, names_size) ==
	      LLVM_PRF_AT_NAMES);
static_assert(offsetof(struct llvm_prf_header, value_kind_last) ==
	      LLVM_PRF_HEADER_SIZE - sizeof(u64));
static_assert(offsetof(struct llvm_prf_values, counts) == 8);

/* What can be said of a section set that passed pgo_profraw_check(): */

/*
 * So many records or counters, and value sites of a record, at most between two
 * chances to reschedule
 */
#define PGO_BATCH	4096
#define PGO_SITES	64

static inline size_t pgo_num_records(const struct pgo_sections *set)
{
	return DIV_ROUND_UP(pgo_range_size(&set->data),
			    sizeof(struct llvm_prf_record));
}

static inline size_t pgo_num_counters(const struct pgo_sections *set)
{
	return pgo_range_size(&set->cnts) / sizeof(u64);
}

/* Offset of the first counter of @record in its section */
static inline unsigned long
pgo_counter_offset(const struct pgo_sections *set,
		   const struct llvm_prf_record *record)
{
	unsigned long from = LLVM_PRF_RELATIVE ? (unsigned long)record : 0;

	return from + record->counter_ptr - (unsigned long)set->cnts.start;
}

/*
 * Called by instrumented code, on i386 with all arguments on the stack.
 * Source: compiler-rt/lib/profile/InstrProfiling.h, LLVM 13 to 23
 */
asmlinkage void __llvm_profile_instrument_target(u64 value, void *data,
						 u32 site);
asmlinkage void __llvm_profile_instrument_memop(u64 size, void *data, u32 site);

/**
 * struct pgo_text - Where functions are, and what stands for them in a file.
 * @start: first address
 * @stop: first address behind them
 * @id: what stands for @start
 */
struct pgo_text {
	unsigned long start;
	unsigned long stop;
	u64 id;
};

/**
 * struct pgo_group - Images of which one raw profile is made.
 * @sets: their section sets, which passed pgo_profraw_check()
 * @num_sets: how many
 * @texts: where their functions are, in order; room for PGO_TEXTS for each
 * @num_texts: how many are there; pgo_profraw_write() fills them in
 */
struct pgo_group {
	const struct pgo_sections **sets;
	size_t num_sets;
	struct pgo_text *texts;
	size_t num_texts;
};

void pgo_copy(void *to, const void *from, size_t size);
void pgo_clear(void *to, size_t size);
const char *pgo_profraw_check(const struct pgo_sections *set);
size_t pgo_profraw_size(const struct pgo_sections *set);
void pgo_profraw_write(struct pgo_group *group, void *buf);
void pgo_profraw_reset(struct pgo_sections *set);

#endif /* _KERNEL_PGO_PROFRAW_H */

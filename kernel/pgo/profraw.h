/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What LLVM dictates: the layout of the profile sections, of the raw profile,
 * and the names that the compiler calls.
 *
 * llvm-profdata reads one raw version only, that of its own release, so that
 * the compiler which builds the kernel decides what the kernel writes.
 *
 * Source of every layout below: LLVM 19,
 * compiler-rt/include/profile/InstrProfData.inc (INSTR_PROF_DATA,
 * INSTR_PROF_RAW_HEADER, INSTR_PROF_VALUE_NODE, VALUE_PROF_KIND,
 * struct ValueProfData, struct ValueProfRecord). LLVM 19 to 22 are alike.
 */
#ifndef _KERNEL_PGO_PROFRAW_H
#define _KERNEL_PGO_PROFRAW_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#if CONFIG_CLANG_VERSION < 190000 || CONFIG_CLANG_VERSION >= 230000
#error "kernel/pgo knows the raw profile of clang 19 to 22 only (raw version 10)"
#endif

struct pgo_sections;

/* "\xfflprofr\x81" on a 64-bit target, in its own byte order */
#define LLVM_PRF_MAGIC		0xff6c70726f667281ULL

/* INSTR_PROF_RAW_VERSION and the VARIANT_MASKs that scripts/Makefile.pgo causes */
#define LLVM_PRF_RAW_VERSION	10
#define LLVM_PRF_VARIANT_IR	BIT_ULL(56)
#define LLVM_PRF_VARIANT_ENTRY	BIT_ULL(58)
#define LLVM_PRF_VERSION	(LLVM_PRF_RAW_VERSION | LLVM_PRF_VARIANT_IR | \
				 LLVM_PRF_VARIANT_ENTRY)

/* Readers of LLVM 18 and later refuse a whole file for a larger counter. */
#define LLVM_PRF_COUNTER_MAX	BIT_ULL(56)

/* The number of values at a site is written as one byte. */
#define LLVM_PRF_SITE_MAX	255

enum llvm_prf_kind {
	LLVM_PRF_KIND_TARGET,		/* function called through a pointer */
	LLVM_PRF_KIND_MEMOP,		/* length of a memory operation */
	LLVM_PRF_KIND_VTABLE,		/* C++ only */
	LLVM_PRF_NR_KINDS
};

/**
 * struct llvm_prf_node - A value seen at a value site, in __llvm_prf_vnds.
 * @value: address of a function, or representative of a range of lengths
 * @count: how often it was seen
 * @next: next node of the same site, or what ends the list
 */
struct llvm_prf_node {
	u64 value;
	u64 count;
	struct llvm_prf_node *next;
};

/* Lists end in NULL or in an odd pointer, see instrument.c. */
static __always_inline bool pgo_is_node(const struct llvm_prf_node *node)
{
	return node && !((unsigned long)node & 1);
}

/**
 * struct llvm_prf_record - One instrumented function, in __llvm_prf_data.
 * @name_ref: low half of the MD5 of its name
 * @func_hash: hash of its control flow graph
 * @counter_ptr: first counter, relative to this very record
 * @bitmap_ptr: MC/DC bitmap, likewise; unused
 * @function_ptr: its address, NULL if it can't be called through a pointer
 * @values: list heads of its value sites, all kinds one after the other
 * @num_counters: its counters
 * @num_value_sites: its value sites of each kind
 * @num_bitmap_bytes: unused
 */
struct llvm_prf_record {
	u64 name_ref;
	u64 func_hash;
	unsigned long counter_ptr;
	unsigned long bitmap_ptr;
	void *function_ptr;
	struct llvm_prf_node **values;
	u32 num_counters;
	u16 num_value_sites[LLVM_PRF_NR_KINDS];
	u32 num_bitmap_bytes;
} __aligned(8);

/*
 * Header of a raw profile. Behind it follow, each padded to 8 bytes: binary
 * ids, records, counters, bitmaps, names, vtables and their names, and one
 * value block for each record that has value sites.
 */
struct llvm_prf_header {
	u64 magic;
	u64 version;
	u64 binary_ids_size;
	u64 num_data;
	u64 padding_before_counters;
	u64 num_counters;
	u64 padding_after_counters;
	u64 num_bitmap_bytes;
	u64 padding_after_bitmap;
	u64 names_size;
	u64 counters_delta;
	u64 bitmap_delta;
	u64 names_delta;
	u64 num_vtables;
	u64 vnames_size;
	u64 value_kind_last;
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

static_assert(sizeof(struct llvm_prf_node) == 24);
static_assert(sizeof(struct llvm_prf_record) == 64);
static_assert(offsetof(struct llvm_prf_record, counter_ptr) == 16);
static_assert(offsetof(struct llvm_prf_record, function_ptr) == 32);
static_assert(offsetof(struct llvm_prf_record, values) == 40);
static_assert(offsetof(struct llvm_prf_record, num_counters) == 48);
static_assert(offsetof(struct llvm_prf_record, num_value_sites) == 52);
static_assert(offsetof(struct llvm_prf_record, num_bitmap_bytes) == 60);
static_assert(sizeof(struct llvm_prf_header) == 128);
static_assert(offsetof(struct llvm_prf_header, names_size) == 72);
static_assert(offsetof(struct llvm_prf_header, value_kind_last) == 120);
static_assert(offsetof(struct llvm_prf_values, counts) == 8);

/*
 * Called by instrumented code. Source: LLVM 19,
 * compiler-rt/lib/profile/InstrProfiling.h
 */
void __llvm_profile_instrument_target(u64 value, void *data, u32 site);
void __llvm_profile_instrument_memop(u64 size, void *data, u32 site);

const char *pgo_profraw_check(const struct pgo_sections *set);
size_t pgo_profraw_size(const struct pgo_sections *set);
void pgo_profraw_write(const struct pgo_sections *set, void *buf);
void pgo_profraw_reset(const struct pgo_sections *set);

#endif /* _KERNEL_PGO_PROFRAW_H */

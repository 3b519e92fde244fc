// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saved section sets: what is left of a module when its memory goes away, and
 * what becomes of the addresses of its functions.
 *
 * Guarantees that the raw profile of a copy is that of the original to the last
 * byte, and that all that was counted can be moved from a module to a copy and
 * back to the module when it is loaded again, whatever its address then.
 *
 * A value node holds an address. When the function goes away, the node gets
 * what core.c has set aside to stand for it, a number that is no kernel address
 * and is not used twice. So no hook finds it again, nobody takes it for what
 * comes to lie at that address, and it can be told whose it was.
 *
 * Takes no lock. The caller sees to it that nothing else uses the sets, except
 * that hooks may run while pgo_saved_move() is at work, and others read, reset or
 * move the same set: they find the one key or the other.
 */

#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/limits.h>
#include <linux/pgo.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "pgo.h"
#include "profraw.h"
#include "values.h"

static size_t pgo_room(const struct pgo_range *range)
{
	return ALIGN(pgo_range_size(range), sizeof(u64));
}

/* Value nodes, but for those of the pool, which go from one set to another */
static struct pgo_range pgo_own_blocks(const struct pgo_sections *set)
{
	return (struct pgo_range) {
		.start = set->vnds.start,
		.stop = pgo_own_block(set, pgo_num_sites(set)),
	};
}

/**
 * pgo_saved_size() - Memory that the copy of a section set takes.
 * @set: section set that passed pgo_profraw_check()
 *
 * Context: Any.
 * Return: Size in bytes.
 */
size_t pgo_saved_size(const struct pgo_sections *set)
{
	struct pgo_range blocks = pgo_own_blocks(set);

	return ALIGN(sizeof(*set), sizeof(u64)) + pgo_room(&set->data) +
	       pgo_room(&set->cnts) + pgo_room(&set->vals) +
	       pgo_room(&blocks) + pgo_room(&set->names);
}

/* Let @range be as large as @like, at @pos. Return what is behind it. */
static void *pgo_place(struct pgo_range *range, const struct pgo_range *like,
		       void *pos)
{
	range->start = pos;
	range->stop = pos + pgo_range_size(like);
	return pos + pgo_room(like);
}

/* A record finds its counters and value sites by where they are. */
static void pgo_copy_records(struct pgo_sections *to,
			     const struct pgo_sections *from)
{
	const struct llvm_prf_record *in = from->data.start;
	struct llvm_prf_record *out = to->data.start;
	size_t i, num = pgo_num_records(from);

	pgo_copy(out, in, pgo_range_size(&from->data));
	for (i = 0; i < num; i++) {
		out[i].counter_ptr = pgo_counter_offset(from, &in[i]) +
				     (unsigned long)to->cnts.start;
		if (LLVM_PRF_RELATIVE)
			out[i].counter_ptr -= (unsigned long)&out[i];
		if (in[i].values)
			out[i].values = to->vals.start +
				((void *)in[i].values - from->vals.start);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

/**
 * pgo_saved_alloc() - Make a copy of a section set without its counts.
 * @set: section set that passed pgo_profraw_check()
 *
 * Context: May sleep. Others may be at work on @set, but do not move it.
 * Return: The copy, for pgo_saved_free(); NULL if there is no memory.
 */
struct pgo_sections *pgo_saved_alloc(const struct pgo_sections *set)
{
	/*
	 * The caller says in one line what it means if there is none. All of
	 * it will be written: zeroed pages would come with preemption off for a
	 * hundred of them.
	 */
	struct pgo_sections *copy = __vmalloc(pgo_saved_size(set),
					      GFP_KERNEL | __GFP_NOWARN);
	void *pos = (void *)copy + ALIGN(sizeof(*copy), sizeof(u64));
	struct pgo_range blocks = pgo_own_blocks(set);

	if (!copy)
		return NULL;
	memset(copy, 0, sizeof(*copy));
	pos = pgo_place(&copy->data, &set->data, pos);
	pos = pgo_place(&copy->cnts, &set->cnts, pos);
	pos = pgo_place(&copy->vals, &set->vals, pos);
	pos = pgo_place(&copy->vnds, &blocks, pos);
	pgo_place(&copy->names, &set->names, pos);

	memcpy(copy->text, set->text, sizeof(copy->text));
	memcpy(copy->build_id, set->build_id, sizeof(copy->build_id));
	copy->build_id_size = set->build_id_size;
	pgo_copy_records(copy, set);
	pgo_copy(copy->names.start, set->names.start,
		 pgo_range_size(&set->names));
	return copy;
}

/**
 * pgo_saved_free() - Be done with a copy.
 * @copy: what pgo_saved_alloc() returned
 *
 * Context: May sleep.
 */
void pgo_saved_free(struct pgo_sections *copy)
{
	vfree(copy);
}

static bool pgo_same_size(const struct pgo_range *a, const struct pgo_range *b)
{
	return pgo_range_size(a) == pgo_range_size(b);
}

/* Where a function is in the text of its image, ULONG_MAX if it is not there. */
static unsigned long pgo_text_offset(const struct pgo_sections *set,
				     const void *function)
{
	unsigned long before = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(set->text); i++) {
		if (pgo_range_has(&set->text[i], function))
			return before + (function - set->text[i].start);
		before += pgo_range_size(&set->text[i]);
	}
	return ULONG_MAX;
}

static bool pgo_same_record(const struct pgo_sections *set_a,
			    const struct llvm_prf_record *a,
			    const struct pgo_sections *set_b,
			    const struct llvm_prf_record *b)
{
	return a->name_ref == b->name_ref && a->func_hash == b->func_hash &&
	       a->num_counters == b->num_counters &&
	       !memcmp(a->num_value_sites, b->num_value_sites,
		       sizeof(a->num_value_sites)) &&
	       pgo_counter_offset(set_a, a) == pgo_counter_offset(set_b, b) &&
	       pgo_text_offset(set_a, a->function_ptr) ==
	       pgo_text_offset(set_b, b->function_ptr);
}

/**
 * pgo_saved_same() - Are two section sets of one build?
 * @a: section set that passed pgo_profraw_check()
 * @b: another
 *
 * If they are, what was counted in one can be moved to the other.
 *
 * Context: May sleep.
 * Return: true if they are.
 */
bool pgo_saved_same(const struct pgo_sections *a, const struct pgo_sections *b)
{
	size_t i, num = pgo_num_records(a);

	if (!pgo_same_size(&a->data, &b->data) ||
	    !pgo_same_size(&a->cnts, &b->cnts) ||
	    !pgo_same_size(&a->names, &b->names) ||
	    !pgo_same_size(&a->vals, &b->vals))
		return false;
	for (i = 0; i < PGO_TEXTS; i++) {
		if (!pgo_same_size(&a->text[i], &b->text[i]))
			return false;
	}
	for (i = 0; i < num; i++) {
		const struct llvm_prf_record *records_a = a->data.start;
		const struct llvm_prf_record *records_b = b->data.start;

		if (!pgo_same_record(a, &records_a[i], b, &records_b[i]))
			return false;
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	return true;
}

/* Move the blocks of site @i, of which that of its own stays where it is. */
static void pgo_take_site(struct pgo_sections *to, struct pgo_sections *from,
			  size_t i)
{
	unsigned long *in = from->vals.start, *out = to->vals.start;
	struct pgo_block *old = pgo_own_block(from, i), *block;
	struct pgo_block *new = pgo_own_block(to, i);

	*new = *old;
	new->set = to;
	new->busy = 0;
	out[i] = in[i] == pgo_head(old) ? pgo_head(new) : in[i];
	for (block = new->next; block; block = block->next) {
		block->set = to;
		if (block->next == old) {
			block->next = new;
			break;
		}
	}
	in[i] = pgo_head(old);
	old->next = NULL;
}

/**
 * pgo_saved_take() - Move what was counted from one section set to another.
 * @to: section set that has counted nothing yet
 * @from: another of the same build, of no use from here on
 *
 * No code of the image runs.
 *
 * Context: May sleep.
 */
void pgo_saved_take(struct pgo_sections *to, struct pgo_sections *from)
{
	size_t i, num = pgo_num_sites(from);

	pgo_copy(to->cnts.start, from->cnts.start, pgo_range_size(&from->cnts));
	for (i = 0; i < num; i++) {
		pgo_take_site(to, from, i);
		if (!(i % PGO_SITES))
			cond_resched();
	}
	atomic_set(&to->nodes_used, atomic_xchg(&from->nodes_used, 0));
	atomic_set(&to->blocks, atomic_xchg(&from->blocks, 0));
	memcpy(to->drops, from->drops, sizeof(to->drops));
}

static void *pgo_moved(void *addr, const struct pgo_range from[PGO_TEXTS],
		       const struct pgo_range to[PGO_TEXTS])
{
	size_t i;

	for (i = 0; i < PGO_TEXTS; i++) {
		if (pgo_range_has(&from[i], addr))
			return to[i].start + (addr - from[i].start);
	}
	return addr;
}

static void pgo_move_block(struct pgo_block *block,
			   const struct pgo_range from[PGO_TEXTS],
			   const struct pgo_range to[PGO_TEXTS])
{
	unsigned int i;

	for (i = 0; i < PGO_BLOCK_NODES; i++) {
		/* Never the length of a memory operation: that is small. */
		unsigned long key = READ_ONCE(block->node[i].key);
		void *moved = pgo_moved((void *)key, from, to);

		/* A hook may just replace it. */
		if (moved != (void *)key)
			cmpxchg(&block->node[i].key, key, (unsigned long)moved);
	}
}

/**
 * pgo_saved_move() - Functions have another address, or what stands for it.
 * @set: section set, be it the one that has the functions or another
 * @from: where they were
 * @to: where they are
 *
 * Context: May sleep. Hooks of the image may run, but none is given an address
 * of @from any more, or one of @to yet.
 */
void pgo_saved_move(struct pgo_sections *set,
		    const struct pgo_range from[PGO_TEXTS],
		    const struct pgo_range to[PGO_TEXTS])
{
	unsigned long *heads = set->vals.start;
	struct pgo_block *block;
	size_t i, num = pgo_num_sites(set);
	unsigned int n;

	for (i = 0; i < num; i++) {
		if (!READ_ONCE(heads[i]))
			continue;
		pgo_for_each_block(block, n, pgo_own_block(set, i))
			pgo_move_block(block, from, to);
		if (!(i % PGO_SITES))
			cond_resched();
	}
}

/**
 * pgo_saved_move_text() - The very image of a section set moves.
 * @set: section set
 * @to: where its text is from now on, or what stands for it
 *
 * Context: May sleep. As for pgo_saved_move().
 */
void pgo_saved_move_text(struct pgo_sections *set,
			 const struct pgo_range to[PGO_TEXTS])
{
	struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);

	pgo_saved_move(set, set->text, to);
	for (i = 0; i < num; i++) {
		record[i].function_ptr = pgo_moved(record[i].function_ptr,
						   set->text, to);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	memcpy(set->text, to, sizeof(set->text));
}

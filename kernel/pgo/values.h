/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Value nodes: what was seen at a value site, and how often.
 *
 * Nobody but the kernel reads them, so that LLVM does not dictate what they look
 * like. It does provide memory: a pointer for each value site (__llvm_prf_vals),
 * and an array (__llvm_prf_vnds) of -vp-counters-per-site nodes of its own for
 * each of them. There every site has a block of nodes that is always its own, at
 * the site's place among those of the image. More blocks come from the pool
 * (pool.c).
 *
 * The blocks of a site form a ring. The pointer leads to the block that has the
 * hottest value. It is relative to a block that has none, so that a walk can
 * begin without a look at it, which is one in five instructions: 0 while the site
 * was not reached, and for good in an image that takes no part.
 *
 * No cache line has parts of two blocks, so that CPUs which count at different
 * sites do not wait for each other.
 *
 * Who changes what is said in instrument.c.
 */
#ifndef _KERNEL_PGO_VALUES_H
#define _KERNEL_PGO_VALUES_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/pgo.h>
#include <linux/types.h>

/* Nodes of a block, and blocks of a site, at most */
#define PGO_BLOCK_NODES	4
#define PGO_SITE_BLOCKS	6
#define PGO_SITE_NODES	(PGO_SITE_BLOCKS * PGO_BLOCK_NODES)

/**
 * struct pgo_node - A value seen at a value site.
 * @key: address of a function, or length + 1 of a memory operation; 0 if free
 * @count: how often it was seen, and what the node had counted before
 * @before: so much of @count is of values that had the node earlier
 */
struct pgo_node {
	unsigned long key;
	u64 count;
	u64 before;
};

/**
 * struct pgo_block - Some nodes of a site.
 * @next: next block of the ring, NULL if there is no other
 * @set: section set of the image; valid once the site's pointer leads here
 * @node: in the order in which they were taken
 * @busy: of a site's own block: somebody changes the site's keys
 * @misses: of a site's own block: values that found no node since one was
 *	    replaced, more or less
 */
struct pgo_block {
	struct pgo_block *next;
	struct pgo_sections *set;
	struct pgo_node node[PGO_BLOCK_NODES];
	unsigned long busy;
	unsigned long misses;
};

/*
 * There is memory for two of them: scripts/Makefile.pgo asks for so many of LLVM's
 * nodes. Where pointers have 8 bytes that is for two sites; LLVM rounds down what an
 * object file gets, but not below 10. Where they have 4 it is for one: those of a
 * function are aligned to 8, so that there is a place for another.
 */
#define PGO_LLVM_NODES	(sizeof(void *) == 8 ? 11 : 10)
static_assert(2 * sizeof(struct pgo_block) <=
	      PGO_LLVM_NODES * (2 * sizeof(u64) + sizeof(void *)));

/* What include/asm-generic/pgo.lds.h aligns them to */
static_assert(sizeof(void *) != 8 || sizeof(struct pgo_block) == 128);

static __always_inline size_t pgo_num_sites(const struct pgo_sections *set)
{
	return pgo_range_size(&set->vals) / sizeof(unsigned long);
}

/* That of site @i alone */
static __always_inline struct pgo_block *
pgo_own_block(const struct pgo_sections *set, size_t i)
{
	return (struct pgo_block *)set->vnds.start + i;
}

/* A function has no more value sites: their number is written as 16 bits. */
#define PGO_MAX_SITES	(LLVM_PRF_NR_KINDS * (U16_MAX + 1))

extern struct pgo_block pgo_no_block;
extern const unsigned long *pgo_no_sites;

/* Where the walk of a site begins, from what its pointer is. */
static __always_inline struct pgo_block *pgo_start_block(unsigned long head)
{
	return (struct pgo_block *)((unsigned long)&pgo_no_block + head);
}

static __always_inline unsigned long pgo_head(const struct pgo_block *block)
{
	return (unsigned long)block - (unsigned long)&pgo_no_block;
}

/* The one behind @block, or NULL where the ring is back at @start */
static __always_inline struct pgo_block *
pgo_next_block(const struct pgo_block *block, const struct pgo_block *start)
{
	struct pgo_block *next = READ_ONCE(block->next);

	return next == start ? NULL : next;
}

static __always_inline unsigned long pgo_dropped(const struct pgo_sections *set)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < PGO_DROPS; i++)
		sum += atomic_long_read(&set->drops[i].num);
	return sum;
}

/* The blocks of a site, for those who have time: whatever the ring looks like. */
#define pgo_for_each_block(block, n, first)				\
	for (n = 0, block = first; block && n < PGO_SITE_BLOCKS;	\
	     block = pgo_next_block(block, first), n++)

/* What is left of @count without @before, which a reset clears last */
static __always_inline u64 pgo_seen(u64 count, u64 before)
{
	return count > before ? count - before : 0;
}

static __always_inline u64 pgo_node_seen(const struct pgo_node *node)
{
	u64 before = READ_ONCE(node->before);

	smp_rmb();	/* pairs with pgo_reset_block() */
	return pgo_seen(READ_ONCE(node->count), before);
}

/*
 * The key of @node, and in @seen what that value was seen: not what one was that
 * took its place meanwhile, which takes a miss, so that it does not go on.
 */
static __always_inline unsigned long pgo_read_node(const struct pgo_node *node,
						   u64 *seen)
{
	unsigned long key;
	u64 before;

	do {
		before = READ_ONCE(node->before);
		/* Pairs with the release in pgo_fill(). */
		key = smp_load_acquire(&node->key);
		*seen = pgo_node_seen(node);
		smp_rmb();	/* pairs with raw_xchg() in pgo_replace() */
	} while (READ_ONCE(node->key) != key ||
		 READ_ONCE(node->before) != before);
	return key;
}

/*
 * So many values of an image are kept: as many as its own blocks have, and more
 * for those sites that need them. The size of a raw profile follows from this.
 */
static __always_inline size_t pgo_max_nodes(const struct pgo_sections *set)
{
	size_t sites = pgo_num_sites(set);

	return min(sites * PGO_SITE_NODES, sites * (PGO_BLOCK_NODES + 1) + 4096);
}

/* Blocks of the pool that an image may have */
static __always_inline size_t pgo_max_blocks(const struct pgo_sections *set)
{
	return pgo_max_nodes(set) / PGO_BLOCK_NODES - pgo_num_sites(set);
}

void pgo_nodes_init(struct pgo_sections *set);
void pgo_nodes_reset(struct pgo_sections *set);
void pgo_nodes_free(struct pgo_sections *set);
bool pgo_pool_give(struct pgo_block *block);
unsigned int pgo_pool_left(void);
void pgo_pool_return(struct pgo_block *block);
void pgo_hooks_off(struct pgo_sections *set);

#endif /* _KERNEL_PGO_VALUES_H */

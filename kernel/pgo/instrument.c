// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks: what instrumented code calls at an indirect call and at a memory
 * operation of variable length.
 *
 * Guarantees that they may run anywhere: in an NMI, before there are per-CPU
 * areas, with interrupts off, inside of lockdep, RCU or a user access. They
 * wait for nothing, allocate nothing, and call nothing that is instrumented or
 * traced: they are noinstr, which objtool can verify (CONFIG_DEBUG_ENTRY).
 *
 * A value that has a node (values.h) is found by a walk over the blocks of the
 * site, of which there are PGO_SITE_BLOCKS at most, and its count is raised.
 * Counts are raised as the counters are: without atomicity, unless
 * CONFIG_PGO_ATOMIC asks for it. Two CPUs may lose an increment then, an
 * interrupt on the same CPU does not where adding to memory is one instruction.
 * If the value is not in the first block and is found to be hotter than what is
 * there, its block becomes the first: a single store. It may be lost or late; any
 * block of the ring does.
 *
 * A new value takes a free node, of a further block if need be, or that of the
 * rarest value. Keys and the ring change only under @busy of the site, which is
 * taken by one exchange or not at all: who comes second, be it another CPU or an
 * interrupt or NMI on this one, does not wait. His value is dropped, and counted
 * as such; it will come again. That makes these changes sequential for each
 * site, so that no value has two nodes and no node two owners. (Only
 * pgo_saved_move() is not kept out: it exchanges a key for another of the same
 * function, that nobody has.) Against those who read meanwhile:
 *
 * - A free node gets its count, then its key, by a release. Who acquires the key
 *   sees no other count.
 * - A new block is filled, then linked by a release. Who walks there has an
 *   address dependency on that.
 * - A node that is replaced keeps its count, which only grows; what the earlier
 *   value had of it is set apart in @before, ahead of the key. So an increment
 *   that comes late, for the earlier value, adds one to the later, and can't
 *   bring back the rest. A reset makes @count 0, then @before; if it comes in
 *   between, the hook finds @count below @before and takes that back. Another
 *   CPU's plain increment that comes later still takes @count back itself; then
 *   the later value is short by what was counted in between.
 * - Who reads takes @key, @before and @count for one value's if @key and @before
 *   are what they were: pgo_read_node().
 *
 * Which value is replaced: the one with the least count, once as many values
 * found no node as it has counts. So a frequent value is not at the mercy of many
 * rare ones, nor is a new frequent one kept out for long, as it is where each new
 * value throws out the last. Who the rarest is, or whether there is a block by
 * now, is looked up at the first few of these misses and then less and less
 * often, see pgo_is_patient(): until then a miss costs a walk and a count. What a
 * site does not show is at most twice as many calls as found no node. Counts are
 * never too high but by what is said above, and each call is either in a count or
 * in set->drops, unless two CPUs lose it. KCSAN sees none of this, since the hooks
 * are noinstr.
 *
 * The site of an image that takes part has its own block from the start
 * (pgo_nodes_init()). That of vmlinux is found when the site is reached, since
 * hooks run before anything could be set up.
 */

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/pgo.h>
#include <linux/sched.h>

#include "pgo.h"
#include "profraw.h"
#include "values.h"

/* A full site is looked at once in so many misses, at least; a power of two */
#define PGO_PATIENCE	1024

/* A value is compared with the first ones once in so many of its calls. */
#define PGO_PREFER	32

/* Blocks for all before there is memory */
#define PGO_EARLY	512

/*
 * Blocks that are ready to be taken. One who is not a hook gives them, and only
 * to a slot that is empty: who was delayed between taking a number and emptying
 * its slot finds there what he was promised.
 */
#define PGO_STOCK	4096	/* a power of two */

/* Free nodes. A key of 0 finds them as it finds those of a site: not for long. */
struct pgo_block pgo_no_block;

/* PGO_MAX_SITES sites that were never reached, see pgo_hooks_off(). */
const unsigned long *pgo_no_sites __ro_after_init;

static struct pgo_block pgo_early[PGO_EARLY] ____cacheline_aligned;
static atomic_t pgo_early_taken;
static struct pgo_block *pgo_stock[PGO_STOCK];
static atomic_t pgo_stock_taken;
static atomic_t pgo_stock_given;

static __always_inline struct pgo_block *pgo_take_early(void)
{
	int i = raw_atomic_read(&pgo_early_taken);

	/* Looked at first, lest it should run over once all are taken. */
	if (i >= PGO_EARLY)
		return NULL;
	i = raw_atomic_fetch_inc_relaxed(&pgo_early_taken);
	return i < PGO_EARLY ? &pgo_early[i] : NULL;
}

/* Who loses the number to another does without. */
static __always_inline struct pgo_block *pgo_take_stock(void)
{
	/*
	 * First, or it may be of after a block that was given later: pairs with
	 * the exchange below.
	 */
	int i = raw_atomic_read_acquire(&pgo_stock_taken);
	struct pgo_block **slot, *block;

	if (i == raw_atomic_read_acquire(&pgo_stock_given) ||
	    !raw_atomic_try_cmpxchg(&pgo_stock_taken, &i, i + 1))
		return NULL;
	slot = &pgo_stock[i & (PGO_STOCK - 1)];
	block = READ_ONCE(*slot);
	WRITE_ONCE(*slot, NULL);
	return block;
}

static __always_inline struct pgo_block *pgo_take_block(struct pgo_sections *set)
{
	struct pgo_block *block;

	/* The CPUs that look at the same time may take one each too many. */
	if (raw_atomic_read(&set->blocks) >= (int)pgo_max_blocks(set))
		return NULL;
	block = pgo_take_early() ?: pgo_take_stock();
	if (block)
		raw_atomic_inc(&set->blocks);
	return block;
}

/**
 * pgo_pool_give() - Put a block where hooks can take it.
 * @block: zeroed
 *
 * Context: Any, one at a time.
 * Return: false if there is no room.
 */
bool pgo_pool_give(struct pgo_block *block)
{
	int i = atomic_read(&pgo_stock_given);
	struct pgo_block **slot = &pgo_stock[i & (PGO_STOCK - 1)];

	if (READ_ONCE(*slot))
		return false;
	WRITE_ONCE(*slot, block);
	atomic_set_release(&pgo_stock_given, i + 1);
	return true;
}

/**
 * pgo_pool_left() - How many blocks are there to be taken?
 *
 * Context: Any.
 * Return: Their number, without those of early boot.
 */
unsigned int pgo_pool_left(void)
{
	return atomic_read(&pgo_stock_given) - atomic_read(&pgo_stock_taken);
}

static __always_inline void pgo_count(struct pgo_node *node)
{
	if (IS_ENABLED(CONFIG_PGO_ATOMIC))
		raw_atomic64_inc((atomic64_t *)&node->count);
	else
		data_race(node->count++);	/* on purpose, see above */
}

/* At the site whose own block is @first */
static __always_inline void pgo_drop(struct pgo_sections *set,
				     const struct pgo_block *first, long num)
{
	u32 site = first - (struct pgo_block *)set->vnds.start;

	/* Wherever they are, two sites hardly ever have one in common. */
	raw_atomic_long_add(num, &set->drops[site * GOLDEN_RATIO_32 >>
					     (32 - ilog2(PGO_DROPS))].num);
}

/* Take a node that is free. */
static __always_inline void pgo_fill(struct pgo_sections *set,
				     struct pgo_node *node, unsigned long key)
{
	WRITE_ONCE(node->count, 1);
	/* Who sees the key sees the count: pairs with pgo_write_node(). */
	smp_store_release(&node->key, key);
	raw_atomic_inc(&set->nodes_used);
}

/* Take a node from the value that has it. */
static __always_inline void pgo_replace(struct pgo_sections *set,
					struct pgo_block *first,
					struct pgo_node *node, unsigned long key)
{
	u64 before = READ_ONCE(node->before), count, now;

	smp_rmb();	/* as pgo_node_seen() */
	count = READ_ONCE(node->count);
	pgo_drop(set, first, pgo_seen(count, before));
	WRITE_ONCE(node->before, count);
	/* Orders @before and @count: pairs with pgo_reset_block(). */
	(void)raw_xchg(&node->key, key);
	now = READ_ONCE(node->count);
	if (now < count)
		WRITE_ONCE(node->before, now);
	/* From here on others count the new value: add to memory, not to @now. */
	barrier();
	pgo_count(node);
}

/* Take a node of a further block, behind @last. */
static __always_inline bool pgo_append(struct pgo_sections *set,
				       struct pgo_block *first,
				       struct pgo_block *last, unsigned long key)
{
	struct pgo_block *block = pgo_take_block(set);

	if (!block)
		return false;
	block->set = set;
	block->next = first;
	pgo_fill(set, &block->node[0], key);
	/* Pairs with the address dependency of who walks there. */
	smp_store_release(&last->next, block);
	return true;
}

/* See to it that @key has a node. The caller made the site busy. */
static __always_inline void pgo_learn(struct pgo_sections *set,
				      struct pgo_block *first, unsigned long key)
{
	struct pgo_block *block, *last = first;
	struct pgo_node *node, *least = first->node;
	unsigned int num = 0;

	for (block = first; block; block = pgo_next_block(block, first)) {
		for (node = block->node; node < block->node + PGO_BLOCK_NODES;
		     node++) {
			if (!READ_ONCE(node->key)) {
				pgo_fill(set, node, key);
				return;
			}
			if (READ_ONCE(node->key) == key) {
				pgo_count(node);
				return;
			}
			if (READ_ONCE(node->count) < READ_ONCE(least->count))
				least = node;
		}
		last = block;
		num++;
	}

	/* One that was not seen since a reset makes room first. */
	if (READ_ONCE(least->count)) {
		if (num < PGO_SITE_BLOCKS && pgo_append(set, first, last, key))
			return;
		if (READ_ONCE(first->misses) < READ_ONCE(least->count)) {
			WRITE_ONCE(first->misses, READ_ONCE(first->misses) + 1);
			pgo_drop(set, first, 1);
			return;
		}
	}
	WRITE_ONCE(first->misses, 0);
	pgo_replace(set, first, least, key);
}

/*
 * Is it too early to look again for a node? Misses are counted where none is
 * free; the next look is due where the low bits of their number are a power of
 * two, or zero, and stays due until it was in vain. If one is lost to another
 * CPU that is a bit later.
 */
static __always_inline bool pgo_is_patient(struct pgo_block *first)
{
	unsigned long misses = READ_ONCE(first->misses);

	if (!(misses & (misses - 1) & (PGO_PATIENCE - 1)))
		return false;
	WRITE_ONCE(first->misses, misses + 1);
	return true;
}

/* The site's own block, NULL in an image that takes no part */
static __always_inline struct pgo_block *
pgo_first_block(const void *record, unsigned long *head)
{
	struct pgo_block *start = pgo_start_block(READ_ONCE(*head));
	struct pgo_sections *set = start->set;

	if (!set) {
		smp_rmb();	/* pairs with pgo_hooks_off() */
		if (pgo_range_has(&pgo_vmlinux.data, record))
			set = &pgo_vmlinux;
	}
	return set ? pgo_own_block(set, head - (unsigned long *)set->vals.start) :
		     NULL;
}

/*
 * @key was not found at a site of @record. A key of 0, which is a call that
 * crashes, is what free nodes have: here it ends.
 */
static noinstr void pgo_miss(unsigned long key, struct llvm_prf_record *record,
			     u32 site)
{
	unsigned long *head = &READ_ONCE(record->values)[site];
	struct pgo_block *first = pgo_first_block(record, head);
	struct pgo_sections *set;

	if (!first || !key)
		return;
	/* If another CPU was faster, its @set is read below. */
	if (!smp_load_acquire(head)) {
		/* All who come here at the same time write the same. */
		WRITE_ONCE(first->set, &pgo_vmlinux);
		/* Pairs with that, and the dependency in pgo_first_block(). */
		smp_store_release(head, pgo_head(first));
	}
	set = first->set;
	if (pgo_is_patient(first) || raw_xchg(&first->busy, 1)) {
		pgo_drop(set, first, 1);
		return;
	}
	pgo_learn(set, first, key);
	/* Pairs with raw_xchg() of the next one. */
	smp_store_release(&first->busy, 0);
}

/*
 * Is it the value of @node? A plain read, which the compiler makes a part of the
 * comparison; a word is read as a whole, and whichever key is seen will do.
 */
static __always_inline bool pgo_has_key(const struct pgo_node *node,
					unsigned long key)
{
	return data_race(node->key == key);	/* on purpose, see above */
}

/*
 * Is @key that of @node? Then its count was raised. The barrier makes the compiler
 * end each way for itself, instead of one that all go to with an address.
 */
static __always_inline bool pgo_hit(struct pgo_node *node, unsigned long key)
{
	if (!pgo_has_key(node, key))
		return false;
	pgo_count(node);
	barrier();
	return true;
}

/* The node of @block that has @key, after its count was raised, or NULL */
static __always_inline struct pgo_node *pgo_find(struct pgo_block *block,
						 unsigned long key)
{
	struct pgo_node *node;

	for (node = block->node; node < block->node + PGO_BLOCK_NODES; node++) {
		if (pgo_hit(node, key))
			return node;
	}
	return NULL;
}

/* The highest count of @block: near enough if a part of it is of earlier values */
static __always_inline u64 pgo_hottest(const struct pgo_block *block)
{
	u64 count = READ_ONCE(block->node[0].count);
	unsigned int i;

	for (i = 1; i < PGO_BLOCK_NODES; i++) {
		if (READ_ONCE(block->node[i].count) > count)
			count = READ_ONCE(block->node[i].count);
	}
	return count;
}

/*
 * @node of @block was hit, and the walk had begun at @start. To see whether it is
 * the hottest would cost more than the walk, were it done each time.
 */
static __always_inline void pgo_prefer(const struct llvm_prf_record *record,
				       u32 site, const struct pgo_block *start,
				       struct pgo_block *block,
				       const struct pgo_node *node)
{
	unsigned long *heads;

	if (READ_ONCE(node->count) % PGO_PREFER ||
	    pgo_hottest(block) <= pgo_hottest(start))
		return;
	/* Those that it has, if it was refused meanwhile, can't be written to. */
	heads = READ_ONCE(record->values);
	if (heads == pgo_no_sites)
		return;
	/* Pairs with the address dependency in pgo_first_block(). */
	smp_store_release(&heads[site], pgo_head(block));
}

static __always_inline void pgo_count_value(unsigned long key,
					    struct llvm_prf_record *record,
					    u32 site)
{
	struct pgo_block *start, *block;
	struct pgo_node *node;
	unsigned long head;

	static_assert(PGO_BLOCK_NODES == 4);	/* the nodes below */

	head = READ_ONCE(record->values[site]);
	if (pgo_hit(&pgo_start_block(head)->node[0], key))
		return;
	/* The first one does without the address in a register. */
	OPTIMIZER_HIDE_VAR(head);
	start = pgo_start_block(head);
	if (pgo_hit(&start->node[1], key) || pgo_hit(&start->node[2], key) ||
	    pgo_hit(&start->node[3], key))
		return;
	for (block = pgo_next_block(start, start); block;
	     block = pgo_next_block(block, start)) {
		node = pgo_find(block, key);
		if (node) {
			pgo_prefer(record, site, start, block, node);
			return;
		}
	}
	pgo_miss(key, record, site);
}

/**
 * __llvm_profile_instrument_target() - A function is called through a pointer.
 * @value: its address
 * @data: record of the caller
 * @site: value site, counted over all kinds of the record
 *
 * Context: Any, including NMI and early boot. Takes no lock.
 */
noinstr void __llvm_profile_instrument_target(u64 value, void *data, u32 site)
{
	pgo_count_value(value, data, site);
}
EXPORT_SYMBOL(__llvm_profile_instrument_target);

/*
 * Lengths are counted in ranges, each under its representative: up to 8 and
 * powers of two up to 512 for themselves, from 513 on together, all others by
 * the first length above the power of two below. Source: LLVM 19,
 * InstrProfData.inc, InstrProfGetRangeRepValue().
 */
static __always_inline unsigned long pgo_memop_range(u64 size)
{
	unsigned long below;

	if (likely(size <= 8))
		return size;
	if (size > 512)
		return 513;
	below = 1UL << __fls(size);
	return size == below ? size : below + 1;
}

/**
 * __llvm_profile_instrument_memop() - A memory operation of variable length.
 * @size: its length in bytes
 * @data: record of the function
 * @site: value site, counted over all kinds of the record
 *
 * Context: Any, including NMI and early boot. Takes no lock.
 */
noinstr void __llvm_profile_instrument_memop(u64 size, void *data, u32 site)
{
	pgo_count_value(pgo_memop_range(size) + 1, data, site);
}
EXPORT_SYMBOL(__llvm_profile_instrument_memop);

/**
 * pgo_nodes_init() - Let the value sites of an image take nodes.
 * @set: its section set
 *
 * vmlinux does not need it, see above.
 *
 * Context: May sleep. No code of the image runs.
 */
void pgo_nodes_init(struct pgo_sections *set)
{
	unsigned long *heads = set->vals.start;
	size_t i, num = set == &pgo_vmlinux ? 0 : pgo_num_sites(set);

	for (i = 0; i < num; i++) {
		heads[i] = pgo_head(pgo_own_block(set, i));
		pgo_own_block(set, i)->set = set;
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

static void pgo_reset_block(struct pgo_block *block)
{
	struct pgo_node *node;

	WRITE_ONCE(block->misses, 0);
	for (node = block->node; node < block->node + PGO_BLOCK_NODES; node++) {
		WRITE_ONCE(node->count, 0);
		smp_mb();	/* see pgo_replace() */
		WRITE_ONCE(node->before, 0);
	}
}

/**
 * pgo_nodes_reset() - Forget what the value sites of an image have seen.
 * @set: its section set
 *
 * Keys stay where they are, since a hook may be looking at them.
 *
 * Context: May sleep. Hooks may run.
 */
void pgo_nodes_reset(struct pgo_sections *set)
{
	unsigned long *heads = set->vals.start;
	struct pgo_block *block;
	size_t i, num = pgo_num_sites(set);
	unsigned int n;

	for (i = 0; i < num; i++) {
		if (!READ_ONCE(heads[i]))
			continue;
		pgo_for_each_block(block, n, pgo_own_block(set, i))
			pgo_reset_block(block);
		if (!(i % PGO_SITES))
			cond_resched();
	}
	/* Last: a node that is replaced meanwhile drops what it had. */
	for (n = 0; n < PGO_DROPS; n++)
		atomic_long_set(&set->drops[n].num, 0);
}

/**
 * pgo_nodes_free() - Return what an image has of the pool.
 * @set: its section set
 *
 * Context: May sleep. Nobody else uses the image.
 */
void pgo_nodes_free(struct pgo_sections *set)
{
	struct pgo_block *first, *block, *next;
	size_t i, num = pgo_num_sites(set);

	for (i = 0; i < num; i++) {
		first = pgo_own_block(set, i);
		for (block = pgo_next_block(first, first); block; block = next) {
			next = pgo_next_block(block, first);
			pgo_pool_return(block);
		}
		first->next = NULL;
		if (!(i % PGO_SITES))
			cond_resched();
	}
}

/**
 * pgo_hooks_off() - Let an image take no part.
 * @set: its section set, of which nothing is taken for granted
 *
 * The records may be of another size than those that this kernel knows, so that
 * wherever a hook looks for value sites, it finds some that were never reached.
 * It need not ask each time whether there are any.
 *
 * Context: Any. Code of the image need not be at rest: a hook that is under
 * way still finds its nodes.
 */
void pgo_hooks_off(struct pgo_sections *set)
{
	unsigned long *word = set->data.start;
	void *stop = set->data.stop;

	/* First, lest a site of vmlinux that was never reached seem to be in it. */
	WRITE_ONCE(set->data.stop, set->data.start);
	smp_wmb();	/* pairs with pgo_first_block() */
	for (; (void *)(word + 1) <= stop; word++)
		WRITE_ONCE(*word, (unsigned long)pgo_no_sites);
}

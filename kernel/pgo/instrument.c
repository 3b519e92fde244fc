// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks: what instrumented code calls at an indirect call and at a memory
 * operation of variable length.
 *
 * Guarantees that they may run anywhere: in an NMI, before there are per-CPU
 * areas, with interrupts off, inside of lockdep, RCU or a user access. They
 * take no lock, allocate nothing, and call nothing that is instrumented or
 * traced: they are noinstr, which objtool can verify (CONFIG_DEBUG_ENTRY).
 *
 * Every value site has a list of value nodes. The compiler provides the heads
 * (__llvm_prf_vals) and, for each image, a number of nodes (__llvm_prf_vnds).
 *
 * - A node is taken by advancing set->nodes_used and then belongs to its taker.
 *   It is filled in before a compare-and-exchange appends it to the list; that
 *   is fully ordered, and readers follow it by an address dependency. It is
 *   never moved or freed. Its value changes only when the function goes away
 *   whose address it is, so that no hook can be looking for it.
 * - Who loses the exchange, be it to another CPU or to an interrupt or NMI on
 *   this one, goes on from what the winner appended. Every such round has made
 *   the list longer, and a list has at most PGO_SITE_NODES nodes: no spinning.
 *   If the winner appended the same value, the loser's node stays unused.
 * - Counts are raised as the counters are: without atomicity, unless
 *   CONFIG_PGO_ATOMIC asks for it. Two CPUs may lose an increment then, an
 *   interrupt on the same CPU does not where adding to memory is one
 *   instruction.
 *
 * A list ends in the address of the section set that it takes nodes from, with
 * bit 0 set. That is how a hook, which is given a record and nothing else,
 * finds the nodes of its image without a search. The heads of vmlinux work
 * before anything could set them: there NULL is the end. Elsewhere NULL means
 * that the image takes no part.
 */

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/pgo.h>

#include "pgo.h"
#include "profraw.h"

/* Longer lists cost more than the rare values at their end are worth. */
#define PGO_SITE_NODES	24

static __always_inline struct pgo_sections *
pgo_set_of(const struct llvm_prf_node *end, const void *record)
{
	if (end)
		return (void *)end - 1;
	return pgo_range_has(&pgo_vmlinux.data, record) ? &pgo_vmlinux : NULL;
}

static __always_inline struct llvm_prf_node *
pgo_take_node(struct pgo_sections *set)
{
	struct llvm_prf_node *nodes = set->vnds.start;
	int num = pgo_range_size(&set->vnds) / sizeof(*nodes);
	int i = raw_atomic_read(&set->nodes_used);

	/* Looked at first, lest it should run over once all are taken. */
	if (i >= num)
		return NULL;
	i = raw_atomic_fetch_inc_relaxed(&set->nodes_used);
	return i < num ? &nodes[i] : NULL;
}

static __always_inline void pgo_count(struct llvm_prf_node *node)
{
	if (IS_ENABLED(CONFIG_PGO_ATOMIC))
		raw_atomic64_inc((atomic64_t *)&node->count);
	else
		data_race(node->count++);	/* on purpose, see above */
}

/*
 * Append @value to a list. @link is where its end @end was seen, behind
 * @length nodes.
 */
static noinstr void pgo_append(u64 value, const void *record,
			       struct llvm_prf_node **link,
			       struct llvm_prf_node *end, unsigned int length)
{
	struct pgo_sections *set = pgo_set_of(end, record);
	struct llvm_prf_node *node, *seen;

	if (!set)
		return;
	node = length < PGO_SITE_NODES ? pgo_take_node(set) : NULL;
	if (!node)
		goto drop;

	node->value = value;
	node->count = 1;

	while (length < PGO_SITE_NODES) {
		node->next = end;
		seen = end;
		if (raw_try_cmpxchg(link, &seen, node))
			return;
		if (!pgo_is_node(seen)) {
			/* pgo_nodes_init() came by, which happens once. */
			end = seen;
			continue;
		}
		if (READ_ONCE(seen->value) == value) {
			pgo_count(seen);
			return;
		}
		link = &seen->next;
		length++;
	}
drop:
	raw_atomic_long_inc(&set->dropped);
}

static __always_inline void pgo_count_value(u64 value,
					    struct llvm_prf_record *record,
					    u32 site)
{
	struct llvm_prf_node **link, *node;
	unsigned int length = 0;

	/* None in an image that was refused */
	if (!record->values)
		return;

	link = &record->values[site];
	while (pgo_is_node(node = READ_ONCE(*link))) {
		if (READ_ONCE(node->value) == value) {
			pgo_count(node);
			return;
		}
		link = &node->next;
		length++;
	}
	pgo_append(value, record, link, node, length);
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
static __always_inline u64 pgo_memop_range(u64 size)
{
	u64 below;

	if (size <= 8)
		return size;
	if (size > 512)
		return 513;
	below = 1ULL << __fls(size);
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
	pgo_count_value(pgo_memop_range(size), data, site);
}
EXPORT_SYMBOL(__llvm_profile_instrument_memop);

/**
 * pgo_nodes_init() - Let the value sites of an image take nodes.
 * @set: its section set
 *
 * Harmless to repeat, and while hooks of the image run: only a site that has
 * no node can have the NULL that is replaced here.
 *
 * Context: May sleep.
 */
void pgo_nodes_init(struct pgo_sections *set)
{
	struct llvm_prf_node **head;

	for (head = set->vals.start; (void *)(head + 1) <= set->vals.stop; head++)
		cmpxchg(head, NULL, pgo_list_end(set));
}

/**
 * pgo_hooks_off() - Let an image take no part.
 * @set: its section set, of which nothing is taken for granted
 *
 * The records may be of another size than those that this kernel knows, so that
 * all of them is zeroed: wherever a hook looks for value sites, it finds none.
 *
 * Context: Any. Code of the image need not be at rest: a hook that is under
 * way still finds its list.
 */
void pgo_hooks_off(struct pgo_sections *set)
{
	unsigned long *word = set->data.start;

	for (; (void *)(word + 1) <= set->data.stop; word++)
		WRITE_ONCE(*word, 0);
	set->data.stop = set->data.start;
}

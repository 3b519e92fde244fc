// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of value nodes: memory for value sites that see more values than
 * their own block has room for.
 *
 * Guarantees that hooks find blocks to take (instrument.c) as long as there is
 * memory and no burst takes all that pgo_nodes= keeps ready within a second, and
 * that what an image returns is used again. It grows, but never shrinks.
 *
 * Hooks can't ask for more: they run where nothing may be queued. So it is
 * looked at once a second.
 *
 * There is no lock. Work does not run twice at a time, and returned blocks are
 * on a list without one.
 */

#define pr_fmt(fmt) "pgo: " fmt

#include <linux/container_of.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/panic.h>
#include <linux/pfn.h>
#include <linux/pgtable.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "pgo.h"
#include "profraw.h"
#include "values.h"

#define PGO_PAGE_BLOCKS	(PAGE_SIZE / sizeof(struct pgo_block))

/* So many nodes shall be ready, the boot parameter pgo_nodes */
static unsigned int pgo_nodes = 4096;

/* A block that is nobody's */
union pgo_spare {
	struct pgo_block block;
	struct llist_node link;
};

static LLIST_HEAD(pgo_spares);

/**
 * pgo_pool_return() - A block is not needed any more.
 * @block: what a hook took from the pool
 *
 * Context: Any. No hook knows of it.
 */
void pgo_pool_return(struct pgo_block *block)
{
	union pgo_spare *spare = container_of(block, union pgo_spare, block);

	llist_add(&spare->link, &pgo_spares);
}

static void pgo_add_page(void)
{
	struct pgo_block *block = (void *)__get_free_page(GFP_KERNEL |
							  __GFP_NOWARN);
	size_t i;

	for (i = 0; block && i < PGO_PAGE_BLOCKS; i++)
		pgo_pool_return(&block[i]);
}

/* Give a spare block to the hooks. Return false if that can't be. */
static bool pgo_give_spare(void)
{
	struct llist_node *link = llist_del_first(&pgo_spares);
	union pgo_spare *spare;

	if (!link)
		return false;
	spare = llist_entry(link, union pgo_spare, link);
	memset(spare, 0, sizeof(*spare));
	if (pgo_pool_give(&spare->block))
		return true;
	pgo_pool_return(&spare->block);
	return false;
}

static void pgo_pool_fill(unsigned int blocks)
{
	while (pgo_pool_left() < blocks) {
		if (llist_empty(&pgo_spares))
			pgo_add_page();
		if (!pgo_give_spare())
			break;
	}
}

/* Where half of them is gone, there is need for more. */
static void pgo_pool_work(struct work_struct *work)
{
	unsigned int blocks = pgo_nodes / PGO_BLOCK_NODES +
			      !!(pgo_nodes % PGO_BLOCK_NODES);

	if (pgo_pool_left() <= blocks / 2)
		pgo_pool_fill(blocks);
	schedule_delayed_work(to_delayed_work(work), HZ);
}

static DECLARE_DELAYED_WORK(pgo_pool, pgo_pool_work);

/* One page of zeroes, over and over */
static void __init pgo_map_no_sites(void)
{
	unsigned int i, num = PFN_UP(PGO_MAX_SITES * sizeof(*pgo_no_sites));
	struct page **pages = kmalloc_array(num, sizeof(*pages), GFP_KERNEL);

	for (i = 0; pages && i < num; i++)
		pages[i] = ZERO_PAGE(0);
	if (pages)
		pgo_no_sites = vmap(pages, num, VM_MAP, PAGE_KERNEL_RO);
	kfree(pages);
	if (!pgo_no_sites)
		panic("pgo: out of memory\n");
}

/**
 * pgo_pool_init() - Fill the pool, and keep it filled.
 *
 * Context: May sleep. Once, before an image can be refused.
 */
void __init pgo_pool_init(void)
{
	pgo_map_no_sites();
	if (pgo_nodes)
		pgo_pool_work(&pgo_pool.work);
}

static int __init pgo_nodes_setup(char *str)
{
	if (kstrtouint(str, 0, &pgo_nodes))
		pr_warn("pgo_nodes=%s is no number, %u is used\n", str,
			pgo_nodes);
	return 1;
}
__setup("pgo_nodes=", pgo_nodes_setup);

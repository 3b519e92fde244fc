// SPDX-License-Identifier: GPL-2.0-only
/*
 * The design of 2021 (kernel/pgo, versions 1 to 9), written anew for comparison:
 * the list of a site is walked without a lock and never changes its order; what
 * is not on it takes one lock for the whole kernel, with interrupts off, and then
 * the next node of a static array.
 *
 * What it is not: interrupts can't be turned off here. Flags are read and written
 * back around the lock, but nothing stands for the cli between, nor for what that
 * costs a guest whose host sees it. The lock is an exchange and not a queue. A
 * site may have 24 values as in the others and not 255, so that locks are compared
 * and not the lengths of lists; when it is full the rarest value gives way as in
 * LLVM's, with the lock held. Written for x86_64.
 *
 * Linked in front of LLVM's runtime, which writes the profile.
 */

#include <linux/types.h>

#include "../../../kernel/pgo/profraw.h"

#define MAX_VALUES	24

struct node {
	u64 value;
	u64 count;
	struct node *next;
};

#define HIDDEN	__attribute__((__visibility__("hidden")))
extern struct node __start___llvm_prf_vnds[] HIDDEN, __stop___llvm_prf_vnds[] HIDDEN;

static struct node *next_node = __start___llvm_prf_vnds;
static char locked;

static unsigned long lock_irqsave(void)
{
	unsigned long flags = __builtin_ia32_readeflags_u64();

	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) {
		while (READ_ONCE(locked))
			__builtin_ia32_pause();
	}
	return flags;
}

static void unlock_irqrestore(unsigned long flags)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
	__builtin_ia32_writeeflags_u64(flags);
}

/* The rarest value loses one, and its place when nothing is left. */
static void replace(struct node *rarest, u64 value)
{
	if (rarest->count > 1) {
		rarest->count--;
		return;
	}
	rarest->value = value;
	rarest->count = 1;
}

static void add_value(struct node **link, u64 value)
{
	struct node *node, *rarest = NULL;
	int length = 0;

	for (; (node = *link); link = &node->next, length++) {
		if (node->value == value) {
			node->count++;
			return;
		}
		if (!rarest || node->count < rarest->count)
			rarest = node;
	}
	if (length == MAX_VALUES) {
		replace(rarest, value);
	} else if (next_node < __stop___llvm_prf_vnds) {
		node = next_node++;
		node->value = value;
		node->count = 1;
		WRITE_ONCE(*link, node);
	}
}

static __attribute__((__noinline__)) void miss(struct node **head, u64 value)
{
	unsigned long flags = lock_irqsave();

	add_value(head, value);
	unlock_irqrestore(flags);
}

void __llvm_profile_instrument_target(u64 value, void *data, u32 site)
{
	struct node **heads = (void *)((struct llvm_prf_record *)data)->values;
	struct node *node;

	if (!heads)
		return;
	for (node = READ_ONCE(heads[site]); node; node = READ_ONCE(node->next)) {
		if (READ_ONCE(node->value) == value) {
			node->count++;
			return;
		}
	}
	miss(&heads[site], value);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks that are interrupted, at each instruction that there is: the processor traps
 * behind each one, and the handler of the signal is the NMI, or what another CPU does
 * meanwhile. x86 only.
 *
 * Guarantees, if it prints nothing, that whatever a hook or a reset was about, another
 * call at the same site was counted or dropped, once, and that no value has two
 * nodes; that a reset has forgotten what was there; that who reads a node takes no
 * count for that of another value; and that nothing is written by way of an image that
 * is being refused.
 */

#define _GNU_SOURCE	/* REG_EFL */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <linux/pgo.h>
#include "pgo.h"
#include "profraw.h"
#include "values.h"

#define TRAP_FLAG	0x100ul	/* of EFLAGS */
#define NR_SITES	3
#define SITE		1	/* the others are not to change */
#define KNOWN		0x1000ul
#define NEW		0xa0000ul
#define OTHER		0xb0000ul
#define OFTEN		1023	/* calls of each known value; with one more some is preferred */

struct pgo_sections pgo_vmlinux;

static struct llvm_prf_record record;
static unsigned long heads[NR_SITES];
static struct pgo_block blocks[NR_SITES];

void pgo_pool_return(struct pgo_block *block)
{
}

/* Clang takes out calls that are like its own. */
static void (*volatile instrument)(u64, void *, u32) = __llvm_profile_instrument_target;

static void hook(unsigned long key)
{
	instrument(key, &record, SITE);
}

static void set_up(unsigned int values)
{
	struct pgo_block *block;
	unsigned int i, n;

	memset(&pgo_vmlinux, 0, sizeof(pgo_vmlinux));
	memset(&record, 0, sizeof(record));
	memset(heads, 0, sizeof(heads));
	memset(blocks, 0, sizeof(blocks));
	record.values = heads;
	pgo_vmlinux.data = (struct pgo_range) { &record, &record + 1 };
	pgo_vmlinux.vals = (struct pgo_range) { heads, heads + NR_SITES };
	pgo_vmlinux.vnds = (struct pgo_range) { blocks, blocks + NR_SITES };
	do
		block = calloc(1, sizeof(*block));
	while (pgo_pool_give(block));
	free(block);
	for (i = 0; i < values; i++) {
		for (n = 0; n < OFTEN; n++)
			hook(KNOWN + 16 * i);
	}
}

static void reset(void) { pgo_nodes_reset(&pgo_vmlinux); }
static void refuse(void) { pgo_hooks_off(&pgo_vmlinux); }
static void call_new(void) { hook(NEW); }
static void call_other(void) { hook(OTHER); }
static void call_known(void) { hook(KNOWN); }
static void call_last(void) { hook(KNOWN + 16 * 23); }

/* What is counted at the site, a great number if a value has two nodes */
static unsigned long counted(void)
{
	unsigned long keys[PGO_SITE_NODES], sum = 0;
	unsigned int n, i, k, num = 0;
	struct pgo_block *block;

	pgo_for_each_block(block, n, &blocks[SITE]) {
		for (i = 0; i < PGO_BLOCK_NODES; i++) {
			if (!block->node[i].key)
				continue;
			for (k = 0; k < num; k++) {
				if (keys[k] == block->node[i].key)
					return ~0u;
			}
			keys[num++] = block->node[i].key;
			sum += pgo_node_seen(&block->node[i]);
		}
	}
	return sum;
}

/* What each node was seen to have */
static struct { unsigned long key; u64 seen; } were[PGO_SITE_NODES];

static void read_all(void)
{
	struct pgo_block *block;
	unsigned int n, i;

	pgo_for_each_block(block, n, &blocks[SITE]) {
		for (i = 0; i < PGO_BLOCK_NODES; i++)
			were[n * PGO_BLOCK_NODES + i].key =
				pgo_read_node(&block->node[i],
					      &were[n * PGO_BLOCK_NODES + i].seen);
	}
}

static void call_new_often(void)
{
	unsigned int n;

	for (n = 0; n < 2 * OFTEN; n++)
		hook(NEW);
}

static int at, steps;
static void (*meanwhile)(void);

static void trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	if (steps++ < at)
		return;
	meanwhile();
	interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* Run @fn, and at instruction @at of it @meanwhile. Was there one? */
static bool interrupted(void (*fn)(void))
{
	steps = 0;
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | TRAP_FLAG);
	fn();
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~TRAP_FLAG);
	return steps > at;
}

/* Is it right, after @calls? */
static bool all_seen(unsigned long calls)
{
	return counted() + pgo_dropped(&pgo_vmlinux) == calls;
}

/* But for what was about to be dropped when it was reset. And it counts again. */
static bool counts_anew(unsigned long calls)
{
	unsigned long sum = counted(), i;

	for (i = 0; sum <= 1 && i < 10; i++)
		call_new();
	return counted() == sum + 10;
}

static bool forgotten(unsigned long calls)
{
	return pgo_dropped(&pgo_vmlinux) <= 1 && counts_anew(calls);
}

/* No value was called more often than that. */
static bool none_too_high(unsigned long calls)
{
	unsigned int i;

	for (i = 0; i < PGO_SITE_NODES; i++) {
		if (were[i].seen > (were[i].key == NEW ? 2 * OFTEN : OFTEN))
			return false;
	}
	return all_seen(calls);
}

static bool untouched(unsigned long calls)
{
	return !heads[0] && !heads[2] && !blocks[0].set && !blocks[2].set &&
	       counted() + pgo_dropped(&pgo_vmlinux) <= calls;
}

static const struct {
	const char *what;
	unsigned int known;
	u32 misses;
	void (*fn)(void), (*meanwhile)(void);
	unsigned int calls;
	bool (*is_right)(unsigned long calls);
} cases[] = {
	{ "site not reached, same value", 0, 0, call_new, call_new, 2, all_seen },
	{ "site not reached, another value", 0, 0, call_new, call_other, 2, all_seen },
	{ "free node, same value", 2, 0, call_new, call_new, 2, all_seen },
	{ "free node, another value", 2, 0, call_new, call_other, 2, all_seen },
	{ "free node, known value", 2, 0, call_new, call_known, 2, all_seen },
	{ "new block, same value", 6, 0, call_new, call_new, 2, all_seen },
	{ "new block, another value", 6, 0, call_new, call_other, 2, all_seen },
	{ "node of another, same value", 24, 1024, call_new, call_new, 2, all_seen },
	{ "node of another, another value", 24, 1024, call_new, call_other, 2, all_seen },
	{ "node of another, which is called", 24, 1024, call_new, call_known, 2, all_seen },
	{ "known value, another", 24, 0, call_known, call_new, 2, all_seen },
	{ "reset in a free node", 2, 0, call_new, reset, 1, forgotten },
	{ "reset in a node of another", 24, 1024, call_new, reset, 1, counts_anew },
	{ "reset, new value", 24, 1024, reset, call_new, 1, forgotten },
	{ "reset, known value", 24, 1024, reset, call_known, 1, forgotten },
	{ "node that is replaced when it is read", 24, 1024, read_all, call_new_often,
	  2 * OFTEN, none_too_high },
	{ "refused in a hook", 0, 0, call_new, refuse, 1, untouched },
	{ "refused in a hook that replaces", 24, 1024, call_new, refuse, 1, untouched },
	{ "refused in a hook of a known value", 24, 0, call_known, refuse, 1, untouched },
	{ "refused in a hook that prefers", 24, 0, call_last, refuse, 1, untouched },
	{ "hook in a refusal", 0, 0, refuse, call_new, 1, untouched },
	{ "hook of a known value in a refusal", 24, 0, refuse, call_known, 1, untouched },
};

int main(void)
{
	struct sigaction action = { .sa_sigaction = trap, .sa_flags = SA_SIGINFO };
	unsigned int i, bad, all = 0;
	bool more;

	pgo_no_sites = mmap(NULL, PGO_MAX_SITES * sizeof(*pgo_no_sites), PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pgo_no_sites == MAP_FAILED)
		return 1;
	setlinebuf(stdout);
	sigaction(SIGTRAP, &action, NULL);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		meanwhile = cases[i].meanwhile;
		for (bad = 0, at = 0, more = true; more; at++) {
			set_up(cases[i].known);
			blocks[SITE].misses = cases[i].misses;
			more = interrupted(cases[i].fn);
			bad += more && !cases[i].is_right(cases[i].known * OFTEN +
							  cases[i].calls);
		}
		if (bad)
			printf("%s: wrong at %u of %u instructions\n", cases[i].what, bad,
			       at - 1);
		all += bad;
	}
	return all > 0;
}

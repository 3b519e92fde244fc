/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clang profile-guided optimisation: what the module loader needs to know.
 *
 * See kernel/pgo/pgo.h for the locks and kernel/pgo/profraw.h for what lies in
 * the sections.
 */
#ifndef _LINUX_PGO_H
#define _LINUX_PGO_H

#ifdef CONFIG_PGO_CLANG

#include <linux/atomic.h>
#include <linux/buildid.h>
#include <linux/compiler.h>
#include <linux/types.h>

struct module;

/**
 * struct pgo_range - Memory from @start up to but not including @stop.
 * @start: first byte
 * @stop: first byte behind it; equals @start when there is nothing
 */
struct pgo_range {
	void *start;
	void *stop;
};

/* Also used where nothing may be called out of line: the hooks are noinstr. */
static __always_inline size_t pgo_range_size(const struct pgo_range *range)
{
	return range->stop - range->start;
}

static __always_inline bool pgo_range_has(const struct pgo_range *range,
					  const void *addr)
{
	return addr >= range->start && addr < range->stop;
}

/* Of a module: text that stays, and that of its init function. */
#define PGO_TEXTS	2

#define PGO_DROPS	8

/**
 * struct pgo_drops - Values that were dropped at some of the value sites.
 * @num: how many
 * @pad: so that CPUs that drop values at different sites don't share a line
 */
struct pgo_drops {
	atomic_long_t num;
	char pad[64 - sizeof(atomic_long_t)];
};

/**
 * struct pgo_sections - The section set of one image.
 * @data: one record per instrumented function
 * @cnts: the counters
 * @names: names of the functions, as the compiler packed them
 * @vals: a pointer to value nodes for each value site
 * @vnds: memory for value nodes
 * @version: the raw version and variant bits that the compiler announced
 * @notes: ELF notes, one of which may be the build id
 * @text: where functions of the image lie: [0] while it lives, [1] during init;
 *	  once that memory is freed, what stands for it in value nodes
 * @build_id: the build id
 * @build_id_size: its bytes, 0 if there is none
 * @nodes_used: value nodes that are taken; only the hooks raise it
 * @blocks: what it has taken from the pool of value nodes
 * @drops: how often a value found no node, or has lost it since
 *
 * All ranges are written before any instrumented code of the image runs, and
 * read without a lock. Later only @text changes, when nobody reads the profile.
 * An image that takes no part has an empty @data. The build id is found when
 * the image is registered.
 */
struct pgo_sections {
	struct pgo_range data;
	struct pgo_range cnts;
	struct pgo_range names;
	struct pgo_range vals;
	struct pgo_range vnds;
	struct pgo_range version;
	struct pgo_range notes;
	struct pgo_range text[PGO_TEXTS];
	u8 build_id[BUILD_ID_SIZE_MAX];
	u8 build_id_size;
	atomic_t nodes_used;
	atomic_t blocks;
	struct pgo_drops drops[PGO_DROPS];
};

void pgo_module_coming(struct module *mod);
void pgo_module_init_done(struct module *mod);
void pgo_module_gone(struct module *mod);

#else /* !CONFIG_PGO_CLANG */

struct module;

static inline void pgo_module_coming(struct module *mod) { }
static inline void pgo_module_init_done(struct module *mod) { }
static inline void pgo_module_gone(struct module *mod) { }

#endif /* CONFIG_PGO_CLANG */

#endif /* _LINUX_PGO_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clang profile-guided optimisation: what the files of kernel/pgo/ share.
 *
 * core.c	 registry of images; the only owner of a lock
 * saved.c	 what is left of a module: copies of section sets
 * profraw.c	 serializer: section sets in, a raw profile out
 * instrument.c	 the hooks that the compiler calls
 * pool.c	 memory for value nodes
 * fs.c		 debugfs
 *
 * Locks
 *
 *   pgo_lock (core.c, spinlock) protects the list of images and @users, @busy,
 *   @state, @set and @kept of each. It is held for a few instructions, never
 *   around an allocation, a copy or a call of another subsystem, and nests in
 *   nothing.
 *
 *   The memory of an image belongs to its @users, who read it, reset it or
 *   replace values, or to the one who made it @busy, who moves it. Each waits
 *   for the other for no more than such a piece of work. lockdep knows both as
 *   a lock, pgo_image_map (core.c). Order:
 *
 *     that of debugfs for an open file
 *       users of an image, then of one behind it on the list
 *         pgo_lock
 *     that of the inode of all.profraw, while its size is written
 *       pgo_lock
 *
 *   Who is busy with an image does not become user of another, nor calls
 *   debugfs. A file is removed when the image is dead and nobody's any more.
 *
 *   The hooks take no lock at all: they run in any context, see instrument.c.
 *
 * Invariants
 *
 *   - The memory of a module is freed only after its image has another set, or
 *     is dead.
 *   - A value node holds no address where no code is any more, see saved.c.
 *   - The value nodes of a site only become more. They are never freed or moved
 *     before code of the image has ceased to run.
 *   - The size of a raw profile follows from the section sets alone.
 */
#ifndef _KERNEL_PGO_PGO_H
#define _KERNEL_PGO_PGO_H

#include <linux/list.h>
#include <linux/module.h>
#include <linux/pgo.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct dentry;

extern spinlock_t pgo_lock;

enum pgo_state {
	PGO_LIVE,		/* its code may run */
	PGO_GOING,		/* busy, on the way to one of the others */
	PGO_SAVED,		/* a module that was unloaded */
	PGO_DEAD,		/* busy for good: nobody gets at it any more */
};

/* With a build id behind it where the name of a module does not suffice */
#define PGO_STEM_LEN	(MODULE_NAME_LEN + 2 * BUILD_ID_SIZE_MAX + 1)

/**
 * struct pgo_image - vmlinux, or a build of a module, loaded or not.
 * @list: on the list of all images, which is in the order of @id
 * @users: who is at work on it at the moment
 * @busy: it takes no more users, who have to wait
 * @state: what has become of it
 * @kept: bytes of memory of the copy, 0 if there is none
 * @id: from 1 on, unique; immutable
 * @set: its section set: of the module, or a copy if it was unloaded. Users
 *	 read it without a lock.
 * @gone: what stands for the text of a module that is not there; immutable
 * @size: bytes of its raw profile; immutable
 * @file: its file in debugfs; owned by fs.c
 * @name: "vmlinux" or the name of the module; immutable
 * @stem: name of its file without the end; immutable
 */
struct pgo_image {
	struct list_head list __guarded_by(&pgo_lock);
	unsigned int users __guarded_by(&pgo_lock);
	bool busy __guarded_by(&pgo_lock);
	enum pgo_state state __guarded_by(&pgo_lock);
	size_t kept __guarded_by(&pgo_lock);
	u64 id;
	struct pgo_sections *set;
	struct pgo_range gone[PGO_TEXTS];
	size_t size;
	struct dentry *file;
	char name[MODULE_NAME_LEN];
	char stem[PGO_STEM_LEN];
};

/**
 * struct pgo_stats - What there is to say about an image.
 * @id: of the image
 * @stem: name of its file without the end
 * @state: what has become of it
 * @records: instrumented functions
 * @counters: counters
 * @sites: value sites
 * @nodes: value nodes
 * @used: value nodes that are taken
 * @dropped: how often a value found no node, or has lost it since
 * @size: bytes of its raw profile
 * @kept: bytes of memory of the copy
 * @build_id: its build id
 * @build_id_size: bytes of it
 */
struct pgo_stats {
	u64 id;
	char stem[PGO_STEM_LEN];
	enum pgo_state state;
	size_t records;
	size_t counters;
	size_t sites;
	size_t nodes;
	size_t used;
	unsigned long dropped;
	size_t size;
	size_t kept;
	u8 build_id[BUILD_ID_SIZE_MAX];
	u8 build_id_size;
};

/* Bounds that include/asm-generic/pgo.lds.h sets */
extern char __start___llvm_prf_data[], __stop___llvm_prf_data[];
extern char __start___llvm_prf_cnts[], __stop___llvm_prf_cnts[];
extern char __start___llvm_prf_names[], __stop___llvm_prf_names[];
extern char __start___llvm_prf_vals[], __stop___llvm_prf_vals[];
extern char __start___llvm_prf_vnds[], __stop___llvm_prf_vnds[];

/* Bounds of the ELF notes, that include/asm-generic/vmlinux.lds.h sets */
extern const void __start_notes, __stop_notes;

/* The compiler's own. Absent if no object of vmlinux is instrumented. */
extern u64 __llvm_profile_raw_version __weak;

extern struct pgo_sections pgo_vmlinux;

/* At most so many bytes of memory are for profiles of unloaded modules. */
extern unsigned long pgo_keep;

void pgo_forget_text(const struct pgo_range text[PGO_TEXTS]);
int pgo_image_add(const char *name, struct pgo_sections *set);
void pgo_image_init_done(struct pgo_sections *set);
void pgo_image_remove(struct pgo_sections *set);
struct pgo_image *pgo_image_next(struct pgo_image *prev);
void pgo_image_put(struct pgo_image *image);
void *pgo_snapshot(struct pgo_image *image);
size_t pgo_all_size(void);
void *pgo_snapshot_all(size_t *size);
bool pgo_next_stats(u64 id, struct pgo_stats *stats);
int pgo_reset(const char *name);

size_t pgo_saved_size(const struct pgo_sections *set);
struct pgo_sections *pgo_saved_alloc(const struct pgo_sections *set);
void pgo_saved_free(struct pgo_sections *copy);
bool pgo_saved_same(const struct pgo_sections *a, const struct pgo_sections *b);
void pgo_saved_take(struct pgo_sections *to, struct pgo_sections *from);
void pgo_saved_move(struct pgo_sections *set,
		    const struct pgo_range from[PGO_TEXTS],
		    const struct pgo_range to[PGO_TEXTS]);
void pgo_saved_move_text(struct pgo_sections *set,
			 const struct pgo_range to[PGO_TEXTS]);

void pgo_pool_init(void);

void pgo_fs_init(void);
void pgo_fs_add(struct pgo_image *image);
void pgo_fs_remove(struct pgo_image *image);
void pgo_fs_changed(void);

#endif /* _KERNEL_PGO_PGO_H */

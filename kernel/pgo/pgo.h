/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clang profile-guided optimisation: what the files of kernel/pgo/ share.
 *
 * core.c	 registry of images; the only owner of a lock
 * profraw.c	 serializer: a section set in, a raw profile out
 * instrument.c	 the hooks that the compiler calls
 * fs.c		 debugfs
 *
 * Locks
 *
 *   pgo_lock (core.c, spinlock) protects the list of images and @users and
 *   @going of each. It is held for a few instructions, never around an
 *   allocation, a copy or a call of another subsystem, and nests in nothing.
 *
 *   The hooks take no lock at all: they run in any context, see instrument.c.
 *
 * Invariants
 *
 *   - Who reads or resets the memory of an image counts among its @users.
 *     The memory goes away only after @going is set and @users is 0.
 *   - A list of value nodes only grows. Its nodes are never freed or moved
 *     before the memory of the image goes away.
 *   - The size of a raw profile follows from the section set alone.
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

/**
 * struct pgo_image - vmlinux or a loaded module.
 * @list: on the list of all images
 * @users: who is reading or resetting it at the moment
 * @going: it takes no more users
 * @set: its section set; immutable
 * @size: bytes of its raw profile; immutable
 * @file: its file in debugfs; owned by fs.c
 * @name: "vmlinux" or the name of the module; immutable
 */
struct pgo_image {
	struct list_head list __guarded_by(&pgo_lock);
	unsigned int users __guarded_by(&pgo_lock);
	bool going __guarded_by(&pgo_lock);
	struct pgo_sections *set;
	size_t size;
	struct dentry *file;
	char name[MODULE_NAME_LEN];
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

int pgo_image_add(const char *name, struct pgo_sections *set);
void pgo_image_remove(const struct pgo_sections *set);
struct pgo_image *pgo_image_next(struct pgo_image *prev);
void pgo_image_put(struct pgo_image *image);
void *pgo_snapshot(struct pgo_image *image);
int pgo_reset(const char *name);

void pgo_nodes_init(struct pgo_sections *set);
void pgo_hooks_off(struct pgo_sections *set);

void pgo_fs_init(void);
void pgo_fs_add(struct pgo_image *image);
void pgo_fs_remove(struct pgo_image *image);

#endif /* _KERNEL_PGO_PGO_H */

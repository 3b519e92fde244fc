// SPDX-License-Identifier: GPL-2.0-only
/*
 * The section set of one image of a test program, over our hooks: linked into
 * the program itself, which is what vmlinux is in the kernel, and into each of
 * its shared objects, which are what modules are.
 *
 * Guarantees that the set is that of this image alone.
 */

#include <elf.h>
#include <link.h>
#include <linux/pgo.h>
#include <linux/string.h>

/* Those of the image itself; what it has none of is at NULL. */
#define OF_THIS_IMAGE	__weak __attribute__((__visibility__("hidden")))
#define SECTION(name)							\
	extern char __start_##name[] OF_THIS_IMAGE;			\
	extern char __stop_##name[] OF_THIS_IMAGE
#define RANGE(name)	{ __start_##name, __stop_##name }
SECTION(__llvm_prf_data);
SECTION(__llvm_prf_cnts);
SECTION(__llvm_prf_names);
SECTION(__llvm_prf_vals);
SECTION(__llvm_prf_vnds);
/* Empty, it aligns the section as the kernel's linker scripts do. */
static char vnds[0] __attribute__((section("__llvm_prf_vnds"), aligned(128), used));
extern u64 __llvm_profile_raw_version OF_THIS_IMAGE;
extern const ElfW(Ehdr) __ehdr_start OF_THIS_IMAGE;
extern char etext[] OF_THIS_IMAGE;

#include "../../kernel/pgo/pgo.h"
#include "../../kernel/pgo/profraw.h"
#include "kernel.h"

#ifdef MAIN_IMAGE
#define set pgo_vmlinux		/* hooks run before any constructor does */
#else
static
#endif
struct pgo_sections set = {
	.data	 = RANGE(__llvm_prf_data),
	.cnts	 = RANGE(__llvm_prf_cnts),
	.names	 = RANGE(__llvm_prf_names),
	.vals	 = RANGE(__llvm_prf_vals),
	.vnds	 = RANGE(__llvm_prf_vnds),
	.version = { &__llvm_profile_raw_version,
		     &__llvm_profile_raw_version + 1 },
	.text	 = { { (void *)&__ehdr_start, etext } },
};

/* The build id among the ELF notes from @pos to @end */
static void find_build_id(const void *pos, const void *end)
{
	const ElfW(Nhdr) *note;
	const void *id;

	for (; pos + sizeof(*note) < end; pos = id + ((note->n_descsz + 3) & -4)) {
		note = pos;
		id = pos + sizeof(*note) + ((note->n_namesz + 3) & -4);
		if (note->n_type != NT_GNU_BUILD_ID ||
		    note->n_descsz > sizeof(set.build_id))
			continue;
		memcpy(set.build_id, id, note->n_descsz);
		set.build_id_size = note->n_descsz;
	}
}

__attribute__((constructor)) static void add(void)
{
	const void *base = &__ehdr_start;
	const ElfW(Phdr) *phdr = base + __ehdr_start.e_phoff;
	int i;

	/* Notes are in the first pages, which are mapped as the file is. */
	for (i = 0; i < __ehdr_start.e_phnum; i++) {
		const void *notes = base + phdr[i].p_offset;

		if (phdr[i].p_type == PT_NOTE)
			find_build_id(notes, notes + phdr[i].p_filesz);
	}
	host_image_add(IMAGE, &set);
}

__attribute__((__visibility__("hidden"))) void profile_reset(void)
{
	pgo_profraw_reset(&set);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module support for Clang profile-guided optimisation.
 *
 * Guarantees that mod->pgo holds the bounds of the module's profile sections
 * before any code of the module runs, or is empty. What to do with them is
 * decided in kernel/pgo/.
 */

#define pr_fmt(fmt) "pgo: " fmt

#include <linux/elf.h>
#include <linux/module.h>
#include <linux/pgo.h>
#include <linux/string.h>
#include "internal.h"

static struct pgo_range *pgo_range_of(struct pgo_sections *set,
				      const char *section)
{
	if (!strcmp(section, "__llvm_prf_data"))
		return &set->data;
	if (!strcmp(section, "__llvm_prf_cnts"))
		return &set->cnts;
	if (!strcmp(section, "__llvm_prf_names"))
		return &set->names;
	if (!strcmp(section, "__llvm_prf_vals"))
		return &set->vals;
	if (!strcmp(section, "__llvm_prf_vnds"))
		return &set->vnds;
	if (!strcmp(section, ".rodata.__llvm_profile_raw_version"))
		return &set->version;
	if (!strcmp(section, ".note.gnu.build-id"))
		return &set->notes;
	return NULL;
}

static void pgo_add_text(struct pgo_range *text,
			 const struct module_memory *mem)
{
	text->start = mem->base;
	text->stop = mem->base + mem->size;
}

/**
 * pgo_find_sections() - Record where the profile sections of a module lie.
 * @mod: module that is being loaded, its memory laid out and filled
 * @info: its ELF file, sh_addr being the final address of each section
 *
 * A module that was linked without scripts/module.lds has one section per
 * function; taking the first of them would lose all the others, so that it is
 * left out as a whole.
 *
 * Context: May sleep. Called before relocation, takes no lock.
 */
void pgo_find_sections(struct module *mod, const struct load_info *info)
{
	struct pgo_sections *set = &mod->pgo;
	unsigned int i;

	memset(set, 0, sizeof(*set));
	pgo_add_text(&set->text[0], &mod->mem[MOD_TEXT]);
	pgo_add_text(&set->text[1], &mod->mem[MOD_INIT_TEXT]);

	for (i = 1; i < info->hdr->e_shnum; i++) {
		const Elf_Shdr *shdr = &info->sechdrs[i];
		const char *name = info->secstrings + shdr->sh_name;
		struct pgo_range *range = pgo_range_of(set, name);

		if (!range || !(shdr->sh_flags & SHF_ALLOC))
			continue;
		if (range->start) {
			pr_warn("%s: not profiled: more than one section %s, link it with scripts/module.lds\n",
				mod->name, name);
			set->data = (struct pgo_range) { };
			return;
		}
		range->start = (void *)shdr->sh_addr;
		range->stop = range->start + shdr->sh_size;
	}
}

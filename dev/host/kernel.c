// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands for core.c, fs.c and pool.c in a test program: images come, and when
 * the program ends NAME.profraw is written for each, and all.profraw for all.
 *
 * Guarantees that an image goes through the very calls that the kernel makes,
 * in the same order, and that nothing is written for one that was refused.
 */

#include <stdio.h>
#include <stdlib.h>
#include <linux/pgo.h>

#include "../../kernel/pgo/pgo.h"
#include "../../kernel/pgo/profraw.h"
#include "../../kernel/pgo/values.h"
#include "kernel.h"

#define MAX_IMAGES	8

static struct {
	const char *name;
	struct pgo_sections *set;
} images[MAX_IMAGES];
static unsigned int num_images;

static const char *check(const struct pgo_sections *set)
{
	const char *fault = pgo_profraw_check(set);

	if (!fault && *(u64 *)set->version.start != LLVM_PRF_VERSION)
		fault = "built for another raw version";
	return fault;
}

/* An image without records is none, as in the kernel. */
void host_image_add(const char *name, struct pgo_sections *set)
{
	const char *fault;

	if (!pgo_range_size(&set->data))
		return;
	fault = check(set);
	if (fault || num_images == MAX_IMAGES) {
		fprintf(stderr, "%s: not profiled: %s\n", name,
			fault ? fault : "too many images");
		if (!pgo_no_sites)
			pgo_no_sites = calloc(PGO_MAX_SITES, sizeof(*pgo_no_sites));
		pgo_hooks_off(set);
		return;
	}
	pgo_nodes_init(set);
	images[num_images].name = name;
	images[num_images++].set = set;
}

static void write_file(const char *name, const void *buf, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s.profraw", name);
	file = fopen(path, "w");
	if (!file || fwrite(buf, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

/* Write the raw profile of the images from @first on. */
static void write_images(const char *name, unsigned int first, unsigned int num)
{
	const struct pgo_sections *sets[MAX_IMAGES];
	struct pgo_text texts[MAX_IMAGES * PGO_TEXTS];
	struct pgo_group group = {
		.sets = sets,
		.num_sets = num,
		.texts = texts,
	};
	size_t size = sizeof(struct llvm_prf_header);
	unsigned int i;
	void *buf;

	for (i = 0; i < num; i++) {
		sets[i] = images[first + i].set;
		size += pgo_profraw_size(sets[i]) - sizeof(struct llvm_prf_header);
	}
	buf = malloc(size);
	if (!buf)
		exit(1);
	pgo_profraw_write(&group, buf);
	write_file(name, buf, size);
	free(buf);
}

/* As much as the stock of the hooks can hold */
__attribute__((constructor(101))) static void fill_pool(void)
{
	struct pgo_block *block;

	do
		block = calloc(1, sizeof(*block));
	while (block && pgo_pool_give(block));
	free(block);
}

void pgo_pool_return(struct pgo_block *block)
{
}

__attribute__((destructor)) static void write_all(void)
{
	unsigned int i;

	for (i = 0; i < num_images; i++)
		write_images(images[i].name, i, 1);
	if (num_images > 1)
		write_images("all", 0, num_images);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands for core.c and fs.c in a test program: images come, and when the
 * program ends NAME.profraw is written for each.
 *
 * Guarantees that an image goes through the very calls that the kernel makes,
 * in the same order, and that nothing is written for one that was refused.
 */

#include <stdio.h>
#include <stdlib.h>
#include <linux/pgo.h>

#include "../../kernel/pgo/pgo.h"
#include "../../kernel/pgo/profraw.h"
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
		pgo_hooks_off(set);
		return;
	}
	pgo_nodes_init(set);
	images[num_images].name = name;
	images[num_images++].set = set;
}

static void write_image(const char *name, const struct pgo_sections *set)
{
	size_t size = pgo_profraw_size(set);
	void *buf = malloc(size);
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s.profraw", name);
	file = fopen(path, "w");
	if (!buf || !file) {
		perror(path);
		exit(1);
	}
	pgo_profraw_write(set, buf);
	if (fwrite(buf, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
	free(buf);
}

__attribute__((destructor)) static void write_images(void)
{
	unsigned int i;

	for (i = 0; i < num_images; i++)
		write_image(images[i].name, images[i].set);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pgo_addresses FILE START END...: does a file hold an address from START up to
 * but not including END, where there may be one? Prints the first ones, and fails then. END
 * may be + and a number of bytes.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start, end;
};

static unsigned int num_ranges;
static struct range ranges[1024];

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	size_t room = 1 << 20;
	char *data = NULL;

	*size = 0;
	while (file) {
		data = realloc(data, *size + room);
		if (!data)
			err(1, "%s", path);
		room = fread(data + *size, 1, room, file);
		if (!room)
			break;
		*size += room;
		room = 1 << 20;
	}
	if (!file || ferror(file))
		err(1, "%s", path);
	fclose(file);
	return data;
}

static const struct range *range_of(uint64_t addr)
{
	for (unsigned int i = 0; i < num_ranges; i++) {
		if (addr >= ranges[i].start && addr < ranges[i].end)
			return &ranges[i];
	}
	return NULL;
}

static unsigned int search(const char *path)
{
	unsigned int found = 0;
	uint64_t addr;
	size_t size;
	char *data = read_file(path, &size);

	for (size_t i = 0; i + sizeof(addr) <= size; i += 4) {
		memcpy(&addr, data + i, sizeof(addr));
		if (range_of(addr) && found++ < 5)
			printf("# %s: %#llx at byte %zu\n", path,
			       (unsigned long long)addr, i);
	}
	free(data);
	return found;
}

static uint64_t end_of(const char *start, const char *end)
{
	if (*end == '+')
		return strtoull(start, NULL, 16) + strtoull(end + 1, NULL, 10);
	return strtoull(end, NULL, 16);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		errx(2, "usage: %s FILE START END...", argv[0]);
	for (int i = 2; i + 1 < argc && num_ranges < 1024; i += 2) {
		ranges[num_ranges].start = strtoull(argv[i], NULL, 16);
		ranges[num_ranges++].end = end_of(argv[i], argv[i + 1]);
	}
	return search(argv[1]) ? 1 : 0;
}

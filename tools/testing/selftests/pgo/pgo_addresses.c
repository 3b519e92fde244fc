// SPDX-License-Identifier: GPL-2.0-only
/*
 * pgo_addresses FILE START END...: does a file hold an address from START up to
 * but not including END, at any byte? Prints the first ones, and fails then. END
 * may be + and a number of bytes.
 *
 * The first two fields of a record are hashes, which may look like anything: of
 * those of one kernel, 27 were three or four bytes of ones where they met. What
 * has a byte of them is no address.
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

/*
 * Size of the header and of a record of each raw version, for 64 bits. Source:
 * InstrProfData.inc of LLVM 13, 14, 18, 19 and 23
 */
static const struct layout {
	uint64_t version, header, record;
} layouts[] = {
	{ 7, 88, 48 }, { 8, 88, 48 }, { 9, 112, 64 }, { 10, 128, 64 }, { 11, 152, 72 },
};

#define HASHES	16

static uint64_t field(const char *data, size_t at)
{
	uint64_t value;

	memcpy(&value, data + at, sizeof(value));
	return value;
}

/* Where the records are, if it is a raw profile */
static struct range records_of(const char *data, size_t size, uint64_t *record)
{
	struct range records = { 0, 0 };

	if (size < 88 || field(data, 0) != 0xff6c70726f667281ULL)
		return records;
	for (unsigned int i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		if ((field(data, 8) & 0xffff) != layouts[i].version)
			continue;
		*record = layouts[i].record;
		records.start = layouts[i].header + field(data, 16);
		records.end = records.start + field(data, 24) * *record;
	}
	return records;
}

/* Has one of the 8 bytes at @at part in a hash? */
static int is_hash(const struct range *records, uint64_t record, size_t at)
{
	for (size_t i = at; i < at + 8; i++) {
		if (i >= records->start && i < records->end &&
		    (i - records->start) % record < HASHES)
			return 1;
	}
	return 0;
}

static unsigned int search(const char *path)
{
	unsigned int found = 0;
	uint64_t addr, record = 1;
	size_t size;
	char *data = read_file(path, &size);
	struct range records = records_of(data, size, &record);

	for (size_t i = 0; i + sizeof(addr) <= size; i++) {
		addr = field(data, i);
		if (range_of(addr) && !is_hash(&records, record, i) && found++ < 5)
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * From any bytes to a section set: how large the sections are and whether they
 * are aligned, what the records say, and which nodes the lists are made of.
 *
 * Guarantees that all of it but the addresses is determined by the bytes, that
 * zeros make a set that holds up, and that pointers lead to a block of the set
 * or nowhere: more is not for the serializer to check, since nobody but the
 * hooks writes them.
 */

#include "fuzz.h"

/* Where functions are said to lie; nothing is there. */
#define TEXT0	0x10000000ul
#define TEXT1	0x20000000ul

u8 take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->pos++;
}

static u32 take32(struct input *in)
{
	u32 low = take(in) | take(in) << 8;

	return low | take(in) << 16 | (u32)take(in) << 24;
}

/* A small number, or one with its bits anywhere. */
static unsigned long take_delta(struct input *in)
{
	long small = (signed char)take(in);

	return (unsigned long)small << take(in) % (8 * sizeof(long));
}

static void *world_alloc(struct world *world, size_t size)
{
	void *memory = malloc(size);

	must(memory);
	world->memory[world->num_memory++] = memory;
	return memory;
}

/*
 * A section of @size bytes, or somewhat more, at an address that is aligned or
 * not. Without bytes it may be nowhere.
 */
static struct pgo_range make_section(struct world *world, struct input *in,
				     size_t size)
{
	u8 odd = take(in);
	size_t skew = odd & 0x80 ? odd & 7 : 0;
	void *start;

	if (odd & 0x80)
		size += odd >> 3 & 15;
	if (!odd && !size)
		return (struct pgo_range) {};
	start = world_alloc(world, skew + size) + skew;
	memset(start, 0, size);
	return (struct pgo_range) { start, start + size };
}

unsigned int world_num_records(const struct world *world)
{
	return (pgo_range_size(&world->set->data) + RAW_RECORD_SIZE - 1) /
	       RAW_RECORD_SIZE;
}

static unsigned int num_heads(const struct world *world)
{
	return pgo_range_size(&world->set->vals) / sizeof(void *);
}

static unsigned int num_blocks(const struct world *world)
{
	return pgo_range_size(&world->set->vnds) / sizeof(struct pgo_block);
}

/* The last record may be cut off. */
static void put_record(struct world *world, unsigned int i, const void *record)
{
	void *at = world->set->data.start + i * RAW_RECORD_SIZE;
	size_t left = world->set->data.stop - at;

	memcpy(at, record, left < RAW_RECORD_SIZE ? left : RAW_RECORD_SIZE);
}

/* What goes wrong with a record: a bit each, so that 0 is nothing. */
enum {
	WRONG_NUM_COUNTERS	= 1,
	WRONG_COUNTER_PTR	= 2,
	WRONG_SITES		= 4,
	WRONG_OTHERS		= 8,
	WRONG_VALUES		= 16,
	NO_VALUES		= 32,
	FAR_FUNCTION		= 64,
};

static void make_counters(struct world *world, struct input *in, u8 wrong,
			  unsigned int i, char *record)
{
	struct pgo_sections *set = world->set;
	unsigned int total = pgo_range_size(&set->cnts) / sizeof(u64);
	unsigned int first = total ? take(in) % total : 0;
	u32 num = total > first ? 1 + take(in) % (total - first) : 0;
	unsigned long offset = first * sizeof(u64), pointer;

	if (wrong & WRONG_NUM_COUNTERS)
		num = take32(in);
	if (wrong & WRONG_COUNTER_PTR)
		offset += take_delta(in);
	pointer = (unsigned long)set->cnts.start + offset;
	if (RAW_VERSION > 7)
		pointer -= (unsigned long)set->data.start + i * RAW_RECORD_SIZE;
	memcpy(record + RAW_RECORD_COUNTER_PTR, &pointer, sizeof(pointer));
	memcpy(record + RAW_RECORD_NUM_COUNTERS, &num, sizeof(num));
	world->counters_at[i] = offset;
}

static void make_sites(struct world *world, struct input *in, u8 wrong,
		       char *record)
{
	struct pgo_sections *set = world->set;
	unsigned int heads = num_heads(world);
	unsigned int first = heads ? take(in) % heads : 0;
	unsigned int left = heads - first;
	unsigned long pointer = (unsigned long)set->vals.start +
				first * sizeof(void *);
	u16 sites[RAW_KINDS] = {};

	sites[0] = left ? take(in) % (left + 1) : 0;
	sites[1] = left - sites[0] ? take(in) % (left - sites[0] + 1) : 0;
	if (wrong & WRONG_SITES) {
		sites[take(in) % 2] = take32(in);
		sites[RAW_KINDS - 1] += take(in);
	}
	if (wrong & WRONG_VALUES)
		pointer += take_delta(in);
	if (wrong & NO_VALUES || !(sites[0] + sites[1]))
		pointer = 0;
	memcpy(record + RAW_RECORD_VALUES, &pointer, sizeof(pointer));
	memcpy(record + RAW_RECORD_NUM_VALUE_SITES, sites, sizeof(sites));
}

static unsigned long make_function(struct input *in, u8 wrong)
{
	u8 where = take(in);

	if (wrong & FAR_FUNCTION)
		return take_delta(in);
	if (!where)
		return 0;
	return (where & 1 ? TEXT1 : TEXT0) + where / 2;
}

static void make_record(struct world *world, struct input *in, unsigned int i)
{
	char record[RAW_RECORD_SIZE] = {};
	u8 wrong = take(in);
	unsigned long function;

	memset(record + RAW_RECORD_NAME_REF, take(in), 1);
	memset(record + RAW_RECORD_FUNC_HASH, take(in), 8);
	make_counters(world, in, wrong, i, record);
	make_sites(world, in, wrong, record);
	function = make_function(in, wrong);
	memcpy(record + RAW_RECORD_FUNCTION_PTR, &function, sizeof(function));
#ifdef RAW_RECORD_NUM_BITMAP_BYTES
	if (wrong & WRONG_OTHERS) {
		memset(record + RAW_RECORD_BITMAP_PTR, take(in), sizeof(long));
		memset(record + RAW_RECORD_NUM_BITMAP_BYTES, take(in), 4);
	}
#endif
	put_record(world, i, record);
}

static u64 make_count(struct input *in)
{
	u8 count = take(in);

	return count < 0xc0 ? count : 1ULL << (count & 63);
}

static void make_all_counters(struct world *world, struct input *in)
{
	char *at = world->set->cnts.start;
	u64 count;

	for (; at + sizeof(count) <= (char *)world->set->cnts.stop; at += sizeof(count)) {
		count = make_count(in);
		memcpy(at, &count, sizeof(count));
	}
}

/* Usually none, or any block. */
static struct pgo_block *make_link(struct world *world, struct input *in)
{
	unsigned int where = take(in), num = num_blocks(world);

	if (where < 128 || !num)
		return NULL;
	return (struct pgo_block *)world->set->vnds.start + where % num;
}

static void make_node(struct pgo_node *node, struct input *in, unsigned int i)
{
	u8 key = in->left ? take(in) : i;

	/* The last one is of a hook that has not got further than the count. */
	node->key = key < 0xf0 ? (key & 1 ? TEXT1 : TEXT0) + key / 2 :
		    key < 0xff ? 1UL << (key & 15) * 2 : 0;
	node->count = in->left ? make_count(in) : 1;
	node->before = in->left && take(in) > 0xc0 ? make_count(in) : 0;
}

/* Rings of any form; memcpy() since nothing need be aligned. */
static void make_lists(struct world *world, struct input *in)
{
	struct pgo_block block = { .set = world->set }, *link;
	unsigned int i, j;

	for (i = 0; i < num_heads(world); i++) {
		link = num_blocks(world) > i ?
		       (struct pgo_block *)world->set->vnds.start + i : NULL;
		memcpy(world->set->vals.start + i * sizeof(link), &link, sizeof(link));
	}
	for (i = 0; i < num_blocks(world); i++) {
		block.next = make_link(world, in);
		for (j = 0; j < PGO_BLOCK_NODES; j++)
			make_node(&block.node[j], in, 3 * i + j);
		memcpy(world->set->vnds.start + i * sizeof(block), &block, sizeof(block));
	}
}

/* A chunk of one name that is not packed, or anything. */
static void make_names(struct world *world, struct input *in)
{
	struct pgo_range *names = &world->set->names;
	size_t size = pgo_range_size(names);
	u8 first = take(in);

	memset(names->start, 'a', size);
	world->good_names = !first && size > 2 && size < 130;
	if (world->good_names) {
		*(u8 *)names->start = size - 2;
		*(u8 *)(names->start + 1) = 0;
	} else {
		*(u8 *)names->start = first;
	}
}

static void make_text(struct world *world, struct input *in)
{
	struct pgo_range *text = world->set->text;

	text[0].start = (void *)TEXT0;
	text[0].stop = (void *)(TEXT0 + 64 + take(in));
	text[1].start = (void *)TEXT1;
	text[1].stop = (void *)(TEXT1 + take(in));
}

static void make_build_id(struct world *world, struct input *in)
{
	world->set->build_id_size = take(in) % (BUILD_ID_SIZE_MAX + 1);
	memset(world->set->build_id, 0xb1, sizeof(world->set->build_id));
}

/* Enough for all sites, or not */
static unsigned int make_num_blocks(struct world *world, struct input *in, bool few)
{
	unsigned int heads = num_heads(world), more = take(in) % 64;

	return !few ? heads + more : heads > more ? heads - more : 0;
}

void world_make(struct world *world, struct input *in)
{
	struct pgo_sections *set;
	u8 flags = take(in);
	unsigned int i;

	memset(world, 0, sizeof(*world));
	memset(&pgo_vmlinux, 0, sizeof(pgo_vmlinux));
	world->vmlinux = flags & 1;
	world->by_hooks = flags & 2;
	set = world->set = world->vmlinux ? &pgo_vmlinux : &world->own;

	set->data = make_section(world, in, (1 + take(in) % (MAX_RECORDS - 1)) *
					    RAW_RECORD_SIZE - (flags & 4));
	set->cnts = make_section(world, in, (1 + take(in) % 63) * sizeof(u64));
	set->names = make_section(world, in, 3 + take(in));
	set->vals = make_section(world, in, take(in) % 64 * sizeof(void *));
	set->vnds = make_section(world, in, make_num_blocks(world, in, flags & 8) *
					    sizeof(struct pgo_block));
	set->version = make_section(world, in, flags & 16 ? 0 : sizeof(u64));
	make_text(world, in);
	make_build_id(world, in);
	make_names(world, in);
	if (flags & 32)
		set->names.stop = set->names.start;
	for (i = 0; i < world_num_records(world) && i < MAX_RECORDS; i++)
		make_record(world, in, i);
	make_all_counters(world, in);
	if (!world->by_hooks)
		make_lists(world, in);
}

void world_free(struct world *world)
{
	while (world->num_memory)
		free(world->memory[--world->num_memory]);
}

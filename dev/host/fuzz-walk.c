// SPDX-License-Identifier: GPL-2.0-only
/*
 * A raw profile read by the format's rules, which are those of layout.h and of
 * LLVM's reader: it knows nothing of the serializer's structures.
 *
 * Guarantees, when it returns, that the file is well formed, ends where it
 * says, and has the counters of the section set at the records that they are
 * of, no address, and no values but those that a node may stand for.
 */

#include "fuzz.h"

/**
 * struct walk - Where the reader is.
 * @world: what was written
 * @start: first byte of the file
 * @pos: next byte
 * @end: first byte behind the file
 * @text: bytes of text, so that no id is larger
 * @counts: sum of the counts of all values
 */
struct walk {
	const struct world *world;
	const char *start, *pos, *end;
	u64 text, counts;
};

#define COUNT_MAX	(1ULL << 56)

static const char *walk_over(struct walk *w, u64 size)
{
	const char *pos = w->pos;

	must(size <= (u64)(w->end - pos));
	w->pos += size;
	return pos;
}

static void walk_zeros(struct walk *w, u64 size)
{
	const char *pos = walk_over(w, size);

	must(!size || (!*pos && !memcmp(pos, pos + 1, size - 1)));
}

static u64 header(const struct walk *w, size_t offset)
{
	return get_raw(w->start + offset, sizeof(u64));
}

static void walk_header(struct walk *w)
{
	const struct pgo_sections *set = w->world->set;

	walk_over(w, RAW_HEADER_SIZE);
	must(header(w, RAW_HEADER_MAGIC) == RAW_MAGIC);
	must((header(w, RAW_HEADER_VERSION) & 0xffffff) == RAW_VERSION);
	must(header(w, RAW_HEADER_NUM_DATA) == world_num_records(w->world));
	must(header(w, RAW_HEADER_NUM_COUNTERS) ==
	     pgo_range_size(&set->cnts) / sizeof(u64));
	must(header(w, RAW_HEADER_NAMES_SIZE) == pgo_range_size(&set->names));
	must(!header(w, RAW_HEADER_NAMES_DELTA));
	must(header(w, RAW_HEADER_VALUE_KIND_LAST) == RAW_KINDS - 1);
	must(!header(w, RAW_HEADER_PADDING_BEFORE_COUNTERS));
	must(!header(w, RAW_HEADER_PADDING_AFTER_COUNTERS));
#ifdef RAW_HEADER_NUM_BITMAP_BYTES
	must(!header(w, RAW_HEADER_NUM_BITMAP_BYTES));
	must(!header(w, RAW_HEADER_PADDING_AFTER_BITMAP));
#endif
#ifdef RAW_HEADER_NUM_VTABLES
	must(!header(w, RAW_HEADER_NUM_VTABLES));
	must(!header(w, RAW_HEADER_VNAMES_SIZE));
#endif
}

static void walk_binary_ids(struct walk *w)
{
	const struct pgo_sections *set = w->world->set;
	u64 size = header(w, RAW_HEADER_BINARY_IDS_SIZE);

	must(!size == (RAW_VERSION < 8 || !set->build_id_size));
	must(size % sizeof(u64) == 0);
	if (!size)
		return;
	must(get_raw(walk_over(w, sizeof(u64)), sizeof(u64)) == set->build_id_size);
	must(!memcmp(walk_over(w, set->build_id_size), set->build_id,
		     set->build_id_size));
	walk_zeros(w, size - sizeof(u64) - set->build_id_size);
	must(size - sizeof(u64) - set->build_id_size < sizeof(u64));
}

static void walk_record(struct walk *w, unsigned int i)
{
	const char *record = walk_over(w, RAW_RECORD_SIZE);
	u64 delta = header(w, RAW_HEADER_COUNTERS_DELTA);
	u64 pointer = record_get(record, COUNTER_PTR, unsigned long), offset;
	u64 num = record_get(record, NUM_COUNTERS, u32);
	u64 total = header(w, RAW_HEADER_NUM_COUNTERS);

	if (RAW_VERSION > 7)
		delta -= i * RAW_RECORD_SIZE;
	offset = pointer - delta;
	must(offset == w->world->counters_at[i]);
	must(num && offset % sizeof(u64) == 0);
	must(offset / sizeof(u64) <= total && num <= total - offset / sizeof(u64));
	must(!record_get(record, VALUES, unsigned long));
	must(record_get(record, FUNCTION_PTR, unsigned long) <= w->text);
#ifdef RAW_RECORD_BITMAP_PTR
	must(!record_get(record, BITMAP_PTR, unsigned long));
	must(!record_get(record, NUM_BITMAP_BYTES, u32));
#endif
}

static void walk_counters(struct walk *w)
{
	u64 num = header(w, RAW_HEADER_NUM_COUNTERS), i;
	const u64 *counter = w->world->set->cnts.start;

	for (i = 0; i < num; i++) {
		u64 count = get_raw(walk_over(w, sizeof(count)), sizeof(count));

		must(count == (counter[i] < COUNT_MAX ? counter[i] : COUNT_MAX));
	}
}

static void walk_names(struct walk *w)
{
	u64 size = header(w, RAW_HEADER_NAMES_SIZE);

	must(size && *w->pos);		/* or the reader takes them for padding */
	must(!memcmp(walk_over(w, size), w->world->set->names.start, size));
	walk_zeros(w, -size & 7);
}

static void walk_value(struct walk *w, unsigned int kind)
{
	u64 value = get_raw(walk_over(w, sizeof(value)), sizeof(value));
	u64 count = get_raw(walk_over(w, sizeof(count)), sizeof(count));

	must(count && count <= COUNT_MAX);
	must(kind ? value + 1 : value <= w->text);	/* of a key that is none */
	w->counts += count;
}

static void walk_kind(struct walk *w, unsigned int kind, unsigned int sites)
{
	const u8 *counts;
	unsigned int i, j;

	must(kind < 2);			/* C has no others */
	must(get_raw(walk_over(w, sizeof(u32)), sizeof(u32)) == kind);
	must(get_raw(walk_over(w, sizeof(u32)), sizeof(u32)) == sites);
	counts = (const u8 *)walk_over(w, sites);
	walk_zeros(w, -sites & 7);
	for (i = 0; i < sites; i++) {
		for (j = 0; j < counts[i]; j++)
			walk_value(w, kind);
	}
}

static void walk_block(struct walk *w, const char *record)
{
	const char *sites = record + RAW_RECORD_NUM_VALUE_SITES, *start = w->pos;
	unsigned int kind, present = 0;
	u64 size, num;

	for (kind = 0; kind < RAW_KINDS; kind++)
		present += !!get_raw(sites + kind * sizeof(u16), sizeof(u16));
	if (!present)
		return;
	size = get_raw(walk_over(w, sizeof(u32)), sizeof(u32));
	num = get_raw(walk_over(w, sizeof(u32)), sizeof(u32));
	must(num == present);
	for (kind = 0; kind < RAW_KINDS; kind++) {
		num = get_raw(sites + kind * sizeof(u16), sizeof(u16));
		if (num)
			walk_kind(w, kind, num);
	}
	must(size == (u64)(w->pos - start) && size % sizeof(u64) == 0);
}

/* The sum of the counts of all values */
u64 walk(const void *buf, size_t size, const struct world *world)
{
	const struct pgo_range *text = world->set->text;
	struct walk w = {
		.world = world,
		.start = buf,
		.pos = buf,
		.end = buf + size,
		.text = pgo_range_size(&text[0]) + pgo_range_size(&text[1]),
	};
	unsigned int i, num = world_num_records(world);
	const char *records;

	must(size % sizeof(u64) == 0);
	walk_header(&w);
	walk_binary_ids(&w);
	records = w.pos;
	for (i = 0; i < num; i++)
		walk_record(&w, i);
	walk_counters(&w);
	walk_names(&w);
	for (i = 0; i < num; i++)
		walk_block(&w, records + i * RAW_RECORD_SIZE);
	walk_zeros(&w, w.end - w.pos);
	return w.counts;
}

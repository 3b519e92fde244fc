// SPDX-License-Identifier: GPL-2.0-only
/*
 * Serializer: section sets in, a raw profile out.
 *
 * Guarantees that what it writes has exactly the size that the section sets
 * alone determine, is accepted by llvm-profdata of the compiler's release,
 * and holds no address: what stands for a pointer counts bytes of the text of
 * all images that are written, one after the other.
 *
 * Takes no lock and allocates nothing. The caller keeps the memory of the
 * image in place; instrumented code may go on counting meanwhile.
 */

#include <linux/align.h>
#include <linux/bsearch.h>
#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/pgo.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "profraw.h"
#include "values.h"

/**
 * struct pgo_writer - Where the serializer is.
 * @group: what is written
 * @pos: next byte of the output
 * @records: records in the output
 * @record: the next one
 * @counters: counters of the images before the one that is written
 * @values_left: values that there is still room for
 */
struct pgo_writer {
	const struct pgo_group *group;
	void *pos;
	size_t records;
	size_t record;
	size_t counters;
	size_t values_left;
};

/**
 * pgo_copy() - memcpy() that nobody has to wait for.
 * @to: where
 * @from: from where
 * @size: bytes
 *
 * Context: May sleep.
 */
void pgo_copy(void *to, const void *from, size_t size)
{
	while (size) {
		size_t piece = min(size, PGO_BATCH * sizeof(u64));

		memcpy(to, from, piece);
		to += piece;
		from += piece;
		size -= piece;
		cond_resched();
	}
}

/**
 * pgo_clear() - The same for memset(), with zero.
 * @to: where
 * @size: bytes
 *
 * Context: May sleep.
 */
void pgo_clear(void *to, size_t size)
{
	while (size) {
		size_t piece = min(size, PGO_BATCH * sizeof(u64));

		memset(to, 0, piece);
		to += piece;
		size -= piece;
		cond_resched();
	}
}

static unsigned int pgo_record_sites(const struct llvm_prf_record *record)
{
	unsigned int kind, sites = 0;

	for (kind = 0; kind < LLVM_PRF_NR_KINDS; kind++)
		sites += record->num_value_sites[kind];
	return sites;
}

/* Has the last record, too, all that is ever looked at? */
static bool pgo_whole_records(const struct pgo_sections *set)
{
	size_t rest = pgo_range_size(&set->data) % sizeof(struct llvm_prf_record);

	return !rest || rest >= LLVM_PRF_RECORD_USED;
}

static const char *pgo_check_record(const struct pgo_sections *set,
				    const struct llvm_prf_record *record)
{
	size_t total = pgo_num_counters(set);
	unsigned long offset = pgo_counter_offset(set, record);
	size_t heads = pgo_record_sites(record) * sizeof(*record->values);
	unsigned int kind;

	if (!record->num_counters)
		return "a function without counters";
	if (!IS_ALIGNED(offset, sizeof(u64)) || offset / sizeof(u64) > total ||
	    record->num_counters > total - offset / sizeof(u64))
		return "counters outside of their section";
	/* What is seen there would be written as it is, be it an address. */
	for (kind = LLVM_PRF_KIND_MEMOP + 1; kind < LLVM_PRF_NR_KINDS; kind++) {
		if (record->num_value_sites[kind])
			return "value sites that C has not";
	}
	if (llvm_prf_has_bitmap(record))
		return "MC/DC bitmaps";
	if (!heads)
		return NULL;
	if (!IS_ALIGNED((unsigned long)record->values, sizeof(void *)) ||
	    (void *)record->values < set->vals.start ||
	    (void *)record->values > set->vals.stop ||
	    heads > set->vals.stop - (void *)record->values)
		return "value sites outside of their section";
	return NULL;
}

/**
 * pgo_profraw_check() - Does a section set hold up?
 * @set: section set with at least one byte of records
 *
 * Everything that the serializer, the reset and the hooks rely on is checked
 * here, once, in time proportional to the number of records.
 *
 * Context: May sleep.
 * Return: NULL, or what is wrong with it.
 */
const char *pgo_profraw_check(const struct pgo_sections *set)
{
	const struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);

	if (pgo_range_size(&set->version) != sizeof(u64))
		return "no raw version";
	if (!pgo_whole_records(set))
		return "records of another size";
	if (!IS_ALIGNED((unsigned long)set->data.start, __alignof__(*record)) ||
	    !IS_ALIGNED((unsigned long)set->cnts.start, sizeof(u64)) ||
	    !IS_ALIGNED((unsigned long)set->vals.start, sizeof(void *)) ||
	    !IS_ALIGNED((unsigned long)set->vnds.start,
			__alignof__(struct pgo_block)))
		return "unaligned sections";
	if (pgo_range_size(&set->vnds) / sizeof(struct pgo_block) <
	    pgo_num_sites(set))
		return "too few value nodes";
	/* The reader stops at a first byte of 0, or at nothing at all. */
	if (!pgo_range_size(&set->names) || !*(u8 *)set->names.start)
		return "no names";

	for (i = 0; i < num; i++) {
		const char *fault = pgo_check_record(set, &record[i]);

		if (fault)
			return fault;
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	return NULL;
}

/* The build id of the image, 0 if it has none. */
static size_t pgo_binary_ids_size(const struct pgo_sections *set)
{
	if (!LLVM_PRF_BINARY_IDS || !set->build_id_size)
		return 0;
	return ALIGN(struct_size_t(struct llvm_prf_binary_id, id,
				   set->build_id_size), sizeof(u64));
}

/* The counts of the values of each site, with what stands before them. */
static size_t pgo_values_size(u16 sites)
{
	return ALIGN(struct_size_t(struct llvm_prf_values, counts, sites),
		     sizeof(u64));
}

/* The value block of @record without its values, 0 if it has none. */
static size_t pgo_value_block_size(const struct llvm_prf_record *record)
{
	size_t size = 0;
	unsigned int kind;

	for (kind = 0; kind < LLVM_PRF_NR_KINDS; kind++) {
		if (record->num_value_sites[kind])
			size += pgo_values_size(record->num_value_sites[kind]);
	}
	return size ? size + sizeof(struct llvm_prf_value_block) : 0;
}

/**
 * pgo_profraw_size() - Size of the raw profile of a section set.
 * @set: section set that passed pgo_profraw_check()
 *
 * There is room for a value of every node that the image may ever have: the
 * size of the file must be known before it is opened, and not change while
 * somebody who asked for it, like tar, gets round to reading.
 *
 * Context: May sleep.
 * Return: Size in bytes, a multiple of 8.
 */
size_t pgo_profraw_size(const struct pgo_sections *set)
{
	const struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);
	size_t size = sizeof(struct llvm_prf_header);

	size += pgo_binary_ids_size(set);
	size += num * sizeof(*record);
	size += pgo_num_counters(set) * sizeof(u64);
	size += ALIGN(pgo_range_size(&set->names), sizeof(u64));
	size += pgo_max_nodes(set) * sizeof(struct llvm_prf_value);

	for (i = 0; i < num; i++) {
		size += pgo_value_block_size(&record[i]);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	return size;
}

/* === Addresses ========================================================== */

/* sort() would count itself. */
static void pgo_insert_text(struct pgo_group *group, const struct pgo_text *text)
{
	struct pgo_text *pos = group->texts + group->num_texts++;

	for (; pos > group->texts && pos[-1].start > text->start; pos--)
		*pos = pos[-1];
	*pos = *text;
}

/* Find what stands for the functions of the group. */
static void pgo_index_texts(struct pgo_group *group)
{
	u64 id = 1;	/* 0 is for whatever has no name. */
	size_t i, j;

	group->num_texts = 0;
	for (i = 0; i < group->num_sets; i++) {
		for (j = 0; j < PGO_TEXTS; j++) {
			const struct pgo_range *range = &group->sets[i]->text[j];

			/* Nor must it hide another that begins there. */
			if (!pgo_range_size(range))
				continue;
			pgo_insert_text(group, &(struct pgo_text) {
				.start = (unsigned long)range->start,
				.stop = (unsigned long)range->stop,
				.id = id,
			});
			id += pgo_range_size(range);
		}
		cond_resched();
	}
}

static int pgo_compare_addr(const void *key, const void *elt)
{
	unsigned long addr = *(const unsigned long *)key;
	const struct pgo_text *text = elt;

	return addr < text->start ? -1 : addr >= text->stop;
}

/* What stands for an address, 0 if no image of the group has it. */
static u64 pgo_text_id(const struct pgo_group *group, unsigned long addr)
{
	/* The one that is not inline would count itself. */
	const struct pgo_text *text = __inline_bsearch(&addr, group->texts,
						       group->num_texts,
						       sizeof(*text),
						       pgo_compare_addr);

	return text ? text->id + addr - text->start : 0;
}

/* === The parts of a raw profile ========================================= */

/*
 * The reader finds the counters of record i at its counter_ptr less
 * (counters_delta - i * size of a record), or less counters_delta alone where
 * counter_ptr is an address. With a counters_delta of all records' size the
 * difference never drops below 0, which the reader of a 32-bit profile can't
 * bear.
 */
static unsigned long pgo_counters_delta(const struct pgo_writer *w, size_t i)
{
	if (!LLVM_PRF_RELATIVE)
		i = 0;
	return (w->records - i) * sizeof(struct llvm_prf_record);
}

static void pgo_write_header(struct pgo_writer *w)
{
	struct llvm_prf_header *header = w->pos;
	size_t i;

	*header = (struct llvm_prf_header) {
		.magic		 = LLVM_PRF_MAGIC,
		.version	 = LLVM_PRF_VERSION,
		.value_kind_last = LLVM_PRF_NR_KINDS - 1,
	};
	for (i = 0; i < w->group->num_sets; i++) {
		const struct pgo_sections *set = w->group->sets[i];

		header->binary_ids_size += pgo_binary_ids_size(set);
		header->num_data += pgo_num_records(set);
		header->num_counters += pgo_num_counters(set);
		/* Readers skip zeros between names. */
		header->names_size = ALIGN(header->names_size, sizeof(u64)) +
				     pgo_range_size(&set->names);
		w->values_left += pgo_max_nodes(set);
	}
	w->records = header->num_data;
	header->counters_delta = pgo_counters_delta(w, 0);
	w->pos += sizeof(*header);
}

static void pgo_write_binary_id(struct pgo_writer *w,
				const struct pgo_sections *set)
{
	struct llvm_prf_binary_id *out = w->pos;
	size_t size = pgo_binary_ids_size(set);

	if (!size)
		return;
	memset(out, 0, size);
	out->size = set->build_id_size;
	memcpy(out->id, set->build_id, set->build_id_size);
	w->pos += size;
}

/* What is not written here is 0, among it what only other languages have. */
static void pgo_write_record(struct pgo_writer *w,
			     const struct pgo_sections *set,
			     const struct llvm_prf_record *in)
{
	struct llvm_prf_record *out = w->pos;

	memset(out, 0, sizeof(*out));
	out->name_ref = in->name_ref;
	out->func_hash = in->func_hash;
	out->counter_ptr = pgo_counters_delta(w, w->record) +
			   w->counters * sizeof(u64) +
			   pgo_counter_offset(set, in);
	out->function_ptr = (void *)(unsigned long)
		pgo_text_id(w->group, (unsigned long)in->function_ptr);
	out->num_counters = in->num_counters;
	memcpy(out->num_value_sites, in->num_value_sites,
	       sizeof(out->num_value_sites));
	w->pos += sizeof(*out);
	w->record++;
}

static void pgo_write_records(struct pgo_writer *w,
			      const struct pgo_sections *set)
{
	const struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);

	for (i = 0; i < num; i++) {
		pgo_write_record(w, set, &record[i]);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	w->counters += pgo_num_counters(set);
}

/* Counters are raised without a mark meanwhile, which is no accident. */
static __no_kcsan void pgo_write_counters(struct pgo_writer *w,
					  const struct pgo_sections *set)
{
	const u64 *in = set->cnts.start;
	u64 *out = w->pos;
	size_t i, num = pgo_num_counters(set);

	for (i = 0; i < num; i++) {
		out[i] = min(READ_ONCE(in[i]), LLVM_PRF_COUNTER_MAX);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	w->pos += num * sizeof(*out);
}

static void pgo_write_names(struct pgo_writer *w,
			    const struct pgo_sections *set)
{
	size_t size = pgo_range_size(&set->names);

	pgo_copy(w->pos, set->names.start, size);
	memset(w->pos + size, 0, ALIGN(size, sizeof(u64)) - size);
	w->pos += ALIGN(size, sizeof(u64));
}

/* === Values ============================================================= */

static void pgo_write_value(struct pgo_writer *w, u64 value, u64 count)
{
	struct llvm_prf_value *out = w->pos;

	out->value = value;
	out->count = min(count, LLVM_PRF_COUNTER_MAX);
	w->values_left--;
	w->pos += sizeof(*out);
}

/*
 * Write what a node has seen, as one value. Return what is to be told with that
 * of other nodes: a target that has no name here, and apart would only take the
 * place of those that have.
 */
static u64 pgo_write_node(struct pgo_writer *w, unsigned int kind,
			  const struct pgo_node *node, unsigned int *num)
{
	u64 seen;
	unsigned long key = pgo_read_node(node, &seen);
	u64 value = key - 1;

	if (!key || !seen || !w->values_left)
		return 0;
	if (kind == LLVM_PRF_KIND_TARGET) {
		value = pgo_text_id(w->group, key);
		if (!value)
			return seen;
	}
	pgo_write_value(w, value, seen);
	++*num;
	return 0;
}

/* Write what was seen at a site and return the number of values. */
static unsigned int pgo_write_site(struct pgo_writer *w, unsigned int kind,
				   const struct pgo_block *first)
{
	const struct pgo_block *block;
	unsigned int num = 0, n, i;
	u64 unnamed = 0;

	pgo_for_each_block(block, n, first) {
		for (i = 0; i < PGO_BLOCK_NODES; i++)
			unnamed += pgo_write_node(w, kind, &block->node[i], &num);
	}
	if (unnamed && w->values_left) {
		pgo_write_value(w, 0, unnamed);
		num++;
	}
	return num;
}

static void pgo_write_kind(struct pgo_writer *w, unsigned int kind,
			   const struct pgo_block *first, u16 sites)
{
	struct llvm_prf_values *out = w->pos;
	size_t size = pgo_values_size(sites);
	u16 i;

	memset(out, 0, size);
	out->kind = kind;
	out->num_sites = sites;
	w->pos += size;

	for (i = 0; first && i < sites; i++) {
		out->counts[i] = pgo_write_site(w, kind, &first[i]);
		if (!(i % PGO_SITES))
			cond_resched();
	}
}

static void pgo_write_value_block(struct pgo_writer *w,
				  const struct pgo_sections *set,
				  const struct llvm_prf_record *record)
{
	struct llvm_prf_value_block *block = w->pos;
	const struct pgo_block *first = NULL;
	unsigned int kind, num_kinds = 0;

	if (record->values)
		first = pgo_own_block(set, record->values -
					   (unsigned long *)set->vals.start);
	w->pos += sizeof(*block);
	for (kind = 0; kind < LLVM_PRF_NR_KINDS; kind++) {
		u16 sites = record->num_value_sites[kind];

		if (!sites)
			continue;
		pgo_write_kind(w, kind, first, sites);
		if (first)
			first += sites;
		num_kinds++;
	}
	block->num_kinds = num_kinds;
	block->total_size = w->pos - (void *)block;
}

static void pgo_write_values(struct pgo_writer *w,
			     const struct pgo_sections *set)
{
	const struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);

	for (i = 0; i < num; i++) {
		if (pgo_record_sites(&record[i]))
			pgo_write_value_block(w, set, &record[i]);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

/* Write this part of all images, one after the other. */
static void pgo_write_each(struct pgo_writer *w,
			   void (*write)(struct pgo_writer *w,
					 const struct pgo_sections *set))
{
	size_t i;

	for (i = 0; i < w->group->num_sets; i++)
		write(w, w->group->sets[i]);
}

/**
 * pgo_profraw_write() - Write the raw profile of a group of images.
 * @group: with its sets, and room for texts
 * @buf: aligned to 8, of pgo_profraw_size() bytes; of several images, that of
 *	 each of them but for a header
 *
 * Room that no value needed is zeroed, which readers skip.
 *
 * Context: May sleep. The caller keeps the memory of the images in place.
 */
void pgo_profraw_write(struct pgo_group *group, void *buf)
{
	struct pgo_writer w = { .group = group, .pos = buf };

	pgo_index_texts(group);
	pgo_write_header(&w);
	pgo_write_each(&w, pgo_write_binary_id);
	pgo_write_each(&w, pgo_write_records);
	pgo_write_each(&w, pgo_write_counters);
	pgo_write_each(&w, pgo_write_names);
	pgo_write_each(&w, pgo_write_values);
	pgo_clear(w.pos, w.values_left * sizeof(struct llvm_prf_value));
}

/* As for pgo_write_counters() */
static __no_kcsan void pgo_reset_counters(const struct pgo_sections *set)
{
	u64 *counter = set->cnts.start;
	size_t i, num = pgo_num_counters(set);

	for (i = 0; i < num; i++) {
		WRITE_ONCE(counter[i], 0);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

/**
 * pgo_profraw_reset() - Forget what an image has counted.
 * @set: section set that passed pgo_profraw_check()
 *
 * Context: May sleep. The caller keeps the memory of the image in place.
 */
void pgo_profraw_reset(struct pgo_sections *set)
{
	pgo_reset_counters(set);
	pgo_nodes_reset(set);
}

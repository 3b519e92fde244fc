// SPDX-License-Identifier: GPL-2.0-only
/*
 * Serializer: a section set in, a raw profile out.
 *
 * Guarantees that what it writes has exactly the size that the section set
 * alone determines, is accepted by llvm-profdata of the compiler's release,
 * and holds no address: pointers become offsets into the text of the image.
 *
 * Takes no lock and allocates nothing. The caller keeps the memory of the
 * image in place; instrumented code may go on counting meanwhile.
 */

#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/pgo.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "profraw.h"

/**
 * struct pgo_writer - Where the serializer is.
 * @set: what is written
 * @pos: next byte of the output
 * @values_left: values that may still be written. Each stands for a node, so
 *		 that it can't run out, but then the output must not depend on
 *		 the lists being in order.
 */
struct pgo_writer {
	const struct pgo_sections *set;
	void *pos;
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

/* The same for memset(), with zero */
static void pgo_clear(void *to, size_t size)
{
	while (size) {
		size_t piece = min(size, PGO_BATCH * sizeof(u64));

		memset(to, 0, piece);
		to += piece;
		size -= piece;
		cond_resched();
	}
}

static unsigned int pgo_num_sites(const struct llvm_prf_record *record)
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
	size_t heads = pgo_num_sites(record) * sizeof(*record->values);
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
	if (!heads || !record->values)
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
			__alignof__(struct llvm_prf_node)))
		return "unaligned sections";
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
 * There is room for a value of every node, taken or not: the size of the file
 * must be known before it is opened, and not change while somebody who asked
 * for it, like tar, gets round to reading.
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
	size += pgo_num_nodes(set) * sizeof(struct llvm_prf_value);

	for (i = 0; i < num; i++) {
		size += pgo_value_block_size(&record[i]);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	return size;
}

/**
 * pgo_text_id() - What stands for an address in the file.
 * @set: section set of the image
 * @addr: address of a function, of the image or not
 *
 * Context: Any. The text of the image does not move meanwhile.
 * Return: Where it lies in the text of the image, counted from 1. 0 stands for
 * whatever is outside, and the reader takes it as such.
 */
u64 pgo_text_id(const struct pgo_sections *set, unsigned long addr)
{
	u64 base = 1;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(set->text); i++) {
		unsigned long start = (unsigned long)set->text[i].start;
		unsigned long stop = (unsigned long)set->text[i].stop;

		if (addr >= start && addr < stop)
			return base + addr - start;
		base += stop - start;
	}
	return 0;
}

/*
 * The reader finds the counters of record i at its counter_ptr less
 * (counters_delta - i * size of a record), or less counters_delta alone where
 * counter_ptr is an address. With a counters_delta of all records' size the
 * difference never drops below 0, which the reader of a 32-bit profile can't
 * bear.
 */
static unsigned long pgo_counters_delta(const struct pgo_sections *set, size_t i)
{
	if (!LLVM_PRF_RELATIVE)
		i = 0;
	return (pgo_num_records(set) - i) * sizeof(struct llvm_prf_record);
}

static void pgo_write_header(struct pgo_writer *w)
{
	const struct pgo_sections *set = w->set;
	struct llvm_prf_header *header = w->pos;

	*header = (struct llvm_prf_header) {
		.magic		 = LLVM_PRF_MAGIC,
		.version	 = LLVM_PRF_VERSION,
		.binary_ids_size = pgo_binary_ids_size(set),
		.num_data	 = pgo_num_records(set),
		.num_counters	 = pgo_num_counters(set),
		.names_size	 = pgo_range_size(&set->names),
		.counters_delta	 = pgo_counters_delta(set, 0),
		.value_kind_last = LLVM_PRF_NR_KINDS - 1,
	};
	w->pos += sizeof(*header);
}

static void pgo_write_binary_ids(struct pgo_writer *w)
{
	struct llvm_prf_binary_id *out = w->pos;
	size_t size = pgo_binary_ids_size(w->set);

	if (!size)
		return;
	memset(out, 0, size);
	out->size = w->set->build_id_size;
	memcpy(out->id, w->set->build_id, w->set->build_id_size);
	w->pos += size;
}

/* What is not written here is 0, among it what only other languages have. */
static void pgo_write_record(struct pgo_writer *w, size_t i)
{
	const struct llvm_prf_record *in = w->set->data.start;
	struct llvm_prf_record *out = w->pos;

	in += i;
	memset(out, 0, sizeof(*out));
	out->name_ref = in->name_ref;
	out->func_hash = in->func_hash;
	out->counter_ptr = pgo_counters_delta(w->set, i) +
			   pgo_counter_offset(w->set, in);
	out->function_ptr = (void *)(unsigned long)
		pgo_text_id(w->set, (unsigned long)in->function_ptr);
	out->num_counters = in->num_counters;
	memcpy(out->num_value_sites, in->num_value_sites,
	       sizeof(out->num_value_sites));
	w->pos += sizeof(*out);
}

static void pgo_write_records(struct pgo_writer *w)
{
	size_t i, num = pgo_num_records(w->set);

	for (i = 0; i < num; i++) {
		pgo_write_record(w, i);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

/* Counters are raised without a mark meanwhile, which is no accident. */
static __no_kcsan void pgo_write_counters(struct pgo_writer *w)
{
	const u64 *in = w->set->cnts.start;
	u64 *out = w->pos;
	size_t i, num = pgo_num_counters(w->set);

	for (i = 0; i < num; i++) {
		out[i] = min(READ_ONCE(in[i]), LLVM_PRF_COUNTER_MAX);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
	w->pos += num * sizeof(*out);
}

static void pgo_write_names(struct pgo_writer *w)
{
	size_t size = pgo_range_size(&w->set->names);

	pgo_copy(w->pos, w->set->names.start, size);
	memset(w->pos + size, 0, ALIGN(size, sizeof(u64)) - size);
	w->pos += ALIGN(size, sizeof(u64));
}

static void pgo_write_value(struct pgo_writer *w, u64 value, u64 count)
{
	struct llvm_prf_value *out = w->pos;

	out->value = value;
	out->count = min(count, LLVM_PRF_COUNTER_MAX);
	w->values_left--;
	w->pos += sizeof(*out);
}

/*
 * Write what was seen at a site and return the number of values. All targets
 * outside of the image make one: they have no name here, and apart would only
 * take the place of those that have. A node whose count was reset has not
 * been seen since. No list has more nodes than there are.
 */
static unsigned int pgo_write_site(struct pgo_writer *w, unsigned int kind,
				   struct llvm_prf_node *const *head)
{
	const struct llvm_prf_node *node;
	size_t left = pgo_num_nodes(w->set);
	unsigned int num = 0;
	u64 outside = 0;

	for (node = READ_ONCE(*head); pgo_is_node(node) && left--;
	     node = READ_ONCE(node->next)) {
		u64 count = READ_ONCE(node->count);
		u64 value = READ_ONCE(node->value);

		if (!count)
			continue;
		if (num == LLVM_PRF_SITE_MAX - 1 || !w->values_left)
			break;
		if (kind == LLVM_PRF_KIND_TARGET) {
			value = pgo_text_id(w->set, value);
			if (!value) {
				outside += count;
				continue;
			}
		}
		pgo_write_value(w, value, count);
		num++;
	}

	if (outside && w->values_left) {
		pgo_write_value(w, 0, outside);
		num++;
	}
	return num;
}

static void pgo_write_kind(struct pgo_writer *w, unsigned int kind,
			   struct llvm_prf_node *const *heads, u16 sites)
{
	struct llvm_prf_values *out = w->pos;
	size_t size = pgo_values_size(sites);
	u16 i;

	memset(out, 0, size);
	out->kind = kind;
	out->num_sites = sites;
	w->pos += size;

	for (i = 0; heads && i < sites; i++) {
		out->counts[i] = pgo_write_site(w, kind, &heads[i]);
		/* Each has a list to walk. */
		if (!(i % PGO_SITES))
			cond_resched();
	}
}

static void pgo_write_value_block(struct pgo_writer *w,
				  const struct llvm_prf_record *record)
{
	struct llvm_prf_value_block *block = w->pos;
	struct llvm_prf_node *const *heads = record->values;
	unsigned int kind, num_kinds = 0;

	w->pos += sizeof(*block);
	for (kind = 0; kind < LLVM_PRF_NR_KINDS; kind++) {
		u16 sites = record->num_value_sites[kind];

		if (!sites)
			continue;
		pgo_write_kind(w, kind, heads, sites);
		if (heads)
			heads += sites;
		num_kinds++;
	}
	block->num_kinds = num_kinds;
	block->total_size = w->pos - (void *)block;
}

/**
 * pgo_profraw_write() - Write the raw profile of a section set.
 * @set: section set that passed pgo_profraw_check()
 * @buf: pgo_profraw_size() bytes, aligned to 8
 *
 * Room that no value needed is zeroed, which readers skip.
 *
 * Context: May sleep. The caller keeps the memory of the image in place.
 */
void pgo_profraw_write(const struct pgo_sections *set, void *buf)
{
	const struct llvm_prf_record *record = set->data.start;
	size_t i, num = pgo_num_records(set);
	struct pgo_writer w = {
		.set = set,
		.pos = buf,
		.values_left = pgo_num_nodes(set),
	};

	pgo_write_header(&w);
	pgo_write_binary_ids(&w);
	pgo_write_records(&w);
	pgo_write_counters(&w);
	pgo_write_names(&w);

	for (i = 0; i < num; i++) {
		if (pgo_num_sites(&record[i]))
			pgo_write_value_block(&w, &record[i]);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
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
 * Counters and counts of values become 0. The nodes stay where they are,
 * since a hook may be looking at them.
 *
 * Context: May sleep. The caller keeps the memory of the image in place.
 */
void pgo_profraw_reset(const struct pgo_sections *set)
{
	struct llvm_prf_node *node = set->vnds.start;
	size_t i, num = pgo_num_nodes(set);

	pgo_reset_counters(set);
	for (i = 0; i < num; i++) {
		WRITE_ONCE(node[i].count, 0);
		if (!(i % PGO_BATCH))
			cond_resched();
	}
}

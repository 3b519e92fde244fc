// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the serializer, the hooks and the registry.
 *
 * They work on an image made by hand, a "module" of three functions, and look
 * at every byte of its raw profile that means something.
 */

#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../pgo.h"
#include "../profraw.h"
#include "../values.h"

#define FAKE_RECORDS	3
#define FAKE_COUNTERS	6
#define FAKE_SITES	3
#define FAKE_NAMES	"\005\000a\001b\001c"
#define FAKE_TEXT	64
#define FAKE_ROOM	(FAKE_SITES * PGO_SITE_NODES * 16)

/* What the linker would have put together */
struct fake {
	struct llvm_prf_record data[FAKE_RECORDS];
	u64 cnts[FAKE_COUNTERS];
	unsigned long vals[FAKE_SITES];
	struct pgo_block vnds[FAKE_SITES];
	char names[sizeof(FAKE_NAMES) - 1];
	char text[FAKE_TEXT];
	char init_text[FAKE_TEXT];
	u64 version;
	struct pgo_sections set;
};

static struct pgo_range range(void *start, size_t size)
{
	return (struct pgo_range) { start, start + size };
}

static void fake_record(struct fake *fake, int i, int first, int counters)
{
	struct llvm_prf_record *record = &fake->data[i];

	record->name_ref = 100 + i;
	record->func_hash = 200 + i;
	record->counter_ptr = (unsigned long)&fake->cnts[first] -
			      (LLVM_PRF_RELATIVE ? (unsigned long)record : 0);
	record->function_ptr = &fake->text[16 * i];
	record->num_counters = counters;
}

/*
 * a() has two indirect calls and a memory operation, b() nothing but counters,
 * c() can't be called through a pointer.
 */
static struct fake *fake_image(struct kunit *test)
{
	struct fake *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake_record(fake, 0, 0, 3);
	fake->data[0].num_value_sites[LLVM_PRF_KIND_TARGET] = 2;
	fake->data[0].num_value_sites[LLVM_PRF_KIND_MEMOP] = 1;
	fake->data[0].values = fake->vals;
	fake_record(fake, 1, 3, 1);
	fake_record(fake, 2, 4, 2);
	fake->data[2].function_ptr = NULL;
	memcpy(fake->names, FAKE_NAMES, sizeof(fake->names));
	fake->version = LLVM_PRF_VERSION;

	fake->set = (struct pgo_sections) {
		.data	 = range(fake->data, sizeof(fake->data)),
		.cnts	 = range(fake->cnts, sizeof(fake->cnts)),
		.names	 = range(fake->names, sizeof(fake->names)),
		.vals	 = range(fake->vals, sizeof(fake->vals)),
		.vnds	 = range(fake->vnds, sizeof(fake->vnds)),
		.version = { &fake->version, &fake->version + 1 },
		.text	 = {
			range(fake->text, sizeof(fake->text)),
			range(fake->init_text, sizeof(fake->init_text)),
		},
	};
	return fake;
}

static void fake_add(struct kunit *test, struct fake *fake)
{
	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_fake", &fake->set), 0);
}

static void fake_forget(struct fake *fake)
{
	pgo_image_remove(&fake->set);
	pgo_reset("kunit_fake");
}

/* What a raw profile of a fake image is made of */
struct view {
	struct llvm_prf_header *header;
	struct llvm_prf_binary_id *ids;
	struct llvm_prf_record *record;
	u64 *counter;
	char *names;
	struct llvm_prf_value_block *block;
	size_t size;
};

static struct view fake_write(struct kunit *test, struct fake *fake)
{
	struct view view = { .size = pgo_profraw_size(&fake->set) };
	const struct pgo_sections *set = &fake->set;
	struct pgo_text texts[PGO_TEXTS];
	struct pgo_group group = { .sets = &set, .num_sets = 1, .texts = texts };
	void *buf = kunit_kmalloc(test, view.size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	memset(buf, 0xaa, view.size);
	pgo_profraw_write(&group, buf);

	view.header = buf;
	view.ids = (void *)(view.header + 1);
	view.record = (void *)view.ids + view.header->binary_ids_size;
	view.counter = (void *)(view.record + FAKE_RECORDS);
	view.names = (void *)(view.counter + FAKE_COUNTERS);
	view.block = (void *)view.names + ALIGN(sizeof(fake->names), 8);
	return view;
}

/*
 * Clang knows the hook by its name, and drops a call of it with the address of
 * a function that it can see.
 */
static void target(struct fake *fake, void *to, unsigned int site, int times)
{
	OPTIMIZER_HIDE_VAR(to);
	while (times--)
		__llvm_profile_instrument_target((unsigned long)to,
						 fake->data, site);
}

static void memop(struct fake *fake, u64 size)
{
	__llvm_profile_instrument_memop(size, fake->data, 2);
}

/* === Serializer ========================================================= */

static void test_header(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view view = fake_write(test, fake);
	struct llvm_prf_header *header = view.header;

	KUNIT_EXPECT_EQ(test, header->magic, LLVM_PRF_MAGIC);
	KUNIT_EXPECT_EQ(test, header->version, LLVM_PRF_VERSION);
	KUNIT_EXPECT_EQ(test, header->binary_ids_size, 0);
	KUNIT_EXPECT_EQ(test, header->num_data, FAKE_RECORDS);
	KUNIT_EXPECT_EQ(test, header->num_counters, FAKE_COUNTERS);
	KUNIT_EXPECT_EQ(test, header->padding_before_counters, 0);
	KUNIT_EXPECT_EQ(test, header->padding_after_counters, 0);
	KUNIT_EXPECT_EQ(test, header->names_size, sizeof(fake->names));
	KUNIT_EXPECT_EQ(test, header->names_delta, 0);
	KUNIT_EXPECT_EQ(test, header->value_kind_last, LLVM_PRF_NR_KINDS - 1);
	KUNIT_EXPECT_EQ(test, view.size, sizeof(*header) +
			sizeof(fake->data) + sizeof(fake->cnts) +
			ALIGN(sizeof(fake->names), 8) + 8 + 2 * 16 + FAKE_ROOM);
}

static void test_build_id(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	size_t size = pgo_profraw_size(&fake->set);
	struct view view;

	if (!LLVM_PRF_BINARY_IDS)
		kunit_skip(test, "not with this raw version");

	memset(fake->set.build_id, 0x5a, 9);
	fake->set.build_id_size = 9;
	view = fake_write(test, fake);

	KUNIT_EXPECT_EQ(test, view.size, size + 8 + 16);
	KUNIT_EXPECT_EQ(test, view.header->binary_ids_size, 8 + 16);
	KUNIT_EXPECT_EQ(test, view.ids->size, 9);
	KUNIT_EXPECT_MEMEQ(test, view.ids->id, fake->set.build_id, 16);
	KUNIT_EXPECT_EQ(test, view.record->name_ref, 100);
}

static void test_find_build_id(struct kunit *test)
{
	static const struct {
		struct elf32_note other;
		char other_name[4];
		u8 other_desc[4];
		struct elf32_note id;
		char id_name[4];
		u8 id_desc[20];
	} notes = {
		{ 4, 1, 3 }, "Foo", { 1 },
		{ 4, 20, 3 }, "GNU", { [0 ... 19] = 0x5a },
	};
	struct fake *fake = fake_image(test);

	fake->set.notes = range((void *)&notes, sizeof(notes));
	fake_add(test, fake);
	KUNIT_EXPECT_EQ(test, fake->set.build_id_size, 20);
	KUNIT_EXPECT_MEMEQ(test, fake->set.build_id, notes.id_desc, 20);
	fake_forget(fake);
}

/* The reader's own formula must lead to each function's first counter. */
static void test_records(struct kunit *test)
{
	static const int first[FAKE_RECORDS] = { 0, 3, 4 };
	struct fake *fake = fake_image(test);
	struct view view;
	int i;

	for (i = 0; i < FAKE_COUNTERS; i++)
		fake->cnts[i] = 1000 + i;
	view = fake_write(test, fake);

	for (i = 0; i < FAKE_RECORDS; i++) {
		struct llvm_prf_record *record = &view.record[i];
		u64 delta = view.header->counters_delta -
			    (LLVM_PRF_RELATIVE ? i * sizeof(*record) : 0);

		KUNIT_EXPECT_EQ(test, record->name_ref, 100 + i);
		KUNIT_EXPECT_EQ(test, record->func_hash, 200 + i);
		KUNIT_EXPECT_EQ(test, record->num_counters,
				fake->data[i].num_counters);
		KUNIT_EXPECT_EQ(test, record->counter_ptr - delta,
				first[i] * sizeof(u64));
	}
	for (i = 0; i < FAKE_COUNTERS; i++)
		KUNIT_EXPECT_EQ(test, view.counter[i], 1000 + i);
	KUNIT_EXPECT_MEMEQ(test, view.names, FAKE_NAMES, sizeof(fake->names));
	KUNIT_EXPECT_EQ(test, view.names[sizeof(fake->names)], 0);
}

static void test_no_address(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view view;
	size_t i;

	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[16], 0, 1);
	target(fake, kfree, 0, 1);
	view = fake_write(test, fake);

	KUNIT_EXPECT_EQ(test, (u64)view.record[0].function_ptr, 1);
	KUNIT_EXPECT_EQ(test, (u64)view.record[1].function_ptr, 17);
	KUNIT_EXPECT_NULL(test, view.record[2].function_ptr);
	KUNIT_EXPECT_NULL(test, view.record[0].values);

	/* Anything in the upper half of the address space is an address. */
	for (i = 3; i < view.size / sizeof(u64); i++)
		KUNIT_EXPECT_GE_MSG(test, ((s64 *)view.header)[i], 0,
				    "at byte %zu", i * sizeof(u64));
}

static void test_clamp(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view view;

	fake->cnts[0] = LLVM_PRF_COUNTER_MAX + 1;
	fake->cnts[1] = LLVM_PRF_COUNTER_MAX;
	view = fake_write(test, fake);

	KUNIT_EXPECT_EQ(test, view.counter[0], LLVM_PRF_COUNTER_MAX);
	KUNIT_EXPECT_EQ(test, view.counter[1], LLVM_PRF_COUNTER_MAX);
}

static void test_values(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct llvm_prf_values *targets, *memops;
	struct llvm_prf_value *value;
	struct view view;

	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[16], 0, 3);
	target(fake, &fake->init_text[8], 0, 1);
	target(fake, &fake->text[0], 1, 5);
	target(fake, kfree, 1, 2);
	target(fake, vfree, 1, 4);
	memop(fake, 100);
	view = fake_write(test, fake);

	KUNIT_EXPECT_EQ(test, view.block->num_kinds, 2);
	targets = (void *)(view.block + 1);
	KUNIT_EXPECT_EQ(test, targets->kind, LLVM_PRF_KIND_TARGET);
	KUNIT_ASSERT_EQ(test, targets->num_sites, 2);
	KUNIT_ASSERT_EQ(test, targets->counts[0], 2);
	/* What lies outside of the image is one value. */
	KUNIT_ASSERT_EQ(test, targets->counts[1], 2);

	value = (void *)targets + 16;
	KUNIT_EXPECT_EQ(test, value[0].value, 17);
	KUNIT_EXPECT_EQ(test, value[0].count, 3);
	KUNIT_EXPECT_EQ(test, value[1].value, FAKE_TEXT + 9);
	KUNIT_EXPECT_EQ(test, value[1].count, 1);
	KUNIT_EXPECT_EQ(test, value[2].value, 1);
	KUNIT_EXPECT_EQ(test, value[2].count, 5);
	KUNIT_EXPECT_EQ(test, value[3].value, 0);
	KUNIT_EXPECT_EQ(test, value[3].count, 6);

	memops = (void *)&value[4];
	KUNIT_EXPECT_EQ(test, memops->kind, LLVM_PRF_KIND_MEMOP);
	KUNIT_ASSERT_EQ(test, memops->num_sites, 1);
	KUNIT_ASSERT_EQ(test, memops->counts[0], 1);
	value = (void *)memops + 16;
	KUNIT_EXPECT_EQ(test, value->value, 65);
	KUNIT_EXPECT_EQ(test, value->count, 1);

	KUNIT_EXPECT_PTR_EQ(test, (void *)(value + 1),
			    (void *)view.block + view.block->total_size);
}

/* Where there is no text of its own, that of others is found all the same. */
static void test_empty_text(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct llvm_prf_value *value;
	struct view view;

	fake->set.text[1] = range(fake->text, 0);
	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[16], 0, 3);
	view = fake_write(test, fake);

	value = (void *)(view.block + 1) + 16;
	KUNIT_EXPECT_EQ(test, value->value, 17);
	KUNIT_EXPECT_EQ(test, value->count, 3);
}

/* A ring that a stray write has bent does not hold up the reader. */
static void test_ring(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view view;

	fake->vnds[0].next = &fake->vnds[1];
	fake->vnds[1].next = &fake->vnds[1];
	view = fake_write(test, fake);
	KUNIT_EXPECT_EQ(test, view.block->total_size,
			sizeof(*view.block) + 2 * 16);

	fake->vnds[1].node[0].key = (unsigned long)fake->text;
	fake->vnds[1].node[0].count = 1;
	view = fake_write(test, fake);
	KUNIT_EXPECT_EQ(test, view.block->total_size, sizeof(*view.block) +
			2 * 16 + 16 * (PGO_SITE_BLOCKS - 1 + 1));
}

/* The size is that of all nodes there may be, and what is left over is zero. */
static void test_size(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view empty = fake_write(test, fake), full;
	int i;

	pgo_nodes_init(&fake->set);
	for (i = 0; i < 2 * PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], i % 2, 1);
	full = fake_write(test, fake);
	pgo_nodes_free(&fake->set);

	KUNIT_EXPECT_EQ(test, empty.size, full.size);
	KUNIT_EXPECT_EQ(test, full.size % 8, 0);
	KUNIT_EXPECT_EQ(test, empty.block->total_size, 8 + 16 + 16);
	KUNIT_EXPECT_EQ(test, full.block->total_size,
			8 + 16 + 16 + 2 * PGO_SITE_NODES * 16);
	KUNIT_EXPECT_PTR_EQ(test, (void *)full.header + full.size,
			    (void *)full.block + full.block->total_size +
			    PGO_SITE_NODES * 16);
	KUNIT_EXPECT_NULL(test, memchr_inv((void *)empty.block + 40, 0,
					   FAKE_ROOM));
	KUNIT_EXPECT_NULL(test, memchr_inv((void *)full.block +
					   full.block->total_size, 0,
					   PGO_SITE_NODES * 16));
}

static void test_reset(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct llvm_prf_values *targets;
	struct view view;

	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[0], 0, 3);
	fake->cnts[5] = 7;
	pgo_profraw_reset(&fake->set);
	view = fake_write(test, fake);
	targets = (void *)(view.block + 1);

	KUNIT_EXPECT_NULL(test, memchr_inv(view.counter, 0,
					   sizeof(fake->cnts)));
	KUNIT_EXPECT_EQ(test, targets->counts[0], 0);

	/* The node is found again. */
	target(fake, &fake->text[0], 0, 2);
	KUNIT_EXPECT_EQ(test, pgo_start_block(fake->vals[0])->node[0].count, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), 1);
}

/* In one raw profile of two images, one knows the functions of the other. */
static void test_group(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);
	const struct pgo_sections *sets[] = { &one->set, &two->set };
	struct pgo_text texts[2 * PGO_TEXTS];
	struct pgo_group group = { .sets = sets, .num_sets = 2, .texts = texts };
	size_t size = 2 * pgo_profraw_size(&one->set) -
		      sizeof(struct llvm_prf_header);
	struct llvm_prf_header *header = kunit_kmalloc(test, size, GFP_KERNEL);
	struct llvm_prf_record *record = (void *)(header + 1);
	struct llvm_prf_value *value;
	u64 *counter = (void *)&record[2 * FAKE_RECORDS], delta;

	KUNIT_ASSERT_NOT_NULL(test, header);
	pgo_nodes_init(&one->set);
	pgo_nodes_init(&two->set);
	target(one, &two->text[16], 0, 7);
	two->cnts[3] = 42;
	memset(header, 0xaa, size);
	pgo_profraw_write(&group, header);

	KUNIT_EXPECT_EQ(test, header->num_data, 2 * FAKE_RECORDS);
	KUNIT_EXPECT_EQ(test, header->num_counters, 2 * FAKE_COUNTERS);
	KUNIT_EXPECT_EQ(test, counter[FAKE_COUNTERS + 3], 42);
	delta = header->counters_delta -
		(LLVM_PRF_RELATIVE ? 4 * sizeof(*record) : 0);
	KUNIT_EXPECT_EQ(test, record[4].counter_ptr - delta,
			(FAKE_COUNTERS + 3) * sizeof(u64));

	value = (void *)(counter + 2 * FAKE_COUNTERS) +
		2 * ALIGN(sizeof(one->names), 8) + 8 + 16;
	KUNIT_EXPECT_EQ(test, value->value, (u64)record[4].function_ptr);
	KUNIT_EXPECT_EQ(test, value->count, 7);
	KUNIT_EXPECT_NE(test, value->value, (u64)record[1].function_ptr);
	KUNIT_EXPECT_EQ(test, ((u64 *)((void *)header + size))[-1], 0);
}

/* === Validation ========================================================= */

static void test_check(struct kunit *test)
{
	struct fake *good = fake_image(test), *bad;

	KUNIT_EXPECT_NULL(test, pgo_profraw_check(&good->set));

#define EXPECT_REFUSED(_change) do {					\
	bad = fake_image(test);						\
	_change;							\
	KUNIT_EXPECT_NOT_NULL_MSG(test, pgo_profraw_check(&bad->set),	\
				  #_change);				\
} while (0)

	EXPECT_REFUSED(bad->set.data.stop -= 8);
	EXPECT_REFUSED(bad->set.version.stop = bad->set.version.start);
	EXPECT_REFUSED(bad->set.vnds.stop -= 8);
	EXPECT_REFUSED(bad->set.cnts.start += 4);
	EXPECT_REFUSED(bad->set.cnts.stop -= 8);
	EXPECT_REFUSED(bad->data[0].num_counters = 0);
	EXPECT_REFUSED(bad->data[1].num_counters = 4);
	EXPECT_REFUSED(bad->data[1].num_counters = U32_MAX);
	EXPECT_REFUSED(bad->data[0].counter_ptr -= 8);
	EXPECT_REFUSED(bad->data[0].counter_ptr += 1);
	EXPECT_REFUSED(bad->data[2].counter_ptr = -1UL & ~7UL);
	EXPECT_REFUSED(bad->data[0].num_value_sites[LLVM_PRF_KIND_TARGET] = 3);
	EXPECT_REFUSED(bad->data[0].num_value_sites[LLVM_PRF_KIND_MEMOP] = U16_MAX);
	if (LLVM_PRF_NR_KINDS > 2)
		EXPECT_REFUSED(bad->data[0].num_value_sites[LLVM_PRF_NR_KINDS - 1] = 1);
	EXPECT_REFUSED(bad->data[0].values--);
	EXPECT_REFUSED(bad->data[0].values = (void *)8);
	EXPECT_REFUSED(bad->data[0].values = NULL);
#if LLVM_PRF_RAW_VERSION >= 9
	EXPECT_REFUSED(bad->data[0].num_bitmap_bytes = 1);
#endif
	EXPECT_REFUSED(bad->data[0].num_value_sites[LLVM_PRF_KIND_MEMOP] = 0;
		       bad->data[0].values = (void *)bad->vals + 4);
	EXPECT_REFUSED(bad->set.names.stop = bad->set.names.start);
	EXPECT_REFUSED(bad->names[0] = 0);
#undef EXPECT_REFUSED
}

/* === Hooks ============================================================== */

static void test_memop_ranges(struct kunit *test)
{
	static const u64 expect[][2] = {
		{ 0, 0 }, { 1, 1 }, { 8, 8 }, { 9, 9 }, { 15, 9 }, { 16, 16 },
		{ 17, 17 }, { 31, 17 }, { 32, 32 }, { 33, 33 }, { 63, 33 },
		{ 64, 64 }, { 127, 65 }, { 128, 128 }, { 255, 129 },
		{ 256, 256 }, { 257, 257 }, { 511, 257 }, { 512, 512 },
		{ 513, 513 }, { 4096, 513 }, { U64_MAX, 513 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expect); i++) {
		struct fake *fake = fake_image(test);

		pgo_nodes_init(&fake->set);
		memop(fake, expect[i][0]);
		KUNIT_EXPECT_EQ_MSG(test, pgo_start_block(fake->vals[2])->node[0].key,
				    expect[i][1] + 1, "of %llu", expect[i][0]);
	}
}

/* What all nodes of a site have seen, and that none has the value of another */
static u64 site_seen(struct kunit *test, struct fake *fake, unsigned int site)
{
	struct pgo_block *first = &fake->vnds[site], *block;
	unsigned long keys[PGO_SITE_NODES];
	int num = 0, blocks = 0, i, j;
	u64 seen = 0;

	for (block = first; block; block = pgo_next_block(block, first)) {
		KUNIT_ASSERT_LT(test, blocks++, PGO_SITE_BLOCKS);
		for (i = 0; i < PGO_BLOCK_NODES && block->node[i].key; i++) {
			for (j = 0; j < num; j++)
				KUNIT_EXPECT_NE(test, keys[j], block->node[i].key);
			keys[num++] = block->node[i].key;
			seen += pgo_node_seen(&block->node[i]);
		}
	}
	return seen;
}

static struct pgo_node *find_node(struct fake *fake, unsigned int site, void *to)
{
	struct pgo_block *first = &fake->vnds[site], *block;
	int i;

	for (block = first; block; block = pgo_next_block(block, first)) {
		for (i = 0; i < PGO_BLOCK_NODES; i++) {
			if (block->node[i].key == (unsigned long)to)
				return &block->node[i];
		}
	}
	return NULL;
}

/*
 * A full site: a new value takes the node of the rarest once as many as that has
 * counts have found none, which is seen at the next power of two. Nothing is said.
 */
static void test_replace(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	void *new = &fake->text[PGO_SITE_NODES];
	struct pgo_node *node;
	int i;

	pgo_nodes_init(&fake->set);
	for (i = 0; i < PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], 0, i == 7 ? 20 : 30);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), PGO_SITE_NODES);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 0);

	target(fake, new, 0, 32);
	KUNIT_EXPECT_NULL(test, find_node(fake, 0, new));
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 32);
	node = find_node(fake, 0, &fake->text[7]);
	target(fake, new, 0, 5);
	KUNIT_EXPECT_PTR_EQ(test, find_node(fake, 0, new), node);
	KUNIT_EXPECT_EQ(test, pgo_node_seen(node), 5);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 32 + 20);
	KUNIT_EXPECT_EQ(test, site_seen(test, fake, 0), 23 * 30 + 5);

	/* What was not seen since a reset makes room at once. */
	pgo_profraw_reset(&fake->set);
	KUNIT_EXPECT_EQ(test, site_seen(test, fake, 0), 0);
	target(fake, &fake->text[30], 0, 3);
	KUNIT_EXPECT_EQ(test, site_seen(test, fake, 0), 3);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 0);

	/* Half way through a reset, too. */
	node = find_node(fake, 0, &fake->text[1]);
	node->before = 30;
	target(fake, &fake->text[31], 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, find_node(fake, 0, &fake->text[31]), node);
	KUNIT_EXPECT_EQ(test, pgo_node_seen(node), 1);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 0);

	/* A whole one leaves nothing of an earlier value. */
	node->count = 40;
	node->before = 30;
	pgo_nodes_reset(&fake->set);
	target(fake, &fake->text[31], 0, 1);
	KUNIT_EXPECT_EQ(test, pgo_node_seen(node), 1);
	pgo_nodes_free(&fake->set);
}

/*
 * Many values, a few of them hot, whether they come early or late: those are
 * kept. What is not shown is counted as dropped, and is no more than two for
 * each call that found no node.
 */
static void test_many_values(struct kunit *test)
{
	static const int hot[] = { 3, 1234, 4000, 9999 };
	struct fake *fake = fake_image(test);
	u64 calls = 0, seen, hits;
	int round, i, h;

	pgo_nodes_init(&fake->set);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 10000; i++) {
			target(fake, (void *)PAGE_SIZE + i, 0, 1);
			target(fake, (void *)PAGE_SIZE + hot[i % 4], 0, 2);
			calls += 3;
		}
		cond_resched();
	}
	seen = site_seen(test, fake, 0);
	KUNIT_EXPECT_EQ(test, seen + pgo_dropped(&fake->set), calls);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), PGO_SITE_NODES);
	for (h = 0; h < ARRAY_SIZE(hot); h++) {
		struct pgo_node *node =
			find_node(fake, 0, (void *)PAGE_SIZE + hot[h]);

		/* Each was called 100,000 times and 20 more. */
		KUNIT_ASSERT_NOT_NULL(test, node);
		hits = pgo_node_seen(node);
		KUNIT_EXPECT_LE(test, hits, 100020);
		KUNIT_EXPECT_GE(test, hits, 99000);
	}
	pgo_nodes_free(&fake->set);
}

/* The hottest value is found first, even if it comes last. */
static void test_hottest_first(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	void *last = &fake->text[PGO_SITE_NODES - 1];
	int i;

	pgo_nodes_init(&fake->set);
	for (i = 0; i < PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], 0, 2);
	KUNIT_EXPECT_PTR_EQ(test, pgo_start_block(fake->vals[0]), &fake->vnds[0]);
	target(fake, last, 0, 98);
	KUNIT_EXPECT_EQ(test, pgo_start_block(fake->vals[0])->node[PGO_BLOCK_NODES - 1].key,
			(unsigned long)last);
	target(fake, &fake->text[0], 0, 198);
	KUNIT_EXPECT_PTR_EQ(test, pgo_start_block(fake->vals[0]), &fake->vnds[0]);
	/* All are found, wherever one begins. */
	for (i = 0; i < PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], 0, i);
	KUNIT_EXPECT_EQ(test, site_seen(test, fake, 0),
			2 * PGO_SITE_NODES + 98 + 198 + 23 * 24 / 2);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 0);
	pgo_nodes_free(&fake->set);
}

/* So many that the image may have all of the pool */
#define POOL_SITES	7000

/*
 * All of the pool is taken: sites do with what they have. A while later there is
 * more.
 */
static void test_pool(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct pgo_sections *set = &fake->set;
	int site, i, before;

	set->vals = range(kunit_kzalloc(test, POOL_SITES * sizeof(void *),
					GFP_KERNEL), POOL_SITES * sizeof(void *));
	set->vnds = range(vzalloc(POOL_SITES * sizeof(struct pgo_block)),
			  POOL_SITES * sizeof(struct pgo_block));
	KUNIT_ASSERT_NOT_NULL(test, set->vals.start);
	KUNIT_ASSERT_NOT_NULL(test, set->vnds.start);
	fake->data[0].values = set->vals.start;
	pgo_nodes_init(set);

	for (site = 0; site < POOL_SITES && pgo_pool_left(); site++) {
		for (i = 0; i < PGO_SITE_NODES; i++)
			target(fake, &fake->text[i], site, 1);
	}
	before = atomic_read(&set->blocks);
	KUNIT_EXPECT_GT(test, before, 0);
	for (i = 0; i < 3000 && !pgo_pool_left(); i++)
		schedule_timeout_interruptible(HZ / 100 + 1);
	KUNIT_EXPECT_GT(test, pgo_pool_left(), 0);
	for (i = 0; i < PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], POOL_SITES - 1, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&set->blocks),
			before + PGO_SITE_BLOCKS - 1);
	pgo_nodes_free(set);
	vfree(set->vnds.start);
	/* The next test is to find it filled. */
	for (i = 0; i < 3000 && pgo_pool_left() < 300; i++)
		schedule_timeout_interruptible(HZ / 100 + 1);
}

/* An image can't have all of it. */
static void test_pool_limit(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	int i;

	pgo_nodes_init(&fake->set);
	atomic_set(&fake->set.blocks, pgo_max_blocks(&fake->set));
	for (i = 0; i < PGO_SITE_NODES; i++)
		target(fake, &fake->text[i], 0, 1);
	KUNIT_EXPECT_NULL(test, fake->vnds[0].next);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), PGO_BLOCK_NODES);
	KUNIT_EXPECT_EQ(test, site_seen(test, fake, 0) +
			pgo_dropped(&fake->set), PGO_SITE_NODES);
}

/* Once there is room again, who comes next has it, however many came in vain. */
static void test_room_again(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	void *next = &fake->text[PGO_BLOCK_NODES];
	int i;

	pgo_nodes_init(&fake->set);
	atomic_set(&fake->set.blocks, pgo_max_blocks(&fake->set));
	for (i = 0; i < PGO_BLOCK_NODES; i++)
		target(fake, &fake->text[i], 0, 5000);
	target(fake, next, 0, 1100);
	KUNIT_EXPECT_EQ(test, pgo_dropped(&fake->set), 1100);

	atomic_set(&fake->set.blocks, 0);
	for (i = 0; i < 1024 && !find_node(fake, 0, next); i++)
		target(fake, next, 0, 1);
	for (i = PGO_BLOCK_NODES; i < 2 * PGO_BLOCK_NODES; i++) {
		target(fake, &fake->text[i], 0, 1);
		KUNIT_EXPECT_NOT_NULL(test, find_node(fake, 0, &fake->text[i]));
	}
	pgo_nodes_free(&fake->set);
}

/* Without nodes of its own an image must not take those of another. */
static void test_not_registered(struct kunit *test)
{
	struct fake *fake = fake_image(test);

	target(fake, &fake->text[0], 0, 1);
	/* What is no function is as good a value as any, until it is called. */
	target(fake, NULL, 0, 1);
	target(fake, ERR_PTR(-EPERM), 0, 1);
	KUNIT_EXPECT_EQ(test, fake->vals[0], 0);

	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, pgo_start_block(fake->vals[0]), &fake->vnds[0]);
	KUNIT_EXPECT_EQ(test, fake->vnds[0].node[0].count, 1);

	pgo_hooks_off(&fake->set);
	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_EQ(test, fake->vnds[0].node[0].count, 1);
}

#define RACE_TARGETS	24
#define RACE_CALLS	20000

struct race {
	struct fake *fake;
	int targets;
	struct completion done;
};

static int race_thread(void *data)
{
	struct race *race = data;
	int i;

	for (i = 0; i < RACE_CALLS; i++)
		target(race->fake, &race->fake->text[i % race->targets], 0, 1);
	complete(&race->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Two threads call one site, whose values are new to both of them. */
static struct fake *run_race(struct kunit *test, int targets)
{
	struct fake *fake = fake_image(test);
	struct race race = { .fake = fake, .targets = targets };
	struct task_struct *task[2];
	int i;

	pgo_nodes_init(&fake->set);
	init_completion(&race.done);
	for (i = 0; i < 2; i++) {
		task[i] = kthread_run(race_thread, &race, "pgo_race/%d", i);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task[i]);
	}
	/* A thread that is stopped before it ran does not run at all. */
	for (i = 0; i < 2; i++)
		wait_for_completion(&race.done);
	for (i = 0; i < 2; i++)
		kthread_stop(task[i]);
	return fake;
}

static void expect_all_calls(struct kunit *test, struct fake *fake)
{
	u64 seen = site_seen(test, fake, 0);	/* no value is there twice */

	seen += pgo_dropped(&fake->set);
	if (IS_ENABLED(CONFIG_PGO_ATOMIC))
		KUNIT_EXPECT_EQ(test, seen, 2 * RACE_CALLS);
	KUNIT_EXPECT_LE(test, seen, 2 * RACE_CALLS);
	KUNIT_EXPECT_GE(test, seen, RACE_CALLS);
}

static void test_race(struct kunit *test)
{
	int round, i;

	for (round = 0; round < 20; round++) {
		struct fake *fake = run_race(test, RACE_TARGETS);

		expect_all_calls(test, fake);
		KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used),
				RACE_TARGETS);
		for (i = 0; i < RACE_TARGETS; i++)
			KUNIT_EXPECT_NOT_NULL(test,
					      find_node(fake, 0, &fake->text[i]));
		pgo_nodes_free(&fake->set);
	}
}

/* The same with more values than the site can keep */
static void test_race_replace(struct kunit *test)
{
	int round;

	for (round = 0; round < 20; round++) {
		struct fake *fake = run_race(test, 2 * RACE_TARGETS);

		expect_all_calls(test, fake);
		KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used),
				PGO_SITE_NODES);
		pgo_nodes_free(&fake->set);
	}
}

/* === Registry =========================================================== */

static struct pgo_image *find_image(const char *name)
{
	struct pgo_image *image = NULL;

	while ((image = pgo_image_next(image))) {
		if (!strcmp(image->name, name))
			break;
	}
	return image;
}

static void test_registry(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct pgo_image *image;

	fake_add(test, fake);
	image = find_image("kunit_fake");
	KUNIT_EXPECT_NOT_NULL(test, image);
	if (image) {
		KUNIT_EXPECT_EQ(test, image->size, pgo_profraw_size(&fake->set));
		pgo_image_put(image);
	}

	pgo_image_remove(&fake->set);
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), 0);
	KUNIT_EXPECT_NULL(test, find_image("kunit_fake"));
	/* It is not there: nothing happens. */
	pgo_image_remove(&fake->set);
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), -ENOENT);
}

static void test_refused(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct pgo_sections none = { };

	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_none", &none), -ENODATA);

	fake->version++;
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &fake->set), -EINVAL);
	KUNIT_EXPECT_NULL(test, find_image("kunit_fake"));
	/* Its hooks do nothing, and it is not refused, and reported, twice. */
	KUNIT_EXPECT_PTR_EQ(test, fake->data[0].values,
			    (unsigned long *)pgo_no_sites);
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &fake->set), -ENODATA);
}

/* The hooks of a module whose records have another size must find nothing. */
static void test_refused_layout(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	size_t at;

	memset(fake->data, 0x11, sizeof(fake->data));
	fake->set.data.stop -= 16;
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &fake->set), -EINVAL);

	for (at = 0; at + 48 <= sizeof(fake->data) - 16; at += 8) {
		void *data = (void *)fake->data + at;

		__llvm_profile_instrument_memop(8, data, 0);
		__llvm_profile_instrument_memop(8, data, PGO_MAX_SITES - 1);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), 0);
}

static void test_name_taken(struct kunit *test)
{
	struct fake *fake = fake_image(test), *other = fake_image(test);

	fake_add(test, fake);
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &other->set), -EEXIST);
	pgo_image_remove(&other->set);

	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_EQ(test, pgo_start_block(fake->vals[0])->node[0].count, 1);
	fake_forget(fake);
}

static void test_vmlinux(struct kunit *test)
{
	struct pgo_image *image = find_image("vmlinux");
	struct llvm_prf_header *header;

	if (!pgo_range_size(&pgo_vmlinux.data))
		kunit_skip(test, "nothing of vmlinux is instrumented");
	KUNIT_ASSERT_NOT_NULL(test, image);

	header = pgo_snapshot(image);
	pgo_image_put(image);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, header);
	KUNIT_EXPECT_EQ(test, header->magic, LLVM_PRF_MAGIC);
	KUNIT_EXPECT_EQ(test, header->num_data,
			pgo_range_size(&pgo_vmlinux.data) /
			sizeof(struct llvm_prf_record));
	vfree(header);
}

/* What of it is in the file, or an error */
static void *fake_snapshot(struct kunit *test)
{
	struct pgo_image *image = find_image("kunit_fake");
	void *snapshot;

	KUNIT_ASSERT_NOT_NULL(test, image);
	snapshot = pgo_snapshot(image);
	pgo_image_put(image);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, snapshot);
	return snapshot;
}

static bool fake_stats(struct pgo_stats *stats, const char *stem)
{
	u64 id;

	for (id = 0; pgo_next_stats(id, stats); id = stats->id + 1) {
		if (!strcmp(stats->stem, stem))
			return true;
	}
	return false;
}

/* Counters, targets of both kinds of text, one outside, many, and lengths */
static void fake_work(struct fake *fake)
{
	int i;

	fake->cnts[0] += 10;
	fake->cnts[5] += 7;
	target(fake, &fake->text[16], 0, 3);
	target(fake, &fake->init_text[8], 0, 2);
	target(fake, &fake->text[0], 1, 5);
	target(fake, kfree, 1, 2);
	for (i = 0; i < 10; i++)
		target(fake, &fake->text[32 + i], 1, 1);
	memop(fake, 100);
}

/*
 * The profile of a module that is gone is to the byte what it was. When the
 * module is there again, at other addresses, it goes on from there.
 */
static void test_saved(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);
	size_t size = pgo_profraw_size(&one->set);
	void *before, *after;

	fake_add(test, one);
	fake_work(one);
	before = fake_snapshot(test);

	pgo_image_init_done(&one->set);
	after = fake_snapshot(test);
	KUNIT_EXPECT_MEMEQ(test, before, after, size);
	vfree(after);

	pgo_image_remove(&one->set);
	/* Nor do stats show nodes of it that are gone. */
	KUNIT_EXPECT_EQ(test, atomic_read(&one->set.nodes_used), 0);
	memset(one, 0xaa, sizeof(*one));
	after = fake_snapshot(test);
	KUNIT_EXPECT_MEMEQ(test, before, after, size);
	vfree(after);

	fake_add(test, two);
	after = fake_snapshot(test);
	KUNIT_EXPECT_MEMEQ(test, before, after, size);
	vfree(after);
	vfree(before);

	/* Everything is found again: no node more is taken. */
	fake_work(two);
	KUNIT_EXPECT_EQ(test, two->cnts[0], 20);
	KUNIT_EXPECT_EQ(test, two->cnts[5], 14);
	KUNIT_EXPECT_EQ(test, atomic_read(&two->set.nodes_used), 15);
	KUNIT_EXPECT_EQ(test, pgo_start_block(two->vals[0])->node[0].count, 6);
	KUNIT_EXPECT_EQ(test, pgo_start_block(two->vals[0])->node[1].count, 4);
	KUNIT_EXPECT_EQ(test, pgo_start_block(two->vals[1])->next->node[2].count, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&two->set.blocks),
			(12 - 1) / PGO_BLOCK_NODES);
	fake_forget(two);
}

/* A reset does not leave in a saved profile what would come back. */
static void test_saved_reset(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);
	struct pgo_stats stats;

	fake_add(test, one);
	fake_work(one);
	pgo_image_remove(&one->set);
	KUNIT_ASSERT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_SAVED);
	KUNIT_EXPECT_EQ(test, stats.kept, pgo_saved_size(&two->set));
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), 0);
	KUNIT_EXPECT_FALSE(test, fake_stats(&stats, "kunit_fake"));

	fake_add(test, two);
	KUNIT_EXPECT_EQ(test, two->cnts[0], 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&two->set.nodes_used), 0);
	fake_forget(two);
}

static size_t all_kept(void)
{
	struct pgo_stats stats;
	size_t sum = 0;
	u64 id;

	for (id = 0; pgo_next_stats(id, &stats); id = stats.id + 1)
		sum += stats.kept;
	return sum;
}

/* With no memory to spare it goes. */
static void test_not_kept(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	size_t size = pgo_saved_size(&fake->set);
	unsigned long keep = pgo_keep;
	struct pgo_stats stats;

	fake_add(test, fake);
	pgo_keep = all_kept() + size - 1;
	pgo_image_remove(&fake->set);
	KUNIT_EXPECT_FALSE(test, fake_stats(&stats, "kunit_fake"));

	fake = fake_image(test);
	fake_add(test, fake);
	pgo_keep = all_kept() + size;
	pgo_image_remove(&fake->set);
	pgo_keep = keep;
	KUNIT_EXPECT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.kept, size);
	pgo_reset("kunit_fake");
}

/* Another build of the same name is told apart by its build id. */
static void test_builds(struct kunit *test)
{
	static const struct {
		struct elf32_note id;
		char name[4];
		u8 desc[20];
	} notes = {
		{ 4, 20, 3 }, "GNU", { 0xab, [19] = 0x01 },
	};
	static const char *stem =
		"kunit_fake-ab00000000000000000000000000000000000001";
	struct fake *one = fake_image(test), *two = fake_image(test);
	struct fake *again = fake_image(test);
	struct pgo_stats stats;

	fake_add(test, one);
	fake_work(one);
	pgo_image_remove(&one->set);

	two->set.notes = range((void *)&notes, sizeof(notes));
	fake_add(test, two);
	two->cnts[0] = 1;
	KUNIT_EXPECT_TRUE(test, fake_stats(&stats, stem));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_LIVE);
	KUNIT_EXPECT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_SAVED);
	pgo_image_remove(&two->set);

	fake_add(test, again);
	KUNIT_EXPECT_EQ(test, again->cnts[0], 10);
	KUNIT_EXPECT_TRUE(test, fake_stats(&stats, stem));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_SAVED);
	KUNIT_EXPECT_EQ(test, pgo_reset(stem), 0);
	KUNIT_EXPECT_FALSE(test, fake_stats(&stats, stem));
	KUNIT_EXPECT_EQ(test, again->cnts[0], 10);
	fake_forget(again);
}

/* What has the same build id and yet is not the same is not mixed up. */
static void test_other_shape(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);

	fake_add(test, one);
	fake_work(one);
	pgo_image_remove(&one->set);
	two->data[1].func_hash++;
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &two->set), -EEXIST);
	KUNIT_EXPECT_EQ(test, two->cnts[0], 0);
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), 0);
}

/* What other images have seen follows a function, and never finds another. */
static void test_values_follow(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);
	struct fake *other = fake_image(test);
	struct pgo_node *text = &other->vnds[0].node[0];
	struct pgo_node *init = &other->vnds[0].node[1];
	struct pgo_node *third = &other->vnds[0].node[2];
	unsigned long gone;

	fake_add(test, one);
	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_other", &other->set), 0);
	target(other, &one->text[5], 0, 1);
	target(other, &one->init_text[6], 0, 1);

	pgo_image_init_done(&one->set);
	KUNIT_EXPECT_EQ(test, text->key, (unsigned long)&one->text[5]);
	KUNIT_EXPECT_EQ(test, init->key,
			(unsigned long)one->set.text[1].start + 6);
	KUNIT_EXPECT_GT(test, (long)init->key, 0);

	pgo_image_remove(&one->set);
	gone = text->key;
	KUNIT_EXPECT_GT(test, (long)gone, 0);

	/* Something else comes to be where it was. */
	target(other, &one->text[5], 0, 1);
	KUNIT_EXPECT_EQ(test, text->count, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&other->set.nodes_used), 3);
	pgo_forget_text((struct pgo_range []) { one->set.text[0], { } });
	KUNIT_EXPECT_GT(test, (long)third->key, 0);
	KUNIT_EXPECT_NE(test, third->key, gone);

	fake_add(test, two);
	KUNIT_EXPECT_EQ(test, text->key, (unsigned long)&two->text[5]);
	KUNIT_EXPECT_EQ(test, init->key, (unsigned long)&two->init_text[6]);

	fake_forget(two);
	pgo_image_remove(&other->set);
	pgo_reset("kunit_other");
}

struct worker {
	struct fake *fake;
	struct pgo_image *image;
	void *snapshot;
	struct completion done;
};

static int remove_thread(void *data)
{
	struct worker *worker = data;

	pgo_image_remove(&worker->fake->set);
	kthread_complete_and_exit(&worker->done, 0);
}

static int snapshot_thread(void *data)
{
	struct worker *worker = data;

	worker->snapshot = pgo_snapshot(worker->image);
	kthread_complete_and_exit(&worker->done, 0);
}

static void start(struct kunit *test, struct worker *worker,
		  int (*thread)(void *))
{
	struct task_struct *task;

	init_completion(&worker->done);
	task = kthread_run(thread, worker, "pgo_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
}

/*
 * A module that goes waits for its user; who opens its file meanwhile waits for
 * the module, and gets the saved profile. The file is what keeps the image from
 * being freed for the latter; here it is that it stays.
 */
static void test_going(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct worker remover = { .fake = fake }, reader = { };
	struct pgo_stats stats = { };
	int i;

	fake_add(test, fake);
	fake->cnts[0] = 42;
	reader.image = find_image("kunit_fake");
	KUNIT_ASSERT_NOT_NULL(test, reader.image);

	start(test, &remover, remove_thread);
	for (i = 0; i < 1000 && stats.state != PGO_GOING; i++) {
		schedule_timeout_interruptible(1);
		fake_stats(&stats, "kunit_fake");
	}
	KUNIT_EXPECT_EQ(test, stats.state, PGO_GOING);
	start(test, &reader, snapshot_thread);
	schedule_timeout_interruptible(HZ / 10);
	KUNIT_EXPECT_FALSE(test, try_wait_for_completion(&remover.done));
	KUNIT_EXPECT_FALSE(test, try_wait_for_completion(&reader.done));

	pgo_image_put(reader.image);
	wait_for_completion(&remover.done);
	wait_for_completion(&reader.done);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, reader.snapshot);
	KUNIT_EXPECT_EQ(test, ((u64 *)(reader.snapshot +
				       sizeof(struct llvm_prf_header) +
				       sizeof(fake->data)))[0], 42);
	vfree(reader.snapshot);
	pgo_reset("kunit_fake");
}

static void test_stats(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct pgo_stats stats;
	int i;

	fake_add(test, fake);
	for (i = 0; i < PGO_SITE_NODES + 5; i++)
		target(fake, &fake->text[i], 0, 1);
	KUNIT_ASSERT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_LIVE);
	KUNIT_EXPECT_EQ(test, stats.records, FAKE_RECORDS);
	KUNIT_EXPECT_EQ(test, stats.counters, FAKE_COUNTERS);
	KUNIT_EXPECT_EQ(test, stats.sites, FAKE_SITES);
	KUNIT_EXPECT_EQ(test, stats.nodes, 3 * PGO_BLOCK_NODES +
			PGO_SITE_NODES - PGO_BLOCK_NODES);
	KUNIT_EXPECT_EQ(test, stats.used, PGO_SITE_NODES);
	KUNIT_EXPECT_EQ(test, stats.dropped, 5);
	KUNIT_EXPECT_EQ(test, stats.size, pgo_profraw_size(&fake->set));
	KUNIT_EXPECT_EQ(test, stats.kept, 0);
	KUNIT_EXPECT_EQ(test, stats.build_id_size, 0);

	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), 0);
	KUNIT_ASSERT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.dropped, 0);
	fake_forget(fake);
}

static void test_reset_names(struct kunit *test)
{
	struct fake *one = fake_image(test), *two = fake_image(test);

	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_one", &one->set), 0);
	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_two", &two->set), 0);

	one->cnts[0] = 1;
	two->cnts[0] = 2;
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_one"), 0);
	KUNIT_EXPECT_EQ(test, one->cnts[0], 0);
	KUNIT_EXPECT_EQ(test, two->cnts[0], 2);
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_three"), -ENOENT);
	KUNIT_EXPECT_EQ(test, two->cnts[0], 2);

	pgo_image_remove(&one->set);
	pgo_image_remove(&two->set);
	pgo_reset("kunit_one");
	pgo_reset("kunit_two");
}

static struct kunit_case pgo_cases[] = {
	KUNIT_CASE(test_header),
	KUNIT_CASE(test_build_id),
	KUNIT_CASE(test_find_build_id),
	KUNIT_CASE(test_records),
	KUNIT_CASE(test_no_address),
	KUNIT_CASE(test_clamp),
	KUNIT_CASE(test_values),
	KUNIT_CASE(test_empty_text),
	KUNIT_CASE(test_ring),
	KUNIT_CASE(test_size),
	KUNIT_CASE(test_reset),
	KUNIT_CASE(test_group),
	KUNIT_CASE(test_check),
	KUNIT_CASE(test_memop_ranges),
	KUNIT_CASE(test_replace),
	KUNIT_CASE(test_many_values),
	KUNIT_CASE(test_hottest_first),
	KUNIT_CASE(test_pool),
	KUNIT_CASE(test_pool_limit),
	KUNIT_CASE(test_room_again),
	KUNIT_CASE(test_not_registered),
	KUNIT_CASE(test_race),
	KUNIT_CASE(test_race_replace),
	KUNIT_CASE(test_registry),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_refused_layout),
	KUNIT_CASE(test_name_taken),
	KUNIT_CASE(test_vmlinux),
	KUNIT_CASE(test_saved),
	KUNIT_CASE(test_saved_reset),
	KUNIT_CASE(test_not_kept),
	KUNIT_CASE(test_builds),
	KUNIT_CASE(test_other_shape),
	KUNIT_CASE(test_values_follow),
	KUNIT_CASE(test_going),
	KUNIT_CASE(test_stats),
	KUNIT_CASE(test_reset_names),
	{}
};

static struct kunit_suite pgo_suite = {
	.name = "pgo",
	.test_cases = pgo_cases,
};

kunit_test_suite(pgo_suite);

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
#include <linux/module.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../pgo.h"
#include "../profraw.h"

#define FAKE_RECORDS	3
#define FAKE_COUNTERS	6
#define FAKE_SITES	3
#define FAKE_NODES	12
#define FAKE_NAMES	"\005\000a\001b\001c"
#define FAKE_TEXT	64

/* What the linker would have put together */
struct fake {
	struct llvm_prf_record data[FAKE_RECORDS];
	u64 cnts[FAKE_COUNTERS];
	struct llvm_prf_node *vals[FAKE_SITES];
	struct llvm_prf_node vnds[FAKE_NODES];
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
	void *buf = kunit_kmalloc(test, view.size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	memset(buf, 0xaa, view.size);
	pgo_profraw_write(&fake->set, buf);

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
			ALIGN(sizeof(fake->names), 8) + 8 + 2 * 16 +
			FAKE_NODES * 16);
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
	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_fake", &fake->set), 0);
	KUNIT_EXPECT_EQ(test, fake->set.build_id_size, 20);
	KUNIT_EXPECT_MEMEQ(test, fake->set.build_id, notes.id_desc, 20);
	pgo_image_remove(&fake->set);
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

/* What was seen in init text is nobody's once that is freed. */
static void test_init_text_gone(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct llvm_prf_value *value;
	struct view view;

	pgo_nodes_init(&fake->set);
	target(fake, &fake->init_text[8], 0, 7);
	fake->set.text[1].stop = fake->set.text[1].start;
	view = fake_write(test, fake);

	value = (void *)(view.block + 1) + 16;
	KUNIT_EXPECT_EQ(test, value->value, 0);
	KUNIT_EXPECT_EQ(test, value->count, 7);
}

/* A list that a stray write made a ring of does not hold up the reader. */
static void test_ring(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view view;

	fake->vals[0] = &fake->vnds[0];
	fake->vnds[0].next = &fake->vnds[1];
	fake->vnds[1].next = &fake->vnds[0];
	view = fake_write(test, fake);
	KUNIT_EXPECT_EQ(test, view.block->total_size,
			sizeof(*view.block) + 2 * 16);

	fake->vnds[0].count = 1;
	view = fake_write(test, fake);
	KUNIT_EXPECT_EQ(test, view.block->total_size,
			sizeof(*view.block) + 2 * 16 + 16);
}

/* The size is that of all nodes, and what is left over is zero. */
static void test_size(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct view empty = fake_write(test, fake), full;
	int i;

	pgo_nodes_init(&fake->set);
	for (i = 0; i < FAKE_NODES; i++)
		target(fake, &fake->text[i], i % 2, 1);
	full = fake_write(test, fake);

	KUNIT_EXPECT_EQ(test, empty.size, full.size);
	KUNIT_EXPECT_EQ(test, full.size % 8, 0);
	KUNIT_EXPECT_EQ(test, empty.block->total_size, 8 + 16 + 16);
	KUNIT_EXPECT_EQ(test, full.block->total_size,
			8 + 16 + 16 + FAKE_NODES * 16);
	KUNIT_EXPECT_PTR_EQ(test, (void *)full.header + full.size,
			    (void *)full.block + full.block->total_size);
	KUNIT_EXPECT_NULL(test, memchr_inv((void *)empty.block + 40, 0,
					   FAKE_NODES * 16));
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
	KUNIT_EXPECT_EQ(test, fake->vals[0]->count, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), 1);
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
		KUNIT_ASSERT_TRUE(test, pgo_is_node(fake->vals[2]));
		KUNIT_EXPECT_EQ_MSG(test, fake->vals[2]->value, expect[i][1],
				    "of %llu", expect[i][0]);
	}
}

/* A full pool drops the value, counts the drop, and says nothing. */
static void test_exhaustion(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	int i;

	pgo_nodes_init(&fake->set);
	for (i = 0; i < FAKE_NODES + 5; i++)
		target(fake, &fake->text[i], 0, 1);
	target(fake, &fake->text[2], 0, 10);

	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), FAKE_NODES);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&fake->set.dropped), 5);
	KUNIT_EXPECT_EQ(test, fake->vnds[2].count, 11);
	KUNIT_EXPECT_FALSE(test, pgo_is_node(fake->vnds[FAKE_NODES - 1].next));
}

/* Without nodes of its own an image must not take those of another. */
static void test_not_registered(struct kunit *test)
{
	struct fake *fake = fake_image(test);

	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_NULL(test, fake->vals[0]);

	pgo_nodes_init(&fake->set);
	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, fake->vals[0], &fake->vnds[0]);

	pgo_hooks_off(&fake->set);
	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_EQ(test, fake->vnds[0].count, 1);
}

#define RACE_TARGETS	6
#define RACE_CALLS	20000

struct race {
	struct fake *fake;
	struct completion done;
};

static int race_thread(void *data)
{
	struct race *race = data;
	int i;

	for (i = 0; i < RACE_CALLS; i++)
		target(race->fake, &race->fake->text[i % RACE_TARGETS], 0, 1);
	complete(&race->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/*
 * Two threads find the same values new: each makes one node of the list, and
 * what the loser took is not counted in. There are nodes for both.
 */
static void test_race(struct kunit *test)
{
	int round;

	for (round = 0; round < 20; round++) {
		struct fake *fake = fake_image(test);
		struct race race = { .fake = fake };
		struct task_struct *task[2];
		struct llvm_prf_node *node;
		unsigned long seen = 0, linked = 0;
		u64 total = 0;
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

		for (node = fake->vals[0]; pgo_is_node(node); node = node->next) {
			int at = node->value - (unsigned long)fake->text;

			KUNIT_ASSERT_LT(test, at, RACE_TARGETS);
			KUNIT_EXPECT_FALSE(test, seen & BIT(at));
			seen |= BIT(at);
			linked |= BIT(node - fake->vnds);
			total += node->count;
		}
		KUNIT_EXPECT_EQ(test, seen, BIT(RACE_TARGETS) - 1);
		KUNIT_EXPECT_EQ(test, atomic_long_read(&fake->set.dropped), 0);
		KUNIT_EXPECT_LE(test, total, 2 * RACE_CALLS);
		KUNIT_EXPECT_GE(test, total, RACE_CALLS / RACE_TARGETS);
		/* One that was on the list once would have gone on counting. */
		for (i = 0; i < atomic_read(&fake->set.nodes_used); i++) {
			if (!(linked & BIT(i)))
				KUNIT_EXPECT_EQ(test, fake->vnds[i].count, 1);
		}
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

	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_fake", &fake->set), 0);
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &fake->set), -EALREADY);

	image = find_image("kunit_fake");
	KUNIT_EXPECT_NOT_NULL(test, image);
	if (image) {
		KUNIT_EXPECT_EQ(test, image->size, pgo_profraw_size(&fake->set));
		pgo_image_put(image);
	}

	pgo_image_remove(&fake->set);
	KUNIT_EXPECT_NULL(test, find_image("kunit_fake"));
	/* It is not there: nothing happens. */
	pgo_image_remove(&fake->set);
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
	KUNIT_EXPECT_NULL(test, fake->data[0].values);
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
	KUNIT_ASSERT_NULL(test, memchr_inv(fake->data, 0,
					   sizeof(fake->data) - 16));

	for (at = 0; at + 48 <= sizeof(fake->data) - 16; at += 48)
		__llvm_profile_instrument_memop(8, (void *)fake->data + at, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&fake->set.nodes_used), 0);
}

static void test_name_taken(struct kunit *test)
{
	struct fake *fake = fake_image(test), *other = fake_image(test);

	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_fake", &fake->set), 0);
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &other->set), -EEXIST);
	pgo_image_remove(&other->set);

	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, fake->vals[0], &fake->vnds[0]);
	pgo_image_remove(&fake->set);
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

static int remove_thread(void *data)
{
	struct fake *fake = data;

	pgo_image_remove(&fake->set);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static bool is_going(struct pgo_image *image)
{
	guard(spinlock)(&pgo_lock);

	return image->going;
}

/* A module that goes waits for its user; whoever comes then gets -ENODEV. */
static void test_going(struct kunit *test)
{
	struct fake *fake = fake_image(test);
	struct pgo_image *image;
	struct task_struct *task;
	void *snapshot;
	int i;

	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_fake", &fake->set), 0);
	image = find_image("kunit_fake");
	KUNIT_ASSERT_NOT_NULL(test, image);

	snapshot = pgo_snapshot(image);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, snapshot);
	vfree(snapshot);

	task = kthread_run(remove_thread, fake, "pgo_remove");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	for (i = 0; i < 1000 && !is_going(image); i++)
		schedule_timeout_interruptible(1);

	KUNIT_EXPECT_TRUE(test, is_going(image));
	KUNIT_EXPECT_EQ(test, PTR_ERR(pgo_snapshot(image)), -ENODEV);
	KUNIT_EXPECT_EQ(test, pgo_reset("kunit_fake"), -ENOENT);

	pgo_image_put(image);
	kthread_stop(task);
	KUNIT_EXPECT_NULL(test, find_image("kunit_fake"));
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
}

#ifdef CONFIG_MODULES

static struct {
	unsigned int visited;
	unsigned int added;
	unsigned int known;
} replay;

static void replay_forget(struct module *mod)
{
	pgo_image_remove(&mod->pgo);
	replay.visited++;
}

static void replay_add(struct module *mod)
{
	switch (pgo_image_add(mod->name, &mod->pgo)) {
	case 0:
		replay.added++;
		break;
	case -EALREADY:
		replay.known++;
		break;
	}
}

/*
 * The modules that are there already are found. At boot none is: the selftest
 * replay.sh has this run again later, and looks at the numbers.
 */
static void test_replay(struct kunit *test)
{
	unsigned int added;

	memset(&replay, 0, sizeof(replay));
	pgo_visit_modules(replay_forget);
	pgo_visit_modules(replay_add);
	added = replay.added;
	KUNIT_EXPECT_EQ(test, replay.known, 0);

	pgo_visit_modules(replay_add);
	KUNIT_EXPECT_EQ(test, replay.added, added);
	KUNIT_EXPECT_EQ(test, replay.known, added);

	kunit_info(test, "modules visited: %u, added: %u\n", replay.visited,
		   added);
}

#else

static void test_replay(struct kunit *test)
{
	kunit_skip(test, "CONFIG_MODULES is not set");
}

#endif /* CONFIG_MODULES */

static struct kunit_case pgo_cases[] = {
	KUNIT_CASE(test_header),
	KUNIT_CASE(test_build_id),
	KUNIT_CASE(test_find_build_id),
	KUNIT_CASE(test_records),
	KUNIT_CASE(test_no_address),
	KUNIT_CASE(test_clamp),
	KUNIT_CASE(test_values),
	KUNIT_CASE(test_init_text_gone),
	KUNIT_CASE(test_ring),
	KUNIT_CASE(test_size),
	KUNIT_CASE(test_reset),
	KUNIT_CASE(test_check),
	KUNIT_CASE(test_memop_ranges),
	KUNIT_CASE(test_exhaustion),
	KUNIT_CASE(test_not_registered),
	KUNIT_CASE(test_race),
	KUNIT_CASE(test_registry),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_refused_layout),
	KUNIT_CASE(test_name_taken),
	KUNIT_CASE(test_vmlinux),
	KUNIT_CASE(test_going),
	KUNIT_CASE(test_reset_names),
	KUNIT_CASE(test_replay),
	{}
};

static struct kunit_suite pgo_suite = {
	.name = "pgo",
	.test_cases = pgo_cases,
};

kunit_test_suite(pgo_suite);

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

	fake_add(test, fake);
	KUNIT_EXPECT_EQ(test, pgo_image_add("kunit_fake", &other->set), -EEXIST);
	pgo_image_remove(&other->set);

	target(fake, &fake->text[0], 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, fake->vals[0], &fake->vnds[0]);
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

/* Counters, targets of both kinds of text, one outside, and lengths */
static void fake_work(struct fake *fake)
{
	fake->cnts[0] += 10;
	fake->cnts[5] += 7;
	target(fake, &fake->text[16], 0, 3);
	target(fake, &fake->init_text[8], 0, 2);
	target(fake, &fake->text[0], 1, 5);
	target(fake, kfree, 1, 2);
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
	KUNIT_EXPECT_EQ(test, atomic_read(&two->set.nodes_used), 5);
	KUNIT_EXPECT_EQ(test, two->vals[0]->count, 6);
	KUNIT_EXPECT_EQ(test, two->vals[0]->next->count, 4);
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
	struct llvm_prf_node *text = &other->vnds[0], *init = &other->vnds[1];
	unsigned long gone;

	fake_add(test, one);
	KUNIT_ASSERT_EQ(test, pgo_image_add("kunit_other", &other->set), 0);
	target(other, &one->text[5], 0, 1);
	target(other, &one->init_text[6], 0, 1);

	pgo_image_init_done(&one->set);
	KUNIT_EXPECT_EQ(test, text->value, (unsigned long)&one->text[5]);
	KUNIT_EXPECT_EQ(test, init->value,
			(unsigned long)one->set.text[1].start + 6);
	KUNIT_EXPECT_GT(test, (long)init->value, 0);

	pgo_image_remove(&one->set);
	gone = text->value;
	KUNIT_EXPECT_GT(test, (long)gone, 0);

	/* Something else comes to be where it was. */
	target(other, &one->text[5], 0, 1);
	KUNIT_EXPECT_EQ(test, text->count, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&other->set.nodes_used), 3);
	pgo_forget_text((struct pgo_range []) { one->set.text[0], { } });
	KUNIT_EXPECT_GT(test, (long)other->vnds[2].value, 0);
	KUNIT_EXPECT_NE(test, other->vnds[2].value, gone);

	fake_add(test, two);
	KUNIT_EXPECT_EQ(test, text->value, (unsigned long)&two->text[5]);
	KUNIT_EXPECT_EQ(test, init->value, (unsigned long)&two->init_text[6]);

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
	for (i = 0; i < FAKE_NODES + 5; i++)
		target(fake, &fake->text[i], 0, 1);
	KUNIT_ASSERT_TRUE(test, fake_stats(&stats, "kunit_fake"));
	KUNIT_EXPECT_EQ(test, stats.state, PGO_LIVE);
	KUNIT_EXPECT_EQ(test, stats.records, FAKE_RECORDS);
	KUNIT_EXPECT_EQ(test, stats.counters, FAKE_COUNTERS);
	KUNIT_EXPECT_EQ(test, stats.sites, FAKE_SITES);
	KUNIT_EXPECT_EQ(test, stats.nodes, FAKE_NODES);
	KUNIT_EXPECT_EQ(test, stats.used, FAKE_NODES);
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

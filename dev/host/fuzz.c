// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: what must hold of the validator, whatever the section set, and
 * of the serializer, the copy, the reset and the hooks where the validator says
 * that the set holds up.
 *
 * - No byte outside of the sections is read or written, and none of the output
 *   outside of the size that was computed (ASan; all have a block of their own).
 * - Every byte of the output is written, and it depends on nothing but the
 *   content of the set: it is written twice, to memory that was filled in two
 *   ways, from sets at two places.
 * - The output is a raw profile, see fuzz-walk.c.
 * - A copy of a copy is of the same build, and has the same output as what it
 *   is from had.
 * - A reset makes counts 0, and nothing else, and the size stays.
 * - Each call of a hook is counted once, at a node or as dropped.
 *
 * Where FUZZ_SAVE is a folder, what was accepted and has good names is written
 * there, for llvm-profdata.
 */

#include "fuzz.h"

struct pgo_sections pgo_vmlinux;

/**
 * struct outcome - What became of a section set.
 * @fault: what the validator said
 * @buf: the raw profile, on the heap
 * @size: bytes of it
 */
struct outcome {
	const char *fault;
	void *buf;
	size_t size;
};

static void *copy_of(const struct pgo_range *range)
{
	size_t size = pgo_range_size(range);
	void *copy = malloc(size + 1);

	must(copy);
	if (size)
		memcpy(copy, range->start, size);
	return copy;
}

static u64 node_counts(const struct pgo_sections *set)
{
	const struct pgo_block *block;
	unsigned int n, j;
	size_t i;
	u64 sum = 0;

	for (i = 0; i < pgo_num_sites(set); i++) {
		pgo_for_each_block(block, n, pgo_own_block(set, i)) {
			for (j = 0; j < PGO_BLOCK_NODES; j++)
				sum += pgo_node_seen(&block->node[j]);
		}
	}
	return sum;
}

/* Alone, a hook drops values at full sites only. */
static bool has_full_site(const struct pgo_sections *set)
{
	const struct pgo_block *block;
	unsigned int n;
	size_t i;

	for (i = 0; i < pgo_num_sites(set); i++) {
		pgo_for_each_block(block, n, pgo_own_block(set, i)) {
			if (n == PGO_SITE_BLOCKS - 1 &&
			    block->node[PGO_BLOCK_NODES - 1].key)
				return true;
		}
	}
	return false;
}

/* Calls as instrumented code makes them. How many are to be counted? */
static unsigned int call_hook(struct world *world, struct input *in)
{
	char *record = world->set->data.start;
	const char *sites;
	u32 targets, num, site, times, i;
	u64 value;

	record += take(in) % world_num_records(world) * RAW_RECORD_SIZE;
	sites = record + RAW_RECORD_NUM_VALUE_SITES;
	targets = get_raw(sites, sizeof(u16));
	num = targets + get_raw(sites + sizeof(u16), sizeof(u16));
	site = take(in);
	value = 1 + take(in);
	times = 1 + take(in) % 64;
	if (!num)
		return 0;
	site %= num;
	for (i = 0; i < times; i++) {
		if (site < targets)
			__llvm_profile_instrument_target(value, record, site);
		else
			__llvm_profile_instrument_memop(value * value, record, site);
	}
	return times;
}

/* Each block that was returned, and at the start what there is room for */
void pgo_pool_return(struct pgo_block *block)
{
	memset(block, 0, sizeof(*block));
	must(pgo_pool_give(block));
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct pgo_block *block;

	do
		block = calloc(1, sizeof(*block));
	while (pgo_pool_left() < 1024 && pgo_pool_give(block));
	free(block);
	return 0;
}

static void call_hooks(struct world *world, struct input *in)
{
	struct pgo_sections *set = world->set;
	u64 calls = 0;

	/* UBSan does not look at atomic accesses. */
	must((unsigned long)set->vals.start % sizeof(void *) == 0);
	pgo_nodes_init(set);
	while (in->left)
		calls += call_hook(world, in);
	must(node_counts(set) + pgo_dropped(set) == calls);
	must(!pgo_dropped(set) || has_full_site(set));
}

/* As core.c does, to compare it with its own. */
static u64 read_version(const struct pgo_sections *set)
{
	return *(const volatile u64 *)set->version.start;
}

static void write_set(const struct pgo_sections *set, void *buf)
{
	struct pgo_text texts[PGO_TEXTS];
	struct pgo_group group = { .sets = &set, .num_sets = 1, .texts = texts };

	pgo_profraw_write(&group, buf);
}

static void write_profile(const struct world *world, struct outcome *out, u8 fill)
{
	out->size = pgo_profraw_size(world->set);
	out->buf = malloc(out->size);
	must(out->buf);
	memset(out->buf, fill, out->size);
	write_set(world->set, out->buf);
	walk(out->buf, out->size, world);
}

static void check_same(const struct pgo_range *range, void *copy)
{
	must(!pgo_range_size(range) ||
	     !memcmp(range->start, copy, pgo_range_size(range)));
	free(copy);
}

/* Those that lead nowhere are not reset. */
static void forget_counts(struct pgo_block *block, const struct pgo_range *vnds)
{
	size_t i, j, num = pgo_range_size(vnds) / sizeof(*block);

	for (i = 0; i < num; i++) {
		block[i].misses = 0;
		for (j = 0; j < PGO_BLOCK_NODES; j++)
			block[i].node[j].count = block[i].node[j].before = 0;
	}
}

/* The copies have their counts taken away by hand. */
static void reset(const struct world *world, size_t size)
{
	struct pgo_sections *set = world->set;
	void *data = copy_of(&set->data), *names = copy_of(&set->names);
	void *vals = copy_of(&set->vals), *vnds = copy_of(&set->vnds);
	void *cnts = copy_of(&set->cnts);
	struct outcome out;

	memset(cnts, 0, pgo_range_size(&set->cnts) & ~7ul);
	pgo_profraw_reset(set);
	write_profile(world, &out, 0);
	must(!pgo_dropped(set));
	forget_counts(vnds, &set->vnds);
	forget_counts(set->vnds.start, &set->vnds);
	check_same(&set->data, data);
	check_same(&set->names, names);
	check_same(&set->vals, vals);
	check_same(&set->vnds, vnds);
	check_same(&set->cnts, cnts);

	must(out.size == size);
	must(!walk(out.buf, out.size, world));
	free(out.buf);
}

static void check_copy(const struct pgo_sections *copy, const struct outcome *out)
{
	void *buf = malloc(out->size);

	must(buf);
	must(pgo_profraw_size(copy) == out->size);
	write_set(copy, buf);
	must(!memcmp(buf, out->buf, out->size));
	free(buf);
}

static struct pgo_sections *copy_set(struct pgo_sections *set)
{
	struct pgo_sections *copy = pgo_saved_alloc(set);

	must(copy);
	must(pgo_saved_same(set, copy) && pgo_saved_same(copy, set));
	pgo_saved_take(copy, set);
	return copy;
}

/* A copy of a copy, which is gone. */
static struct pgo_sections *copy_twice(const struct world *world)
{
	struct pgo_sections *set = world->set, *one, *two;

	int used = atomic_read(&set->nodes_used), blocks = atomic_read(&set->blocks);

	one = copy_set(set);
	two = copy_set(one);
	pgo_saved_free(one);
	must(atomic_read(&two->nodes_used) == used);
	must(atomic_read(&two->blocks) == blocks);
	must(!atomic_read(&set->blocks));
	must(pgo_dropped(two) == pgo_dropped(set));
	return two;
}

static void save(const struct world *world, const struct outcome *out)
{
	static const char *folder;
	static unsigned int n;
	char path[256];
	FILE *file;

	if (!folder)
		folder = getenv("FUZZ_SAVE") ?: "";
	if (!*folder || !world->good_names)
		return;
	snprintf(path, sizeof(path), "%s/%u.profraw", folder, n++);
	file = fopen(path, "w");
	must(file && fwrite(out->buf, 1, out->size, file) == out->size);
	fclose(file);
}

static struct outcome try(struct input in, u8 fill)
{
	struct pgo_sections *copy;
	struct outcome out = {};
	struct world world;

	world_make(&world, &in);
	out.fault = pgo_profraw_check(world.set);
	if (!out.fault) {
		must(!read_version(world.set));
		if (world.by_hooks)
			call_hooks(&world, &in);
		write_profile(&world, &out, fill);
		save(&world, &out);
		if (world.by_hooks) {
			copy = copy_twice(&world);
			check_copy(copy, &out);
			pgo_nodes_free(copy);
			pgo_saved_free(copy);
		}
		reset(&world, out.size);
		if (world.by_hooks)
			pgo_nodes_free(world.set);
	}
	world_free(&world);
	return out;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct outcome one = try(in, 0x55);
	struct outcome two = try(in, 0xaa);

	must(one.fault == two.fault && one.size == two.size);
	must(!one.size || !memcmp(one.buf, two.buf, one.size));
	free(one.buf);
	free(two.buf);
	return 0;
}

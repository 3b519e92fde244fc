// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench PART ROUNDS: time per call of three implementations of the hook that
 * counts the targets of indirect calls, each in a shared object of its own:
 * llvm.so, ours.so, 2021.so of this folder, and copies of them, llvm-copy.so and so
 * on, with which two threads have nothing in common. Parts:
 *
 *   known	values that their site has already
 *   new	values that it has not: there is room for them, or there is none
 *   two	two threads against one
 *
 * Guarantees a fair comparison on a machine that does other things meanwhile:
 * - A round times all of them right after another, each time beginning with
 *   another. Ratios are those of one round; printed are their quartiles.
 * - Before each time the object's memory is put back as it was loaded, so that
 *   all start alike and no round depends on the ones before.
 * - A time in which the thread was interrupted by another is taken again, and
 *   the number of those is printed.
 * - At the end all make the same calls of known number from a fresh start; what
 *   their profiles then say is for the caller to check.
 *
 * Prints rows of: bench PART CASE WHAT LOW MEDIAN HIGH, with tabs between. WHAT is
 * "ns NAME"; "ratio NAME/NAME"; "net NAME/NAME", the same without the loop around
 * the call; "speed NAME", calls per time of two threads over those of one; "scale
 * NAME", the same over those of two threads with nothing in common in that round,
 * which is what the machine can do: its processors may share a core.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))
#define MAX_CALLS	8192
#define MAX_PIECES	4
#define FULL		24	/* values that a site keeps */

/* === Objects and their memory === */

struct piece {
	void *start;
	void *copy;
	size_t size;
};

static struct object {
	const char *name;
	ElfW(Addr) base;
	calls_fn *calls;
	struct piece pieces[MAX_PIECES];
	int num_pieces;
} objects[] = { { .name = "llvm" }, { .name = "ours" }, { .name = "2021" } },
copies[] = { { .name = "llvm-copy" }, { .name = "ours-copy" }, { .name = "2021-copy" } };

#define NUM_OBJECTS	ARRAY_SIZE(objects)
static struct object loop = { .name = "loop" };
static int cpus[2], num_cpus;
static long disturbed;

/* Copy what is written to, without what is read-only once it is relocated. */
static int save(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object *object = arg;
	ElfW(Addr) start, stop, relro = 0;

	if (info->dlpi_addr != object->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];

		if (phdr->p_type == PT_GNU_RELRO)
			relro = (phdr->p_vaddr + phdr->p_memsz) & -getpagesize();
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		struct piece *piece = &object->pieces[object->num_pieces];

		if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_W))
			continue;
		start = phdr->p_vaddr;
		stop = start + phdr->p_memsz;
		if (start < relro)
			start = relro;
		if (start >= stop)
			continue;
		if (++object->num_pieces > MAX_PIECES)
			errx(1, "%s.so: more than %d pieces", object->name, MAX_PIECES);
		piece->start = (void *)(object->base + start);
		piece->size = stop - start;
		piece->copy = malloc(piece->size);
		if (!piece->copy)
			err(1, "memory");
		memcpy(piece->copy, piece->start, piece->size);
	}
	return 1;
}

static void restore(struct object *object)
{
	for (int i = 0; i < object->num_pieces; i++) {
		struct piece *piece = &object->pieces[i];

		memcpy(piece->start, piece->copy, piece->size);
	}
}

static void *symbol(void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	if (!found)
		errx(1, "%s", dlerror());
	return found;
}

static void load(struct object *object)
{
	struct link_map *map;
	void *handle;
	char path[64];

	snprintf(path, sizeof(path), "./%s.so", object->name);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map))
		errx(1, "%s", dlerror());
	object->base = map->l_addr;
	object->calls = symbol(handle, "calls_of_hook");
	loop.calls = symbol(handle, "calls_of_nothing");
	if (!dl_iterate_phdr(save, object) || !object->num_pieces)
		errx(1, "%s: its memory was not found", path);
}

/* === Lists of calls === */

struct list {
	struct call call[MAX_CALLS];
	long num;
};

static void add(struct list *list, unsigned long long value, unsigned int site)
{
	if (list->num == MAX_CALLS || site >= NUM_SITES)
		errx(1, "too many calls or sites");
	list->call[list->num].value = value;
	list->call[list->num++].site = site;
}

/* Functions are aligned to 16 bytes. These are nobody's. */
static unsigned long long value_of(unsigned int n)
{
	return 0x1000 + 16 * n;
}

static unsigned int some_number(unsigned int below)
{
	static unsigned long long state = 2021;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % below;
}

/*
 * What one thread does: @before once, @timed @warm times for the caches and for
 * what a hook does to its lists, and then @timed @times times by the clock.
 */
struct work {
	struct list before, timed;
	int warm, times;
};

static struct work work[2];

/* Sites from @first on take @values in turn, or each in 4 of 5 calls the last. */
static void known(struct work *work, int values, unsigned int sites, int skewed,
		  unsigned int first)
{
	for (int v = 0; v < values; v++) {
		for (unsigned int s = 0; s < sites; s++)
			add(&work->before, value_of(v), first + s);
	}
	for (int i = 0; i < 1024; i++) {
		int v = i / sites % values;

		if (skewed)
			v = some_number(5) ? values - 1 : (int)some_number(values - 1);
		add(&work->timed, value_of(v), first + i % sites);
	}
	work->warm = 16;
	work->times = 16;
}

/* All sites see the values from number @from up to @to, new ones. */
static void with_room(struct work *work, int from, int to)
{
	for (int v = 0; v < to; v++) {
		for (unsigned int s = 0; s < NUM_SITES; s++)
			add(v < from ? &work->before : &work->timed, value_of(v), s);
	}
	work->times = 1;
}

/*
 * Sites from @first on are full. One in @one_in calls brings a value that was never
 * seen, those from number @next on, the others the last that was kept.
 */
static void without_room(struct work *work, unsigned int sites, int one_in,
			 unsigned int first, unsigned int next)
{
	for (int v = 0; v < FULL; v++) {
		for (unsigned int s = 0; s < sites; s++)
			add(&work->before, value_of(v), first + s);
	}
	for (int i = 0; i < 4096; i++)
		add(&work->timed, some_number(one_in) ? value_of(FULL - 1) :
		    value_of(next + i), first + i % sites);
	work->times = 1;
}

/* === Time === */

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* How often another thread had this one's processor */
static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "processor %d", cpu);
}

static void prepare(const struct object *object, const struct work *work)
{
	object->calls(work->before.call, work->before.num, 1);
	object->calls(work->timed.call, work->timed.num, work->warm);
}

/* Nanoseconds per call, negative if it was disturbed */
static double clocked(const struct object *object, const struct work *work)
{
	long before = switches();
	double time = now();

	object->calls(work->timed.call, work->timed.num, work->times);
	time = now() - time;
	return switches() == before ? time / work->timed.num / work->times : -1;
}

static double time_of(struct object *object)
{
	double time;

	for (;;) {
		restore(object);
		prepare(object, &work[0]);
		time = clocked(object, &work[0]);
		if (time > 0)
			return time;
		disturbed++;
	}
}

/* === Two threads === */

static struct {
	const struct object *object;
	double time;
	sem_t asked;
	atomic_int ready, started, done;
} other;

/* Both are on processors of their own, unless somebody else is there, too. */
static void wait_for(atomic_int *what, int value)
{
	for (int i = 0; atomic_load(what) != value; i++) {
		__builtin_ia32_pause();
		if (i % 4096 == 4095)
			sched_yield();
	}
}

/* Sleeps while the first one is alone: its processor may be half of a core. */
static void *other_thread(void *unused)
{
	pin(cpus[1]);
	for (int round = 1;; round++) {
		sem_wait(&other.asked);
		prepare(other.object, &work[1]);
		atomic_store(&other.ready, round);
		wait_for(&other.started, round);
		other.time = clocked(other.object, &work[1]);
		atomic_store(&other.done, round);
	}
	return unused;
}

/* Time of this thread beside the other one, whose object and time are in other */
static double time_beside(struct object *object, struct object *for_other)
{
	static int round;
	double time;

	for (;;) {
		restore(object);
		restore(for_other);
		prepare(object, &work[0]);
		other.object = for_other;
		round++;
		sem_post(&other.asked);
		wait_for(&other.ready, round);
		atomic_store(&other.started, round);
		time = clocked(object, &work[0]);
		wait_for(&other.done, round);
		if (time > 0 && other.time > 0)
			return time;
		disturbed++;
	}
}

/* === Figures === */

static int rounds;
static const char *part, *row;

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const char *what, double *figures)
{
	qsort(figures, rounds, sizeof(*figures), by_size);
	printf("bench\t%s\t%s\t%s\t%.3f\t%.3f\t%.3f\n", part, row, what,
	       figures[rounds / 4], figures[rounds / 2], figures[rounds * 3 / 4]);
}

static void print_times(const char *name, const double *times)
{
	double copy[rounds];
	char what[32];

	memcpy(copy, times, sizeof(copy));
	snprintf(what, sizeof(what), "ns %s", name);
	print(what, copy);
}

/* Ratios of @a and @b, round by round; "net" is without what the loop takes. */
static void print_ratios(int a, int b, double (*times)[rounds], const double *empty)
{
	double ratio[rounds], net[rounds];
	char what[32];

	for (int i = 0; i < rounds; i++) {
		ratio[i] = times[a][i] / times[b][i];
		net[i] = (times[a][i] - empty[i]) / (times[b][i] - empty[i]);
	}
	snprintf(what, sizeof(what), "ratio %s/%s", objects[a].name, objects[b].name);
	print(what, ratio);
	snprintf(what, sizeof(what), "net %s/%s", objects[a].name, objects[b].name);
	print(what, net);
}

enum { LLVM, OURS, OF_2021 };

static void measure_one(void)
{
	double times[NUM_OBJECTS][rounds], empty[rounds];

	for (int i = 0; i < rounds; i++) {
		for (unsigned int n = 0; n <= NUM_OBJECTS; n++) {
			unsigned int turn = (i + n) % (NUM_OBJECTS + 1);

			if (turn == NUM_OBJECTS)
				empty[i] = time_of(&loop);
			else
				times[turn][i] = time_of(&objects[turn]);
		}
	}
	print_times("loop", empty);
	for (unsigned int n = 0; n < NUM_OBJECTS; n++)
		print_times(objects[n].name, times[n]);
	print_ratios(OURS, LLVM, times, empty);
	print_ratios(OF_2021, LLVM, times, empty);
	print_ratios(OURS, OF_2021, times, empty);
}

/*
 * Beside each other with nothing in common: a copy of the object for the second
 * thread. "speed" is against one thread, "scale" against that.
 */
static void measure_two(int in_common)
{
	double times[NUM_OBJECTS][rounds], speed[NUM_OBJECTS][rounds];
	double scale[NUM_OBJECTS][rounds], own, beside, alone;
	char what[32];

	for (int i = 0; i < rounds; i++) {
		for (unsigned int n = 0; n < NUM_OBJECTS; n++) {
			unsigned int turn = (i + n) % NUM_OBJECTS;
			struct object *object = &objects[turn];

			alone = time_of(object);
			beside = time_beside(object, &copies[turn]);
			own = 1 / beside + 1 / other.time;
			if (in_common)
				beside = time_beside(object, object);
			times[turn][i] = beside;
			speed[turn][i] = alone / beside + alone / other.time;
			scale[turn][i] = (1 / beside + 1 / other.time) / own;
		}
	}
	for (unsigned int n = 0; n < NUM_OBJECTS; n++) {
		print_times(objects[n].name, times[n]);
		snprintf(what, sizeof(what), "speed %s", objects[n].name);
		print(what, speed[n]);
		snprintf(what, sizeof(what), "scale %s", objects[n].name);
		print(what, scale[n]);
	}
}

/* === Parts === */

static void begin(const char *name)
{
	row = name;
	memset(work, 0, sizeof(work));
}

static void measure_known(void)
{
	static const struct {
		const char *name;
		int values, sites, skewed;
	} cases[] = {
		{ "1 value, one site", 1, 1, 0 },
		{ "1 value, 16 sites in turn", 1, 16, 0 },
		{ "3 values in turn, one site", 3, 1, 0 },
		{ "3 values in turn, 16 sites", 3, 16, 0 },
		{ "8 values in turn, one site", 8, 1, 0 },
		{ "8 values in turn, 16 sites", 8, 16, 0 },
		{ "8 values, 80% the last, one site", 8, 1, 1 },
		{ "8 values, 80% the last, 16 sites", 8, 16, 1 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		begin(cases[i].name);
		known(&work[0], cases[i].values, cases[i].sites, cases[i].skewed, 0);
		measure_one();
	}
}

static void measure_new(void)
{
	begin("room: the first of a site");
	with_room(&work[0], 0, 1);
	measure_one();
	begin("room: the 2nd to 8th");
	with_room(&work[0], 1, 8);
	measure_one();
	begin("full: all are new");
	without_room(&work[0], 16, 1, 0, FULL);
	measure_one();
	begin("full: one in 10 is new");
	without_room(&work[0], 16, 10, 0, FULL);
	measure_one();
}

/*
 * Two pages of nodes, of sites from @first on: what is nearer may be fetched ahead of
 * its use, and the first nodes lie beside the record that everybody reads.
 */
static void fill_between(struct list *list, unsigned int first)
{
	for (int i = 0; i < 2 * 4096 / 24; i++)
		add(list, value_of(i % 8), first + i / 8);
}

enum where { COPY, APART, BESIDE, SAME };

/* Values for the threads' sites, so that their nodes are @where they are to be */
static void fill(struct list *list, int values, unsigned int site, enum where where)
{
	fill_between(list, 50);
	for (int v = 0; v < values; v++) {
		add(list, value_of(v), 0);
		if (where == BESIDE)
			add(list, value_of(v), site);
	}
	if (where == APART) {
		fill_between(list, 100);
		for (int v = 0; v < values; v++)
			add(list, value_of(v), site);
	}
}

static void measure_pair(const char *what, int full, enum where where)
{
	static const char * const names[] = {
		"nothing in common", "two sites far apart", "two sites side by side",
		"one site"
	};
	static const unsigned int sites[] = { 0, 200, 1, 0 };
	char name[64];

	snprintf(name, sizeof(name), "%s, %s", what, names[where]);
	begin(name);
	if (full) {
		without_room(&work[0], 1, 1, 0, FULL);
		without_room(&work[1], 1, 1, sites[where], FULL + 4096);
	} else {
		known(&work[0], 3, 1, 0, 0);
		known(&work[1], 3, 1, 0, sites[where]);
	}
	work[0].before.num = 0;
	fill(&work[0].before, full ? FULL : 3, sites[where], where);
	measure_two(where != COPY);
}

static void measure_pairs(void)
{
	pthread_t thread;

	if (num_cpus < 2)
		errx(1, "two threads can't be measured on one processor");
	for (unsigned int n = 0; n < NUM_OBJECTS; n++)
		load(&copies[n]);
	if (sem_init(&other.asked, 0, 0) ||
	    pthread_create(&thread, NULL, other_thread, NULL))
		errx(1, "no second thread");
	for (enum where where = COPY; where <= SAME; where++)
		measure_pair("3 values", 0, where);
	for (enum where where = COPY; where <= SAME; where++)
		measure_pair("full, all are new", 1, where);
}

static void leave_proof_in(struct object *object)
{
	restore(object);
	object->calls(work[1].timed.call, work[1].timed.num, 1);
	object->calls(work[0].timed.call, work[0].timed.num, 1);
}

/*
 * The state that the profiles are to show: each site sees 8 values once, and the
 * first 16 of them then some of those in 1024 calls, which is 64 each.
 */
static void leave_proof(void)
{
	begin("proof");
	known(&work[0], 8, 16, 1, 0);
	with_room(&work[1], 0, 8);
	for (unsigned int n = 0; n < NUM_OBJECTS; n++) {
		leave_proof_in(&objects[n]);
		if (copies[n].calls)
			leave_proof_in(&copies[n]);
	}
}

static void find_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		err(1, "processors");
	for (int cpu = 0; cpu < CPU_SETSIZE && num_cpus < 2; cpu++) {
		if (CPU_ISSET(cpu, &set))
			cpus[num_cpus++] = cpu;
	}
}

static const struct {
	const char *name;
	void (*measure)(void);
} parts[] = {
	{ "known", measure_known },
	{ "new", measure_new },
	{ "two", measure_pairs },
};

int main(int argc, char **argv)
{
	part = argc == 3 ? argv[1] : "";
	rounds = argc == 3 ? atoi(argv[2]) : 0;
	for (unsigned int i = 0; rounds > 0 && i < ARRAY_SIZE(parts); i++) {
		if (strcmp(part, parts[i].name))
			continue;
		find_cpus();
		pin(cpus[0]);
		for (unsigned int n = 0; n < NUM_OBJECTS; n++)
			load(&objects[n]);
		parts[i].measure();
		printf("bench\t%s\t-\tdisturbed\t%ld\n", part, disturbed);
		leave_proof();
		return 0;
	}
	errx(2, "usage: bench known|new|two ROUNDS");
}

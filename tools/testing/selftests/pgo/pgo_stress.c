// SPDX-License-Identifier: GPL-2.0-only
/*
 * pgo_stress [-t SECONDS] [-c CYCLES] [-r] [-k DIR] MODULES: all that can be
 * done to modules and their profiles, on all CPUs at the same time, for so long
 * or until modules of folder MODULES were loaded so often.
 *
 * Succeeds only if nobody saw an error other than that something is not there,
 * and then prints for each module how often it was loaded and what was written
 * to its parameter "run", in sum and in number.
 *
 * With -r, somebody resets what others count. Without, a module has one loader,
 * whom nobody can get in the way, and a profile that was there once may not be
 * missing at any time after.
 *
 * With -k, some of what was read is left in DIR.
 */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "pgo_util.h"

#define KEEP		8	/* copies of a profile, for each reader */
#define HANG		240	/* seconds that nothing may take */
#define MAX_IMAGES	64

static const struct {
	const char *name;
	const char *args;	/* with which it is loaded */
	int error;		/* of its init function then */
	unsigned int calls;	/* what is written to its parameter */
} mods[] = {
	{ "pgo_test_calls", "", 0, 100 },
	{ "pgo_test_values", "", 0, 100 },
	{ "pgo_test_multi", "", 0, 10 },
	/* So few that there is a bound for what may be lost, see stress.sh. */
	{ "pgo_test_cpus", "", 0, 2 },
	{ "pgo_test_life", "owned=1 fail=1", ENODATA, 0 },
};

/* What all processes see */
static struct {
	bool stop;
	bool failed;
	unsigned long loads[ARRAY_SIZE(mods)];
	unsigned long calls[ARRAY_SIZE(mods)];
	unsigned long writes[ARRAY_SIZE(mods)];
	unsigned long opens, missing, stats, resets;
} *all;

struct worker {
	const char *what;
	void (*step)(struct worker *self);
	unsigned int no;	/* of those who do the same */
	pid_t pid;
};

static const char *modules, *keep;
static bool resets;

static void count(unsigned long *what, unsigned long n)
{
	__atomic_fetch_add(what, n, __ATOMIC_RELAXED);
}

static bool stopped(void)
{
	return __atomic_load_n(&all->stop, __ATOMIC_RELAXED);
}

static void stop(void)
{
	__atomic_store_n(&all->stop, true, __ATOMIC_RELAXED);
}

static __noreturn __printf(1, 2) void give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("pgo_stress: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	all->failed = true;
	stop();
	exit(1);
}

/* @err may be 0 or one of these, which end with a 0. */
static void check_error(int err, const char *what, const char *name, ...)
{
	bool allowed = !err;
	va_list args;
	int other;

	va_start(args, name);
	while ((other = va_arg(args, int)))
		allowed |= err == other;
	va_end(args);
	if (!allowed)
		give_up("%s %s: %s", what, name, strerror(err));
}

static void nap(unsigned int max_us)
{
	usleep(rand() % max_us);
}

/* === Loaders ============================================================ */

static void load(unsigned int m)
{
	int err = pgo_load(modules, mods[m].name, mods[m].args);

	if (err == mods[m].error)
		count(&all->loads[m], 1);
	else if (resets)
		check_error(err, "load", mods[m].name, EEXIST, EBUSY, EAGAIN, 0);
	else
		give_up("%s is not loaded: %s", mods[m].name, strerror(err));
}

static void unload(unsigned int m)
{
	int err = pgo_unload(mods[m].name);

	if (resets)
		check_error(err, "unload", mods[m].name, ENOENT, EBUSY, EAGAIN, 0);
	else
		check_error(err, "unload", mods[m].name, 0);
}

static void step_loader(struct worker *self)
{
	unsigned int m = self->no % ARRAY_SIZE(mods);

	load(m);
	nap(20000);
	if (!mods[m].error)
		unload(m);
	nap(2000);
}

/* === Callers ============================================================ */

static void step_caller(struct worker *self)
{
	unsigned int m = rand() % ARRAY_SIZE(mods);
	int err;

	(void)self;
	if (!mods[m].calls)
		return;
	err = pgo_run(mods[m].name, mods[m].calls);
	if (!err) {
		count(&all->calls[m], mods[m].calls);
		count(&all->writes[m], 1);
	}
	/* The module is not there, or goes between open() and write(). */
	check_error(err, "call", mods[m].name, ENOENT, ENODEV, 0);
}

/* === Readers ============================================================ */

static void keep_copy(struct worker *self, const char *image,
		      const struct pgo_buf *buf)
{
	static unsigned int copies;
	bool large = buf->size > 1 << 20;
	char path[4096];
	int fd;

	if (!keep)
		return;
	snprintf(path, sizeof(path), "%s/%s.%u.%u", keep, image, self->no,
		 large ? 0 : copies++ % KEEP);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, buf->bytes, buf->size) != (ssize_t)buf->size)
		give_up("%s: %s", path, strerror(errno));
	close(fd);
}

/* Until the module is gone, but not for ever */
static void wait_unloaded(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	for (int i = 0; i < 50 && !access(path, F_OK); i++)
		usleep(1000);
}

static void check_again(int fd, const char *image, const struct pgo_buf *buf)
{
	struct pgo_buf again;
	int err;

	wait_unloaded(image);
	if (lseek(fd, 0, SEEK_SET))
		give_up("seek in %s: %s", image, strerror(errno));
	err = pgo_read_fd(fd, 1 + rand() % 65536, &again);
	if (err)
		give_up("read %s again: %s", image, strerror(err));
	if (!pgo_same(buf, &again))
		give_up("%s changes while it is open", image);
	free(again.bytes);
}

/* Neither goes with a module. The size of the latter changes with them. */
static bool is_all(const char *image)
{
	return !strcmp(image, "all");
}

static bool stays(const char *image)
{
	return is_all(image) || !strcmp(image, "vmlinux");
}

static void read_profile(struct worker *self, int fd, const char *image)
{
	struct pgo_buf buf;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		give_up("fstat %s: %s", image, strerror(errno));
	err = pgo_read_fd(fd, 1 + st.st_size / 16 + rand() % 8191, &buf);
	if (err)
		give_up("read %s: %s", image, strerror(err));
	if (buf.size != (size_t)st.st_size && !is_all(image))
		give_up("%s: read %zu bytes of %zu", image, buf.size,
			(size_t)st.st_size);
	if (!pgo_is_profile(&buf))
		give_up("%s is no profile", image);
	if (!(rand() % 8))
		check_again(fd, image, &buf);
	keep_copy(self, image, &buf);
	free(buf.bytes);
}

static void step_reader(struct worker *self)
{
	unsigned int m = rand() % ARRAY_SIZE(mods);
	const char *image = rand() % 32 ? mods[m].name :
			    rand() % 2 ? "vmlinux" : "all";
	char path[128];
	int fd;

	pgo_profile_path(path, image);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		if (resets && !stays(image))
			check_error(errno, "open", path, ENOENT, ENODEV, 0);
		else
			give_up("open %s: %s", path, strerror(errno));
		count(&all->missing, 1);
		return;
	}
	count(&all->opens, 1);
	read_profile(self, fd, image);
	close(fd);
}

/* === Statistics ========================================================= */

static const char stats_header[] =
	"image state records counters sites nodes used dropped bytes kept build_id";

struct stats_line {
	char image[128], state[16], build_id[64];
	unsigned long records, counters, sites, nodes, used, dropped, bytes, kept;
};

static void check_stats_line(const struct stats_line *line)
{
	bool live = !strcmp(line->state, "live");

	if (!live && strcmp(line->state, "going") && strcmp(line->state, "saved"))
		give_up("stats: %s is %s", line->image, line->state);
	if (line->used > line->nodes)
		give_up("stats: %s uses %lu nodes of %lu", line->image,
			line->used, line->nodes);
	if (live && line->kept)
		give_up("stats: %s is live and keeps %lu", line->image,
			line->kept);
	if (!strcmp(line->image, "vmlinux") && !live)
		give_up("stats: vmlinux is %s", line->state);
}

static unsigned int parse_stats(char *text, struct stats_line *lines)
{
	unsigned int num = 0;
	char *next;

	next = strchr(text, '\n');
	if (!next)
		give_up("stats have no line");
	*next++ = '\0';
	for (char *c = text; (c = strstr(c, "  ")); )
		memmove(c, c + 1, strlen(c));
	if (strcmp(text, stats_header))
		give_up("stats begin with '%s'", text);

	while (*next) {
		struct stats_line *line = &lines[num++];

		text = next;
		next = strchr(text, '\n');
		if (!next || num == MAX_IMAGES)
			give_up("stats end with '%s'", text);
		*next++ = '\0';
		if (sscanf(text, "%127s %15s %lu %lu %lu %lu %lu %lu %lu %lu %63s",
			   line->image, line->state, &line->records,
			   &line->counters, &line->sites, &line->nodes,
			   &line->used, &line->dropped, &line->bytes,
			   &line->kept, line->build_id) != 11)
			give_up("stats: '%s'", text);
		check_stats_line(line);
	}
	return num;
}

static unsigned int times_in(const struct stats_line *lines, unsigned int num,
			     const char *image)
{
	unsigned int times = 0;

	for (unsigned int i = 0; i < num; i++)
		times += !strcmp(lines[i].image, image);
	return times;
}

static void step_stats(struct worker *self)
{
	static struct stats_line lines[MAX_IMAGES];
	struct pgo_buf buf = { 0 };
	unsigned int num;
	int err;

	(void)self;
	err = pgo_read(PGO_DIR "/stats", 1 + rand() % 4096, &buf);
	if (err)
		give_up("stats: %s", strerror(err));
	buf.bytes = realloc(buf.bytes, buf.size + 1);
	buf.bytes[buf.size] = '\0';
	num = parse_stats(buf.bytes, lines);
	free(buf.bytes);

	/* After a reset, there may be a new one behind the one that was seen. */
	for (unsigned int i = 0; !resets && i < num; i++) {
		if (times_in(lines, num, lines[i].image) != 1)
			give_up("stats: %s more than once", lines[i].image);
	}
	if (times_in(lines, num, "vmlinux") != 1)
		give_up("stats: no vmlinux");
	for (unsigned int m = 0; !resets && m < ARRAY_SIZE(mods); m++) {
		if (times_in(lines, num, mods[m].name) != 1)
			give_up("stats: no %s", mods[m].name);
	}
	count(&all->stats, 1);
	nap(20000);
}

/* === Resetters ========================================================== */

static void step_reset(struct worker *self)
{
	unsigned int m = rand() % (ARRAY_SIZE(mods) + 1);
	const char *name = m < ARRAY_SIZE(mods) ? mods[m].name : "all";
	int err;

	(void)self;
	err = pgo_write(PGO_DIR "/reset", name);
	if (m < ARRAY_SIZE(mods))
		check_error(err, "reset", name, ENOENT, 0);
	else
		check_error(err, "reset", name, 0);
	count(&all->resets, 1);
	nap(20000);
}

/* === All together ======================================================= */

static struct worker workers[64];
static unsigned int num_workers;

static void pin(unsigned int no)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(no % sysconf(_SC_NPROCESSORS_ONLN), &set);
	/* Without it the test is worth a little less. */
	sched_setaffinity(0, sizeof(set), &set);
}

static void start(const char *what, void (*step)(struct worker *self),
		  unsigned int num)
{
	for (unsigned int no = 0; no < num; no++) {
		struct worker *self = &workers[num_workers++];

		*self = (struct worker){ .what = what, .step = step, .no = no };
		self->pid = fork();
		if (self->pid < 0)
			give_up("fork: %s", strerror(errno));
		if (self->pid)
			continue;
		srand(num_workers);
		/* Two loaders of one module, and all others, on two CPUs */
		pin(no / ARRAY_SIZE(mods) + no % ARRAY_SIZE(mods));
		while (!stopped())
			step(self);
		exit(0);
	}
}

static unsigned long cycles(void)
{
	unsigned long sum = 0;

	for (unsigned int m = 0; m < ARRAY_SIZE(mods); m++)
		sum += __atomic_load_n(&all->loads[m], __ATOMIC_RELAXED);
	return sum;
}

static void run_for(unsigned long seconds, unsigned long num_cycles)
{
	unsigned long last = 0, stuck = 0;
	time_t begin = time(NULL);

	while (!stopped()) {
		usleep(100000);
		if (seconds && time(NULL) - begin >= (time_t)seconds)
			break;
		if (num_cycles && cycles() >= num_cycles)
			break;
		stuck = cycles() == last ? stuck + 1 : 0;
		last = cycles();
		if (stuck == 10 * HANG)
			give_up("no module was loaded for %d s", HANG);
	}
	stop();
}

static void join(void)
{
	time_t begin = time(NULL);

	for (unsigned int i = 0; i < num_workers; i++) {
		int status = 0;

		while (!waitpid(workers[i].pid, &status, WNOHANG)) {
			if (time(NULL) - begin > HANG)
				give_up("%s %u does not end", workers[i].what,
					workers[i].no);
			usleep(10000);
		}
		if (status) {
			fprintf(stderr, "pgo_stress: %s %u ended with %#x\n",
				workers[i].what, workers[i].no, status);
			all->failed = true;
		}
	}
}

int main(int argc, char **argv)
{
	unsigned long seconds = 0, num_cycles = 0;
	int option;

	while ((option = getopt(argc, argv, "t:c:rk:")) > 0) {
		if (option == 't')
			seconds = strtoul(optarg, NULL, 0);
		else if (option == 'c')
			num_cycles = strtoul(optarg, NULL, 0);
		else if (option == 'r')
			resets = true;
		else if (option == 'k')
			keep = optarg;
	}
	modules = argv[optind];
	if (!modules || (!seconds && !num_cycles)) {
		fputs("usage: pgo_stress [-t SECONDS] [-c CYCLES] [-r] [-k DIR] MODULES\n",
		      stderr);
		return 2;
	}

	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return 1;

	/* From here on there is a profile of each. */
	for (unsigned int m = 0; m < ARRAY_SIZE(mods); m++) {
		load(m);
		if (!mods[m].error)
			unload(m);
	}

	start("loader", step_loader, (1 + resets) * ARRAY_SIZE(mods));
	start("caller", step_caller, 2);
	start("reader", step_reader, 3);
	start("stats reader", step_stats, 1);
	start("resetter", step_reset, resets);
	run_for(seconds, num_cycles);
	join();

	/* Some loader may have lost the race for the last unload. */
	for (unsigned int m = 0; m < ARRAY_SIZE(mods); m++)
		pgo_unload(mods[m].name);
	for (unsigned int m = 0; m < ARRAY_SIZE(mods); m++)
		printf("%s loads %lu calls %lu writes %lu\n", mods[m].name,
		       all->loads[m], all->calls[m], all->writes[m]);
	printf("profiles read %lu missing %lu\n", all->opens, all->missing);
	printf("stats read %lu\n", all->stats);
	printf("resets done %lu\n", all->resets);
	return all->failed;
}

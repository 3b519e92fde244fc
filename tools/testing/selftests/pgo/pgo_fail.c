// SPDX-License-Identifier: GPL-2.0-only
/*
 * pgo_fail [-s STEP] MODULES: each act fails for want of memory, at its first
 * allocation, at that STEP behind it, and so on until it needs no more. The
 * module is pgo_test_values of folder MODULES.
 *
 * Succeeds only if an act says no worse than that there is no memory, what was
 * learned before is still there, and the same act works right after. That is
 * judged by the bytes of the profile, which is the same for the same history.
 * Unloading never fails; what it may cost is the profile.
 *
 * Prints how often the kernel had to say that a profile is not made or kept.
 */
#include "pgo_util.h"

#define MOD	"pgo_test_values"
#define CALLS	100
#define MAX_NTH	5000

static struct pgo_buf module;	/* the file, of which nothing is to be read later */
static unsigned int step = 1;
static const char *act_name;
static unsigned int nth;
static unsigned int lost;	/* times that a profile was not made or kept */

/* The profile after so many times load, run, and before and after unload */
static struct pgo_buf live, saved[4];
/* And after load, run, reset, run */
static struct pgo_buf live_reset;

static __noreturn __printf(1, 2) void give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "%s, allocation %u: ", act_name, nth);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* === Failing ============================================================ */

static int fail_fd;

static void fail_allocation(unsigned int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(fail_fd, text, size, 0) != size)
		give_up("fail-nth: %s", strerror(errno));
}

/* Did an allocation fail? From here on none does. */
static bool failed(void)
{
	char text[16] = "";

	if (pread(fail_fd, text, sizeof(text) - 1, 0) <= 0)
		give_up("fail-nth: %s", strerror(errno));
	fail_allocation(0);
	return !atoi(text);
}

/* === What must not fail ================================================= */

static void must(int err, const char *what)
{
	if (err)
		give_up("%s: %s", what, strerror(err));
}

static int act_load(void)
{
	return syscall(SYS_init_module, module.bytes, module.size, "") ? errno : 0;
}

static void load(void)
{
	must(act_load(), "load");
}

static void run(void)
{
	must(pgo_run(MOD, CALLS), "run");
}

static void unload(void)
{
	must(pgo_unload(MOD), "unload");
}

static int act_reset(void)
{
	return pgo_write(PGO_DIR "/reset", MOD);
}

static void fresh(void)
{
	int err = pgo_unload(MOD);

	if (err != ENOENT)
		must(err, "unload");
	err = act_reset();
	if (err != ENOENT)
		must(err, "reset");
}

static int get_profile(const char *image, struct pgo_buf *buf)
{
	char path[128];

	pgo_profile_path(path, image);
	return pgo_read(path, 4096, buf);
}

static void get(struct pgo_buf *buf)
{
	must(get_profile(MOD, buf), "read");
}

/* Is it this profile? */
static bool is(const struct pgo_buf *wanted)
{
	struct pgo_buf buf;
	bool same;

	if (get_profile(MOD, &buf))
		return false;
	same = pgo_same(&buf, wanted);
	free(buf.bytes);
	return same;
}

static bool is_gone(void)
{
	struct pgo_buf buf = { 0 };
	int err = get_profile(MOD, &buf);

	if (!err)
		free(buf.bytes);
	return err == ENOENT;
}

static void learn(void)
{
	fresh();
	for (unsigned int i = 1; i < ARRAY_SIZE(saved); i++) {
		load();
		run();
		if (i == 1)
			get(&live);
		unload();
		get(&saved[i]);
	}
	fresh();
	load();
	run();
	must(act_reset(), "reset");
	run();
	get(&live_reset);
}

/* === Acts =============================================================== */

/* There was no memory for the profile, or for all of the act. */
static void expect(int err, int other)
{
	if (err && err != ENOMEM && err != other)
		give_up("%s", strerror(err));
}

static void prepare_loaded(void)
{
	fresh();
	load();
	run();
}

static void prepare_saved(void)
{
	prepare_loaded();
	unload();
}

static void prepare_loaded_again(void)
{
	prepare_saved();
	load();
	run();
}

static int act_vmlinux(void)
{
	struct pgo_buf buf;
	int err = get_profile("vmlinux", &buf);

	if (err)
		return err;
	if (!pgo_is_profile(&buf))
		give_up("this is no profile");
	free(buf.bytes);
	return 0;
}

static void judge_vmlinux(int err)
{
	expect(err, 0);
	must(act_vmlinux(), "read again");
}

static int act_open(void)
{
	struct pgo_buf buf;
	int err = get_profile(MOD, &buf);

	if (err)
		return err;
	if (!pgo_same(&buf, &live))
		give_up("another profile");
	free(buf.bytes);
	return 0;
}

static void judge_open(int err)
{
	expect(err, 0);
	must(act_open(), "read again");
}

static int act_stats(void)
{
	struct pgo_buf buf = { 0 };
	int err = pgo_read(PGO_DIR "/stats", 4096, &buf);

	if (err)
		return err;
	if (!memmem(buf.bytes, buf.size, "\n" MOD " ", strlen("\n" MOD " ")))
		give_up("no line of the module");
	free(buf.bytes);
	return 0;
}

static void judge_stats(int err)
{
	expect(err, 0);
	must(act_stats(), "read again");
}

static void judge_reset(int err)
{
	expect(err, 0);
	must(act_reset(), "reset again");
	run();
	if (!is(&live_reset))
		give_up("another profile after a reset");
}

static void judge_forget(int err)
{
	expect(err, 0);
	err = act_reset();
	if (err != ENOENT)
		must(err, "reset again");
	if (!is_gone())
		give_up("what was saved is there after a reset");
	load();
	run();
	if (!is(&live))
		give_up("another profile after a reset");
}

static void judge_load(int err)
{
	expect(err, 0);
	if (!err) {
		run();
		unload();
		if (is_gone()) {
			lost++;
			load();
			unload();
			if (is_gone())
				give_up("no profile of the next one");
		} else if (!is(&saved[1])) {
			give_up("another profile");
		}
	}
	fresh();
	load();
	run();
	if (!is(&live))
		give_up("another profile of the next one");
	unload();
	if (!is(&saved[1]))
		give_up("another saved profile of the next one");
}

/* Nothing of what was saved goes; what is learned now may. */
static void judge_load_again(int err)
{
	unsigned int had = 1;

	expect(err, 0);
	if (!err) {
		run();
		unload();
		if (is(&saved[2]))
			had = 2;
		else
			lost++;
	}
	if (!is(&saved[had]))
		give_up("what was saved before is not there");
	load();
	run();
	unload();
	if (!is(&saved[had + 1]))
		give_up("another profile of the next one");
}

static int act_unload(void)
{
	return pgo_unload(MOD);
}

static void judge_unload_of(int err, unsigned int had)
{
	must(err, "unload");
	if (is_gone()) {
		lost++;
		had = 0;
	} else if (!is(&saved[had])) {
		give_up("another profile");
	}
	load();
	run();
	unload();
	if (!is(&saved[had + 1]))
		give_up("another profile of the next one");
}

static void judge_unload(int err)
{
	judge_unload_of(err, 1);
}

static void judge_unload_again(int err)
{
	judge_unload_of(err, 2);
}

static const struct act {
	const char *name;
	void (*prepare)(void);
	int (*act)(void);
	void (*judge)(int err);
} acts[] = {
	{ "vmlinux", fresh, act_vmlinux, judge_vmlinux },
	{ "open", prepare_loaded, act_open, judge_open },
	{ "stats", prepare_loaded, act_stats, judge_stats },
	{ "reset", prepare_loaded, act_reset, judge_reset },
	{ "forget", prepare_saved, act_reset, judge_forget },
	{ "load", fresh, act_load, judge_load },
	{ "load-again", prepare_saved, act_load, judge_load_again },
	{ "unload", prepare_loaded, act_unload, judge_unload },
	{ "unload-again", prepare_loaded_again, act_unload, judge_unload_again },
};

static void perform(const struct act *act)
{
	bool more = true;

	act_name = act->name;
	lost = 0;
	for (nth = 1; more; nth += step) {
		int err;

		if (nth > MAX_NTH)
			give_up("it does not end");
		act->prepare();
		fail_allocation(nth);
		err = act->act();
		more = failed();
		if (!more && err)
			give_up("%s without cause", strerror(err));
		act->judge(err);
	}
	printf("%s allocations %u lost %u\n", act->name, (nth - 1) / step - 1,
	       lost);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char path[4096];

	if (getopt(argc, argv, "s:") == 's')
		step = strtoul(optarg, NULL, 0);
	if (!argv[optind] || !step) {
		fputs("usage: pgo_fail [-s STEP] MODULES\n", stderr);
		return 2;
	}
	act_name = "begin";
	snprintf(path, sizeof(path), "%s/" MOD ".ko", argv[optind]);
	must(pgo_read(path, 65536, &module), path);
	fail_fd = open("/proc/self/fail-nth", O_RDWR);
	if (fail_fd < 0)
		give_up("fail-nth: %s", strerror(errno));

	learn();
	for (unsigned int i = 0; i < ARRAY_SIZE(acts); i++)
		perform(&acts[i]);
	fresh();
	return 0;
}

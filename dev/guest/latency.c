// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency N JOB [ARG...]: does a job N times under the latency tracer that is
 * selected, which runs at no other time, and no other process is started
 * meanwhile. Prints on one line: processor time of the job (median, us), longest
 * stretch of a run (median and maximum, us), the functions between which the
 * maximum was, and who had called the last of them.
 *
 *   nothing		uses the processor for 20 ms
 *   read FILE		opens, reads and closes it
 *   write FILE TEXT
 *   load KO NAME	loads a module; then lets it run and unloads it
 *   unload KO NAME	unloads a module that was loaded and ran
 */

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"

static char buf[1 << 20];
static int tracing_on, max_latency;
static char **arg;
static int ko = -1;

static void must(int ok, const char *what)
{
	if (!ok)
		err(1, "%s", what);
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	must(fd >= 0, path);
	return fd;
}

static void set(int fd, const char *text)
{
	must(pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text), text);
}

/* Microseconds of processor time, user and kernel */
static double used(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static void none(void)
{
}

static void nothing(void)
{
	double end = used() + 20000;

	while (used() < end)
		;
}

static void read_file(void)
{
	int fd = open_file(arg[0], O_RDONLY);
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		;
	must(!n, arg[0]);
	close(fd);
}

static void write_file(void)
{
	int fd = open_file(arg[0], O_WRONLY);

	set(fd, arg[1]);
	close(fd);
}

static void open_module(void)
{
	ko = open_file(arg[0], O_RDONLY);
}

static void load(void)
{
	must(!syscall(SYS_finit_module, ko, "", 0), arg[0]);
}

static void unload(void)
{
	must(!syscall(SYS_delete_module, arg[1], O_NONBLOCK), arg[1]);
}

/* Each value site sees all values that it can keep. */
static void run_module(void)
{
	char path[256];
	int fd;

	close(ko);
	snprintf(path, sizeof(path), "/sys/module/%s/parameters/run", arg[1]);
	fd = open_file(path, O_WRONLY);
	set(fd, "1");
	close(fd);
}

static void load_and_run(void)
{
	open_module();
	load();
	run_module();
}

static void run_and_unload(void)
{
	run_module();
	unload();
}

static const struct job {
	const char *name;
	int args;
	void (*before)(void);
	void (*work)(void);
	void (*after)(void);
} jobs[] = {
	{ "nothing", 0, none, nothing, none },
	{ "read", 1, none, read_file, none },
	{ "write", 2, none, write_file, none },
	{ "load", 2, open_module, load, run_and_unload },
	{ "unload", 2, load_and_run, unload, none },
};

/* Do @job once and return the longest stretch. */
static long once(const struct job *job, double *time)
{
	char text[32] = "";

	job->before();
	usleep(50000);	/* for what others have to do after that */
	set(max_latency, "0");
	*time = used();
	set(tracing_on, "1");
	job->work();
	set(tracing_on, "0");
	*time = used() - *time;
	must(pread(max_latency, text, sizeof(text) - 1, 0) > 0, "tracing_max_latency");
	return atol(text);
}

/* What the header of the trace has behind @key, up to the end of the line */
static void find_place(const char *header, const char *key, char *place)
{
	const char *found = strstr(header, key);

	if (!found || sscanf(found + strlen(key), " %63s", place) != 1)
		snprintf(place, 64, "-");
}

/* The stack that ends the trace, without what is of the tracer */
static void find_callers(char *trace, char *callers, size_t size)
{
	char *line, *name;

	*callers = 0;
	for (line = strtok(trace, "\n"); line; line = strtok(NULL, "\n")) {
		name = line + 4;
		if (strncmp(line, " => ", 4) || strstr(name, "trace"))
			continue;
		if (strlen(callers) + strlen(name) + 2 > size)
			break;
		strcat(strcat(callers, " "), name);
	}
}

static void find_places(char *from, char *to, char *callers, size_t size)
{
	int fd = open_file(TRACING "trace", O_RDONLY);
	ssize_t n, all = 0;

	while ((n = read(fd, buf + all, sizeof(buf) - 1 - all)) > 0)
		all += n;
	must(!n, "trace");
	buf[all] = 0;
	close(fd);
	find_place(buf, "=> started at:", from);
	find_place(buf, "=> ended at:", to);
	find_callers(buf, callers, size);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *figures, int n)
{
	qsort(figures, n, sizeof(*figures), by_size);
	return figures[n / 2];
}

static void repeat(const struct job *job, int n)
{
	double time[n], latency[n], max = -1;
	char from[64], to[64], callers[400];

	/* What happens the first time only is not counted. */
	once(job, time);
	job->after();
	for (int i = 0; i < n; i++) {
		latency[i] = once(job, &time[i]);
		if (latency[i] > max) {
			max = latency[i];
			find_places(from, to, callers, sizeof(callers));
		}
		job->after();
	}
	printf("%.0f %.0f %.0f %s %s%s\n", median(time, n), median(latency, n), max,
	       from, to, callers);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;

	arg = argv + 3;
	tracing_on = open_file(TRACING "tracing_on", O_WRONLY);
	max_latency = open_file(TRACING "tracing_max_latency", O_RDWR);
	memset(buf, 1, sizeof(buf));
	set(tracing_on, "0");
	for (size_t i = 0; n > 0 && i < sizeof(jobs) / sizeof(*jobs); i++) {
		if (!strcmp(argv[2], jobs[i].name) && argc - 3 == jobs[i].args) {
			repeat(&jobs[i], n);
			return 0;
		}
	}
	errx(2, "usage: latency N JOB [ARG...]");
}

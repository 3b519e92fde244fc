// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure N COMMAND: lets bash do COMMAND once to warm up and then N times,
 * and prints one line for each of these: nanoseconds that passed, nanoseconds in
 * which the processors were idle, and clock ticks that all processors spent in
 * programs and in the kernel. Ticks are samples, and say what a share is, roughly.
 * Fails if the command does.
 */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct figures {
	long long passed, idle, user, system;
};

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static FILE *opened(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		err(1, "%s", path);
	return file;
}

/* To the nanosecond, which /proc/stat is not; the sum over all processors. */
static long long idle(void)
{
	FILE *file = opened("/proc/timer_list");
	long long sum = 0, one;
	char line[512];
	int found = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, " .idle_sleeptime : %lld", &one) == 1) {
			sum += one;
			found++;
		}
	}
	fclose(file);
	if (!found)
		errx(1, "no idle_sleeptime in /proc/timer_list");
	return sum;
}

static struct figures read_figures(void)
{
	FILE *file = opened("/proc/stat");
	long long user, nice, system, unused, irq, softirq;
	struct figures figures;

	if (fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &system,
		   &unused, &unused, &irq, &softirq) != 7)
		errx(1, "/proc/stat is not as expected");
	fclose(file);
	figures.user = user + nice;
	figures.system = system + irq + softirq;
	figures.idle = idle();
	figures.passed = now();
	return figures;
}

/* What it says is not among the figures. */
static void run(const char *command)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		dup2(2, 1);
		execl("/bin/bash", "bash", "-ec", command, NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "status %#x of: %s", status, command);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		errx(2, "usage: measure N COMMAND");
	run(argv[2]);
	for (int i = atoi(argv[1]); i > 0; i--) {
		struct figures a = read_figures(), b;

		run(argv[2]);
		b = read_figures();
		printf("%lld %lld %lld %lld\n", b.passed - a.passed, b.idle - a.idle,
		       b.user - a.user, b.system - a.system);
	}
	return 0;
}

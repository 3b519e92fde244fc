// SPDX-License-Identifier: GPL-2.0-only
/*
 * pgo_syscalls N: makes exactly N times a system call that hardly anybody else
 * makes.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	while (n-- > 0) {
		if (syscall(SYS_sched_get_priority_max, SCHED_FIFO) < 0)
			return 1;
	}
	return 0;
}

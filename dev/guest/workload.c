// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload JOB N [DIR]: does one kind of work exactly N times and nothing else,
 * so that the counts in a profile can be told from its arguments. Prints
 * nothing unless it fails.
 *
 * workload time TIMES JOB N [DIR]: does the job once and then TIMES times, and
 * prints the nanoseconds of each time but the first.
 */

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buf[16384];

static void must(int ok, const char *what)
{
	if (!ok)
		err(1, "%s", what);
}

/* Create, write, sync, read and delete n files in dir. */
static void files(int n, const char *dir)
{
	char path[4096];

	for (int i = 0; i < n; i++) {
		size_t size = 1 + i * 37 % sizeof(buf);
		int fd;

		snprintf(path, sizeof(path), "%s/file%d", dir, i);
		fd = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
		must(fd >= 0, path);
		must(write(fd, buf, size) == (ssize_t)size, "write");
		if (i % 16 == 0)
			must(!fsync(fd), "fsync");
		must(pread(fd, buf, size, 0) == (ssize_t)size, "read");
		close(fd);
	}
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/file%d", dir, i);
		must(!unlink(path), "unlink");
	}
}

/* The shortest system call */
static void syscalls(int n)
{
	while (n--)
		must(syscall(SYS_getppid) > 0, "getppid");
}

/* n times there and back: write to out, read from in. */
static void ping_pong(int n, int in, int out, int echo)
{
	char c = 0;

	while (n--) {
		if (!echo)
			must(write(out, &c, 1) == 1, "write");
		must(read(in, &c, 1) == 1, "read");
		if (echo)
			must(write(out, &c, 1) == 1, "write");
	}
}

/* A child echoes what its parent says on another pair of descriptors. */
static void talk(int n, int in, int out, int child_in, int child_out)
{
	pid_t pid = fork();
	int status;

	must(pid >= 0, "fork");
	ping_pong(n, pid ? in : child_in, pid ? out : child_out, !pid);
	if (!pid)
		_exit(0);
	must(waitpid(pid, &status, 0) == pid && !status, "child");
}

static void pipes(int n)
{
	int there[2], back[2];

	must(!pipe(there) && !pipe(back), "pipe");
	talk(n, back[0], there[1], there[0], back[1]);
}

static void unix_sockets(int n)
{
	int fd[2];

	must(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd), "socketpair");
	talk(n, fd[0], fd[0], fd[1], fd[1]);
}

static void tcp(int n)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t len = sizeof(addr);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	int on = 1, peer;

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(!bind(server, (void *)&addr, sizeof(addr)), "bind");
	must(!listen(server, 1), "listen");
	must(!getsockname(server, (void *)&addr, &len), "getsockname");
	must(!connect(client, (void *)&addr, len), "connect");
	peer = accept(server, NULL, NULL);
	must(peer >= 0, "accept");
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	talk(n, client, client, peer, peer);
}

static void hash_with(int n, const char *name)
{
	struct sockaddr_alg addr = {
		.salg_family = AF_ALG, .salg_type = "hash",
	};
	int alg = socket(AF_ALG, SOCK_SEQPACKET, 0);
	unsigned char digest[64];
	int fd;

	must(alg >= 0, "AF_ALG");
	strcpy((char *)addr.salg_name, name);
	must(!bind(alg, (void *)&addr, sizeof(addr)), name);
	fd = accept(alg, NULL, NULL);
	must(fd >= 0, "accept");
	while (n--) {
		must(send(fd, buf, 4096, 0) == 4096, "send");
		must(read(fd, digest, sizeof(digest)) > 0, "digest");
	}
}

static void hash(int n)
{
	hash_with(n, "sha256");
	hash_with(n, "sha512");
}

/* Start this program n times. */
static void exec(int n)
{
	while (n--) {
		pid_t pid = fork();
		int status;

		must(pid >= 0, "fork");
		if (!pid) {
			execl("/proc/self/exe", "workload", "nothing", "0", NULL);
			_exit(127);
		}
		must(waitpid(pid, &status, 0) == pid && !status, "exec");
	}
}

static int do_job(int argc, char **argv)
{
	const char *job = argc > 0 ? argv[0] : "";
	int n = argc > 1 ? atoi(argv[1]) : 0;

	if (!strcmp(job, "files") && argc > 2)
		files(n, argv[2]);
	else if (!strcmp(job, "syscall"))
		syscalls(n);
	else if (!strcmp(job, "pipe"))
		pipes(n);
	else if (!strcmp(job, "unix"))
		unix_sockets(n);
	else if (!strcmp(job, "tcp"))
		tcp(n);
	else if (!strcmp(job, "hash"))
		hash(n);
	else if (!strcmp(job, "exec"))
		exec(n);
	else if (strcmp(job, "nothing"))
		return 0;
	return 1;
}

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static int time_job(int times, int argc, char **argv)
{
	int ok = do_job(argc, argv);

	while (ok && times--) {
		long long start = now();

		do_job(argc, argv);
		printf(" %lld", now() - start);
	}
	return ok;
}

int main(int argc, char **argv)
{
	int ok;

	if (argc > 2 && !strcmp(argv[1], "time"))
		ok = time_job(atoi(argv[2]), argc - 3, argv + 3);
	else
		ok = do_job(argc - 1, argv + 1);
	if (!ok)
		errx(2, "usage: workload [time TIMES] files|syscall|pipe|unix|tcp|hash|exec N [DIR]");
	return 0;
}

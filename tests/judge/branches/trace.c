// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program instruction by instruction and writes every address that it executes.
 *
 * usage: trace ADDRESSES MAPS PROGRAM [ARGUMENT...]
 *
 * ADDRESSES gets the addresses as words, from the program's entry on; MAPS gets /proc/PID/maps as it is
 * before the program ends.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
	fprintf(stderr, "trace: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void copy_maps(pid_t pid, const char *path)
{
	char from[32], line[4096];
	FILE *in, *out = fopen(path, "w");

	snprintf(from, sizeof(from), "/proc/%d/maps", pid);
	in = fopen(from, "r");
	if (!in || !out)
		fail(path);
	while (fgets(line, sizeof(line), in))
		fputs(line, out);
	fclose(in);
	if (fclose(out))
		fail(path);
}

static void child(char **argv)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	execv(argv[0], argv);
	_exit(127);
}

/* Whether the next instruction ends the process: syscall with the number of exit_group. */
static int is_end(pid_t pid, const struct user_regs_struct *r)
{
	long word;

	if (r->rax != SYS_exit_group && r->rax != SYS_exit)
		return 0;
	word = ptrace(PTRACE_PEEKTEXT, pid, (void *)r->rip, NULL);
	return (word & 0xffff) == 0x050f;
}

int main(int argc, char **argv)
{
	struct user_regs_struct r;
	int status, mapped = 0;
	uint64_t pc;
	FILE *out;
	pid_t pid;

	if (argc < 4)
		return 2;
	out = fopen(argv[1], "wb");
	if (!out)
		fail(argv[1]);
	pid = fork();
	if (!pid)
		child(argv + 3);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (ptrace(PTRACE_GETREGS, pid, NULL, &r))
			fail("PTRACE_GETREGS");
		pc = r.rip;
		fwrite(&pc, sizeof(pc), 1, out);
		if (!mapped && is_end(pid, &r)) {
			copy_maps(pid, argv[2]);
			mapped = 1;
		}
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			fail("PTRACE_SINGLESTEP");
	}
	if (fclose(out))
		fail(argv[1]);
	return !mapped || !WIFEXITED(status) || WEXITSTATUS(status);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Runs objdump: what it may do, what it reads, and which one it is. */
#include "annotate/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core.h"
#include "jail/privilege.h"
#include "supply/locate.h"
#include "util/file.h"

#include "util/poison.h"

/* Lines before the first instruction, and those that are cut into parts. */
#define HEAD_LINES 64u

/* Exit status of a child in which objdump could not be run. */
#define NOT_RUN 127

/**
 * struct tool - objdump's words for an architecture
 * @program: that knows it wherever it is installed
 * @package: Debian's
 * @machine: for -m
 */
struct tool {
	const char *program;
	const char *package;
	const char *machine;
};

static const struct tool *tool_of(const struct ustack_arch *arch)
{
	static const struct tool x86 = { "x86_64-linux-gnu-objdump", "binutils-x86-64-linux-gnu",
					 "i386:x86-64" };
	static const struct tool arm = { "aarch64-linux-gnu-objdump", "binutils-aarch64-linux-gnu",
					 "aarch64" };

	return arch == &ustack_arch_x86_64 ? &x86 : &arm;
}

/* In the new process: the code is its standard input, its text goes to @out. */
static _Noreturn void exec_objdump(const struct objdump_request *q, const char *program, int code,
				   int out)
{
	char adjust[64], path[] = "/proc/self/fd/0", c_locale[] = "LC_ALL=C";
	char *const environment[] = { c_locale, NULL };
	const char *const args[] = {
		program, "-D", "-z", "-w", "-b", "binary", "-EL", "--no-show-raw-insn",
		"-m", tool_of(q->arch)->machine, "-M",
		q->arch != &ustack_arch_x86_64 ? "aliases" : q->intel ? "intel" : "att",
		adjust, path, NULL,
	};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	sigset_t none;

	snprintf(adjust, sizeof(adjust), "--adjust-vma=0x%" PRIx64, q->address);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(code, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || null < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(NOT_RUN);
	privilege_limit(RLIMIT_AS, OBJDUMP_MEMORY);
	privilege_limit(RLIMIT_CPU, OBJDUMP_SECONDS);
	privilege_limit(RLIMIT_CORE, 0);
	privilege_limit(RLIMIT_FSIZE, 0);
	if (privilege_nobody(0))
		_exit(NOT_RUN);
	execvpe(program, (char *const *)args, environment);
	_exit(NOT_RUN);
}

/**
 * struct reading - of the text
 * @q: what was asked for
 * @next: the least address of the next instruction
 * @nr: instructions
 */
struct reading {
	const struct objdump_request *q;
	int (*take)(const struct objdump_line *line, void *arg);
	void *arg;
	uint64_t next;
	uint64_t nr;
};

static int take_line(struct reading *r, const char *text, size_t len)
{
	struct objdump_line line;

	if (!objdump_line(text, len, &line))
		return 0;
	if (line.address < r->next || line.address - r->q->address >= r->q->len)
		return -EBADMSG;
	r->next = line.address + 1;
	r->nr++;
	return r->take(&line, r->arg);
}

static int read_lines(struct reading *r, FILE *in)
{
	/* an instruction has a byte at the least; the rest is a head */
	uint64_t left = r->q->len + HEAD_LINES;
	char line[OBJDUMP_LINE];
	bool cut = false;
	int err = 0;
	size_t len;

	while (!err && fgets(line, sizeof(line), in)) {
		if (!left--)
			return -EBADMSG;
		len = strlen(line);
		/* what follows the first part of a line that is too long is no line */
		if (!cut)
			err = take_line(r, line, len && line[len - 1] == '\n' ? len - 1 : len);
		cut = !len || line[len - 1] != '\n';
	}
	return err;
}

/* The code as a file that can be opened again. */
static int code_file(const struct objdump_request *q)
{
	int fd = memfd_create("code", MFD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = file_write_all(fd, q->code, q->len);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Return: 0; -ENOENT if it cannot be run or does not know the machine; another negative errno. */
static int run(const struct objdump_request *q, const char *program, struct reading *r)
{
	int code = code_file(q), out[2], status = 0, err;
	FILE *in = NULL;
	pid_t pid;

	if (code < 0)
		return code;
	if (pipe2(out, O_CLOEXEC)) {
		err = -errno;
		close(code);
		return err;
	}
	pid = fork();
	err = pid < 0 ? -errno : 0;
	if (!pid)
		exec_objdump(q, program, code, out[1]);
	close(code);
	close(out[1]);
	if (!err)
		in = fdopen(out[0], "r");
	if (!in) {
		err = err ? err : -ENOMEM;
		close(out[0]);
	} else {
		err = read_lines(r, in);
		fclose(in);
	}
	if (pid < 0)
		return err;
	if (err)
		privilege_kill(pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (err)
		return err;
	if (WIFEXITED(status) && WEXITSTATUS(status) && !r->nr)
		return -ENOENT;
	return status ? -EBADMSG : 0;
}

static int say_missing(const struct objdump_request *q, struct diag *diag)
{
	const struct tool *t = tool_of(q->arch);

	if (q->program)
		return diag_set(diag, ENOENT, q->program, "cannot be run, or does not know %s",
				q->arch->name);
	return diag_set(diag, ENOENT, "objdump",
			"is not there, or does not know %s: apt-get install %s, or --objdump PATH",
			q->arch->name, q->arch == supply_native_arch() ? "binutils" : t->package);
}

int objdump_run(const struct objdump_request *q,
		int (*take)(const struct objdump_line *line, void *arg), void *arg,
		struct diag *diag)
{
	const char *const programs[] = { q->program ? q->program : tool_of(q->arch)->program,
					 q->program ? NULL : "objdump" };
	struct reading r = { .q = q, .take = take, .arg = arg, .next = q->address };
	int err = -ENOENT;
	size_t i;

	for (i = 0; i < 2 && programs[i] && err == -ENOENT; i++)
		err = run(q, programs[i], &r);
	if (err == -ENOENT)
		return say_missing(q, diag);
	if (err == -EBADMSG)
		return diag_set(diag, EBADMSG, programs[i - 1], "what it says is no disassembly of what "
				"it was given");
	return err ? diag_errno(diag, -err, programs[i - 1]) : 0;
}

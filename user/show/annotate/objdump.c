// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs objdump in a jail on the code of one function, and checks its output. See
 * objdump.h; insns.c calls it.
 */
#include "show/annotate/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core.h"
#include "host/jail/jail.h"
#include "host/file/locate.h"
#include "util/file.h"

#include "util/poison.h"

/*
 * Limit for lines before the first instruction, and for the rest of lines that
 * are too long.
 */
#define HEAD_LINES 64u

/**
 * struct tool - names for an architecture
 * @program: name of the objdump that always knows the architecture, if it is
 *	installed
 * @package: Debian's package of it
 * @machine: argument for -m
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

/* A request, and one of the programs that may handle it. */
struct task {
	const struct objdump_request *q;
	const char *program;
};

/*
 * Runs in the jail: standard input is the code, standard output gets the text.
 */
static int exec_objdump(void *arg)
{
	const struct task *t = arg;
	const struct objdump_request *q = t->q;
	char adjust[64], path[] = "/proc/self/fd/0", c_locale[] = "LC_ALL=C";
	char *const environment[] = { c_locale, NULL };
	const char *const args[] = {
		t->program, "-D", "-z", "-w", "-b", "binary", "-EL", "--no-show-raw-insn",
		"-m", tool_of(q->arch)->machine, "-M",
		q->arch != &ustack_arch_x86_64 ? "aliases" : q->intel ? "intel" : "att",
		adjust, path, NULL,
	};

	snprintf(adjust, sizeof(adjust), "--adjust-vma=0x%" PRIx64, q->address);
	execvpe(t->program, (char *const *)args, environment);
	return 1;
}

/**
 * struct reading - reads the text
 * @q: the request
 * @take: receives each instruction
 * @arg: passed to @take
 * @next: lowest possible address of the next instruction
 * @nr: number of instructions so far
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
	/* an instruction has at least one byte; other lines are the head */
	uint64_t left = r->q->len + HEAD_LINES;
	char line[OBJDUMP_LINE];
	bool cut = false;
	int err = 0;
	size_t len;

	while (!err && fgets(line, sizeof(line), in)) {
		if (!left--)
			return -EBADMSG;
		len = strlen(line);
		/* the rest of a line that is too long is skipped */
		if (!cut)
			err = take_line(r, line, len && line[len - 1] == '\n' ? len - 1 : len);
		cut = !len || line[len - 1] != '\n';
	}
	return err;
}

/* Return: descriptor of a file with the code, which can be opened again. */
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

/* The output of a jail, as a stream that fails at the deadline. */
struct text {
	const struct jail *jail;
	int fd;
};

static ssize_t read_text(void *cookie, char *buf, size_t len)
{
	const struct text *t = cookie;
	ssize_t n = jail_read(t->jail, t->fd, buf, len);

	return n < 0 ? -1 : n;
}

/* Reads objdump's output, and how it ended. */
static int read_all(struct reading *r, struct jail *jail, int fd)
{
	struct text text = { jail, fd };
	FILE *in = fopencookie(&text, "r", (cookie_io_functions_t){ .read = read_text });
	struct jail_end end;
	int err = in ? read_lines(r, in) : -ENOMEM;

	if (in)
		fclose(in);
	if (err || !jail_end(jail, true, &end)) {
		jail_kill(jail);
		return err;
	}
	if (end.how == JAIL_EXITED && end.value && !r->nr)
		return -ENOENT;
	return end.how != JAIL_EXITED || end.value ? -EBADMSG : 0;
}

/*
 * Return: 0; -ENOENT if it cannot be run or lacks the architecture; another
 * negative errno.
 */
static int run(const struct objdump_request *q, const char *program, struct reading *r)
{
	int code = code_file(q), out[2], err;
	struct jail jail = JAIL_INIT;

	if (code < 0)
		return code;
	if (pipe2(out, O_CLOEXEC)) {
		err = -errno;
		close(code);
		return err;
	}
	err = jail_start(&jail, &(struct jail_limits){
			 .paths = JAIL_READ_PATHS, .program = true, .memory = OBJDUMP_MEMORY,
			 .cpu_seconds = OBJDUMP_SECONDS, .seconds = OBJDUMP_WAIT,
			 .in = code, .out = out[1] },
			 exec_objdump, &(struct task){ q, program });
	close(code);
	close(out[1]);
	if (!err)
		err = read_all(r, &jail, out[0]);
	close(out[0]);
	return err;
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
		return diag_set(diag, EBADMSG, programs[i - 1], "its output is not a disassembly of the "
				"code that it was given");
	return err ? diag_errno(diag, -err, programs[i - 1]) : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "supply/apart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/privilege.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/**
 * struct answer - what the process leaves in front of the section
 * @err: of the maker
 * @entry: without @bytes
 * @cfi_bytes: of its result
 * @text: of its diag
 */
struct answer {
	int32_t err;
	struct cache_entry entry;
	uint64_t cfi_bytes;
	char text[256];
};

/* Bytes of address space in use; 0 if they are not known. */
static uint64_t address_space(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Return: whether nothing is left but descriptors. */
static bool give_up_rights(void)
{
	privilege_limit(RLIMIT_AS, address_space() + APART_MAX_MEMORY);
	privilege_limit(RLIMIT_CPU, APART_MAX_SECONDS);
	privilege_limit(RLIMIT_FSIZE, APART_MAX_BYTES + sizeof(struct answer));
	privilege_limit(RLIMIT_CORE, 0);
	return !privilege_nobody(0);
}

/*
 * What hostile bytes could get hold of is not there: descriptors but these two, the caller's
 * locks among them, which would outlive it.
 */
static bool close_all_but(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low < STDERR_FILENO)
		low = STDERR_FILENO;
	return !((low > 3 && close_range(3, (unsigned int)low - 1, 0)) ||
		 (high > low + 1 &&
		  close_range((unsigned int)low + 1, (unsigned int)high - 1, 0)) ||
		 close_range((unsigned int)high + 1, ~0u, 0));
}

/* Who gives up rights is not told any more that its parent has died, and has to ask again. */
static bool dies_with(pid_t parent)
{
	return !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent;
}

static _Noreturn void work(apart_maker make, const struct supply_file *f, int out, pid_t parent)
{
	struct cache_entry e = CACHE_ENTRY_INIT;
	struct supply_result result = { 0 };
	struct answer a = { 0 };
	struct diag diag = { 0 };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Ctrl-C is for who waits for the section */
	setpgid(0, 0);
	if (!close_all_but(f->fd, out) || !give_up_rights() || !dies_with(parent))
		_exit(1);
	a.err = make(f, &e, &result, &diag);
	a.entry = e;
	a.entry.bytes = NULL;
	a.cfi_bytes = result.cfi_bytes;
	memcpy(a.text, diag.text, strnlen(diag.text, sizeof(a.text) - 1));
	_exit(file_write_all(out, &a, sizeof(a)) ||
	      file_write_all(out, e.bytes, e.bytes ? e.len : 0) ? 1 : 0);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* What it left is no better than the file that it was made of. */
static int take(int fd, const struct supply_file *f, struct cache_entry *ret,
		struct supply_result *result, struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	const struct file left = { .fd = fd, .size = (uint64_t)lseek(fd, 0, SEEK_END) };
	struct answer a;
	int err;

	if (file_read(&left, 0, &a, sizeof(a), NULL))
		return diag_set(diag, EBADMSG, f->path, "the process that read it left nothing");
	a.text[sizeof(a.text) - 1] = '\0';
	result->cfi_bytes = a.cfi_bytes;
	if (a.err)
		return diag_set(diag, a.err < 0 && a.err > -4096 ? -a.err : EBADMSG, f->path,
				"%s", a.text);
	if (!a.entry.functions)
		return 0;
	if (!a.entry.len || a.entry.len > APART_MAX_BYTES)
		return diag_set(diag, EBADMSG, f->path, "a section of %u bytes", a.entry.len);
	err = file_read_new(&left, sizeof(a), a.entry.len, &bytes, NULL);
	if (err == -ENOMEM)
		return diag_errno(diag, ENOMEM, f->path);
	if (err)
		return diag_set(diag, EBADMSG, f->path, "a section that is cut short");
	*ret = a.entry;
	ret->bytes = bytes;
	bytes = NULL;
	return 0;
}

int supply_apart(apart_maker make, const struct supply_file *f, struct cache_entry *ret,
		 struct supply_result *result, struct diag *diag)
{
	int fd = memfd_create("ustack-section", MFD_CLOEXEC), status, err;
	pid_t parent = getpid(), pid;

	if (fd < 0)
		return diag_errno(diag, errno, f->path);
	pid = fork();
	if (!pid)
		work(make, f, fd, parent);
	status = pid > 0 ? wait_for(pid) : -1;
	if (pid < 0)
		err = diag_errno(diag, EAGAIN, f->path);
	else if (WIFSIGNALED(status))
		err = diag_set(diag, EBADMSG, f->path,
			       "the process that read it was ended by signal %d%s",
			       WTERMSIG(status),
			       WTERMSIG(status) == SIGXCPU ? ": it took too long" : "");
	else if (status)
		err = diag_set(diag, EBADMSG, f->path, "the process that read it gave up");
	else
		err = take(fd, f, ret, result, diag);
	close(fd);
	return err;
}

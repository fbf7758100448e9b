// SPDX-License-Identifier: GPL-2.0-only
/* The measured operations of the kernel: fork, exec, mmap, faults and so on (ops.h). */
#include "ops.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define PAGE 4096u
#define FAULT_BYTES (256 * PAGE)
#define JIT_BYTES (16 * PAGE)

static int library_fd;
/* for mprotect(): a mapping of a file, and memory of a JIT compiler */
static void *code, *jit;

void price_wait(int pid)
{
	int status;

	if (pid < 0)
		die_errno("fork");
	if (waitpid(pid, &status, 0) != pid || status)
		die("a child ended with status %#x", status);
}

static void fork_exit(void)
{
	int pid = fork();

	if (!pid)
		_exit(0);
	price_wait(pid);
}

static void fork_exec(const char *path)
{
	int pid = fork();

	if (!pid) {
		execl(path, path, NULL);
		_exit(127);
	}
	price_wait(pid);
}

static void exec_static(void)
{
	fork_exec(PRICE_STATIC);
}

static void exec_dynamic(void)
{
	fork_exec(PRICE_DYNAMIC);
}

static void *map(int prot, int flags, int fd, size_t bytes)
{
	void *at = mmap(NULL, bytes, prot, MAP_PRIVATE | flags, fd, 0);

	if (at == MAP_FAILED)
		die_errno("mmap");
	return at;
}

static void unmap(void *at, size_t bytes)
{
	if (munmap(at, bytes))
		die_errno("munmap");
}

static void map_code(void)
{
	unmap(map(PROT_READ | PROT_EXEC, 0, library_fd, PAGE), PAGE);
}

static void map_file(void)
{
	unmap(map(PROT_READ, 0, library_fd, PAGE), PAGE);
}

static void map_anonymous(void)
{
	unmap(map(PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, PAGE), PAGE);
}

static void protect_code(void)
{
	if (mprotect(code, PAGE, PROT_READ) ||
	    mprotect(code, PAGE, PROT_READ | PROT_EXEC))
		die_errno("mprotect");
}

/* As a JIT compiler does: a page in the middle becomes writable, then executable again. */
static void protect_jit(void)
{
	void *page = (char *)jit + JIT_BYTES / 2;

	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE) ||
	    mprotect(page, PAGE, PROT_READ | PROT_EXEC))
		die_errno("mprotect");
}

static void open_library(void)
{
	void *library = dlopen(PRICE_LIBRARY, RTLD_NOW);

	if (!library || dlclose(library))
		die("%s: %s", PRICE_LIBRARY, dlerror());
}

static void *nothing(void *arg)
{
	return arg;
}

static void create_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) ||
	    pthread_join(thread, NULL))
		die("no thread");
}

static void touch_pages(void)
{
	volatile char *at =
		map(PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, FAULT_BYTES);
	size_t i;

	for (i = 0; i < FAULT_BYTES; i += PAGE)
		at[i] = 1;
	unmap((void *)at, FAULT_BYTES);
}

const struct price_op price_ops[] = {
	{ "fork+exit", fork_exit },
	{ "fork+exec, static", exec_static },
	{ "fork+exec, dynamic", exec_dynamic },
	{ "map+unmap, code", map_code },
	{ "map+unmap, file", map_file },
	{ "map+unmap, anonymous", map_anonymous },
	{ "mprotect, code off+on", protect_code },
	{ "mprotect, JIT off+on", protect_jit },
	{ "dlopen+dlclose", open_library },
	{ "thread create+join", create_thread },
};
const unsigned int price_nr_ops = sizeof(price_ops) / sizeof(*price_ops);

const struct price_op price_loops[] = {
	{ "map+unmap, code", map_code },
	{ "fork+exit", fork_exit },
	{ "page faults", touch_pages },
};
const unsigned int price_nr_loops = sizeof(price_loops) / sizeof(*price_loops);

void price_map_code(unsigned int n)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), PRICE_FILE_FORMAT, n % PRICE_FILES);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die_errno(path);
	map(PROT_READ | PROT_EXEC, 0, fd, PAGE);
	close(fd);
}

void price_ops_init(void)
{
	library_fd = open(PRICE_LIBRARY, O_RDONLY | O_CLOEXEC);
	if (library_fd < 0)
		die_errno(PRICE_LIBRARY);
	code = map(PROT_READ | PROT_EXEC, 0, library_fd, PAGE);
	jit = map(PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, JIT_BYTES);
	memset(jit, 0, JIT_BYTES);
	if (mprotect(jit, JIT_BYTES, PROT_READ | PROT_EXEC))
		die_errno("mprotect");
}

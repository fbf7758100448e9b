// SPDX-License-Identifier: GPL-2.0-only
/*
 * device [-q] [-n CALLS] [-s SEED]: random calls of /dev/ustack by several processes at
 * once, one of them nobody's, while the module is unloaded and loaded whenever nobody
 * has it open. Run in a guest as root; /ustack.ko is not loaded, the plugs are in /plugs.
 *
 * What every call may answer is written down here; anything else is a failure, and so
 * is a request that never worked or never failed. The rest is for the kernel's own
 * checkers (tests/kunit/debug).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plug.h"
#include "stress.h"
#include "ustack.h"

#define WORKERS 4		/* the last one is nobody's */
#define NOBODY 65534
#define BURST 64		/* calls between two open()s */
#define SECTIONS 4
#define PAGE 4096u
#define HUGE_LEN (65ull << 20)

enum request { INFO, LOAD, REGION_ADD, REGION_DEL, STATS, PREPARE, AGAIN,
	       UNKNOWN, READ, POLL, REQUESTS };

/* @privileged: never works for nobody. @errors: what it may fail with, 0-ended. */
static const struct {
	const char *name;
	unsigned int cmd;
	unsigned int size;
	bool privileged;
	bool may_work;
	int errors[14];
} requests[REQUESTS] = {
	[INFO] = { "INFO", USTACK_IOC_INFO, sizeof(struct ustack_info), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG } },
	[LOAD] = { "LOAD", USTACK_IOC_LOAD, sizeof(struct ustack_load), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG, EBADF, EMSGSIZE, ENOMEM, ENOSPC } },
	[REGION_ADD] = { "REGION_ADD", USTACK_IOC_REGION_ADD,
		sizeof(struct ustack_region), false, true,
		{ EFAULT, EINVAL, E2BIG, EMSGSIZE, ENOMEM, ENOSPC } },
	[REGION_DEL] = { "REGION_DEL", USTACK_IOC_REGION_DEL,
		sizeof(struct ustack_region), false, true, { EFAULT, EINVAL, E2BIG } },
	[STATS] = { "STATS", USTACK_IOC_STATS, sizeof(struct ustack_stats), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG, ENOMEM } },
	[PREPARE] = { "PREPARE", USTACK_IOC_PREPARE, sizeof(struct ustack_prepare), true,
		true, { EPERM, EFAULT, EINVAL, E2BIG, ESRCH, ENOMEM } },
	[AGAIN] = { "AGAIN", USTACK_IOC_AGAIN, sizeof(struct ustack_again), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG, ENOENT } },
	[UNKNOWN] = { "unknown", 0, 64, true, false, { ENOTTY } },
	[READ] = { "read", 0, 0, true, true, { EPERM, EFAULT, EMSGSIZE, EAGAIN, ENOMEM } },
	[POLL] = { "poll", 0, 0, true, true, { EPERM } },
};

/* In memory that all processes share; each adds by atomic operations. */
static struct shared {
	unsigned long worked[REQUESTS];
	unsigned long refused[REQUESTS];
	unsigned long by_nobody[REQUESTS];	/* worked although privileged */
	unsigned long odd[REQUESTS];		/* other errors than those above */
	int odd_errno[REQUESTS];
	unsigned long opened, unloads;
	volatile int stop;
	volatile int quiet;			/* nobody opens it meanwhile */
} *shared;

struct worker {
	uint64_t random;
	bool nobody;
	int dev;
	uint8_t *page;		/* the page after it is not mapped */
	uint8_t *region;	/* executable memory of its own */
	int fds[5];
	struct ustack_event event;	/* the last one that was read */
};

static struct section {
	const uint8_t *bytes;
	size_t len;
	uint64_t vaddr;
} sections[SECTIONS];

static uint64_t next(struct worker *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random;
}

static uint64_t below(struct worker *w, uint64_t n)
{
	return next(w) % n;
}

/* ---- arguments ---------------------------------------------------------------- */

static uint32_t some_size(struct worker *w, uint32_t right)
{
	static const uint32_t odd[] = { 0, 1, 4, 7, 8, 12, 16, PAGE, PAGE + 1, UINT32_MAX };

	switch (below(w, 8)) {
	case 0:
		return odd[below(w, sizeof(odd) / sizeof(odd[0]))];
	case 1:
		return right - 8;
	case 2:
		return right + 8;
	default:
		return right;
	}
}

static uint64_t some_number(struct worker *w)
{
	switch (below(w, 6)) {
	case 0:
		return 0;
	case 1:
		return below(w, PAGE);
	case 2:
		return UINT64_MAX - below(w, 16);
	case 3:
		return 1ull << below(w, 64);
	default:
		return next(w);
	}
}

/* A section, whole, cut or with a few bytes changed, in memory of this process. */
static uint64_t some_section(struct worker *w, __u64 *len, __u64 *vaddr)
{
	static uint8_t copy[1 << 16];
	const struct section *s = &sections[below(w, SECTIONS)];
	unsigned int i, changes = below(w, 3) ? 0 : 1 + below(w, 8);

	memcpy(copy, s->bytes, s->len);
	for (i = 0; i < changes; i++)
		copy[below(w, s->len)] = (uint8_t)next(w);
	*len = s->len;
	*vaddr = s->vaddr;
	if (!below(w, 8))
		*len = below(w, 2) ? below(w, s->len + 1) : HUGE_LEN;
	if (!below(w, 8))
		*vaddr = some_number(w);
	return below(w, 16) ? (uintptr_t)copy : some_number(w);
}

static void fill_load(struct worker *w, struct ustack_load *load)
{
	load->flags = below(w, 8) ? 0 : below(w, 4);
	load->fd = w->fds[below(w, 5)];
	load->section = some_section(w, &load->len, &load->vaddr);
}

static void fill_region(struct worker *w, struct ustack_region *region)
{
	region->flags = below(w, 16) ? 0 : (uint32_t)next(w);
	region->start = below(w, 4) ? (uintptr_t)w->region + below(w, 3) * PAGE :
				      some_number(w);
	region->len = below(w, 4) ? (1 + below(w, 3)) * PAGE : some_number(w);
	region->section = some_section(w, &region->section_len, &region->vaddr);
	if (below(w, 4))
		region->vaddr = region->start + region->len;
}

static void fill(struct worker *w, enum request r, void *arg)
{
	struct ustack_prepare *prepare = arg;
	struct ustack_again *again = arg;

	switch (r) {
	case LOAD:
		fill_load(w, arg);
		break;
	case REGION_ADD:
	case REGION_DEL:
		fill_region(w, arg);
		break;
	case PREPARE:
		prepare->pid = below(w, 2) ? getpid() : (int)some_number(w);
		break;
	case AGAIN:
		again->reserved = !below(w, 8);
		again->dev = below(w, 4) ? w->event.dev : some_number(w);
		again->ino = w->event.ino;
		again->file_size = w->event.file_size;
		break;
	default:
		break;
	}
}

/* ---- calls ---------------------------------------------------------------------- */

static int call_read(struct worker *w)
{
	uint8_t *buf = w->page;
	size_t len = below(w, 2) ? PAGE : below(w, 1200);
	ssize_t n;

	if (!below(w, 8))
		buf += PAGE - below(w, 64);
	n = read(w->dev, buf, len);
	if (n >= (ssize_t)sizeof(w->event) && buf == w->page)
		memcpy(&w->event, buf, sizeof(w->event));
	return n < 0 ? errno : n ? 0 : EAGAIN;
}

static int call_poll(struct worker *w)
{
	struct pollfd pfd = { .fd = w->dev, .events = POLLIN };

	if (poll(&pfd, 1, 0) < 0)
		return errno;
	return pfd.revents & POLLERR ? EPERM : 0;
}

static int call(struct worker *w, enum request r)
{
	uint32_t size = requests[r].size;
	unsigned int cmd = requests[r].cmd;
	uint8_t *arg = w->page;

	if (r == READ)
		return call_read(w);
	if (r == POLL)
		return call_poll(w);
	if (r == UNKNOWN)
		cmd = below(w, 2) ? _IOWR(USTACK_IOC_TYPE, 7 + below(w, 249), uint64_t) :
				    (unsigned int)next(w) | 1u << 31;
	memset(w->page, 0, PAGE);
	fill(w, r, w->page);
	size = some_size(w, size);
	memcpy(w->page, &size, sizeof(size));
	switch (below(w, 24)) {
	case 0:		/* the end of it is not there */
		arg = w->page + PAGE - below(w, requests[r].size);
		break;
	case 1:
		arg = (void *)(uintptr_t)some_number(w);
		break;
	case 2:		/* not aligned */
		arg = memmove(w->page + 1, w->page, PAGE - 1);
		break;
	case 3:		/* what an older module does not know */
		w->page[below(w, PAGE)] = (uint8_t)next(w);
		break;
	}
	return ioctl(w->dev, cmd, arg) ? errno : 0;
}

static void note(struct worker *w, enum request r, int err)
{
	unsigned int i;

	if (!err) {
		__atomic_add_fetch(&shared->worked[r], 1, __ATOMIC_RELAXED);
		if (w->nobody && requests[r].privileged)
			__atomic_add_fetch(&shared->by_nobody[r], 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_add_fetch(&shared->refused[r], 1, __ATOMIC_RELAXED);
	for (i = 0; requests[r].errors[i]; i++)
		if (requests[r].errors[i] == err)
			return;
	__atomic_add_fetch(&shared->odd[r], 1, __ATOMIC_RELAXED);
	shared->odd_errno[r] = err;
}

/* What else a process does meanwhile. */
static void churn(struct worker *w)
{
	void *at = w->region + below(w, 3) * PAGE;

	switch (below(w, 8)) {
	case 0:
		mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		     w->fds[0], 0);
		break;
	case 1:
		mmap(at, PAGE, PROT_READ | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	}
}

static void worker_run(unsigned int number, uint64_t seed, unsigned long calls)
{
	struct worker w = { .random = (seed + 1) * 0x9e3779b97f4a7c15ull + number,
			    .nobody = number == WORKERS - 1 };
	enum request r;
	unsigned long i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	w.page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(w.page + PAGE, PAGE);
	w.region = mmap(NULL, 4 * PAGE, PROT_READ | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w.fds[0] = open("/plugs/plug1.so", O_RDONLY);
	w.fds[1] = open("/plugs/plug2.so", O_RDONLY);
	w.fds[2] = open("/dev/null", O_RDWR);
	w.fds[3] = open("/", O_RDONLY | O_DIRECTORY);
	w.fds[4] = -1;
	for (i = 0; i < calls && !shared->stop; i++) {
		if (i % BURST == 0) {
			while (shared->quiet && !shared->stop)
				usleep(1000);
			/* nobody has what root opened */
			if (w.nobody && seteuid(0))
				_exit(1);
			w.dev = open(USTACK_DEVICE, O_RDWR | O_NONBLOCK);
			if (w.nobody && seteuid(NOBODY))
				_exit(1);
		}
		if (w.dev < 0)
			continue;
		if (i % BURST == 0)
			__atomic_add_fetch(&shared->opened, 1, __ATOMIC_RELAXED);
		r = (enum request)below(&w, REQUESTS);
		note(&w, r, call(&w, r));
		churn(&w);
		if (i % BURST == BURST - 1)
			close(w.dev);
	}
	_exit(0);
}

/* Every now and then the others stop opening it, and it goes as soon as the last one has
 * closed it.
 */
static void unloader_run(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!shared->stop) {
		shared->quiet = 1;
		while (!shared->stop && module_unload())
			usleep(1000);
		if (!module_loaded()) {
			__atomic_add_fetch(&shared->unloads, 1, __ATOMIC_RELAXED);
			if (module_load("budget_mb=8"))
				_exit(1);
		}
		shared->quiet = 0;
		usleep(50000);
	}
	_exit(0);
}

/* ---- all of it ----------------------------------------------------------------- */

static void read_sections(void)
{
	static const char *const files[SECTIONS] = {
		"/plugs/v1.so", "/plugs/v2.so", "/plugs/plug1.so", "/plugs/plug2.so"
	};
	static struct plug plug[SECTIONS];
	unsigned int i;

	for (i = 0; i < SECTIONS; i++) {
		plug_read(&plug[i], files[i]);
		sections[i].bytes = plug_sframe(&plug[i], &sections[i].len,
						&sections[i].vaddr);
	}
}

/* A plug that no call was about is unwound as ever. */
static void check_alive(void)
{
	struct tally tally = { 0 };
	struct ustack_info info = { .size = sizeof(info) };
	struct plug plug;
	void *text;
	int fd;

	if (!module_loaded() && module_load("budget_mb=8"))
		die("the module cannot be loaded again");
	module_prepare();
	fd = open(USTACK_DEVICE, O_RDWR);
	if (fd < 0 || ioctl(fd, USTACK_IOC_INFO, &info))
		die_errno(USTACK_DEVICE);
	check(info.tables && info.table_bytes <= info.budget_bytes,
	      "%llu bytes of tables, %llu are allowed", (unsigned long long)info.table_bytes,
	      (unsigned long long)info.budget_bytes);
	close(fd);
	plug_read(&plug, "/plugs/plug4.so");
	fd = open("/plugs/plug4.so", O_RDONLY | O_CLOEXEC);
	text = plug_map(&plug, fd, NULL, 0);
	plug_sample(text, 50, &tally);
	check(tally.whole >= 50 && !tally.wrong, "afterwards: %lu whole, %lu wrong",
	      tally.whole, tally.wrong);
	check(!module_unload(), "it unloads");
}

static void judge(void)
{
	enum request r;

	for (r = 0; r < REQUESTS; r++) {
		check(!shared->odd[r], "%s: %lu answers that it may not give (errno %d)",
		      requests[r].name, shared->odd[r], shared->odd_errno[r]);
		check(shared->refused[r] && !shared->worked[r] == !requests[r].may_work,
		      "%s: worked %lu times, was refused %lu times", requests[r].name,
		      shared->worked[r], shared->refused[r]);
		if (requests[r].privileged)
			check(!shared->by_nobody[r], "%s: worked %lu times for nobody",
			      requests[r].name, shared->by_nobody[r]);
	}
	check(shared->unloads, "%lu unloads among %lu opens", shared->unloads,
	      shared->opened);
}

int main(int argc, char **argv)
{
	unsigned long calls = 200000;
	uint64_t seed = 1;
	pid_t pid[WORKERS], unloader;
	unsigned int i;
	int opt, status, bad = 0;

	while ((opt = getopt(argc, argv, "qn:s:")) != -1) {
		if (opt == 'q')
			calls = 8000;
		else if (opt == 'n')
			calls = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			seed = strtoull(optarg, NULL, 0);
		else
			die("usage: device [-q] [-n CALLS] [-s SEED]");
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	read_sections();
	if (module_load("budget_mb=8"))
		die("the module cannot be loaded");
	say("seed %llu, %lu calls by each of %d processes", (unsigned long long)seed, calls,
	    WORKERS);
	fflush(stdout);
	for (i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		if (!pid[i])
			worker_run(i, seed, calls);
	}
	unloader = fork();
	if (!unloader)
		unloader_run();
	for (i = 0; i < WORKERS; i++)
		bad += waitpid(pid[i], &status, 0) != pid[i] || status;
	shared->stop = 1;
	bad += waitpid(unloader, &status, 0) != unloader || status;
	check(!bad, "%d processes did not end well", bad);
	judge();
	check_alive();
	return finish("stress/device");
}

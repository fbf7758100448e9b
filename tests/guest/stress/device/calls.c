// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random requests to /dev/ustack, and what each may answer. Anything else is a failure,
 * and so is a request that never worked or never failed.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plug.h"
#include "stress.h"
#include "ustack.h"

#define SECTIONS 4
#define SECTION_ROOM (1u << 16)
#define HUGE_LEN (65ull << 20)
#define FILES 8

/*
 * @privileged: never succeeds for the caller without rights. @errors: the errors that the
 * request may
 * fail with, ended by 0. EBADF is not an answer of the device: another thread has closed the
 * slot.
 */
static const struct {
	const char *name;
	unsigned int cmd;
	unsigned int size;
	bool privileged;
	bool may_work;
	int errors[ERRORS];
} requests[REQUESTS] = {
	[INFO] = { "INFO", USTACK_IOC_INFO, sizeof(struct ustack_info), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG } },
	[LOAD] = { "LOAD", USTACK_IOC_LOAD, sizeof(struct ustack_load), true, true,
		{ EPERM, EFAULT, EINVAL, E2BIG, EBADF, EEXIST, EMSGSIZE, ENOMEM, ENOSPC } },
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
	[READ] = { "read", 0, 0, true, true,
		{ EPERM, EFAULT, EMSGSIZE, EAGAIN, ENOMEM, EINTR } },
	[POLL] = { "poll", 0, 0, true, true, { EPERM, EINTR } },
	[OTHER] = { "other calls", 0, 0, true, false, { EINVAL, ESPIPE, ENODEV } },
};

static struct section {
	const uint8_t *bytes;
	size_t len;
	uint64_t vaddr;
} sections[SECTIONS];

static int files[FILES];	/* the file that LOAD requests are about */
static bool int80;		/* whether this kernel accepts calls of 32-bit programs */

static uint64_t next(struct caller *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return c->random;
}

uint64_t below(struct caller *c, uint64_t n)
{
	return next(c) % n;
}

/* ---- arguments ---------------------------------------------------------------- */

static uint32_t some_size(struct caller *c, uint32_t right)
{
	static const uint32_t odd[] = { 0, 1, 4, 7, 8, 12, 16, PAGE, PAGE + 1, UINT32_MAX };

	switch (below(c, 8)) {
	case 0:
		return odd[below(c, sizeof(odd) / sizeof(odd[0]))];
	case 1:
		return right - 8;
	case 2:
		return right + 8;
	default:
		return right;
	}
}

static uint64_t some_number(struct caller *c)
{
	switch (below(c, 6)) {
	case 0:
		return 0;
	case 1:
		return below(c, PAGE);
	case 2:
		return UINT64_MAX - below(c, 16);
	case 3:
		return 1ull << below(c, 64);
	default:
		return next(c);
	}
}

/* A section in memory of this process: whole, cut, or with a few bytes changed. */
static uint64_t some_section(struct caller *c, __u64 *len, __u64 *vaddr)
{
	const struct section *s = &sections[below(c, SECTIONS)];
	unsigned int i, changes = below(c, 3) ? 0 : 1 + below(c, 8);

	memcpy(c->section, s->bytes, s->len);
	for (i = 0; i < changes; i++)
		c->section[below(c, s->len)] = (uint8_t)next(c);
	*len = s->len;
	*vaddr = s->vaddr;
	if (!below(c, 8))
		*len = below(c, 2) ? below(c, s->len + 1) : HUGE_LEN;
	if (!below(c, 8))
		*vaddr = some_number(c);
	return below(c, 16) ? (uintptr_t)c->section : some_number(c);
}

static void fill_load(struct caller *c, struct ustack_load *load)
{
	load->flags = below(c, 8) ? 0 : below(c, 4);
	load->fd = files[below(c, FILES)];
	if (!below(c, 16))
		load->fd = SLOT_FIRST + below(c, SLOTS);
	load->section = some_section(c, &load->len, &load->vaddr);
}

static void fill_region(struct caller *c, struct ustack_region *region)
{
	region->flags = below(c, 16) ? 0 : (uint32_t)next(c);
	region->start = below(c, 4) ? (uintptr_t)c->region + below(c, REGION_PAGES) * PAGE :
				      some_number(c);
	region->len = below(c, 4) ? (1 + below(c, REGION_PAGES)) * PAGE : some_number(c);
	region->section = some_section(c, &region->section_len, &region->vaddr);
	if (below(c, 4))
		region->vaddr = region->start + region->len;
}

/* This process, one that lives for a moment, a kernel thread, or one that never existed. */
static int some_pid(struct caller *c)
{
	switch (below(c, 6)) {
	case 0:
		return (int)some_number(c);
	case 1:
		return below(c, 16);
	case 2:
	case 3:
		return shared->newest + (int)below(c, 16);
	default:
		return getpid();
	}
}

static void fill(struct caller *c, enum request r, void *arg)
{
	struct ustack_prepare *prepare = arg;
	struct ustack_again *again = arg;

	switch (r) {
	case LOAD:
		fill_load(c, arg);
		break;
	case REGION_ADD:
	case REGION_DEL:
		fill_region(c, arg);
		break;
	case PREPARE:
		prepare->pid = some_pid(c);
		break;
	case AGAIN:
		again->reserved = !below(c, 8);
		again->dev = below(c, 4) ? c->event[0] : some_number(c);
		again->ino = c->event[1];
		again->file_size = c->event[2];
		break;
	default:
		break;
	}
}

/* ---- calls ---------------------------------------------------------------------- */

/* ioctl(2) as a 32-bit program makes it. Return: 0 or an error. */
static int ioctl_int80(int fd, unsigned int cmd, const void *arg)
{
#ifdef __x86_64__
	long ret;

	asm volatile("int $0x80" : "=a"(ret)
		     : "0"(54l), "b"((long)fd), "c"((long)cmd), "d"(arg)
		     : "memory", "r8", "r9", "r10", "r11");
	return (int)-ret;
#else
	return ioctl(fd, cmd, arg) ? errno : 0;
#endif
}

static int call_read(struct caller *c, int fd)
{
	const struct ustack_event *event = (const void *)c->page;
	uint8_t *buf = c->page;
	size_t len = below(c, 2) ? PAGE : below(c, 1200);
	ssize_t n;

	if (!below(c, 8))
		buf += PAGE - below(c, 64);
	n = read(fd, buf, len);
	if (n >= (ssize_t)sizeof(*event) && buf == c->page) {
		c->event[0] = event->dev;
		c->event[1] = event->ino;
		c->event[2] = event->file_size;
	}
	return n < 0 ? errno : n ? 0 : EAGAIN;
}

static int call_poll(struct caller *c, int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (poll(&pfd, 1, below(c, 4) ? 0 : 1) < 0)
		return errno;
	if (pfd.revents & POLLNVAL)
		return EBADF;
	return pfd.revents & POLLERR ? EPERM : 0;
}

/* System calls that the device does not support. */
static int call_other(struct caller *c, int fd)
{
	long n;

	switch (below(c, 7)) {
	case 0:
		n = write(fd, c->page, below(c, PAGE));
		break;
	case 1:
		n = lseek(fd, (off_t)some_number(c), SEEK_SET);
		break;
	case 2:
		n = pread(fd, c->page, PAGE, 0);
		break;
	case 3:
		n = (long)mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		break;
	case 4:
		n = fsync(fd);
		break;
	case 5:
		n = ftruncate(fd, 0);
		break;
	default:
		n = sendfile(fd, files[0], NULL, PAGE);
		break;
	}
	return n == -1 ? errno : 0;
}

static unsigned int unknown_command(struct caller *c)
{
	if (below(c, 2))
		return _IOWR(USTACK_IOC_TYPE, 7 + below(c, 249), uint64_t);
	/* no file type has commands with these types */
	return _IOC(below(c, 4), USTACK_IOC_TYPE + 1 + below(c, 8), below(c, 256),
		    below(c, 1 << 13));
}

static int call_ioctl(struct caller *c, enum request r, int fd)
{
	uint32_t size = requests[r].size;
	unsigned int cmd = r == UNKNOWN ? unknown_command(c) : requests[r].cmd;
	uint8_t *arg = c->page;

	memset(c->page, 0, PAGE);
	fill(c, r, c->page);
	size = some_size(c, size);
	memcpy(c->page, &size, sizeof(size));
	switch (below(c, 24)) {
	case 0:		/* the end of the structure is not mapped */
		arg = c->page + PAGE - below(c, requests[r].size);
		break;
	case 1:
		arg = (void *)(uintptr_t)some_number(c);
		break;
	case 2:		/* not aligned */
		arg = memmove(c->page + 1, c->page, PAGE - 1);
		break;
	case 3:		/* fields that an older module does not know */
		c->page[below(c, PAGE)] = (uint8_t)next(c);
		break;
	}
	if (int80 && !below(c, 8))
		return ioctl_int80(fd, cmd, arg);
	return ioctl(fd, cmd, arg) ? errno : 0;
}

static int call(struct caller *c, enum request r)
{
	int fd = SLOT_FIRST + (int)below(c, SLOTS);

	switch (r) {
	case READ:
		return call_read(c, fd);
	case POLL:
		return call_poll(c, fd);
	case OTHER:
		return call_other(c, fd);
	default:
		return call_ioctl(c, r, fd);
	}
}

static void note(const struct caller *c, enum request r, int err)
{
	unsigned int i;

	/* the slot is closed; for LOAD, the closed slot may be the file of the request */
	if (err == EBADF && r != LOAD)
		return;
	ADD(shared->calls[c->crew]);
	if (!err) {
		ADD(shared->worked[r]);
		if (c->nobody && requests[r].privileged)
			ADD(shared->by_nobody[r]);
		return;
	}
	if (err == EINTR)
		ADD(shared->interrupted);
	ADD(shared->refused[r]);
	for (i = 0; requests[r].errors[i]; i++)
		if (requests[r].errors[i] == err) {
			ADD(shared->errors[r][i]);
			return;
		}
	ADD(shared->odd[r]);
	shared->odd_errno[r] = err;
}

/*
 * Changes the crew's region between calls: pages are mapped, unmapped, moved and protected.
 * A running crew maps no other memory, so no other mapping can get into a hole of the region.
 */
static void churn(struct caller *c)
{
	uint8_t *at = c->region + below(c, REGION_PAGES) * PAGE;
	uint8_t *to = c->region + below(c, REGION_PAGES) * PAGE;

	switch (below(c, 16)) {
	case 0:
	case 1:
		mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, files[0], 0);
		break;
	case 2:
	case 3:
		mmap(at, PAGE, PROT_READ | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	case 4:
		munmap(at, PAGE);
		break;
	case 5:
		mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
		break;
	case 6:
		mprotect(at, PAGE, below(c, 2) ? PROT_NONE : PROT_READ | PROT_EXEC);
		break;
	}
}

void call_any(struct caller *c)
{
	enum request r = (enum request)below(c, REQUESTS);
	int err;

	if (r == READ && !c->may_wait)
		r = POLL;
	err = call(c, r);
	note(c, r, err);
	churn(c);
	/* the module may be missing for a while, because loading it needs the CPU */
	if (err == EBADF)
		usleep(1000);
}

/* ---- before and after -------------------------------------------------------------- */

static void read_sections(void)
{
	static const char *const paths[SECTIONS] = {
		"/plugs/v1.so", "/plugs/v2.so", "/plugs/plug1.so", "/plugs/plug2.so"
	};
	static struct plug plug[SECTIONS];
	unsigned int i;

	for (i = 0; i < SECTIONS; i++) {
		plug_read(&plug[i], paths[i]);
		sections[i].bytes = plug_sframe(&plug[i], &sections[i].len,
						&sections[i].vaddr);
		if (sections[i].len > SECTION_ROOM)
			die("%s: a section of %zu bytes", paths[i], sections[i].len);
	}
}

/* Without CONFIG_IA32_EMULATION the instruction faults. */
static bool has_int80(void)
{
#ifdef __x86_64__
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(ioctl_int80(-1, 0, NULL) != EBADF);
	return waitpid(pid, &status, 0) == pid && !status;
#else
	return false;
#endif
}

void calls_init(void)
{
	read_sections();
	/* a crew that executes itself comes here again: what stays open would fill the slots */
	files[0] = open("/plugs/plug1.so", O_RDONLY | O_CLOEXEC);
	files[1] = open("/plugs/plug2.so", O_RDONLY | O_CLOEXEC);
	files[2] = open("/dev/null", O_RDWR | O_CLOEXEC);
	files[3] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	files[4] = -1;
	files[5] = open("/plugs/plug1.so", O_PATH | O_CLOEXEC);
	files[6] = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	files[7] = open("/tmp/device-empty", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (files[7] < 0 || files[7] >= FILES_END)
		die("descriptor %d of a file: others were left open", files[7]);
	int80 = has_int80();
}

void caller_init(struct caller *c, uint64_t seed, unsigned int crew, uint8_t *region)
{
	int below_4g = 0;

#ifdef MAP_32BIT
	below_4g = MAP_32BIT;
#endif
	c->random = (seed + 1) * 0x9e3779b97f4a7c15ull;
	c->crew = crew;
	c->nobody = false;
	c->may_wait = false;
	c->region = region;
	c->page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | below_4g, -1, 0);
	c->section = mmap(NULL, SECTION_ROOM, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (c->page == MAP_FAILED || c->section == MAP_FAILED ||
	    mprotect(c->page + PAGE, PAGE, PROT_NONE))
		die_errno("memory of a caller");
}

static void say_errors(enum request r)
{
	char text[400] = "";
	unsigned int i;

	for (i = 0; requests[r].errors[i]; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s %lu",
			 strerrorname_np(requests[r].errors[i]), shared->errors[r][i]);
	say("%s:%s", requests[r].name, text);
}

void calls_judge(void)
{
	enum request r;

	for (r = 0; r < REQUESTS; r++) {
		say_errors(r);
		check(!shared->odd[r], "%s: %lu answers that it may not give (errno %d)",
		      requests[r].name, shared->odd[r], shared->odd_errno[r]);
		check(shared->refused[r] && !shared->worked[r] == !requests[r].may_work,
		      "%s: worked %lu times, was refused %lu times", requests[r].name,
		      shared->worked[r], shared->refused[r]);
		if (requests[r].privileged)
			check(!shared->by_nobody[r], "%s: worked %lu times for nobody",
			      requests[r].name, shared->by_nobody[r]);
	}
}

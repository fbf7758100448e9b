// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares two views of the same events: the sampler's, and perf's own records
 * with callchains. The events are all page faults of one child. Both must have
 * the same stacks, and each of them the same number of times.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define PAGES 4096	/* of the buffer, a power of two */

struct recorder {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t size;
};

static void recorder_open(struct recorder *p, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_CALLCHAIN,
	};
	size_t page = sysconf(_SC_PAGESIZE);
	void *at;

	p->fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);
	if (p->fd < 0)
		die("perf_event_open: %s", strerror(errno));
	at = mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (at == MAP_FAILED)
		die("mmap of perf's buffer: %s", strerror(errno));
	p->page = at;
	p->data = (unsigned char *)at + page;
	p->size = PAGES * page;
}

/* Splits a callchain into its parts. */
static void split(const uint64_t *ips, uint64_t nr, struct sampler_count *ret, uint64_t *user,
		  uint64_t *kernel)
{
	uint64_t context = 0, i;

	ret->user = user;
	ret->kernel = kernel;
	ret->nr_user = ret->nr_kernel = 0;
	for (i = 0; i < nr; i++) {
		if (ips[i] >= PERF_CONTEXT_MAX)
			context = ips[i];
		else if (context == PERF_CONTEXT_USER)
			user[ret->nr_user++] = ips[i];
		else if (context == PERF_CONTEXT_KERNEL)
			kernel[ret->nr_kernel++] = ips[i];
	}
}

static bool same(const struct sampler_count *a, const struct sampler_count *b)
{
	return a->nr_user == b->nr_user && a->nr_kernel == b->nr_kernel &&
	       !memcmp(a->user, b->user, a->nr_user * 8) &&
	       !memcmp(a->kernel, b->kernel, a->nr_kernel * 8);
}

/* Takes one of the counts of this stack. Return: whether there was one. */
static bool take_one(struct run *r, const struct sampler_count *stack)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (!r->counts[i].count || !same(&r->counts[i], stack))
			continue;
		r->counts[i].count--;
		return true;
	}
	return false;
}

/* Return: records with a callchain. */
static uint64_t compare(struct recorder *p, struct run *r, uint64_t *ret_other)
{
	static uint64_t record[2048], user[1024], kernel[1024];
	uint64_t head = __atomic_load_n(&p->page->data_head, __ATOMIC_ACQUIRE), tail = 0, nr = 0;
	struct sampler_count stack = { 0 };
	struct perf_event_header header;

	for (; tail < head; tail += header.size) {
		size_t i;

		memcpy(&header, p->data + tail % p->size, sizeof(header));
		for (i = 0; i < header.size; i += 8)
			memcpy((char *)record + i, p->data + (tail + i) % p->size, 8);
		check(header.type != PERF_RECORD_LOST, "perf lost records");
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		split(record + 2, record[1], &stack, user, kernel);
		*ret_other += !take_one(r, &stack);
		nr++;
	}
	return nr;
}

void test_chains(void)
{
	const uint64_t pages = quick ? 2000 : 10000;
	struct child c = child_new(work_touch, &pages);
	uint64_t nr, other = 0, total;
	struct recorder p;
	struct run r;

	run_init(&r, "page-faults", 0, 1);
	r.options.pids = (uint32_t[]){ c.pid };
	r.options.nr_pids = 1;
	run_start(&r);
	recorder_open(&p, c.pid);
	child_go(&c);
	child_wait(&c);
	ioctl(p.fd, PERF_EVENT_IOC_DISABLE, 0);
	run_stop(&r);
	total = r.total;
	nr = compare(&p, &r, &other);
	check(nr >= pages, "perf has %llu records", (unsigned long long)nr);
	run_check_found(&r, total, nr);
	check(other == nr - total, "%llu of perf's stacks are not among the sampler's",
	      (unsigned long long)other);
	printf("  %llu events, %zu counts\n", (unsigned long long)nr, r.nr);
	run_free(&r);
	child_end(&c);
	munmap(p.page, p.size + sysconf(_SC_PAGESIZE));
	close(p.fd);
}

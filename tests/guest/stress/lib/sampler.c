// SPDX-License-Identifier: GPL-2.0-only
/* Implements sampler.h: opens perf events with user callchains and reads their rings. */
#include "sampler.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stress.h"

#define RING_BYTES (256u * 4096)

/*
 * Newer than this machine's headers (6.19): the bits defer_callchain and defer_output after
 * sigtrap, and the record type.
 */
#define ATTR_FLAGS_OFFSET 40
#define ATTR_DEFER (3ull << 38)
#define RECORD_CALLCHAIN_DEFERRED 22

static bool try_open_attr(struct sampler *s, struct perf_event_attr *attr, pid_t pid,
			  int cpu, unsigned int period_ns)
{
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = period_ns;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CALLCHAIN;
	attr->disabled = 1;
	attr->exclude_callchain_kernel = 1;
	memset(s, 0, sizeof(*s));
	s->fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			PERF_FLAG_FD_CLOEXEC);
	if (s->fd < 0)
		return false;
	s->ring = mmap(NULL, 4096 + RING_BYTES, PROT_READ | PROT_WRITE,
		       MAP_SHARED, s->fd, 0);
	if (s->ring == MAP_FAILED)
		die_errno("mmap of a perf ring");
	return true;
}

static void open_attr(struct sampler *s, struct perf_event_attr *attr, pid_t pid,
		      int cpu, unsigned int period_ns)
{
	if (!try_open_attr(s, attr, pid, cpu, period_ns))
		die_errno("perf_event_open");
}

void sampler_open(struct sampler *s, pid_t pid, int cpu, unsigned int period_ns)
{
	/* for one task, only its user code; for a CPU, everything */
	struct perf_event_attr attr = { .exclude_kernel = cpu < 0 };

	open_attr(s, &attr, pid, cpu, period_ns);
}

void sampler_open_exec(struct sampler *s, pid_t pid, unsigned int period_ns)
{
	struct perf_event_attr attr = { .exclude_kernel = 1, .enable_on_exec = 1 };

	open_attr(s, &attr, pid, -1, period_ns);
}

bool sampler_try_open_deferred(struct sampler *s, pid_t pid, unsigned int period_ns)
{
	struct perf_event_attr attr = { .exclude_kernel = 1 };
	uint64_t flags;

	memcpy(&flags, (char *)&attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	flags |= ATTR_DEFER;
	memcpy((char *)&attr + ATTR_FLAGS_OFFSET, &flags, sizeof(flags));
	return try_open_attr(s, &attr, pid, -1, period_ns);
}

void sampler_close(struct sampler *s)
{
	munmap(s->ring, 4096 + RING_BYTES);
	close(s->fd);
}

void sampler_enable(struct sampler *s, bool on)
{
	if (ioctl(s->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
		die_errno("enabling perf");
}

static void give_chain(struct sample *sample, const uint64_t *ips, uint64_t nr,
		       sample_fn fn, void *arg)
{
	sample->ips = ips;
	sample->nr = nr;
	sample->ip = nr ? ips[0] : 0;
	if (fn)
		fn(sample, arg);
}

/* layout after the header: ip, pid, tid, time, nr, ips[] */
static void give(struct sampler *s, const uint64_t *body, sample_fn fn, void *arg)
{
	const uint64_t *ips = body + 4;
	uint64_t nr = body[3], i;
	struct sample sample = {
		.pid = (uint32_t)body[1],
		.tid = body[1] >> 32,
		.time = body[2],
	};

	s->samples++;
	for (i = 0; i < nr && ips[i] != (uint64_t)PERF_CONTEXT_USER; i++)
		;
	if (i == nr)	/* the record has no user stack */
		return;
	s->stacks++;
	give_chain(&sample, ips + i + 1, nr - i - 1, fn, arg);
}

/* layout after the header: cookie, nr, ips[], all of user mode */
static void give_deferred(const uint64_t *body, sample_fn fn, void *arg)
{
	struct sample sample = { 0 };

	give_chain(&sample, body + 2, body[1], fn, arg);
}

void sampler_drain(struct sampler *s, sample_fn fn, void *arg)
{
	static __thread uint64_t record[8192 + 8];
	struct perf_event_mmap_page *page = s->ring;
	const uint8_t *data = (const uint8_t *)s->ring + 4096;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	while (s->tail < head) {
		const struct perf_event_header *h =
			(const void *)(data + s->tail % RING_BYTES);
		size_t size = h->size, at = s->tail % RING_BYTES,
		       first = RING_BYTES - at;

		if (size > first) {
			memcpy(record, data + at, first);
			memcpy((uint8_t *)record + first, data, size - first);
		} else {
			memcpy(record, data + at, size);
		}
		s->tail += size;
		if (h->type == PERF_RECORD_SAMPLE)
			give(s, record + 1, fn, arg);
		else if (h->type == RECORD_CALLCHAIN_DEFERRED)
			give_deferred(record + 1, fn, arg);
		else if (h->type == PERF_RECORD_LOST)
			s->lost += record[2];
	}
	__atomic_store_n(&page->data_tail, s->tail, __ATOMIC_RELEASE);
}

void machine_sampler_open(struct machine_sampler *m, unsigned int period_ns)
{
	unsigned int i;

	m->nr = sysconf(_SC_NPROCESSORS_ONLN);
	for (i = 0; i < m->nr; i++)
		sampler_open(&m->cpu[i], -1, i, period_ns);
}

void machine_sampler_enable(struct machine_sampler *m, bool on)
{
	unsigned int i;

	for (i = 0; i < m->nr; i++)
		sampler_enable(&m->cpu[i], on);
}

void machine_sampler_drain(struct machine_sampler *m, sample_fn fn, void *arg)
{
	unsigned int i;

	for (i = 0; i < m->nr; i++)
		sampler_drain(&m->cpu[i], fn, arg);
}

void machine_sampler_close(struct machine_sampler *m)
{
	unsigned int i;

	for (i = 0; i < m->nr; i++)
		sampler_close(&m->cpu[i]);
}

unsigned long machine_sampler_samples(const struct machine_sampler *m)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < m->nr; i++)
		sum += m->cpu[i].samples;
	return sum;
}

unsigned int machine_sampler_cpus(const struct machine_sampler *m)
{
	unsigned int i, n = 0;

	for (i = 0; i < m->nr; i++)
		n += m->cpu[i].stacks > 0;
	return n;
}

void sampler_unthrottle(void)
{
	/* in this order: after the first is off, the second is fixed */
	file_try_write("/proc/sys/kernel/perf_event_max_sample_rate", "100000");
	file_write("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
}

// SPDX-License-Identifier: GPL-2.0-only
/* Opens the perf events of a recording, with one ring for each CPU and purpose (events.h). */
#include <asm/perf_regs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "out.h"

#ifdef __x86_64__
#define BIT(n) (1ull << (n))
/* all registers except the segments, which a 64-bit task does not have */
#define REG_MASK ((BIT(PERF_REG_X86_64_MAX) - 1) & \
		  ~(BIT(PERF_REG_X86_DS) | BIT(PERF_REG_X86_ES) | \
		    BIT(PERF_REG_X86_FS) | BIT(PERF_REG_X86_GS)))
#define DEFAULT_CPU_CLOCK true
#else
#define REG_MASK ((1ull << PERF_REG_ARM64_MAX) - 1)
#define DEFAULT_CPU_CLOCK false
#endif

#define SIDE_PAGES 256

static int sys_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* the attributes that all events share */
static void attr_init(struct perf_event_attr *attr, const struct event_opts *opts)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_type = SAMPLE_ID_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	if (!opts->system_wide) {
		attr->inherit = 1;
		attr->enable_on_exec = 1;
	}
}

static void attr_side(struct perf_event_attr *attr, const struct event_opts *opts)
{
	attr_init(attr, opts);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->exclude_kernel = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->wakeup_watermark = 1;
}

static void attr_sample(struct perf_event_attr *attr, const struct event_opts *opts,
			bool cycles)
{
	attr_init(attr, opts);
	attr->type = cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	attr->config = cycles ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_SW_CPU_CLOCK;
	attr->freq = 1;
	attr->sample_freq = opts->freq;
	attr->sample_type = SAMPLE_TYPE;
	attr->sample_regs_user = REG_MASK;
	attr->sample_stack_user = opts->stack;
	attr->sample_max_stack = opts->max_stack;
	attr->exclude_kernel = !opts->with_kernel;
	attr->exclude_hv = 1;
	attr->wakeup_watermark = opts->pages * sysconf(_SC_PAGESIZE) / 8;
}

static void attr_reason(struct perf_event_attr *attr, const struct event_opts *opts,
			int tracepoint)
{
	attr_init(attr, opts);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = tracepoint;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_RAW;
}

static int open_or_die(struct events *ev, struct perf_event_attr *attr, pid_t pid,
		       unsigned int cpu, const char *what)
{
	int fd = sys_open(attr, pid, cpu);

	if (fd < 0)
		die("perf_event_open of %s on CPU %u: %s", what, cpu, strerror(errno));
	ev->fds[ev->fd_count++] = fd;
	return fd;
}

static void ring_map(struct events *ev, int fd, unsigned int cpu,
		     unsigned int stream, unsigned int pages)
{
	struct ring *r = &ev->rings[ev->ring_count++];
	size_t page = sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		die("mapping a ring of %u pages: %s", pages, strerror(errno));
	r->fd = fd;
	r->cpu = cpu;
	r->stream = stream;
	r->page = p;
	r->data = (uint8_t *)p + page;
	r->size = pages * page;
}

static void open_cpu(struct events *ev, const struct event_opts *opts, pid_t pid,
		     int tracepoint, unsigned int cpu)
{
	struct perf_event_attr attr;
	uint64_t id;
	int fd, tp;

	attr_side(&attr, opts);
	fd = open_or_die(ev, &attr, pid, cpu, "the dummy event");
	ring_map(ev, fd, cpu, GT_STREAM_SIDE(cpu), SIDE_PAGES);

	attr_sample(&attr, opts, ev->hw_cycles);
	fd = open_or_die(ev, &attr, pid, cpu, "the sampling event");
	ring_map(ev, fd, cpu, GT_STREAM_SAMPLE(cpu), opts->pages);
	if (opts->program >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, opts->program))
		die("the program for CPU %u: %s", cpu, strerror(errno));

	if (tracepoint < 0)
		return;
	attr_reason(&attr, opts, tracepoint);
	tp = open_or_die(ev, &attr, pid, cpu, "the reason tracepoint");
	if (ioctl(tp, PERF_EVENT_IOC_SET_OUTPUT, fd) ||
	    ioctl(tp, PERF_EVENT_IOC_ID, &id))
		die("the reason tracepoint on CPU %u: %s", cpu, strerror(errno));
	ev->tp_ids[ev->tp_count++] = id;
}

/* if there are hardware cycles, they interrupt even where the clock's timer is masked */
static bool have_cycles(const struct event_opts *opts)
{
	struct perf_event_attr attr;
	int fd;

	if (opts->cpu_clock || DEFAULT_CPU_CLOCK)
		return false;
	attr_sample(&attr, opts, true);
	fd = sys_open(&attr, 0, -1);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

void events_open(struct events *ev, const struct event_opts *opts, pid_t pid,
		 int tracepoint)
{
	unsigned int cpu, n = sysconf(_SC_NPROCESSORS_CONF);

	memset(ev, 0, sizeof(*ev));
	if (GT_STREAM_SAMPLE(n) > GT_MAX_STREAMS)
		die("more than %d CPUs", GT_MAX_STREAMS / 2);
	ev->cpus = n;
	ev->reg_mask = REG_MASK;
	ev->rings = calloc(2 * n, sizeof(*ev->rings));
	ev->fds = calloc(3 * n, sizeof(*ev->fds));
	ev->tp_ids = calloc(n, sizeof(*ev->tp_ids));
	if (!ev->rings || !ev->fds || !ev->tp_ids)
		die("no memory");
	ev->hw_cycles = have_cycles(opts);
	for (cpu = 0; cpu < n; cpu++)
		open_cpu(ev, opts, opts->system_wide ? -1 : pid, tracepoint, cpu);
}

void events_enable(struct events *ev)
{
	unsigned int i;

	for (i = 0; i < ev->fd_count; i++)
		if (ioctl(ev->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			die("enabling an event: %s", strerror(errno));
}

void events_disable(struct events *ev)
{
	unsigned int i;

	for (i = 0; i < ev->fd_count; i++)
		ioctl(ev->fds[i], PERF_EVENT_IOC_DISABLE, 0);
}

bool events_is_tracepoint(const struct events *ev, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < ev->tp_count; i++)
		if (ev->tp_ids[i] == id)
			return true;
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens perf events and their rings: which kind of event, on which CPUs and
 * threads, how large the rings are, and what to leave out where rights or
 * counters are missing. See events.h. stackcopy.c calls it.
 */
#include "capture/stackcopy/events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "host/perf/event.h"
#include "host/process/thread_ids.h"
#include "capture/sampler/refusal.h"
#include "capture/sampler/tracefs.h"
#include "capture/stackcopy/sample.h"
#include "capture/stackcopy/stackcopy.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define DEFAULT_FREQUENCY 99u
#define NS_PER_SECOND 1000000000ull

/* A ring has room for the samples of half a second, within these limits. */
#define RING_MIN_BYTES (64ull << 10)
#define RING_LEAST_ASKED (1ull << 20)
#define RING_MAX_BYTES (32ull << 20)

void events_note(const struct events *e, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!e->options->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	e->options->note(e->options->note_context, text);
}

static int check_kind(const struct event_spec *s, struct diag *diag)
{
	if (s->event.kind == EVENT_PERF)
		return 0;
	if (s->event.kind == EVENT_TRACEPOINT && !tracefs_has(s->event.file, s->event.symbol))
		return refusal_tracepoint(s->name, diag);
	return diag_set(diag, EOPNOTSUPP, s->name,
			"stacks are not copied at tracepoints and probes, nor where threads wait: "
			"use --mode tables");
}

static int parse_one(struct events *e, const struct sampler_event *from, struct diag *diag)
{
	struct event_spec *s = &e->specs[e->nr_specs];
	int err = event_parse(from->name, EVENT_PMUS, &s->event, diag);

	if (err)
		return err;
	s->name = strdup(from->name);
	if (!s->name)
		return -ENOMEM;
	e->nr_specs++;
	if (from->frequency && from->period)
		return diag_set(diag, EINVAL, from->name, "either a frequency or a period, not both");
	s->period = from->period;
	s->frequency = from->frequency;
	if (!s->period && !s->frequency && s->event.rate)
		s->frequency = DEFAULT_FREQUENCY;
	if (!s->period && !s->frequency)
		s->period = 1;
	/*
	 * like the sampler: a clock with a frequency gets the fixed period of
	 * that frequency
	 */
	if (s->event.clock && s->frequency && s->frequency <= NS_PER_SECOND) {
		s->period = NS_PER_SECOND / s->frequency;
		s->frequency = 0;
	}
	return check_kind(s, diag);
}

/*
 * Return: whether the event is a software event with a period above 1. If such
 * samples carry their period, the kernel samples every event instead
 * (perf_swevent_event()).
 */
static bool is_counted(const struct event_spec *s)
{
	return s->event.type == PERF_TYPE_SOFTWARE && !s->event.clock && s->period > 1;
}

/*
 * Bytes a second and CPU if no CPU is idle; never 0, however rare samples are.
 */
static uint64_t bytes_a_second(const struct events *e)
{
	uint64_t rate = 0;
	uint32_t i;

	for (i = 0; i < e->nr_specs; i++) {
		const struct event_spec *s = &e->specs[i];

		if (s->frequency)
			rate += s->frequency;
		else
			rate += s->event.clock ? NS_PER_SECOND / s->period : 1000;
	}
	return (rate ? rate : 1) * (e->stack_bytes + 1024ull);
}

static uint64_t ring_bytes(const struct events *e)
{
	uint64_t want = bytes_a_second(e) / 2, bytes = RING_LEAST_ASKED;

	while (bytes < want && bytes < RING_MAX_BYTES)
		bytes *= 2;
	return bytes;
}

/*
 * Bytes that the rings of all CPUs may have together, as perf_mmap() in
 * kernel/events/core.c counts them: a part for each CPU is free, the rest
 * counts as memory locked by the user. 0 is no limit.
 */
static uint64_t rings_limit(void)
{
	int64_t kilobytes = 0;
	struct rlimit lock;

	if (!geteuid() || getrlimit(RLIMIT_MEMLOCK, &lock) || lock.rlim_cur == RLIM_INFINITY)
		return 0;
	sysctl_kernel("perf_event_mlock_kb", &kilobytes);
	return (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) * ((uint64_t)kilobytes << 10) + lock.rlim_cur;
}

/*
 * Copies as much as perf can, or less if rings for half a second would be too
 * large then.
 */
static void choose_stack_bytes(struct events *e)
{
	uint64_t limit = rings_limit(), bytes;

	e->stack_bytes = STACKCOPY_MAX_BYTES;
	bytes = ring_bytes(e);
	if (bytes < bytes_a_second(e) / 2 ||
	    (limit && bytes * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) > limit))
		e->stack_bytes = STACKCOPY_FEWER_BYTES;
}

uint64_t events_fill_ms(const struct events *e)
{
	uint32_t i;

	for (i = 0; i < e->nr_specs; i++)
		if (!e->specs[i].event.clock)
			return 0;
	return e->nr_specs ? e->ring_bytes * 1000 / bytes_a_second(e) : 0;
}

int events_parse(struct events *e, const struct sampler_options *options,
		 uint32_t stack_bytes, struct diag *diag)
{
	size_t i;
	int err = 0;

	e->options = options;
	e->stack_bytes = stack_bytes;
	e->type = SAMPLE_TYPE_ALWAYS | PERF_SAMPLE_CGROUP;
	if (!options->no_user)
		e->type |= SAMPLE_TYPE_USER;
	if (!options->no_kernel)
		e->type |= PERF_SAMPLE_CALLCHAIN;
	e->specs = calloc(options->nr_events, sizeof(*e->specs));
	if (!e->specs)
		return -ENOMEM;
	for (i = 0; i < options->nr_events && !err; i++)
		err = parse_one(e, &options->events[i], diag);
	for (i = 0; i < e->nr_specs; i++)
		if (is_counted(&e->specs[i]))
			e->type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	if (!stack_bytes)
		choose_stack_bytes(e);
	if (options->no_user)
		e->stack_bytes = 0;
	e->ring_bytes = err ? 0 : ring_bytes(e);
	return err;
}

static struct perf_event_attr attr_of(const struct events *e, const struct event_spec *s,
				      bool inherit, bool first)
{
	struct perf_event_attr attr = {
		.type = s->event.type,
		.config = s->event.config[0],
		.config1 = s->event.config[1],
		.config2 = s->event.config[2],
		.sample_type = e->type,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.sample_id_all = 1,
		.disabled = 1,
		.inherit = inherit,
		.inherit_thread = inherit && !e->options->children,
		.exclude_user = s->event.exclude_user,
		.exclude_kernel = s->event.exclude_kernel || e->user_only,
		.exclude_hv = s->event.exclude_kernel || e->user_only,
		.exclude_guest = 1,
		.exclude_callchain_user = 1,
		.sample_regs_user = e->stack_bytes ? NATIVE_PERF_MASK : 0,
		.sample_stack_user = e->stack_bytes,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = (uint32_t)(e->ring_bytes / 4),
		/* one event of each CPU records names of threads */
		.comm = first, .comm_exec = first, .task = first,
	};

	attr.freq = !s->period;
	if (s->period)
		attr.sample_period = s->period;
	else
		attr.sample_freq = s->frequency;
	return attr;
}

bool events_is_of_cpus(const struct events *e, const struct event_spec *s)
{
	bool counted = s->event.type == PERF_TYPE_SOFTWARE && !s->event.clock;

	return e->machine || (e->filter && !counted);
}

bool events_of_cpus(const struct events *e)
{
	uint32_t i;

	for (i = 0; i < e->nr_specs; i++)
		if (!events_is_of_cpus(e, &e->specs[i]))
			return false;
	return true;
}

static int open_fd(struct events *e, uint32_t index, int tid, unsigned int cpu)
{
	bool inherit = tid >= 0 && (e->options->children || e->options->nr_pids);
	struct perf_event_attr attr = attr_of(e, &e->specs[index], inherit, !index);

	return e->cgroup >= 0 ? perf_open_cgroup(&attr, e->cgroup, (int)cpu) :
				perf_open(&attr, tid, (int)cpu);
}

/*
 * Leaves out something that failed to open. Return: whether to try to open
 * again.
 */
static bool leave_out_refused(struct events *e, struct event_spec *s, int err)
{
	if (err == -EINVAL && e->type & PERF_SAMPLE_CGROUP && !e->nr_fds) {
		e->type &= ~(uint64_t)PERF_SAMPLE_CGROUP;
		return true;
	}
	if ((err == -EACCES || err == -EPERM) && !e->user_only && !s->event.exclude_user &&
	    (e->options->nr_pids || e->options->nr_tids)) {
		e->user_only = true;
		if (!s->event.exclude_kernel)
			events_note(e, "samples in the kernel are left out: they take root, CAP_PERFMON "
				    "or sysctl kernel.perf_event_paranoid=1");
		return true;
	}
	if ((err == -ENOENT || err == -ENODEV || err == -EOPNOTSUPP) && s->event.cycles) {
		uint64_t hz = s->frequency ? s->frequency : DEFAULT_FREQUENCY;
		char *name = strdup("cpu-clock");

		if (!name)
			return false;
		events_note(e, "the machine has no %s: cpu-clock is sampled at %llu Hz", s->name,
			    (unsigned long long)hz);
		free(s->name);
		s->name = name;
		s->event.type = PERF_TYPE_SOFTWARE;
		s->event.config[0] = PERF_COUNT_SW_CPU_CLOCK;
		s->event.cycles = false;
		s->event.clock = true;
		s->period = NS_PER_SECOND / hz;
		s->frequency = 0;
		return true;
	}
	return false;
}

struct event_ring *events_ring_of(const struct events *e, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < e->nr_rings; i++)
		if (e->rings[i].cpu == cpu)
			return &e->rings[i];
	return NULL;
}

static int map_ring(struct events *e, int fd, unsigned int cpu, struct diag *diag)
{
	struct event_ring *r = &e->rings[e->nr_rings];
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int err;

	do {
		err = perf_ring_map(&r->ring, fd, (unsigned int)(e->ring_bytes / page));
		if (err != -EPERM && err != -ENOMEM)
			break;
		/*
		 * the limit for locked memory is too low for this size: try a
		 * smaller ring
		 */
		e->ring_bytes /= 2;
	} while (e->ring_bytes >= RING_MIN_BYTES);
	if (err == -EPERM)
		return diag_set(diag, -err, "perf ring",
				"too much memory locked: ulimit -l, or sysctl kernel.perf_event_mlock_kb");
	if (err)
		return diag_errno(diag, -err, "perf ring");
	r->fd = fd;
	r->cpu = cpu;
	e->nr_rings++;
	return 0;
}

/*
 * Connects @fd, the last of @e->fds, to the ring of its CPU, which is mapped if
 * there is none.
 */
static int connect_ring(struct events *e, int fd, unsigned int cpu, struct diag *diag)
{
	struct event_ring *r = events_ring_of(e, cpu);

	if (!r)
		return map_ring(e, fd, cpu, diag);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
		return diag_errno(diag, errno, "perf ring");
	return 0;
}

int events_open_one(struct events *e, uint32_t index, int tid, unsigned int cpu,
		    struct diag *diag)
{
	struct event_spec *s = &e->specs[index];
	struct event_fd *f;
	int fd, err;

	do {
		fd = open_fd(e, index, tid, cpu);
	} while (fd < 0 && leave_out_refused(e, s, fd));
	if (fd == -ESRCH || fd == -ENODEV)
		return 0;
	if (fd < 0)
		return refusal_event(-fd, s->name, s->frequency, diag);
	if (!array_has_room(e->fds, e->nr_fds, e->room)) {
		close(fd);
		return -ENOMEM;
	}
	f = &e->fds[e->nr_fds++];
	*f = (struct event_fd){ .fd = fd, .event = index, .cpu = cpu };
	if (ioctl(fd, PERF_EVENT_IOC_ID, &f->id))
		return diag_errno(diag, errno, s->name);
	err = e->filter && tid < 0 ? filter_event(e->filter, fd) : 0;
	if (err)
		return diag_errno(diag, -err, s->name);
	err = connect_ring(e, fd, cpu, diag);
	return err ? err : 1;
}

/*
 * Opens the events of a thread, or those of CPUs or of the cgroup (@tid -1).
 * Return: 1 if anything was opened, 0, or a negative errno.
 */
static int open_events_of(struct events *e, int tid, const struct cpus *cpus, struct diag *diag)
{
	unsigned int cpu, end = cpus_end(cpus);
	int some = 0, got;
	uint32_t i;

	for (cpu = 0; cpu < end; cpu++)
		for (i = 0; i < e->nr_specs && cpus_has(cpus, cpu); i++) {
			if (e->cgroup < 0 && events_is_of_cpus(e, &e->specs[i]) != (tid < 0))
				continue;
			got = events_open_one(e, i, tid, cpu, diag);
			if (got < 0)
				return got;
			some |= got;
		}
	return some;
}

/*
 * Loads the filter. If rights for it are missing, inherited events are used:
 * @e->inherited.
 */
static void load_filter(struct events *e)
{
	const struct sampler_options *o = e->options;
	struct diag diag = { 0 };
	bool clock = false;
	char why[256];
	uint32_t i;
	int err;

	for (i = 0; i < e->nr_specs; i++)
		clock |= e->specs[i].event.clock || e->specs[i].event.type != PERF_TYPE_SOFTWARE;
	/*
	 * only threads are named: they are sampled alone and nothing is
	 * inherited
	 */
	if (!o->nr_pids || !clock)
		return;
	err = filter_new(o->pids, o->nr_pids, o->tids, o->nr_tids, o->children, &e->filter, &diag);
	e->inherited = err;
	if (!err || geteuid())
		return;
	diag_format(&diag, why, sizeof(why));
	events_note(e, "processes and threads that run for less than a period are not sampled: %.180s",
		    why);
}

/*
 * A thread that has no event yet may start others meanwhile: looks again until
 * no new ones are found.
 */
static int open_processes(struct events *e, const struct cpus *cpus, struct diag *diag)
{
	_cleanup_(thread_ids_release) struct thread_ids ids = THREAD_IDS_INIT;
	const struct sampler_options *o = e->options;
	size_t nr = 0;
	int err;

	load_filter(e);
	do {
		err = thread_ids_of(o->pids, o->nr_pids, o->tids, o->nr_tids, &ids);
		if (err || nr == ids.nr)
			break;
		while (nr < ids.nr && err >= 0)
			err = open_events_of(e, (int)ids.tid[nr++], cpus, diag);
	} while (err >= 0);
	if (err >= 0 && (!ids.nr || (!e->nr_fds && !events_of_cpus(e))))
		return diag_set(diag, ESRCH, NULL, "there is no %s %u%s",
				o->nr_pids ? "process" : "thread",
				o->nr_pids ? o->pids[0] : o->tids[0],
				o->nr_pids + o->nr_tids > 1 ? ", nor any of the others" : "");
	return err < 0 ? err : open_events_of(e, -1, cpus, diag);
}

static int open_cgroup(struct events *e, struct diag *diag)
{
	const struct sampler_options *o = e->options;

	if (!o->cgroup)
		return 0;
	if (o->nr_pids || o->nr_tids)
		return diag_set(diag, EOPNOTSUPP, o->cgroup,
				"with copied stacks, a cgroup or processes can be sampled, not both");
	e->cgroup = open(o->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return e->cgroup < 0 ? diag_errno(diag, errno, o->cgroup) : 0;
}

static int by_id(const void *a, const void *b)
{
	const struct event_fd *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

void events_sort(struct events *e)
{
	qsort(e->fds, e->nr_fds, sizeof(*e->fds), by_id);
}

/*
 * Finds the CPUs that may be sampled, now or when they come online; allocates
 * room for their rings.
 */
static int find_cpus(struct events *e, struct diag *diag)
{
	const char *list = e->options->cpus;
	int err;

	e->cpus = calloc(1, sizeof(*e->cpus));
	if (!e->cpus)
		return -ENOMEM;
	err = list ? cpus_parse(list, e->cpus, diag) : cpus_possible(e->cpus, diag);
	if (err)
		return err;
	e->rings_room = cpus_end(e->cpus);
	e->rings = calloc(e->rings_room, sizeof(*e->rings));
	return e->rings ? 0 : -ENOMEM;
}

int events_cpus_now(const struct events *e, struct cpus *ret, struct diag *diag)
{
	int err = cpus_online(ret, diag);
	size_t i;

	for (i = 0; i < CPUS_MAX / 64; i++)
		ret->words[i] &= e->cpus->words[i];
	return err;
}

int events_open(struct events *e, struct diag *diag)
{
	const struct sampler_options *o = e->options;
	int err = open_cgroup(e, diag);
	struct cpus cpus = { 0 };

	if (!err)
		err = find_cpus(e, diag);
	if (!err)
		err = events_cpus_now(e, &cpus, diag);
	if (!err && !cpus_end(&cpus))
		err = diag_set(diag, ENODEV, NULL, "none of the CPUs asked for is online");
	e->machine = e->cgroup < 0 && !o->nr_pids && !o->nr_tids;
	if (!err && (o->nr_pids || o->nr_tids))
		err = open_processes(e, &cpus, diag);
	else if (!err)
		err = open_events_of(e, -1, &cpus, diag);
	if (err < 0)
		return err;
	events_sort(e);
	return 0;
}

static void control(struct events *e, unsigned long request)
{
	size_t i;

	for (i = 0; i < e->nr_fds; i++)
		if (!e->fds[i].retired)
			ioctl(e->fds[i].fd, request, 0);
}

void events_enable(struct events *e)
{
	control(e, PERF_EVENT_IOC_ENABLE);
}

void events_disable(struct events *e)
{
	control(e, PERF_EVENT_IOC_DISABLE);
}

void events_release(struct events *e)
{
	size_t i;

	for (i = 0; i < e->nr_rings; i++)
		perf_ring_unmap(&e->rings[i].ring);
	for (i = 0; i < e->nr_fds; i++)
		close(e->fds[i].fd);
	for (i = 0; i < e->nr_specs; i++)
		free(e->specs[i].name);
	if (e->cgroup >= 0)
		close(e->cgroup);
	filter_free(e->filter);
	free(e->cpus);
	free(e->rings);
	free(e->fds);
	free(e->specs);
}

uint32_t events_find(const struct events *e, uint64_t id)
{
	size_t low = 0, high = e->nr_fds;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (e->fds[mid].id == id)
			return e->fds[mid].event;
		if (e->fds[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return e->nr_specs;
}

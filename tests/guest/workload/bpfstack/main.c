// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpfstack [-F HZ] [-i] [-m N] COMMAND...: prints the result of bpf_get_stack() for every user
 * stack of the machine while COMMAND runs, in the format of `perf script`, for chaincheck. -i:
 * use bpf_get_stackid() instead. -m: run COMMAND again until N stacks were taken, because the
 * number of stacks per second depends on how busy the machine is. Exit status: COMMAND's, or 2
 * for trouble of this program.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"
#include "tasks.h"
#include "wire.h"

#define POLL_MS 20

/* One in so many stacks may collide with another one in the hash, and is missing then. */
#define COLLISIONS 20

extern const char stack_object[], stack_object_end[];

/* -m ends after so many rounds: then sampling does not work */
#define MOST_ROUNDS 30

static int stacks_map;
static unsigned long taken, collided, with_stack;

static struct bpf_object *load(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "bpfstack");
	struct bpf_object *object;

	object = bpf_object__open_mem(stack_object,
				      stack_object_end - stack_object, &options);
	if (!object)
		die("BPF object: %s", strerror(errno));
	if (bpf_object__load(object))
		die("BPF program not loaded: %s", strerror(errno));
	return object;
}

static void attach(struct bpf_object *object, const char *name, int cpu,
		   unsigned long hz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK, .freq = 1, .sample_freq = hz,
	};
	struct bpf_program *program;
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

	if (fd < 0)
		die("perf_event_open (CPU %d): %s", cpu, strerror(errno));
	program = bpf_object__find_program_by_name(object, name);
	if (!program || !bpf_program__attach_perf_event(program, fd))
		die("BPF program not attached: %s", strerror(errno));
}

/* the frames of a sample; those from the map end with a zero */
static int frames(const struct wire_sample *s, const unsigned long long **ret)
{
	static unsigned long long ips[STACK_FRAMES];
	int count = 0;

	*ret = s->ips;
	taken++;
	with_stack += s->bytes >= 0;
	if (s->bytes == -EEXIST)
		collided++;
	if (s->bytes || !stacks_map)
		return s->bytes / 8;
	*ret = ips;
	if (bpf_map_lookup_elem(stacks_map, &s->id, ips))
		die("stack %u: %s", s->id, strerror(errno));
	while (count < STACK_FRAMES && ips[count])
		count++;
	return count;
}

static int take(void *context, void *data, size_t size)
{
	const struct wire_sample *s = data;
	const unsigned long long *ips;
	int i, count = frames(s, &ips);
	FILE *f = log_open(s->time);

	fprintf(f, "%.16s %u/%u %llu.%09llu: bpf_get_stack%s:\n", s->comm, s->pid,
		s->tid, s->time / 1000000000, s->time % 1000000000,
		stacks_map ? "id" : "");
	for (i = 0; i < count; i++)
		fprintf(f, "\t%16llx\n", ips[i]);
	fputc('\n', f);
	log_close();
	return 0;
}

static pid_t start(char **argv)
{
	pid_t child = fork();

	if (child < 0)
		die("fork: %s", strerror(errno));
	if (!child) {
		execvp(argv[0], argv);
		fprintf(stderr, "bpfstack: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	return child;
}

static struct ring_buffer *ring_open(struct bpf_object *object)
{
	int map = bpf_object__find_map_fd_by_name(object, "samples");
	struct ring_buffer *ring = ring_buffer__new(map, take, NULL, NULL);

	if (!ring)
		die("ring buffer: %s", strerror(errno));
	return ring;
}

static unsigned long long lost_samples(struct bpf_object *object)
{
	struct bpf_map *map;
	size_t size;

	bpf_object__for_each_map(map, object) {
		const char *name = bpf_map__name(map);
		unsigned long long value = 0;
		unsigned int zero = 0;

		size = bpf_map__value_size(map);
		if (strstr(name, ".bss") && size == sizeof(value) &&
		    !bpf_map__lookup_elem(map, &zero, sizeof(zero), &value,
					  size, 0))
			return value;
	}
	return 0;
}

/* Return: the status of the command, as from waitpid(). */
static int run_once(struct ring_buffer *ring, char **argv)
{
	pid_t child = start(argv);
	int status = 0;

	while (waitpid(child, &status, WNOHANG) != child) {
		ring_buffer__poll(ring, POLL_MS);
		tasks_read();
	}
	ring_buffer__consume(ring);
	tasks_read();
	return status;
}

int main(int argc, char **argv)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), i, status = 0;
	unsigned long hz = 99, least = 0, lost;
	struct bpf_object *object;
	struct ring_buffer *ring;
	bool id = false;

	while ((i = getopt(argc, argv, "+F:im:")) != -1) {
		if (i == 'F')
			hz = strtoul(optarg, NULL, 0);
		else if (i == 'i')
			id = true;
		else if (i == 'm')
			least = strtoul(optarg, NULL, 0);
		else
			optind = argc;
	}
	if (optind >= argc)
		die("usage: bpfstack [-F HZ] [-i] [-m N] COMMAND...");
	object = load();
	if (id)
		stacks_map = bpf_object__find_map_fd_by_name(object, "stacks");
	ring = ring_open(object);
	tasks_open(cpus);
	for (i = 0; i < cpus; i++)
		attach(object, id ? "sample_stackid" : "sample_stack", i, hz);
	i = 0;
	do {
		status = run_once(ring, argv + optind);
	} while (!status && with_stack < least && ++i < MOST_ROUNDS);
	log_print(stdout);
	lost = lost_samples(object) + tasks_lost();
	if (lost)
		die("%lu records lost", lost);
	if (collided * COLLISIONS > taken)
		die("%lu of %lu stacks met another of their hash", collided, taken);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* perf_event_open() of cpu-clock with user callchains, and its ring. */
#ifndef STRESS_SAMPLER_H
#define STRESS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sampler {
	int fd;
	void *ring;
	uint64_t tail;
	unsigned long samples, lost;
	unsigned long stacks;	/* samples with a user stack */
};

struct sample {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	unsigned int nr;	/* user frames; @ip is the first */
	const uint64_t *ips;
};

typedef void (*sample_fn)(const struct sample *sample, void *arg);

/*
 * As perf_event_open(2): @pid 0 is the caller, @cpu -1 all CPUs. The event is disabled at
 * first.
 */
void sampler_open(struct sampler *s, pid_t pid, int cpu, unsigned int period_ns);
/* For a task that will execute a program: the event is enabled at the execve and inherited. */
void sampler_open_exec(struct sampler *s, pid_t pid, unsigned int period_ns);
/*
 * Samples with user stacks that the kernel takes on the way to user mode. Return: false if this
 * kernel does not support that.
 */
bool sampler_try_open_deferred(struct sampler *s, pid_t pid, unsigned int period_ns);
void sampler_close(struct sampler *s);
void sampler_enable(struct sampler *s, bool on);

/* Calls @fn for every user sample in the ring; @fn may be NULL. */
void sampler_drain(struct sampler *s, sample_fn fn, void *arg);

/* One sampler for each CPU. */
struct machine_sampler {
	unsigned int nr;
	struct sampler cpu[64];
};

void machine_sampler_open(struct machine_sampler *m, unsigned int period_ns);
void machine_sampler_enable(struct machine_sampler *m, bool on);
void machine_sampler_drain(struct machine_sampler *m, sample_fn fn, void *arg);
void machine_sampler_close(struct machine_sampler *m);
unsigned long machine_sampler_samples(const struct machine_sampler *m);
/* Return: the number of CPUs that have given a user stack. */
unsigned int machine_sampler_cpus(const struct machine_sampler *m);

/* Turns off throttling by the kernel, because emulation is slow, not overloaded. */
void sampler_unthrottle(void);

#endif

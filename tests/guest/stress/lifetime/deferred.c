// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks that are taken on the way to user mode, where page faults are allowed (6.19 and
 * later), of a thread whose stack is partly not resident.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lifetime.h"

#define PERIOD_NS 500000
#define STACK_BYTES (256u << 10)
#define ROOM_BYTES (64u << 10)
#define SAMPLE_SECONDS 30

static struct {
	const void *text;
	struct plug_stack plug;
	void *to_above;		/* the caller of call_far_below() */
	char *dropped;		/* pages from here to the end of the stack are dropped */
	char *end;
	volatile bool drop, stop;
	volatile pid_t tid;
} target;

/* So long that nearly all samples see the pages as they were after the last drop. */
static __attribute__((noipa)) void call_plug(void)
{
	plug_call(&target.plug, target.text, 300 * PLUG_SPIN);
	asm volatile("" ::: "memory");
}

/* Its own return address is in pages far above those of the plug's frames. */
static __attribute__((noipa)) void call_far_below(void)
{
	char room[ROOM_BYTES];

	asm volatile("" : : "r"(room) : "memory");
	target.dropped = (char *)(((uintptr_t)room + ROOM_BYTES / 2) & ~4095ul);
	target.to_above = __builtin_return_address(0);
	call_plug();
	asm volatile("" : : "r"(room) : "memory");
}

static void *run_target(void *arg)
{
	target.tid = syscall(SYS_gettid);
	while (!target.stop)
		call_far_below();
	return NULL;
}

/* The memfd keeps the contents; the next access is a page fault. */
static void *run_dropper(void *arg)
{
	while (!target.stop) {
		if (target.drop)
			madvise(target.dropped, target.end - target.dropped,
				MADV_DONTNEED);
		usleep(100);
	}
	return NULL;
}

static void start(pthread_t *thread)
{
	int fd = memfd_create("stack", MFD_CLOEXEC);
	pthread_attr_t attr;
	char *stack;

	if (fd < 0 || ftruncate(fd, STACK_BYTES))
		die_errno("memfd");
	stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (stack == MAP_FAILED)
		die_errno("mmap of a stack");
	close(fd);
	target.end = stack + STACK_BYTES;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, STACK_BYTES);
	if (pthread_create(&thread[0], &attr, run_target, NULL) ||
	    pthread_create(&thread[1], NULL, run_dropper, NULL))
		die("no thread");
	while (!target.tid || !target.dropped)
		usleep(1000);
}

struct reach {
	struct tally plug;
	unsigned long above, not_above;
};

static void judge(const struct sample *sample, void *arg)
{
	struct reach *reach = arg;
	unsigned long before = reach->plug.apart;
	unsigned int i;

	plug_judge(&target.plug, sample, &reach->plug);
	if (reach->plug.apart != before)
		return;
	for (i = 0; i < sample->nr; i++)
		if (sample->ips[i] == (uintptr_t)target.to_above)
			break;
	*(i < sample->nr ? &reach->above : &reach->not_above) += 1;
}

static void sample(struct sampler *s, const char *what)
{
	double end = seconds() + SAMPLE_SECONDS;
	struct reach reach = { 0 };

	sampler_drain(s, NULL, NULL);
	while (reach.above + reach.not_above < samples_wanted && seconds() < end) {
		usleep(20000);
		sampler_drain(s, judge, &reach);
	}
	check(is_whole(&reach.plug) && reach.above && !reach.not_above,
	      "deferred, %s: whole %lu, cut %lu, wrong %lu; with what is above %lu, without %lu",
	      what, reach.plug.whole, reach.plug.cut, reach.plug.wrong,
	      reach.above, reach.not_above);
}

void test_deferred(void)
{
	int fd = plug_file(3, DIR "/lib-deferred");
	pthread_t thread[2];
	struct sampler s;

	memset(&target, 0, sizeof(target));
	target.text = plug_map(&plugs[3], fd, place(), MAP_FIXED);
	close(fd);
	start(thread);
	if (sampler_try_open_deferred(&s, target.tid, PERIOD_NS)) {
		sampler_enable(&s, true);
		sample(&s, "the stack is resident");
		target.drop = true;
		sample(&s, "its upper pages are not");
		sampler_close(&s);
	} else {
		skip("deferred: this kernel takes no stacks on the way to user mode");
	}
	target.stop = true;
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	munmap(target.end - STACK_BYTES, STACK_BYTES);
	munmap((void *)target.text, plugs[3].text_len);
}

// SPDX-License-Identifier: GPL-2.0-only
/* user/capture/stackcopy: records of perf's ring, walks, equal stacks, names of threads. */
#include <asm/perf_regs.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/stackcopy/counts.h"
#include "capture/stackcopy/events.h"
#include "capture/stackcopy/jit_memory.h"
#include "capture/stackcopy/sample.h"
#include "capture/stackcopy/threads.h"
#include "capture/stackcopy/walk.h"
#include "util/native.h"

#define TYPE (SAMPLE_TYPE_ALWAYS | PERF_SAMPLE_CALLCHAIN | SAMPLE_TYPE_USER | PERF_SAMPLE_CGROUP)
#define STACK 64u

/* A record, written word by word. */
struct record {
	struct perf_event_header header;
	uint64_t words[256];
};

static void put(struct record *r, uint64_t word)
{
	r->words[(r->header.size - sizeof(r->header)) / 8] = word;
	r->header.size += 8;
}

static void begin(struct record *r, uint32_t type, uint16_t misc)
{
	memset(r, 0, sizeof(*r));
	r->header = (struct perf_event_header){ type, misc, sizeof(r->header) };
}

static uint64_t pair(uint32_t low, uint32_t high)
{
	return low | (uint64_t)high << 32;
}

static void put_head(struct record *r)
{
	begin(r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put(r, 77);			/* identifier */
	put(r, 0x401000);		/* ip */
	put(r, pair(10, 11));		/* pid, tid */
	put(r, 123456789);		/* time */
	put(r, pair(3, 0));		/* cpu */
	put(r, 1001001);		/* period */
}

/* A sample with @copied bytes of STACK. */
static void put_sample(struct record *r, uint64_t copied)
{
	unsigned int i;

	put_head(r);
	put(r, 3);
	put(r, (uint64_t)PERF_CONTEXT_KERNEL);
	put(r, 0xffffffff81000010);
	put(r, 0xffffffff81000020);
	put(r, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < NATIVE_PERF_REGS; i++)
		put(r, 1000 + i);
	put(r, STACK);
	for (i = 0; i < STACK / 8; i++)
		put(r, 2000 + i);
	put(r, copied);
	put(r, 4242);			/* cgroup */
}

static void parses_sample(void **state)
{
	struct record r;
	struct sample s;

	put_sample(&r, 40);
	assert_true(sample_parse(&r.header, TYPE, &s));
	assert_int_equal(s.kind, RECORD_SAMPLE);
	assert_int_equal(s.id, 77);
	assert_int_equal(s.tgid, 10);
	assert_int_equal(s.tid, 11);
	assert_int_equal(s.time, 123456789);
	assert_int_equal(s.period, 1001001);
	assert_int_equal(s.cgroup, 4242);
	assert_int_equal(s.nr_kernel, 2);
	assert_true(s.kernel[1] == 0xffffffff81000020);
	assert_int_equal(s.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(s.regs[NATIVE_PERF_SP], 1000 + NATIVE_PERF_SP);
	assert_int_equal(s.regs[NATIVE_PERF_REGS - 1], 1000 + NATIVE_PERF_REGS - 1);
	assert_int_equal(s.asked, STACK);
	assert_int_equal(s.stack_len, 40);
	assert_int_equal(((const uint64_t *)s.stack)[4], 2004);
}

/* A kernel thread: no registers, no stack; and a chain without addresses. */
static void parses_kernel_thread(void **state)
{
	struct record r;
	struct sample s;

	put_head(&r);
	put(&r, 0);
	put(&r, PERF_SAMPLE_REGS_ABI_NONE);
	put(&r, 0);
	put(&r, 1);
	assert_true(sample_parse(&r.header, TYPE, &s));
	assert_int_equal(s.abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(s.nr_kernel, 0);
	assert_int_equal(s.stack_len, 0);
	assert_int_equal(s.cgroup, 1);
}

/* Any missing bytes at the end are noticed. */
static void refuses_cut_sample(void **state)
{
	struct record r;
	struct sample s;
	uint16_t whole;

	put_sample(&r, 40);
	for (whole = r.header.size; r.header.size > sizeof(r.header);) {
		r.header.size -= 8;
		assert_false(sample_parse(&r.header, TYPE, &s));
	}
	r.header.size = whole;
	assert_true(sample_parse(&r.header, TYPE, &s));
}

static void refuses_lies(void **state)
{
	struct record r;
	struct sample s;

	put_sample(&r, STACK + 8);
	assert_false(sample_parse(&r.header, TYPE, &s));
	put_sample(&r, 40);
	r.words[6] = UINT64_MAX / 4;		/* frames of the chain */
	assert_false(sample_parse(&r.header, TYPE, &s));
	put_sample(&r, 40);
	r.words[11 + NATIVE_PERF_REGS] = UINT64_MAX - 7;	/* bytes of the stack */
	assert_false(sample_parse(&r.header, TYPE, &s));
}

static void keeps_sample(void **state)
{
	struct record r;
	struct sample s, *copy;
	size_t bytes;

	put_sample(&r, 40);
	assert_true(sample_parse(&r.header, TYPE, &s));
	copy = sample_keep(&s, &bytes);
	assert_non_null(copy);
	memset(&r, 0xff, sizeof(r));
	assert_int_equal(bytes, sizeof(s) + 2 * 8 + 40);
	assert_true(copy->kernel[0] == 0xffffffff81000010);
	assert_int_equal(((const uint64_t *)copy->stack)[4], 2004);
	free(copy);
}

static void put_id(struct record *r, uint64_t time)
{
	put(r, pair(10, 11));
	put(r, time);
	put(r, 0);
	put(r, 77);
}

static void parses_names(void **state)
{
	char name[16] = "worker/7";
	struct record r;
	struct sample s;

	begin(&r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put(&r, pair(10, 12));
	memcpy(&r.words[1], name, sizeof(name));
	r.header.size += sizeof(name);
	put_id(&r, 99);
	assert_true(sample_parse(&r.header, TYPE, &s));
	assert_int_equal(s.kind, RECORD_NAME);
	assert_int_equal(s.tid, 12);
	assert_int_equal(s.time, 99);
	assert_true(s.exec);
	assert_string_equal(s.comm, "worker/7");

	memset(&r.words[1], 'x', sizeof(name));	/* a record without an end */
	assert_false(sample_parse(&r.header, TYPE, &s));

	begin(&r, PERF_RECORD_FORK, 0);
	put(&r, pair(10, 9));
	put(&r, pair(13, 12));
	put(&r, 100);
	put_id(&r, 100);
	assert_true(sample_parse(&r.header, TYPE, &s));
	assert_int_equal(s.kind, RECORD_THREAD);
	assert_int_equal(s.tgid, 10);
	assert_int_equal(s.tid, 13);
	assert_int_equal(s.parent, 12);
	assert_int_equal(s.parent_tgid, 9);
	r.header.size -= 8;
	assert_false(sample_parse(&r.header, TYPE, &s));
}

/*
 * In code made at run time, a frame record is followed although no call precedes its address,
 * because interpreters push such records. The word at SP is a number that may be an address but
 * is no address of code; it does not end the walk, because it is not checked.
 */
static void follows_made_code(void **state)
{
	const struct process_file_id id = { .path = "//anon" };
	uint64_t stack[16] = { 0x500000000000 };
	struct sample s = {
		.kind = RECORD_SAMPLE, .time = 2, .tgid = (uint32_t)getpid(), .tid = (uint32_t)getpid(),
		.abi = PERF_SAMPLE_REGS_ABI_64, .asked = sizeof(stack), .stack_len = sizeof(stack),
		.stack = (const uint8_t *)stack,
	};
	struct walker w = {
		.processes = processes_new(NULL, NULL), .images = images_new(1 << 20, false),
		.jit_memory = jit_memory_new(), .max_frames = SAMPLER_MAX_FRAMES,
	};
	struct walked walked;
	uint8_t *code;

	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(code != MAP_FAILED && w.processes && w.images && w.jit_memory);
	memset(code, 0x11, 4096);
	assert_int_equal(processes_map(w.processes, s.tgid, 1, (uintptr_t)code, 4096, 0, &id), 0);
	stack[8] = (uintptr_t)&stack[12];
	stack[9] = (uintptr_t)code + 0x200;
	stack[13] = (uintptr_t)code + 0x300;
	s.regs[NATIVE_PERF_PC] = (uintptr_t)code + 0x100;
	s.regs[NATIVE_PERF_SP] = (uintptr_t)stack;
	s.regs[NATIVE_PERF_FP] = (uintptr_t)&stack[8];
	walk_sample(&w, &s, &walked);
	assert_int_equal(walked.nr, 3);
	assert_true(walked.pcs[1] == (uintptr_t)code + 0x200);
	assert_true(walked.pcs[2] == (uintptr_t)code + 0x300);
	assert_int_equal(walked.why, USTACK_NO_IMAGE);
	/* a record of which no byte was copied is not followed */
	s.stack_len = s.asked = 8 * 13;
	walk_sample(&w, &s, &walked);
	assert_int_equal(walked.nr, 2);
	munmap(code, 4096);
	jit_memory_free(w.jit_memory);
	images_free(w.images);
	processes_free(w.processes);
}

static uint64_t handed, samples, weight;

static int take(void *context, const struct sampler_count *c)
{
	handed++;
	samples += c->count;
	weight += c->sum;
	return context ? -5 : 0;
}

static void add(struct counts *all, uint32_t tgid, uint64_t leaf, uint8_t why)
{
	uint64_t user[3] = { leaf, 2, 3 }, kernel[1] = { 4 };
	const struct sampler_count c = {
		.tgid = tgid, .why = why, .user = user, .nr_user = 3, .kernel = kernel,
		.nr_kernel = 1, .count = 1, .sum = 10, .comm = "name",
	};

	assert_int_equal(counts_add(all, &c), 0);
}

static void counts_equal_stacks(void **state)
{
	struct counts all = { 0 };
	unsigned int i;

	handed = samples = weight = 0;
	for (i = 0; i < 3 * 5000; i++)
		add(&all, 1, i % 5000, 1);
	add(&all, 2, 0, 1);	/* another process */
	add(&all, 1, 0, 2);	/* another end */
	assert_int_equal(counts_hand_out(&all, take, NULL), 0);
	assert_int_equal(handed, 5002);
	assert_int_equal(samples, 15002);
	assert_int_equal(weight, 150020);
	assert_int_equal(counts_hand_out(&all, take, &all), -5);
	assert_int_equal(handed, 5003);
	counts_release(&all);
	assert_int_equal(counts_hand_out(&all, take, NULL), 0);
	assert_int_equal(handed, 5003);
}

/* 3 frames of the program and 1 of the kernel are not 2 and 2. */
static void counts_know_the_border(void **state)
{
	uint64_t pcs[4] = { 1, 2, 3, 4 };
	struct sampler_count a = { .user = pcs, .nr_user = 3, .kernel = pcs + 3,
				   .nr_kernel = 1, .count = 1 };
	struct sampler_count b = { .user = pcs, .nr_user = 2, .kernel = pcs + 2,
				   .nr_kernel = 2, .count = 1 };
	struct counts all = { 0 };

	handed = 0;
	assert_int_equal(counts_add(&all, &a), 0);
	assert_int_equal(counts_add(&all, &b), 0);
	assert_int_equal(counts_hand_out(&all, take, NULL), 0);
	assert_int_equal(handed, 2);
	counts_release(&all);
}

/* With times, samples are separate, except those of the same nanosecond. */
static void counts_times_apart(void **state)
{
	struct sampler_count c = { .tgid = 1, .count = 1, .sum = 10, .comm = "name" };
	struct counts all = { 0 };

	handed = samples = 0;
	for (c.time = 100; c.time < 5100; c.time++) {
		assert_int_equal(counts_add(&all, &c), 0);
		if (c.time % 2)
			assert_int_equal(counts_add(&all, &c), 0);
	}
	assert_int_equal(counts_hand_out(&all, take, NULL), 0);
	assert_int_equal(handed, 5000);
	assert_int_equal(samples, 7500);
	counts_release(&all);
}

static void names_threads(void **state)
{
	struct threads all = { 0 };
	char comm[SAMPLER_COMM], own[SAMPLER_COMM];
	uint32_t i, self = (uint32_t)getpid();

	for (i = 1; i < 2000; i++)
		assert_int_equal(threads_name(&all, 1000000 + i, i & 1 ? "odd" : "even"), 0);
	assert_int_equal(threads_begin(&all, 5000000, 1000001, 1000002), 0);
	assert_int_equal(threads_name(&all, 1000002, "a name that is too long"), 0);
	assert_int_equal(threads_find(&all, 1, 5000000, comm), 0);
	assert_string_equal(comm, "even");
	assert_int_equal(threads_find(&all, 1, 1000002, comm), 0);
	assert_string_equal(comm, "a name that is ");
	assert_int_equal(threads_find(&all, self, self, comm), 0);
	memset(own, 0, sizeof(own));
	assert_int_equal(pthread_getname_np(pthread_self(), own, sizeof(own)), 0);
	assert_string_equal(comm, own);
	assert_int_equal(threads_find(&all, 4194304, 4194304, comm), 0);
	assert_string_equal(comm, "");
	threads_release(&all);
}

static uint64_t fill_of(const struct sampler_event *events, size_t nr, uint32_t stack_bytes,
			uint64_t *ring)
{
	struct sampler_options options = { .events = events, .nr_events = nr };
	struct events e = EVENTS_INIT;
	uint64_t ms;

	assert_int_equal(events_parse(&e, &options, stack_bytes, NULL), 0);
	ms = events_fill_ms(&e);
	*ring = e.ring_bytes;
	events_release(&e);
	return ms;
}

/* Rings that are read at timed intervals must be read before they are full. */
static void knows_when_rings_are_full(void **state)
{
	static const struct sampler_event events[] = {
		{ .name = "cpu-clock", .frequency = 19 }, { .name = "task-clock", .frequency = 4000 },
		{ .name = "page-faults", .period = 1 }, { .name = "page-faults", .frequency = 19 },
		{ .name = "cpu-clock", .period = 60000000000 },
	};
	uint64_t ring, ms;

	(void)state;
	ms = fill_of(events, 1, 31 * 1024, &ring);
	assert_int_equal(ms, ring * 1000 / (19 * 32 * 1024));
	ms = fill_of(events, 2, 31 * 1024, &ring);
	assert_int_equal(ms, ring * 1000 / (4019 * 32 * 1024));
	/* less than one in a second */
	assert_true(fill_of(events + 4, 1, 31 * 1024, &ring) >= ring * 1000 / (32 * 1024));
	/* the rate of samples is unknown */
	assert_int_equal(fill_of(events + 2, 1, 8192, &ring), 0);
	assert_int_equal(fill_of(events + 3, 1, 8192, &ring), 0);
	assert_int_equal(fill_of(events, 3, 8192, &ring), 0);
}

/* The place in a sample of a register with this number of perf. */
static unsigned int place_of(unsigned int perf)
{
	return (unsigned int)__builtin_popcountll(NATIVE_PERF_MASK & ((1ull << perf) - 1));
}

/* By the kernel's numbers, and the ABI's order of DWARF numbers. */
static void registers_are_where_perf_puts_them(void **state)
{
#ifdef __aarch64__
	static const unsigned char perf[] = {
		PERF_REG_ARM64_X0, PERF_REG_ARM64_X1, PERF_REG_ARM64_X2, PERF_REG_ARM64_X3,
	};
	const unsigned int fp = PERF_REG_ARM64_X29, sp = PERF_REG_ARM64_SP, pc = PERF_REG_ARM64_PC;
	const unsigned int nr = 32, dwarf_fp = 29, dwarf_sp = 31;
#else
	static const unsigned char perf[] = {
		PERF_REG_X86_AX, PERF_REG_X86_DX, PERF_REG_X86_CX, PERF_REG_X86_BX,
		PERF_REG_X86_SI, PERF_REG_X86_DI, PERF_REG_X86_BP, PERF_REG_X86_SP,
		PERF_REG_X86_R8, PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
		PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15,
	};
	const unsigned int fp = PERF_REG_X86_BP, sp = PERF_REG_X86_SP, pc = PERF_REG_X86_IP;
	const unsigned int nr = 16, dwarf_fp = 6, dwarf_sp = 7;
#endif
	unsigned int i;

	for (i = 0; i < sizeof(perf); i++)
		assert_int_equal(native_perf_reg(i), place_of(perf[i]));
	assert_int_equal(NATIVE_PERF_FP, place_of(fp));
	assert_int_equal(NATIVE_PERF_SP, place_of(sp));
	assert_int_equal(NATIVE_PERF_PC, place_of(pc));
	assert_int_equal(native_perf_reg(dwarf_fp), NATIVE_PERF_FP);
	assert_int_equal(native_perf_reg(dwarf_sp), NATIVE_PERF_SP);
	assert_int_equal(native_perf_reg(nr), NATIVE_PERF_REGS);
	assert_int_equal(native_perf_reg(~0u), NATIVE_PERF_REGS);
	assert_int_equal(NATIVE_PERF_REGS, place_of(63) + (NATIVE_PERF_MASK >> 63));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_where_perf_puts_them),
		cmocka_unit_test(parses_sample),
		cmocka_unit_test(parses_kernel_thread),
		cmocka_unit_test(refuses_cut_sample),
		cmocka_unit_test(refuses_lies),
		cmocka_unit_test(keeps_sample),
		cmocka_unit_test(parses_names),
		cmocka_unit_test(follows_made_code),
		cmocka_unit_test(counts_equal_stacks),
		cmocka_unit_test(counts_know_the_border),
		cmocka_unit_test(counts_times_apart),
		cmocka_unit_test(names_threads),
		cmocka_unit_test(knows_when_rings_are_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of perf as profiles: values, labels, stacks, deferred chains, selected events; and the
 * text of perf script, whose names are its own.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "perfdata_file.h"
#include "capture/perfimport/import.h"
#include "capture/perfimport/script_line.h"

#define CHAIN_TYPE (MADE_TYPE | PERF_SAMPLE_CALLCHAIN)
#define USER_MARK ((uint64_t)PERF_CONTEXT_USER)
#define KERNEL_MARK ((uint64_t)PERF_CONTEXT_KERNEL)

static char notes[4096];

static void note(const char *text, void *arg)
{
	strncat(notes, text, sizeof(notes) - strlen(notes) - 2);
	strcat(notes, "\n");
}

static int import(const void *bytes, size_t len, const char *event, struct profile **ret,
		  struct diag *diag)
{
	const struct perfimport_options o = { .event = event, .names = { .raw = true, .note = note } };
	struct file_stream s;
	char path[32];
	int err;

	notes[0] = '\0';
	assert_int_equal(open_bytes(bytes, len, path, &s), 0);
	assert_true(perfimport_is(s.start, s.nr_start));
	err = perfimport_load(&s, &o, ret, diag);
	file_stream_release(&s);
	return err;
}

static struct profile *import_buffer(struct buffer *b, const char *event)
{
	struct profile *p;

	assert_int_equal(import(b->at, b->len, event, &p, NULL), 0);
	buffer_release(b);
	return p;
}

/* "LABEL=... OUTERMOST;...;INNERMOST VALUE VALUE" of a sample. */
static const char *shown(const struct profile *p, uint32_t number)
{
	static char text[1024];
	const struct profile_sample *s = &p->samples[number];
	const char *thread = profile_label_text(p, s->labels, PROFILE_LABEL_THREAD);
	const char *command = profile_label_text(p, s->labels, PROFILE_LABEL_COMMAND);
	uint32_t chain[16], nr = 0, f, i;
	size_t at;

	at = (size_t)sprintf(text, "%s/%s", command ? command : "-", thread ? thread : "-");
	for (f = s->stack; f; f = p->stacks[f].parent)
		chain[nr++] = p->stacks[f].location;
	while (nr) {
		const struct profile_location *l = &p->locations[chain[--nr]];

		at += (size_t)sprintf(text + at, " %s:%llx",
				      l->mapping ? profile_text(p, p->mappings[l->mapping].file) : "",
				      (unsigned long long)l->address);
		for (i = 0; i < l->nr_lines; i++)
			at += (size_t)sprintf(text + at, "=%s",
					      profile_text(p, p->functions[p->lines[l->first_line + i]
								      .function].name));
	}
	for (i = 0; i < p->nr_value_types; i++)
		at += (size_t)sprintf(text + at, " %lld", (long long)s->value[i]);
	return text;
}

static void begin(struct buffer *b, uint64_t type)
{
	struct perf_event_attr attr = made_attr(type);

	pipe_begin(b, &attr, 1);
	put_comm(b, 7, 7, 0, "work", true);
	put_mmap(b, 7, 0, 0x1000, 0x1000, 0x3000, "/none/work");
}

/*
 * For a return address, the address of the call's last byte is used: one less. If a file is
 * missing, only offsets are known.
 */
static void test_stacks(void **state)
{
	const uint64_t ips[] = { USER_MARK, 0x1010, 0x1021, 0x5000 };
	struct buffer b = { 0 };
	struct profile *p;

	begin(&b, CHAIN_TYPE);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 5, 0x1010, 40, ips, 4);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 6, 0x1010, 2, ips, 4);
	p = import_buffer(&b, NULL);
	assert_int_equal(p->nr_samples, 1);
	assert_string_equal(shown(p, 0), "work/work :4fff /none/work:3020 /none/work:3010 2 42");
	assert_string_equal(profile_text(p, p->value_types[1].type), "cpu");
	assert_string_equal(profile_text(p, p->value_types[1].unit), "nanoseconds");
	assert_string_equal(profile_text(p, p->default_type), "cpu");
	assert_int_equal(p->duration_ns, 1);
	assert_string_equal(profile_label_text(p, p->samples[0].labels, PROFILE_LABEL_STACK),
			    "frame_pointers");
	profile_free(p);
}

/* A user stack may contain a value that looks like a mark of the kernel's part. */
static void test_false_mark(void **state)
{
	const uint64_t ips[] = { USER_MARK, 0x1010, KERNEL_MARK, 0x1021 };
	struct buffer b = { 0 };
	struct profile *p;

	begin(&b, CHAIN_TYPE);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 5, 0x1010, 1, ips, 4);
	p = import_buffer(&b, NULL);
	assert_string_equal(shown(p, 0), "work/work /none/work:3020 /none/work:3010 1 1");
	profile_free(p);
}

/*
 * The sampled address is more exact than the chain's first one; without a chain it is all that
 * is known.
 */
static void test_ip(void **state)
{
	const uint64_t ips[] = { USER_MARK, 0x1010, 0x1021 };
	struct buffer b = { 0 };
	struct profile *p;

	begin(&b, CHAIN_TYPE);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 5, 0x1012, 1, ips, 3);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 7, 6, 0x1014, 1, ips, 1);
	p = import_buffer(&b, NULL);
	assert_string_equal(shown(p, 0), "work/work /none/work:3020 /none/work:3012 1 1");
	assert_string_equal(shown(p, 1), "work/work /none/work:3014 1 1");
	profile_free(p);
}

/*
 * Threads get their parents' names, processes get their parents' mappings, and exec ends both.
 */
static void test_processes(void **state)
{
	struct buffer b = { 0 };
	struct profile *p;

	begin(&b, MADE_TYPE);
	put_fork(&b, PERF_RECORD_FORK, 7, 7, 8, 10);
	put_fork(&b, PERF_RECORD_FORK, 9, 7, 9, 11);
	put_comm(&b, 7, 8, 12, "helper", false);
	put_sample(&b, PERF_RECORD_MISC_USER, 7, 8, 13, 0x1001, 1, NULL, 0);
	put_sample(&b, PERF_RECORD_MISC_USER, 9, 9, 14, 0x1002, 1, NULL, 0);
	put_comm(&b, 9, 9, 15, "other", true);
	put_sample(&b, PERF_RECORD_MISC_USER, 9, 9, 16, 0x1002, 1, NULL, 0);
	p = import_buffer(&b, NULL);
	assert_int_equal(p->nr_samples, 3);
	assert_string_equal(shown(p, 0), "work/helper /none/work:3001 1 1");
	assert_string_equal(shown(p, 1), "work/work /none/work:3002 1 1");
	assert_string_equal(shown(p, 2), "other/other :1002 1 1");
	profile_free(p);
}

static void put_deferred(struct buffer *b, uint32_t tid, uint64_t time, uint64_t cookie, uint64_t ip)
{
	size_t at = record_begin(b, FORMAT_RECORD_DEFERRED, PERF_RECORD_MISC_USER);

	put_u64(b, cookie);
	put_u64(b, 2);
	put_u64(b, USER_MARK);
	put_u64(b, ip);
	put_id(b, 7, tid, time);
	record_end(b, at);
}

/*
 * Two samples of one visit to the kernel share a user chain; a sample whose chain was lost has
 * none, and this is reported.
 */
static void test_deferred(void **state)
{
	const uint64_t ips[] = { KERNEL_MARK, 0xffff800000001000, FORMAT_CONTEXT_USER_DEFERRED, 77 };
	const uint64_t lost[] = { KERNEL_MARK, 0xffff800000001000, FORMAT_CONTEXT_USER_DEFERRED, 78 };
	struct buffer b = { 0 };
	struct profile *p;
	uint32_t i, with = 0;

	begin(&b, CHAIN_TYPE);
	put_sample(&b, PERF_RECORD_MISC_KERNEL, 7, 7, 5, 0xffff800000001000, 1, ips, 4);
	put_sample(&b, PERF_RECORD_MISC_KERNEL, 7, 7, 6, 0xffff800000001000, 1, ips, 4);
	put_sample(&b, PERF_RECORD_MISC_KERNEL, 7, 8, 6, 0xffff800000001000, 1, lost, 4);
	put_deferred(&b, 7, 8, 77, 0x1008);
	put_deferred(&b, 8, 9, 79, 0x1008);
	p = import_buffer(&b, NULL);
	assert_int_equal(p->nr_samples, 2);
	for (i = 0; i < 2; i++)
		if (strstr(shown(p, i), "/none/work:3008 ")) {
			assert_int_equal(p->samples[i].value[0], 2);
			with++;
		}
	assert_int_equal(with, 1);
	assert_non_null(strstr(notes, "1 samples have no user stack"));
	profile_free(p);
}

static void two_events(struct buffer *b)
{
	struct perf_event_attr attr = made_attr(MADE_TYPE | PERF_SAMPLE_IDENTIFIER);
	unsigned int i;
	size_t at;

	pipe_begin(b, &attr, 1);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	at = record_begin(b, FORMAT_RECORD_ATTR, 0);
	buffer_put(b, &attr, sizeof(attr));
	put_u64(b, 2);
	record_end(b, at);
	for (i = 0; i < 3; i++) {
		at = record_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		put_u64(b, i ? 2 : 1);
		put_u64(b, 0x1000);
		put_id(b, 7, 7, 5 + i);
		put_u64(b, 100);
		record_end(b, at);
	}
}

static void test_events(void **state)
{
	struct diag diag;
	struct buffer b = { 0 };
	struct profile *p;

	two_events(&b);
	assert_int_equal(import(b.at, b.len, "cycles", &p, NULL), 0);
	assert_int_equal(p->nr_value_types, 2);
	assert_string_equal(shown(p, 0), "-/- :1000 2 200");
	profile_free(p);
	assert_int_equal(import(b.at, b.len, "faults", &p, &diag), -ENODATA);
	assert_non_null(strstr(diag.text, "it has: cpu-clock, cycles"));
	p = import_buffer(&b, NULL);
	assert_int_equal(p->nr_value_types, 3);
	assert_int_equal(p->nr_samples, 2);
	assert_string_equal(profile_text(p, p->default_type), "cpu");
	assert_string_equal(profile_label_text(p, p->samples[1].labels, PROFILE_LABEL_EVENT), "cycles");
	profile_free(p);
}

static void test_listed(void **state)
{
	assert_true(import_listed("cycles", "cycles"));
	assert_true(import_listed("a,cycles", "cycles:u"));
	assert_true(import_listed("cycles:u", "cycles:u"));
	assert_false(import_listed("cycles:k", "cycles:u"));
	assert_false(import_listed("cycle", "cycles"));
	assert_true(import_listed("sched:sched_switch", "sched:sched_switch"));
	assert_false(import_listed("sched", "sched:sched_switch"));
}

static void test_script(void **state)
{
	static const char text[] =
		"# captured on: box\n"
		"work 2 7/8 [001] 1234.500000:  40 cpu-clock:u: \n"
		"\t            1012 leaf+0x2 (/bin/w (deleted))\n"
		"\t            1020 small (inlined)\n"
		"\t            1020 main(int, char**)+0x10 (/bin/work)\n"
		"  main.c:12\n"
		"\tffffffff81000000 [unknown] ([unknown])\n"
		"\n"
		"            idle     0 [000] 1235.000000:  1 cpu-clock:u:  ffffffff81 halt+0x1 "
		"([kernel.kallsyms])\r\n";
	struct profile *p;

	assert_int_equal(import(text, sizeof(text) - 1, NULL, &p, NULL), 0);
	assert_int_equal(p->nr_samples, 2);
	assert_string_equal(shown(p, 0),
			    "work 2/work 2 :ffffffff81000000 /bin/work:1020=small=main(int, char**) "
			    "/bin/w (deleted):1012=leaf 1 40");
	assert_string_equal(shown(p, 1), "idle/idle [kernel.kallsyms]:ffffffff81=halt 1 1");
	assert_int_equal(p->duration_ns, 500000000);
	profile_free(p);
}

static void test_script_refused(void **state)
{
	static const char text[] = "work 7 1.5: cycles:\n\t10 f (/x)\n\n\tffff f (/x)\n\tno frame\n";
	struct diag diag;
	struct profile *p;

	assert_int_equal(import(text, sizeof(text) - 1, NULL, &p, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "line 5 is no frame"));
	assert_int_equal(import(text, 31, "instructions", &p, &diag), -ENODATA);
}

static void test_script_frame(void **state)
{
	static const struct {
		const char *line, *name, *file;
		uint64_t address;
		bool is, inlined;
	} frames[] = {
		{ "\t  1f f+0x2 (/a/b)", "f", "/a/b", 0x1f, true, false },
		{ "1f operator()(int)+0x2 (/a (deleted))", "operator()(int)", "/a (deleted)", 0x1f, true, false },
		{ "1f f (inlined)", "f", "", 0x1f, true, true },
		{ "1f [unknown] (//anon)", "", "//anon", 0x1f, true, false },
		{ "1f ([kernel.kallsyms])", "", "[kernel.kallsyms]", 0x1f, true, false },
		{ "1f b+0x10 (/a/b)", "b+0x10", "/a/b", 0x1f, true, false },
		{ "ffffffffffffffff1 f (/a)", "", "", 0, false, false },
		{ "f", "", "", 0, false, false },
		{ "g f (/a)", "", "", 0, false, false },
		{ "1f f (/a", "", "", 0, false, false },
	};
	struct script_frame f;
	size_t i;

	for (i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		assert_int_equal(script_frame(frames[i].line, strlen(frames[i].line), &f), frames[i].is);
		if (!frames[i].is)
			continue;
		assert_int_equal(f.address, frames[i].address);
		assert_int_equal(f.inlined, frames[i].inlined);
		assert_int_equal(f.name.len, strlen(frames[i].name));
		assert_int_equal(f.file.len, strlen(frames[i].file));
		assert_memory_equal(f.file.at, frames[i].file, f.file.len);
	}
}

/* Fields that -F removes or adds. */
static void test_script_head(void **state)
{
	static const struct {
		const char *line, *comm, *event;
		uint32_t pid, tid;
		uint64_t time, period;
		bool is;
	} heads[] = {
		{ "a 1 [000] 2.000001: 3 c:", "a", "c", 0, 1, 2000001000, 3, true },
		{ "a 1/2 2.000000001: c:", "a", "c", 1, 2, 2000000001, 0, true },
		{ "a b 9 1 c:", "a b", "c", 0, 9, 0, 1, true },
		{ "a -1 1.0: c:", "a", "c", 0, 0, 1000000000, 0, true },
		{ "12 1.0:", "", "", 0, 12, 1000000000, 0, true },
		{ "a 1 [000] K 1.0: 5 c/x=1/u:", "a", "c/x=1/u", 0, 1, 1000000000, 5, true },
		{ "a;b;c 12", "", "", 0, 0, 0, 0, false },
		{ "a b c", "", "", 0, 0, 0, 0, false },
		{ "", "", "", 0, 0, 0, 0, false },
		{ "a 99999999999 1.0: c:", "", "", 0, 0, 0, 0, false },
	};
	struct script_head h;
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		assert_int_equal(script_head(heads[i].line, strlen(heads[i].line), &h), heads[i].is);
		if (!heads[i].is)
			continue;
		assert_int_equal(h.comm.len, strlen(heads[i].comm));
		assert_memory_equal(h.comm.at, heads[i].comm, h.comm.len);
		assert_int_equal(h.event.len, strlen(heads[i].event));
		assert_int_equal(h.pid, heads[i].pid);
		assert_int_equal(h.tid, heads[i].tid);
		assert_int_equal(h.time_ns, heads[i].time);
		assert_int_equal(h.period, heads[i].period);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),	    cmocka_unit_test(test_ip),
		cmocka_unit_test(test_false_mark),
		cmocka_unit_test(test_processes),   cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_events),	    cmocka_unit_test(test_listed),
		cmocka_unit_test(test_script),	    cmocka_unit_test(test_script_refused),
		cmocka_unit_test(test_script_head), cmocka_unit_test(test_script_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

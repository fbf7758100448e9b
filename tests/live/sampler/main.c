// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the sampler on programs whose answers are known. Runs as root, on the
 * machine or in a guest. tests/lib/README describes the lines of the output. A
 * test that does not apply is skipped with the reason; if the kernel takes no
 * BPF program, all are.
 *
 * usage: sampler-test [-q] [--cost] [TEST...]
 *	--cost: run no test; measure the cost of a sample
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"
#include "test.h"

static const struct {
	const char *name;
	const char *sentence;
	void (*run)(void);
} tests[] = {
#define TEST(name, sentence) { #name, sentence, test_##name },
#include "tests.def"
#undef TEST
};

#define NR_TESTS (sizeof(tests) / sizeof(tests[0]))

struct results {
	unsigned int passed;
	unsigned int failed;
	unsigned int skipped;
};

/*
 * Loads the smallest program, and looks for BTF: every sampler needs both.
 * Return: NULL, or why the machine cannot run a sampler.
 */
static const char *probe(void)
{
	static char why[256];
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd;

	if (geteuid())
		return "not root";
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		snprintf(why, sizeof(why), "the kernel has no BTF: %s", strerror(errno));
		return why;
	}
	fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "probe", "GPL", insns, 2, NULL);
	if (fd < 0) {
		snprintf(why, sizeof(why), "the kernel takes no program of BPF: %s", strerror(-fd));
		return why;
	}
	close(fd);
	return NULL;
}

/* @why_not: NULL, or why no test can run */
static void run(size_t i, const char *why_not, struct results *ret)
{
	memset(&state, 0, sizeof(state));
	state.name = tests[i].name;
	printf("%s: %s\n", tests[i].name, tests[i].sentence);
	if (why_not)
		skip("%s", why_not);
	else
		tests[i].run();
	if (!state.skipped[0] && !state.checks)
		check(false, "nothing was checked");
	if (state.failed)
		ret->failed++;
	else if (state.skipped[0])
		ret->skipped++, printf("skip: %s: %s\n", state.name, state.skipped);
	else
		ret->passed++;
	fflush(stdout);
}

static bool is_test(const char *name)
{
	size_t i;

	for (i = 0; i < NR_TESTS; i++)
		if (!strcmp(tests[i].name, name))
			return true;
	return false;
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return !argc;
}

static struct results run_all(int argc, char **argv)
{
	const char *why_not = probe();
	struct results r = { 0 };
	size_t i;

	for (i = 0; i < (size_t)argc; i++)
		if (!is_test(argv[i]))
			r.failed++, printf("FAILED: %s: there is no such test\n", argv[i]);
	for (i = 0; i < NR_TESTS; i++)
		if (wanted(tests[i].name, argc, argv))
			run(i, why_not, &r);
	return r;
}

int main(int argc, char **argv)
{
	struct results r;
	char path[4096];
	ssize_t len;

	setvbuf(stdout, NULL, _IOLBF, 0);
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len < 0)
		die("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	self = path;
	if (argc == 4 && !strcmp(argv[1], "--spin"))
		return spin_after_exec(argv[2], argv[3]);
	if (argc == 2 && !strcmp(argv[1], "--cost")) {
		print_cost();
		return 0;
	}
	argc--;
	argv++;
	if (argc && !strcmp(*argv, "-q")) {
		quick = true;
		argc--;
		argv++;
	}
	r = run_all(argc, argv);
	printf("sampler: %u passed, %u failed, %u skipped\n", r.passed, r.failed, r.skipped);
	return r.failed != 0;
}

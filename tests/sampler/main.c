// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler on programs whose answers are known. Runs as root, on the machine or in a
 * guest; says "skip" with the reason where a test does not apply.
 *
 * usage: sampler-test [-q] [--probe] [--cost] [TEST...]
 *	--cost: no test; what a sample costs
 *	--probe: whether the kernel takes programs of BPF at all: status 0; 1 if it does
 *	not, and why
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

/* The smallest program there is, and BTF: what any sampler needs. */
static int probe(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd;

	if (geteuid()) {
		puts("not root");
		return 1;
	}
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		printf("the kernel has no BTF: %s\n", strerror(errno));
		return 1;
	}
	fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "probe", "GPL", insns, 2, NULL);
	if (fd < 0) {
		printf("the kernel takes no program of BPF: %s\n", strerror(-fd));
		return 1;
	}
	close(fd);
	return 0;
}

static int run(size_t i)
{
	memset(&state, 0, sizeof(state));
	printf("%s: %s\n", tests[i].name, tests[i].sentence);
	tests[i].run();
	if (state.skipped[0])
		printf("  skip: %s\n", state.skipped);
	else if (!state.checks)
		state.failed++, printf("  FAIL nothing was checked\n");
	fflush(stdout);
	return state.failed != 0;
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return !argc;
}

int main(int argc, char **argv)
{
	unsigned int failed = 0, nr = 0;
	char path[4096];
	ssize_t len;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len < 0)
		die("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	self = path;
	if (argc == 4 && !strcmp(argv[1], "--spin"))
		return spin_after_exec(argv[2], argv[3]);
	if (argc == 2 && !strcmp(argv[1], "--probe"))
		return probe();
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
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (!wanted(tests[i].name, argc, argv))
			continue;
		failed += run(i);
		nr++;
	}
	printf("sampler: %u tests, %u failed\n", nr, failed);
	return failed || !nr;
}

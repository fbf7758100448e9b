// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that spends its time in the vDSO, and samples itself: the kernel's records are
 * judged by a program that knows all addresses.
 *
 * usage: clock dump FILE\twrites the vDSO to a file, as it is in memory
 * \t  clock whole\t\tevery sample in the vDSO must reach _start
 * \t  clock cut\t\tno sample may reach it; the frames that are there must be right
 * \t  clock right\t\tthe frames that are there must be right
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "sampler.h"
#include "stress.h"

#define WANT 400
#define PERIOD_NS 100000
#define SECONDS 20
#define ROUNDS 20000

struct range {
	uint64_t start, end;
};

/* A function that is one frame, and alone in its section, so that its range is known. */
#define FRAME(name) __attribute__((noipa, section("text_" #name)))
#define STAY() asm volatile("" ::: "memory")
#define RANGE(name)                                              \
	({                                                       \
		extern char __start_text_##name[];               \
		extern char __stop_text_##name[];                \
		(struct range){ (uintptr_t)__start_text_##name,  \
				(uintptr_t)__stop_text_##name }; \
	})

/* large enough for any _start, whose symbol has no size */
#define START_BYTES 64u

#if defined(__aarch64__)
#define VDSO_FUNCTION "__kernel_clock_gettime"
#else
#define VDSO_FUNCTION "__vdso_clock_gettime"
#endif

static struct range vdso, vdso_function, libc_function;
static uint64_t inner_returns, outer_returns, rounds_returns;

static struct tally {
	unsigned long whole, cut, wrong, apart;
} tally;

static bool within(struct range range, uint64_t addr)
{
	return addr >= range.start && addr < range.end;
}

static struct range entry_code(void)
{
	extern char _start[];

	return (struct range){ (uintptr_t)_start,
			       (uintptr_t)_start + START_BYTES };
}

FRAME(inner) void inner(clockid_t clock)
{
	struct timespec t;
	int i;

	inner_returns = (uintptr_t)__builtin_return_address(0);
	for (i = 0; i < ROUNDS; i++)
		clock_gettime(clock, &t);
	STAY();
}

FRAME(outer) void outer(clockid_t clock)
{
	outer_returns = (uintptr_t)__builtin_return_address(0);
	inner(clock);
	STAY();
}

/* ---- where things are ------------------------------------------------------- */

static void find_vdso(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[256];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") &&
		    sscanf(line, "%lx-%lx", &start, &end) == 2)
			vdso = (struct range){ start, end };
	if (maps)
		fclose(maps);
	if (!vdso.start || vdso.start != getauxval(AT_SYSINFO_EHDR))
		die("no vDSO");
}

static const Elf64_Dyn *dynamic_of(uint64_t base)
{
	const Elf64_Ehdr *ehdr = (void *)base;
	const Elf64_Phdr *phdr = (void *)(base + ehdr->e_phoff);
	int i;

	for (i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_DYNAMIC)
			return (void *)(base + phdr[i].p_vaddr);
	die("a vDSO without symbols");
}

/* The vDSO's addresses are its offsets; its strings follow its symbols. */
static void find_vdso_function(void)
{
	const Elf64_Dyn *dyn = dynamic_of(vdso.start);
	const Elf64_Sym *sym = NULL;
	const char *names = NULL;

	for (; dyn->d_tag != DT_NULL; dyn++) {
		if (dyn->d_tag == DT_SYMTAB)
			sym = (void *)(vdso.start + dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_STRTAB)
			names = (void *)(vdso.start + dyn->d_un.d_ptr);
	}
	for (; sym && (void *)(sym + 1) <= (void *)names; sym++)
		if (!strcmp(names + sym->st_name, VDSO_FUNCTION)) {
			vdso_function.start = vdso.start + sym->st_value;
			vdso_function.end = vdso_function.start + sym->st_size;
		}
	if (!vdso_function.start)
		die("no " VDSO_FUNCTION);
}

static void find_libc_function(void)
{
	void *at = dlsym(RTLD_DEFAULT, "clock_gettime");
	ElfW(Sym) *sym = NULL;
	Dl_info info;

	if (!at || !dladdr1(at, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym)
		die("no clock_gettime()");
	libc_function.start = (uintptr_t)at;
	libc_function.end = libc_function.start + sym->st_size;
}

/* ---- the verdict ------------------------------------------------------------ */

/* The frames below main(): libc's, and _start as the last. */
static bool is_bottom(const uint64_t *ips, unsigned int nr)
{
	Dl_info info;
	unsigned int i;

	for (i = 0; i + 1 < nr; i++)
		if (!dladdr((void *)ips[i], &info) ||
		    !strstr(info.dli_fname, "/libc.so"))
			return false;
	return nr >= 2 && nr <= 4 && within(entry_code(), ips[nr - 1]);
}

/* How many of the frames are right, from the innermost on; all must be. */
static unsigned int right_frames(const uint64_t *ips, unsigned int nr)
{
	static uint64_t call;	/* there must be a frame in inner() */
	unsigned int i = 1;

	/* the functions that __vdso_clock_gettime has called, if any */
	while (i < nr && i < 4 && within(vdso, ips[i]))
		i++;
	if (!within(vdso_function, ips[i - 1]) && i < nr)
		return i - 1;
	if (i == nr || !within(libc_function, ips[i]))
		return i;
	if (++i == nr || !within(RANGE(inner), ips[i]) ||
	    (call && call != ips[i]))
		return i;
	call = ips[i];
	if (++i == nr || ips[i] != inner_returns)
		return i;
	if (++i == nr || ips[i] != outer_returns)
		return i;
	if (++i == nr || ips[i] != rounds_returns)
		return i;
	if (++i == nr || !is_bottom(ips + i, nr - i))
		return i;
	return nr;
}

static void show(const struct sample *sample)
{
	static unsigned int shown;
	unsigned int i;
	Dl_info info;

	if (shown++ >= 8)
		return;
	printf("     wrong:");
	for (i = 0; i < sample->nr && i < 12; i++) {
		if (within(vdso, sample->ips[i]))
			printf(" [vdso]+%#lx", sample->ips[i] - vdso.start);
		else if (dladdr((void *)sample->ips[i], &info))
			printf(" %s+%#lx", strrchr(info.dli_fname, '/') + 1,
			       sample->ips[i] - (uintptr_t)info.dli_fbase);
		else
			printf(" %#lx", sample->ips[i]);
	}
	printf("\n");
}

static void judge(const struct sample *sample, void *arg)
{
	const uint64_t *ips = sample->ips;
	unsigned int nr = sample->nr;

	if (!nr || !within(vdso, ips[0])) {
		tally.apart++;
	} else if (right_frames(ips, nr) < nr) {
		tally.wrong++;
		show(sample);
	} else if (within(entry_code(), ips[nr - 1])) {
		tally.whole++;
	} else {
		tally.cut++;
	}
}

/* The coarse clock is always read in the vDSO; others may need a system call. */
FRAME(rounds) void rounds(void)
{
	static const clockid_t clocks[] = { CLOCK_MONOTONIC_COARSE,
					    CLOCK_REALTIME_COARSE,
					    CLOCK_MONOTONIC };
	double end = seconds() + SECONDS;
	struct sampler sampler;
	unsigned int i;

	rounds_returns = (uintptr_t)__builtin_return_address(0);
	sampler_open(&sampler, 0, -1, PERIOD_NS);
	for (i = 0; tally.whole + tally.cut + tally.wrong < WANT &&
		    seconds() < end; i++) {
		sampler_enable(&sampler, true);
		outer(clocks[i % 3]);
		sampler_enable(&sampler, false);
		sampler_drain(&sampler, judge, NULL);
	}
	sampler_close(&sampler);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long all;

	find_vdso();
	if (!strcmp(what, "dump") && argc == 3) {
		file_create(argv[2], (void *)vdso.start, vdso.end - vdso.start);
		return 0;
	}
	find_vdso_function();
	find_libc_function();
	sampler_unthrottle();
	module_prepare();
	rounds();
	all = tally.whole + tally.cut + tally.wrong;
	say("%lu samples in the vDSO: whole %lu, cut %lu, wrong %lu (%lu elsewhere)",
	    all, tally.whole, tally.cut, tally.wrong, tally.apart);
	check(all >= WANT / 2, "enough samples");
	check(!tally.wrong, "no frame is wrong");
	if (!strcmp(what, "whole"))
		check(tally.whole == all, "every stack is whole");
	if (!strcmp(what, "cut"))
		check(!tally.whole, "no stack is whole");
	return finish("known/vdso");
}

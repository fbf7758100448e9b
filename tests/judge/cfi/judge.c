// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the CFI reader with libdw: for the first and the last pc of every row of
 * every FDE, libdw's dwarf_cfi_addrframe() must give the same CFA, return address, FP
 * and SP. libdw searches the FDE itself and runs the program anew for each pc, so the
 * two share no more than dwarf_next_cfi(). No difference is excused: libdw 0.188 has
 * no known fault here.
 *
 * usage: judge [--time] [--list] [[--debug FILE] FILE...]
 *	--debug: also judge the .debug_frame of this file, as that of the next FILE
 *	--list: judge the files whose names are on standard input, one on each line
 *	--time: only read, and report the speed
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ops.h"
#include "sframe/cfi.h"

#define SHOWN 10

static struct totals {
	u64 files;
	u64 no_cfi;
	u64 refused;
	u64 fdes;
	u64 lost;
	u64 skipped;
	u64 rows;
	u64 pcs;
	u64 same;
	u64 ambiguous;
	u64 wrong;
	u64 bytes;
	double seconds;
} totals;

/* libdw's handles for a file; cfi_fde.section decides which of the two is asked. */
struct oracle {
	const char *path;
	int fd;
	Elf *elf;
	Dwarf_CFI *eh;
	int debug_fd;
	Dwarf *dwarf;
	Dwarf_CFI *debug;
	unsigned int shown;
};

static void oracle_init(struct oracle *o, const char *path, const char *debug)
{
	*o = (struct oracle){ .path = path };
	o->fd = open(path, O_RDONLY);
	o->debug_fd = open(debug ? debug : path, O_RDONLY);
	elf_version(EV_CURRENT);
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	o->eh = dwarf_getcfi_elf(o->elf);
	o->dwarf = dwarf_begin(o->debug_fd, DWARF_C_READ);
	o->debug = dwarf_getcfi(o->dwarf);
}

static void oracle_release(struct oracle *o)
{
	if (o->eh)
		dwarf_cfi_end(o->eh);
	dwarf_end(o->dwarf);
	elf_end(o->elf);
	close(o->fd);
	close(o->debug_fd);
}

/* libdw's answer for one pc. */
struct answer {
	Dwarf_Frame *frame;
	Dwarf_Op *cfa;
	size_t nr_cfa;
	bool no_cfa;
	bool signal;
	int ra_reg;
};

static bool ask(struct oracle *o, const struct cfi_fde *fde, u64 pc,
		struct answer *ret)
{
	Dwarf_CFI *cfi = strcmp(fde->section, ".eh_frame") ? o->debug : o->eh;

	if (!cfi || dwarf_cfi_addrframe(cfi, pc, &ret->frame))
		return false;
	ret->ra_reg = dwarf_frame_info(ret->frame, NULL, NULL, &ret->signal);
	/* libdw reports an undefined CFA as an error */
	ret->no_cfa = dwarf_frame_cfa(ret->frame, &ret->cfa, &ret->nr_cfa) < 0;
	return true;
}

static bool cfa_same(const struct cfi_rule *r, const struct answer *a)
{
	Dwarf_Op op = { .atom = DW_OP_bregx };

	if (r->how == CFI_UNDEFINED || a->no_cfa)
		return r->how == CFI_UNDEFINED && a->no_cfa;
	if (r->how == CFI_VAL_EXPR)
		return ops_same(r->expr, r->expr_len, a->cfa, a->nr_cfa);
	op.number = r->reg;
	op.number2 = (u64)r->off;
	return a->nr_cfa == 1 && op_same(&op, a->cfa);
}

/* Converts a rule to the form of libdw's answers; -1 for an expression. */
static int rule_ops(const struct cfi_rule *r, Dwarf_Op ret[3])
{
	int n = 0;

	if (r->how == CFI_UNDEFINED || r->how == CFI_SAME)
		return 0;
	if (r->how == CFI_REGISTER) {
		ret[0] = (Dwarf_Op){ .atom = DW_OP_regx, .number = r->reg };
		return 1;
	}
	if (r->how != CFI_OFFSET && r->how != CFI_VAL_OFFSET)
		return -1;
	ret[n++] = (Dwarf_Op){ .atom = DW_OP_call_frame_cfa };
	if (r->off)
		ret[n++] = (Dwarf_Op){ .atom = DW_OP_plus_uconst,
				       .number = (u64)r->off };
	if (r->how == CFI_VAL_OFFSET)
		ret[n++] = (Dwarf_Op){ .atom = DW_OP_stack_value };
	return n;
}

static bool expr_same(const struct cfi_rule *r, const Dwarf_Op *ops, size_t nr)
{
	bool value = r->how == CFI_VAL_EXPR;

	/* libdw adds operations that express the kind of the rule */
	if (nr < 1u + value || ops[0].atom != DW_OP_call_frame_cfa ||
	    (value && ops[nr - 1].atom != DW_OP_stack_value))
		return false;
	return ops_same(r->expr, r->expr_len, ops + 1, nr - 1 - value);
}

static bool register_same(const struct cfi_rule *r, const struct answer *a,
			  unsigned int reg, bool is_ra)
{
	Dwarf_Op mem[3], want[3], *ops;
	size_t nr;
	int i, n;

	if (dwarf_frame_register(a->frame, (int)reg, mem, &ops, &nr))
		return false;
	n = rule_ops(r, want);
	if (n < 0)
		return expr_same(r, ops, nr);
	if (nr != (size_t)n)
		return false;
	/* without operations, ops is NULL for "same"; libdw reports a return address
	 * without a rule as undefined
	 */
	if (!n)
		return !ops == (r->how == CFI_SAME) || (is_ra && r->how == CFI_SAME);
	for (i = 0; i < n; i++)
		if (!op_same(&want[i], &ops[i]))
			return false;
	return true;
}

static bool row_same(const struct ustack_arch *arch, const struct cfi_fde *fde,
		     const struct cfi_row *row, const struct answer *a)
{
	return a->signal == fde->signal && cfa_same(&row->cfa, a) &&
	       register_same(&row->ra, a, (unsigned int)a->ra_reg, true) &&
	       register_same(&row->fp, a, arch->fp_reg, false) &&
	       register_same(&row->sp, a, arch->sp_reg, false);
}

static void tell(struct oracle *o, const struct cfi_fde *fde, u64 pc,
		 const char *what)
{
	if (o->shown++ < SHOWN)
		printf("%s: %s+0x%" PRIx64 ": pc 0x%" PRIx64 ": %s\n", o->path,
		       fde->section, fde->offset, pc, what);
}

/* Starts and ends of all FDEs, to find out where several cover the same pc. */
static struct spans {
	struct span {
		u64 start;
		u64 end;
		const char *section;
	} *spans;
	size_t nr;
	size_t room;
} spans;

static void span_add(const struct cfi_fde *fde)
{
	if (spans.nr == spans.room) {
		spans.room = spans.room ? spans.room * 2 : 1024;
		spans.spans = realloc(spans.spans, spans.room * sizeof(*spans.spans));
		if (!spans.spans)
			abort();
	}
	spans.spans[spans.nr++] = (struct span){ fde->start, fde->end, fde->section };
}

/* Number of FDEs of the section that cover @pc; only asked for differences. */
static size_t covered(const struct cfi_fde *fde, u64 pc)
{
	size_t i, n = 0;

	for (i = 0; i < spans.nr; i++)
		n += spans.spans[i].section == fde->section &&
		     pc >= spans.spans[i].start && pc < spans.spans[i].end;
	return n;
}

static void compare(struct oracle *o, const struct ustack_arch *arch,
		    const struct cfi_fde *fde, const struct cfi_row *row, u64 pc)
{
	struct answer a = { .frame = NULL };
	bool answered = ask(o, fde, pc, &a);

	totals.pcs++;
	if (answered && row_same(arch, fde, row, &a)) {
		totals.same++;
	} else if (covered(fde, pc) > 1) {
		totals.ambiguous++;
	} else {
		totals.wrong++;
		tell(o, fde, pc, answered ? "libdw says something else" :
		     "libdw says nothing");
	}
	free(a.frame);
}

/* If an FDE is lost here, libdw must refuse it, too. */
static void compare_lost(struct oracle *o, const struct cfi_fde *fde)
{
	struct answer a = { .frame = NULL };

	totals.lost++;
	if (fde->start && ask(o, fde, fde->start, &a)) {
		totals.wrong++;
		tell(o, fde, fde->start, "lost here, but libdw answers");
		free(a.frame);
	}
	if (o->shown++ < SHOWN)
		printf("%s: %s+0x%" PRIx64 ": lost: 0x%" PRIx64 ": %s\n", o->path,
		       fde->section, fde->offset, fde->bad_off, fde->why);
}

static void judge_fde(struct oracle *o, const struct ustack_arch *arch,
		      const struct cfi_fde *fde)
{
	u32 i;

	totals.fdes++;
	if (fde->status == CFI_LOST) {
		compare_lost(o, fde);
		return;
	}
	if (fde->status != CFI_GOOD) {
		totals.skipped++;
		return;
	}
	totals.rows += fde->nr_rows;
	for (i = 0; i < fde->nr_rows; i++) {
		const struct cfi_row *row = &fde->rows[i];
		u64 end = i + 1 < fde->nr_rows ? row[1].pc : fde->end;

		compare(o, arch, fde, row, row->pc);
		if (end - 1 != row->pc)
			compare(o, arch, fde, row, end - 1);
	}
}

/* Number of FDEs by the linker's header; 0 if it has none. */
static u64 linker_count(struct oracle *o)
{
	const Elf_Data *data;
	size_t i, n = 0;
	GElf_Phdr ph;
	const u8 *hdr;

	elf_getphdrnum(o->elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(o->elf, (int)i, &ph) ||
		    ph.p_type != PT_GNU_EH_FRAME || ph.p_filesz < 12)
			continue;
		data = elf_getdata_rawchunk(o->elf, (int64_t)ph.p_offset, 12, ELF_T_BYTE);
		hdr = data ? data->d_buf : NULL;
		/* version 1, pcrel sdata4, udata4 */
		if (hdr && hdr[0] == 1 && hdr[1] == 0x1b && hdr[2] == 0x03)
			return ustack_le32(hdr + 8);
	}
	return 0;
}

/* Checks that no FDE was skipped, which the comparison of rows does not show. */
static void compare_count(struct oracle *o, u64 nr_eh)
{
	u64 want = linker_count(o);

	if (want <= nr_eh)
		return;
	totals.wrong += want - nr_eh;
	printf("%s: %" PRIu64 " FDEs in .eh_frame, the linker counted %" PRIu64 "\n",
	       o->path, nr_eh, want);
}

/* Whether it is a program or a library for a supported architecture. */
static bool is_ours(const char *path)
{
	unsigned char h[20] = { 0 };
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : pread(fd, h, sizeof(h), 0);
	unsigned int type = h[16] | h[17] << 8, machine = h[18] | h[19] << 8;

	if (fd >= 0)
		close(fd);
	return n == sizeof(h) && !memcmp(h, ELFMAG, SELFMAG) &&
	       h[EI_CLASS] == ELFCLASS64 && (type == ET_EXEC || type == ET_DYN) &&
	       (machine == EM_X86_64 || machine == EM_AARCH64);
}

/* A file named on the command line must be readable; a list may have any files. */
static void judge_refused(const char *path, bool listed, const struct diag *diag)
{
	totals.refused++;
	if (listed && !is_ours(path))
		return;
	totals.wrong++;
	printf("%s: refused: %s\n", path, diag->text);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* One pass collects the spans and takes the time, a second one compares. */
static void judge_file(const char *path, const char *debug, bool listed, bool only_time)
{
	struct cfi_fde fde;
	struct diag diag;
	struct oracle o;
	struct cfi *cfi;
	double start;
	u64 nr_eh = 0;

	if (cfi_new(path, &cfi, &diag)) {
		judge_refused(path, listed, &diag);
		return;
	}
	if (debug && cfi_add_debug(cfi, debug, &diag)) {
		printf("%s: %s\n", debug, diag.text);
		totals.wrong++;
	}
	totals.files++;
	totals.no_cfi += !cfi_stats(cfi)->bytes;
	totals.bytes += cfi_stats(cfi)->bytes;
	spans.nr = 0;
	start = now();
	while (cfi_next(cfi, &fde) > 0)
		if (!only_time && fde.status == CFI_GOOD)
			span_add(&fde);
	totals.seconds += now() - start;
	if (only_time) {
		totals.fdes += cfi_stats(cfi)->good;
		totals.rows += cfi_stats(cfi)->rows;
		cfi_free(cfi);
		return;
	}
	cfi_rewind(cfi);
	oracle_init(&o, path, debug);
	while (cfi_next(cfi, &fde) > 0) {
		nr_eh += !strcmp(fde.section, ".eh_frame");
		judge_fde(&o, cfi_arch(cfi), &fde);
	}
	/* a file with debug information only has the header of a section without bytes */
	if (nr_eh)
		compare_count(&o, nr_eh);
	oracle_release(&o);
	cfi_free(cfi);
}

static void print_totals(bool only_time)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("cfi: %" PRIu64 " files (%" PRIu64 " without CFI, %" PRIu64
	       " not for us), %" PRIu64 " FDEs, %" PRIu64
	       " rows, %.1f MB of CFI in %.3f s, %.0f MB/s, peak %ld MB\n",
	       totals.files, totals.no_cfi, totals.refused, totals.fdes,
	       totals.rows, (double)totals.bytes / 1e6, totals.seconds,
	       totals.seconds > 0 ? (double)totals.bytes / 1e6 / totals.seconds : 0,
	       usage.ru_maxrss / 1024);
	if (only_time)
		return;
	printf("cfi: %" PRIu64 " pcs compared, %" PRIu64 " the same, %" PRIu64
	       " where several FDEs cover the pc; %" PRIu64 " FDEs lost, %" PRIu64
	       " empty or discarded\n",
	       totals.pcs, totals.same, totals.ambiguous, totals.lost, totals.skipped);
	printf("cfi: %" PRIu64 " wrong\n", totals.wrong);
}

static void judge_list(bool only_time)
{
	char path[4096];

	while (fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = '\0';
		judge_file(path, NULL, true, only_time);
	}
}

int main(int argc, char **argv)
{
	const char *debug = NULL;
	bool only_time = false;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--debug") && i + 1 < argc) {
			debug = argv[++i];
		} else if (!strcmp(argv[i], "--time")) {
			only_time = true;
		} else if (!strcmp(argv[i], "--list")) {
			judge_list(only_time);
		} else {
			judge_file(argv[i], debug, false, only_time);
			debug = NULL;
		}
	}
	print_totals(only_time);
	free(spans.spans);
	return totals.wrong || !totals.rows;
}

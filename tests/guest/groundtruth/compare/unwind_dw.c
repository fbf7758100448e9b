// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinds samples with libdw, over the copied stack and the files of the record (unwind_dw.h).
 */
#include <elfutils/libdwfl.h>
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi_cache.h"
#include "unwind_dw.h"
#include "util.h"

#define MAX_DWS 48		/* number of spaces for which libdw's state is kept */
#define PID 1			/* libdw needs a number for the thread */

/* libdw's state for one space; the least recently used one is freed */
struct dw {
	struct dw *next;
	struct space *space;
	Dwfl *dwfl;
	struct walk *walk;	/* the current walk */
};

/* state of one sample's walk */
struct walk {
	const struct arch *arch;
	struct space *space;
	struct regs regs;	/* registers at which libdw starts */
	bool restart;		/* start again from regs, because a signal frame was crossed */
	bool exact;		/* the next frame's pc is not a return address */
	uint64_t sp;		/* stack pointer of the sample, where the copied stack starts */
	const uint8_t *stack;
	size_t stack_len;
	unsigned int flags;
	bool read_failed;
	bool ended;
	struct unwound *ret;
};

static struct dw *dws;
static unsigned int dw_count;

const char *dw_end_name(enum dw_end end)
{
	static const char *const names[DW_ENDS] = {
		"outermost", "no-file", "no-cfi", "stack-copy", "no-ra",
		"limit", "error",
	};

	return names[end];
}

static bool read_stack(void *arg, uint64_t addr, uint64_t *ret)
{
	struct walk *w = arg;
	uint64_t off = addr - w->sp;

	if (addr < w->sp || off > w->stack_len || w->stack_len - off < 8) {
		w->read_failed = true;
		return false;
	}
	memcpy(ret, w->stack + off, 8);
	return true;
}

/*
 * libdw 0.188 ignores that return addresses may be signed. A word that is a code address under
 * a signature can only be a signed return address.
 */
static uint64_t unsign(const struct walk *w, uint64_t word)
{
	uint64_t pc = word & w->arch->pc_mask;

	return pc != word && space_find(w->space, pc) ? pc : word;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	struct walk *w = ((struct dw *)arg)->walk;
	uint64_t word;

	if (!read_stack(w, addr, &word))
		return false;
	*ret = unsign(w, word);
	return true;
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return PID;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	*thread_arg = arg;
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct walk *w = ((struct dw *)arg)->walk;
	Dwarf_Word words[GT_DWARF_REGS];
	unsigned int i;

	for (i = 0; i < w->arch->dwarf_regs; i++)
		words[i] = unsign(w, w->regs.dwarf[i]);
	dwfl_thread_state_register_pc(thread, unsign(w, w->regs.pc));
	return dwfl_thread_state_registers(thread, 0, w->arch->dwarf_regs, words);
}

static int end_walk(struct walk *w, enum dw_end end)
{
	w->ended = true;
	w->ret->end = end;
	return DWARF_CB_ABORT;
}

/* whether the vDSO's signal trampoline is at this address */
static bool is_trampoline(const struct walk *w, uint64_t pc)
{
	const struct mapping *m = space_find(w->space, pc);
	uint32_t code[2];

	return w->arch->sigreturn && m && m->file && m->file->vdso &&
	       file_read(m->file, pc - m->bias, code, sizeof(code)) &&
	       !memcmp(code, w->arch->trampoline, sizeof(code));
}

/* a signal trampoline without CFI: continue with the registers of the interrupted code */
static int cross_signal(struct walk *w, Dwfl_Frame *frame, uint64_t pc)
{
	Dwarf_Word sp;

	/* the sample itself may be between the two instructions of the trampoline */
	if (!(is_trampoline(w, pc) || (w->exact && is_trampoline(w, pc - 4))) ||
	    dwfl_frame_reg(frame, w->arch->sp, &sp))
		return end_walk(w, DW_NO_CFI);
	if (!w->arch->sigreturn(&w->regs, sp, read_stack, w))
		return end_walk(w, DW_STACK);
	w->ret->sigframes++;
	w->restart = true;
	return DWARF_CB_ABORT;
}

static uint64_t frame_reg(Dwfl_Frame *frame, unsigned int reg)
{
	Dwarf_Word word;

	return dwfl_frame_reg(frame, reg, &word) ? 0 : word;
}

static int on_frame(Dwfl_Frame *frame, void *arg)
{
	struct dw *dw = arg;
	struct walk *w = dw->walk;
	struct unwound *u = w->ret;
	Dwarf_Addr pc, at;
	unsigned int cfi;

	if (!dwfl_frame_pc(frame, &pc, NULL) || (!pc && (w->flags & DW_GUESS)))
		return end_walk(w, DW_NO_RA);
	if (u->count == DW_MAX_FRAMES)
		return end_walk(w, DW_LIMIT);
	at = w->exact ? pc : pc - 1;
	if (u->count && !space_find(w->space, at))
		return end_walk(w, DW_NO_RA);
	if (w->flags & DW_REGS) {
		u->sp[u->count] = frame_reg(frame, w->arch->sp);
		u->fp[u->count] = frame_reg(frame, w->arch->fp);
	}
	u->exact[u->count] = w->exact;
	u->pcs[u->count++] = pc;
	cfi = cfi_lookup(dw->dwfl, at);
	if (!(cfi & CFI_FILE) && !(w->flags & DW_GUESS_ANY))
		return end_walk(w, DW_NO_FILE);
	if (!(cfi & CFI_ROW) && !(w->flags & DW_GUESS))
		return cross_signal(w, frame, pc);
	if (cfi & CFI_OUTERMOST)
		return end_walk(w, DW_OUTERMOST);
	w->exact = cfi & CFI_SIGNAL;
	return DWARF_CB_OK;
}

static int no_elf(Dwfl_Module *mod, void **userdata, const char *name,
		  Dwarf_Addr base, char **file_name, Elf **elf)
{
	return -1;
}

static int no_debuginfo(Dwfl_Module *mod, void **userdata, const char *name,
			Dwarf_Addr base, const char *file_name,
			const char *debuglink, GElf_Word crc, char **ret)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = no_elf,
	.find_debuginfo = no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

static void report_file(Dwfl *dwfl, const struct mapping *m)
{
	int fd = dup(m->file->fd);
	Dwfl_Module *mod;
	void **userdata;

	if (fd < 0)
		die("dup: %s", strerror(errno));
	mod = dwfl_report_elf(dwfl, m->file->name, m->file->path, fd, m->bias, true);
	if (!mod) {
		close(fd);
		return;
	}
	dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = m->file;
}

struct span {
	uint64_t low, high;
};

/*
 * Reports every file to libdw, newest first: perf reports no munmap, so unmapped files remain,
 * and of two files that overlap the newer one is mapped.
 */
static void report_files(Dwfl *dwfl, const struct space *space)
{
	struct span *spans = xcalloc(space->count, sizeof(*spans));
	unsigned int i, j, n = 0;

	for (i = space->count; i-- > 0; ) {
		const struct mapping *m = &space->maps[i];
		struct span s;

		if (!m->file || !m->file->phnum)
			continue;
		file_span(m->file, &s.low, &s.high);
		s.low += m->bias;
		s.high += m->bias;
		for (j = 0; j < n; j++)
			if (s.low < spans[j].high && spans[j].low < s.high)
				break;
		if (j < n)
			continue;
		spans[n++] = s;
		report_file(dwfl, m);
	}
	free(spans);
}

static struct dw *dw_new(struct space *space)
{
	struct dw *dw = xcalloc(1, sizeof(*dw));

	dw->dwfl = dwfl_begin(&callbacks);
	if (!dw->dwfl)
		die("dwfl_begin: %s", dwfl_errmsg(-1));
	dwfl_report_begin(dw->dwfl);
	report_files(dw->dwfl, space);
	dwfl_report_end(dw->dwfl, NULL, NULL);
	/* fails if there is no file at all; then the walk ends at once */
	dwfl_attach_state(dw->dwfl, NULL, PID, &thread_callbacks, dw);
	space_get(space);
	space->dw = dw;
	dw->space = space;
	return dw;
}

static void dw_free_last(void)
{
	struct dw **p = &dws, *dw;

	while ((*p)->next)
		p = &(*p)->next;
	dw = *p;
	*p = NULL;
	dw_count--;
	dwfl_end(dw->dwfl);
	dw->space->dw = NULL;
	space_put(dw->space);
	free(dw);
}

/* the space's state, moved to the front of the list */
static struct dw *dw_get(struct space *space)
{
	struct dw *dw = space->dw, **p;

	if (dw) {
		for (p = &dws; *p != dw; p = &(*p)->next)
			;
		*p = dw->next;
	} else {
		if (dw_count == MAX_DWS)
			dw_free_last();
		dw = dw_new(space);
		dw_count++;
	}
	dw->next = dws;
	dws = dw;
	return dw;
}

static void walk_once(struct dw *dw, struct walk *w)
{
	struct unwound *u = w->ret;
	int status;

	w->restart = false;
	w->exact = true;
	status = dwfl_getthread_frames(dw->dwfl, PID, on_frame, dw);
	if (w->ended || w->restart)
		return;
	if (w->read_failed) {
		u->end = DW_STACK;
	} else if (!status) {
		u->end = DW_NO_RA;
	} else {
		const char *message = dwfl_errmsg(-1);

		u->end = DW_ERROR;
		snprintf(u->error, sizeof(u->error), "%s", message ? message : "?");
	}
}

void dw_unwind(const struct arch *arch, struct space *space,
	       const struct regs *regs, const uint8_t *stack, size_t stack_len,
	       unsigned int flags, struct unwound *ret)
{
	struct walk w = {
		.arch = arch,
		.space = space,
		.regs = *regs,
		.sp = regs->sp,
		.stack = stack,
		.stack_len = stack_len,
		.flags = flags,
		.ret = ret,
	};
	struct dw *dw = dw_get(space);

	ret->count = 0;
	ret->sigframes = 0;
	ret->error[0] = '\0';
	dw->walk = &w;
	do
		walk_once(dw, &w);
	while (w.restart);
	dw->walk = NULL;
}

unsigned int dw_cfi(struct space *space, uint64_t addr)
{
	return cfi_lookup(dw_get(space)->dwfl, addr);
}

void dw_release(void)
{
	while (dws)
		dw_free_last();
	cfi_release();
}

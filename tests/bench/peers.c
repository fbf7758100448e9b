// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other unwinders. libunwind is opened with dlopen(), because linking it replaces
 * _Unwind_Backtrace by its own, which is four times as slow.
 */
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "space.h"
#include "methods.h"

static int (*unw_backtrace)(void **pcs, int max);
static Dwfl *dwfl;

noinline unsigned int walk_fp(const struct bench_regs *regs, u64 *pcs,
			      unsigned int max)
{
	u64 lo = regs->sp, span = bench_space.stack_hi - regs->sp - 16;
	u64 fp = regs->fp;
	unsigned int n = 0;

	pcs[n++] = regs->pc;
	while (n < max && fp - lo <= span && !(fp & 7)) {
		pcs[n++] = ((const u64 *)fp)[1];
		lo = fp + 16;
		span = bench_space.stack_hi - lo - 16;
		fp = *(const u64 *)fp;
	}
	return n;
}

struct trace {
	u64 *pcs;
	unsigned int n;
	unsigned int max;
};

static _Unwind_Reason_Code trace_frame(struct _Unwind_Context *context,
				       void *arg)
{
	struct trace *t = arg;

	t->pcs[t->n++] = _Unwind_GetIP(context);
	return t->n < t->max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

noinline unsigned int walk_libgcc(const struct bench_regs *regs, u64 *pcs,
				  unsigned int max)
{
	struct trace t = { .pcs = pcs, .max = max };

	_Unwind_Backtrace(trace_frame, &t);
	return t.n;
}

noinline unsigned int walk_libunwind(const struct bench_regs *regs, u64 *pcs,
				     unsigned int max)
{
	unsigned int n = (unsigned int)unw_backtrace((void **)pcs, (int)max);

	__asm__ volatile("" : : : "memory");	/* prevents a tail call */
	return n;
}

/* As perf does it: registers and a copy of the stack, unwound elsewhere. */
static struct {
	struct bench_regs regs;
	u64 len;
	struct trace trace;
	u64 stack[8192];
} copied;

static pid_t next_thread(Dwfl *d, void *arg, void **thread)
{
	if (*thread)
		return 0;
	*thread = arg;
	return getpid();
}

static bool memory_read(Dwfl *d, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	u64 off = addr - copied.regs.sp;

	if (off > copied.len - 8)
		return false;
	memcpy(ret, (const char *)copied.stack + off, 8);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	Dwarf_Word regs[17] = { 0 };

	regs[6] = copied.regs.fp;
	regs[7] = copied.regs.sp;
	regs[16] = copied.regs.pc;
	return dwfl_thread_state_registers(thread, 0, 17, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

static int dwfl_frame(Dwfl_Frame *frame, void *arg)
{
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	copied.trace.pcs[copied.trace.n++] = pc;
	return copied.trace.n < copied.trace.max ? DWARF_CB_OK : DWARF_CB_ABORT;
}

noinline unsigned int walk_libdwfl(const struct bench_regs *regs, u64 *pcs,
				   unsigned int max)
{
	copied.regs = *regs;
	copied.len = bench_space.stack_hi - regs->sp;
	if (copied.len > sizeof(copied.stack))
		copied.len = sizeof(copied.stack);
	memcpy(copied.stack, (const void *)regs->sp, copied.len);
	copied.trace = (struct trace){ .pcs = pcs, .max = max };
	dwfl_getthread_frames(dwfl, getpid(), dwfl_frame, NULL);
	return copied.trace.n;
}

static const Dwfl_Callbacks dwfl_callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

static bool open_dwfl(void)
{
	dwfl = dwfl_begin(&dwfl_callbacks);
	if (dwfl && !dwfl_linux_proc_report(dwfl, getpid()) &&
	    !dwfl_report_end(dwfl, NULL, NULL) &&
	    dwfl_attach_state(dwfl, NULL, getpid(), &thread_callbacks, &copied))
		return true;
	fprintf(stderr, "libdwfl: %s\n", dwfl_errmsg(-1));
	return false;
}

bool peers_open(void)
{
	void *lib = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	void *sym = lib ? dlsym(lib, "unw_backtrace") : NULL;

	if (!sym) {
		fprintf(stderr, "libunwind: %s\n", dlerror());
		return false;
	}
	memcpy(&unw_backtrace, &sym, sizeof(sym));
	return open_dwfl();
}

// SPDX-License-Identifier: GPL-2.0-only
/* Recognises Go's special functions: by name, as in the table below, or by their flags. */
#include "sframe/synth_go_kind.h"

/*
 * Functions of Go's runtime that need special rules, in Go 1.19 to 1.27. They are known by
 * name, as the runtime's own numbers for them change from release to release.
 *
 * - systemstack() and asmcgocall() run a function on the thread's stack and return;
 *   functions that call the vDSO or libc move to the thread's stack because it is larger.
 *   FP points to their own frame all the time, if they have one: on AMD64 since Go 1.21, on
 *   AArch64 see synth_go.c. If C code can call Go, the goroutine's stack may be moved to a
 *   larger one while frames of C have saved FP: then asmcgocall()'s frame is no longer
 *   where that FP points
 * - cgocallback() runs a function on the goroutine's stack, where it makes a frame of
 *   the same size, which seems to be called by the function that had called C
 * - mcall(), morestack() and switchToCrashStack0() do not return
 * - asyncPreempt() and sigpanic() are called by a signal's handler as if the interrupted
 *   code had called them; afterwards that code continues
 * - sigtramp() is the first of its stack according to Go, but its caller is the kernel's
 *   signal frame, which can be unwound
 * - the others are the first frame of their stack; Go 1.17 and later flag them so, too
 */
static const struct runtime_func {
	const char *name;
	enum go_kind kind;
} runtime_funcs[] = {
	{ "systemstack", GO_BY_FP },
	{ "asmcgocall", GO_CALLS_C },
	{ "cgocallback", GO_TWO_STACKS },
	{ "nanotime1", GO_BY_FP },
	{ "walltime", GO_BY_FP },
	{ "vgetrandom1", GO_BY_FP },
	{ "sigfwd", GO_BY_FP },
	{ "callCgoSigaction", GO_BY_FP },
	{ "callCgoMmap", GO_BY_FP },
	{ "callCgoMunmap", GO_BY_FP },
	{ "mcall", GO_NO_RETURN },
	{ "morestack", GO_NO_RETURN },
	{ "switchToCrashStack0", GO_NO_RETURN },
	{ "asyncPreempt", GO_SIGNALLED },
	{ "sigpanic", GO_SIGNALLED },
	{ "sigreturn", GO_SIGRETURN },
	{ "sigreturn__sigaction", GO_SIGRETURN },
	{ "sigtramp", GO_PLAIN },
	{ "clone", GO_FORKS },
	{ "goexit", GO_TOP },
	{ "mstart", GO_TOP },
	{ "rt0_go", GO_TOP },
};

#define RUNTIME "runtime."

static bool runtime_kind(const struct gopcln_func *f, enum go_kind *ret)
{
	struct gopcln_func rest = *f;
	unsigned int i;

	if (f->name_max < sizeof(RUNTIME) ||
	    memcmp(f->name, RUNTIME, sizeof(RUNTIME) - 1))
		return false;
	rest.name += sizeof(RUNTIME) - 1;
	rest.name_max -= sizeof(RUNTIME) - 1;
	for (i = 0; i < sizeof(runtime_funcs) / sizeof(*runtime_funcs); i++) {
		if (!gopcln_name_is(&rest, runtime_funcs[i].name))
			continue;
		*ret = runtime_funcs[i].kind;
		return true;
	}
	return false;
}

/* cgo makes a function _cgoexp_... for each Go function that is exported to C. */
bool go_calls_back(const struct gopcln *t)
{
	static const char prefix[] = "_cgoexp_";
	struct gopcln_func f;
	u32 i;

	for (i = 0; i < t->nr_funcs; i++)
		if (gopcln_func(t, i, &f) && f.name_max >= sizeof(prefix) &&
		    !memcmp(f.name, prefix, sizeof(prefix) - 1))
			return true;
	return false;
}

enum go_kind go_kind_of(const struct gopcln *t, const struct gopcln_func *f)
{
	enum go_kind kind;

	if (runtime_kind(f, &kind))
		return kind;
	if (gopcln_name_is(f, "time.now"))
		return GO_BY_FP;
	if (f->flags & GOPCLN_TOP_FRAME)
		return GO_TOP;
	if (f->flags & GOPCLN_SP_WRITE || !t->has_flags)
		return GO_LEAVES;
	return GO_PLAIN;
}

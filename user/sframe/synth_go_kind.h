/* SPDX-License-Identifier: GPL-2.0-only */
/* Recognises functions of Go's runtime whose callers SP alone does not lead to. */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_KIND_H
#define USTACK_USER_SFRAME_SYNTH_GO_KIND_H

#include "sframe/gopclntab.h"

enum go_kind {
	GO_PLAIN,
	GO_TOP,		/* has no caller */
	GO_SIGNALLED,	/* seems to be called by code that a signal has interrupted */
	GO_SIGRETURN,	/* returns from a signal's handler; unwinders know it by its code */
	GO_BY_FP,	/* calls on another stack, while FP points to its own frame */
	GO_CALLS_C,	/* the same, but only if C code cannot call Go functions */
	GO_TWO_STACKS,	/* continues on another stack, where it has made the same frame */
	GO_NO_RETURN,	/* calls, on another stack, a function that never returns */
	GO_LEAVES,	/* writes SP, and its frame is unknown from there on */
	GO_FORKS,	/* returns twice, once on an empty stack */
};

enum go_kind go_kind_of(const struct gopcln *t, const struct gopcln_func *f);

/* Whether C code can call a Go function. */
bool go_calls_back(const struct gopcln *t);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_KIND_H */

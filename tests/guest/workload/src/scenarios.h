/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of scenarios: SCENARIO(name) is `workload name [SECONDS]`, run by
 * run_<name>() in <name>.c or the file named beside it.
 */
SCENARIO(leaf)
SCENARIO(prologue)
SCENARIO(deep)
SCENARIO(alloca)
SCENARIO(drap)
SCENARIO(tail)
SCENARIO(plt)
SCENARIO(clock)
SCENARIO(bare)	/* bare_run.c */
SCENARIO(signal)	/* signals.c */
SCENARIO(altstack)	/* signals.c */
SCENARIO(nested)	/* signals.c */
SCENARIO(fork)
SCENARIO(vfork)
SCENARIO(vfork_child)	/* vfork.c: the program that vfork executes */
SCENARIO(threads)
SCENARIO(shorts)
SCENARIO(shorts_child)	/* shorts.c: the program that shorts spawns */
SCENARIO(jump)
SCENARIO(qsort)
SCENARIO(churn)
SCENARIO(mremap)
SCENARIO(jit)
#ifndef NO_DLOPEN
SCENARIO(dlopen)
#endif

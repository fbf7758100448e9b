/* SPDX-License-Identifier: GPL-2.0-only */
/* The methods of walking. Each starts at the probe; those of libraries start at themselves. */
#ifndef BENCH_METHODS_H
#define BENCH_METHODS_H

#include "graph.h"

bench_walk walk_fp;
bench_walk walk_ustack;
bench_walk walk_ustack_step;
bench_walk walk_ustack_kernel;
bench_walk walk_ustack_pointer;
bench_walk walk_ustack_retpoline;
bench_walk walk_libgcc;
bench_walk walk_libunwind;
bench_walk walk_libdwfl;

/* Opens what the methods need. Return: false after printing what is missing. */
bool peers_open(void);

#endif /* BENCH_METHODS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread of the scenario bare, whose code has no CFI (bare.c). */
#ifndef WORKLOAD_BARE_H
#define WORKLOAD_BARE_H

/* Runs until now_ns() is @bare_end. Return: @arg. */
void *bare_main(void *arg);

extern unsigned long long bare_end;

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While a recording runs, the module's questions for tables are answered: `ustack supply`
 * in a process of its own, as it gives up its rights to read what users have written.
 */
#ifndef USTACK_USER_RECORD_SUPPLIER_H
#define USTACK_USER_RECORD_SUPPLIER_H

#include <sys/types.h>

/**
 * supplier_prepare() - let the module learn what runs, and answer what it asks of that
 * @note: told what is being done, if it takes a while; may be NULL
 * @arg: for @note
 *
 * Return: 0; a negative errno if it cannot be: then stacks are less whole.
 */
int supplier_prepare(void (*note)(const char *text, void *arg), void *arg);

/* Answers from now on. Return: the process, for supplier_stop(); 0 if there is none. */
pid_t supplier_start(void);
void supplier_stop(pid_t pid);

#endif /* USTACK_USER_RECORD_SUPPLIER_H */

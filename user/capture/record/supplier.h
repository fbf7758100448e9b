/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the module's requests for tables while a recording runs, by `ustack
 * supply`. That is a process of its own, because it gives up its rights to read
 * files that users have written.
 */
#ifndef USTACK_USER_RECORD_SUPPLIER_H
#define USTACK_USER_RECORD_SUPPLIER_H

#include <sys/types.h>

/**
 * supplier_prepare() - let the module learn what runs, and make the tables that
 * it asks for
 * @note: gets a text if this takes a while; may be NULL
 * @arg: passed to @note
 *
 * Return: 0; a negative errno on failure: then more stacks are incomplete.
 */
int supplier_prepare(void (*note)(const char *text, void *arg), void *arg);

/*
 * Starts to answer. Return: the process, for supplier_stop(); 0 if it could not
 * be started.
 */
pid_t supplier_start(void);
void supplier_stop(pid_t pid);

#endif /* USTACK_USER_RECORD_SUPPLIER_H */

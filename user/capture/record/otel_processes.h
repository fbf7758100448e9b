/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The labels that processes publish (otel_context.h). A process is looked at
 * when it is sampled, and again after a while, in case it has published them
 * again.
 *
 * Memory and mappings of users' processes are read in a jail
 * (host/process/peek.h). The time for looks is limited; a process without
 * context is looked at less and less often.
 *
 * Context: one thread, which must live as long as the object.
 */
#ifndef USTACK_USER_RECORD_OTEL_PROCESSES_H
#define USTACK_USER_RECORD_OTEL_PROCESSES_H

#include "capture/record/otel_context.h"

struct otel_processes;

/* Return: released by otel_processes_free(); NULL without memory. */
struct otel_processes *otel_processes_new(void);
void otel_processes_free(struct otel_processes *all);

/**
 * otel_processes_labels() - get the labels of a process
 * @all: the processes
 * @pid: process, which may be gone
 * @epoch: epoch of its mappings, as from processes_epoch(); after a new one it
 *	is looked at soon
 *
 * Return: labels, valid until the next call; NULL if there are none or they are
 * not known yet.
 */
const struct otel_labels *otel_processes_labels(struct otel_processes *all, uint32_t pid, uint64_t epoch);

#endif /* USTACK_USER_RECORD_OTEL_PROCESSES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What processes say of themselves (otel_context.h), looked at when they are sampled, and again when they
 * have published it again.
 *
 * Memory and mappings of users' processes are read in a jail (host/process/peek.h). A second has time for so
 * many looks; a process that has no context is looked at ever more seldom.
 *
 * Context: one thread, which lives as long as it.
 */
#ifndef USTACK_USER_RECORD_OTEL_PROCESSES_H
#define USTACK_USER_RECORD_OTEL_PROCESSES_H

#include "capture/record/otel_context.h"

struct otel_processes;

/* Return: released by otel_processes_free(); NULL without memory. */
struct otel_processes *otel_processes_new(void);
void otel_processes_free(struct otel_processes *all);

/**
 * otel_processes_labels() - what a process says
 * @all: the processes
 * @pid: the process, which may be gone
 * @epoch: of its mappings, as processes_epoch() has it: with another one it is looked at again soon
 *
 * Return: valid until the next call; NULL if it says nothing, or that is not known yet.
 */
const struct otel_labels *otel_processes_labels(struct otel_processes *all, uint32_t pid, uint64_t epoch);

#endif /* USTACK_USER_RECORD_OTEL_PROCESSES_H */

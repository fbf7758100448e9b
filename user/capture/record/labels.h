/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/capture/record: the labels of a sample. */
#ifndef USTACK_USER_RECORD_LABELS_H
#define USTACK_USER_RECORD_LABELS_H

#include "host/process/cgroup.h"
#include "host/process/processes.h"
#include "profile/profile.h"
#include "capture/record/names.h"
#include "capture/record/otel_context.h"
#include "capture/sampler/sampler.h"

/* Return: text of PROFILE_LABEL_STACK for why a user's stack ended; valid until the next call. */
const char *record_outcome(uint8_t why);

/**
 * record_labels() - the set of labels of a count
 * @p: has the set from here on
 * @processes: know its process's name
 * @cgroups: know its cgroup's path
 * @e: its event
 * @c: the count
 * @language: text of PROFILE_LABEL_LANGUAGE; NULL for none
 * @context: what its process says of itself; NULL for nothing
 * @clock: what CLOCK_REALTIME is more than CLOCK_MONOTONIC, for the time of the count if it has one
 *
 * Return: number of the set, 0 if @p has failed.
 */
uint32_t record_labels(struct profile *p, struct processes *processes, struct cgroups *cgroups,
		       const struct record_event *e, const struct sampler_count *c,
		       const char *language, const struct otel_labels *context, uint64_t clock);

#endif /* USTACK_USER_RECORD_LABELS_H */

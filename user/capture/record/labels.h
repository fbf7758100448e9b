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

/*
 * @why: why a user stack ended. Return: text of PROFILE_LABEL_STACK; valid
 * until the next call.
 */
const char *record_outcome(uint8_t why);

/**
 * record_labels() - make the label set of a count
 * @p: profile that gets the set
 * @processes: know the name of the count's process
 * @cgroups: know the path of its cgroup
 * @e: event of the count
 * @c: the count
 * @language: text of PROFILE_LABEL_LANGUAGE; NULL for none
 * @context: labels that the process publishes; NULL for none
 * @clock: CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds, for the time of
 *	the count
 *
 * Return: number of the set, 0 if @p has failed.
 */
uint32_t record_labels(struct profile *p, struct processes *processes, struct cgroups *cgroups,
		       const struct record_event *e, const struct sampler_count *c,
		       const char *language, const struct otel_labels *context, uint64_t clock);

#endif /* USTACK_USER_RECORD_LABELS_H */

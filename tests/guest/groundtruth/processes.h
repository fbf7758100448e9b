/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes of a record: the mappings of each, and when it had them (user/host/process). */
#ifndef GROUNDTRUTH_PROCESSES_H
#define GROUNDTRUTH_PROCESSES_H

#include "host/process/processes.h"

#include "rewrite.h"

/*
 * Passes the mappings, forks, programs and names of a record to @all in order of time. Ends the
 * program if there is no memory.
 */
void gt_take_events(struct processes *all, const struct gt_input *in);

#endif /* GROUNDTRUTH_PROCESSES_H */

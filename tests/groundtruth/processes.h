/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes of a record: what each had mapped, and when (user/host/process). */
#ifndef GROUNDTRUTH_PROCESSES_H
#define GROUNDTRUTH_PROCESSES_H

#include "host/process/processes.h"

#include "rewrite.h"

/* Tells @all the mappings, forks, programs and names of a record, in order of time. Ends the program
 * without memory.
 */
void gt_take_events(struct processes *all, const struct gt_input *in);

#endif /* GROUNDTRUTH_PROCESSES_H */

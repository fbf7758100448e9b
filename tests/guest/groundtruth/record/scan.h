/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings of the processes that ran before the recording. */
#ifndef GT_SCAN_H
#define GT_SCAN_H

void scan_processes(void);

#endif /* GT_SCAN_H */

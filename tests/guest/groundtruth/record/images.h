/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies every file that is mapped executable, and the vDSO, into the record. */
#ifndef GT_IMAGES_H
#define GT_IMAGES_H

#include "../format.h"

extern uint64_t images_missing;		/* number of files that could not be copied */

/* copies no file of the file system that DIR is on */
void images_leave_out(const char *dir);
void images_vdso(void);
void images_saw(const struct gt_map *map, const char *path);

#endif /* GT_IMAGES_H */

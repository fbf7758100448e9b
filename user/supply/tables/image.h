/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/supply/tables: a file's table in the bins, which may have several parts. */
#ifndef USTACK_USER_TABLES_IMAGE_H
#define USTACK_USER_TABLES_IMAGE_H

#include <stdint.h>

#include "supply/tables/bins.h"
#include "tables.h"

/* Bytes of all parts of the image's table. */
uint64_t image_bytes(const struct tables_image *image);

/* Drops all parts but the first, which no program can read any more. */
void image_drop_rest(struct tables_image *image, struct bins *b);

/* Moves the parts that are in bin @from to the spare one. */
void image_move(struct tables_image *image, struct bins *b, unsigned int from);

#endif /* USTACK_USER_TABLES_IMAGE_H */

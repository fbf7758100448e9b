/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/supply/tables: a file's table in the bins, which may have several parts. */
#ifndef USTACK_USER_TABLES_IMAGE_H
#define USTACK_USER_TABLES_IMAGE_H

#include <stdint.h>

#include "supply/code.h"
#include "supply/tables/bins.h"
#include "tables.h"

/* Bytes of all parts of the image's table. */
uint64_t image_bytes(const struct tables_image *image);

/**
 * image_put_rest() - put all parts of a table but the first into bins
 * @image: has no table; programs do not read its parts before @image->bytes is set
 * @c: the table
 * @put: puts a part, as bins_put() does; it may move the parts that are there already
 * @arg: for @put
 *
 * The parts are in @image at once, so that image_move() finds them.
 *
 * Return: 0; the error of @put: then the parts in @image are to be dropped by image_drop_rest().
 */
int image_put_rest(struct tables_image *image, const struct code *c,
		   int (*put)(void *arg, const struct ustack_table *part, uint64_t *place), void *arg);

/* Drops all parts but the first, which no program can read any more. */
void image_drop_rest(struct tables_image *image, struct bins *b);

/* Moves the parts that are in bin @from to the spare one. */
void image_move(struct tables_image *image, struct bins *b, unsigned int from);

#endif /* USTACK_USER_TABLES_IMAGE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target's position, and its file. A new file is written, synced and renamed over the old one.
 * So even after a crash of the machine the file is either the old one or the new one; with the
 * old one, windows are sent again.
 */
#ifndef USTACK_USER_PUSH_POSITION_H
#define USTACK_USER_PUSH_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/store/store.h"
#include "util/diag.h"

/* Room for the text of a position. A longer file is not a position. */
#define PUSH_POSITION_BYTES 192u

/**
 * struct push_point - a point between two samples of the store
 * @window: position of the window that comes next
 * @sample: number of its samples that are before the point, in the order of struct push_order
 */
struct push_point {
	struct store_position window;
	uint64_t sample;
};

/**
 * struct push_position - where a target is
 * @order: hash of everything that the order of samples within a window depends on. If it is no
 *         longer the same, @next.sample becomes 0
 * @next: everything before it is acknowledged or given up
 * @until: end of the request that is being sent, so that after a crash the same samples are sent
 *         again as the same request; equals @next if the request is at most one window
 */
struct push_position {
	uint64_t order;
	struct push_point next;
	struct push_point until;
};

/* Return: whether @a is before @b. */
bool push_point_before(const struct push_point *a, const struct push_point *b);

/* Write a position as a line of text. Return: bytes of the line. */
size_t push_position_format(const struct push_position *p, char buf[PUSH_POSITION_BYTES]);

/**
 * push_position_parse() - read the text of a position
 * @text: the text, any @len bytes
 * @len: number of bytes of @text
 * @file: file name for @diag
 * @ret: the position; written on success only
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG for anything but what push_position_format() makes.
 */
int push_position_parse(const char *text, size_t len, const char *file,
			struct push_position *ret, struct diag *diag);

/* Read a position file. Return: 0; -ENOENT; -EBADMSG if it is damaged; another negative errno. */
int push_position_load(const char *path, struct push_position *ret, struct diag *diag);

/* Replace a position file. Return: 0 once the new one is on disk, or a negative errno. */
int push_position_save(const char *path, const struct push_position *p, struct diag *diag);

#endif /* USTACK_USER_PUSH_POSITION_H */

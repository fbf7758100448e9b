/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target's position on disk. The file is replaced by renaming one that was synced, so it is
 * the old one or the new one after a crash of the machine, too; an old one sends again.
 */
#ifndef USTACK_USER_PUSH_POSITION_H
#define USTACK_USER_PUSH_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/store/store.h"
#include "util/diag.h"

/* Room for the text of one; a longer file is none. */
#define PUSH_POSITION_BYTES 192u

/**
 * struct push_point - between two samples
 * @window: the window that comes next
 * @sample: samples of it that are done, in the order in which they are sent
 */
struct push_point {
	struct store_position window;
	uint64_t sample;
};

/**
 * struct push_position - where a target is
 * @order: of what the order of samples within a window depends on; another one makes
 *         @next.sample 0
 * @next: all in front of it is acknowledged, or given up
 * @until: end of the request that is on its way, so that after a crash the same is sent
 *         again as the same request; @next if it is one window or less
 */
struct push_position {
	uint64_t order;
	struct push_point next;
	struct push_point until;
};

/* Return: whether @a is in front of @b. */
bool push_point_before(const struct push_point *a, const struct push_point *b);

/* Return: bytes of the text, which is a line. */
size_t push_position_format(const struct push_position *p, char buf[PUSH_POSITION_BYTES]);

/**
 * push_position_parse() - read the text
 * @text: @len bytes
 * @len: any
 * @file: for @diag
 * @ret: on success only
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG for anything but what push_position_format() makes.
 */
int push_position_parse(const char *text, size_t len, const char *file,
			struct push_position *ret, struct diag *diag);

/* Return: 0; -ENOENT; -EBADMSG; another negative errno. */
int push_position_load(const char *path, struct push_position *ret, struct diag *diag);

/* Return: 0 once it is on disk, or a negative errno. */
int push_position_save(const char *path, const struct push_position *p, struct diag *diag);

#endif /* USTACK_USER_PUSH_POSITION_H */

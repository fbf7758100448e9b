/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/tables: windows of processes that have more mappings than a struct tables_space
 * has room for. Each is 128 KiB of the kernel's memory. One user may have a quarter of them, so
 * that others are left some; root may have all.
 */
#ifndef USTACK_USER_TABLES_WIDES_H
#define USTACK_USER_TABLES_WIDES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tables.h"

/**
 * struct wide - the answer to one space
 * @id: of the space
 * @tgid: its process
 * @payer: who is charged for it, see struct tables_shares
 * @at: mapped; the refused one's is &struct wides.refused
 */
struct wide {
	uint64_t id;
	uint32_t tgid;
	uint32_t payer;
	struct tables_wide *at;
};

/**
 * struct wides - those that are there
 * @spaces: descriptor of the programs' map; not owned
 * @outer: of their map of wide windows; not owned
 * @refused: what is put there for who may have none
 * @refused_fd: its descriptor
 * @wide: answers
 * @nr: of @wide
 * @given: of these, not refused
 */
struct wides {
	int spaces;
	int outer;
	struct tables_wide *refused;
	int refused_fd;
	struct wide wide[TABLES_FULL_SPACES];
	unsigned int nr;
	unsigned int given;
};

#define WIDES_INIT { .refused_fd = -1 }

/* @spaces, @outer: descriptors that outlive @w. Return: 0 or a negative errno. */
int wides_open(struct wides *w, int spaces, int outer);

/**
 * wides_make() - give a process wide windows, or refuse them, if its space is full
 * @w: all
 * @tgid: the process, or one that shares its memory
 *
 * They are empty and not ready. Programs that ran before do not know of them: the caller waits for
 * their end (bins_wait()), has all mappings put in, and then sets @state of @at.
 *
 * Return: them; NULL if the process needs none, has been answered before, or may have none. Valid
 * until the next call.
 */
const struct wide *wides_make(struct wides *w, uint32_t tgid);

/* The windows of a copy of a space, wide or its own; @nr: how many may be in use. */
const struct tables_window *wides_of(const struct wides *w, const struct tables_space *space,
				     uint32_t *nr);

/**
 * wides_read() - copy windows as they are between two changes
 * @w: all
 * @i: number of one of them
 * @ret: TABLES_WIDE_WINDOWS; the first one is empty if the process has gone
 *
 * Return: false if they were changed each time that they were read.
 */
bool wides_read(const struct wides *w, unsigned int i, struct tables_window *ret);

/* Lets go of them; programs keep what they use. Also of WIDES_INIT. */
void wides_close(struct wides *w);

#endif /* USTACK_USER_TABLES_WIDES_H */

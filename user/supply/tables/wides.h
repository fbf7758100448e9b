/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: windows of processes that have more mappings than a struct tables_space
 * has room for. There are two classes, of 128 KiB and of 512 KiB of the kernel's memory, which is
 * taken when a process is given one and let go of when the process has gone. One user may have a
 * quarter of each class, so that others are left some; root may have all.
 */
#ifndef USTACK_USER_TABLES_WIDES_H
#define USTACK_USER_TABLES_WIDES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tables.h"

enum wide_class {
	WIDE,			/* TABLES_WIDE_WINDOWS */
	HUGE,			/* TABLES_HUGE_WINDOWS */
	WIDE_CLASSES,
};

/**
 * struct wide - the answer to one space
 * @id: of the space
 * @tgid: its process
 * @payer: who is charged for it, see struct tables_shares
 * @class: of its windows
 * @last: there is no memory for the next class
 * @at: mapped; the refused one's is &struct wides.refused
 */
struct wide {
	uint64_t id;
	uint32_t tgid;
	uint32_t payer;
	enum wide_class class;
	bool last;
	struct tables_wide *at;
};

/**
 * struct wides - those that are there
 * @spaces: descriptor of the programs' map; not owned
 * @outer: of their maps of windows, by class; not owned
 * @refused: what is put there for who may have none
 * @refused_fd: its descriptor
 * @wide: answers; a space that changes its class has two for a moment
 * @nr: of @wide
 * @given: of these, not refused, by class
 * @refusals: processes that were refused the windows that they need, or some of them
 */
struct wides {
	int spaces;
	int outer[WIDE_CLASSES];
	struct tables_wide *refused;
	int refused_fd;
	struct wide wide[TABLES_FULL_SPACES + TABLES_HUGES];
	unsigned int nr;
	unsigned int given[WIDE_CLASSES];
	uint64_t refusals;
};

#define WIDES_INIT { .refused_fd = -1 }

/**
 * wides_open() - begin with none
 * @w: WIDES_INIT; released by wides_close() in any case
 * @spaces: descriptor of the programs' map, outlives @w
 * @wides: of their map of windows of the class WIDE, outlives @w
 * @huges: of the class HUGE, outlives @w
 *
 * Return: 0 or a negative errno.
 */
int wides_open(struct wides *w, int spaces, int wides, int huges);

/**
 * wides_make() - give a process the windows that it needs, or refuse them, if its space is full
 * @w: all
 * @tgid: the process, or one that shares its memory
 *
 * They are empty and not ready. Programs that ran before do not know of them: the caller waits for
 * their end (bins_wait()), has all mappings put in, and then calls wides_ready().
 *
 * Return: them; NULL if the process needs none, has been answered before, or may have none. Valid
 * until the next call.
 */
const struct wide *wides_make(struct wides *w, uint32_t tgid);

/* Who is charged for the process's memory, see struct tables_shares; 0 if the process has no space. */
uint32_t wides_payer(const struct wides *w, uint32_t tgid);

/* All mappings are in there: walks may begin. */
void wides_ready(const struct wide *wide);

/* No program can read the fewer windows that the process of @id had before: they are let go. */
void wides_drop_fewer(struct wides *w, uint64_t id);

/* The windows of a copy of a space, wide or its own; @nr: how many may be in use. */
const struct tables_window *wides_of(const struct wides *w, const struct tables_space *space,
				     uint32_t *nr);

/**
 * wides_read() - copy windows as they are between two changes
 * @w: all
 * @i: number of one of them
 * @ret: TABLES_HUGE_WINDOWS; the first one is empty if the process has gone
 * @nr: how many of @ret may be in use
 *
 * Return: false if they were changed each time that they were read.
 */
bool wides_read(const struct wides *w, unsigned int i, struct tables_window *ret, uint32_t *nr);

/* Whether a space that is full was answered; until then its process is not walked. */
bool wides_has_answered(const struct wides *w, const struct tables_space *space);

/*
 * Takes number @i away from its process, which is not walked any more: it does not ask again. The
 * last one has this number now.
 */
void wides_drop(struct wides *w, unsigned int i);

/* Memory of the kernel that they take. */
uint64_t wides_bytes(const struct wides *w);

/* Lets go of them; programs keep what they use. Also of WIDES_INIT. */
void wides_close(struct wides *w);

#endif /* USTACK_USER_TABLES_WIDES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: windows of processes that have more mappings than a struct
 * tables_space holds. There are two classes, of 128 KiB and of 512 KiB of kernel memory, which is
 * allocated for a process when it needs it and freed when the process is gone. One user may have
 * a quarter of each class, so that some is left for others; root may have all.
 */
#ifndef USTACK_USER_TABLES_WIDES_H
#define USTACK_USER_TABLES_WIDES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tables.h"

enum wide_class {
	WIDE,			/* TABLES_WIDE_WINDOWS windows */
	HUGE,			/* TABLES_HUGE_WINDOWS windows */
	WIDE_CLASSES,
};

/**
 * struct wide - the answer for one space
 * @id: id of the space
 * @tgid: process that the space belongs to
 * @payer: user who is charged for it, see struct tables_shares
 * @class: class of the windows
 * @last: the process gets no windows of the next class
 * @at: the windows, mapped; for a refusal it is &struct wides.refused
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
 * struct wides - all answers
 * @spaces: descriptor of the programs' map of struct tables_space; not owned
 * @outer: descriptors of the programs' maps of windows, by class; not owned
 * @refused: windows that say "refused", shared by all processes that may have none; mapped
 * @refused_fd: descriptor of @refused
 * @wide: answers; a space that changes its class has two for a moment
 * @nr: number of @wide
 * @given: number of answers that are not refusals, by class
 * @refusals: number of processes that were refused some or all of the windows that they need
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
 * wides_open() - start without any answer
 * @w: WIDES_INIT; released by wides_close() in any case
 * @spaces: descriptor of the programs' map, outlives @w
 * @wides: descriptor of their map of windows of the class WIDE, outlives @w
 * @huges: descriptor of their map of windows of the class HUGE, outlives @w
 *
 * Return: 0 or a negative errno.
 */
int wides_open(struct wides *w, int spaces, int wides, int huges);

/**
 * wides_make() - if a process's space is full, give it the windows that it needs, or refuse
 * @w: all answers
 * @tgid: the process, or one that shares its memory
 *
 * New windows are empty and not ready. Programs that started before do not know them: the caller
 * waits for their end (bins_wait()), has all mappings read, and then calls wides_ready().
 *
 * Return: the new windows; NULL if the process needs none, has been answered before, or may have
 * none. Valid until the next call.
 */
const struct wide *wides_make(struct wides *w, uint32_t tgid);

/* The user who is charged for a process, see struct tables_shares; 0 if it has no space. */
uint32_t wides_payer(const struct wides *w, uint32_t tgid);

/* Marks windows as complete: stacks may be unwound by them. */
void wides_ready(const struct wide *wide);

/* Frees the smaller windows that the process of @id had before; no program may read them now. */
void wides_drop_fewer(struct wides *w, uint64_t id);

/* The windows for a copy of a space, wide or its own; @nr: how many may be in use. */
const struct tables_window *wides_of(const struct wides *w, const struct tables_space *space,
				     uint32_t *nr);

/**
 * wides_read() - copy windows as they are between two changes
 * @w: all answers
 * @i: index in @w->wide
 * @ret: array of TABLES_HUGE_WINDOWS; the first one is empty if the process is gone
 * @nr: how many of @ret may be in use
 *
 * Return: false if they changed during each attempt.
 */
bool wides_read(const struct wides *w, unsigned int i, struct tables_window *ret, uint32_t *nr);

/* Whether a full space was answered; until then its process's stacks are not unwound. */
bool wides_has_answered(const struct wides *w, const struct tables_space *space);

/*
 * Takes answer @i away from its process, whose stacks are not unwound any more: it does not ask
 * again. The last answer gets the index @i.
 */
void wides_drop(struct wides *w, unsigned int i);

/* Bytes of kernel memory that all wide windows take. */
uint64_t wides_bytes(const struct wides *w);

/* Closes all of them; programs that run keep what they use. Accepts WIDES_INIT. */
void wides_close(struct wides *w);

#endif /* USTACK_USER_TABLES_WIDES_H */

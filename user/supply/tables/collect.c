// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frees numbers and tables. A program finds a file's number in the map of files, and puts it
 * into a window; a walk goes from a window to the image and to its bytes. So a number is freed
 * in these steps:
 *
 *	1. files whose number is in no window are deleted from the map of files;
 *	2. wait until every program that may have found them there has ended;
 *	3. files whose number still is in no window lose their table;
 *	4. wait until every walk that may have found the table has ended;
 *	5. the bytes and the number are free.
 *
 * A number that is in a window at step 3 after all is kept until it is in none: the file has
 * another number by then.
 */
#include "supply/tables/collect.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"
#include "supply/tables/image.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Limit of steps through a map: entries that come and go can make the iteration start again. */
#define MAX_STEPS (1u << 18)

/**
 * struct collection - state of one collection
 * @a: the answers
 * @used: by number: the image is in a window
 * @going: by number: the image is not in the map of files any more
 */
struct collection {
	struct answers *a;
	uint8_t used[TABLES_IMAGES];
	uint8_t going[TABLES_IMAGES];
};

/* Whether the process's stacks are unwound by the windows of its space, or by wide ones. */
static bool is_walked(const struct answers *a, const struct tables_space *space)
{
	return !(space->flags & TABLES_FULL) || wides_has_answered(&a->wides, space);
}

/*
 * Copies a space, in a state that nobody changed meanwhile. If no stack is unwound by the space,
 * the copy is empty.
 */
static bool read_space(const struct answers *a, uint32_t tgid, struct tables_space *ret)
{
	uint64_t before = 1;
	unsigned int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (bpf_map_lookup_elem(a->spaces, &tgid, ret))
			return true;	/* the process is gone: nothing is mapped */
		if (!is_walked(a, ret)) {
			ret->window[0].start = ~0ull;
			return true;
		}
		if (!(ret->seq & 1) && ret->seq == before)
			return true;
		before = ret->seq;
	}
	return false;
}

static void mark_windows(struct collection *c, const struct tables_window *window, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr && window[i].start != ~0ull; i++)
		c->used[window[i].image % TABLES_IMAGES] = 1;
}

/*
 * A process can change its mappings so fast that its windows cannot be copied. Then it loses
 * them, and so its stacks: else nobody's numbers could be freed.
 */
static int mark_wides(struct collection *c)
{
	_cleanup_(cleanup_free) struct tables_window *window =
		calloc(TABLES_HUGE_WINDOWS, sizeof(*window));
	struct wides *w = &c->a->wides;
	uint32_t i = 0, nr;

	if (!window)
		return -ENOMEM;
	while (i < w->nr) {
		if (!wides_read(w, i, window, &nr)) {
			wides_drop(w, i);
			continue;
		}
		mark_windows(c, window, nr);
		i++;
	}
	return 0;
}

static int mark(struct collection *c)
{
	_cleanup_(cleanup_free) struct tables_space *space = malloc(sizeof(*space));
	uint32_t tgid, next, *from = NULL, steps;

	if (!space)
		return -ENOMEM;
	memset(c->used, 0, sizeof(c->used));
	c->used[c->a->making] = 1;
	for (steps = 0; !bpf_map_get_next_key(c->a->spaces, from, &next); steps++) {
		memset(space, 0, sizeof(*space));
		if (steps == MAX_STEPS || !read_space(c->a, next, space))
			return -EAGAIN;
		mark_windows(c, space->window, TABLES_WINDOWS);
		tgid = next;
		from = &tgid;
	}
	return mark_wides(c);
}

/* Step 1: deletes files whose number is in no window. */
static int drop_files(struct collection *c)
{
	_cleanup_(cleanup_free) struct tables_file *drop = calloc(TABLES_IMAGES, sizeof(*drop));
	struct tables_file file, next, *from = NULL;
	uint32_t number, nr = 0, steps;

	if (!drop)
		return -ENOMEM;
	for (steps = 0; !bpf_map_get_next_key(c->a->files, from, &next); steps++) {
		if (steps == MAX_STEPS)
			return -EAGAIN;
		if (!bpf_map_lookup_elem(c->a->files, &next, &number) && number < TABLES_IMAGES &&
		    !c->used[number] && !c->going[number] && nr < TABLES_IMAGES) {
			c->going[number] = 1;
			drop[nr++] = next;
		}
		file = next;
		from = &file;
	}
	while (nr)
		bpf_map_delete_elem(c->a->files, &drop[--nr]);
	return 0;
}

/* Step 5: frees the bytes and the number. @len: bytes of the table's first part, which programs do not see now. */
static void give_back(struct answers *a, uint32_t number, uint32_t len)
{
	struct tables_image *image = &a->images[number];

	if (len) {
		__atomic_fetch_sub(&a->tables, 1, __ATOMIC_RELAXED);
		__atomic_fetch_sub(&a->table_bytes, image_bytes(image) + len, __ATOMIC_RELAXED);
		bins_drop(&a->bins, image->place, len);
		image_drop_rest(image, &a->bins);
	}
	image->why = USTACK_BUILDING;
	__atomic_fetch_sub(&a->shares->total, 1, __ATOMIC_RELAXED);
	if (image->payer)
		__atomic_fetch_sub(&a->shares->of[tables_share_of(image->payer, a->shares->seed)], 1,
				   __ATOMIC_RELAXED);
	bpf_map_update_elem(a->free_images, NULL, &number, BPF_ANY);
}

static int free_images(struct collection *c)
{
	_cleanup_(cleanup_free) uint32_t *len = calloc(TABLES_IMAGES, sizeof(*len));
	struct answers *a = c->a;
	uint32_t i;
	int err;

	if (!len)
		return -ENOMEM;
	for (i = TABLES_FIRST_FILE; i < TABLES_IMAGES; i++) {
		a->orphan[i] = c->going[i] && c->used[i];
		if (c->going[i] && !c->used[i]) {
			len[i] = a->images[i].bytes;
			__atomic_store_n(&a->images[i].bytes, 0, __ATOMIC_RELEASE);
		}
	}
	err = bins_wait(&a->bins);
	for (i = TABLES_FIRST_FILE; i < TABLES_IMAGES; i++) {
		if (!c->going[i] || c->used[i])
			continue;
		if (err)	/* somebody may still read the table: keep it */
			__atomic_store_n(&a->images[i].bytes, len[i], __ATOMIC_RELEASE);
		else
			give_back(a, i, len[i]);
		a->orphan[i] = err != 0;
	}
	return err;
}

int collect(struct answers *a)
{
	_cleanup_(cleanup_free) struct collection *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->a = a;
	memcpy(c->going, a->orphan, sizeof(c->going));
	err = mark(c);
	if (!err)
		err = drop_files(c);
	if (!err)
		err = bins_wait(&a->bins);
	if (!err)
		err = mark(c);
	if (!err)
		return free_images(c);
	/* files deleted from the map keep their numbers until a later collection */
	memcpy(a->orphan, c->going, sizeof(c->going));
	return err;
}

/*
 * Programs that have read the old places find the same bytes there until they end. If it is
 * unknown when that is, the old bin is never used again.
 */
bool collect_move(struct answers *a)
{
	unsigned int from = bins_move_begin(&a->bins);
	uint32_t i;

	if (from == BINS_NONE)
		return false;
	for (i = 0; i < TABLES_IMAGES; i++)
		image_move(&a->images[i], &a->bins, from);
	if (bins_wait(&a->bins)) {
		a->bins.spare = BINS_NONE;
		return false;
	}
	bins_move_end(&a->bins, from);
	return true;
}

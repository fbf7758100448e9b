// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a store window by window and makes a profile of its own of each. Push uses it to upload
 * what the store has.
 */
#include "serve/store/reader.h"

#include <errno.h>
#include <stdlib.h>

#include "serve/store/copier.h"
#include "serve/store/walk.h"

#include "util/poison.h"

/**
 * struct store_reader - state of reading
 * @walk: the walk from window to window
 * @copier: copies from a segment's definitions into @window
 * @window: the last window that was read
 */
struct store_reader {
	struct store_walk walk;
	struct copier copier;
	struct profile *window;
};

int store_reader_new(const char *dir, const struct store_position *from,
		     struct store_reader **ret, struct diag *diag)
{
	struct store_reader *r = reallocarray(NULL, 1, sizeof(*r));
	int err;

	if (!r)
		return diag_errno(diag, ENOMEM, dir);
	*r = (struct store_reader){ 0 };
	err = store_walk_init(&r->walk, dir, from, diag);
	if (err)
		store_reader_free(r);
	else
		*ret = r;
	return err;
}

void store_reader_free(struct store_reader *r)
{
	if (!r)
		return;
	store_walk_release(&r->walk);
	copier_release(&r->copier);
	profile_free(r->window);
	free(r);
}

void store_reader_times(struct store_reader *r, uint64_t from_ns, uint64_t to_ns)
{
	r->walk.from_ns = from_ns;
	r->walk.to_ns = to_ns;
}

static void copy_head(struct copier *k, const struct store_samples *s, const struct store_head *h)
{
	struct profile *p = k->to;
	uint32_t i;

	p->time_ns = h->time_ns;
	p->duration_ns = h->duration_ns;
	p->period = s->period;
	p->period_type.type = copier_string(k, s->period_type.type);
	p->period_type.unit = copier_string(k, s->period_type.unit);
	p->default_type = copier_string(k, s->default_type);
	for (i = 0; i < s->nr_value_types; i++)
		profile_value_type(p, profile_text(k->from, s->value_types[i].type),
				   profile_text(k->from, s->value_types[i].unit));
	for (i = 0; i < s->nr_comments; i++)
		profile_comment(p, profile_text(k->from, s->comments[i]));
}

static int make_window(struct store_reader *r, const struct store_head *h)
{
	const struct store_samples *s = &r->walk.samples;
	struct copier *k = &r->copier;
	uint32_t i;

	profile_free(r->window);
	r->window = profile_new();
	if (!r->window)
		return -ENOMEM;
	copier_begin(k, r->walk.open->defs, r->window);
	copy_head(k, s, h);
	for (i = 0; i < s->nr_samples; i++)
		profile_add(r->window, copier_stack(k, s->samples[i].stack),
			    copier_labels(k, s->samples[i].labels), s->samples[i].value);
	return copier_error(k);
}

int store_reader_next(struct store_reader *r, struct store_window *ret, struct diag *diag)
{
	const struct store_head *h;
	int n = store_walk_next(&r->walk, &h, diag), err;

	if (n <= 0)
		return n;
	ret->next = r->walk.at;
	ret->at = ret->next;
	ret->at.record--;
	err = make_window(r, h);
	if (err) {
		r->walk.at = ret->at;
		return diag_errno(diag, -err, r->walk.dir);
	}
	ret->profile = r->window;
	return 1;
}

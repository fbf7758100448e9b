// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds requests: reads windows from the store, chooses which samples of which windows go into
 * the next request, and passes them to the protocol (peer.h). It also counts windows that were
 * lost or cannot be read. Runs in the target's thread.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "serve/push/target.h"
#include "util/clock.h"

#include "util/poison.h"

/* Most records to try when records cannot be read, in search of one that can. */
#define MAX_SKIPPED 16

static void drop_window(struct push_target *t)
{
	push_order_release(&t->order);
	t->has_window = false;
}

void push_rewind(struct push_target *t)
{
	drop_window(t);
	store_reader_free(t->reader);
	t->reader = NULL;
	t->lingering = false;
}

static bool same_position(const struct store_position *a, const struct store_position *b)
{
	return a->segment == b->segment && a->record == b->record;
}

/* Count windows between the position and the next window: the store has removed them. */
static void count_lost(struct push_target *t, const struct store_position *from,
		       const struct store_position *to)
{
	uint64_t lost, segments;

	/* the position is the beginning: it is not known what the store had before @to */
	if (!from->segment && !from->record)
		return;
	pthread_mutex_lock(&t->common->lock);
	lost = push_segments_between(&t->common->segments, from, to, &segments);
	t->info.lost += lost;
	t->info.lost_segments += segments;
	pthread_mutex_unlock(&t->common->lock);
	if (lost || segments)
		push_note(t, "the store removed %" PRIu64 " windows, and %" PRIu64
			  " segments of unknown length, before they were sent", lost, segments);
}

static void set_oldest(struct push_target *t, uint64_t end_ns)
{
	pthread_mutex_lock(&t->common->lock);
	t->oldest_end_ns = end_ns;
	pthread_mutex_unlock(&t->common->lock);
}

static int take_window(struct push_target *t, struct diag *diag)
{
	const struct push_grouping how = {
		.services = t->options.services,
		.containers = t->peer->containers,
		.ungrouped = t->peer->ungrouped,
	};
	const struct profile *p = t->window.profile;
	int err = push_order_init(p, &how, &t->order);

	if (err)
		return diag_errno(diag, -err, NULL);
	push_machine_labels_of(p, t->common->host, &t->machine);
	t->has_window = true;
	if (!same_position(&t->window.at, &t->end.window)) {
		count_lost(t, &t->end.window, &t->window.at);
		t->end = (struct push_point){ .window = t->window.at };
	}
	if (t->end.sample > t->order.nr)
		t->end.sample = t->order.nr;
	return 0;
}

static void skip_unreadable(struct push_target *t, const struct diag *diag)
{
	char words[PUSH_ERROR_BYTES];

	pthread_mutex_lock(&t->common->lock);
	t->info.unreadable++;
	pthread_mutex_unlock(&t->common->lock);
	diag_format(diag, words, sizeof(words));
	push_note(t, "windows that cannot be read are left out: %s", words);
}

/*
 * A part of the store could not be read several times. If a later window can be read, only that
 * part is damaged, and it is skipped. If none can be read, the target waits, because the medium
 * may come back.
 */
static int read_later(struct push_target *t, struct diag *diag)
{
	struct diag why = *diag, other = { .offset = DIAG_NO_OFFSET };
	int r, tries = 0;

	do
		r = store_reader_next(t->reader, &t->window, &other);
	while ((r == -EIO || r == -EBADMSG) && ++tries < MAX_SKIPPED);
	if (r <= 0)
		return -EIO;
	skip_unreadable(t, &why);
	return r;
}

/* Return: 1 if there is a window at @t->end; 0 if there is none; a negative errno. */
static int get_window(struct push_target *t, struct diag *diag)
{
	int r;

	if (t->has_window)
		return 1;
	if (!t->reader) {
		r = store_reader_new(t->common->store, &t->end.window, &t->reader, diag);
		if (r)
			return r;
	}
	while ((r = store_reader_next(t->reader, &t->window, diag)) == -EBADMSG)
		skip_unreadable(t, diag);
	if (r == -EIO && ++t->unread > PUSH_MAX_UNREAD)
		r = read_later(t, diag);
	if (r <= 0)
		return r;
	t->unread = 0;
	r = take_window(t, diag);
	/* the reader does not give this window again, unless it is opened again */
	if (r)
		push_rewind(t);
	return r ? r : 1;
}

/* Return: samples of the current window in the next part; 0 if the request is full before it. */
static uint32_t part_length(const struct push_target *t)
{
	const struct push_group *g = push_order_group(&t->order, (uint32_t)t->end.sample);
	uint32_t left = t->max_samples - t->samples, nr = g->end - (uint32_t)t->end.sample;
	const struct push_point *until = &t->position.until;

	/* a window is cut only if it is too large for any request: this one waits for the next */
	if (!t->end.sample && t->samples && t->order.nr > left)
		return 0;
	if (t->pinned && same_position(&until->window, &t->end.window) &&
	    until->sample > t->end.sample && until->sample - t->end.sample < nr)
		nr = (uint32_t)(until->sample - t->end.sample);
	return nr < left ? nr : left;
}

static int add_part(struct push_target *t, uint32_t nr, struct diag *diag)
{
	char identity[PUSH_IDENTITY_BYTES];
	const struct push_part part = {
		.window = t->window.profile,
		.at = t->window.at,
		.machine = &t->machine,
		.group = push_order_group(&t->order, (uint32_t)t->end.sample),
		.samples = t->order.samples + t->end.sample,
		.nr = nr,
		.first = t->end.sample,
		.keep = t->options.keep ? t->options.keep : t->peer->keep,
		.services = t->options.services,
		.identity = identity,
	};

	push_identity(t->common->host, &part.at, part.window->time_ns, part.first, part.first + nr,
		      identity);
	if (!t->body.parts)
		snprintf(t->identity, sizeof(t->identity), "%s", identity);
	return t->peer->add(&t->body, &part, diag);
}

/* The name of a request with several parts: that of the first part, and where the last ends. */
static void name_request(struct push_target *t)
{
	size_t len = strnlen(t->identity, sizeof(t->identity) - 1);

	if (t->body.parts > 1)
		snprintf(t->identity + len, sizeof(t->identity) - len,
			 "..%" PRIu64 ".%" PRIu64 "/%" PRIu64, t->end.window.segment,
			 t->end.window.record, t->end.sample);
}

/*
 * Return: whether the request ends where the one ended that may have been sent before. If no end
 * was saved, that request had one window.
 */
static bool is_whole_again(const struct push_target *t)
{
	if (push_point_before(&t->position.next, &t->position.until))
		return !push_point_before(&t->end, &t->position.until);
	return t->windows > 0;
}

static bool is_full(const struct push_target *t)
{
	const uint32_t most = t->peer->one_part ? 1 : t->peer->parts;

	if ((most && t->body.parts >= most) || t->samples >= t->max_samples)
		return true;
	if (t->pinned)
		return is_whole_again(t);
	return t->windows >= t->batch || t->body.bytes.len + t->body.more_bytes >= PUSH_MAX_BODY;
}

static void end_window(struct push_target *t)
{
	t->end = (struct push_point){ .window = t->window.next };
	t->windows++;
	drop_window(t);
}

static bool fits(const struct push_target *t)
{
	return !t->body.parts || !t->peer->fits ||
	       t->peer->fits(&t->body, t->window.profile, &t->machine);
}

static bool lingers(const struct push_target *t)
{
	return t->peer->linger && t->body.parts && !t->pinned &&
	       t->oldest_end_ns + PUSH_LINGER_NS > clock_ns(CLOCK_REALTIME);
}

static void begin(struct push_target *t)
{
	push_body_release(t->peer, &t->body);
	t->end = t->position.next;
	t->windows = 0;
	t->samples = 0;
}

int push_build_request(struct push_target *t, struct diag *diag)
{
	int r = 1, err;
	uint32_t nr;

	if (!t->lingering)
		begin(t);
	t->lingering = false;
	do {
		r = get_window(t, diag);
		if (r <= 0)
			break;
		if (!t->body.parts)
			set_oldest(t, t->window.profile->time_ns + t->window.profile->duration_ns);
		nr = t->order.nr > t->end.sample ? part_length(t) : 0;
		if (t->order.nr > t->end.sample && (!nr || !fits(t)))
			break;
		err = nr ? add_part(t, nr, diag) : 0;
		if (err)
			return err;
		t->samples += nr;
		t->end.sample += nr;
		if (t->end.sample == t->order.nr)
			end_window(t);
	} while (!is_full(t));
	if (!t->body.parts) {
		if (r <= 0)
			set_oldest(t, 0);
		return r < 0 ? r : 0;
	}
	t->lingering = r == 0 && lingers(t);
	if (t->lingering)
		return 0;
	name_request(t);
	r = t->peer->finish(&t->body, diag);
	return r ? r : 1;
}

/*
 * When the machine crashed, the store may have lost windows that it had not synced; it writes new
 * windows to their positions. Or the store may be another one. The position from the disk does
 * not show that, but the position of the first window that was appended since does. Windows that
 * the target has sent meanwhile may be sent again then.
 */
void push_fix_position(struct push_target *t)
{
	struct store_position at, was = t->loaded;
	bool after;

	if (t->position_checked)
		return;
	pthread_mutex_lock(&t->common->lock);
	t->position_checked = t->common->appended > 0;
	at = t->common->first;
	after = t->position_checked && (was.segment > at.segment ||
					(was.segment == at.segment && was.record > at.record));
	if (after) {
		if (was.segment != at.segment)
			at = (struct store_position){ 0 };
		t->position.next = (struct push_point){ .window = at };
		t->position.until = t->position.next;
		t->doubt = t->peer->send != NULL;
	}
	pthread_mutex_unlock(&t->common->lock);
	if (!after)
		return;
	push_note(t, "the position %" PRIu64 ".%" PRIu64 " is after the end of the store, which "
		  "has lost windows", was.segment, was.record);
	push_rewind(t);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler_drain() of sampler.h: hands out what one window has counted, then
 * waits that go on.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "reason.h"
#include "sampler.skel.h"
#include "capture/sampler/internal.h"
#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/*
 * struct wire_key.why is handed out unchanged, but for why_ended(). The BPF programs cannot include
 * the core's enum, so these check that the programs, the core and sampler.h use
 * the same numbers, each for one meaning.
 */
_Static_assert(WIRE_WHY_COMPLETE == USTACK_COMPLETE, "WIRE_WHY_COMPLETE");
_Static_assert(WIRE_WHY_GUESSED == SAMPLER_WHY_GUESSED, "WIRE_WHY_GUESSED");
_Static_assert(WIRE_WHY_FOREIGN == SAMPLER_WHY_FOREIGN, "WIRE_WHY_FOREIGN");
_Static_assert(WIRE_WHY_UNCLEAR == SAMPLER_WHY_UNCLEAR, "WIRE_WHY_UNCLEAR");
_Static_assert(WIRE_WHY_NO_USER == SAMPLER_WHY_NO_USER, "WIRE_WHY_NO_USER");
_Static_assert(WIRE_WHY_NOT_ASKED == SAMPLER_WHY_NOT_ASKED, "WIRE_WHY_NOT_ASKED");
_Static_assert(WIRE_WHY_NO_MODULE == SAMPLER_WHY_NO_MODULE, "WIRE_WHY_NO_MODULE");
/* SAMPLER_WHY_GUESSED is the lowest number of enum sampler_why */
_Static_assert(USTACK_NR_REASONS <= SAMPLER_WHY_GUESSED, "reasons and enum sampler_why");

/*
 * Return: number of leading kernel frames that tracing added before those of
 * the scheduler.
 */
static size_t own_frames(const struct sampler *s, const struct sampler_count *c)
{
	size_t i;

	if (s->events[c->event].kind != EVENT_OFF_CPU)
		return 0;
	for (i = 0; i < c->nr_kernel; i++)
		if (c->kernel[i] >= s->sched && c->kernel[i] < s->sched_end)
			return i;
	return 0;
}

/*
 * Why the stack of @c ended. If its walk ended where frames of its language take its place, and
 * these are complete, the stack is.
 */
static uint8_t why_ended(const struct sampler_count *c, uint8_t why)
{
	const struct lang_stack *l = c->lang;

	return l && l->native && l->fate == LANG_WHOLE && c->nr_user &&
			       c->user[c->nr_user - 1] == l->native ?
		       USTACK_COMPLETE :
		       why;
}

static int hand_out(struct sampler *s, const struct wire_key *key, struct sampler_count *c,
		    sampler_take take, void *context)
{
	size_t own;

	if (key->event >= s->options.nr_events)
		return -EPROTO;
	c->tgid = key->tgid;
	c->tid = key->tid;
	c->epoch = key->epoch;
	c->cgroup = key->cgroup;
	c->time = key->time;
	c->event = key->event;
	c->why = why_ended(c, key->why);
	c->preempted = key->flags & WIRE_PREEMPTED;
	c->user_cut = key->flags & WIRE_USER_CUT;
	c->kernel_cut = key->flags & WIRE_KERNEL_CUT;
	memcpy(c->comm, key->comm, sizeof(c->comm));
	c->comm[sizeof(c->comm) - 1] = '\0';
	own = own_frames(s, c);
	c->kernel += own;
	c->nr_kernel -= own;
	return take(context, c);
}

/*
 * Reads the @nr words in @s->lang_word as frames of a language, for @c. Return:
 * 0 or a negative errno.
 */
static int name_lang(struct sampler *s, uint32_t tgid, size_t nr, struct sampler_count *c,
		     struct diag *diag)
{
	int named = s->lang ? lang_reader_stack(s->lang, tgid, s->lang_word, nr, &s->lang_stack) : 0;

	if (named > 0)
		c->lang = &s->lang_stack;
	if (named == -EPROTO)
		return diag_set(diag, EPROTO, NULL,
				"the BPF programs stored invalid frames of a language");
	return named < 0 ? diag_errno(diag, -named, NULL) : 0;
}

static int take_count(struct sampler *s, size_t i, sampler_take take, void *context,
		      struct diag *diag)
{
	const struct wire_key *key = &s->windows.keys[i];
	struct sampler_count c = { .count = s->windows.values[i].count,
				   .sum = s->windows.values[i].sum,
				   .user = s->user, .kernel = s->kernel };
	int user = stacks_get(&s->windows.stacks, key->user, s->user, WIRE_FRAMES);
	int kernel = stacks_get(&s->windows.stacks, key->kernel, s->kernel, WIRE_FRAMES);
	int lang = stacks_get(&s->windows.stacks, key->lang, s->lang_word, LANG_SLOTS), err;

	if (user < 0 || kernel < 0 || lang < 0)
		return diag_set(diag, EPROTO, NULL, "a stack that was counted is not in its map: %s",
				strerror(user < 0 ? -user : kernel < 0 ? -kernel : -lang));
	c.nr_user = user;
	c.nr_kernel = kernel;
	err = name_lang(s, key->tgid, lang, &c, diag);
	if (err)
		return err;
	return hand_out(s, key, &c, take, context);
}

static int take_wait(struct sampler *s, const struct wire_wait *w, uint32_t tid, sampler_take take,
		     void *context, struct diag *diag)
{
	uint64_t ns = s->stopped > w->since ? s->stopped - w->since : 0;
	struct sampler_count c = { .count = 1, .sum = ns, .pending = true, .user = s->user,
				   .kernel = s->kernel, .nr_user = w->nr_user,
				   .nr_kernel = w->nr_kernel };
	struct lang_wait lang;
	struct wire_key key;
	int err;

	if (w->nr_user > WIRE_WAIT_USER || w->nr_kernel > WIRE_WAIT_KERNEL ||
	    w->nr_lang > LANG_WAIT_SLOTS)
		return -EPROTO;
	if (ns < s->options.offcpu_min_ns)
		return 0;
	memcpy(s->user, w->user.pc, w->nr_user * sizeof(*s->user));
	memcpy(s->kernel, w->kernel.pc, w->nr_kernel * sizeof(*s->kernel));
	s->pending++;
	if (w->nr_lang &&
	    !bpf_map_lookup_elem(bpf_map__fd(s->programs.main->maps.lang_waits), &tid, &lang)) {
		memcpy(s->lang_word, lang.stack.pc, w->nr_lang * sizeof(*s->lang_word));
		err = name_lang(s, w->key.tgid, w->nr_lang, &c, diag);
		if (err)
			return err;
	}
	key = w->key;
	key.time = s->options.timestamps ? s->stopped : 0;
	return hand_out(s, &key, &c, take, context);
}

/*
 * A thread that waits, and the process and epoch in which its stack is
 * resolved.
 */
struct waiter {
	uint32_t tid;
	uint32_t tgid;
	uint64_t epoch;
};

static int compare_waiters(const void *a, const void *b)
{
	const struct waiter *left = a, *right = b;

	return windows_compare(left->tgid, left->epoch, right->tgid, right->epoch);
}

/*
 * Sorted by windows_compare(). Return: number of waiters in @ret, or a negative
 * errno.
 */
static ssize_t list_waiters(int fd, struct waiter **ret)
{
	size_t nr = 0, room = 0;
	struct wire_wait wait;
	uint32_t *from = NULL, tid, next;

	while (!bpf_map_get_next_key(fd, from, &next)) {
		tid = next;
		from = &tid;
		if (bpf_map_lookup_elem(fd, &tid, &wait))
			continue;
		if (!array_has_room(*ret, nr, room))
			return -ENOMEM;
		(*ret)[nr++] = (struct waiter){ tid, wait.key.tgid, wait.key.epoch };
	}
	if (nr)
		qsort(*ret, nr, sizeof(**ret), compare_waiters);
	return (ssize_t)nr;
}

static int take_waits(struct sampler *s, sampler_take take, void *context, struct diag *diag)
{
	int fd = bpf_map__fd(s->programs.main->maps.waits), err = 0;
	_cleanup_(cleanup_free) struct waiter *waiter = NULL;
	ssize_t nr = list_waiters(fd, &waiter), i;
	struct wire_wait wait;

	if (nr < 0)
		return diag_errno(diag, (int)-nr, NULL);
	for (i = 0; i < nr && !err; i++)
		if (!bpf_map_lookup_elem(fd, &waiter[i].tid, &wait))
			err = take_wait(s, &wait, waiter[i].tid, take, context, diag);
	if (err == -EPROTO)
		return diag_set(diag, EPROTO, NULL, "the BPF programs stored an invalid wait");
	return err;
}

/*
 * A CPU that cannot be opened is reported and tried again at the next drain;
 * others go on.
 */
static void open_new_cpus(struct sampler *s)
{
	struct diag diag = { 0 };
	char text[384];
	size_t i;

	for (i = 0; i < s->options.nr_events; i++)
		cpu_events_close_stale(&s->cpu_events[i]);
	if (!sampler_open_cpus(s, true, &diag))
		return;
	diag_format(&diag, text, sizeof(text));
	sampler_note(s, "not sampled on all CPUs: %s", text);
}

int sampler_drain(struct sampler *s, sampler_take take, void *context, struct diag *diag)
{
	int err = 0;
	size_t i;

	if (s->state == SAMPLER_NEW)
		return diag_set(diag, EINVAL, NULL, "the sampler was not started");
	if (s->state == SAMPLER_DRAINED)
		return 0;
	if (s->state == SAMPLER_RUNNING) {
		open_new_cpus(s);
		sampler_look_for_module(s);
	}
	if (!err)
		err = windows_take(&s->windows, diag);
	ring_buffer__consume(s->ring);
	for (i = 0; i < s->windows.nr && !err; i++)
		err = take_count(s, s->windows.order[i], take, context, diag);
	if (!err && s->state == SAMPLER_STOPPED)
		err = take_waits(s, take, context, diag);
	if (s->lang)
		lang_reader_trim(s->lang);
	if (s->state == SAMPLER_STOPPED)
		s->state = SAMPLER_DRAINED;
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers the sampler's BPF programs, which ask by a ring buffer about processes and
 * frames, in a thread of its own; and names the frames of stacks for the thread that
 * drains samples. See reader.h.
 */
#include "symbols/lang/reader.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "symbols/lang/beam_frames.h"
#include "symbols/lang/function_names.h"
#include "symbols/lang/linetable.h"
#include "symbols/lang/perl_frames.h"
#include "symbols/lang/php_function.h"
#include "symbols/lang/process.h"
#include "symbols/lang/ruby_frames.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/thread.h"

/* Timeout of the poll: the ring does not wake the thread while it is being emptied. */
#define POLL_MS 1000
/*
 * Limit for processes with a runtime, each of which has an open descriptor; then the
 * least recently used one is dropped.
 */
#define MAX_PROCESSES 1024u
/* Windows after the last sample until a process that has ended is dropped. */
#define KEEP_WINDOWS 3u
/* A runtime that is not ready is looked at again, after times that double up to a maximum. */
#define AGAIN_MIN_NS 2000000ull
#define AGAIN_MAX_NS 1000000000ull
/*
 * Processes that are looked at in a second; a machine that builds programs starts a
 * hundred in a second.
 */
#define LOOKS_A_SECOND 200u

/**
 * struct known_process - a process with a runtime
 * @tgid: number of the process, as in struct lang_proc
 * @start: start time, as in struct lang_proc
 * @exec_id: count of execs, as in struct lang_proc
 * @number: our number for it, never used again
 * @again_ns: time in nanoseconds until it is looked at again, if it is not ready
 * @used: window of its last sample
 * @is: what was found in it
 */
struct known_process {
	u32 tgid;
	u64 start;
	u64 exec_id;
	u64 number;
	u64 again_ns;
	u64 used;
	struct lang_process is;
};

/**
 * struct lang_reader - see reader.h
 * @procs: descriptor of the BPF programs' map; borrowed
 * @ring: ring buffer of struct lang_wish
 * @poke: eventfd that wakes the thread
 * @ending: tells the thread to end
 * @thread: thread that answers
 * @running: @thread was started
 * @files: cache of files; used only by the thread
 * @second: start of the current second, in nanoseconds; used only by the thread
 * @looks: processes looked at in this second; used only by the thread
 * @lock: protects all that follows
 * @process: processes with a runtime, in any order
 * @nr: number of @process
 * @room: allocated entries of @process
 * @last: index of the process that was found last
 * @numbers: last number given to a process or a published description
 * @window: number of lang_reader_trim() calls
 * @functions: functions read so far
 * @frame: frames of the last lang_reader_stack()
 * @eval: ranges of the last lang_reader_stack(), as @inner and @base
 * @inner: see @eval
 * @base: see @eval
 */
struct lang_reader {
	int procs;
	struct ring_buffer *ring;
	int poke;
	bool ending;
	pthread_t thread;
	bool running;
	struct lang_files *files;
	u64 second;
	unsigned int looks;
	pthread_mutex_t lock;
	struct known_process *process;
	u32 nr;
	u32 room;
	u32 last;
	u64 numbers;
	u64 window;
	struct lang_functions functions;
	struct lang_frame frame[LANG_SLOTS / 2];
	struct range eval[EVAL_MAX_RANGES];
	struct range inner[EVAL_MAX_RANGES];
	struct range base[EVAL_MAX_RANGES];
};

static bool is_process(const struct known_process *p, u32 tgid, u64 start, u64 exec_id)
{
	return p->tgid == tgid && p->start == start && p->exec_id == (exec_id & LANG_POINTER);
}

static struct known_process *find(struct lang_reader *r, u32 tgid, u64 start, u64 exec_id)
{
	u32 i;

	if (r->last < r->nr && is_process(&r->process[r->last], tgid, start, exec_id))
		return &r->process[r->last];
	for (i = 0; i < r->nr; i++)
		if (is_process(&r->process[i], tgid, start, exec_id)) {
			r->last = i;
			return &r->process[i];
		}
	return NULL;
}

static void drop(struct lang_reader *r, u32 i)
{
	lang_process_release(&r->process[i].is);
	r->process[i] = r->process[--r->nr];
}

static void make_room(struct lang_reader *r)
{
	u32 i, least = 0;

	if (r->nr < MAX_PROCESSES)
		return;
	for (i = 1; i < r->nr; i++)
		if (r->process[i].used < r->process[least].used)
			least = i;
	drop(r, least);
}

/* Adds the process of a wish; it must not be known yet. */
static struct known_process *add(struct lang_reader *r, const struct lang_wish *w)
{
	make_room(r);
	if (!array_has_room(r->process, r->nr, r->room))
		return NULL;
	r->process[r->nr] = (struct known_process){
		.tgid = w->tgid, .start = w->start, .exec_id = w->exec_id & LANG_POINTER,
		.number = ++r->numbers, .used = r->window, .is = { .mem = PEEK_MEMORY_INIT },
	};
	return &r->process[r->nr++];
}

/* Whether the question of a wish has been answered since. */
static bool is_answered(struct lang_reader *r, const struct lang_wish *w, u64 now)
{
	struct lang_proc there;

	if (bpf_map_lookup_elem(r->procs, &w->tgid, &there) || there.start != w->start ||
	    there.exec_id != w->exec_id)
		return false;
	if (there.kind != LANG_NONE)
		return true;
	return there.again ? now < there.again : there.epoch == w->epoch;
}

static void publish(struct lang_reader *r, const struct lang_wish *w, const struct lang_process *is,
		    u64 again)
{
	struct lang_proc proc = {
		.start = w->start, .exec_id = w->exec_id, .epoch = w->epoch, .again = again,
		.kind = is->kind, .number = ++r->numbers, .found = is->found,
	};

	/*
	 * if the map is full, the process is asked for again and again; the ring limits
	 * that
	 */
	bpf_map_update_elem(r->procs, &w->tgid, &proc, BPF_ANY);
	/* an entry published after the end of the process would never be removed */
	if (kill((pid_t)w->tgid, 0) && errno == ESRCH)
		bpf_map_delete_elem(r->procs, &w->tgid);
}

static bool may_look(struct lang_reader *r, u64 now)
{
	if (now - r->second > 1000000000) {
		r->second = now;
		r->looks = 0;
	}
	return r->looks++ < LOOKS_A_SECOND;
}

/* Stores and publishes what was found in a process. */
static void take_process(struct lang_reader *r, const struct lang_wish *w, struct lang_process *is,
			 u64 now)
{
	struct known_process *p = find(r, w->tgid, w->start, w->exec_id);
	u64 again = 0;

	if (!p && (is->kind != LANG_NONE || is->again))
		p = add(r, w);
	if (!p) {
		lang_process_release(is);
		is->kind = LANG_NONE;
	} else {
		lang_process_release(&p->is);
		p->is = *is;
		if (is->again) {
			p->again_ns = p->again_ns ? 2 * p->again_ns : AGAIN_MIN_NS;
			if (p->again_ns > AGAIN_MAX_NS)
				p->again_ns = AGAIN_MAX_NS;
			again = now + p->again_ns;
		}
	}
	publish(r, w, is, again);
}

/*
 * Looking at a process may block, if the process is stuck. It is done without the lock,
 * so that others need not wait.
 */
static void look_at_process(struct lang_reader *r, const struct lang_wish *w)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);
	const struct known_process *p;
	struct lang_process is;
	bool known;

	if (is_answered(r, w, now))
		return;
	pthread_mutex_lock(&r->lock);
	p = find(r, w->tgid, w->start, w->exec_id);
	known = p && p->is.kind != LANG_NONE;
	if (known)
		publish(r, w, &p->is, 0);
	pthread_mutex_unlock(&r->lock);
	if (known || !may_look(r, now))
		return;
	lang_process_look(r->files, w->tgid, &is);
	pthread_mutex_lock(&r->lock);
	take_process(r, w, &is, now);
	pthread_mutex_unlock(&r->lock);
}

/* Return: number of the function, 0 if out of memory. */
static u32 function_of(struct lang_reader *r, const struct known_process *p, u64 first, u64 second)
{
	return function_names_get(&r->functions, &p->is, p->number, first, second);
}

/* Whether a pair is a frame of this language, and has something to read. */
static bool is_of_kind(u64 first, enum lang_kind kind)
{
	enum lang_kind is = (enum lang_kind)(first >> LANG_KIND_SHIFT);

	return is == kind || (kind == LANG_PERL && is == LANG_PERL_PLACE) ||
	       (kind == LANG_RUBY && is == LANG_RUBY_CLASS);
}

/* Reads the functions of a chunk, whose words are in reverse order: outermost frame first. */
static void look_at_frames(struct lang_reader *r, const struct lang_wish *w)
{
	const struct known_process *p = find(r, w->tgid, w->start, w->exec_id);
	u32 i;

	if (!p || p->is.kind == LANG_NONE)
		return;
	for (i = 0; i + 1 < w->nr && i + 1 < WIRE_CHUNK_FRAMES; i += 2)
		if (is_of_kind(w->word[i + 1], p->is.kind))
			function_of(r, p, w->word[i + 1], w->word[i]);
}

/* Reads a function that may be freed by now, but not its names. */
static void take_function(struct lang_reader *r, const struct lang_wish *w)
{
	const struct known_process *p = find(r, w->tgid, w->start, w->exec_id);

	if (p && (p->is.kind == LANG_PHP || p->is.kind == LANG_PERL))
		function_names_from_wish(&r->functions, &p->is, p->number, w->word);
}

static int take_wish(void *arg, void *data, size_t len)
{
	struct lang_reader *r = arg;
	const struct lang_wish *w = data;

	if (len != sizeof(*w))
		return 0;
	if (!w->nr) {
		look_at_process(r, w);
		return 0;
	}
	pthread_mutex_lock(&r->lock);
	if (w->nr == LANG_WISH_FUNCTION)
		take_function(r, w);
	else
		look_at_frames(r, w);
	pthread_mutex_unlock(&r->lock);
	return 0;
}

static void *answer(void *arg)
{
	struct lang_reader *r = arg;
	struct pollfd fds[] = {
		{ .fd = ring_buffer__epoll_fd(r->ring), .events = POLLIN },
		{ .fd = r->poke, .events = POLLIN },
	};

	/* functions that are created and freed at once can be read only for a moment */
	thread_raise_priority();
	while (!__atomic_load_n(&r->ending, __ATOMIC_ACQUIRE)) {
		if (ring_buffer__consume(r->ring) <= 0)
			poll(fds, 2, POLL_MS);
	}
	return NULL;
}

static int start(struct lang_reader *r, int wishes, struct diag *diag)
{
	int err = lang_functions_init(&r->functions);

	r->files = lang_files_new();
	if (err || !r->files)
		return diag_errno(diag, ENOMEM, NULL);
	r->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->poke < 0)
		return diag_errno(diag, errno, "eventfd");
	r->ring = ring_buffer__new(wishes, take_wish, r, NULL);
	if (!r->ring)
		return diag_set(diag, errno, NULL, "no buffer for languages' frames: %s",
				strerror(errno));
	err = thread_start(&r->thread, answer, r);
	if (err)
		return diag_errno(diag, -err, "a thread");
	r->running = true;
	return 0;
}

int lang_reader_new(int procs, int wishes, struct lang_reader **ret, struct diag *diag)
{
	struct lang_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return diag_errno(diag, ENOMEM, NULL);
	r->procs = procs;
	r->poke = -1;
	pthread_mutex_init(&r->lock, NULL);
	err = start(r, wishes, diag);
	if (err) {
		lang_reader_free(r);
		return err;
	}
	*ret = r;
	return 0;
}

void lang_reader_free(struct lang_reader *r)
{
	uint64_t one = 1;

	if (!r)
		return;
	if (r->running) {
		__atomic_store_n(&r->ending, true, __ATOMIC_RELEASE);
		/* fails only if the counter is full, and then the thread wakes, too */
		if (write(r->poke, &one, sizeof(one)) < 0)
			one = 0;
		pthread_join(r->thread, NULL);
	}
	ring_buffer__free(r->ring);
	if (r->poke >= 0)
		close(r->poke);
	while (r->nr)
		drop(r, r->nr - 1);
	free(r->process);
	lang_files_free(r->files);
	lang_functions_release(&r->functions);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static int name_frame(struct lang_reader *r, const struct known_process *p, u64 first, u64 second,
		      struct lang_frame *ret)
{
	u32 n = function_of(r, p, first, second);
	const struct lang_function *f = &r->functions.function[n];

	if (!n)
		return -ENOMEM;
	*ret = (struct lang_frame){
		.name = r->functions.strings.entries[f->name].s,
		.file = r->functions.strings.entries[f->file].s,
		.start_line = f->first_line,
		.entry = first >> LANG_FLAGS_SHIFT & LANG_ENTRY,
		.in_c = first >> LANG_FLAGS_SHIFT & LANG_IN_C,
	};
	if (p->is.kind == LANG_PHP)
		ret->line = (u32)second;
	else if (f->table)
		ret->line = linetable_line(f->table, f->table_len, f->first_line,
					   (int64_t)(u32)second - 1);
	return 0;
}

/* Sets frames of a process that is no longer known. */
static void name_nothing(const u64 *word, size_t nr, struct lang_frame *ret)
{
	size_t i;

	for (i = 0; i < nr; i++)
		ret[i] = (struct lang_frame){
			.name = LANG_NAME_GONE, .file = "",
			.entry = word[2 * i] >> LANG_FLAGS_SHIFT & LANG_ENTRY,
			.in_c = word[2 * i] >> LANG_FLAGS_SHIFT & LANG_IN_C,
		};
}

/* PHP's outermost frame is the requested script; like other files it has no name. */
static void name_main(const struct lang_stack *s, struct lang_frame *frame)
{
	if (s->nr && s->fate == LANG_WHOLE && !strcmp(frame[s->nr - 1].name, PHP_NAME_FILE))
		frame[s->nr - 1].name = PHP_NAME_MAIN;
}

/* Copies the ranges of the interpreter's functions: @p moves when processes are added. */
static void take_ranges(struct lang_reader *r, struct known_process *p, struct lang_stack *ret)
{
	p->used = r->window;
	memcpy(r->eval, p->is.eval, sizeof(r->eval));
	ret->eval = r->eval;
	ret->nr_eval = p->is.nr_eval;
	memcpy(r->inner, p->is.inner, sizeof(r->inner));
	ret->inner = r->inner;
	ret->nr_inner = p->is.nr_inner;
	memcpy(r->base, p->is.base, sizeof(r->base));
	ret->base = r->base;
	ret->nr_base = p->is.nr_base;
	ret->reruns = p->is.kind == LANG_PERL;
}

/* Names the frames of a language whose frames may take two pairs: Perl, Ruby. */
static int name_pairs(struct lang_reader *r, const struct known_process *p, const u64 *word, size_t nr,
		      struct lang_stack *ret)
{
	int frames = (ret->kind == LANG_PERL ? perl_frames : ruby_frames)(
		&r->functions, p ? &p->is : NULL, p ? p->number : 0, word, nr, r->frame);

	if (frames < 0)
		return frames;
	ret->nr = (size_t)frames;
	return 1;
}

/* Names the frames of the BEAM: those of its pairs that are proven to be frames. */
static int name_proven(struct lang_reader *r, const struct known_process *p, const u64 *word, size_t nr,
		       struct lang_stack *ret)
{
	int err = beam_frames(&r->functions, &p->is, p->number, word, nr, ret, r->frame);

	return err ? err : 1;
}

static int name_stack(struct lang_reader *r, u32 tgid, const u64 *word, size_t nr,
		      struct lang_stack *ret)
{
	u64 head = word[2 * nr];
	struct known_process *p = find(r, tgid, word[2 * nr + 1], head & LANG_POINTER);
	int err = 0;
	size_t i;

	*ret = (struct lang_stack){
		.kind = nr ? (enum lang_kind)(word[0] >> LANG_KIND_SHIFT) : LANG_NONE,
		.fate = (enum lang_fate)(head >> LANG_FLAGS_SHIFT & 15), .frame = r->frame, .nr = nr,
	};
	if (p && p->is.kind == LANG_NONE)
		p = NULL;
	if (p)
		take_ranges(r, p, ret);
	if (ret->kind == LANG_PERL || ret->kind == LANG_RUBY)
		return name_pairs(r, p, word, nr, ret);
	if (!p) {
		name_nothing(word, nr, r->frame);
		return 1;
	}
	if (ret->kind == LANG_BEAM && nr)
		return name_proven(r, p, word, nr, ret);
	for (i = 0; i < nr && !err; i++)
		err = name_frame(r, p, word[2 * i], word[2 * i + 1], &r->frame[i]);
	if (p->is.kind == LANG_PHP && !err)
		name_main(ret, r->frame);
	return err ? err : 1;
}

int lang_reader_stack(struct lang_reader *r, uint32_t tgid, const uint64_t *word, size_t nr,
		      struct lang_stack *ret)
{
	int named;

	if (!nr)
		return 0;
	if (nr % 2 || nr > LANG_SLOTS || word[nr - 2] >> LANG_KIND_SHIFT != LANG_HEAD)
		return -EPROTO;
	pthread_mutex_lock(&r->lock);
	named = name_stack(r, tgid, (const u64 *)word, nr / 2 - 1, ret);
	pthread_mutex_unlock(&r->lock);
	return named;
}

void lang_reader_trim(struct lang_reader *r)
{
	u32 i;

	pthread_mutex_lock(&r->lock);
	r->window++;
	for (i = r->nr; i--;)
		if (r->process[i].used + KEEP_WINDOWS < r->window &&
		    kill((pid_t)r->process[i].tgid, 0) && errno == ESRCH)
			drop(r, i);
	if (lang_functions_full(&r->functions) && lang_functions_clear(&r->functions))
		r->functions.strings.nr = 0;
	pthread_mutex_unlock(&r->lock);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a counted stack to a sample of the profile: the frames of the thread, of its language and
 * of the kernel become one stack of locations, with values and labels.
 */
#include "capture/record/names_private.h"

#include <errno.h>

#include "profile/whole.h"
#include "capture/record/labels.h"

/* A frame of a language comes with its name: it could not be found later. */
static uint32_t lang_location(struct record_names *n, enum lang_kind kind,
			      const struct lang_frame *f)
{
	const char *image = kind == LANG_PHP  ? PROFILE_FILE_PHP :
			    kind == LANG_RUBY ? PROFILE_FILE_RUBY :
			    kind == LANG_PERL ? PROFILE_FILE_PERL :
			    kind == LANG_BEAM ? PROFILE_FILE_BEAM :
						PROFILE_FILE_CPYTHON;
	const struct profile_mapping m = { .file = profile_string(n->p, image) };
	struct profile_function function = {
		.name = profile_string(n->p, f->name), .file = profile_string(n->p, f->file),
		.start_line = f->start_line,
	};
	struct profile_line line;

	function.system_name = function.name;
	line = (struct profile_line){ profile_function(n->p, &function), f->line };
	return profile_location_named(n->p, profile_mapping(n->p, &m), 0, &line, 1);
}

/*
 * With -X perf CPython makes a piece of code for each Python function. It calls
 * the interpreter's function, so it is a part of the interpreter. Other code
 * made at run time calls the interpreter through C functions.
 */
static bool is_trampoline(struct record_names *n, const struct sampler_count *c,
			  const struct lang_step *step)
{
	struct process_place at;

	return step->caller &&
	       processes_find(n->processes, c->tgid, c->epoch,
			      record_call_address(c->user, step->index), &at) > 0 &&
	       !record_is_in_file(n, c->tgid, at.file);
}

/* Return: 1; 0 if the frame is left out; -ENOMEM. */
static int step_location(struct record_names *n, const struct sampler_count *c,
			 const struct lang_step *step, uint32_t *ret)
{
	int err;

	if (step->lang) {
		*ret = lang_location(n, c->lang->kind, &c->lang->frame[step->index]);
		return 1;
	}
	/* a walk by frame pointers may have found any value, even 0 */
	if (!c->user[step->index] || is_trampoline(n, c, step))
		return 0;
	err = record_user_location(n, c, record_call_address(c->user, step->index), ret);
	return err ? err : 1;
}

static int stack_of(struct record_names *n, const struct sampler_count *c, uint32_t *ret)
{
	struct lang_merged *m = &n->merged;
	uint32_t location = 0, stack = 0;
	size_t i;
	int found;

	record_lang_merge(c, !profile_stack_is_short(record_outcome(c->why)), n->options.native, m);
	for (i = m->nr; i--;) {
		found = step_location(n, c, &m->step[i], &location);
		if (found < 0)
			return found;
		if (found)
			stack = profile_stack(n->p, stack, location);
	}
	for (i = c->nr_kernel; i--;)
		stack = profile_stack(n->p, stack,
				      record_kernel_location(n, record_call_address(c->kernel, i)));
	*ret = stack;
	return 0;
}

int record_expire(struct record_names *n, uint64_t before)
{
	record_imagemaps_update(&n->imagemaps, n->processes, record_image_of);
	return processes_expire(n->processes, before);
}

void record_imagemaps(struct record_names *n)
{
	record_imagemaps_update(&n->imagemaps, n->processes, record_image_of);
	record_imagemaps_write(&n->imagemaps, n->p);
}

int record_take(struct record_names *n, const struct record_event *e,
		const struct sampler_count *c)
{
	const struct otel_labels *context = NULL;
	int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t stack;
	int err;

	/*
	 * now, because perf-PID.map can be opened only while the process runs
	 */
	jit_process(n->jit, c->tgid);
	if (!n->options.past)
		record_imagemaps_see(&n->imagemaps, c->tgid, c->epoch);
	err = stack_of(n, c, &stack);
	if (err)
		return err;
	value[e->samples] += (int64_t)c->count;
	if (e->weight != e->samples)
		value[e->weight] += (int64_t)c->sum;
	if (n->contexts)
		context = otel_processes_labels(n->contexts, c->tgid, c->epoch);
	profile_add(n->p, stack,
		    record_labels(n->p, n->processes, n->cgroups, e, c, n->merged.said, context,
				  n->clock), value);
	return n->no_memory ? -ENOMEM : profile_error(n->p);
}

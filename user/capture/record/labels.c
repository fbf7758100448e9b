// SPDX-License-Identifier: GPL-2.0-only
/*
 * The labels of a sample: process, thread, cgroup, why its stack ended, and so
 * on. See labels.h; resolve_stack.c and session.c use it.
 */
#include "capture/record/labels.h"

#include <ctype.h>

#include "core.h"

#include "util/poison.h"

const char *record_outcome(uint8_t why)
{
	static const char *const names[] = {
#define USTACK_REASON(number, name, sentence) [number] = #name,
#include "reason.def"
#undef USTACK_REASON
	};
	static __thread char lower[32];
	size_t i;

	switch (why) {
	case USTACK_COMPLETE:
		return PROFILE_STACK_COMPLETE;
	case SAMPLER_WHY_NO_USER:
		return PROFILE_STACK_KERNEL;
	case SAMPLER_WHY_NOT_ASKED:
	case SAMPLER_WHY_NO_MODULE:
		return "frame_pointers";
	case SAMPLER_WHY_GUESSED:
		return PROFILE_STACK_GUESSED;
	case SAMPLER_WHY_COPY_END:
		return "copy_end";
	case SAMPLER_WHY_FOREIGN:
		return "foreign_abi";
	}
	if (why >= sizeof(names) / sizeof(names[0]) || !names[why])
		return "unknown";
	for (i = 0; names[why][i] && i < sizeof(lower) - 1; i++)
		lower[i] = (char)tolower((unsigned char)names[why][i]);
	lower[i] = '\0';
	return lower;
}

struct labels {
	struct profile_label label[9 + OTEL_MAX];
	uint32_t nr;
};

static void add_text(struct profile *p, struct labels *l, const char *key,
		     const char *text)
{
	if (text && text[0])
		l->label[l->nr++] = (struct profile_label){
			.key = profile_string(p, key), .str = profile_string(p, text),
		};
}

static void add_number(struct profile *p, struct labels *l, const char *key,
		       uint32_t number)
{
	if (number)
		l->label[l->nr++] = (struct profile_label){
			.key = profile_string(p, key), .num = number,
		};
}

uint32_t record_labels(struct profile *p, struct processes *processes, struct cgroups *cgroups,
		       const struct record_event *e, const struct sampler_count *c,
		       const char *language, const struct otel_labels *context, uint64_t clock)
{
	struct labels l = { .nr = 0 };
	const char *command;
	size_t i;

	add_number(p, &l, PROFILE_LABEL_PID, c->tgid);
	add_number(p, &l, PROFILE_LABEL_TID, c->tid);
	add_text(p, &l, PROFILE_LABEL_THREAD, c->comm);
	/* a kernel thread is a process of its own, named as the thread */
	command = processes_command(processes, c->tgid, c->epoch);
	add_text(p, &l, PROFILE_LABEL_COMMAND, command ? command : c->comm);
	add_text(p, &l, PROFILE_LABEL_CGROUP,
		 c->cgroup ? cgroups_path(cgroups, c->cgroup) : NULL);
	add_text(p, &l, PROFILE_LABEL_STACK, record_outcome(c->why));
	add_text(p, &l, PROFILE_LABEL_LANGUAGE, language);
	add_text(p, &l, PROFILE_LABEL_EVENT, e->label);
	for (i = 0; context && i < context->nr; i++)
		add_text(p, &l, context->label[i].name, context->label[i].value);
	if (c->time)
		l.label[l.nr++] = (struct profile_label){
			.key = profile_string(p, PROFILE_LABEL_TIME),
			.num = (int64_t)(c->time + clock), .unit = profile_string(p, "nanoseconds"),
		};
	return profile_labels(p, l.label, l.nr);
}

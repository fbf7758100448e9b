// SPDX-License-Identifier: GPL-2.0
#include "report/select.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/poison.h"

static bool label_is(const struct profile *p, uint32_t labels, const char *key,
		     const char *want)
{
	const char *got;

	if (!want)
		return true;
	got = profile_label_text(p, labels, key);
	return got && !strcmp(got, want);
}

static bool pid_is(const struct profile *p, uint32_t labels, const char *want)
{
	const struct profile_labels *set = &p->labels[labels];
	char text[24];
	uint32_t i;

	if (!want)
		return true;
	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (l->str || strcmp(profile_text(p, l->key), PROFILE_LABEL_PID))
			continue;
		snprintf(text, sizeof(text), "%" PRId64, l->num);
		return !strcmp(text, want);
	}
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool location_has(const struct profile *p, const struct profile_location *l,
			 const struct report_select *s)
{
	uint32_t i;

	if (s->image &&
	    strcmp(base_name(profile_text(p, p->mappings[l->mapping].file)), s->image))
		return false;
	for (i = 0; s->function && i < l->nr_lines; i++)
		if (!strcmp(profile_text(p, p->functions[p->lines[l->first_line + i].function]
						    .name), s->function))
			return true;
	return !s->function;
}

bool report_selects(const struct profile *p, const struct profile_sample *s, void *arg)
{
	const struct report_select *want = arg;
	uint32_t stack;

	if (!label_is(p, s->labels, PROFILE_LABEL_COMMAND, want->command) ||
	    !label_is(p, s->labels, PROFILE_LABEL_THREAD, want->thread) ||
	    !pid_is(p, s->labels, want->pid))
		return false;
	if (!want->image && !want->function)
		return true;
	for (stack = s->stack; stack; stack = p->stacks[stack].parent)
		if (location_has(p, &p->locations[p->stacks[stack].location], want))
			return true;
	return false;
}

int report_value_type(const struct profile *p, const char *name, const char *file,
		      uint32_t *ret, struct diag *diag)
{
	const char *want = name ? name : profile_text(p, p->default_type);
	char all[160] = "";
	size_t len = 0;
	uint32_t i;

	if (!p->nr_value_types)
		return diag_set(diag, ENODATA, file, "the profile has no values");
	*ret = p->nr_value_types - 1;
	for (i = 0; i < p->nr_value_types; i++) {
		const char *type = profile_text(p, p->value_types[i].type);

		if (!strcmp(type, want)) {
			*ret = i;
			return 0;
		}
		if (len < sizeof(all))
			len += (size_t)snprintf(all + len, sizeof(all) - len, " %s", type);
	}
	if (!name)
		return 0;
	return diag_set(diag, ENOENT, file, "there are no values '%s' but%s", name, all);
}

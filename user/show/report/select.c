// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selects samples by labels, files and functions, and finds value types by
 * name. See select.h.
 */
#include "show/report/select.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

bool report_listed(const char *list, const char *text)
{
	size_t len = strlen(text), item;

	if (!strcmp(list, text))
		return true;
	for (;; list += item + 1) {
		item = strcspn(list, ",");
		if (item == len && !memcmp(list, text, len))
			return true;
		if (!list[item])
			return false;
	}
}

static const char *name_of(const struct profile *p, const struct profile_function *f)
{
	return profile_text(p, f->name ? f->name : f->system_name);
}

static bool has_name(const struct profile *p, const char *list)
{
	uint32_t i;

	for (i = 0; p && i < p->nr_functions; i++)
		if (report_listed(list, name_of(p, &p->functions[i])))
			return true;
	return false;
}

void report_select_look(struct report_select *s, const struct profile *const p[2])
{
	s->parts = s->function && !has_name(p[0], s->function) && !has_name(p[1], s->function);
}

/* Return: whether a name contains an item of a list, or the whole list. */
static bool has_part(const char *list, const char *name)
{
	char part[256];
	size_t len;

	if (strcasestr(name, list))
		return true;
	for (; *list; list += len + !!list[len]) {
		len = strcspn(list, ",");
		if (!len || len >= sizeof(part))
			continue;
		memcpy(part, list, len);
		part[len] = '\0';
		if (strcasestr(name, part))
			return true;
	}
	return false;
}

static bool label_is(const struct profile *p, uint32_t labels, const char *key,
		     const char *want)
{
	const char *got;

	if (!want)
		return true;
	got = profile_label_text(p, labels, key);
	return got && report_listed(want, got);
}

static bool number_is(const struct profile *p, uint32_t labels, const char *key,
		      const char *want)
{
	const struct profile_labels *set = &p->labels[labels];
	char text[24];
	uint32_t i;

	if (!want)
		return true;
	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (l->str || strcmp(profile_text(p, l->key), key))
			continue;
		snprintf(text, sizeof(text), "%" PRId64, l->num);
		return report_listed(want, text);
	}
	return false;
}

static bool location_has(const struct profile *p, const struct profile_location *l,
			 const struct report_select *s)
{
	const char *file = profile_text(p, p->mappings[l->mapping].file);
	const char *name;
	uint32_t i;

	if (s->image && !report_listed(s->image, text_base_name(file)))
		return false;
	for (i = 0; s->function && i < l->nr_lines; i++) {
		name = name_of(p, &p->functions[p->lines[l->first_line + i].function]);
		if (s->parts ? has_part(s->function, name) : report_listed(s->function, name))
			return true;
	}
	return !s->function;
}

bool report_selects(const struct profile *p, const struct profile_sample *s, void *arg)
{
	const struct report_select *want = arg;
	uint32_t stack;

	if (!label_is(p, s->labels, PROFILE_LABEL_COMMAND, want->command) ||
	    !label_is(p, s->labels, PROFILE_LABEL_THREAD, want->thread) ||
	    !number_is(p, s->labels, PROFILE_LABEL_PID, want->pid) ||
	    !number_is(p, s->labels, PROFILE_LABEL_TID, want->tid))
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
	char all[160] = "", safe[64];
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
			len += (size_t)snprintf(all + len, sizeof(all) - len, "%s %s", len ? "," : "",
						screen_text(type, safe, sizeof(safe)));
	}
	if (!name)
		return 0;
	return diag_set(diag, ENOENT, file, "there are no values '%.60s'; it has%s",
			screen_text(name, safe, sizeof(safe)), all);
}

int report_same_values(const struct profile *p, const struct profile_value_type *type,
		       const struct profile *other, const char *file, uint32_t *ret,
		       struct diag *diag)
{
	const char *name = profile_text(other, type->type);
	const char *unit = profile_text(other, type->unit), *here;
	char safe[64], safe_unit[64], safe_here[64];
	int err = report_value_type(p, name, file, ret, diag);

	if (err)
		return err;
	here = profile_text(p, p->value_types[*ret].unit);
	if (!strcmp(here, unit))
		return 0;
	return diag_set(diag, EINVAL, file, "its values '%.60s' are in '%.60s', the other's in '%.60s'",
			screen_text(name, safe, sizeof(safe)),
			screen_text(here, safe_here, sizeof(safe_here)),
			screen_text(unit, safe_unit, sizeof(safe_unit)));
}

bool report_count_type(const struct profile *p, uint32_t *ret)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), "samples") &&
		    !strcmp(profile_text(p, p->value_types[i].unit), "count")) {
			*ret = i;
			return true;
		}
	return false;
}

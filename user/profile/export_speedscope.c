// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes speedscope's own format: a list of frames, and stacks as lists of
 * their numbers. See export.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export_text.h"
#include "util/json.h"

#include "util/poison.h"

static void put_frames(struct json *j, const struct calltree *t)
{
	uint32_t i;

	json_object(j, "shared");
	json_array(j, "frames");
	for (i = 0; i < t->nr_symbols; i++) {
		const struct calltree_symbol *s = &t->symbols[i];

		json_object(j, NULL);
		json_string(j, "name", s->name);
		if (*s->file)
			json_string(j, "file", s->file);
		else if (*s->image)
			json_string(j, "file", s->image);
		json_object_end(j);
	}
	json_array_end(j);
	json_object_end(j);
}

static int put_samples(struct json *j, const struct calltree *t)
{
	struct export_path path = { 0 };
	uint32_t i;
	size_t k;
	int err = 0;

	json_array(j, "samples");
	for (i = 0; !err && i < t->nr_nodes && !ferror(j->out); i++) {
		if (!t->nodes[i].self[0])
			continue;
		if (!export_path_to(&path, t, i)) {
			err = -ENOMEM;
			break;
		}
		json_array(j, NULL);
		for (k = 0; k < path.nr; k++)
			json_u64(j, NULL, t->nodes[path.nodes[k]].symbol);
		json_array_end(j);
	}
	json_array_end(j);
	free(path.nodes);
	return err;
}

static void put_weights(struct json *j, const struct calltree *t)
{
	uint32_t i;

	json_array(j, "weights");
	for (i = 0; i < t->nr_nodes; i++)
		if (t->nodes[i].self[0])
			json_u64(j, NULL, (uint64_t)t->nodes[i].self[0]);
	json_array_end(j);
}

/*
 * Return: a unit that speedscope knows; "none" for others, which it shows as
 * numbers.
 */
static const char *unit_of(const char *unit)
{
	static const char *const known[] = { "nanoseconds", "microseconds", "milliseconds",
					     "seconds", "bytes" };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(unit, known[i]))
			return unit;
	return "none";
}

int export_speedscope(const struct profile *p, const struct calltree *t,
		      const struct export_options *o, FILE *out)
{
	const struct profile_value_type *v = &p->value_types[o->value];
	struct json j;
	int err;

	json_init(&j, out);
	json_object(&j, NULL);
	json_string(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(&j, "exporter", "ustack");
	put_frames(&j, t);
	json_array(&j, "profiles");
	json_object(&j, NULL);
	json_string(&j, "type", "sampled");
	json_string(&j, "name", profile_text(p, v->type));
	json_string(&j, "unit", unit_of(profile_text(p, v->unit)));
	json_u64(&j, "startValue", 0);
	json_u64(&j, "endValue", (uint64_t)t->nodes[0].total[0]);
	err = put_samples(&j, t);
	put_weights(&j, t);
	json_object_end(&j);
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
	return err;
}

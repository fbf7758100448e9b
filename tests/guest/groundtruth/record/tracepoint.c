// SPDX-License-Identifier: GPL-2.0-only
/* Reads the format file of the module's tracepoint (tracepoint.h). */
#include <stdio.h>
#include <string.h>

#include "tracepoint.h"

#define EVENT "events/ustack/ustack_stop/"

static FILE *open_at(const char *name)
{
	static const char *const roots[] = {
		"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/",
	};
	char path[128];
	unsigned int i;
	FILE *f = NULL;

	for (i = 0; i < 2 && !f; i++) {
		snprintf(path, sizeof(path), "%s" EVENT "%s", roots[i], name);
		f = fopen(path, "re");
	}
	return f;
}

/* "	field:unsigned int reason;	offset:12;	size:4;	signed:0;" */
static void take_field(struct tracepoint *tp, char *line)
{
	const struct {
		const char *name;
		struct tp_field *field;
	} fields[] = {
		{ "pid", &tp->pid }, { "reason", &tp->reason },
		{ "frames", &tp->frames }, { "pc", &tp->pc }, { "sp", &tp->sp },
	};
	char *at = strstr(line, "offset:"), *end = strchr(line, ';'), *name;
	struct tp_field f;
	unsigned int i;

	if (!strstr(line, "field:") || !at || !end ||
	    sscanf(at, "offset:%u; size:%u", &f.offset, &f.size) != 2)
		return;
	*end = '\0';
	name = strrchr(line, ' ');
	for (i = 0; name && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!strcmp(name + 1, fields[i].name))
			*fields[i].field = f;
}

void tracepoint_find(struct tracepoint *tp)
{
	char line[256];
	FILE *f;

	memset(tp, 0, sizeof(*tp));
	tp->id = -1;
	f = open_at("format");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		take_field(tp, line);
	fclose(f);
	f = open_at("id");
	if (!f)
		return;
	if (!tp->reason.size || fscanf(f, "%d", &tp->id) != 1)
		tp->id = -1;
	fclose(f);
}

uint64_t tracepoint_get(const struct tp_field *f, const void *raw, unsigned int len)
{
	uint64_t v = 0;

	if (f->size <= sizeof(v) && f->offset <= len && f->size <= len - f->offset)
		memcpy(&v, (const char *)raw + f->offset, f->size);
	return v;
}

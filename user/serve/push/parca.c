// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol of Parca: ProfileStoreService.WriteRaw through its gateway, JSON over HTTP/1.1,
 * which every proxy passes. Each part is a series with a pprof file. Labels of samples stay in
 * the file: Parca makes columns of them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "serve/push/answer.h"
#include "serve/push/peer.h"

#include "util/poison.h"

#define MAX_SAMPLES 200000u

static void put_label(struct buffer *b, const char *name, const char *value)
{
	char label[PUSH_LABEL_BYTES];

	if (!*value)
		return;
	if (b->at[b->len - 1] == '}')
		buffer_text(b, ",");
	buffer_text(b, "{\"name\":");
	push_put_json(b, push_label_name(name, label, sizeof(label)));
	buffer_text(b, ",\"value\":");
	push_put_json(b, value);
	buffer_text(b, "}");
}

/* Return: the name of a window's series. Parca shows "process_cpu" as time on the CPU. */
static const char *name_of(const struct profile *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), "cpu"))
			return "process_cpu";
	return "ustack";
}

/*
 * Return: whether label @i of the machine may be a label of the series: its name is not reserved,
 * and no earlier label has become the same name.
 */
static bool is_usable(const struct push_machine_labels *m, uint32_t i)
{
	char a[PUSH_LABEL_BYTES], b[PUSH_LABEL_BYTES];
	uint32_t k;

	push_label_name(m->name[i], a, sizeof(a));
	for (k = 0; k < i; k++)
		if (!strcmp(a, push_label_name(m->name[k], b, sizeof(b))))
			return false;
	return strcmp(a, "node") != 0 && strncmp(a, "__", 2) != 0;
}

static int add(struct push_body *body, const struct push_part *part, struct diag *diag)
{
	const struct push_machine_labels *m = part->machine;
	struct buffer *b = &body->bytes, file = { 0 };
	uint32_t i;
	int err;

	err = push_pprof(part, 0, &file, diag);
	if (!err) {
		buffer_text(b, body->parts++ ? "," : "{\"series\":[");
		buffer_text(b, "{\"labels\":{\"labels\":[");
		if (!b->failed)
			put_label(b, "__name__", name_of(part->window));
		if (!b->failed)
			put_label(b, "node", push_machine_label(m, PUSH_HOST));
		for (i = 0; i < m->nr && !b->failed; i++)
			if (is_usable(m, i))
				put_label(b, m->name[i], m->value[i]);
		buffer_text(b, "]},\"samples\":[{\"rawProfile\":\"");
		push_put_base64(b, file.at, file.len);
		buffer_text(b, "\"}]}");
	}
	buffer_release(&file);
	return err;
}

static int finish(struct push_body *body, struct diag *diag)
{
	/* "normalized": addresses are those of the files, see profile_location() */
	buffer_text(&body->bytes, "],\"normalized\":true}");
	snprintf(body->type, sizeof(body->type), "application/json");
	return body->bytes.failed ? diag_errno(diag, ENOMEM, NULL) : 0;
}

static uint64_t judge(struct push_answer *answer)
{
	push_judge_parca(answer);
	return 0;
}

const struct push_peer push_parca = {
	.path = "/api/profiles/writeraw",
	.ungrouped = true,
	.samples = MAX_SAMPLES,
	.add = add,
	.finish = finish,
	.judge = judge,
};

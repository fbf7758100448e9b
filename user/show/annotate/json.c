// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_json() of text.h: a function with all its instructions, sorted by
 * address.
 */
#include "show/annotate/text.h"
#include "util/json.h"

#include "util/poison.h"

static void put_frames(const struct annotate_function *f, const struct annotate_insn *insn,
		       struct json *j)
{
	uint32_t i;

	json_array(j, "frames");
	for (i = 0; i < insn->nr_frames; i++) {
		const struct annotate_frame *at = &f->frames[insn->first_frame + i];

		json_object(j, NULL);
		json_string(j, "function", at->function);
		if (*at->file)
			json_string(j, "file", at->file);
		if (at->line)
			json_u64(j, "line", at->line);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_insn(const struct annotate_function *f, const struct annotate_insn *insn,
		     struct json *j)
{
	json_object(j, NULL);
	json_u64(j, "address", insn->address);
	json_u64(j, "size", insn->size);
	json_string(j, "instruction", insn->text);
	json_i64(j, "self", insn->sum.value);
	json_i64(j, "samples", insn->sum.samples);
	put_frames(f, insn, j);
	json_object_end(j);
}

void annotate_json(const struct annotate_function *f, const char *words, struct json *j)
{
	size_t i;

	json_object(j, NULL);
	json_string(j, "function", f->name);
	json_string(j, "image", f->path);
	if (*f->build_id)
		json_string(j, "build_id", f->build_id);
	json_bool(j, "inlined", f->inlined);
	json_u64(j, "start", f->start);
	json_u64(j, "size", f->size);
	json_i64(j, "self", f->sum.value);
	json_i64(j, "samples", f->sum.samples);
	if (words)
		json_string(j, "reason", words);
	json_array(j, "instructions");
	for (i = 0; !words && i < f->nr_insns; i++)
		put_insn(f, &f->insns[i], j);
	json_array_end(j);
	json_object_end(j);
}

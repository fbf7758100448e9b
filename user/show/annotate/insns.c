// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_code() of annotate.h: lists a function's instructions, with the
 * lines and samples of each.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/code.h"
#include "show/annotate/objdump.h"
#include "show/annotate/private.h"
#include "symbols/symstore/lines.h"
#include "util/array.h"
#include "util/sum.h"

#include "util/poison.h"

/* Size of an instruction's text together with a name. */
#define INSN_TEXT 1024u

struct listing {
	struct annotate_own *own;
	struct annotate_function *f;
};

/*
 * Writes "1140 <work+0x18>" for an address in a function. Return: bytes, 0 if
 * no name is known.
 */
static size_t put_name(struct annotate_own *own, struct symstore_image *image, uint64_t address,
		       char *text, size_t room)
{
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	const struct gsym_frame *concrete;
	const char *name;
	int n = symstore_lookup(image, address, frames, GSYM_MAX_FRAMES);

	if (n <= 0 || n > (int)GSYM_MAX_FRAMES)
		return 0;
	concrete = &frames[n - 1];
	name = annotate_name(own, image, concrete->function, concrete->file);
	n = concrete->offset ? snprintf(text, room, "%" PRIx64 " <%s+0x%" PRIx64 ">", address, name,
					concrete->offset) :
			       snprintf(text, room, "%" PRIx64 " <%s>", address, name);
	return n > 0 && (size_t)n < room ? (size_t)n : 0;
}

/*
 * Return: text of an instruction, with the name of an address that it refers
 * to.
 */
static const char *insn_text(struct annotate_own *own, struct symstore_image *image,
			     const struct objdump_line *line)
{
	char text[INSN_TEXT];
	size_t at, end, n;
	uint64_t address;

	if (!objdump_reference(line->text, line->len, &at, &end, &address))
		return annotate_text(own, line->text, line->len);
	n = put_name(own, image, address, text + at, sizeof(text) - line->len);
	if (!n)
		return annotate_text(own, line->text, line->len);
	memcpy(text, line->text, at);
	memcpy(text + at + n, line->text + end, line->len - end);
	return annotate_text(own, text, at + n + line->len - end);
}

static bool add_frame(struct listing *l, const char *function, const char *file, uint32_t line)
{
	struct annotate_function *f = l->f;
	struct annotate_frame frame = {
		.function = annotate_text(l->own, function, strlen(function)),
		.file = annotate_text(l->own, file, strlen(file)), .line = line,
	};

	if (!frame.function || !frame.file || f->nr_frames == UINT32_MAX ||
	    !array_has_room(f->frames, f->nr_frames, f->frames_room))
		return false;
	f->frames[f->nr_frames++] = frame;
	return true;
}

/*
 * Adds the frames of an instruction. Return: 0, with at least one frame;
 * -ENOMEM.
 */
static int add_frames(struct listing *l, struct annotate_insn *insn)
{
	struct symstore_image *image = l->f->image;
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	char path[SYMSTORE_PATH];
	int n = symstore_lookup(image, insn->address, frames, GSYM_MAX_FRAMES), i;

	insn->first_frame = (uint32_t)l->f->nr_frames;
	if (n > (int)GSYM_MAX_FRAMES)
		n = GSYM_MAX_FRAMES;
	for (i = 0; i < n; i++)
		if (!add_frame(l, annotate_name(l->own, image, frames[i].function, frames[i].file),
			       symstore_frame_path(&frames[i], path), frames[i].line))
			return -ENOMEM;
	if (n <= 0 && !add_frame(l, l->f->name, "", 0))
		return -ENOMEM;
	insn->nr_frames = (uint32_t)l->f->nr_frames - insn->first_frame;
	return 0;
}

static int take_insn(const struct objdump_line *line, void *arg)
{
	struct listing *l = arg;
	struct annotate_function *f = l->f;
	struct annotate_insn insn = {
		.address = line->address, .text = insn_text(l->own, f->image, line),
	};

	if (!insn.text || !array_has_room(f->insns, f->nr_insns, f->insns_room))
		return -ENOMEM;
	if (f->nr_insns)
		f->insns[f->nr_insns - 1].size = insn.address - f->insns[f->nr_insns - 1].address;
	f->insns[f->nr_insns++] = insn;
	return add_frames(l, &f->insns[f->nr_insns - 1]);
}

/* Keeps the instructions of the inlined copies, and those with samples. */
static void keep_inlined(const struct annotate_own *own, struct annotate_function *f)
{
	size_t i, kept = 0;
	uint32_t k;

	for (i = 0; i < f->nr_insns; i++) {
		const struct annotate_insn *insn = &f->insns[i];

		for (k = 0; k + 1 < insn->nr_frames; k++)
			if (annotate_is_asked(own->options, f->frames[insn->first_frame + k].function))
				break;
		if (k + 1 < insn->nr_frames || insn->sum.value || insn->sum.samples)
			f->insns[kept++] = *insn;
	}
	f->nr_insns = kept;
}

static void count_samples(struct annotate_function *f)
{
	size_t i, at = 0;

	for (i = 0; i < f->nr_addresses; i++) {
		const struct annotate_address *a = &f->addresses[i];

		while (at + 1 < f->nr_insns && f->insns[at + 1].address <= a->address)
			at++;
		f->insns[at].sum.value = sum_i64(f->insns[at].sum.value, a->sum.value);
		f->insns[at].sum.samples = sum_i64(f->insns[at].sum.samples, a->sum.samples);
	}
}

/* A file without a build id must be older than the profile. */
static int check_age(const struct annotate_own *own, const struct annotate_function *f,
		     const struct code *code, struct diag *diag)
{
	const struct profile *p = own->p;

	if (!f->unproven || !p->time_ns || code->changed_ns <= p->time_ns)
		return 0;
	return diag_set(diag, ESTALE, f->path, "was changed after the profile was recorded, and has "
			"no build id to prove that it is the same file");
}

/*
 * Reports that the start of the function is not known: there is no file, or no
 * name in it.
 */
static int say_unknown(const struct annotate_own *own, const struct annotate_function *f,
		       const struct symstore_key *key, struct diag *diag)
{
	struct code code;
	int err;

	if (*f->why)
		return diag_set(diag, ENODATA, f->path, "%s: %s", f->name, f->why);
	err = code_read(key, own->options->file_dirs, f->start, 1, &code, diag);
	if (err)
		return err;
	free(code.bytes);
	return diag_set(diag, ENODATA, f->path, "nothing says which function 0x%" PRIx64 " is in: %s",
			f->start, f->image ? symstore_reason(f->image) : "");
}

static int list(struct annotate_own *own, struct annotate_function *f, const struct code *code,
		struct diag *diag)
{
	const struct objdump_request q = {
		.program = own->options->objdump, .intel = own->options->intel, .arch = code->arch,
		.code = code->bytes, .len = code->len, .address = f->start,
	};
	struct listing l = { own, f };
	int err = check_age(own, f, code, diag);

	if (!err)
		err = objdump_run(&q, take_insn, &l, diag);
	if (err)
		return err;
	if (!f->nr_insns)
		return diag_set(diag, EBADMSG, f->path, "objdump finds no instruction in %s", f->name);
	f->size = code->len;
	f->changed_ns = code->changed_ns;
	f->insns[f->nr_insns - 1].size = f->start + f->size - f->insns[f->nr_insns - 1].address;
	count_samples(f);
	if (f->inlined)
		keep_inlined(own, f);
	return 0;
}

int annotate_code(struct annotate *a, struct annotate_function *f, struct diag *diag)
{
	struct annotate_own *own = a->own;
	struct code code = { .bytes = NULL };
	struct symstore_key key;
	int err;

	symstore_profile_key(own->p, f->mapping, &key);
	if (f->why)
		return say_unknown(own, f, &key, diag);
	err = code_read(&key, own->options->file_dirs, f->start, f->size, &code, diag);
	if (!err)
		err = list(own, f, &code, diag);
	free(code.bytes);
	return err;
}

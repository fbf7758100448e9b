// SPDX-License-Identifier: GPL-2.0-only
/*
 * Iterates over the slices of a Mach-O file, and prints entries of their compact unwinding as
 * text and JSON. Used by ustack macho convert, dump and lookup.
 */
#include "cmd/macho_slice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "util/poison.h"

int cmd_macho_open(const char *path, const char *want, struct cmd_macho *f, struct diag *diag)
{
	*f = (struct cmd_macho){ .arch = 0 };
	return macho_file_open(path, want, &f->file, diag);
}

void cmd_macho_release(struct cmd_macho *f)
{
	macho_file_release(&f->file);
}

int cmd_macho_next(struct cmd_macho *f, struct diag *diag)
{
	int found = macho_file_next(&f->file, &f->m, diag);

	if (found <= 0)
		return found;
	macho_arch_text(&f->m, f->name);
	if (!unwind_arch_of(f->m.cputype, &f->arch) || f->m.swap)
		return diag_set(diag, EINVAL, f->file.path, "no compact unwinding for %s", f->name);
	found = unwind_info_of(&f->m, &f->u, diag);
	return found ? found : 1;
}

int cmd_macho_nothing(const char *path, const char *want)
{
	fprintf(stderr, "ustack: %s: nothing of %s in it\n", path, want ? want : "it");
	return CMD_FAILED;
}

int cmd_macho_open_one(const char *path, const char *want, bool eh_frame, struct cmd_macho *f)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int found;

	if (cmd_macho_open(path, want, f, &diag))
		return cmd_diag(&diag);
	if (f->file.fat.nr > 1 && !want) {
		fprintf(stderr, "ustack: %s: of several processors: which --arch?\n", path);
		return CMD_FAILED;
	}
	found = cmd_macho_next(f, &diag);
	if (found < 0 && !(eh_frame && found == -ENOENT))
		return cmd_diag(&diag);
	return found ? CMD_RUN : cmd_macho_nothing(path, want);
}

bool cmd_macho_encoding(const struct cmd_macho *f, uint32_t encoding, char text[UNWIND_TEXT])
{
	struct unwind_rule r;
	struct diag d;

	if (unwind_decode(f->arch, encoding, &r, &d)) {
		snprintf(text, UNWIND_TEXT, "damaged: %s", d.text);
		return false;
	}
	unwind_rule_text(f->arch, &r, text, UNWIND_TEXT);
	return true;
}

/* Return: address of an entry's language-specific data; 0 if it should have some and has none. */
static uint64_t lsda_of(const struct cmd_macho *f, const struct unwind_entry *e)
{
	uint32_t off;

	return unwind_info_lsda(&f->u, e, &off, NULL) > 0 ? f->m.base + off : 0;
}

/* Return: address of the slot of an entry's personality; 0 if the file does not have that many. */
static uint64_t personality_of(const struct cmd_macho *f, const struct unwind_entry *e)
{
	unsigned int nr = unwind_personality(e->encoding);

	return nr <= f->u.nr_personalities ?
		       f->m.base + unwind_info_personality(&f->u, nr - 1) : 0;
}

bool cmd_macho_print_entry(const struct cmd_macho *f, const struct unwind_entry *e)
{
	char text[UNWIND_TEXT];
	bool ok = cmd_macho_encoding(f, e->encoding, text);
	uint64_t at;

	printf("0x%08" PRIx64 " 0x%08" PRIx64 " 0x%08" PRIx32 " %s", f->m.base + e->start,
	       f->m.base + e->end, e->encoding, text);
	if (e->encoding & UNWIND_NOT_START)
		printf(" not-start");
	if (unwind_personality(e->encoding)) {
		at = personality_of(f, e);
		ok &= at != 0;
		printf(" personality=0x%" PRIx64, at);
	}
	if (e->encoding & UNWIND_HAS_LSDA) {
		at = lsda_of(f, e);
		ok &= at != 0;
		printf(" lsda=0x%" PRIx64, at);
	}
	putchar('\n');
	return ok;
}

static void json_rule(const struct cmd_macho *f, const struct unwind_rule *r, struct json *j)
{
	unsigned int i;

	json_string(j, "kind", unwind_kind_name(r->kind));
	if (r->kind == UNWIND_IMMEDIATE || r->kind == UNWIND_FRAMELESS)
		json_u64(j, "size", r->size);
	if (r->kind == UNWIND_INDIRECT) {
		json_u64(j, "code", r->code);
		json_u64(j, "adjust", r->adjust);
	}
	if (r->kind == UNWIND_DWARF)
		json_u64(j, "fde", r->fde);
	if (r->unsure)
		json_bool(j, "unsure", true);
	json_object(j, "saved");
	for (i = 0; i < r->nr_saved; i++)
		json_i64(j, unwind_reg_name(f->arch, r->saved[i].reg), r->saved[i].off);
	json_object_end(j);
}

bool cmd_macho_json_entry(const struct cmd_macho *f, const struct unwind_entry *e,
			  struct json *j)
{
	struct unwind_rule r;
	bool ok = true;
	struct diag d;

	json_u64(j, "start", f->m.base + e->start);
	json_u64(j, "end", f->m.base + e->end);
	json_u64(j, "encoding", e->encoding);
	if (unwind_decode(f->arch, e->encoding, &r, &d)) {
		json_string(j, "damaged", d.text);
		ok = false;
	} else {
		json_rule(f, &r, j);
	}
	if (unwind_personality(e->encoding)) {
		json_u64(j, "personality", personality_of(f, e));
		ok &= personality_of(f, e) != 0;
	}
	if (e->encoding & UNWIND_HAS_LSDA) {
		json_u64(j, "lsda", lsda_of(f, e));
		ok &= lsda_of(f, e) != 0;
	}
	return ok;
}

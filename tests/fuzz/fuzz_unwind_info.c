// SPDX-License-Identifier: GPL-2.0-only
/*
 * Apple's compact unwinding: a section, or that of a Mach-O file. Entries are
 * in order, a lookup of an address finds the same as reading everything, and
 * steps go up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "darwin/unwind_decode.h"
#include "darwin/unwind_info.h"
#include "darwin/unwind_step.h"
#include "formats/macho/macho.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(uint32_t encoding)
{
	struct unwind_rule r;
	char text[UNWIND_TEXT];
	unsigned int i, arch;
	struct diag d;

	for (arch = UNWIND_X86; arch <= UNWIND_ARM64; arch++) {
		d.text[0] = '\0';
		if (unwind_decode(arch, encoding, &r, &d)) {
			must(d.text[0]);
			continue;
		}
		must(r.nr_saved <= UNWIND_MAX_SAVED);
		for (i = 0; i < r.nr_saved; i++)
			must(unwind_reg_name(arch, r.saved[i].reg) && r.saved[i].off < 0);
		unwind_rule_text(arch, &r, text, sizeof(text));
		must(strlen(text) < sizeof(text) - 1);
	}
}

static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	*ret = addr * 31;
	return addr & 0x10000;
}

static bool code(void *arg, uint32_t off, uint32_t *ret)
{
	*ret = off << 3;
	return !(off & 1);
}

/* Checks that a step that succeeds goes up, and one that fails changes nothing. */
static void step(const struct unwind_info *u, const struct unwind_entry *e)
{
	struct unwind_image image = { .u = u, .base = 0x1000, .word = word, .code = code };
	struct unwind_regs r, before;
	unsigned int arch;
	struct diag d;
	int err;

	for (arch = UNWIND_X86; arch <= UNWIND_ARM64; arch++) {
		r = (struct unwind_regs){ .pc = 0x1000 + (uint64_t)e->start + 1, .sp = 0x12340,
					  .has_lr = e->start & 4, .inner = e->start & 8 };
		r.reg[unwind_frame_reg(arch)] = 0x14560;
		r.known[unwind_frame_reg(arch)] = true;
		before = r;
		image.arch = arch;
		d.text[0] = '\0';
		err = unwind_step(&image, &r, &d);
		must(err <= 1 && (err >= 0 || d.text[0]));
		must(err > 0 ? r.sp >= before.sp : !memcmp(&r, &before, sizeof(r)));
	}
}

static void look_up(const struct unwind_info *u, const struct unwind_entry *e)
{
	struct unwind_entry f;
	struct diag d;
	int found;

	found = unwind_info_find(u, e->start, &f, &d);
	/* a page can begin late, and an index can descend elsewhere */
	if (found <= 0)
		return;
	must(f.start <= e->start && f.end > e->start);
}

static void look_at(const struct unwind_info *u)
{
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	uint32_t i, lsda, last = 0;
	uint64_t n = 0;
	struct diag d;
	int found;

	for (i = 0; i < u->nr_common; i++)
		decode(unwind_info_common(u, i));
	for (i = 0; i < u->nr_personalities; i++)
		unwind_info_personality(u, i);
	while ((found = unwind_info_next(u, &it, &e, &d)) > 0) {
		must(e.start <= e.end && e.start >= last && e.at < u->len);
		must(e.index < u->nr_index - 1);
		must(++n <= u->len / 4);
		last = e.start;
		decode(e.encoding);
		must(unwind_info_lsda(u, &e, &lsda, &d) <= 1);
		look_up(u, &e);
		step(u, &e);
	}
	must(!found || (found == -EBADMSG && d.text[0] && d.offset < u->len + u->file_off));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + !size);
	struct diag d = { 0 };
	struct unwind_info u;
	struct macho m;
	int err;

	memcpy(copy, data, size);
	if (macho_identify(copy, size) == MACHO_NONE)
		err = unwind_info_open(copy, size, 0, "fuzz", &u, &d);
	else if (!macho_open(copy, size, 0, "fuzz", &m, &d))
		err = unwind_info_of(&m, &u, &d);
	else
		err = -EBADMSG;
	must(!err || d.text[0]);
	if (!err)
		look_at(&u);
	free(copy);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Makes the core's table of a Mach-O file: converts, encodes, verifies. process.c calls it. */
#include "darwin/table.h"

#include <errno.h>
#include <stdlib.h>

#include "darwin/convert.h"
#include "sframe/section.h"
#include "util/cleanup.h"

const struct ustack_table *macho_table_get(const struct sframe_section *s)
{
	return s->table;
}

void macho_table_free(struct sframe_section *s)
{
	if (s)
		sframe_section_release(s);
	free(s);
}

/* Verifies and compiles the section. The table does not need the section's bytes. */
static int prove(const char *path, const struct macho_rules *r, const struct sframe_encoded *e,
		 struct sframe_section **ret, struct diag *diag)
{
	const struct ustack_elf elf = { .arch = r->arch, .text = { r->text }, .nr_text = 1 };
	struct sframe_section *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return diag_errno(diag, ENOMEM, path);
	sframe_section_borrow(s, path, &elf, e->bytes, e->len, r->vaddr);
	err = sframe_section_prove(s, diag);
	if (err)
		macho_table_free(s);
	else
		*ret = s;
	return err;
}

int macho_table_new(const struct macho_image *image, struct eh_frame *eh,
		    struct sframe_section **ret, struct diag *diag)
{
	_cleanup_(macho_rules_release) struct macho_rules r = MACHO_RULES_INIT;
	_cleanup_(sframe_encoded_release) struct sframe_encoded e = SFRAME_ENCODED_INIT;
	int err;

	err = macho_convert(image, eh, &r, diag);
	if (!err && !r.nr_funcs)
		err = diag_set(diag, ENODATA, image->m.path, "none of its functions has rules");
	if (!err)
		err = macho_convert_encode(&r, 3, &e, diag);
	return err ? err : prove(image->m.path, &r, &e, ret, diag);
}

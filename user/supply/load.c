// SPDX-License-Identifier: GPL-2.0-only
/* Loads a section into the module and turns the module's errors into outcomes. */
#include "supply/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reason.h"
#include "supply/section.h"

bool supply_is_fatal(int err)
{
	return err == -EPERM || err == -EACCES || err == -ENOTTY ||
	       err == -ENODEV;
}

void supply_refused(int err, const struct diag *diag, struct supply_result *r)
{
	char text[sizeof(r->text)];

	diag_format(diag, text, sizeof(text));
	r->fatal = supply_is_fatal(err);
	if (diag->reason == USTACK_BUDGET || diag->reason == USTACK_NO_MEMORY ||
	    err == -ENOSPC || err == -ENOMEM)
		supply_outcome_set(r, SUPPLY_BUDGET, "%s", diag->text);
	else if (err == -EBADMSG)
		supply_outcome_set(r, SUPPLY_REFUSED, "%s", text);
	else if (err == -EEXIST)
		supply_outcome_set(r, SUPPLY_OWN, "%s", "");
	else
		supply_outcome_set(r, SUPPLY_FAILED, "%s", text);
}

void supply_load(const struct module *m, const struct supply_file *f, bool vdso,
		 const struct cache_entry *entry, struct supply_result *r)
{
	const struct module_section section = {
		.bytes = entry->bytes,
		.len = entry->len,
		.vaddr = entry->vaddr,
	};
	struct ustack_load load;
	struct diag diag;
	int err;

	if (!supply_file_unchanged(f)) {
		r->section_bytes = 0;
		supply_outcome_set(r, SUPPLY_REPLACED, "it changed meanwhile");
		return;
	}
	err = module_load(m, vdso ? NULL : f->path, vdso ? -1 : f->fd, &section,
			  &load, &diag);
	r->given = !err;
	if (!err)
		return;
	/* the caller's message begins with the path already */
	if (diag.file && !strcmp(diag.file, f->path))
		diag.file = NULL;
	r->section_bytes = 0;
	supply_refused(err, &diag, r);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads a file's section into the module. */
#ifndef USTACK_USER_SUPPLY_LOAD_H
#define USTACK_USER_SUPPLY_LOAD_H

#include <stdbool.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/locate.h"
#include "host/file/outcome.h"

/* Whether @err is not the fault of one file, so that the next file would meet it, too. */
bool supply_is_fatal(int err);

/* Sets the outcome after an error @err of the module, with the text of @diag. */
void supply_refused(int err, const struct diag *diag, struct supply_result *r);

/**
 * supply_load() - load a section into the module
 * @m: the module
 * @f: the file, which need not be mapped anywhere
 * @vdso: the file is a copy of the vDSO
 * @entry: the file's section
 * @r: changed if loading fails
 *
 * The module identifies the file at that moment. If it has changed since it was read, the
 * outcome is REPLACED, and it gets no table.
 */
void supply_load(const struct module *m, const struct supply_file *f, bool vdso,
		 const struct cache_entry *entry, struct supply_result *r);

#endif /* USTACK_USER_SUPPLY_LOAD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives the module the section of a file. */
#ifndef USTACK_USER_SUPPLY_GIVE_H
#define USTACK_USER_SUPPLY_GIVE_H

#include <stdbool.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/locate.h"
#include "host/file/outcome.h"

/* Is @err one that no file is to blame for: the next one would meet it too? */
bool supply_is_fatal(int err);

/* What the module has refused, with the words of @diag. */
void supply_refused(int err, const struct diag *diag, struct supply_result *r);

/**
 * supply_give() - load a section
 * @m: the module
 * @f: the file, which need not be mapped anywhere
 * @vdso: it is a copy of the vDSO
 * @entry: its section
 * @r: changed if it fails
 *
 * The module takes the file for what it is at that moment. One that is not what
 * was read is REPLACED, and gets no table.
 */
void supply_give(const struct module *m, const struct supply_file *f, bool vdso,
		 const struct cache_entry *entry, struct supply_result *r);

#endif /* USTACK_USER_SUPPLY_GIVE_H */

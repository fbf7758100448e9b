/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packages of split units (.dwp): the .dwo files of a program as one, with an index
 * (DWARF 5, 7.3.5; GNU's for version 4, which differs in its numbers of sections).
 */
#ifndef USTACK_USER_DWARF_PACKAGE_H
#define USTACK_USER_DWARF_PACKAGE_H

#include "formats/dwarf/unit.h"

/**
 * dwarf_open_package() - the package of a program
 * @main: open
 * @dwo_dir: also looked in; may be NULL
 * @ret: NULL if there is none; released by dwarf_object_close()
 * @diag: may be NULL
 *
 * Tried are PROGRAM.dwp, the same without an ending .debug, and both in @dwo_dir. Whether
 * it is of the same build is known unit by unit.
 *
 * Return: 0; -EBADMSG if it is no package, or a damaged one; another negative errno.
 */
int dwarf_open_package(const struct dwarf_object *main, const char *dwo_dir,
		       struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_check_package() - is there an index, and is all of it there?
 * @o: open
 * @diag: may be NULL
 *
 * Return: 0 or -EBADMSG.
 */
int dwarf_check_package(const struct dwarf_object *o, struct diag *diag);

/**
 * dwarf_find_packed() - the unit of a skeleton
 * @o: that dwarf_check_package() found good
 * @skeleton: open
 * @cache: of this thread
 * @ret: open on success
 * @diag: may be NULL
 *
 * Return: bytes that were read of tables that units share; -ENOENT if the package does
 * not have the unit, which is no error yet: a .dwo file may; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_find_packed(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			  struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			  struct diag *diag);

#endif /* USTACK_USER_DWARF_PACKAGE_H */

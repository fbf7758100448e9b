/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packages of split units (.dwp): all .dwo files of a program in one file with
 * an index (DWARF 5, 7.3.5, and GNU's for version 4, which has other numbers
 * for some sections).
 */
#ifndef USTACK_USER_DWARF_PACKAGE_H
#define USTACK_USER_DWARF_PACKAGE_H

#include "formats/dwarf/unit.h"

/**
 * dwarf_open_package() - open the package of a program
 * @main: the program, open
 * @dwo_dir: one more directory to search; may be NULL
 * @ret: NULL if there is none; released by dwarf_object_close()
 * @diag: may be NULL
 *
 * It is searched for as PROGRAM.dwp, as the same name without an ending .debug,
 * and as both in @dwo_dir. Whether the package is from the same build is
 * checked for each unit.
 *
 * Return: 0; -EBADMSG if the file is damaged or no package; another negative
 * errno.
 */
int dwarf_open_package(const struct dwarf_object *main, const char *dwo_dir,
		       struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_check_package() - check that a file has a complete index
 * @o: open
 * @diag: may be NULL
 *
 * Return: 0 or -EBADMSG.
 */
int dwarf_check_package(const struct dwarf_object *o, struct diag *diag);

/**
 * dwarf_find_packed() - find the split unit of a skeleton in a package
 * @o: package for which dwarf_check_package() returned 0
 * @skeleton: open
 * @cache: cache of this thread
 * @ret: the unit, open on success
 * @diag: may be NULL
 *
 * Return: number of bytes read from tables that units share; -ENOENT if the
 * package does not have the unit, which is no failure yet: a .dwo file may have
 * it; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_find_packed(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			  struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			  struct diag *diag);

#endif /* USTACK_USER_DWARF_PACKAGE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/dwarf: paths where other files may be, and opening them.
 */
#ifndef USTACK_USER_DWARF_PATH_H
#define USTACK_USER_DWARF_PATH_H

#include "formats/dwarf/object.h"

/*
 * Return: "DIR/NAME", where DIR is the directory of the file @path after links
 * are resolved; @name itself if it is absolute. The caller frees it; NULL if there
 * is no memory.
 */
char *dwarf_path_beside(const char *path, const char *name);

/* Return: "DIR/NAME". The caller frees it; NULL if there is no memory. */
char *dwarf_path_below(const char *dir, const char *name);

/**
 * dwarf_path_open() - open the file at a path if it is the wanted one
 * @path: the path, which is freed; NULL if there was no memory for it
 * @check: tells whether the opened file is the wanted one: 1, 0, or a negative errno if
 *         it is damaged
 * @arg: passed to @check
 * @ret: NULL unless 1 is returned; released by dwarf_object_close()
 * @diag: may be NULL; its text has the path
 *
 * Return: 1 if the file is open; 0 if there is no file, or not the wanted one; a negative
 * errno.
 */
int dwarf_path_open(char *path,
		    int (*check)(struct dwarf_object *o, const void *arg, struct diag *diag),
		    const void *arg, struct dwarf_object **ret, struct diag *diag);

#endif /* USTACK_USER_DWARF_PATH_H */

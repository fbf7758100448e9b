/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds other files that a file with DWARF refers to: the file that dwz put
 * common entries into (.gnu_debugaltlink or .debug_sup), and .dwo files.
 */
#ifndef USTACK_USER_DWARF_COMPANION_H
#define USTACK_USER_DWARF_COMPANION_H

#include "formats/dwarf/unit.h"

/* The folder of debug files that is searched if the user names none. */
#define DWARF_DEBUG_DIR "/usr/lib/debug"

/* Most bytes of a build id or a checksum. */
#define DWARF_MAX_ID 64u

/**
 * struct dwarf_link - reference to the file that dwz put common entries into
 * @path: path as the section has it; points into the object
 * @id: build id of that file; with @is_sup the checksum in its own .debug_sup
 * @len: bytes of @id, 1 to DWARF_MAX_ID
 * @is_sup: the reference is in .debug_sup (DWARF 5, 7.3.6), not in
 *          .gnu_debugaltlink
 */
struct dwarf_link {
	const char *path;
	const uint8_t *id;
	size_t len;
	bool is_sup;
};

/* Return: false if there is no link or a damaged one, or if @o is itself such a file. */
bool dwarf_link_read(const struct dwarf_object *o, struct dwarf_link *ret);

/**
 * dwarf_open_alt() - open the file with the common entries of several files,
 * made by dwz
 * @o: object that may have .gnu_debugaltlink or .debug_sup
 * @debug_dir: directory such as /usr/lib/debug, with .dwz and .build-id
 * @ret: NULL if @o needs no other file; released by dwarf_object_close(),
 *       indexed
 * @diag: may be NULL
 *
 * It is searched for at the path in the link, at that path below @debug_dir,
 * and by its build id.
 *
 * Return: 0; -ENOENT if there is no file with the right id; -EBADMSG; another
 * negative errno.
 */
int dwarf_open_alt(const struct dwarf_object *o, const char *debug_dir,
		   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_open_dwo() - open the .dwo file of a split unit
 * @skeleton: open, with a @dwo_name
 * @dwo_dir: one more directory to search; may be NULL
 * @ret: released by dwarf_object_close(), indexed
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT; another negative errno.
 */
int dwarf_open_dwo(const struct dwarf_unit *skeleton, const char *dwo_dir,
		   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_find_split() - find the split unit of a skeleton
 * @o: object from dwarf_open_dwo()
 * @skeleton: open
 * @cache: cache of this thread
 * @ret: the unit, open on success
 * @diag: may be NULL
 *
 * Return: number of bytes read from tables that units share; -ENOENT if no unit
 * has the skeleton's id; another negative errno.
 */
int64_t dwarf_find_split(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			 struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			 struct diag *diag);

#endif /* USTACK_USER_DWARF_COMPANION_H */

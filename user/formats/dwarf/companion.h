/* SPDX-License-Identifier: GPL-2.0-only */
/* Other files that a file with DWARF needs: where they are. */
#ifndef USTACK_USER_DWARF_COMPANION_H
#define USTACK_USER_DWARF_COMPANION_H

#include "formats/dwarf/unit.h"

/* Bytes of a build id or a checksum. */
#define DWARF_MAX_ID 64u

/**
 * struct dwarf_link - to the file that dwz put common entries into
 * @path: as the link has it; in the object
 * @id: build id of that file; with @is_sup the checksum in its own .debug_sup
 * @len: bytes of @id, 1 to DWARF_MAX_ID
 * @is_sup: of .debug_sup (DWARF 5, 7.3.6), not of .gnu_debugaltlink
 */
struct dwarf_link {
	const char *path;
	const uint8_t *id;
	size_t len;
	bool is_sup;
};

/* Return: false if there is none, or a damaged one, or @o is itself such a file. */
bool dwarf_link_read(const struct dwarf_object *o, struct dwarf_link *ret);

/**
 * dwarf_open_alt() - what dwz took out of several files
 * @o: may have .gnu_debugaltlink or .debug_sup
 * @debug_dir: such as /usr/lib/debug: has .dwz and .build-id
 * @ret: NULL if @o needs none; released by dwarf_object_close(), indexed
 * @diag: may be NULL
 *
 * Tried are the path that the file says, that one below @debug_dir, and the build id.
 *
 * Return: 0; -ENOENT if no file with the right id is there; -EBADMSG; another
 * negative errno.
 */
int dwarf_open_alt(const struct dwarf_object *o, const char *debug_dir,
		   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_open_dwo() - the file of a split unit
 * @skeleton: open, with a @dwo_name
 * @dwo_dir: also looked in; may be NULL
 * @ret: released by dwarf_object_close(), indexed
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT; another negative errno.
 */
int dwarf_open_dwo(const struct dwarf_unit *skeleton, const char *dwo_dir,
		   struct dwarf_object **ret, struct diag *diag);

/**
 * dwarf_find_split() - the unit of a skeleton
 * @o: from dwarf_open_dwo()
 * @skeleton: open
 * @cache: of this thread
 * @ret: open on success
 * @diag: may be NULL
 *
 * Return: bytes that were read of tables that units share; -ENOENT if none has the
 * skeleton's id; another negative errno.
 */
int64_t dwarf_find_split(const struct dwarf_object *o, const struct dwarf_unit *skeleton,
			 struct dwarf_abbrev_cache *cache, struct dwarf_unit *ret,
			 struct diag *diag);

#endif /* USTACK_USER_DWARF_COMPANION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* What commands that read compact unwinding of Mach-O files share. */
#ifndef USTACK_USER_CMD_MACHO_SLICE_H
#define USTACK_USER_CMD_MACHO_SLICE_H

#include "darwin/unwind_decode.h"
#include "darwin/unwind_info.h"
#include "formats/macho/file.h"
#include "util/json.h"

/**
 * struct cmd_macho - a file, and one of its slices at a time
 * @file: the file
 * @m: the slice
 * @u: its compact unwinding
 * @arch: how that is read
 * @name: of the processor
 */
struct cmd_macho {
	struct macho_file file;
	struct macho m;
	struct unwind_info u;
	enum unwind_arch arch;
	char name[MACHO_ARCH_TEXT];
};

/* @f: released by cmd_macho_release(), also after a failure. Return: 0 or a negative errno,
 * which @diag has.
 */
int cmd_macho_open(const char *path, const char *want, struct cmd_macho *f, struct diag *diag);
void cmd_macho_release(struct cmd_macho *f);

/* To the next slice that is meant. Return: 1; 0 behind the last; a negative errno. */
int cmd_macho_next(struct cmd_macho *f, struct diag *diag);

/* An entry as a line, with addresses as they were linked. Return: whether it means something. */
bool cmd_macho_print_entry(const struct cmd_macho *f, const struct unwind_entry *e);
/* As members of an object. */
bool cmd_macho_json_entry(const struct cmd_macho *f, const struct unwind_entry *e,
			  struct json *j);
/* What an encoding means, or why nothing. */
bool cmd_macho_encoding(const struct cmd_macho *f, uint32_t encoding, char text[UNWIND_TEXT]);

#endif /* USTACK_USER_CMD_MACHO_SLICE_H */

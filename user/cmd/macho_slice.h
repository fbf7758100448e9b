/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and printing of compact unwinding of Mach-O files, for the macho commands. */
#ifndef USTACK_USER_CMD_MACHO_SLICE_H
#define USTACK_USER_CMD_MACHO_SLICE_H

#include "cmd.h"
#include "darwin/unwind_decode.h"
#include "darwin/unwind_info.h"
#include "formats/macho/file.h"
#include "util/json.h"

/* @arch: a const char *, as an lvalue */
#define CMD_MACHO_ARCH_OPTION(arch)                                                   \
	OPTION_STRING(0, "arch", "ARCH", &(arch),                                     \
		      "the slice of a fat file for this processor", .word = macho_arch_word)

/**
 * struct cmd_macho - an open file, and the slice that is being read
 * @file: the file
 * @m: the slice
 * @u: compact unwinding of @m
 * @arch: architecture that the encodings of @u are for
 * @name: name of the processor of @m
 */
struct cmd_macho {
	struct macho_file file;
	struct macho m;
	struct unwind_info u;
	enum unwind_arch arch;
	char name[MACHO_ARCH_TEXT];
};

/*
 * @f: released by cmd_macho_release(), also after a failure. Return: 0, or a negative errno
 *     with @diag set.
 */
int cmd_macho_open(const char *path, const char *want, struct cmd_macho *f, struct diag *diag);
void cmd_macho_release(struct cmd_macho *f);

/* Moves to the next slice that was asked for. Return: 1; 0 after the last; or a negative errno. */
int cmd_macho_next(struct cmd_macho *f, struct diag *diag);

/* Prints that no slice is for @want, which may be NULL. Return: CMD_FAILED. */
int cmd_macho_nothing(const char *path, const char *want);

/**
 * cmd_macho_open_one() - open a file of which one slice is read
 * @path: the file
 * @want: the processor; may be NULL if the file has one slice
 * @eh_frame: accept a slice without __unwind_info: it may have __eh_frame
 * @f: released by cmd_macho_release(), also after a failure
 *
 * Return: CMD_RUN, or the status to exit with; the message has been printed then.
 */
int cmd_macho_open_one(const char *path, const char *want, bool eh_frame, struct cmd_macho *f);

/* Prints an entry as a line, with link-time addresses. Return: false if a part of it is damaged. */
bool cmd_macho_print_entry(const struct cmd_macho *f, const struct unwind_entry *e);
/* The same, as members of an object. */
bool cmd_macho_json_entry(const struct cmd_macho *f, const struct unwind_entry *e,
			  struct json *j);
/*
 * Writes the meaning of an encoding into @text, or why it has none. Return: false if it has
 * none.
 */
bool cmd_macho_encoding(const struct cmd_macho *f, uint32_t encoding, char text[UNWIND_TEXT]);

#endif /* USTACK_USER_CMD_MACHO_SLICE_H */

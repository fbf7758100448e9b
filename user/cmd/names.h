/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of commands that show names: how the names are shown.
 *
 *	CMD_NAMES_OPTIONS(&o.style),	in the table of options
 *	if (!cmd_names_check(&usage, &o.style)) ...
 *	if (!cmd_names_new(&o.style, &names)) ...
 *	puts(cmd_name(names, function));
 *	cmd_names_free(names);
 */
#ifndef USTACK_USER_CMD_NAMES_H
#define USTACK_USER_CMD_NAMES_H

#include "cmd.h"
#include "formats/names/style.h"

#define CMD_NAMES_OPTIONS(style)						\
	OPTION_FLAG(0, "demangle", &(style)->demangle,				\
		    "demangle C++, Rust, D, Ada, OCaml and Haskell names"),			\
	OPTION_FLAG(0, "no-params", &(style)->no_params,			\
		    "with --demangle: omit parameters of C++ functions"),	\
	OPTION_FLAG(0, "collapse-templates", &(style)->collapse,		\
		    "with --demangle: template arguments as ..."),		\
	OPTION_FLAG(0, "shorten-stl", &(style)->shorten_stl,			\
		    "short names for the C++ standard library"),

/* Prints which options do not go together. Return: false if there are any. */
bool cmd_names_check(const struct cmd_usage *usage, const struct names_style *style);

/**
 * cmd_names_new() - make the object that changes names for display
 * @style: the options
 * @ret: NULL if names are shown unchanged; else the caller frees it with cmd_names_free()
 *
 * Return: false if there is no memory; the error has been printed then.
 */
bool cmd_names_new(const struct names_style *style, struct names **ret);
void cmd_names_free(struct names *n);

/* See names_text(). */
const char *cmd_name(struct names *n, const char *name);

#endif /* USTACK_USER_CMD_NAMES_H */

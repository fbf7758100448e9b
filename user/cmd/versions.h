/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles of two versions of a program: the options of diff and flame. */
#ifndef USTACK_USER_CMD_VERSIONS_H
#define USTACK_USER_CMD_VERSIONS_H

#include "cmd.h"
#include "show/report/versions.h"

/* @list: a const char *, as an lvalue */
#define CMD_IGNORE_OPTION(list)                                                        \
	OPTION_STRING(0, "ignore", "WHAT", &(list),                                    \
		      "ignore differing names: image, command or both", .word = cmd_ignore_word)

/* Words of --ignore. Return: word number @i; NULL after the last. */
const char *cmd_ignore_word(unsigned int i);

/**
 * cmd_parse_ignore() - parse the words of --ignore
 * @list: the list as typed, or NULL
 * @ret: bits of show/report/versions.h
 *
 * Return: false if a word is neither image nor command.
 */
bool cmd_parse_ignore(const char *list, unsigned int *ret);

/*
 * Calls versions_match(), and reports on standard error which files it takes for versions of
 * one program.
 */
int cmd_match_versions(struct profile *before, struct profile *after, unsigned int ignore);

#endif /* USTACK_USER_CMD_VERSIONS_H */

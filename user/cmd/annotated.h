/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Annotated functions in other views than that of ustack annotate: on the terminal of report and top,
 * and in the page of flame. Where their files, names and sources come from is what annotate's options
 * say.
 */
#ifndef USTACK_USER_CMD_ANNOTATED_H
#define USTACK_USER_CMD_ANNOTATED_H

#include "show/annotate/annotate.h"
#include "show/annotate/rows.h"
#include "cmd.h"
#include "cmd/naming.h"
#include "profile/calltree.h"
#include "show/tui/terminal.h"

/**
 * struct annotated - options, and what stays from one function to the next
 * @naming: where files and names come from
 * @no_source: without text of the source
 * @source_dir: see sources_new()
 * @objdump: see struct objdump_request
 * @syntax: "att" or "intel"; NULL is "att"
 */
struct annotated {
	struct naming naming;
	bool no_source;
	const char *source_dir;
	const char *objdump;
	const char *syntax;

	/* private */
	struct symstore *store;
	struct annotated_listing *listing;
};

#define ANNOTATED_INIT { .naming = NAMING_INIT }

/* For struct option_spec's @word. */
const char *annotated_syntax_word(unsigned int i);

/* Entries for an array of struct option_spec. @a: a struct annotated. */
#define ANNOTATED_OPTIONS(a)                                                                        \
	OPTION_FLAG(0, "no-source", &(a).no_source, "without text of the source"),                  \
	OPTION_STRING(0, "source-dir", "DIR", &(a).source_dir, "look for the source there, too"),   \
	OPTION_STRING('M', "disassembler-style", "STYLE", &(a).syntax,                              \
		      "of x86: att (the default) or intel", .word = annotated_syntax_word),         \
	OPTION_STRING(0, "objdump", "PATH", &(a).objdump, "the disassembler to run")

/* Return: %CMD_RUN, or as cmd_bad_usage() if the options do not hold. */
int annotated_check(struct annotated *a, const struct cmd_usage *usage);
/* Sets the members of @o that the options of @a determine. */
void annotated_options(const struct annotated *a, struct annotate_options *o);
void annotated_release(struct annotated *a);

/**
 * struct annotated_in - what a function is looked for in
 * @p: the profile
 * @file: name of the file of @p, for messages
 * @value: index of the value type
 * @units: values are so many times as large as what they mean; 0 is 1
 * @keep: see struct annotate_options
 * @arg: for @keep
 */
struct annotated_in {
	struct profile *p;
	const char *file;
	uint32_t value;
	uint32_t units;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

/**
 * annotated_new() - find the function that a symbol of a tree of calls is
 * @a: opens the store where it is not open
 * @in: the profile. It is not changed: a symbol that has a name is of a profile with names
 * @s: the symbol
 * @options: filled in; must outlive *@ret
 * @ret: released by annotate_free()
 * @diag: says why there is nothing to show
 *
 * Return: 0 or a negative errno.
 */
int annotated_new(struct annotated *a, const struct annotated_in *in, const struct calltree_symbol *s,
		  struct annotate_options *options, struct annotate **ret, struct diag *diag);

/**
 * annotated_listing() - the same as lines for the terminal
 * @a: owns what @ret has, until the next call and annotated_release()
 * @in: the profile
 * @s: the symbol
 * @ret: the instructions of all functions of that name in that file, or words why there are none
 *
 * Return: 0 or -ENOMEM.
 */
int annotated_listing(struct annotated *a, const struct annotated_in *in,
		      const struct calltree_symbol *s, struct tui_code *ret);

/* Bytes of a title. */
#define ANNOTATED_TITLE 400u
/* "work in prog: 1.234 s, 56.78 % of all", of the hottest function of @a. Return: @buf. */
const char *annotated_title(const struct annotated_in *in, const struct annotate *a,
			    char buf[ANNOTATED_TITLE]);

/* Rows of instructions that a page has at most, in all its functions. */
#define ANNOTATED_PAGE_ROWS 50000u
/* Functions that may be asked for. */
#define ANNOTATED_PAGE_FUNCTIONS 1000u

struct json;
/**
 * annotated_page() - instructions of the hottest functions, for the page of flame
 * @a: see annotated_new()
 * @in: the profile
 * @nr: functions, at most ANNOTATED_PAGE_FUNCTIONS
 * @no_inlines: see struct calltree_options
 * @j: gets the object that show/flame/data.h describes
 * @name: of the member
 *
 * Return: 0 or a negative errno.
 */
int annotated_page(struct annotated *a, const struct annotated_in *in, uint32_t nr, bool no_inlines,
		   struct json *j, const char *name);

#endif /* USTACK_USER_CMD_ANNOTATED_H */

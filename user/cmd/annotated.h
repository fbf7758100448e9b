/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Annotated functions in other views than that of ustack annotate: on the terminal of report
 * and top, and in the page of flame. The options of ustack annotate say where files, names and
 * sources come from.
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
 * struct annotated - options, and the state kept from one function to the next
 * @naming: where files and names come from
 * @no_source: the text of the source is left out
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

/* The function for @word of struct option_spec. */
const char *annotated_syntax_word(unsigned int i);

/* Entries for an array of struct option_spec. @a: a struct annotated. */
#define ANNOTATED_OPTIONS(a)                                                                        \
	OPTION_FLAG(0, "no-source", &(a).no_source, "omit the source text"),                        \
	OPTION_STRING(0, "source-dir", "DIR", &(a).source_dir, "also look for the source in DIR"),  \
	OPTION_STRING('M', "disassembler-style", "STYLE", &(a).syntax,                              \
		      "x86 syntax: att (the default) or intel", .word = annotated_syntax_word),     \
	OPTION_STRING(0, "objdump", "PATH", &(a).objdump, "the disassembler to run")

/* Return: %CMD_RUN, or the result of cmd_bad_usage() if the options are wrong. */
int annotated_check(struct annotated *a, const struct cmd_usage *usage);
/* Sets the members of @o that the options of @a determine. */
void annotated_options(const struct annotated *a, struct annotate_options *o);
void annotated_release(struct annotated *a);

/**
 * struct annotated_in - the profile in which a function is looked for
 * @p: the profile
 * @file: name of the file of @p, for messages
 * @value: index of the value type
 * @units: factor by which the values are larger than the quantity they stand for; 0 means 1
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
 * annotated_new() - find the function of a symbol of a call tree
 * @a: opens its store if it is not open
 * @in: the profile. It is not changed: a symbol with a name comes from a profile that has names
 * @s: the symbol
 * @options: filled in; must live longer than *@ret
 * @ret: released by annotate_free()
 * @diag: set if there is nothing to show: the reason
 *
 * Return: 0 or a negative errno.
 */
int annotated_new(struct annotated *a, const struct annotated_in *in, const struct calltree_symbol *s,
		  struct annotate_options *options, struct annotate **ret, struct diag *diag);

/**
 * annotated_listing() - like annotated_new(), as lines for the terminal
 * @a: owner of the memory that @ret refers to; it is valid until the next call or
 *     annotated_release()
 * @in: the profile
 * @s: the symbol
 * @ret: the instructions of all functions of that name in that file, or a message why there are
 *       none
 *
 * Return: 0 or -ENOMEM.
 */
int annotated_listing(struct annotated *a, const struct annotated_in *in,
		      const struct calltree_symbol *s, struct tui_code *ret);

/* Size of a title, in bytes. */
#define ANNOTATED_TITLE 400u
/*
 * Writes a title such as "work in prog: 1.234 s, 56.78 % of all" for the hottest function of
 * @a. Return: @buf.
 */
const char *annotated_title(const struct annotated_in *in, const struct annotate *a,
			    char buf[ANNOTATED_TITLE]);

/* Largest number of instruction rows in a page, over all its functions. */
#define ANNOTATED_PAGE_ROWS 50000u
/* Largest number of functions that may be asked for. */
#define ANNOTATED_PAGE_FUNCTIONS 1000u

struct json;
/**
 * annotated_page() - instructions of the hottest functions, for the page of flame
 * @a: see annotated_new()
 * @in: the profile
 * @nr: number of functions, at most ANNOTATED_PAGE_FUNCTIONS
 * @no_inlines: see struct calltree_options
 * @j: gets the object that show/flame/data.h describes
 * @name: name of the member in @j
 *
 * Return: 0 or a negative errno.
 */
int annotated_page(struct annotated *a, const struct annotated_in *in, uint32_t nr, bool no_inlines,
		   struct json *j, const char *name);

#endif /* USTACK_USER_CMD_ANNOTATED_H */

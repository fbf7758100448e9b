/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions. A name is in the function's entry, or in an entry of this
 * or another unit that it refers to. A name that is not a linkage name is
 * qualified with the names of namespaces and classes, as LLVM does.
 *
 * Context: one thread for each struct dwarf_names.
 */
#ifndef USTACK_USER_DWARF_NAMES_H
#define USTACK_USER_DWARF_NAMES_H

#include "formats/dwarf/budget.h"
#include "formats/dwarf/scopes.h"

/* An entry, as far as it says something about its function. */
struct dwarf_entry {
	struct dwarf_ref at;
	const struct dwarf_unit *u;
	uint16_t tag;
	const char *linkage_name;	/* NULL if it has none */
	const char *name;		/* NULL if it has none */
	/* @next is the entry of its specification or origin */
	bool has_next;
	struct dwarf_ref next;
	uint64_t decl_file;
	uint64_t decl_line;
};

#define DWARF_OTHER_UNITS 64

/* A unit that other units' references lead to. */
struct dwarf_other {
	bool open;
	uint64_t used;
	struct dwarf_unit u;
	struct dwarf_scopes scopes;
};

/**
 * struct dwarf_names - the search for names, with its caches
 * @cache: abbreviations; also used for the thread's own unit
 * @budget: budget of all threads
 * @u: the unit that is being walked
 * @scopes: scopes of @u
 * @other: units that @u refers to
 * @clock: counts uses of @other
 * @buf: buffer for a qualified name, DWARF_MAX_NAME bytes
 */
struct dwarf_names {
	struct dwarf_abbrev_cache *cache;
	struct dwarf_budget *budget;
	const struct dwarf_unit *u;
	struct dwarf_scopes scopes;
	struct dwarf_other *other;
	uint64_t clock;
	char *buf;
};

/* Return: 0 or -ENOMEM. */
int dwarf_names_init(struct dwarf_names *n, struct dwarf_abbrev_cache *cache,
		     struct dwarf_budget *budget);
void dwarf_names_release(struct dwarf_names *n);
/* Begins the walk of @u, which is open. */
void dwarf_names_enter(struct dwarf_names *n, const struct dwarf_unit *u);
/* Called before @o is closed. */
void dwarf_names_forget(struct dwarf_names *n, const struct dwarf_object *o);

/**
 * dwarf_name() - find the name of an entry
 * @n: after dwarf_names_enter()
 * @at: any entry
 * @qualify: put the names of scopes before it if it has no linkage name
 * @ret: the name, "" if it has none; valid until the next call
 * @len: bytes of @ret
 * @diag: may be NULL
 *
 * A reference that leads nowhere ends the search.
 *
 * Return: 0; -EBADMSG; -ENOMEM.
 */
int dwarf_name(struct dwarf_names *n, struct dwarf_ref at, bool qualify, const char **ret,
	       size_t *len, struct diag *diag);

/*
 * Finds the declaration of an entry, from the entry or from those that it
 * refers to. @file and @line are 0 if they are not known. @file is an index in
 * the files of the unit that is being walked, so it is 0 if only another unit
 * has it.
 */
int dwarf_decl(struct dwarf_names *n, struct dwarf_ref at, uint64_t *file, uint64_t *line,
	       struct diag *diag);

/* Return: whether names of a language are qualified. */
bool dwarf_lang_qualifies(uint16_t lang);

#endif /* USTACK_USER_DWARF_NAMES_H */

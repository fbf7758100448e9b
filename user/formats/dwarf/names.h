/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions: in their entries, or in those that they refer to, in this or
 * another unit; without a linkage name they are qualified with the names of namespaces
 * and classes, as LLVM does.
 *
 * Context: a struct dwarf_names is one thread's.
 */
#ifndef USTACK_USER_DWARF_NAMES_H
#define USTACK_USER_DWARF_NAMES_H

#include "formats/dwarf/budget.h"
#include "formats/dwarf/scopes.h"

/* What is behind a reference. */
struct dwarf_entry {
	struct dwarf_ref at;
	const struct dwarf_unit *u;
	uint16_t tag;
	const char *linkage_name;	/* NULL if it has none */
	const char *name;		/* likewise */
	bool has_next;			/* it has a specification or an origin: */
	struct dwarf_ref next;
	uint64_t decl_file;
	uint64_t decl_line;
};

#define DWARF_OTHER_UNITS 64

/* A unit that names of others are in. */
struct dwarf_other {
	bool open;
	uint64_t used;
	struct dwarf_unit u;
	struct dwarf_scopes scopes;
};

/**
 * struct dwarf_names - where names are looked for
 * @cache: abbreviations; also for the thread's own unit
 * @budget: of all threads
 * @u: the unit that is walked
 * @scopes: of @u
 * @other: units that it refers to
 * @clock: counts uses of @other
 * @buf: a qualified name, DWARF_MAX_NAME bytes
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
/* @u is open; it is walked from now on. */
void dwarf_names_enter(struct dwarf_names *n, const struct dwarf_unit *u);
/* Before @o is closed. */
void dwarf_names_forget(struct dwarf_names *n, const struct dwarf_object *o);

/**
 * dwarf_name() - the name of an entry
 * @n: entered
 * @at: any entry
 * @qualify: put namespaces in front if it has no linkage name
 * @ret: on success: "" if it has none; valid until the next call
 * @len: of @ret
 * @diag: may be NULL
 *
 * References that lead nowhere end the search.
 *
 * Return: 0; -EBADMSG; -ENOMEM.
 */
int dwarf_name(struct dwarf_names *n, struct dwarf_ref at, bool qualify, const char **ret,
	       size_t *len, struct diag *diag);

/* Where an entry, or what it refers to, says that it is declared: 0 if nowhere.
 * Files are those of the unit that is walked: of other units 0.
 */
int dwarf_decl(struct dwarf_names *n, struct dwarf_ref at, uint64_t *file, uint64_t *line,
	       struct diag *diag);

/* Whether names of a language are qualified. */
bool dwarf_lang_qualifies(uint16_t lang);

#endif /* USTACK_USER_DWARF_NAMES_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds names and declarations of functions (names.h): follows references from
 * entry to entry, also into other units, and puts the names of scopes before a
 * name.
 */
#include "formats/dwarf/names.h"

#include <stdlib.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/die.h"
#include "util/poison.h"

int dwarf_names_init(struct dwarf_names *n, struct dwarf_abbrev_cache *cache,
		     struct dwarf_budget *budget)
{
	*n = (struct dwarf_names){ .cache = cache, .budget = budget };
	n->other = calloc(DWARF_OTHER_UNITS, sizeof(*n->other));
	n->buf = malloc(DWARF_MAX_NAME);
	if (n->other && n->buf)
		return 0;
	dwarf_names_release(n);
	return -ENOMEM;
}

static void close_other(struct dwarf_other *o)
{
	if (o->open)
		dwarf_unit_close(&o->u);
	o->open = false;
}

void dwarf_names_release(struct dwarf_names *n)
{
	unsigned int i;

	for (i = 0; n->other && i < DWARF_OTHER_UNITS; i++) {
		close_other(&n->other[i]);
		dwarf_scopes_release(&n->other[i].scopes);
	}
	dwarf_scopes_release(&n->scopes);
	free(n->other);
	free(n->buf);
	*n = (struct dwarf_names){ 0 };
}

void dwarf_names_enter(struct dwarf_names *n, const struct dwarf_unit *u)
{
	n->u = u;
	dwarf_scopes_start(&n->scopes, u);
}

void dwarf_names_forget(struct dwarf_names *n, const struct dwarf_object *o)
{
	unsigned int i;

	for (i = 0; i < DWARF_OTHER_UNITS; i++)
		if (n->other[i].open && n->other[i].u.o == o)
			close_other(&n->other[i]);
}

bool dwarf_lang_qualifies(uint16_t lang)
{
	switch (lang) {
	/* as LLVM does: units exist that are C++ and claim to be C */
	case DW_LANG_C:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_C_plus_plus_17:
	case DW_LANG_C_plus_plus_20:
	case DW_LANG_C_plus_plus_23:
	case DW_LANG_ObjC_plus_plus:
		return true;
	}
	return false;
}

/* Finds the last unit that starts at or before @at. Return: false if there is none. */
static bool find_unit(struct dwarf_ref at, uint64_t *ret)
{
	size_t lo = 0, hi = at.o->nr_units, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (at.o->units[mid] <= at.off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	*ret = at.o->units[lo - 1];
	return true;
}

static bool has_entry(const struct dwarf_unit *u, struct dwarf_ref at)
{
	return u->o == at.o && at.off >= u->die && at.off < u->end;
}

/*
 * Opens the unit that a reference into another unit leads to, or finds it among
 * those already open. Return: 0, with @ret NULL if it leads to no unit; a
 * negative errno.
 */
static int open_other(struct dwarf_names *n, struct dwarf_ref at, struct dwarf_other **ret,
		      struct diag *diag)
{
	struct dwarf_other *o, *oldest = n->other;
	uint64_t off;
	int err;

	n->clock++;
	for (o = n->other; o < n->other + DWARF_OTHER_UNITS; o++) {
		if (o->open && has_entry(&o->u, at)) {
			o->used = n->clock;
			*ret = o;
			return 0;
		}
		if (o->used < oldest->used)
			oldest = o;
	}
	*ret = NULL;
	if (!find_unit(at, &off))
		return 0;
	o = oldest;
	close_other(o);
	err = dwarf_unit_header(at.o, off, &o->u, diag);
	if (err < 0)
		return err;
	if (err || !has_entry(&o->u, at))
		return 0;
	err = dwarf_spend(n->budget, dwarf_unit_open(&o->u, n->cache, diag), diag);
	if (err)
		return err;
	o->open = true;
	o->used = n->clock;
	dwarf_scopes_start(&o->scopes, &o->u);
	*ret = o;
	return 0;
}

/*
 * Finds the unit and the scopes of an entry. Return: 0, with @u NULL if there
 * is no such unit; a negative errno.
 */
static int locate(struct dwarf_names *n, struct dwarf_ref at, const struct dwarf_unit **u,
		  struct dwarf_scopes **scopes, struct diag *diag)
{
	struct dwarf_other *o;
	int err;

	if (has_entry(n->u, at)) {
		*u = n->u;
		*scopes = &n->scopes;
		return 0;
	}
	err = open_other(n, at, &o, diag);
	*u = !err && o ? &o->u : NULL;
	*scopes = !err && o ? &o->scopes : NULL;
	return err;
}

static void take(struct dwarf_entry *e, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_name:
		e->name = dwarf_value_string(e->u, v);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		e->linkage_name = dwarf_value_string(e->u, v);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		if (!e->has_next || name == DW_AT_specification)
			e->has_next = dwarf_value_ref(e->u, v, &e->next) || e->has_next;
		break;
	case DW_AT_decl_file:
		e->decl_file = v->u;
		break;
	case DW_AT_decl_line:
		e->decl_line = v->u;
		break;
	}
}

/* Return: 1; 0 if there is no entry; -EBADMSG; -ENOMEM. */
static int read_entry(struct dwarf_names *n, struct dwarf_ref at, struct dwarf_entry *e,
		      struct diag *diag)
{
	const struct dwarf_abbrev *a;
	const struct dwarf_spec *s;
	struct dwarf_scopes *scopes;
	struct cursor c;
	struct dwarf_value v;
	int err;

	*e = (struct dwarf_entry){ .at = at };
	err = locate(n, at, &e->u, &scopes, diag);
	if (err || !e->u)
		return err;
	c = dwarf_unit_at(e->u, at.off);
	a = dwarf_die_code(&c, e->u->abbrevs);
	if (a) {
		e->tag = a->tag;
		for (s = e->u->abbrevs->specs + a->specs;
		     s < e->u->abbrevs->specs + a->specs + a->nr_specs; s++) {
			dwarf_value_read(&c, s, e->u->sizes, &v);
			take(e, s->name, &v);
		}
	}
	if (c.bad)
		return dwarf_bad(at.o, DWARF_INFO, at.off, diag,
				 "damaged entry that others refer to");
	return a ? 1 : 0;
}

/* An entry and the entries that it leads to, one after the other. */
struct chain {
	unsigned int nr;
	struct dwarf_ref at[DWARF_MAX_HOPS];
	const char *linkage_name;
	const char *name;
	uint16_t tag;		/* tag of the first entry */
};

static int follow(struct dwarf_names *n, struct dwarf_ref at, struct chain *ret,
		  struct diag *diag)
{
	struct dwarf_entry e;
	int r;

	*ret = (struct chain){ 0 };
	while (ret->nr < DWARF_MAX_HOPS) {
		r = read_entry(n, at, &e, diag);
		if (r <= 0)
			return r;
		if (!ret->nr)
			ret->tag = e.tag;
		ret->at[ret->nr++] = at;
		if (!ret->name)
			ret->name = e.name;
		if (e.linkage_name && *e.linkage_name)
			ret->linkage_name = e.linkage_name;
		if (ret->linkage_name || !e.has_next)
			return 0;
		at = e.next;
	}
	return 0;
}

static bool names_scope(uint16_t tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_subprogram;
}

/*
 * Finds the scope that an entry is in and that its name is qualified with.
 * Return: 1; 0 if there is none; a negative errno.
 */
static int find_scope(struct dwarf_names *n, struct dwarf_ref at, struct dwarf_ref *ret,
		      struct diag *diag)
{
	const struct dwarf_unit *u;
	struct dwarf_scopes *s;
	uint32_t i;
	int64_t r;
	int err;

	err = locate(n, at, &u, &s, diag);
	if (err || !u)
		return err;
	r = dwarf_scopes_parent(s, at.off, &i);
	err = dwarf_spend(n->budget, r, diag);
	if (r < 0)
		return r == -EBADMSG ? dwarf_bad(at.o, DWARF_INFO, s->at, diag,
						 "damaged entry") :
				       diag_errno(diag, ENOMEM, at.o->path);
	if (err)
		return err;
	while (i != DWARF_NO_SCOPE && s->p[i].tag == DW_TAG_lexical_block)
		i = s->p[i].parent;
	if (i == DWARF_NO_SCOPE || !names_scope(s->p[i].tag))
		return 0;
	*ret = (struct dwarf_ref){ at.o, u->off + s->p[i].off };
	return 1;
}

/* The same for a chain. Its last entry, the declaration, is asked first. */
static int find_chain_scope(struct dwarf_names *n, const struct chain *c,
			    struct dwarf_ref *ret, struct diag *diag)
{
	unsigned int i = c->nr;
	int r = 0;

	while (!r && i--)
		if (i || c->tag != DW_TAG_inlined_subroutine)
			r = find_scope(n, c->at[i], ret, diag);
	return r;
}

/* Writes @s before the text that begins at @at. Return: the new beginning. */
static size_t prepend(char *buf, size_t at, const char *s, size_t len)
{
	if (len > at)
		return at;
	memcpy(buf + at - len, s, len);
	return at - len;
}

/*
 * As LLVM does: a lambda's name is <lambda(int)>, which would look like a
 * template's arguments.
 */
static size_t prepend_scope(char *buf, size_t at, const char *name)
{
	size_t len = strlen(name);
	bool lambda = name[0] == '<' && name[len - 1] == '>' && len > 1;

	at = prepend(buf, at, "::", 2);
	if (!lambda)
		return prepend(buf, at, name, len);
	at = prepend(buf, at, "}", 1);
	at = prepend(buf, at, name + 1, len - 2);
	return prepend(buf, at, "{", 1);
}

static int qualify_name(struct dwarf_names *n, struct chain *c, const char **ret,
			size_t *len, struct diag *diag)
{
	size_t at = DWARF_MAX_NAME - 1, was;
	struct dwarf_ref scope;
	unsigned int i;
	int r;

	n->buf[at] = '\0';
	was = at = prepend(n->buf, at, c->name, *len);
	for (i = 0; i < DWARF_MAX_SCOPES; i++) {
		r = find_chain_scope(n, c, &scope, diag);
		if (r <= 0)
			break;
		r = follow(n, scope, c, diag);
		if (r)
			break;
		if (c->name && *c->name)
			at = prepend_scope(n->buf, at, c->name);
	}
	if (i < DWARF_MAX_SCOPES && r < 0)
		return r;
	if (at != was) {
		*ret = n->buf + at;
		*len = DWARF_MAX_NAME - 1 - at;
	}
	return 0;
}

/* GCC's clones have their linkage name as their name. */
static bool is_mangled_clone(const char *s)
{
	return s[0] == '_' && s[1] == 'Z' && (strstr(s, ".isra.") || strstr(s, ".part."));
}

int dwarf_name(struct dwarf_names *n, struct dwarf_ref at, bool qualify, const char **ret,
	       size_t *len, struct diag *diag)
{
	struct chain c;
	int err;

	*ret = "";
	*len = 0;
	err = follow(n, at, &c, diag);
	if (err)
		return err;
	if (!c.linkage_name && !c.name)
		return 0;
	*ret = c.linkage_name ? c.linkage_name : c.name;
	*len = strlen(*ret);
	err = dwarf_spend(n->budget, (int64_t)*len, diag);
	if (err || c.linkage_name)
		return err;
	if (!qualify || !*len || *len >= DWARF_MAX_NAME || is_mangled_clone(c.name))
		return 0;
	return qualify_name(n, &c, ret, len, diag);
}

int dwarf_decl(struct dwarf_names *n, struct dwarf_ref at, uint64_t *file, uint64_t *line,
	       struct diag *diag)
{
	struct dwarf_entry e;
	unsigned int hops;
	int r;

	*file = *line = 0;
	for (hops = 0; hops < DWARF_MAX_HOPS; hops++) {
		r = read_entry(n, at, &e, diag);
		if (r <= 0)
			return r;
		if (!*file && e.u == n->u)
			*file = e.decl_file;
		if (!*line)
			*line = e.decl_line;
		if ((*file && *line) || !e.has_next)
			return 0;
		at = e.next;
	}
	return 0;
}

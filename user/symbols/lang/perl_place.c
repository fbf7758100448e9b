// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the place of a frame of Perl: its file and line. Trees of operations come from
 * the process and may be no trees at all: each walk is limited, and ends without a place
 * beyond the limit.
 */
#include "symbols/lang/perl_place.h"

#include <string.h>

#include "util/poison.h"

/* Operations that are read for one place; a program has about ten in each line. */
#define MAX_OPS 65536u
/* Depth of the tree of one statement. */
#define MAX_DEPTH 512u
/* A string without a length is read in parts of this size; no part crosses a page. */
#define PART 64u

/**
 * struct tree - state of a walk through operations
 * @m: the process's memory
 * @left: number of operations that may still be read
 * @op: address of the current operation
 * @word: words of the current operation
 */
struct tree {
	const struct lang_memory *m;
	unsigned int left;
	uint64_t op;
	uint64_t word[PERL_OP_WORDS];
};

static bool go_to(struct tree *t, uint64_t op)
{
	if (!t->left)
		return false;
	t->left--;
	t->op = op;
	t->word[PERL_OP_FIRST] = 0;
	/* the smallest operations have no children, and may be at the end of mapped memory */
	return lang_memory_read(t->m, op, t->word, 8 * PERL_OP_FIRST) &&
	       (!(t->word[PERL_OP_TYPE] & PERL_OP_HAS_KIDS) ||
		lang_memory_read(t->m, op + 8 * PERL_OP_FIRST, &t->word[PERL_OP_FIRST], 8));
}

static uint32_t type_of(const struct tree *t)
{
	return t->word[PERL_OP_TYPE] & PERL_OP_TYPE_BITS;
}

static bool has_sibling(const struct tree *t)
{
	return t->word[PERL_OP_TYPE] & PERL_OP_HAS_SIBLING;
}

static uint64_t first_kid(const struct tree *t)
{
	return t->word[PERL_OP_TYPE] & PERL_OP_HAS_KIDS ? t->word[PERL_OP_FIRST] : 0;
}

/* Finds the root of the tree that contains @statement. */
static bool find_root(struct tree *t, uint64_t statement, uint64_t *ret)
{
	if (!go_to(t, statement))
		return false;
	while (t->word[PERL_OP_SIBLING])
		if (!go_to(t, t->word[PERL_OP_SIBLING]))
			return false;
	*ret = t->op;
	return true;
}

/**
 * struct search - a search in the operation that follows a statement
 * @d: structures of the version
 * @wanted: address of the operation, or with @after of the next one
 * @after: look for the operation before @wanted
 * @line: for each depth, the line of the last statement that was left out
 * @depth: depth of the current operation
 */
struct search {
	const struct lang_perl *d;
	uint64_t wanted;
	bool after;
	uint32_t line[MAX_DEPTH];
	unsigned int depth;
};

static bool is_wanted(const struct search *s, const struct tree *t)
{
	if (!s->after)
		return t->op == s->wanted;
	return t->word[PERL_OP_NEXT] == s->wanted && type_of(t) != s->d->op_scope;
}

/* A statement that was left out has type 0, and its former type in place of a target. */
static void take_line(struct search *s, const struct tree *t)
{
	if (!type_of(t) && t->word[PERL_OP_TARGET] == s->d->op_nextstate)
		s->line[s->depth] = (uint32_t)(t->word[PERL_OP_TYPE] >> 32);
}

/* Goes to the next operation that is not a child of this one. Return: 1; 0 at the end; -1. */
static int go_on(struct search *s, struct tree *t)
{
	while (s->depth && !has_sibling(t)) {
		s->depth--;
		if (!go_to(t, t->word[PERL_OP_SIBLING]))
			return -1;
	}
	if (!s->depth)
		return 0;
	return go_to(t, t->word[PERL_OP_SIBLING]) ? 1 : -1;
}

/*
 * Searches the operation that follows the current statement, children first, as perl's
 * closest_cop() does. The line is 0 if the operation is not found, or no statement was
 * left out before it. Return: whether the tree is valid.
 */
static bool find_line(struct search *s, struct tree *t, uint32_t *ret)
{
	int more = 1;
	uint64_t kid;

	*ret = 0;
	if (!has_sibling(t))
		return true;
	if (!go_to(t, t->word[PERL_OP_SIBLING]))
		return false;
	s->line[0] = 0;
	s->depth = 0;
	while (more > 0) {
		if (s->depth)
			take_line(s, t);
		if (is_wanted(s, t)) {
			*ret = s->line[s->depth];
			return true;
		}
		kid = first_kid(t);
		if (kid && s->depth + 1 < MAX_DEPTH) {
			s->depth++;
			s->line[s->depth] = s->line[s->depth - 1];
			more = go_to(t, kid) ? 1 : -1;
		} else if (kid) {
			more = -1;
		} else {
			more = go_on(s, t);
		}
	}
	return !more;
}

/* Reads a string up to its NUL. Return: its length, less than @room; or -1. */
static int read_string(const struct lang_memory *m, uint64_t at, char *to, size_t room)
{
	size_t n = 0, part, len;

	while (n < room) {
		part = PART - (at + n) % PART;
		part = part < room - n ? part : room - n;
		if (!lang_memory_read(m, at + n, to + n, part))
			return -1;
		len = strnlen(to + n, part);
		n += len;
		if (len < part)
			return (int)n;
	}
	to[room - 1] = '\0';
	return (int)room - 1;
}

enum perl_function_state perl_place_print(const struct lang_memory *m, const struct lang_perl *d,
					  uint64_t addr, struct lang_perl_print *ret)
{
	uint64_t file;
	int len;

	memset(ret, 0, sizeof(*ret));
	if (!lang_memory_read(m, addr, ret->statement, 8 * PERL_STATEMENT_WORDS))
		return PERL_FUNCTION_UNREADABLE;
	file = lang_perl_word(ret, d->statement_file);
	len = read_string(m, file, ret->path, sizeof(ret->path));
	if (len < 0)
		return PERL_FUNCTION_STALE;
	ret->file.len = (uint64_t)len;
	return lang_ends_of(m, file, &ret->file) ? PERL_FUNCTION_READ : PERL_FUNCTION_STALE;
}

static enum perl_function_state compare(const struct lang_memory *m, const struct lang_perl *d,
					uint64_t first, uint64_t second, struct lang_perl_print *ret)
{
	enum perl_function_state state = perl_place_print(m, d, first & LANG_POINTER, ret);
	bool compiling = first >> LANG_FLAGS_SHIFT & LANG_PERL_COMPILING;

	if (state != PERL_FUNCTION_READ)
		return state;
	return lang_perl_place_cookie(ret, d, compiling) == (uint32_t)(second >> 32) ?
		       PERL_FUNCTION_READ :
		       PERL_FUNCTION_STALE;
}

static bool read_file(const struct lang_memory *m, uint64_t at, char to[PERL_TEXT_BYTES])
{
	char bytes[PERL_TEXT + 2];
	int len = read_string(m, at, bytes, sizeof(bytes));
	size_t n = (size_t)len < PERL_TEXT ? (size_t)len : PERL_TEXT;
	bool more = (size_t)len > n;

	if (len < 0)
		return false;
	bytes[n] = '\0';
	lang_text_utf8(to, bytes, n, more);
	return true;
}

/* Reads the root and the line from the tree. */
static bool read_tree(const struct lang_memory *m, const struct lang_perl *d, uint64_t first,
		      uint64_t second, struct perl_place *ret)
{
	bool innermost = first >> LANG_FLAGS_SHIFT & LANG_PERL_INNERMOST;
	struct tree t = { .m = m, .left = MAX_OPS };
	int64_t distance = (int32_t)second;
	uint64_t statement = first & LANG_POINTER;
	struct search s = { .d = d, .wanted = statement + (uint64_t)distance * 8,
			    .after = !innermost };

	if (innermost && !find_root(&t, statement, &ret->root))
		return false;
	if (!distance)
		return true;
	return go_to(&t, statement) && find_line(&s, &t, &ret->line);
}

enum perl_function_state perl_place_read(const struct lang_memory *m, const struct lang_perl *d,
					 uint64_t first, uint64_t second, struct perl_place *ret)
{
	struct lang_perl_print p;
	enum perl_function_state state = compare(m, d, first, second, &p);
	bool whole;

	if (state != PERL_FUNCTION_READ)
		return state;
	ret->line = 0;
	ret->root = 0;
	whole = read_file(m, lang_perl_word(&p, d->statement_file), ret->file);
	if (whole && !(first >> LANG_FLAGS_SHIFT & LANG_PERL_COMPILING))
		whole = read_tree(m, d, first, second, ret);
	/* the place belongs to the statement only if it is still the same */
	state = compare(m, d, first, second, &p);
	return state == PERL_FUNCTION_READ && !whole ? PERL_FUNCTION_STALE : state;
}

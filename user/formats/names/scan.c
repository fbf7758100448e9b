// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits a demangled name into tokens (scan.h).
 */
#include "formats/names/scan.h"

#include <string.h>

#include "util/poison.h"

void scan_init(struct scan *c, const char *s)
{
	c->s = c->text = s;
	c->len = 0;
	c->before = c->last = SCAN_END;
	c->operator = c->lost = false;
	c->depth = 0;
}

bool scan_is_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
	       (ch >= '0' && ch <= '9') || ch == '_' || ch == '$' || (unsigned char)ch >= 0x80;
}

/*
 * Return: bytes of the operator's symbol after the word "operator"; 0 if there
 * is none. Only symbols that could be taken for something else are listed;
 * longer ones come first.
 */
static size_t operator_len(const char *s)
{
	static const char *const symbols[] = {
		"->*", "<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "()", "[]",
		"<", ">", ",",
	};
	size_t i, len;

	for (i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		len = strlen(symbols[i]);
		if (!strncmp(s, symbols[i], len))
			return len;
	}
	return 0;
}

static enum scan_kind take_word(struct scan *c)
{
	static const char word[] = "operator";
	size_t len = 0;

	while (scan_is_word(c->text[len]))
		len++;
	c->operator = len == sizeof(word) - 1 && !memcmp(c->text, word, len);
	if (c->operator)
		len += operator_len(c->text + len);
	c->len = len;
	return SCAN_WORD;
}

static enum scan_kind push(struct scan *c, char end, enum scan_kind kind)
{
	if (c->depth == SCAN_MAX_DEPTH) {
		c->lost = true;
		return SCAN_END;
	}
	c->open[c->depth++] = (struct scan_bracket){ end, (unsigned char)kind };
	return kind;
}

static enum scan_kind take_less(struct scan *c)
{
	switch (c->last) {
	case SCAN_WORD:
	case SCAN_CLOSE:	/* "operator T<int><char>" */
		return push(c, '>', SCAN_OPEN);
	case SCAN_SPACE:
		return push(c, '>', c->operator ? SCAN_OPEN : SCAN_LEFT);
	case SCAN_SCOPE:	/* "f::<T>" in Rust */
		return push(c, '>', c->before == SCAN_WORD || c->before == SCAN_CLOSE ?
				    SCAN_OPEN : SCAN_LEFT);
	case SCAN_RIGHT:	/* "f[abi:cxx11]<" */
		return c->text[-1] == ']' ? push(c, '>', SCAN_OPEN) : SCAN_OTHER;
	default:
		return push(c, '>', SCAN_LEFT);
	}
}

static enum scan_kind take_greater(struct scan *c)
{
	if (!c->depth || c->open[c->depth - 1].end != '>' ||
	    (c->last == SCAN_OTHER && c->text[-1] == '-'))
		return SCAN_OTHER;
	c->depth--;
	return c->open[c->depth].kind == SCAN_OPEN ? SCAN_CLOSE : SCAN_RIGHT;
}

/* A closing bracket also closes less-than signs inside it that were taken for brackets. */
static enum scan_kind take_right(struct scan *c, char end)
{
	unsigned int depth = c->depth;

	while (depth && c->open[depth - 1].end == '>')
		depth--;
	if (!depth || c->open[depth - 1].end != end)
		return SCAN_OTHER;
	c->depth = depth - 1;
	return SCAN_RIGHT;
}

static enum scan_kind take_one(struct scan *c)
{
	switch (*c->text) {
	case '<':
		return take_less(c);
	case '>':
		return take_greater(c);
	case '(':
		return push(c, ')', SCAN_LEFT);
	case '[':
		return push(c, ']', SCAN_LEFT);
	case '{':
		return push(c, '}', SCAN_LEFT);
	case ')':
	case ']':
	case '}':
		return take_right(c, *c->text);
	case ',':
		return SCAN_COMMA;
	case ' ':
		return SCAN_SPACE;
	}
	return SCAN_OTHER;
}

enum scan_kind scan_next(struct scan *c)
{
	enum scan_kind kind;

	c->text = c->s;
	c->len = 0;
	if (!*c->s || c->lost)
		return SCAN_END;
	if (scan_is_word(*c->s)) {
		kind = take_word(c);
	} else if (c->s[0] == ':' && c->s[1] == ':') {
		c->len = 2;
		kind = SCAN_SCOPE;
	} else {
		c->len = 1;
		kind = take_one(c);
		c->operator = c->operator && kind == SCAN_SPACE && c->last == SCAN_WORD;
	}
	c->before = c->last;
	c->last = kind;
	c->s += c->len;
	return kind;
}

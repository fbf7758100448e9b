/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/names: reads a demangled name token by token. The
 * meaning of a '<' depends on what precedes it: it opens a template's arguments
 * after a name ("vector<") or an operator's name ("operator< <"), it is a
 * bracket where a name could start ("<T as Trait>"), and an operator in an
 * expression. A '>' closes the last open '<', except in "->".
 *
 * Any text is accepted. If brackets are not balanced, @lost is set or some
 * remain open at the end.
 */
#ifndef USTACK_USER_NAMES_SCAN_H
#define USTACK_USER_NAMES_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum scan_kind {
	SCAN_END,
	SCAN_WORD,	/* an identifier, "operator<<" or a number */
	SCAN_SCOPE,	/* "::" */
	SCAN_OPEN,	/* '<' that opens arguments */
	SCAN_CLOSE,	/* '>' that closes them */
	SCAN_COMMA,
	/* another opening bracket, or a '<' that does not open arguments */
	SCAN_LEFT,
	SCAN_RIGHT,	/* the bracket that closes it */
	SCAN_SPACE,
	SCAN_OTHER,	/* one character */
};

/* Deepest nesting of brackets; @lost is set for a name with more. */
#define SCAN_MAX_DEPTH 256u

/* An open bracket. @end: character that closes it. @kind: SCAN_OPEN or SCAN_LEFT. */
struct scan_bracket {
	char end;
	unsigned char kind;
};

/**
 * struct scan - state of reading a name
 * @s: start of the next token
 * @text: start of the last token
 * @len: bytes of the last token
 * @before: kind of the token before the last one, SCAN_END at first
 * @last: kind of the last token, SCAN_END at first
 * @operator: the last word is an operator's name, possibly followed by a space
 * @lost: there were too many brackets; SCAN_END follows
 * @depth: number of open brackets after the last token
 * @open: the open brackets
 */
struct scan {
	const char *s;
	const char *text;
	size_t len;
	enum scan_kind before;
	enum scan_kind last;
	bool operator;
	bool lost;
	unsigned int depth;
	struct scan_bracket open[SCAN_MAX_DEPTH];
};

/* Return: whether a character may be part of an identifier. */
bool scan_is_word(char ch);

void scan_init(struct scan *c, const char *s);
/* Return: the kind of the next token; SCAN_END at the end, any number of times. */
enum scan_kind scan_next(struct scan *c);

#endif /* USTACK_USER_NAMES_SCAN_H */

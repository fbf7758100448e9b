/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/names: a demangled name, token by token. What a '<' is depends on what
 * is in front of it: the start of a template's arguments behind a name ("vector<"), also
 * of an operator's ("operator< <"), a bracket where a name could start ("<T as Trait>"),
 * or an operator in an expression. A '>' ends what is open, but not in "->".
 *
 * Any text is accepted: what is not balanced is lost() or ends with something open.
 */
#ifndef USTACK_USER_NAMES_SCAN_H
#define USTACK_USER_NAMES_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum scan_kind {
	SCAN_END,
	SCAN_WORD,	/* an identifier, "operator<<" or a number */
	SCAN_SCOPE,	/* "::" */
	SCAN_OPEN,	/* '<' of arguments */
	SCAN_CLOSE,	/* their '>' */
	SCAN_COMMA,
	SCAN_LEFT,	/* another bracket, also a '<' that is none of arguments */
	SCAN_RIGHT,	/* its end */
	SCAN_SPACE,
	SCAN_OTHER,	/* one character */
};

/* Brackets in one another; a name with more is lost. */
#define SCAN_MAX_DEPTH 256u

/* What is open. @kind: SCAN_OPEN or SCAN_LEFT */
struct scan_bracket {
	char end;
	unsigned char kind;
};

/**
 * struct scan - a name that is read
 * @s: where the next token starts
 * @text: the last one
 * @len: bytes of @text
 * @before: the kind of the token before it, SCAN_END at first
 * @operator: the last word is an operator's, perhaps with a space behind
 * @lost: there were too many brackets: what follows is SCAN_END
 * @depth: brackets that are open, after the last token
 * @open: they
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

/* Whether a character is one of an identifier. */
bool scan_is_word(char ch);

void scan_init(struct scan *c, const char *s);
/* Return: the next token's kind; SCAN_END again and again at the end. */
enum scan_kind scan_next(struct scan *c);

#endif /* USTACK_USER_NAMES_SCAN_H */

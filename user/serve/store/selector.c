// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selectors: parses conditions on labels in Prometheus' syntax, and matches label sets against
 * them. The texts may come from the network, so length, number and cost of conditions are limited.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "serve/store/query.h"
#include "serve/store/selector.h"
#include "util/array.h"
#include "util/hex.h"

#include "util/poison.h"

/* One comparison may take so many steps (some milliseconds) and so much memory. */
#define MATCH_LIMIT 100000
#define HEAP_KIB 4096
/* Bytes of a regular expression, and conditions of a selector. */
#define MAX_PATTERN 1024
#define MAX_MATCHERS 64

/* One condition; @code: compiled @value for STORE_MATCH and STORE_NOT_MATCH, else NULL. */
struct matcher {
	char *key;
	char *value;
	enum store_match how;
	pcre2_code *code;
};

/**
 * struct store_selector - conditions, which must all hold
 * @matchers: the conditions
 * @nr: number of entries in @matchers
 * @room: number of entries that @matchers has memory for
 * @data: PCRE2's memory for one comparison
 * @context: PCRE2's limits for comparisons
 * @error: errno of a comparison that was given up, 0 if there was none
 */
struct store_selector {
	struct matcher *matchers;
	uint32_t nr;
	size_t room;
	pcre2_match_data *data;
	pcre2_match_context *context;
	int error;
};

void store_selector_free(struct store_selector *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		free(s->matchers[i].key);
		free(s->matchers[i].value);
		pcre2_code_free(s->matchers[i].code);
	}
	free(s->matchers);
	pcre2_match_data_free(s->data);
	pcre2_match_context_free(s->context);
	free(s);
}

static struct store_selector *new_selector(void)
{
	struct store_selector *s = reallocarray(NULL, 1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct store_selector){ .data = pcre2_match_data_create(1, NULL),
				      .context = pcre2_match_context_create(NULL) };
	if (!s->data || !s->context) {
		store_selector_free(s);
		return NULL;
	}
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
	pcre2_set_depth_limit(s->context, MATCH_LIMIT);
	pcre2_set_heap_limit(s->context, HEAP_KIB);
	return s;
}

/* Compiles a regular expression. A text that is not UTF-8 is refused. */
static int compile(const char *pattern, pcre2_code **ret, struct diag *diag)
{
	const uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOTALL | PCRE2_UTF |
				 PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR text[160] = "";
	PCRE2_SIZE offset;
	int err;

	if (strlen(pattern) > MAX_PATTERN)
		return diag_set(diag, EINVAL, NULL, "a regular expression of more than %d bytes",
				MAX_PATTERN);
	/* (*UCP) and the like change what the rest means */
	if (!strncmp(pattern, "(*", 2))
		return diag_set(diag, EINVAL, NULL, "a regular expression that begins with a verb");
	*ret = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &err, &offset,
			     NULL);
	if (*ret)
		return 0;
	pcre2_get_error_message(err, text, sizeof(text));
	return diag_set(diag, EINVAL, NULL, "at %zu of the regular expression: %s", (size_t)offset,
			(const char *)text);
}

static int add(struct store_selector *s, const char *key, enum store_match how,
	       const char *value, struct diag *diag)
{
	struct matcher m = { .how = how };
	int err = 0;

	if (s->nr == MAX_MATCHERS)
		return diag_set(diag, EINVAL, NULL, "more than %d conditions", MAX_MATCHERS);
	if (!array_has_room(s->matchers, s->nr, s->room))
		return diag_errno(diag, ENOMEM, NULL);
	if (how == STORE_MATCH || how == STORE_NOT_MATCH)
		err = compile(value, &m.code, diag);
	if (err)
		return err;
	m.key = strdup(key);
	m.value = strdup(value);
	if (m.key && m.value) {
		s->matchers[s->nr++] = m;
		return 0;
	}
	free(m.key);
	free(m.value);
	pcre2_code_free(m.code);
	return diag_errno(diag, ENOMEM, NULL);
}

int store_selector_add(struct store_selector *s, const char *key, enum store_match how,
		       const char *value, struct diag *diag)
{
	return add(s, key, how, value, diag);
}

/* A selector that is being parsed; @at: the next byte. */
struct parse {
	const char *text;
	const char *at;
	struct diag *diag;
};

static int wrong(const struct parse *p, const char *why)
{
	diag_set(p->diag, EINVAL, NULL, "at %td of the selector: %s", p->at - p->text, why);
	return -EINVAL;
}

static void skip_blanks(struct parse *p)
{
	p->at += strspn(p->at, " \t\n\r");
}

/* Reads what follows a backslash. Return: the byte that it stands for, or a negative number. */
static int take_escape(struct parse *p)
{
	static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
	const char *at = *p->at ? strchr(from, *p->at) : NULL;
	int high, low;

	if (at) {
		p->at++;
		return (unsigned char)to[at - from];
	}
	if (*p->at != 'x')
		return -1;
	high = hex_digit(p->at[1]);
	low = high < 0 ? -1 : hex_digit(p->at[2]);
	if (low < 0 || !(high | low))
		return -1;
	p->at += 3;
	return high << 4 | low;
}

/* Reads a text in quotes or, if @bare, a word. The caller frees *@ret even after an error. */
static int take_text(struct parse *p, bool bare, char **ret)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-";
	const char quote = *p->at;
	size_t len = strspn(p->at, word), to = 0;
	int c;

	if (quote != '"' && quote != '\'' && quote != '`') {
		if (!bare || !len)
			return wrong(p, bare ? "a label is missing" : "a text in quotes is missing, such as unit=\"nginx.service\"");
		*ret = strndup(p->at, len);
		p->at += len;
		return *ret ? 0 : diag_errno(p->diag, ENOMEM, NULL);
	}
	*ret = reallocarray(NULL, strlen(p->at), 1);
	if (!*ret)
		return diag_errno(p->diag, ENOMEM, NULL);
	for (p->at++; *p->at != quote;) {
		if (!*p->at)
			return wrong(p, "the quote does not end");
		c = (unsigned char)*p->at++;
		if (c == '\\' && quote != '`')
			c = take_escape(p);
		if (c < 0)
			return wrong(p, "an unknown character after a backslash");
		(*ret)[to++] = (char)c;
	}
	p->at++;
	(*ret)[to] = '\0';
	return 0;
}

static int take_how(struct parse *p, enum store_match *ret)
{
	static const struct {
		const char *text;
		enum store_match how;
	} operators[] = { { "=~", STORE_MATCH }, { "!~", STORE_NOT_MATCH }, { "!=", STORE_NOT_EQUAL },
		     { "==", STORE_EQUAL }, { "=", STORE_EQUAL } };
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (strncmp(p->at, operators[i].text, strlen(operators[i].text)))
			continue;
		p->at += strlen(operators[i].text);
		*ret = operators[i].how;
		return 0;
	}
	return wrong(p, "one of = != =~ !~ is missing");
}

static int take_matcher(struct parse *p, struct store_selector *s)
{
	char *key = NULL, *value = NULL;
	enum store_match how = STORE_EQUAL;
	int err = take_text(p, true, &key);

	skip_blanks(p);
	err = err ? err : take_how(p, &how);
	skip_blanks(p);
	err = err ? err : take_text(p, false, &value);
	err = err ? err : add(s, key, how, value, p->diag);
	free(key);
	free(value);
	return err;
}

static int take_all(struct parse *p, struct store_selector *s)
{
	bool braces;
	int err;

	skip_blanks(p);
	braces = *p->at == '{';
	p->at += braces;
	for (;;) {
		skip_blanks(p);
		if (*p->at == (braces ? '}' : '\0'))
			break;
		err = take_matcher(p, s);
		if (err)
			return err;
		skip_blanks(p);
		if (*p->at != ',')
			break;
		p->at++;
	}
	if (braces && *p->at != '}')
		return wrong(p, "a comma or } is missing");
	p->at += braces;
	skip_blanks(p);
	return *p->at ? wrong(p, braces ? "text follows the }" : "a comma is missing") : 0;
}

int store_selector_add_text(struct store_selector *s, const char *text, struct diag *diag)
{
	struct parse p = { .text = text, .at = text, .diag = diag };

	return take_all(&p, s);
}

int store_selector_new(const char *text, struct store_selector **ret, struct diag *diag)
{
	struct store_selector *s = new_selector();
	int err;

	if (!s)
		return diag_errno(diag, ENOMEM, NULL);
	err = store_selector_add_text(s, text ? text : "", diag);
	if (err)
		store_selector_free(s);
	else
		*ret = s;
	return err;
}

int store_selector_error(const struct store_selector *s)
{
	return s ? s->error : 0;
}

/* Return: the text of a label; that of a number is written to @buf. */
static const char *label_text(const struct profile *p, const struct profile_label *l,
			      char buf[STORE_NUMBER_TEXT])
{
	if (l->str)
		return profile_text(p, l->str);
	snprintf(buf, STORE_NUMBER_TEXT, "%" PRId64, l->num);
	return buf;
}

const char *store_labels_text(const struct profile *p, uint32_t labels, const char *key,
			      char buf[STORE_NUMBER_TEXT])
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = 0; i < set->nr; i++)
		if (!strcmp(profile_text(p, p->label[set->first + i].key), key))
			return label_text(p, &p->label[set->first + i], buf);
	return NULL;
}

static bool is_like(struct store_selector *s, const struct matcher *m, const char *text)
{
	int n = pcre2_match(m->code, (PCRE2_SPTR)text, strlen(text), 0, 0, s->data, s->context);

	if (n < 0 && n != PCRE2_ERROR_NOMATCH)
		s->error = n == PCRE2_ERROR_NOMEMORY ? -ENOMEM : -E2BIG;
	return n >= 0;
}

bool store_selector_condition(const struct store_selector *s, uint32_t nr,
			      struct store_condition *ret)
{
	if (!s || nr >= s->nr)
		return false;
	*ret = (struct store_condition){ .key = s->matchers[nr].key, .how = s->matchers[nr].how,
					 .value = s->matchers[nr].value };
	return true;
}

bool store_selector_holds(struct store_selector *s, uint32_t nr, const char *text)
{
	const struct matcher *m = &s->matchers[nr];
	bool is = m->code ? is_like(s, m, text) : !strcmp(text, m->value);

	return is == (m->how == STORE_EQUAL || m->how == STORE_MATCH);
}

bool store_selector_matches(struct store_selector *s, const struct profile *p, uint32_t labels)
{
	char number[STORE_NUMBER_TEXT];
	const char *text;
	uint32_t i;

	for (i = 0; s && i < s->nr; i++) {
		text = store_labels_text(p, labels, s->matchers[i].key, number);
		if (!store_selector_holds(s, i, text ? text : ""))
			return false;
	}
	return true;
}

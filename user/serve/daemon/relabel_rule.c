// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks and compiles one relabelling rule, and expands its templates. config_lists.c gets here by
 * relabel_add().
 */
#include "serve/daemon/relabel_rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/cleanup.h"
#include "util/text.h"
#include "util/utf8.h"

#include "util/poison.h"

#define SAID 64
/* How deep groups may be nested; each level takes stack while PCRE2 compiles. */
#define MAX_NESTING 50

/* Flags of an action: fields that it needs or must not have. */
#define NEEDS_TARGET 1u
#define TARGET_IS_NAME 2u
#define NO_REPLACEMENT 4u
#define NO_REGEX 8u
#define NO_SEPARATOR 16u
#define NO_SOURCES 32u
#define NO_TARGET 64u
#define NO_MODULUS 128u

static const struct {
	const char *name;
	unsigned int flags;
} actions[] = {
	[RELABEL_REPLACE] = { "replace", NEEDS_TARGET },
	[RELABEL_KEEP] = { "keep", 0 },
	[RELABEL_DROP] = { "drop", 0 },
	[RELABEL_KEEPEQUAL] = { "keepequal", NEEDS_TARGET | TARGET_IS_NAME | NO_REPLACEMENT |
				NO_REGEX | NO_SEPARATOR | NO_MODULUS },
	[RELABEL_DROPEQUAL] = { "dropequal", NEEDS_TARGET | TARGET_IS_NAME | NO_REPLACEMENT |
				NO_REGEX | NO_SEPARATOR | NO_MODULUS },
	[RELABEL_HASHMOD] = { "hashmod", NEEDS_TARGET | TARGET_IS_NAME },
	[RELABEL_LABELMAP] = { "labelmap", 0 },
	[RELABEL_LABELDROP] = { "labeldrop", NO_SOURCES | NO_TARGET | NO_REPLACEMENT |
				NO_SEPARATOR | NO_MODULUS },
	[RELABEL_LABELKEEP] = { "labelkeep", NO_SOURCES | NO_TARGET | NO_REPLACEMENT |
				NO_SEPARATOR | NO_MODULUS },
	[RELABEL_LOWERCASE] = { "lowercase", NEEDS_TARGET | TARGET_IS_NAME | NO_REPLACEMENT },
	[RELABEL_UPPERCASE] = { "uppercase", NEEDS_TARGET | TARGET_IS_NAME | NO_REPLACEMENT },
};

#define NR_ACTIONS (sizeof(actions) / sizeof(actions[0]))

/* Reports field @name as wrong; @fmt has one %s, which is @said. */
static int refuse(const char **field, const char *name, struct diag *diag, const char *fmt,
		  const char *said)
{
	char text[SAID];

	*field = name;
	return diag_set(diag, EINVAL, NULL, fmt, text_escape(said, text, sizeof(text)));
}

static int find_action(struct relabel_compiled *c, const char *name, const char **field,
		       struct diag *diag)
{
	size_t i;

	for (i = 0; i < NR_ACTIONS; i++)
		if (!strcasecmp(name ?: "replace", actions[i].name)) {
			c->action = (enum relabel_action)i;
			return 0;
		}
	return refuse(field, "action", diag, "unknown action '%s'", name);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Length of "$name" or "${name}" at @s; 0 if it is neither. */
static size_t reference_len(const char *s)
{
	bool brace = s[1] == '{';
	size_t n = 1 + brace, first = n;

	while (is_word(s[n]))
		n++;
	if (n == first || (brace && s[n] != '}'))
		return 0;
	return n + brace;
}

/* Whether a target or replacement can expand to the name of a label. */
static bool is_template(const char *template)
{
	const char *s = template;
	size_t n;

	if (*s >= '0' && *s <= '9')
		return false;
	while (*s) {
		n = *s == '$' ? reference_len(s) : is_word(*s);
		if (!n)
			return false;
		s += n;
	}
	return s != template;
}

/* Copies the name of the reference at @s to @name. Return: its length; 0 if it is no reference. */
static size_t group_name(const char *s, char *name, size_t len)
{
	size_t n = reference_len(s);
	bool brace = s[1] == '{';
	size_t bytes = n ? n - 1 - 2 * brace : 0;

	if (!n)
		return 0;
	/* no group has so long a name */
	if (bytes >= len)
		bytes = 0;
	memcpy(name, s + 1 + brace, bytes);
	name[bytes] = '\0';
	return n;
}

/*
 * Return: the number of a group by its name or number; negative if there is none. A number has no
 * leading zeros.
 */
static int group_number(const pcre2_code *code, const char *name)
{
	size_t digits = strspn(name, "0123456789");

	if (!*name || name[digits])
		return *name ? pcre2_substring_number_from_name(code, (PCRE2_SPTR)name) : -1;
	if (digits > 8 || (name[0] == '0' && digits > 1))
		return -1;
	return atoi(name);
}

static size_t append(char *ret, size_t at, size_t len, const char *s, size_t bytes)
{
	if (bytes > len - 1 - at)
		bytes = len - 1 - at;
	memcpy(ret + at, s, bytes);
	return at + bytes;
}

size_t relabel_expand(const char *template, const struct relabel_match *m, char *ret,
		      size_t len)
{
	char name[64];
	size_t at = 0, n;
	int group;

	for (; *template; template += n) {
		n = *template == '$' ? group_name(template, name, sizeof(name)) : 0;
		if (!n) {
			at = append(ret, at, len, template, 1);
			/* "$$" stands for "$"; a "$" that begins no reference stands for itself */
			n = template[0] == '$' && template[1] == '$' ? 2 : 1;
			continue;
		}
		group = group_number(m->code, name);
		if (group < 0 || (size_t)group >= m->nr || m->offset[2 * group] == PCRE2_UNSET ||
		    m->offset[2 * group + 1] < m->offset[2 * group])
			continue;
		at = append(ret, at, len, m->subject + m->offset[2 * group],
			    m->offset[2 * group + 1] - m->offset[2 * group]);
	}
	ret[at] = '\0';
	return at;
}

static int check_target(const struct relabel_compiled *c, const char **field,
			struct diag *diag)
{
	unsigned int flags = actions[c->action].flags;
	const char *name = actions[c->action].name;

	if ((flags & NEEDS_TARGET) && !*c->target)
		return refuse(field, NULL, diag, "action '%s' needs a 'target_label'", name);
	if ((flags & NO_TARGET) && *c->target)
		return refuse(field, "target_label", diag, "action '%s' has no 'target_label'", name);
	if (((flags & TARGET_IS_NAME) && !labels_is_name(c->target)) ||
	    (c->action == RELABEL_REPLACE && !labels_is_name(c->target) &&
	     !(strchr(c->target, '$') && is_template(c->target))))
		return refuse(field, "target_label", diag, "'%s' is not a valid label name",
			      c->target);
	if (c->action == RELABEL_LABELMAP && !is_template(c->replacement))
		return refuse(field, "replacement", diag, "'%s' cannot give a label name",
			      c->replacement);
	return 0;
}

static int check_fields(const struct relabel_compiled *c, const char **field,
			struct diag *diag)
{
	unsigned int flags = actions[c->action].flags;
	const struct {
		const char *name;
		bool wrong;
	} fields[] = {
		{ "source_labels", (flags & NO_SOURCES) && c->nr_source },
		{ "separator", (flags & NO_SEPARATOR) && strcmp(c->separator, RELABEL_SEPARATOR) },
		{ "regex", (flags & NO_REGEX) && strcmp(c->regex, RELABEL_REGEX) },
		{ "modulus", (flags & NO_MODULUS) && c->modulus },
		{ "replacement", (flags & NO_REPLACEMENT) &&
				 strcmp(c->replacement, RELABEL_REPLACEMENT) },
	};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].wrong) {
			*field = fields[i].name;
			return diag_set(diag, EINVAL, NULL, "action '%s' has no '%s'",
					actions[c->action].name, fields[i].name);
		}
	if (c->action == RELABEL_HASHMOD && !c->modulus)
		return refuse(field, "modulus", diag, "action '%s' needs a 'modulus' above 0",
			      "hashmod");
	return 0;
}

/*
 * Compiles the expression with Prometheus' meaning: it must match the whole text, "." matches no
 * line feed, "$" only the very end.
 */
static int compile_regex(struct relabel_compiled *c, const char **field, struct diag *diag)
{
	uint32_t options = PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED |
			   PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
	pcre2_compile_context *context;
	PCRE2_UCHAR message[128];
	PCRE2_SIZE at;
	int why;

	/* (*UCP) and the like change what the rest means */
	if (!strncmp(c->regex, "(*", 2))
		return refuse(field, "regex", diag, "regular expression '%s' begins with a verb",
			      c->regex);
	context = pcre2_compile_context_create(NULL);
	if (!context)
		return -ENOMEM;
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	pcre2_set_parens_nest_limit(context, MAX_NESTING);
	c->code = pcre2_compile((PCRE2_SPTR)c->regex, PCRE2_ZERO_TERMINATED, options, &why, &at,
				context);
	pcre2_compile_context_free(context);
	c->any = !strcmp(c->regex, RELABEL_REGEX);
	if (c->code)
		return 0;
	*field = "regex";
	if (pcre2_get_error_message(why, message, sizeof(message)) < 0)
		strcpy((char *)message, "it is invalid");
	return diag_set(diag, EINVAL, NULL, "regular expression, at character %zu: %s", at + 1,
			message);
}

/* Copies a text after checking its length and that it is UTF-8. */
static int copy(char **to, const char *text, const char *name, const char **field,
		struct diag *diag)
{
	if (strlen(text) > RELABEL_MAX_TEXT)
		return refuse(field, name, diag, "'%s' is too long", name);
	if (!utf8_valid(text))
		return refuse(field, name, diag, "'%s' is not UTF-8", name);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int copy_sources(struct relabel_compiled *c, const struct relabel_rule *rule,
			const char **field, struct diag *diag)
{
	size_t i;

	if (rule->nr_source_labels > RELABEL_MAX_SOURCES)
		return refuse(field, "source_labels", diag, "too many '%s'", "source_labels");
	c->source = calloc(rule->nr_source_labels + 1, sizeof(*c->source));
	if (!c->source)
		return -ENOMEM;
	for (i = 0; i < rule->nr_source_labels; i++) {
		if (!labels_is_name(rule->source_labels[i]))
			return refuse(field, "source_labels", diag, "'%s' is not a valid label name",
				      rule->source_labels[i]);
		c->source[c->nr_source] = strdup(rule->source_labels[i]);
		if (!c->source[c->nr_source])
			return -ENOMEM;
		c->nr_source++;
	}
	return 0;
}

int relabel_compile(struct relabel_compiled *ret, const struct relabel_rule *rule,
		    const char **field, struct diag *diag)
{
	*ret = (struct relabel_compiled){ .modulus = rule->modulus };
	return find_action(ret, rule->action, field, diag) ?:
	       copy_sources(ret, rule, field, diag) ?:
	       copy(&ret->separator, rule->separator ?: RELABEL_SEPARATOR, "separator", field,
		    diag) ?:
	       copy(&ret->regex, rule->regex ?: RELABEL_REGEX, "regex", field, diag) ?:
	       copy(&ret->target, rule->target_label ?: "", "target_label", field, diag) ?:
	       copy(&ret->replacement, rule->replacement ?: RELABEL_REPLACEMENT, "replacement",
		    field, diag) ?:
	       check_target(ret, field, diag) ?:
	       check_fields(ret, field, diag) ?:
	       compile_regex(ret, field, diag);
}

void relabel_compiled_release(struct relabel_compiled *c)
{
	size_t i;

	for (i = 0; i < c->nr_source; i++)
		free(c->source[i]);
	free(c->source);
	free(c->separator);
	free(c->regex);
	free(c->target);
	free(c->replacement);
	pcre2_code_free(c->code);
}

bool relabel_compiled_equal(const struct relabel_compiled *a,
			    const struct relabel_compiled *b)
{
	size_t i;

	if (a->action != b->action || a->nr_source != b->nr_source ||
	    a->modulus != b->modulus || strcmp(a->separator, b->separator) ||
	    strcmp(a->regex, b->regex) || strcmp(a->target, b->target) ||
	    strcmp(a->replacement, b->replacement))
		return false;
	for (i = 0; i < a->nr_source; i++)
		if (strcmp(a->source[i], b->source[i]))
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies relabelling rules to a set of labels, and makes the default rules. window.c calls it for
 * each new set of labels.
 */
#include "serve/daemon/relabel.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <md5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "serve/daemon/relabel_rule.h"
#include "util/array.h"

#include "util/poison.h"

/* Limits of one match: some milliseconds, and memory that is kept for the next one. */
#define MATCH_LIMIT 200000u
#define DEPTH_LIMIT 50000u
#define HEAP_LIMIT_KIB 4096u

/* Room for a value before labels_set() cleans it. A character that is cut at the end lies after
 * LABELS_MAX_VALUE.
 */
#define TEXT (LABELS_MAX_VALUE + 8)

/**
 * struct relabel - a list of rules
 * @rule: the compiled rules
 * @nr: number of rules
 * @room: number of rules that @rule has memory for
 * @limits: PCRE2's limits of a match
 * @data: PCRE2's result of a match, large enough for the rule with the most groups
 * @joined: buffer for the joined values of source labels
 * @joined_room: bytes of @joined
 * @unicode: locale that knows the letters of Unicode; 0 if the system has none
 * @failures: see relabel_failures()
 */
struct relabel {
	struct relabel_compiled *rule;
	size_t nr;
	size_t room;
	pcre2_match_context *limits;
	pcre2_match_data *data;
	char *joined;
	size_t joined_room;
	locale_t unicode;
	uint64_t failures;
};

int relabel_new(struct relabel **ret)
{
	struct relabel *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->limits = pcre2_match_context_create(NULL);
	if (!r->limits) {
		free(r);
		return -ENOMEM;
	}
	pcre2_set_match_limit(r->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(r->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(r->limits, HEAP_LIMIT_KIB);
	r->unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	*ret = r;
	return 0;
}

void relabel_free(struct relabel *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nr; i++)
		relabel_compiled_release(&r->rule[i]);
	free(r->rule);
	pcre2_match_data_free(r->data);
	pcre2_match_context_free(r->limits);
	if (r->unicode)
		freelocale(r->unicode);
	free(r->joined);
	free(r);
}

/* Makes room in @r->data for all groups of an expression. */
static bool data_room(struct relabel *r, const pcre2_code *code)
{
	pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);

	if (!data)
		return false;
	if (r->data && pcre2_get_ovector_count(r->data) >= pcre2_get_ovector_count(data)) {
		pcre2_match_data_free(data);
		return true;
	}
	pcre2_match_data_free(r->data);
	r->data = data;
	return true;
}

int relabel_add(struct relabel *r, const struct relabel_rule *rule, const char **field,
		struct diag *diag)
{
	struct relabel_compiled c;
	const char *unused;
	int err;

	field = field ?: &unused;
	*field = NULL;
	if (r->nr == RELABEL_MAX_RULES)
		return diag_set(diag, EINVAL, NULL, "more than %u rules", RELABEL_MAX_RULES);
	err = relabel_compile(&c, rule, field, diag);
	if (!err && (!data_room(r, c.code) || !array_has_room(r->rule, r->nr, r->room)))
		err = -ENOMEM;
	if (err)
		relabel_compiled_release(&c);
	else
		r->rule[r->nr++] = c;
	return err;
}

int relabel_default(struct relabel **ret)
{
	static const char *const id[] = { "__container_id" }, *const uid[] = { "__pod_uid" };
	static const char *const container[] = { "__container_name" };
	static const char *const pod[] = { "__pod_name" };
	static const char *const both_ids[] = { "__container_name", "__container_id" };
	static const char *const both_uids[] = { "__pod_name", "__pod_uid" };
	static const struct relabel_rule rules[] = {
		{ .action = "labelmap",
		  .regex = "__(pid|command|thread|event|stack|unit|namespace|service_.+|"
			   "deployment_environment_name)" },
		{ .source_labels = id, .nr_source_labels = 1, .target_label = "container" },
		{ .source_labels = uid, .nr_source_labels = 1, .target_label = "pod" },
		/*
		 * if names are known, they become "container" and "pod", and ids get other labels
		 */
		{ .source_labels = both_ids, .nr_source_labels = 2, .regex = ".+;(.+)",
		  .target_label = "container_id" },
		{ .source_labels = container, .nr_source_labels = 1, .regex = "(.+)",
		  .target_label = "container" },
		{ .source_labels = both_uids, .nr_source_labels = 2, .regex = ".+;(.+)",
		  .target_label = "pod_uid" },
		{ .source_labels = pod, .nr_source_labels = 1, .regex = "(.+)",
		  .target_label = "pod" },
	};
	struct relabel *r;
	int err = relabel_new(&r);
	size_t i;

	if (err)
		return err;
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]) && !err; i++)
		err = relabel_add(r, &rules[i], NULL, NULL);
	if (err)
		relabel_free(r);
	else
		*ret = r;
	return err;
}

/* Joins the values of source labels. Return: NULL without memory. */
static const char *join(struct relabel *r, const struct relabel_compiled *c,
			const struct labels *set, size_t *ret)
{
	size_t separator = strlen(c->separator), len = 0, n, i;
	const char *value;

	if (c->nr_source == 1) {
		value = labels_get(set, c->source[0]);
		*ret = strlen(value);
		return value;
	}
	for (i = 0; i < c->nr_source; i++) {
		value = labels_get(set, c->source[i]);
		n = strlen(value);
		while (r->joined_room < len + n + separator + 1)
			if (!array_has_room(r->joined, r->joined_room, r->joined_room))
				return NULL;
		if (i) {
			memcpy(r->joined + len, c->separator, separator);
			len += separator;
		}
		memcpy(r->joined + len, value, n);
		len += n;
		r->joined[len] = '\0';
	}
	*ret = len;
	return len ? r->joined : "";
}

/* Whether a text matches; @ret gets its groups. */
static bool matches(struct relabel *r, const struct relabel_compiled *c, const char *text,
		    size_t len, struct relabel_match *ret)
{
	size_t *at = pcre2_get_ovector_pointer(r->data);
	int found;

	*ret = (struct relabel_match){ .code = c->code, .subject = text, .offset = at, .nr = 2 };
	if (c->any && !memchr(text, '\n', len)) {
		at[0] = at[2] = 0;
		at[1] = at[3] = len;
		return true;
	}
	found = pcre2_match(c->code, (PCRE2_SPTR)text, len, 0, PCRE2_NO_UTF_CHECK, r->data,
			    r->limits);
	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		r->failures++;
	ret->nr = found > 0 ? (size_t)found : 0;
	return found > 0;
}

static void replace(struct relabel *r, const struct relabel_compiled *c, struct labels *set,
		    const char *text, size_t len)
{
	char name[LABELS_MAX_NAME + 2], value[TEXT];
	struct relabel_match m;

	if (!matches(r, c, text, len, &m))
		return;
	relabel_expand(c->target, &m, name, sizeof(name));
	relabel_expand(c->replacement, &m, value, sizeof(value));
	if (labels_is_name(name))
		labels_set(set, name, value);
}

/* Sets the target to the last eight bytes of an MD5, as a big-endian number, modulo @modulus. */
static void hashmod(const struct relabel_compiled *c, struct labels *set, const char *text,
		    size_t len)
{
	uint8_t digest[MD5_DIGEST_LENGTH];
	uint64_t low;
	char number[24];
	MD5_CTX md5;

	MD5Init(&md5);
	MD5Update(&md5, (const uint8_t *)text, len);
	MD5Final(digest, &md5);
	memcpy(&low, digest + 8, sizeof(low));
	snprintf(number, sizeof(number), "%" PRIu64, be64toh(low) % c->modulus);
	labels_set(set, c->target, number);
}

/* Return: the code point at the beginning of @text, which is valid UTF-8; @len: its length. */
static wint_t decode(const char *text, unsigned int *len)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned int i;
	wint_t c;

	*len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	c = *len == 1 ? s[0] : s[0] & (0xffu >> (*len + 1));
	for (i = 1; i < *len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

static unsigned int encode(wint_t c, char *to)
{
	unsigned int len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;

	for (i = len - 1; i; i--) {
		to[i] = (char)(0x80 | (c & 0x3f));
		c >>= 6;
	}
	to[0] = (char)(len == 1 ? c : (0xf00u >> len & 0xff) | c);
	return len;
}

static wint_t turn(const struct relabel *r, wint_t c, bool upper)
{
	if (c < 0x80) {
		if (upper)
			return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
		return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
	}
	if (!r->unicode)
		return c;
	return upper ? towupper_l(c, r->unicode) : towlower_l(c, r->unicode);
}

static void turn_case(const struct relabel *r, const struct relabel_compiled *c,
		      struct labels *set, const char *text)
{
	char value[TEXT];
	unsigned int len;
	size_t n = 0;

	while (*text && n + 4 < sizeof(value)) {
		n += encode(turn(r, decode(text, &len), c->action == RELABEL_UPPERCASE),
			    value + n);
		text += len;
	}
	value[n] = '\0';
	labels_set(set, c->target, value);
}

/* Maps names of the labels that the set has at the beginning; labels added here are not mapped. */
static void labelmap(struct relabel *r, const struct relabel_compiled *c, struct labels *set)
{
	char name[LABELS_MAX_NAME + 2];
	struct label old[LABELS_MAX];
	struct relabel_match m;
	size_t nr = set->nr, i;

	memcpy(old, set->label, nr * sizeof(*old));
	for (i = 0; i < nr; i++) {
		if (!matches(r, c, old[i].name, strlen(old[i].name), &m))
			continue;
		relabel_expand(c->replacement, &m, name, sizeof(name));
		if (labels_is_name(name))
			labels_set(set, name, old[i].value);
	}
}

/* Removes labels by their names, for "labeldrop" and "labelkeep". */
static void sift(struct relabel *r, const struct relabel_compiled *c, struct labels *set)
{
	bool keep = c->action == RELABEL_LABELKEEP;
	struct relabel_match m;
	size_t i;

	for (i = set->nr; i--;)
		if (matches(r, c, set->label[i].name, strlen(set->label[i].name), &m) != keep)
			labels_remove(set, i);
}

/* Applies one rule. Return: false if it drops the sample. */
static bool apply(struct relabel *r, const struct relabel_compiled *c, struct labels *set)
{
	struct relabel_match m;
	const char *text;
	size_t len;

	text = join(r, c, set, &len);
	if (!text) {
		r->failures++;
		return true;
	}
	switch (c->action) {
	case RELABEL_REPLACE:
		replace(r, c, set, text, len);
		return true;
	case RELABEL_KEEP:
		return matches(r, c, text, len, &m);
	case RELABEL_DROP:
		return !matches(r, c, text, len, &m);
	case RELABEL_KEEPEQUAL:
		return !strcmp(labels_get(set, c->target), text);
	case RELABEL_DROPEQUAL:
		return strcmp(labels_get(set, c->target), text) != 0;
	case RELABEL_HASHMOD:
		hashmod(c, set, text, len);
		return true;
	case RELABEL_LABELMAP:
		labelmap(r, c, set);
		return true;
	case RELABEL_LABELDROP:
	case RELABEL_LABELKEEP:
		sift(r, c, set);
		return true;
	case RELABEL_LOWERCASE:
	case RELABEL_UPPERCASE:
		turn_case(r, c, set, text);
		return true;
	}
	return true;
}

bool relabel_apply(struct relabel *r, struct labels *set)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (!apply(r, &r->rule[i], set))
			return false;
	return true;
}

uint64_t relabel_failures(const struct relabel *r)
{
	return r->failures;
}

size_t relabel_count(const struct relabel *r)
{
	return r->nr;
}

bool relabel_equal(const struct relabel *a, const struct relabel *b)
{
	size_t i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (!relabel_compiled_equal(&a->rule[i], &b->rule[i]))
			return false;
	return true;
}

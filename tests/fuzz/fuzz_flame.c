// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of a flame graph's page, from any profile: names stay within their
 * strings, whatever they contain, and the numbers add up to those of the tree.
 */
#include <errno.h>
#include <stdio.h>

#include "fuzz.h"

#include "show/flame/data.h"
#include "profile/pprof.h"
#include "util/utf8.h"

/*
 * Return: the end of the text of a string that begins at @s. Escapes are those
 * of util/json.h.
 */
static const char *string_end(const char *s)
{
	unsigned int n;

	for (; *s != '"'; s += n) {
		n = utf8_len(s);
		must(n && (u8)*s >= ' ');
		if (*s == '\\') {
			must(s[1] == '"' || s[1] == '\\' || s[1] == 'u');
			n = 2;
		}
	}
	return s;
}

/*
 * Checks that everything outside of strings is JSON without '<': only in a
 * string can a '<' be escaped.
 */
static void check_strings(const char *json, size_t len)
{
	const char *s;

	for (s = json; *s; s++)
		if (*s == '"')
			s = string_end(s + 1);
		else
			must(strchr("{}[]:,0123456789truefalsn", *s));
	must((size_t)(s - json) == len);
}

static unsigned int sextet(char c)
{
	return c >= 'a' ? c - 'a' + 26 : c >= 'A' ? c - 'A' : c >= '0' ? c - '0' + 52 : c == '+' ? 62 : 63;
}

/* Return: the number of numbers in a field. */
static size_t count_numbers(const char *json, const char *field)
{
	const char *s = strstr(json, field);
	unsigned int bits = 0, nr_bits = 0;
	size_t nr = 0;

	must(s);
	for (s += strlen(field); *s != '"' && *s != '='; s++) {
		bits = bits << 6 | sextet(*s);
		nr_bits += 6;
		if (nr_bits < 8)
			continue;
		nr_bits -= 8;
		nr += !(bits >> nr_bits & 128);
	}
	return nr;
}

static void check_data(const struct profile *p, const struct profile *before, u8 how)
{
	const struct flame_options o = {
		.title = p->nr_comments ? profile_text(p, p->comments[0]) : "<!--",
		.callers = how & 1, .lines = how & 2, .no_inlines = how & 4,
	};
	const struct calltree_options options = {
		.lines = o.lines, .no_inlines = o.no_inlines, .ends = true,
	};
	struct calltree *t;
	char *json = NULL;
	size_t len;
	FILE *out;
	int err;

	err = calltree_new(p, before, &options, &t);
	must(!err || err == -E2BIG);
	if (err)
		return;
	out = open_memstream(&json, &len);
	must(out);
	must(!flame_data(p, before, &o, t, out));
	must(!fclose(out));
	check_strings(json, len);
	must(count_numbers(json, "\"symbols\":\"") == 5 * (size_t)t->nr_symbols);
	must(count_numbers(json, "\"nodes\":\"") == (before ? 4 : 3) * ((size_t)t->nr_nodes - 1));
	free(json);
	calltree_free(t);
}

static bool positive(const struct profile *p)
{
	u32 i;

	for (i = 0; i < p->nr_samples; i++)
		if (p->samples[i].value[0] < 0)
			return false;
	return p->nr_value_types;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct profile *p;

	if (pprof_parse(data, size, "fuzz", &p, NULL))
		return 0;
	if (positive(p)) {
		check_data(p, NULL, data[size - 1]);
		check_data(p, p, data[size - 1]);
	}
	profile_free(p);
	return 0;
}

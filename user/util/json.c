// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of JSON (util/json.h): commas, quotes and escapes.
 */
#include "util/json.h"

#include <inttypes.h>
#include <string.h>

#include "util/utf8.h"

#include "util/poison.h"

/* Whether @s is one of U+0080 to U+009F, which a terminal may interpret. */
static bool is_control(const char *s)
{
	return (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0;
}

/*
 * Return: number of characters at the start of @s that need no escape and have
 * one byte. Most texts have nothing else.
 */
static size_t plain_len(const char *s)
{
	size_t n = 0;

	while ((unsigned char)s[n] >= ' ' && (unsigned char)s[n] < 0x7f && s[n] != '"' &&
	       s[n] != '\\')
		n++;
	return n;
}

/* Writes one character, escaped if needed. Return: number of bytes of @s that it has. */
static unsigned int put_character(FILE *out, const char *s)
{
	unsigned int n = utf8_len(s);

	if (!n)
		fputs("\\ufffd", out);
	else if (*s == '"' || *s == '\\')
		fprintf(out, "\\%c", *s);
	else if ((unsigned char)*s < ' ' || *s == 0x7f)
		fprintf(out, "\\u%04x", (unsigned char)*s);
	else if (n == 2 && is_control(s))
		fprintf(out, "\\u%04x", (unsigned char)s[1]);
	else
		fwrite(s, 1, n, out);
	return n ? n : 1;
}

static void put_string(FILE *out, const char *value)
{
	const char *s = value;
	size_t plain;

	fputc('"', out);
	while (*s) {
		plain = plain_len(s);
		if (plain)
			fwrite(s, 1, plain, out);
		s += plain;
		if (*s)
			s += put_character(out, s);
	}
	fputc('"', out);
}

static void start_value(struct json *j, const char *name)
{
	if (!j->first)
		fputs(",", j->out);
	j->first = false;
	if (name) {
		put_string(j->out, name);
		fputs(":", j->out);
	}
}

void json_object(struct json *j, const char *name)
{
	start_value(j, name);
	fputs("{", j->out);
	j->first = true;
}

void json_object_end(struct json *j)
{
	fputs("}", j->out);
	j->first = false;
}

void json_array(struct json *j, const char *name)
{
	start_value(j, name);
	fputs("[", j->out);
	j->first = true;
}

void json_array_end(struct json *j)
{
	fputs("]", j->out);
	j->first = false;
}

void json_string(struct json *j, const char *name, const char *value)
{
	start_value(j, name);
	put_string(j->out, value);
}

void json_u64(struct json *j, const char *name, uint64_t value)
{
	start_value(j, name);
	fprintf(j->out, "%" PRIu64, value);
}

void json_i64(struct json *j, const char *name, int64_t value)
{
	start_value(j, name);
	fprintf(j->out, "%" PRId64, value);
}

void json_double(struct json *j, const char *name, double value)
{
	start_value(j, name);
	fprintf(j->out, "%.6g", value);
}

void json_millionths(struct json *j, const char *name, int64_t millionths)
{
	uint64_t size = millionths < 0 ? -(uint64_t)millionths : (uint64_t)millionths;

	start_value(j, name);
	fprintf(j->out, "%s%" PRIu64, millionths < 0 ? "-" : "", size / 1000000);
	if (size % 1000000)
		fprintf(j->out, ".%06" PRIu64, size % 1000000);
}

void json_bool(struct json *j, const char *name, bool value)
{
	start_value(j, name);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *name)
{
	start_value(j, name);
	fputs("null", j->out);
}

void json_end(struct json *j)
{
	fputs("\n", j->out);
	j->first = true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognizes files that are no pprof profile, for a better error message. See
 * foreign.h; pprof_read.c calls it.
 */
#include "profile/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "util/utf8.h"

#include "util/poison.h"

/*
 * Bytes of a text that are looked at; a text with less than LEAST_TEXT is not
 * recognized.
 */
#define LOOK_BYTES 4096u
#define LEAST_TEXT 4u

/* Formats that are recognized by their first bytes. */
static const struct magic {
	const char *bytes;
	const char *format;
} magics[] = {
	{ "PERFILE2", "is a file of perf record: ustack report, flame, diff, export and symbolize read it" },
	{ "\x7f" "ELF", "is an ELF file, not a profile" },
	{ "GSYM", "is a GSYM file, not a profile: ustack gsym shows it" },
	{ "MYSG", "is a GSYM file, not a profile: ustack gsym shows it" },
	{ "\x28\xb5\x2f\xfd", "is compressed by zstd: decompress it first" },
	{ "\xfd" "7zXZ", "is compressed by xz: decompress it first" },
	{ "FLR", "is a recording of Java's Flight Recorder, which cannot be read" },
};

/*
 * Return: whether it is UTF-8 without control characters, except white space.
 */
static bool is_text(const char *s, size_t len)
{
	char text[LOOK_BYTES + 1];
	unsigned int n;
	size_t i;

	len = len < LOOK_BYTES ? len : LOOK_BYTES;
	memcpy(text, s, len);
	text[len] = '\0';
	for (i = 0; i < len; i += n) {
		n = (unsigned char)text[i] < 0x80 ? 1 : utf8_len(text + i);
		if (n == 1 && !isprint((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
			return false;
		/*
		 * a character cut at the end of the look is fine, one cut at
		 * the end of the text is not
		 */
		if (!n)
			return len == LOOK_BYTES && i + 4 > len;
	}
	return len >= LEAST_TEXT;
}

static bool has(const char *s, size_t len, const char *word)
{
	return memmem(s, len < LOOK_BYTES ? len : LOOK_BYTES, word, strlen(word));
}

/*
 * Return: whether it looks like "a;b;c 12": frames, outermost first, and a
 * number.
 */
static bool is_folded(const char *s, size_t len)
{
	const char *end = memchr(s, '\n', len < LOOK_BYTES ? len : LOOK_BYTES);
	const char *at = end ? end : s + len;

	while (at > s && isdigit((unsigned char)at[-1]))
		at--;
	return at > s && at[-1] == ' ' && (end ? at < end : at < s + len) &&
	       isgraph((unsigned char)s[0]);
}

static const char *text_format(const char *s, size_t len)
{
	size_t blanks = 0;

	while (blanks < len && isspace((unsigned char)s[blanks]))
		blanks++;
	if (blanks < len && (s[blanks] == '{' || s[blanks] == '['))
		return has(s, len, "speedscope") ?
			"holds a speedscope profile, which ustack export writes but nothing reads" :
			"holds JSON, not a pprof profile";
	if (has(s, len, ":\n\t") || has(s, len, ": \n\t"))
		return "holds text of perf script that does not begin with a sample";
	if (is_folded(s, len))
		return "holds folded stacks, which ustack export writes but nothing reads";
	return "is a text, not a pprof profile";
}

const char *foreign_format(const void *bytes, size_t len)
{
	size_t i;

	if (!len)
		return "is empty";
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		size_t n = strlen(magics[i].bytes);

		if (len >= n && !memcmp(bytes, magics[i].bytes, n))
			return magics[i].format;
	}
	return is_text(bytes, len) ? text_format(bytes, len) : NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses lines of objdump -D -b binary --no-show-raw-insn. See objdump.h:
 *
 *	  40113a:	jne    0x401160
 *	  40113c:	lea    0x2ec1(%rip),%rdi        # 0x404004
 *	   36018:	b.eq	0x36038  // b.none
 */
#include <string.h>

#include "show/annotate/objdump.h"
#include "util/hex.h"

#include "util/poison.h"

/* Return: number of digits read; 0 if there is none, or more than 16. */
static size_t read_hex(const char *text, size_t len, uint64_t *ret)
{
	size_t n;

	*ret = 0;
	for (n = 0; n < len && hex_digit(text[n]) >= 0; n++) {
		if (n == 16)
			return 0;
		*ret = *ret << 4 | (uint64_t)hex_digit(text[n]);
	}
	return n;
}

bool objdump_line(const char *line, size_t len, struct objdump_line *ret)
{
	size_t at = 0, digits;

	while (at < len && line[at] == ' ')
		at++;
	digits = read_hex(line + at, len - at, &ret->address);
	at += digits;
	if (!digits || len - at < 2 || line[at] != ':' || line[at + 1] != '\t')
		return false;
	at += 2;
	while (len > at && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	ret->text = line + at;
	ret->len = len - at;
	return len > at;
}

/*
 * Return: length of the text before a comment that objdump adds, such as "//
 * b.none" on arm64.
 */
static size_t before_comment(const char *text, size_t len)
{
	const char *comment = memmem(text, len, "//", 2);

	len = comment ? (size_t)(comment - text) : len;
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len;
}

/*
 * Return: whether the word that ends at @end jumps to its operand; "push 0x10"
 * does not.
 */
static bool goes_there(const char *text, size_t end)
{
	static const char *const words[] = { "j", "call", "loop", "xbegin", "b" };
	size_t start, i;

	while (end && text[end - 1] == ' ')
		end--;
	for (start = end; start && text[start - 1] != ' ' && text[start - 1] != '\t';)
		start--;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (end - start >= strlen(words[i]) &&
		    !memcmp(text + start, words[i], strlen(words[i])))
			return true;
	return false;
}

/*
 * On x86 operands have no blank between them, and an operand after a comma may
 * be a constant. On arm64 constants have a '#'.
 */
bool objdump_reference(const char *text, size_t len, size_t *at, size_t *end, uint64_t *address)
{
	size_t stop = before_comment(text, len), start = stop;
	bool meant;

	while (start && text[start - 1] != ' ' && text[start - 1] != '\t' && text[start - 1] != ',')
		start--;
	if (text[0] == '.' || start < 2 || text[start - 1] == ',' || stop - start < 3 ||
	    memcmp(text + start, "0x", 2))
		return false;
	meant = text[start - 2] == '#' || text[start - 2] == ',';
	if (!meant && !goes_there(text, start - 1))
		return false;
	*at = start;
	*end = stop;
	return read_hex(text + start + 2, stop - start - 2, address) == stop - start - 2;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Parses lines of perf script's text. See script_line.h; script.c calls it. */
#include "capture/perfimport/script_line.h"

#include <ctype.h>
#include <string.h>

#include "util/poison.h"

/* The rest of a line. */
struct text {
	const char *at;
	const char *end;
};

static void blanks(struct text *t)
{
	while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
		t->at++;
}

/* Takes a word and the blanks after it. Return: false if there is none. */
static bool word(struct text *t, struct script_text *ret)
{
	ret->at = t->at;
	while (t->at < t->end && *t->at != ' ' && *t->at != '\t')
		t->at++;
	ret->len = (size_t)(t->at - ret->at);
	blanks(t);
	return ret->len;
}

/*
 * Parses digits at the start of a text. Return: their number, 0 if there are
 * none or too many.
 */
static size_t number(const char *s, size_t len, unsigned int base, uint64_t *ret)
{
	uint64_t v = 0;
	size_t i;
	int digit;

	for (i = 0; i < len; i++) {
		digit = isdigit((unsigned char)s[i]) ? s[i] - '0' :
			base == 16 && s[i] >= 'a' && s[i] <= 'f' ? s[i] - 'a' + 10 : -1;
		if (digit < 0)
			break;
		if (v > (UINT64_MAX - (uint64_t)digit) / base)
			return 0;
		v = v * base + (uint64_t)digit;
	}
	*ret = v;
	return i;
}

/* Parses "TID" or "PID/TID". The idle thread is 0, an unknown one -1. */
static bool ids(const struct script_text *w, struct script_head *h)
{
	uint64_t first, second;
	size_t n;

	if (w->len == 2 && !memcmp(w->at, "-1", 2))
		return true;
	n = number(w->at, w->len, 10, &first);
	if (!n || first > UINT32_MAX)
		return false;
	h->tid = (uint32_t)first;
	if (n == w->len)
		return true;
	if (w->at[n] != '/' || number(w->at + n + 1, w->len - n - 1, 10, &second) != w->len - n - 1 ||
	    w->len == n + 1 || second > UINT32_MAX)
		return false;
	h->pid = (uint32_t)first;
	h->tid = (uint32_t)second;
	return true;
}

/* Parses "1234.567890:", with microseconds or nanoseconds. */
static bool moment(const struct script_text *w, uint64_t *ret)
{
	uint64_t seconds, part;
	size_t n = number(w->at, w->len, 10, &seconds), m, i;

	if (!n || n + 2 > w->len || w->at[n] != '.' || w->at[w->len - 1] != ':')
		return false;
	m = number(w->at + n + 1, w->len - n - 2, 10, &part);
	if (!m || m > 9 || n + m + 2 != w->len || seconds > UINT32_MAX)
		return false;
	for (i = m; i < 9; i++)
		part *= 10;
	*ret = seconds * 1000000000 + part;
	return true;
}

static bool is_cpu(const struct script_text *w)
{
	uint64_t cpu;

	return w->len > 2 && w->at[0] == '[' && w->at[w->len - 1] == ']' &&
	       number(w->at + 1, w->len - 2, 10, &cpu) == w->len - 2;
}

/*
 * Return: whether it is "K", "U", "Kc" or similar, which perf script -F +misc
 * prints.
 */
static bool is_misc(const struct script_text *w)
{
	size_t i;

	for (i = 0; i < w->len; i++)
		if (!isupper((unsigned char)w->at[i]) && w->at[i] != 'c' && w->at[i] != 'p')
			return false;
	return w->len <= 5;
}

/* Parses what follows the thread's name. */
static bool tail(struct text t, struct script_head *h)
{
	struct script_text w;
	struct text before;
	bool timed = false;

	if (!word(&t, &w) || !ids(&w, h))
		return false;
	before = t;
	if (word(&t, &w) && is_cpu(&w))
		before = t;
	t = before;
	if (word(&t, &w) && is_misc(&w))
		before = t;
	t = before;
	if (word(&t, &w) && moment(&w, &h->time_ns)) {
		timed = true;
		before = t;
	}
	t = before;
	if (word(&t, &w) && number(w.at, w.len, 10, &h->period) == w.len) {
		h->has_period = true;
		before = t;
	}
	t = before;
	if (word(&t, &w) && w.len > 1 && w.at[w.len - 1] == ':') {
		h->event = (struct script_text){ w.at, w.len - 1 };
		before = t;
	}
	h->rest = (struct script_text){ before.at, (size_t)(before.end - before.at) };
	return timed || h->event.len;
}

bool script_head(const char *line, size_t len, struct script_head *ret)
{
	struct text t = { line, line + len };
	const char *start, *end;
	struct script_text w;

	if (len && line[len - 1] == '\r')
		t.end--;
	blanks(&t);
	start = end = t.at;
	/*
	 * a name may contain blanks and numbers: it ends at the first place
	 * where the rest fits
	 */
	do {
		*ret = (struct script_head){ .tid = 0 };
		if (tail(t, ret)) {
			ret->comm = (struct script_text){ start, (size_t)(end - start) };
			return true;
		}
		if (!word(&t, &w))
			return false;
		end = w.at + w.len;
	} while (t.at < t.end);
	return false;
}

/*
 * Takes the last "(...)" of a line, the file. Return: end of the part before
 * it; NULL if none.
 */
static const char *take_file(const struct text *t, struct script_text *ret)
{
	const char *open = t->end - 1;
	unsigned int depth = 1;

	if (t->at >= t->end || *open != ')')
		return NULL;
	while (open > t->at && depth) {
		open--;
		depth += *open == ')';
		depth -= *open == '(';
	}
	/* brackets in a path may not match */
	if (depth || open == t->at || open[-1] != ' ')
		return NULL;
	*ret = (struct script_text){ open + 1, (size_t)(t->end - 1 - (open + 1)) };
	return open - 1;
}

static bool is(const struct script_text *t, const char *word)
{
	return t->len == strlen(word) && !memcmp(t->at, word, t->len);
}

/* Return: length of a name without a "+0x1e" at its end. */
static size_t without_offset(const char *s, size_t len)
{
	size_t i = len;
	uint64_t v;

	while (i && s[i - 1] != '+')
		i--;
	if (i < 2 || len - i < 3 || s[i] != '0' || s[i + 1] != 'x' ||
	    number(s + i + 2, len - i - 2, 16, &v) != len - i - 2)
		return len;
	return i - 1;
}

/*
 * A function without a name is "dash+0xae40" in ustack's text: the offset stays
 * part of the name.
 */
static bool is_of_file(const struct script_text *name, const struct script_text *file)
{
	return name->len && name->len < file->len &&
	       !memcmp(file->at + file->len - name->len, name->at, name->len) &&
	       file->at[file->len - name->len - 1] == '/';
}

bool script_frame(const char *line, size_t len, struct script_frame *ret)
{
	struct text t = { line, line + len };
	const char *end;
	size_t n;

	*ret = (struct script_frame){ .address = 0 };
	while (t.end > t.at && (t.end[-1] == '\r' || t.end[-1] == ' '))
		t.end--;
	blanks(&t);
	n = number(t.at, (size_t)(t.end - t.at), 16, &ret->address);
	t.at += n;
	if (!n || t.at >= t.end || *t.at != ' ')
		return false;
	end = take_file(&t, &ret->file);
	if (!end)
		return false;
	ret->inlined = is(&ret->file, "inlined");
	blanks(&t);
	if (end > t.at)
		ret->name = (struct script_text){ t.at, without_offset(t.at, (size_t)(end - t.at)) };
	if (is_of_file(&ret->name, &ret->file))
		ret->name.len = (size_t)(end - t.at);
	if (is(&ret->name, "[unknown]"))
		ret->name.len = 0;
	if (ret->inlined || is(&ret->file, "[unknown]"))
		ret->file.len = 0;
	return true;
}

bool script_source(const char *line, size_t len, struct script_text *file, uint32_t *ret)
{
	struct text t = { line, line + len };
	const char *colon;
	uint64_t v;

	if (len && line[len - 1] == '\r')
		t.end--;
	blanks(&t);
	if (t.at == line || t.at == t.end)
		return false;
	colon = memrchr(t.at, ':', (size_t)(t.end - t.at));
	if (!colon || colon == t.at || colon + 1 == t.end ||
	    number(colon + 1, (size_t)(t.end - colon - 1), 10, &v) != (size_t)(t.end - colon - 1))
		return false;
	*file = (struct script_text){ t.at, (size_t)(colon - t.at) };
	*ret = v > UINT32_MAX ? 0 : (uint32_t)v;
	return true;
}

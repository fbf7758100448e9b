// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs libiberty's demanglers within the bounds of demangle.h, and leaves out
 * arguments of templates. Names without a mark of their language go to the
 * readers of languages.h.
 */
#include "formats/names/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "formats/names/languages.h"
#include "formats/names/scan.h"

#include "util/poison.h"

/**
 * struct text - the demangled text of a name
 * @s: text, DEMANGLE_MAX_TEXT bytes
 * @len: bytes used in @s
 * @keep_pieces: see take_piece()
 * @full: continues here if the text does not fit
 */
struct text {
	char *s;
	size_t len;
	bool keep_pieces;
	jmp_buf full;
};

static bool is_ascii(const char *s, size_t len)
{
	while (len)
		if ((unsigned char)s[--len] >= 0x80)
			return false;
	return true;
}

/*
 * Callback of libiberty, which is left by longjmp() as soon as the text is
 * full: otherwise it would continue without end. It owns no memory at that
 * moment except its stack, with one exception: the memory for Rust's decoded
 * punycode, and the text of that always has characters that are not ASCII. So
 * for Rust such pieces are accepted and discarded, and the next piece, at the
 * latest the "::" between two of them, is ASCII.
 */
static void take_piece(const char *piece, size_t len, void *arg)
{
	struct text *t = arg;

	/* an empty piece may be NULL */
	if (!len)
		return;
	if (len < DEMANGLE_MAX_TEXT - t->len) {
		memcpy(t->s + t->len, piece, len);
		t->len += len;
		return;
	}
	if (t->keep_pieces && !is_ascii(piece, len)) {
		t->len = DEMANGLE_MAX_TEXT - 1;
		return;
	}
	longjmp(t->full, 1);
}

typedef int (*demangler)(const char *name, int options, demangle_callbackref callback,
			 void *arg);

/* Return: bytes of the text, 0 if there is none. */
static size_t run(demangler fn, const char *name, int options, char *ret)
{
	struct text t = { .s = ret, .keep_pieces = fn == rust_demangle_callback };

	if (setjmp(t.full) || !fn(name, options, take_piece, &t))
		return 0;
	/* a NUL inside the text would come from a forged mangled name */
	t.s[t.len] = '\0';
	return t.len == strlen(t.s) ? t.len : 0;
}

/*
 * libiberty reads the arguments of a template parameter ("T_I...E") twice if
 * they are in the type of a conversion operator ("cv"), and so 2^n times if
 * they are nested n deep. This counts all parameters with arguments, wherever
 * they are.
 */
static unsigned int count_rereads(const char *name)
{
	unsigned int nr = 0;
	const char *t, *p;

	if (!strstr(name, "cv"))
		return 0;
	for (t = strchr(name, 'T'); t; t = strchr(t + 1, 'T')) {
		p = t + 1;
		while ((*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z'))
			p++;
		nr += p[0] == '_' && p[1] == 'I';
	}
	return nr;
}

/*
 * Without parameters libiberty does not check the end of the name, and does not
 * print the suffixes of clones. So the whole name is demangled first.
 */
static size_t demangle_cplus(const char *name, bool no_params, char *ret)
{
	char clones[256] = "";
	const char *clone;
	size_t len;

	if (strlen(name) > DEMANGLE_MAX_CPLUS || count_rereads(name) > DEMANGLE_MAX_REREADS)
		return 0;
	len = run(cplus_demangle_v3_callback, name, DMGL_PARAMS | DMGL_ANSI, ret);
	if (!len || !no_params)
		return len;
	clone = ret[len - 1] == ']' ? strstr(ret, " [clone ") : NULL;
	if (clone && strlen(clone) < sizeof(clones))
		strcpy(clones, clone);
	len = run(cplus_demangle_v3_callback, name, DMGL_ANSI, ret);
	if (!len || len + strlen(clones) >= DEMANGLE_MAX_TEXT)
		return 0;
	strcpy(ret + len, clones);
	return len + strlen(clones);
}

/*
 * Counts references to anything but identifiers, as these are expanded again
 * and again. It counts everything that may be such a reference, including
 * letters of identifiers.
 */
static unsigned int count_d_references(const char *name)
{
	unsigned int nr = 0;
	const char *q, *p;
	size_t back;

	for (q = strchr(name, 'Q'); q; q = strchr(q + 1, 'Q')) {
		back = 0;
		for (p = q + 1; *p >= 'A' && *p <= 'Z' && back <= DEMANGLE_MAX_CPLUS; p++)
			back = back * 26 + (size_t)(*p - 'A');
		if (*p < 'a' || *p > 'z')
			continue;
		back = back * 26 + (size_t)(*p - 'a');
		if (back <= (size_t)(q - name) && (*(q - back) < '0' || *(q - back) > '9'))
			nr++;
	}
	return nr;
}

/*
 * The attributes of a parameter may come in any order, but libiberty knows only
 * one: "return" is "Nk" and "scope" is "M". Both orders have the same length,
 * so back references remain correct. Return: whether anything was changed.
 */
static bool order_d_parameters(char *name)
{
	char *p = strstr(name, "NkM");
	bool found = p;

	for (; p; p = strstr(p + 3, "NkM"))
		memcpy(p, "MNk", 3);
	return found;
}

/*
 * order_d_parameters() may also have changed an identifier of @name.
 * Identifiers are part of the text, so that can be seen there.
 */
static char *demangle_d_reordered(const char *name)
{
	char other[DEMANGLE_MAX_CPLUS + 1], *text;

	strcpy(other, name);
	if (!order_d_parameters(other))
		return NULL;
	text = dlang_demangle(other, DMGL_PARAMS);
	if (text && strstr(text, "MNk")) {
		free(text);
		return NULL;
	}
	return text;
}

static size_t demangle_d_plain(const char *name, char *ret, size_t room)
{
	size_t len = 0;
	char *text;

	if (strlen(name) > DEMANGLE_MAX_CPLUS ||
	    count_d_references(name) > DEMANGLE_MAX_D_REFERENCES)
		return 0;
	text = dlang_demangle(name, DMGL_PARAMS);
	if (!text)
		text = demangle_d_reordered(name);
	if (text)
		len = strlen(text);
	if (len >= room)
		len = 0;
	if (len)
		memcpy(ret, text, len + 1);
	free(text);
	return len;
}

#define D_THUNK "_DTi"
#define THUNK_TO "thunk to "

/* Demangles GDC's "_DTi16_D...": a method of an interface, 16 bytes into the object. */
static size_t demangle_d(const char *name, char *ret)
{
	const size_t to = strlen(THUNK_TO);
	const char *method = name + strlen(D_THUNK);
	size_t len;

	if (strncmp(name, D_THUNK, strlen(D_THUNK)))
		return demangle_d_plain(name, ret, DEMANGLE_MAX_TEXT);
	method += strspn(method, "0123456789");
	len = strncmp(method, "_D", 2) ? 0 :
		demangle_d_plain(method, ret + to, DEMANGLE_MAX_TEXT - to);
	if (len)
		memcpy(ret, THUNK_TO, to);
	return len ? len + to : 0;
}

/* Names of Rust and C++ both start with "_ZN"; those of Rust end with a hash. */
static size_t demangle_rust(const char *name, char *ret)
{
	if (strlen(name) > DEMANGLE_MAX_RUST)
		return 0;
	return run(rust_demangle_callback, name, 0, ret);
}

/* Demangles languages whose names have no mark of their own, see languages.h. */
static size_t demangle_other(const char *name, char *ret)
{
	size_t len = ocaml_name(name, ret, DEMANGLE_MAX_TEXT);

	if (!len)
		len = ada_name(name, false, ret, DEMANGLE_MAX_TEXT);
	return len ? len : haskell_name(name, ret, DEMANGLE_MAX_TEXT);
}

static size_t demangle_plain(const char *name, bool no_params, char *ret)
{
	size_t len = 0;

	if (name[0] != '_')
		return demangle_other(name, ret);
	switch (name[1]) {
	case 'R':
		return demangle_rust(name, ret);
	case 'Z':
		if (strstr(name, "17h"))
			len = demangle_rust(name, ret);
		return len ? len : demangle_cplus(name, no_params, ret);
	case 'G':
		return demangle_cplus(name, no_params, ret);
	case 'D':
		return demangle_d(name, ret);
	case 'a':
		return ada_name(name, false, ret, DEMANGLE_MAX_TEXT);
	}
	return 0;
}

size_t demangle(const char *name, bool no_params, char *ret)
{
	const char *version = strchr(name, '@');
	char plain[DEMANGLE_MAX_RUST + 1];
	size_t len;

	if (!version)
		return demangle_plain(name, no_params, ret);
	len = (size_t)(version - name);
	if (len >= sizeof(plain))
		return 0;
	memcpy(plain, name, len);
	plain[len] = '\0';
	len = demangle_plain(plain, no_params, ret);
	if (!len || strlen(version) >= DEMANGLE_MAX_TEXT - len)
		return 0;
	strcpy(ret + len, version);
	return len + strlen(version);
}

/* Return: whether it fits. */
static bool append(char *to, size_t *len, const char *s, size_t n)
{
	if (n >= DEMANGLE_MAX_TEXT - *len)
		return false;
	memcpy(to + *len, s, n);
	*len += n;
	return true;
}

/*
 * Return: bytes in @to; 0 if the brackets of arguments are not balanced, or if
 * the text is too long.
 */
static size_t collapse(struct scan *c, char *to)
{
	/* depth of the list of arguments that is left out */
	unsigned int outer = 0;
	enum scan_kind kind;
	size_t len = 0;

	while ((kind = scan_next(c)) != SCAN_END) {
		if (outer && c->depth >= outer)
			continue;
		if (outer && kind != SCAN_CLOSE)
			return 0;
		outer = kind == SCAN_OPEN && *c->s != '>' ? c->depth : 0;
		if (!append(to, &len, c->text, c->len) ||
		    (outer && !append(to, &len, "...", 3)))
			return 0;
	}
	to[len] = '\0';
	return outer || c->lost ? 0 : len;
}

size_t demangle_collapse(const char *text, char *ret)
{
	struct scan c;

	if (!strchr(text, '<'))
		return 0;
	scan_init(&c, text);
	return collapse(&c, ret);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion of a command line from the tables that parse it and its help are made of. The
 * shells' scripts (scripts/completion) ask the program at each Tab, so there is no list of
 * options that could be forgotten.
 */
#include "util/options.h"

#include <ctype.h>
#include <string.h>

#include "util/poison.h"

/* What the shell completes itself, by what the help calls a value or an operand. */
static const struct {
	const char *arg;
	const char *what;
} kinds[] = {
	{ "FILE", ":files" },	  { "OUT", ":files" },	     { "PROFILE", ":files" },
	{ "BEFORE", ":files" },	  { "AFTER", ":files" },     { "GSYM", ":files" },
	{ "MAP", ":files" },	  { "CAPTURE", ":files" },   { "PATH", ":files" },
	{ "DIR", ":folders" },	  { "PID", ":processes" },   { "USER", ":users" },
	{ "COMMAND", ":command" },
};

/* The kind of a word such as "FILE", "[FILE]" or "PID[,PID...]"; NULL: it is none. */
static const char *find_kind(const char *word, size_t len)
{
	size_t i;

	while (len && *word == '[') {
		word++;
		len--;
	}
	for (i = 0; i < len && isupper((unsigned char)word[i]); i++)
		;
	for (len = i, i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].arg) == len && !strncmp(kinds[i].arg, word, len))
			return kinds[i].what;
	return NULL;
}

/* The first operand of a synopsis that has a kind. */
static const char *operand_kind(const char *synopsis)
{
	const char *word = synopsis, *what = NULL;
	bool value = false;	/* of the option before */
	size_t len;

	for (; *word && !what; word += len) {
		word += strspn(word, " |");
		len = strcspn(word, " \n");
		if (*word == '\n') {
			len = 1;
			value = false;
		} else if (strspn(word, "[") < len && word[strspn(word, "[")] == '-') {
			value = word[len - 1] != ']';
		} else {
			if (!value)
				what = find_kind(word, len);
			value = false;
		}
	}
	return what;
}

/* "PREFIXword", if it begins as what was typed. */
static void put(FILE *out, const char *prefix, size_t len, const char *word, const char *typed,
		const char *help)
{
	if (!strncmp(word, typed, strlen(typed)))
		fprintf(out, "%.*s%s\t%s\n", (int)len, prefix, word, help);
}

/* @prefix: the part of the word in front of the value, @len bytes */
static void put_values(const struct option_spec *spec, bool second, const char *prefix, size_t len,
		       const char *typed, FILE *out)
{
	const char *what = find_kind(spec->arg, strlen(spec->arg)), *comma = strrchr(typed, ',');
	const char *word;
	unsigned int i;

	if (spec->word && !second) {
		/* of a list the last one; @typed follows @prefix */
		if (comma)
			len += (size_t)(comma + 1 - typed);
		for (i = 0; (word = spec->word(i)); i++)
			put(out, prefix, len, word, comma ? comma + 1 : typed, "");
	} else if (what && !second) {
		fprintf(out, "%s %.*s\n", what, (int)len, prefix);
	}
}

static void put_options(const struct option_spec *specs, const char *typed, FILE *out)
{
	for (; specs->kind != OPTION_KIND_END; specs++)
		if (specs->help && typed[1] && typed[1] == specs->letter && !typed[2])
			put(out, typed, 2, "", "", specs->help);
		else if (specs->help && (!typed[1] || typed[1] == '-'))
			put(out, "--", 2, specs->name, typed[1] ? typed + 2 : "", specs->help);
	if (!typed[1] || typed[1] == '-')
		put(out, "--", 2, "help", typed[1] ? typed + 2 : "", "print this");
}

static void put_operand(const char *synopsis, FILE *out)
{
	const char *what = operand_kind(synopsis);

	if (what && !strcmp(what, ":command"))
		fprintf(out, "%s 1\n", what);
	else if (what)
		fprintf(out, "%s \n", what);
}

/* What the words before the last say of it. */
struct before {
	const struct option_spec *spec;	/* it is a value of this; NULL: of none */
	bool second;			/* of its two */
	bool options_ended;
	int command;			/* word that begins another command; -1: none */
};

static struct before look_before(const struct option_spec *specs, unsigned int flags, int argc,
				 char **argv)
{
	struct before b = { .command = -1 };
	const char *value;
	int left = 0, i;

	for (i = 0; i < argc - 1; i++) {
		if (left) {
			left--;
			b.second = true;
		} else if (!strcmp(argv[i], "--")) {
			b.options_ended = true;
		} else if (!b.options_ended && argv[i][0] == '-' && argv[i][1]) {
			b.spec = options_find(specs, argv[i], &value);
			left = b.spec && b.spec->kind != OPTION_KIND_FLAG ?
			       (b.spec->kind == OPTION_KIND_PAIR) + !value : 0;
			b.second = value;
		} else if (flags & OPTIONS_STOP_AT_OPERAND) {
			b.command = i;
			return b;
		}
		if (b.options_ended && flags & OPTIONS_STOP_AT_OPERAND) {
			b.command = i + 1;
			return b;
		}
	}
	if (!left)
		b.spec = NULL;
	return b;
}

void options_complete(const struct option_spec *specs, unsigned int flags, const char *synopsis,
		      int argc, char **argv, FILE *out)
{
	const struct before b = look_before(specs, flags, argc, argv);
	const char *last = argv[argc - 1], *value;
	const struct option_spec *spec;

	if (b.command >= 0) {
		fprintf(out, ":command %d\n", argc - b.command);
	} else if (b.spec) {
		put_values(b.spec, b.second, last, 0, last, out);
	} else if (b.options_ended || last[0] != '-') {
		put_operand(synopsis, out);
	} else {
		spec = options_find(specs, last, &value);
		if (spec && value && spec->kind != OPTION_KIND_FLAG)
			put_values(spec, false, last, (size_t)(value - last), value, out);
		else
			put_options(specs, last, out);
	}
}

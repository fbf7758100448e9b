// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion of a command line, from the same tables as the parser and the
 * help. The shells' scripts (scripts/completion) run the program at each Tab,
 * so there is no second list of options that could become stale.
 */
#include "util/options.h"

#include <ctype.h>
#include <string.h>

#include "util/poison.h"

/*
 * Values and operands that the shell completes itself: their name in the help,
 * and the answer for the shell.
 */
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

/*
 * Return: the kind of a word such as "FILE", "[FILE]" or "PID[,PID...]"; NULL
 * if it has none.
 */
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

/* Return: the kind of the first operand in a synopsis that has a kind. */
static const char *operand_kind(const char *synopsis)
{
	const char *word = synopsis, *what = NULL;
	/* the word is the value of the option before it */
	bool value = false;
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

/* Prints "PREFIXword" and its help, if @word begins with @typed. */
static void put(FILE *out, const char *prefix, size_t len, const char *word, const char *typed,
		const char *help)
{
	if (!strncmp(word, typed, strlen(typed)))
		fprintf(out, "%.*s%s\t%s\n", (int)len, prefix, word, help);
}

/*
 * Prints the values of an option. @prefix: the part of the word before the
 * value, @len bytes.
 */
static void put_values(const struct option_spec *spec, bool second, const char *prefix, size_t len,
		       const char *typed, FILE *out)
{
	const char *what = find_kind(spec->arg, strlen(spec->arg)), *comma = strrchr(typed, ',');
	const char *word;
	unsigned int i;

	if (spec->word && !second) {
		/* complete the last item of a list; @typed follows @prefix in memory */
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

/* The state after the words before the last one. */
struct before {
	/* the last word is a value of this option; NULL: of no option */
	const struct option_spec *spec;
	bool second;			/* it is the second value of @spec */
	bool options_ended;
	/* index of the word that begins another command; -1: none */
	int command;
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

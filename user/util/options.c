// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of command lines and the printer of their help, both from a table
 * of options (util/options.h).
 */
#include "util/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/suggest.h"

#include "util/poison.h"

/* Column at which the text begins in a line of options_help(). */
#define HELP_COLUMN 28

/* The arguments that are still to be read, and the operands found so far. */
struct args {
	char **argv;
	int argc;
	int next;
	int operands;
};

static bool is_help(char letter, const char *name)
{
	return letter == 'h' || (name && !strcmp(name, "help"));
}

static const struct option_spec *find(const struct option_spec *specs,
				      char letter, const char *name, size_t len)
{
	for (; specs->kind != OPTION_KIND_END; specs++) {
		if (letter && specs->letter == letter)
			return specs;
		if (!letter && strlen(specs->name) == len &&
		    !strncmp(specs->name, name, len))
			return specs;
	}
	return NULL;
}

/*
 * Return: the option whose name begins with @name, as getopt_long(3) does;
 * @other is set if there is a second one.
 */
static const struct option_spec *find_begun(const struct option_spec *specs, const char *name,
					    size_t len, const struct option_spec **other)
{
	const struct option_spec *found = NULL;

	*other = NULL;
	for (; len && specs->kind != OPTION_KIND_END; specs++) {
		if (!specs->help || strncmp(specs->name, name, len))
			continue;
		if (found)
			*other = specs;
		else
			found = specs;
	}
	return found;
}

const struct option_spec *options_find(const struct option_spec *specs, const char *arg,
				       const char **ret)
{
	const struct option_spec *spec = NULL, *other;
	size_t len;

	*ret = NULL;
	if (!strncmp(arg, "--", 2)) {
		*ret = strchr(arg, '=');
		len = *ret ? (size_t)((*ret)++ - arg) - 2 : strlen(arg + 2);
		spec = find(specs, 0, arg + 2, len);
		return spec ? spec : find_begun(specs, arg + 2, len, &other);
	}
	while (*++arg) {
		spec = find(specs, *arg, NULL, 0);
		if (!spec || spec->kind == OPTION_KIND_FLAG)
			continue;
		*ret = arg[1] ? arg + 1 : NULL;
		break;
	}
	return spec;
}

bool option_parse_u64(const char *s, uint64_t *ret)
{
	unsigned long long v;
	char *end;

	/* strtoull() would accept blanks and a sign */
	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	v = strtoull(s, &end, 0);
	if (errno || *end)
		return false;
	*ret = v;
	return true;
}

/* Return: seconds of a unit; 0 if @s is not a unit. */
static double unit_of_time(const char *s)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "m", 60 }, { "min", 60 }, { "h", 3600 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(s, units[i].name))
			return units[i].seconds;
	return 0;
}

/*
 * @unit: seconds of a number without a unit. Return: false if @s is not a time
 *        of at most a day.
 */
static bool parse_time(const char *s, double unit, double *ret)
{
	char *end;

	if (!isdigit((unsigned char)*s) && *s != '.')
		return false;
	*ret = strtod(s, &end);
	if (end == s)
		return false;
	if (*end)
		unit = unit_of_time(end);
	*ret *= unit;
	/* the comparison also refuses NaN */
	return unit && *ret >= 0 && *ret <= 86400;
}

static bool parse_seconds(const char *s, uint64_t *ret)
{
	double v;

	if (!parse_time(s, 1, &v) || v < 0.001)
		return false;
	*ret = (uint64_t)(v * 1000);
	return true;
}

/*
 * Parses a time in units of which a second has @parts; a number without a unit
 * is in these units, too.
 */
static bool parse_parts(const char *s, double parts, uint64_t *ret)
{
	double v;

	if (!parse_time(s, 1 / parts, &v))
		return false;
	/* a fraction may be slightly below the whole number that was meant */
	*ret = (uint64_t)(v * parts + 1e-6);
	return true;
}

/* Parses a size as perf does: a decimal number and one letter of either case as unit. */
static bool parse_bytes(const char *s, uint64_t *ret)
{
	static const char units[] = "BKMG";
	unsigned long long v;
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	v = strtoull(s, &end, 10);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : units;
	if (errno || !unit || (*end && end[1]))
		return false;
	return v && !__builtin_mul_overflow(v, 1ull << 10 * (unit - units), ret);
}

static bool parse_number(enum option_kind kind, const char *word, uint64_t *ret,
			 const char **what)
{
	switch (kind) {
	case OPTION_KIND_SECONDS:
		*what = "a time of at most a day, such as 30, 1.5s or 5m";
		return parse_seconds(word, ret);
	case OPTION_KIND_MS:
		*what = "a time of at most a day, such as 500, 100ms or 1.5s";
		return parse_parts(word, 1e3, ret);
	case OPTION_KIND_US:
		*what = "a time of at most a day, such as 100us, 10ms or 1s";
		return parse_parts(word, 1e6, ret);
	case OPTION_KIND_BYTES:
		*what = "a size above 0, such as 500K, 20M or 1G";
		return parse_bytes(word, ret);
	default:
		*what = "a number";
		return option_parse_u64(word, ret);
	}
}

static int set_number(const struct option_spec *spec, const char *word,
		      struct diag *diag)
{
	struct option_u64 *number = spec->value;
	const char *what;

	if (parse_number(spec->kind, word, &number->value, &what)) {
		number->set = true;
		return 0;
	}
	return diag_set(diag, EINVAL, NULL, "--%s: '%s' is not %s", spec->name, word, what);
}

/* Return: the next argument; NULL if there is none. */
static const char *next_word(struct args *args)
{
	return args->next < args->argc ? args->argv[args->next++] : NULL;
}

static int set_twice(const struct option_spec *spec, const char *word, struct diag *diag)
{
	struct option_pair *pair = spec->value;

	if (pair->second)
		return diag_set(diag, EINVAL, NULL, "--%s is given more than twice", spec->name);
	if (pair->set)
		pair->second = word;
	else
		pair->first = word;
	pair->set = true;
	return 0;
}

/* @word: the value that is part of the option's own argument, or NULL. */
static int set_value(const struct option_spec *spec, const char *word,
		     struct args *args, struct diag *diag)
{
	struct option_pair *pair;

	if (spec->kind == OPTION_KIND_FLAG) {
		if (word)
			return diag_set(diag, EINVAL, NULL,
					"--%s takes no value", spec->name);
		*(bool *)spec->value = true;
		return 0;
	}
	if (!word)
		word = next_word(args);
	if (!word)
		goto missing;
	if (spec->kind == OPTION_KIND_STRING) {
		*(const char **)spec->value = word;
		return 0;
	}
	if (spec->kind == OPTION_KIND_TWICE)
		return set_twice(spec, word, diag);
	if (spec->kind != OPTION_KIND_PAIR)
		return set_number(spec, word, diag);
	pair = spec->value;
	pair->first = word;
	pair->second = next_word(args);
	pair->set = true;
	if (pair->second)
		return 0;
missing:
	return diag_set(diag, EINVAL, NULL, "--%s needs %s", spec->name,
			spec->arg);
}

static int refuse_long(const struct option_spec *specs, const char *arg, size_t len,
		       struct diag *diag)
{
	struct suggestion s;

	suggestion_init(&s, arg, len);
	for (; specs->kind != OPTION_KIND_END; specs++)
		if (specs->help)
			suggestion_try(&s, specs->name);
	if (s.best)
		return diag_set(diag, EINVAL, NULL, "unknown option '--%.*s'; did you mean --%s?",
				(int)len, arg, s.best);
	return diag_set(diag, EINVAL, NULL, "unknown option '--%.*s'", (int)len, arg);
}

static int parse_long(const struct option_spec *specs, const char *arg,
		      struct args *args, struct diag *diag)
{
	const char *value = strchr(arg, '=');
	size_t len = value ? (size_t)(value - arg) : strlen(arg);
	const struct option_spec *spec, *other = NULL;

	if (is_help(0, arg))
		return OPTIONS_HELP;
	spec = find(specs, 0, arg, len);
	if (!spec)
		spec = find_begun(specs, arg, len, &other);
	if (other)
		return diag_set(diag, EINVAL, NULL, "'--%.*s' may be --%s or --%s", (int)len, arg,
				spec->name, other->name);
	if (!spec)
		return refuse_long(specs, arg, len, diag);
	return set_value(spec, value ? value + 1 : NULL, args, diag);
}

/* Parses letters: -x, -xVALUE, -xyz. */
static int parse_letters(const struct option_spec *specs, const char *arg,
			 struct args *args, struct diag *diag)
{
	const struct option_spec *spec;
	int err;

	while (*arg) {
		if (is_help(*arg, NULL))
			return OPTIONS_HELP;
		spec = find(specs, *arg, NULL, 0);
		if (!spec)
			return diag_set(diag, EINVAL, NULL,
					"unknown option '-%c'", *arg);
		arg++;
		if (spec->kind != OPTION_KIND_FLAG)
			return set_value(spec, *arg ? arg : NULL, args, diag);
		err = set_value(spec, NULL, args, diag);
		if (err)
			return err;
	}
	return 0;
}

static void take_rest(struct args *args)
{
	while (args->next < args->argc)
		args->argv[args->operands++] = args->argv[args->next++];
}

int options_parse(const struct option_spec *specs, unsigned int flags,
		  int *argc, char **argv, struct diag *diag)
{
	struct args args = { .argv = argv, .argc = *argc };
	int err = 0;
	char *arg;

	while (!err && args.next < args.argc) {
		arg = argv[args.next++];
		if (!strcmp(arg, "--")) {
			take_rest(&args);
		} else if (!strncmp(arg, "--", 2)) {
			err = parse_long(specs, arg + 2, &args, diag);
		} else if (arg[0] == '-' && arg[1]) {
			err = parse_letters(specs, arg + 1, &args, diag);
		} else {
			argv[args.operands++] = arg;
			if (flags & OPTIONS_STOP_AT_OPERAND)
				take_rest(&args);
		}
	}
	*argc = args.operands;
	/* the vector has room for it: main()'s argv ends with a NULL */
	argv[args.operands] = NULL;
	return err;
}

static void help_line(FILE *out, char letter, const char *name, const char *arg,
		      const char *help)
{
	int n;

	if (letter)
		n = fprintf(out, "    -%c, --%s", letter, name);
	else
		n = fprintf(out, "        --%s", name);
	if (arg)
		n += fprintf(out, " %s", arg);
	if (n >= HELP_COLUMN - 1) {
		fputc('\n', out);
		n = 0;
	}
	fprintf(out, "%*s%s\n", HELP_COLUMN - n, "", help);
}

void options_help(const struct option_spec *specs, FILE *out)
{
	for (; specs->kind != OPTION_KIND_END; specs++)
		if (specs->help)
			help_line(out, specs->letter, specs->name, specs->arg,
				  specs->help);
	help_line(out, 'h', "help", NULL, "print this");
}

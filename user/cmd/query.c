// SPDX-License-Identifier: GPL-2.0-only
/* ustack query: reads profiles from the store of the daemon, or from a fleet's database. */
#include "cmd/query.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "profile/export.h"
#include "show/report/text.h"
#include "symbols/symstore/lines.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/when.h"

#include "util/poison.h"

#define TIMES "-15m, 10:00, yesterday, 2026-11-22T10:00:00Z, @1700000000.5"
#define DEFAULT_DIR "/var/lib/ustack"
/* Rows with a smaller share are left out, as report does; in hundredths of a percent. */
#define LIMIT 50

static const struct cmd_usage usage = {
	.command = "ustack query",
	.synopsis = "[--from TIME] [--to TIME] [...] [SELECTOR...]\n"
		    "--from clickhouse://[USER@]HOST[:PORT]/DATABASE [...]\n"
		    "[...] [-f FORMAT] [-o OUT] [SELECTOR...]\n"
		    "[...] --series LABEL | --values LABEL [SELECTOR...]\n"
		    "[...] --labels | --windows [SELECTOR...]",
	.about = "Shows what ustackd has recorded: one profile of the samples in a period with the\n"
		 "labels of SELECTOR, such as 'unit=\"nginx.service\", command=~\"worker.*\"'.",
};

static void free_store(struct symstore **s)
{
	symstore_free(*s);
}

void query_say_coverage(const struct query_opts *o, const struct store_coverage *c,
			const struct diag *diag)
{
	char from[WHEN_TEXT], to[WHEN_TEXT];

	if (c->bad) {
		fprintf(stderr, "ustack: %" PRIu64 " parts of the store could not be read; the last:\n",
			c->bad);
		cmd_diag(diag);
	}
	if (o->quiet)
		return;
	if (!c->windows)
		fprintf(stderr, "ustack: no windows of that time\n");
	else
		fprintf(stderr, "ustack: %" PRIu64 " window%s, %s to %s: %.1f s recorded%s\n",
			c->windows, c->windows == 1 ? "" : "s", when_text(c->first_ns, from),
			when_text(c->last_ns, to), (double)c->recorded_ns / 1e9,
			o->database.client ? ", of all hosts together" : "");
}

static void say(const char *text, void *arg)
{
	struct query_opts *o = arg;

	if (!o->quiet)
		progress_note(&o->progress, text);
}

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct query_opts *o = arg;

	if (!o->quiet)
		progress_names(&o->progress, done, all, path);
	return true;
}

/* Names functions like ustack symbolize, with the files of this machine. */
static int name(struct query_opts *o, struct profile *p, struct diag *diag)
{
	const struct symstore_options options = { .note = say, .arg = o };
	_cleanup_(free_store) struct symstore *store = NULL;
	struct symstore_named named;
	int err;

	if (o->no_names)
		return 0;
	err = symstore_new(&options, &store, diag);
	if (err)
		return err;
	progress_init(&o->progress, NULL);
	err = symstore_profile(store, p, show_progress, o, &named);
	progress_wipe(&o->progress);
	return err ? diag_errno(diag, -err, o->dir) : 0;
}

static int print(const struct query_opts *o, const struct profile *p, struct diag *diag)
{
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	struct report_view view = { .p = p, .file = o->dir, .limit = o->json ? 0 : LIMIT };
	struct calltree_options options = { .counts = false };
	int err = report_value_type(p, o->value, o->dir, &view.value, diag);

	if (err)
		return err;
	options.value[0] = view.value;
	err = calltree_new(p, NULL, &options, &t);
	if (!err && o->json)
		err = report_flat_json(&view, t, stdout);
	if (!err && !o->json) {
		report_head(&view, t->nodes[0].total[0], stdout);
		err = report_flat(&view, t, stdout);
	}
	return err ? diag_errno(diag, -err, o->dir) : 0;
}

static int save(const struct query_opts *o, const struct profile *p, struct diag *diag)
{
	struct export_options to = { .format = EXPORT_PPROF };
	int err = 0;

	/* check() has validated the format */
	if (o->format)
		export_format_find(o->format, &to.format);
	if (to.format != EXPORT_PPROF)
		err = report_value_type(p, o->value, o->dir, &to.value, diag);
	err = err ? err : export_save(p, &to, o->output ? o->output : "-", diag);
	if (err == -ERANGE)
		diag->file = o->dir;
	return err;
}

static int run_profile(struct query_opts *o, struct diag *diag)
{
	_cleanup_(profile_cleanup) struct profile *p = profile_new();
	bool to_file = o->output || o->format;
	struct store_coverage c;
	int err = p ? 0 : diag_errno(diag, ENOMEM, o->dir);

	if (!err && o->output)
		err = file_can_replace(o->output, diag);
	err = err ? err : query_ask_sum(o, p, &c, diag);
	if (err)
		return err;
	query_say_coverage(o, &c, diag);
	if (!c.windows)
		return diag_set(diag, ENODATA, o->dir, "there is nothing to show");
	err = name(o, p, diag);
	if (err)
		return err;
	return to_file ? save(o, p, diag) : print(o, p, diag);
}

static int run(struct query_opts *o)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err = query_open(o, &diag);

	if (err)
		return cmd_diag(&diag);
	if (o->series)
		err = query_series(o, &diag);
	else if (o->values || o->labels)
		err = query_values(o, &diag);
	else if (o->windows)
		err = query_windows(o, &diag);
	else
		err = run_profile(o, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}

/*
 * Appends a word of a list as a regular expression. @begins: the beginning of a container's id
 * is enough.
 */
static char *put_word(char *to, const char *word, size_t len, bool begins)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (ispunct((unsigned char)word[i]))
			*to++ = '\\';
		*to++ = word[i];
	}
	if (begins && len >= 12 && strspn(word, "0123456789abcdef") >= len)
		to = stpcpy(to, ".*");
	*to++ = '|';
	return to;
}

/*
 * Adds a condition for @key: @list has names with commas between them, or is one name that
 * contains commas; report does the same.
 */
static int add_list(struct query_opts *o, const char *key, const char *list, struct diag *diag)
{
	bool begins = !strcmp(key, "container");
	const char *word = list, *end;
	char *pattern, *to;
	int err;

	if (!list)
		return 0;
	/*
	 * room for all words and again the whole list, a backslash before each byte, and ".*|"
	 * after each word
	 */
	pattern = to = malloc(8 * strlen(list) + 16);
	if (!pattern)
		return diag_errno(diag, ENOMEM, NULL);
	do {
		end = strchrnul(word, ',');
		to = put_word(to, word, (size_t)(end - word), begins);
		word = end + 1;
	} while (*end);
	if (strchr(list, ','))
		to = put_word(to, list, strlen(list), false);
	to[-1] = '\0';
	err = store_selector_add(o->q.selector, key, STORE_MATCH, pattern, diag);
	free(pattern);
	return err;
}

/* All SELECTORs and all options must match. */
static int add_selectors(struct query_opts *o, char **texts, struct diag *diag)
{
	int err = store_selector_new(NULL, &o->q.selector, diag);

	for (; !err && *texts; texts++)
		err = store_selector_add_text(o->q.selector, *texts, diag);
	err = err ? err : add_list(o, PROFILE_LABEL_COMMAND, o->command, diag);
	err = err ? err : add_list(o, PROFILE_LABEL_THREAD, o->thread, diag);
	err = err ? err : add_list(o, "unit", o->unit, diag);
	err = err ? err : add_list(o, "container", o->container, diag);
	err = err ? err : add_list(o, PROFILE_LABEL_STACK, o->outcome, diag);
	return err ? err : add_list(o, PROFILE_LABEL_PID, o->pid, diag);
}

/* Sorts the words of --from: at most one is a time, and at most one is a database. */
static int check_where(struct query_opts *o)
{
	const char *word[] = { o->where.first, o->where.second };
	size_t i;

	for (i = 0; i < 2 && word[i]; i++) {
		if (clickhouse_is_place(word[i])) {
			if (clickhouse_is_place(o->dir))
				return cmd_bad_usage(&usage, "one place is asked");
			o->dir = word[i];
		} else if (o->from) {
			return cmd_bad_usage(&usage, "--from: one time");
		} else {
			o->from = word[i];
		}
	}
	if (!clickhouse_is_place(o->dir) &&
	    (o->rounded || o->symbol || o->database.password_file || o->database.ca_file))
		return cmd_bad_usage(&usage, "--rounded, --symbol, --password-file and --ca-file "
				     "are for databases");
	if (o->rounded && (o->windows || o->keep))
		return cmd_bad_usage(&usage, "--rounded goes with neither --keep nor --windows");
	return query_words(o) ? CMD_RUN :
	       cmd_bad_usage(&usage, "--keep and --symbol: up to %u words", QUERY_MAX_WORDS);
}

/* Return: 0 if there may be a store; else a negative errno, with @diag set. */
static int look_for_store(const struct query_opts *o, struct diag *diag)
{
	if (clickhouse_is_place(o->dir) || !access(o->dir, R_OK | X_OK))
		return 0;
	if (errno == ENOENT)
		return diag_set(diag, ENOENT, o->dir, "there is no store: ustackd makes one (systemctl "
				"start ustackd); --store says where another one is");
	if (errno == EACCES)
		return diag_set(diag, EACCES, o->dir, "the store is not for every user: run as root (sudo)");
	return diag_errno(diag, errno, o->dir);
}

static int check_times(struct query_opts *o)
{
	o->now_ns = clock_ns(CLOCK_REALTIME);
	if (o->from && !when_parse(o->from, o->now_ns, &o->q.from_ns))
		return cmd_bad_usage(&usage, "--from: '%s' is no time, such as " TIMES, o->from);
	if (o->to && !when_parse(o->to, o->now_ns, &o->q.to_ns))
		return cmd_bad_usage(&usage, "--to: '%s' is no time, such as " TIMES, o->to);
	if (o->to && o->q.to_ns <= o->q.from_ns)
		return cmd_bad_usage(&usage, "--to is not behind --from");
	if (!when_parse_length(o->step, &o->step_ns))
		return cmd_bad_usage(&usage, "--step: '%s' is no length of time", o->step);
	return CMD_RUN;
}

static int check(struct query_opts *o)
{
	int lists = !!o->series + !!o->values + o->labels + o->windows;
	enum export_format format;
	int status;

	if (lists > 1)
		return cmd_bad_usage(&usage, "takes one of --series, --values, --labels, --windows");
	if (lists && (o->output || o->format))
		return cmd_bad_usage(&usage, "-f and -o are for profiles");
	if (o->json && (o->output || o->format))
		return cmd_bad_usage(&usage, "--json is for what is printed");
	if (o->format && !export_format_find(o->format, &format))
		return cmd_bad_usage(&usage, "-f: '%s' is not folded, speedscope, firefox, chrome, perf or pprof",
				     o->format);
	if (lists && (o->keep || o->symbol))
		return cmd_bad_usage(&usage, "--keep and --symbol are for profiles");
	status = check_where(o);
	return status == CMD_RUN ? check_times(o) : status;
}

int cmd_query(int argc, char **argv)
{
	struct query_opts o = { .dir = DEFAULT_DIR, .step = "1m" };
	const struct option_spec specs[] = {
		OPTION_STRING('s', "store", "DIR", &o.dir,
			      "the store (" DEFAULT_DIR "), or a database"),
		OPTION_TWICE(0, "from", "TIME", &o.where,
			     "start, such as -1h; given again: a database"),
		OPTION_STRING(0, "to", "TIME", &o.to, "end, such as -5m (that of the last window)"),
		OPTION_STRING('c', "comm", "NAMES", &o.command, "only processes with these names"),
		OPTION_STRING(0, "thread", "NAMES", &o.thread, "only threads with these names"),
		OPTION_STRING('p', "pid", "PIDS", &o.pid, "only these processes"),
		OPTION_STRING('u', "unit", "UNITS", &o.unit, "only these systemd units"),
		OPTION_STRING(0, "container", "IDS", &o.container,
			      "only these containers; 12 digits are enough"),
		OPTION_STRING(0, "outcome", "REASONS", &o.outcome,
			      "only stacks that ended so, such as complete"),
		OPTION_STRING('f', "format", "FORMAT", &o.format,
			      "write pprof, or a format of ustack export",
			      .word = export_format_word),
		/* the option's name before export had the same option */
		OPTION_STRING(0, "as", "FORMAT", &o.format, NULL),
		OPTION_STRING('o', "output", "OUT", &o.output, "the file to write; - for stdout"),
		OPTION_STRING('V', "value", "TYPE", &o.value, "the values to use, such as samples"),
		OPTION_STRING(0, "series", "LABEL", &o.series,
			      "values over time by this label; \"\" for the sum"),
		OPTION_STRING(0, "step", "TIME", &o.step, "the step of --series, such as 10s (1m)"),
		OPTION_STRING(0, "values", "LABEL", &o.values, "list the values of this label"),
		OPTION_FLAG(0, "labels", &o.labels, "list the labels"),
		OPTION_FLAG(0, "windows", &o.windows, "list the windows"),
		OPTION_STRING(0, "keep", "LABELS", &o.keep, "labels to keep with the samples"),
		OPTION_STRING('S', "symbol", "FUNCTIONS", &o.symbol,
			      "database: only stacks with these functions"),
		OPTION_FLAG(0, "rounded", &o.rounded,
			    "database: use sums by hour and minute, faster"),
		DATABASE_OPTIONS(o.database),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_FLAG(0, "no-names", &o.no_names, "do not look for more function names"),
		OPTION_FLAG('q', "quiet", &o.quiet, "report only failures"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);
	struct diag diag;

	if (status != CMD_RUN)
		return status;
	status = check(&o);
	if (status == CMD_RUN && add_selectors(&o, argv, &diag))
		status = cmd_bad_usage(&usage, "%s", diag.text);
	else if (status == CMD_RUN && look_for_store(&o, &diag))
		status = cmd_diag(&diag);
	else if (status == CMD_RUN)
		status = run(&o);
	store_selector_free(o.q.selector);
	query_close(&o);
	return status;
}

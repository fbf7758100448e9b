// SPDX-License-Identifier: GPL-2.0-only
/*
 * ustack top: shows what runs now. A recording session delivers a profile of every interval.
 * The view shows the last profile, a sum that decays, or a sum of all.
 */
#include "cmd.h"
#include "cmd/annotated.h"
#include "cmd/servers.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recording.h"
#include "profile/whole.h"
#include "show/report/select.h"
#include "show/report/text.h"
#include "show/tui/terminal.h"
#include "util/cleanup.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

/* A decaying sum counts in thousandths, so that small values do not vanish at once. */
#define UNITS 1000u
#define HALF_LIFE_S 10.0
#define DEFAULT_ROWS 20

enum top_kind {
	TOP_LAST,
	TOP_DECAYING,
	TOP_ALL,
};

struct top_opts {
	struct recording recording;
	struct option_u64 delay;
	struct option_u64 iterations;
	struct option_u64 rows;
	struct annotated annotated;
	bool children;
	bool no_inline;
	bool stdio;
	bool verbose;
};

/**
 * struct top - state of the command
 * @last: profile of the last interval
 * @sum: sum of intervals, in units of 1/units_of(); NULL if @kind is TOP_LAST
 * @drawn: the profile that the model uses, @last or @sum or @frozen
 * @frozen: a profile that the model still uses, but which is no longer @last or @sum
 * @tui: NULL for text
 * @paused: the view does not change
 * @shown: number of intervals shown
 * @left: the user has left the view
 * @error: negative errno of the action of a key, or 0
 */
struct top {
	struct top_opts *o;
	enum top_kind kind;
	struct profile *last;
	struct profile *sum;
	struct profile *drawn;
	struct profile *frozen;
	struct tui_model *model;
	struct tui *tui;
	bool paused;
	bool left;
	int error;
	uint64_t shown;
	uint64_t lost;
	struct report_view view;
	char title[256];
};

static const struct cmd_usage usage = {
	.command = "ustack top",
	.synopsis = "[-d SECONDS] [-F HZ] [-e EVENT] [-a]\n"
		    "[...] -p PID[,PID...] | -t TID[,TID...]\n"
		    "[...] [--] COMMAND [ARGUMENT...]",
	.about = "Shows which functions run now in an interactive view, updated every second.\n"
		 "If standard output is not a terminal, prints them every second.",
};

static struct profile *shown(const struct top *t)
{
	return t->kind == TOP_LAST ? t->last : t->sum;
}

static uint32_t units_of(const struct top *t)
{
	return t->kind == TOP_DECAYING ? UNITS : 1;
}

static const char *value_text(int64_t value, char *buf, void *arg)
{
	const struct top *t = arg;

	return report_value(&t->view, value / units_of(t), buf);
}

/* Frees a profile that is not needed any more, unless the model uses it. */
static void retire(struct top *t, struct profile *p)
{
	if (p && p == t->drawn)
		t->frozen = p;
	else
		profile_free(p);
}

static int draw(struct top *t)
{
	int err;

	tui_model_value(t->model, t->view.value);
	err = tui_model_profile(t->model, shown(t));
	t->drawn = shown(t);
	profile_free(t->frozen);
	t->frozen = NULL;
	return err;
}

/* Adds the last interval to the sum; TOP_LAST has no sum. */
static int add_up(struct top *t)
{
	double seconds = (double)t->o->delay.value / 1000;
	uint32_t keep = (uint32_t)(UNITS * 1000 * exp2(-seconds / HALF_LIFE_S));
	struct profile *sum;
	int err;

	if (t->kind == TOP_LAST)
		return 0;
	if (t->kind == TOP_ALL && t->sum) {
		profile_merge(t->sum, t->last);
		return profile_error(t->sum);
	}
	sum = profile_new();
	if (!sum)
		return -ENOMEM;
	profile_merge_scaled(sum, t->last, units_of(t), 1);
	if (t->sum)
		profile_merge_scaled(sum, t->sum, keep, UNITS * 1000);
	err = profile_error(sum);
	if (err) {
		profile_free(sum);
		return err;
	}
	retire(t, t->sum);
	t->sum = sum;
	return 0;
}

static uint64_t nr_samples(const struct profile *p)
{
	uint64_t nr = 0;
	uint32_t i, k;

	for (i = 0; report_count_type(p, &k) && i < p->nr_samples; i++)
		nr += (uint64_t)p->samples[i].value[k];
	return nr;
}

static void set_title(struct top *t)
{
	static const char *const kinds[] = {
		[TOP_LAST] = "last interval", [TOP_DECAYING] = "decaying sum",
		[TOP_ALL] = "sum of all",
	};
	char whole[PROFILE_WHOLE_TEXT + 2];

	snprintf(t->title, sizeof(t->title), "ustack top: %.40s, %s: %" PRIu64 " samples in %.1f s%s",
		 profile_text(t->last, t->last->value_types[t->view.value].type), kinds[t->kind],
		 nr_samples(t->last), (double)t->last->duration_ns / 1e9,
		 report_whole(&t->view, whole, sizeof(whole)));
	if (t->lost)
		snprintf(t->title + strlen(t->title), sizeof(t->title) - strlen(t->title),
			 ", %" PRIu64 " lost", t->lost);
	if (t->paused)
		snprintf(t->title + strlen(t->title), sizeof(t->title) - strlen(t->title),
			 ", paused");
}

static int show_text(struct top *t)
{
	const struct calltree_options options = {
		.value = { t->view.value }, .no_inlines = t->o->no_inline,
	};
	struct calltree *tree;
	char safe[512];
	int err = calltree_new(t->last, NULL, &options, &tree);

	if (err)
		return err;
	printf("# %s\n", screen_text(t->title, safe, sizeof(safe)));
	err = report_flat(&t->view, tree, stdout);
	putchar('\n');
	calltree_free(tree);
	return !err && (fflush(stdout) || ferror(stdout)) ? -EIO : err;
}

static int show(struct top *t)
{
	int err;

	t->view.p = t->last;
	set_title(t);
	if (!t->tui)
		return show_text(t);
	err = t->paused ? 0 : draw(t);
	if (!err)
		tui_draw(t->tui);
	return err;
}

static void count_losses(struct top *t, const struct record_summary *s)
{
	unsigned int i;

	t->lost = 0;
	for (i = 0; i < s->nr_losses; i++)
		t->lost += s->losses[i].value;
}

static bool enough(const struct top *t)
{
	return t->left || (t->o->iterations.set && t->shown >= t->o->iterations.value);
}

static int on_interval(struct record_interval *i, void *arg)
{
	struct top *t = arg;
	int err;

	/* the rest of an interval, when the session has ended */
	if (i->last && (enough(t) || !i->profile->nr_samples))
		return 0;
	retire(t, t->last);
	t->last = i->profile;
	i->profile = NULL;
	count_losses(t, i->so_far);
	err = report_value_type(t->last, NULL, NULL, &t->view.value, NULL);
	if (!err && t->sum)
		err = record_name_again(i->names, t->sum);
	if (!err)
		err = add_up(t);
	if (!err)
		err = show(t);
	t->shown++;
	return err ? err : enough(t);
}

static int on_input(void *arg)
{
	struct top *t = arg;
	int result = tui_input(t->tui);

	t->left |= result > 0;
	return t->error ? t->error : result;
}

/* Another kind of sum begins with the last interval. */
static void set_kind(struct top *t, enum top_kind kind)
{
	if (kind == t->kind || !t->last)
		return;
	retire(t, t->sum);
	t->sum = NULL;
	t->kind = kind;
	t->paused = false;
	t->error = add_up(t);
	if (!t->error)
		t->error = draw(t);
	set_title(t);
}

static bool on_key(int key, void *arg)
{
	struct top *t = arg;

	switch (key) {
	case 'l':
		set_kind(t, TOP_LAST);
		return true;
	case 'd':
		set_kind(t, TOP_DECAYING);
		return true;
	case 's':
		set_kind(t, TOP_ALL);
		return true;
	case 'p':
		t->paused = !t->paused;
		if (t->last)
			set_title(t);
		return true;
	}
	return false;
}

static const char key_help[] =
	"l, d, s                                   the last interval, a sum that decays\n"
	"                                          (half in 10 seconds), one of all from now\n"
	"p                                         pause\n";

/* Shows the instructions of a function, with shares of the profile that is shown. */
static int code_of(const struct calltree_symbol *s, struct tui_code *ret, void *arg)
{
	struct top *t = arg;
	const struct annotated_in in = { .p = t->drawn, .file = "what is shown", .value = t->view.value,
					 .units = units_of(t) };

	return annotated_listing(&t->o->annotated, &in, s, ret);
}

/* Nothing else may be written to the terminal that shows the view, so the message goes into it. */
static void say(const char *text, void *arg)
{
	struct top *t = arg;
	char safe[1024];

	if (!t->tui)
		fprintf(stderr, "ustack: %s\n", screen_text(text, safe, sizeof(safe)));
	else
		snprintf(t->model->message, sizeof(t->model->message), "%s", text);
}

/*
 * The view has no place for details: with a view they are printed only if standard error is not
 * the terminal.
 */
static void say_detail(const char *text, void *arg)
{
	const struct top *t = arg;
	char safe[1024];

	if (!t->tui || !isatty(STDERR_FILENO))
		fprintf(stderr, "ustack: %s\n", screen_text(text, safe, sizeof(safe)));
}

static int open_view(struct top *t, const struct tui_screen *screen, struct diag *diag)
{
	const struct tui_options options = { .value = t->view.value };
	int err;

	if (t->o->stdio || !isatty(STDOUT_FILENO))
		return 0;
	t->model = tui_model_new(&options);
	if (!t->model)
		return diag_errno(diag, ENOMEM, NULL);
	t->model->children = t->o->children;
	t->model->no_inlines = t->o->no_inline;
	t->kind = TOP_DECAYING;
	err = tui_open(t->model, screen, &t->tui, diag);
	if (err == -ENOTTY) {
		tui_model_free(t->model);
		t->model = NULL;
		t->kind = TOP_LAST;
		return 0;
	}
	if (!err)
		tui_draw(t->tui);
	return err;
}

static void top_release(struct top *t)
{
	tui_close(t->tui);
	tui_model_free(t->model);
	profile_free(t->last);
	profile_free(t->sum);
	profile_free(t->frozen);
}

static int run(struct top_opts *o, int argc, char **argv)
{
	struct record_options options = recording_options(&o->recording, argc ? argv : NULL);
	_cleanup_(top_release) struct top t = {
		.o = o, .kind = TOP_LAST, .title = "ustack top: waiting for the first interval",
		.view = { .by_total = o->children, .limit = 1, .rows = o->rows.value },
	};
	const struct tui_screen screen = { .title = t.title, .value = value_text, .key = on_key,
					   .help = key_help, .annotate = code_of,
					   .arg = &t };
	struct record_summary summary;
	struct diag diag;
	int err = open_view(&t, &screen, &diag);

	if (err)
		return cmd_diag(&diag);
	options.bsym_dir = o->annotated.naming.bsym_dir;
	options.interval_ms = o->delay.value;
	options.interval = on_interval;
	options.note = say;
	options.detail = o->verbose ? say_detail : NULL;
	options.arg = &t;
	options.quiet = t.tui;
	if (t.tui) {
		options.input_fd = tui_fd(t.tui);
		options.input = on_input;
	}
	err = record_session(&options, NULL, &summary, &diag);
	/* the results of a command can be looked at after it has ended */
	if (!err && t.tui && argc && !t.left && !summary.interrupted && t.last)
		err = tui_run(t.tui);
	tui_close(t.tui);
	t.tui = NULL;
	return err ? cmd_diag(&diag) : CMD_OK;
}

static void opts_release(struct top_opts *o)
{
	recording_release(&o->recording);
	annotated_release(&o->annotated);
}

int cmd_top(int argc, char **argv)
{
	_cleanup_(opts_release) struct top_opts o = {
		.recording = RECORDING_INIT, .delay = { .value = 1000 },
		.rows = { .value = DEFAULT_ROWS }, .annotated = ANNOTATED_INIT,
	};
	struct recording *r = &o.recording;
	const struct option_spec specs[] = {
		RECORDING_OPTIONS(o.recording),
		OPTION_SECONDS('d', "delay", "SECONDS", &o.delay, "length of an interval (1)"),
		OPTION_U64('n', "iterations", "N", &o.iterations, "end after N intervals"),
		OPTION_FLAG(0, "children", &o.children,
			    "sort by total, with called functions"),
		OPTION_FLAG(0, "no-inline", &o.no_inline,
			    "count inlined functions as their callers"),
		OPTION_STRING(0, "bsym-dir", "DIR", &o.annotated.naming.bsym_dir, BSYM_DIR_HELP),
		ANNOTATED_OPTIONS(o.annotated),
		OPTION_U64(0, "rows", "N", &o.rows, "in text: at most N functions (20)"),
		OPTION_FLAG(0, "stdio", &o.stdio, "print text, also on a terminal"),
		OPTION_FLAG('v', "verbose", &o.verbose, "report what it does, on standard error"),
		OPTION_END,
	};
	int status;

	status = cmd_parse_flags(&usage, specs, OPTIONS_STOP_AT_OPERAND, &argc, &argv);
	if (status == CMD_RUN && o.iterations.set && !o.iterations.value)
		return cmd_bad_usage(&usage, "-n: at least 1");
	if (!r->pids && !r->tids && !argc)
		r->all = true;
	/* nothing else may write to the terminal */
	o.annotated.naming.quiet = true;
	if (status == CMD_RUN)
		status = recording_check(&usage, r, argc);
	if (status == CMD_RUN)
		status = annotated_check(&o.annotated, &usage);
	return status == CMD_RUN ? run(&o, argc, argv) : status;
}

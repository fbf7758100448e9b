// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a session. For each window of the recorder it applies relabelling and thinning, writes the
 * window to the store, adapts the rate to the budget, and updates the shared numbers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "serve/daemon/daemon_private.h"
#include "serve/daemon/log.h"
#include "serve/daemon/notify.h"
#include "serve/daemon/thin.h"
#include "serve/daemon/window.h"
#include "host/module/module.h"
#include "util/cleanup.h"

#include "util/poison.h"

#define SECOND 1000000000ull
/* systemd gets a sign of life once a second, but none while a window is made and written. */
#define WATCHDOG_LEAST (10 * SECOND)

/**
 * struct windows_state - what windows are made with
 * @thin: remembers how many samples each service has; NULL if nothing is thinned
 * @pods: finds names of pods; NULL if they are not configured
 * @rules: rules of the configuration, whose @relabel they borrow
 */
struct windows_state {
	struct thin *thin;
	struct pod_names *pods;
	struct window_rules *rules;
};

static void release_state(struct windows_state *w)
{
	if (!w)
		return;
	window_rules_free(w->rules);
	pod_names_free(w->pods);
	thin_free(w->thin);
	free(w);
}

void daemon_windows_free(struct daemon *d)
{
	release_state(d->windows);
	d->windows = NULL;
}

static const char *machine_label(const struct config_pairs *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->pair[i].name, name))
			return l->pair[i].value;
	return NULL;
}

/*
 * The machine's labels. A machine with a kubelet gets the label "node", with its host name unless
 * another name is configured. @room: memory for one more label than @cfg has.
 */
static struct config_pairs machine_of(const struct daemon_config *cfg, struct config_pair *room)
{
	struct config_pairs all = { room, cfg->labels.nr };

	memcpy(room, cfg->labels.pair, all.nr * sizeof(*room));
	if (cfg->kubernetes.names && !machine_label(&cfg->labels, "node") &&
	    pod_names_is_node(cfg->kubernetes.logs))
		room[all.nr++] = (struct config_pair){
			(char *)"node", (char *)machine_label(&cfg->labels, "host"),
		};
	return all;
}

/* Makes the rules of a new configuration; @new->thin is already set. Return: 0 or -ENOMEM. */
static int make_rules(struct windows_state *new, const struct daemon_config *cfg)
{
	_cleanup_(cleanup_free) struct config_pair *room = NULL;
	struct config_pairs labels;

	room = reallocarray(NULL, cfg->labels.nr + 1, sizeof(*room));
	if (!room)
		return -ENOMEM;
	if (cfg->kubernetes.names) {
		new->pods = pod_names_new(cfg->kubernetes.logs);
		if (!new->pods)
			return -ENOMEM;
	}
	labels = machine_of(cfg, room);
	return window_rules_new(cfg->relabel, &labels, new->thin, new->pods, &new->rules);
}

int daemon_rules(struct daemon *d, const struct daemon_config *cfg, struct diag *diag)
{
	const struct config_thinning *t = &cfg->sampling.samples_per_hour;
	struct windows_state *new = calloc(1, sizeof(*new)), *old = d->windows;
	/* the known rates of services stay, unless the limits have changed */
	bool same = old && !(config_changes(&d->cfg, cfg) & CONFIG_THINNING);
	int err = new ? 0 : -ENOMEM;

	if (!err && same)
		new->thin = old->thin;
	else if (!err && (t->by_default || t->nr))
		err = thin_new(t, &new->thin);
	if (!err)
		err = make_rules(new, cfg);
	if (new && same)
		*(err ? &new->thin : &old->thin) = NULL;
	if (err) {
		release_state(new);
		return diag_errno(diag, -err, "the rules");
	}
	release_state(old);
	d->windows = new;
	if (!same)
		d->thinned = 0;
	return 0;
}

/* Counts how stacks ended, for all samples, before relabelling may drop labels. */
static void count_outcomes(struct daemon *d, struct profile *p)
{
	uint32_t samples = profile_value_type(p, "samples", "count"), i;
	struct shared_state *s = &d->state;
	const char *text;

	if (profile_error(p))
		return;
	for (i = 0; i < p->nr_samples; i++) {
		text = profile_label_text(p, p->samples[i].labels, PROFILE_LABEL_STACK);
		shared_count(s->outcomes, &s->nr_outcomes, SHARED_MAX_OUTCOMES,
			     text ? text : "none", (uint64_t)p->samples[i].value[samples]);
	}
}

static uint64_t value_before(const struct record_summary *before, const char *name)
{
	unsigned int i;

	for (i = 0; i < before->nr_losses; i++)
		if (!strcmp(before->losses[i].name, name))
			return before->losses[i].value;
	return 0;
}

/* Adds to the numbers of all sessions what this session's summary has more than before. */
static void count_session(struct daemon *d, const struct record_summary *now)
{
	struct shared_state *s = &d->state;
	unsigned int i;
	uint64_t lost;

	s->samples += now->samples - d->before.samples;
	s->mmaps_lost += now->mmaps_lost - d->before.mmaps_lost;
	for (i = 0; i < now->nr_losses; i++) {
		lost = now->losses[i].value - value_before(&d->before, now->losses[i].name);
		if (lost)
			shared_count(s->losses, &s->nr_losses, RECORD_MAX_LOSSES,
				     now->losses[i].name, lost);
	}
	snprintf(s->source, sizeof(s->source), "%s", now->source ? now->source : "");
}

static void look_at_module(struct shared_state *s)
{
	struct module m = MODULE_INIT;
	struct ustack_info info;

	s->module = !module_open(&m, NULL) && !module_info(&m, &info, NULL);
	if (s->module) {
		s->table_bytes = info.table_bytes;
		s->tables = info.tables;
	}
	module_release(&m);
}

/* Charges the window to the budget. Return: the rate for the next window. */
static uint64_t within_budget(struct daemon *d, const struct record_interval *i)
{
	struct budget_window w = {
		.ns = i->profile->duration_ns, .cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN),
		.samples = i->so_far->samples - d->before.samples,
	};
	struct cpu_use now;
	uint64_t before = d->budget.hz, hz;

	cpu_use_read(&now);
	/* Children do not sample: they make tables and names, and serve. The sum may be smaller
	 * than before if somebody else has waited for a child.
	 */
	if (now.children_ns > d->use.children_ns)
		w.other_ns = now.children_ns - d->use.children_ns;
	w.cpu_ns = now.self_ns - d->use.self_ns + w.other_ns;
	w.other_ns += i->so_far->table_ns - d->before.table_ns;
	d->use = now;
	hz = budget_window(&d->budget, &w);
	if (hz < before && before == d->budget.most)
		daemon_log(LOG_IS_NOTE, "sampling takes %.2f %% of the CPUs, which is more than "
			   "cpu_budget: the frequency is lowered", (double)d->budget.charged * 100 /
			   BUDGET_WHOLE);
	return hz;
}

static void tell(struct daemon *d, const struct record_interval *i)
{
	struct shared_state *s = &d->state;

	count_session(d, i->so_far);
	s->window_at_ns = i->profile->time_ns;
	s->window_ns = i->ms * 1000000;
	s->hz = d->budget.hz;
	s->most_hz = d->budget.most;
	s->budget = d->budget.share;
	s->used = d->budget.used;
	s->lowered = d->budget.lowered;
	s->raised = d->budget.raised;
	s->use = d->use;
	s->own_tables = i->so_far->tables;
	s->own_table_bytes = i->so_far->table_bytes;
	look_at_module(s);
}

static void tell_store(struct daemon *d)
{
	struct shared_state *s = &d->state;

	store_info(d->store, &s->store);
	s->windows = s->store.windows;
	s->waiting = d->queue.nr_waiting;
	s->dropped = d->queue.dropped;
	s->failures = d->queue.failures;
	s->end = d->queue.end;
	shared_write(d->shared, s);
}

static int make(struct daemon *d, const struct profile *in, struct profile **ret)
{
	struct shared_state *s = &d->state;
	struct window_counts counts;
	struct thin_counts thin = { 0 };
	/* the seed differs by window and machine, so that thinning keeps different samples */
	int err = window_make(in, d->windows->rules, in->time_ns ^ s->pid, ret, &counts);

	if (err)
		return err;
	/* the recorder's first value is the number of samples */
	s->left_out += (uint64_t)counts.dropped_value[0];
	s->match_failures += counts.match_failures;
	if (d->windows->thin) {
		thin_counts(d->windows->thin, &thin);
		s->thinned += thin.samples - thin.kept - d->thinned;
		d->thinned = thin.samples - thin.kept;
	}
	return 0;
}

static void keep(struct daemon *d, struct profile *window)
{
	unsigned int waiting = d->queue.nr_waiting;
	uint64_t dropped = d->queue.dropped;
	struct diag diag;

	if (window_queue_add(&d->queue, window, &diag))
		daemon_log(LOG_IS_ERROR, "%s: %s: windows wait in memory",
			   diag.file ? diag.file : "the store", diag.text);
	else if (waiting)
		daemon_log(LOG_IS_NOTE, "the store takes windows again; %u have waited", waiting);
	/* sync, so that a loss of power costs no more than the open window */
	if (store_sync(d->store, &diag))
		daemon_log(LOG_IS_ERROR, "%s: %s: a loss of power would cost windows",
			   diag.file ? diag.file : "the store", diag.text);
	if (d->queue.dropped > dropped)
		daemon_log(LOG_IS_ERROR, "a window was lost: it waited too long for the store, or is "
			   "larger than the store allows");
}

/* Called by the recorder at the end of each window. The sampling loop waits until it returns. */
static int on_interval(struct record_interval *i, void *arg)
{
	struct daemon *d = arg;
	struct profile *window;
	int err;

	count_outcomes(d, i->profile);
	i->ms = d->cfg.sampling.window_ns / 1000000;
	i->hz = within_budget(d, i);
	tell(d, i);
	err = make(d, i->profile, &window);
	if (err)
		return err;
	keep(d, window);
	tell_store(d);
	daemon_log(LOG_IS_DEBUG, "a window of %.1f s: %llu samples at %llu Hz, %.2f %% of the CPUs used",
		   (double)i->profile->duration_ns / SECOND,
		   (unsigned long long)(i->so_far->samples - d->before.samples),
		   (unsigned long long)i->hz, (double)d->budget.used * 100 / BUDGET_WHOLE);
	d->before = *i->so_far;
	/* at the end it may have got the same signal, and is not to be started again */
	if (!i->last)
		serving_look(&d->serving);
	return 0;
}

/* Handles SIGHUP, the only input. */
static int on_input(void *arg)
{
	struct signalfd_siginfo info;
	struct daemon *d = arg;
	bool again = false;

	while (read(d->hup, &info, sizeof(info)) == sizeof(info))
		again |= daemon_reload(d);
	d->again |= again;
	return again;
}

static void on_alive(void *arg)
{
	notify_send(NULL, "WATCHDOG=1");
}

static void on_start(void *arg)
{
	struct daemon *d = arg;
	uint64_t watchdog = notify_watchdog_ns();

	d->started = true;
	config_free(&d->earlier);
	/* the cost of the start is not charged to a window */
	cpu_use_read(&d->use);
	if (watchdog && watchdog < WATCHDOG_LEAST)
		daemon_log(LOG_IS_WARNING, "WatchdogSec= is less than %llu s: systemd may end a "
			   "daemon that is alive", WATCHDOG_LEAST / SECOND);
	daemon_log(LOG_IS_INFO, "samples %llu times a second and CPU",
		   (unsigned long long)d->budget.hz);
	notify_send(NULL, "READY=1\nSTATUS=%llu samples a second and CPU, windows of %llu s",
		    (unsigned long long)d->budget.hz,
		    (unsigned long long)(d->cfg.sampling.window_ns / SECOND));
}

int daemon_session(struct daemon *d, struct diag *diag)
{
	const struct config_sampling *c = &d->cfg.sampling;
	struct sampler_event events[] = {
		{ .name = "cpu-clock", .frequency = d->budget.hz },
		{ .name = "off-cpu" },
	};
	struct record_options o = {
		.sampler = {
			.events = events, .nr_events = c->off_cpu ? 2 : 1,
			.offcpu_min_ns = c->off_cpu_min_ns,
		},
		.mode = c->mode,
		.raw = d->cfg.symbols.never, .servers = d->cfg.symbols.servers,
		.no_supply = !d->cfg.supply, .interval_ms = c->window_ns / 1000000,
		.interval = on_interval, .started = on_start, .alive = on_alive, .imagemaps = true,
		.input_fd = d->hup, .input = on_input,
		.note = daemon_note, .detail = d->options->verbose ? daemon_detail : NULL, .arg = d,
	};
	struct record_summary summary;
	int err;

	d->again = d->started = false;
	d->state.sessions++;
	d->before = (struct record_summary){ 0 };
	err = record_session(&o, NULL, &summary, diag);
	/* after a signal to end there is no other session */
	d->again &= !summary.interrupted;
	return err;
}

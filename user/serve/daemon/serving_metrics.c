// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the metrics of sampling, budget, store, tables and uploads from the shared numbers. To add
 * one: a member in shared.h, a line here, and Documentation/http-api.md.
 */
#include "serve/daemon/serving_metrics.h"

#include "serve/daemon/budget.h"

#include "util/poison.h"

#define NS 1e9

static void one(struct metrics_out *out, const char *name, enum metrics_type type, const char *help,
		uint64_t value)
{
	metrics_family(out, name, type, help);
	metrics_count(out, value, NULL);
}

static void seconds(struct metrics_out *out, const char *name, enum metrics_type type,
		    const char *help, uint64_t ns)
{
	metrics_family(out, name, type, help);
	metrics_value(out, (double)ns / NS, NULL);
}

static void counts(struct metrics_out *out, const char *name, const char *help, const char *label,
		   const struct shared_count *c, uint32_t nr)
{
	uint32_t i;

	metrics_family(out, name, METRICS_COUNTER, help);
	for (i = 0; i < nr; i++)
		metrics_count(out, c[i].value, label, c[i].name, NULL);
}

static void of_sampling(struct metrics_out *out, const struct shared_state *s)
{
	one(out, "ustack_samples_total", METRICS_COUNTER, "Samples counted.", s->samples);
	counts(out, "ustack_sample_outcomes_total", "Samples by the outcome of their user stack.",
	       "outcome", s->outcomes, s->nr_outcomes);
	counts(out, "ustack_samples_lost_total", "Samples that are in no window, by cause.",
	       "cause", s->losses, s->nr_losses);
	one(out, "ustack_samples_dropped_total", METRICS_COUNTER,
	    "Samples that relabelling has dropped.", s->left_out);
	one(out, "ustack_relabel_match_failures_total", METRICS_COUNTER,
	    "Regular expressions of relabelling that took too long.", s->match_failures);
	one(out, "ustack_samples_thinned_total", METRICS_COUNTER,
	    "Samples that samples_per_hour has left out; weights stand for them.", s->thinned);
	one(out, "ustack_mapping_records_lost_total", METRICS_COUNTER,
	    "Changes of processes' mappings that were missed; the processes were read again.",
	    s->mmaps_lost);
	one(out, "ustack_sessions_total", METRICS_COUNTER, "Sampling sessions begun.", s->sessions);
	one(out, "ustack_sampling_frequency_hertz", METRICS_GAUGE,
	    "Samples a second and CPU, now.", s->hz);
	one(out, "ustack_sampling_frequency_asked_hertz", METRICS_GAUGE,
	    "The same, as it was asked for.", s->most_hz);
	metrics_family(out, "ustack_sampling_source_info", METRICS_GAUGE, "What takes stacks.");
	metrics_count(out, 1, "source", s->source, NULL);
}

static void of_budget(struct metrics_out *out, const struct shared_state *s)
{
	metrics_family(out, "ustack_cpu_budget_ratio", METRICS_GAUGE,
		       "Share of all CPUs that sampling may use; 0 is no limit.");
	metrics_value(out, (double)s->budget / BUDGET_WHOLE, NULL);
	metrics_family(out, "ustack_cpu_used_ratio", METRICS_GAUGE,
		       "Share that the daemon used in the last window, the kernel's part included.");
	metrics_value(out, (double)s->used / BUDGET_WHOLE, NULL);
	metrics_family(out, "ustack_cpu_budget_changes_total", METRICS_COUNTER,
		       "Times that the budget changed the frequency.");
	metrics_count(out, s->lowered, "direction", "down", NULL);
	metrics_count(out, s->raised, "direction", "up", NULL);
	metrics_family(out, "ustack_sampler_cpu_seconds_total", METRICS_COUNTER,
		       "CPU time of the sampling process, and of its children.");
	metrics_value(out, (double)s->use.self_ns / NS, "of", "process", NULL);
	metrics_value(out, (double)s->use.children_ns / NS, "of", "children", NULL);
	one(out, "ustack_sampler_resident_memory_bytes", METRICS_GAUGE,
	    "Memory of the sampling process.", s->use.rss_bytes);
}

static void of_store(struct metrics_out *out, const struct shared_state *s)
{
	one(out, "ustack_windows_total", METRICS_COUNTER, "Windows stored.", s->windows);
	one(out, "ustack_windows_waiting", METRICS_GAUGE,
	    "Windows in memory that the store could not take yet.", s->waiting);
	one(out, "ustack_windows_dropped_total", METRICS_COUNTER,
	    "Windows that waited too long for the store or are too large for it, and are lost.",
	    s->dropped);
	one(out, "ustack_store_failures_total", METRICS_COUNTER, "Writes that failed.",
	    s->failures);
	seconds(out, "ustack_window_duration_seconds", METRICS_GAUGE, "Length of windows.",
		s->window_ns);
	seconds(out, "ustack_last_window_timestamp_seconds", METRICS_GAUGE,
		"When the last window began, since 1970.", s->window_at_ns);
	one(out, "ustack_store_bytes", METRICS_GAUGE, "Size of the store.", s->store.bytes);
	one(out, "ustack_store_segments", METRICS_GAUGE, "Files of the store.", s->store.segments);
	one(out, "ustack_store_appended_bytes_total", METRICS_COUNTER, "Bytes written.",
	    s->store.appended);
	one(out, "ustack_store_segments_removed_total", METRICS_COUNTER,
	    "Files that the limits have removed.", s->store.removed);
}

static void of_tables(struct metrics_out *out, const struct shared_state *s)
{
	one(out, "ustack_sampler_table_bytes", METRICS_GAUGE,
	    "Memory of unwind tables for copied stacks.", s->own_table_bytes);
	one(out, "ustack_sampler_tables", METRICS_GAUGE, "Unwind tables for copied stacks.",
	    s->own_tables);
	one(out, "ustack_module_loaded", METRICS_GAUGE, "Whether the kernel module answers.",
	    s->module);
	if (!s->module)
		return;
	one(out, "ustack_module_table_bytes", METRICS_GAUGE,
	    "Memory of the module's unwind tables.", s->table_bytes);
	one(out, "ustack_module_tables", METRICS_GAUGE, "The module's unwind tables.", s->tables);
}

struct push_family {
	const char *name;
	const char *help;
	enum metrics_type type;
	uint64_t (*value)(const struct push_info *i);
};

#define PUSH_VALUE(field)                                                 \
	static uint64_t push_##field(const struct push_info *i)           \
	{                                                                 \
		return i->field;                                          \
	}
PUSH_VALUE(windows)
PUSH_VALUE(bytes)
PUSH_VALUE(retries)
PUSH_VALUE(refused)
PUSH_VALUE(lost)
PUSH_VALUE(lag_windows)
PUSH_VALUE(failing)
#undef PUSH_VALUE

static const struct push_family push_families[] = {
	{ "ustack_push_windows_total", "Windows acknowledged.", METRICS_COUNTER, push_windows },
	{ "ustack_push_bytes_total", "Bytes of requests acknowledged.", METRICS_COUNTER, push_bytes },
	{ "ustack_push_retries_total", "Requests sent again.", METRICS_COUNTER, push_retries },
	{ "ustack_push_refused_windows_total", "Windows that the target will never take.",
	  METRICS_COUNTER, push_refused },
	{ "ustack_push_lost_windows_total", "Windows that the store removed before they were sent.",
	  METRICS_COUNTER, push_lost },
	{ "ustack_push_lag_windows", "Windows not acknowledged yet.", METRICS_GAUGE,
	  push_lag_windows },
	{ "ustack_push_failing", "Whether the last request failed.", METRICS_GAUGE, push_failing },
};

void serving_metrics_push(struct metrics_out *out, void *arg)
{
	const struct serving_numbers *n = arg;
	struct push_info info;
	size_t i, j;

	for (i = 0; i < sizeof(push_families) / sizeof(push_families[0]); i++) {
		const struct push_family *f = &push_families[i];

		metrics_family(out, f->name, f->type, f->help);
		for (j = 0; j < n->cfg->nr_push; j++) {
			push_info(n->push, j, &info);
			metrics_count(out, f->value(&info), "target", n->cfg->push[j].name, NULL);
		}
	}
	metrics_family(out, "ustack_push_failures_total", METRICS_COUNTER,
		       "Requests that failed, by kind.");
	for (j = 0; j < n->cfg->nr_push; j++) {
		push_info(n->push, j, &info);
		for (i = PUSH_NONE + 1; i < PUSH_NR_FAILURES; i++)
			metrics_count(out, info.failures[i], "target", n->cfg->push[j].name,
				      "kind", push_failure_name(i), NULL);
	}
}

void serving_metrics(struct metrics_out *out, void *arg)
{
	const struct serving_numbers *n = arg;
	struct shared_state s;

	if (!shared_read(n->shared, &s)) {
		of_sampling(out, &s);
		of_budget(out, &s);
		of_store(out, &s);
		of_tables(out, &s);
	}
}

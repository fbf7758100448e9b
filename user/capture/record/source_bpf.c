// SPDX-License-Identifier: GPL-2.0-only
/*
 * The source that counts in the kernel, by sampler/. With unwind tables in BPF
 * it also runs the thread of supply/tables/maker.h that makes them. See
 * source.h.
 */
#include "capture/record/source.h"

#include <errno.h>
#include <stdlib.h>

#include "supply/tables/maker.h"
#include "symbols/lang/php_jit.h"
#include "util/poison.h"

#define TABLE_MEMORY (128ull << 20)
/*
 * Tables in the cache take some 10 ms in all. After this time the user gets a
 * note about the wait.
 */
#define QUIET_MS 500u

/**
 * struct by_bpf - the source
 * @sampler: the sampler
 * @maker: keeps the tables that stacks are walked by; NULL if the kernel walks
 */
struct by_bpf {
	struct sampler *sampler;
	struct table_maker *maker;
};

static int bpf_start(void *source, struct diag *diag)
{
	const struct by_bpf *b = source;

	return sampler_start(b->sampler, diag);
}

static int bpf_fd(void *source)
{
	const struct by_bpf *b = source;

	return sampler_fd(b->sampler);
}

static int bpf_drain(void *source, sampler_take take, void *context, struct diag *diag)
{
	const struct by_bpf *b = source;

	return sampler_drain(b->sampler, take, context, diag);
}

static int bpf_stop(void *source, struct diag *diag)
{
	const struct by_bpf *b = source;

	return sampler_stop(b->sampler, diag);
}

static int bpf_event(void *source, size_t event, struct sampler_event_info *ret)
{
	const struct by_bpf *b = source;

	return sampler_event_info(b->sampler, event, ret);
}

static int bpf_set_rate(void *source, size_t event, uint64_t hz, struct diag *diag)
{
	const struct by_bpf *b = source;

	return sampler_set_rate(b->sampler, event, hz, diag);
}

static void bpf_tables(void *source, uint64_t *nr, uint64_t *bytes, uint64_t *ns)
{
	const struct by_bpf *b = source;
	struct table_maker_counts counts;

	table_maker_counts(b->maker, &counts);
	*nr = counts.tables;
	*bytes = counts.bin_bytes;
	*ns = counts.ns;
}

/* Without room for these no samples are lost, but stacks are short. */
static unsigned int add_refusals(const struct table_maker *k, struct sampler_counter *ret)
{
	struct table_maker_counts counts;

	table_maker_counts(k, &counts);
	ret[0] = (struct sampler_counter){
		"tables-refused", "files without an unwind table, because there was no room for it",
		SAMPLER_INFORMATION, counts.refused,
	};
	ret[1] = (struct sampler_counter){
		"mappings-refused", "processes with more executable mappings than there was room for",
		SAMPLER_INFORMATION, counts.crowded,
	};
	return 2;
}

static unsigned int bpf_counters(void *source, struct sampler_counter *ret)
{
	const struct by_bpf *b = source;
	size_t nr = sampler_nr_counters();

	if (nr + 2 > RECORD_MAX_COUNTERS || sampler_counters(b->sampler, ret))
		return 0;
	if (b->maker)
		nr += add_refusals(b->maker, ret + nr);
	return (unsigned int)nr;
}

static void bpf_free(void *source)
{
	struct by_bpf *b = source;

	table_maker_free(b->maker);
	sampler_free(b->sampler);
	free(b);
}

/* Waits for tables, so that stacks are complete from the first sample on. */
static void wait_for_tables(struct table_maker *k, const struct sampler_options *o,
			    const struct record_tables *tables)
{
	if (!table_maker_settle(k, QUIET_MS)) {
		if (o->note)
			o->note(o->note_context, "making unwind tables of running programs ...");
		table_maker_settle(k, tables->wait_ms);
	}
	if (tables->program)
		table_maker_know(k, tables->program, tables->wait_ms);
}

static int start_maker(struct by_bpf *b, const struct sampler_options *options,
		       const struct record_tables *tables, struct diag *diag)
{
	struct table_maker_maps maps;
	int err;

	if (!options->tables)
		return 0;
	sampler_maps(b->sampler, &maps);
	maps.made = php_jit_code;
	err = table_maker_new(&maps, &(struct table_maker_limits){ .memory = TABLE_MEMORY }, &b->maker, diag);
	if (!err && tables && tables->wait_ms)
		wait_for_tables(b->maker, options, tables);
	return err;
}

int record_source_bpf(const struct sampler_options *options, const struct record_tables *tables,
		      struct record_source *ret, struct diag *diag)
{
	static const struct record_source_ops by_kernel = {
		.name = "eBPF", .start = bpf_start, .fd = bpf_fd, .drain = bpf_drain,
		.stop = bpf_stop, .event = bpf_event, .set_rate = bpf_set_rate,
		.counters = bpf_counters, .free = bpf_free,
	}, by_tables = {
		.name = "eBPF, unwind tables", .start = bpf_start, .fd = bpf_fd, .drain = bpf_drain,
		.stop = bpf_stop, .event = bpf_event, .set_rate = bpf_set_rate,
		.tables = bpf_tables, .counters = bpf_counters, .free = bpf_free,
	};
	struct by_bpf *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return diag_errno(diag, ENOMEM, NULL);
	err = sampler_new(options, &b->sampler, diag);
	if (!err)
		err = start_maker(b, options, tables, diag);
	if (err) {
		bpf_free(b);
		return err;
	}
	*ret = (struct record_source){ options->tables ? &by_tables : &by_kernel, b };
	return 0;
}

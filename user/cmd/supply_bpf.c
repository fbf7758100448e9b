// SPDX-License-Identifier: GPL-2.0-only
/* ustack supply --bpf: keeps tables and mappings for eBPF programs of others. */
#include "cmd/supply_bpf.h"

#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "cmd.h"
#include "capture/sampler/follow.h"
#include "supply/tables/maker.h"
#include "symbols/lang/php_jit.h"
#include "util/text.h"

#include "util/poison.h"

static void print_counts(const struct table_maker *k)
{
	char tables[TEXT_SHORT], memory[TEXT_SHORT], wide[TEXT_SHORT];
	struct table_maker_counts n;

	table_maker_counts(k, &n);
	printf("%" PRIu64 " tables: %s in %s of the kernel's memory, %" PRIu64
	       " refused for want of room; %.1f ms\n",
	       n.tables, text_bytes(n.table_bytes, tables), text_bytes(n.bin_bytes, memory),
	       n.refused, (double)n.ns / 1e6);
	printf("mappings of processes that have many: %s, %" PRIu64 " refused for want of room\n",
	       text_bytes(n.wide_bytes, wide), n.crowded);
}

static int keep(const struct follow *f, const struct supply_bpf *o, const sigset_t *ends,
		struct diag *diag)
{
	struct pins pins = PINS_INIT;
	struct table_maker_maps maps;
	struct table_maker *k;
	int err, sig;

	follow_maps(f, &maps);
	maps.made = php_jit_code;
	err = table_maker_new(&maps, &(struct table_maker_limits){ .memory = o->memory }, &k, diag);
	if (err)
		return err;
	table_maker_settle(k, 0);
	err = pins_open(&pins, o->pins, &maps, diag);
	if (!err) {
		fprintf(stderr, "eBPF programs find mappings and unwind tables in %s\n", o->pins);
		sigwait(ends, &sig);
	}
	/* must happen before the programs that track mappings are detached */
	pins_release(&pins);
	if (!err)
		print_counts(k);
	table_maker_free(k);
	return err;
}

int supply_bpf_run(const struct supply_bpf *o)
{
	sigset_t mask, ends;
	struct follow *f;
	struct diag diag;
	int err;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	mask = ends;
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	err = follow_new(&f, &diag);
	if (err)
		return cmd_diag(&diag);
	err = keep(f, o, &ends, &diag);
	follow_free(f);
	return err ? cmd_diag(&diag) : CMD_OK;
}

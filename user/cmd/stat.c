// SPDX-License-Identifier: GPL-2.0-only
/* ustack stat: prints what the module did, and why stacks ended. */
#include "cmd.h"

#include <inttypes.h>
#include <time.h>

#include "host/module/module.h"
#include "reason.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

struct stat_opts {
	bool json;
	struct option_u64 interval;	/* milliseconds */
};

/* Reasons that were counted, the most frequent first. */
struct ranking {
	unsigned int n;
	unsigned int reason[USTACK_STATS_REASONS];
};

static void rank(const struct ustack_stats *st, struct ranking *ret)
{
	unsigned int i, at;

	ret->n = 0;
	for (i = 0; i < USTACK_STATS_REASONS; i++) {
		if (!st->reasons[i])
			continue;
		/* insertion sort: reasons with equal counts stay in the order of their numbers */
		for (at = ret->n++; at; at--) {
			if (st->reasons[ret->reason[at - 1]] >= st->reasons[i])
				break;
			ret->reason[at] = ret->reason[at - 1];
		}
		ret->reason[at] = i;
	}
}

/* Return: name of a reason, or its number if this program does not know it. */
static const char *reason_name(unsigned int reason, char buf[TEXT_SHORT])
{
	const char *name = ustack_reason_name(reason);

	if (name)
		return name;
	snprintf(buf, TEXT_SHORT, "REASON_%u", reason);
	return buf;
}

static void print_samples(const struct ustack_stats *st)
{
	uint64_t steps = st->table_steps + st->blind_steps;
	struct profile_whole whole;
	char share[TEXT_SHORT];

	module_whole(st, &whole);
	printf("complete stacks  %s\n", profile_whole_share(&whole, share));
	printf("complete, guess  %s\n",
	       text_share((uint64_t)whole.guessed, (uint64_t)whole.stacks, share));
	printf("samples          %llu\n", st->samples);
	printf("frames           %llu", st->frames);
	if (st->samples)
		printf(", %.1f a sample", (double)st->frames / (double)st->samples);
	printf("\nsteps by table   %s of %" PRIu64 "\n",
	       text_share(st->table_steps, steps, share), steps);
	printf("steps guessed    %llu, in %llu stacks\n", st->guessed_steps,
	       st->guessed_samples);
}

static void print_reasons(const struct ustack_stats *st)
{
	char share[TEXT_SHORT], name[TEXT_SHORT];
	struct ranking r;
	unsigned int i;

	rank(st, &r);
	if (!r.n)
		return;
	printf("\nwhy stacks ended          count     share\n");
	for (i = 0; i < r.n; i++)
		printf("  %-15s %14llu  %8s  %s\n",
		       reason_name(r.reason[i], name), st->reasons[r.reason[i]],
		       text_share(st->reasons[r.reason[i]], st->samples, share),
		       ustack_reason_text(r.reason[i]));
}

static void print_memory(const struct ustack_info *info)
{
	char used[TEXT_SHORT], budget[TEXT_SHORT];

	printf("\nimages           %u, %u with a table, %s\n", info->images,
	       info->tables, text_bytes(info->image_bytes, used));
	printf("tables           %s of at most %s\n",
	       text_bytes(info->table_bytes, used),
	       text_bytes(info->budget_bytes, budget));
	printf("processes        %u, %s\n", info->spaces,
	       text_bytes(info->space_bytes, used));
	printf("module           %s, interface %u, at most %u frames a stack%s\n",
	       module_arch_name(info->arch), info->abi, info->max_frames,
	       info->enabled ? "" : ", SWITCHED OFF");
}

static void print_hooks(const struct ustack_info *info)
{
	const struct module_hook *hooks;
	size_t i, n;

	hooks = module_hooks(&n);
	printf("hooks           ");
	for (i = 0; i < n; i++)
		if (info->hooks & hooks[i].bit)
			printf(" %s", hooks[i].function);
	printf("%s\n", info->hooks ? "" : " none");
	for (i = 0; i < n; i++)
		if (!(info->hooks & hooks[i].bit))
			printf("not in place     %s: %s\n", hooks[i].function,
			       hooks[i].without);
}

static void json_stats(struct json *j, const struct ustack_stats *st)
{
	struct profile_whole whole;
	char name[TEXT_SHORT];
	unsigned int i;

	module_whole(st, &whole);
	json_u64(j, "samples", st->samples);
	json_u64(j, "frames", st->frames);
	json_u64(j, "table_steps", st->table_steps);
	json_u64(j, "blind_steps", st->blind_steps);
	json_u64(j, "guessed_steps", st->guessed_steps);
	json_u64(j, "guessed_samples", st->guessed_samples);
	json_u64(j, "guessed_complete", st->guessed_complete);
	if (whole.stacks)
		json_double(j, "complete", (double)whole.complete / (double)whole.stacks);
	else
		json_null(j, "complete");
	json_object(j, "reasons");
	for (i = 0; i < USTACK_STATS_REASONS; i++)
		if (st->reasons[i])
			json_u64(j, reason_name(i, name), st->reasons[i]);
	json_object_end(j);
}

static void json_info(struct json *j, const struct ustack_info *info)
{
	const struct module_hook *hooks;
	size_t i, n;

	json_u64(j, "abi", info->abi);
	json_string(j, "arch", module_arch_name(info->arch));
	json_bool(j, "enabled", info->enabled);
	json_u64(j, "max_frames", info->max_frames);
	json_u64(j, "budget_bytes", info->budget_bytes);
	json_u64(j, "table_bytes", info->table_bytes);
	json_u64(j, "image_bytes", info->image_bytes);
	json_u64(j, "space_bytes", info->space_bytes);
	json_u64(j, "images", info->images);
	json_u64(j, "tables", info->tables);
	json_u64(j, "spaces", info->spaces);
	json_object(j, "hooks");
	hooks = module_hooks(&n);
	for (i = 0; i < n; i++)
		json_bool(j, hooks[i].function, info->hooks & hooks[i].bit);
	json_object_end(j);
}

static int show_totals(const struct module *m, const struct stat_opts *o,
		       struct diag *diag)
{
	struct ustack_info info;
	struct ustack_stats st;
	struct json j;
	int err;

	err = module_info(m, &info, diag);
	if (!err)
		err = module_stats(m, &st, diag);
	if (err)
		return err;
	if (o->json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		json_info(&j, &info);
		json_stats(&j, &st);
		json_object_end(&j);
		json_end(&j);
		return 0;
	}
	print_samples(&st);
	print_reasons(&st);
	print_memory(&info);
	print_hooks(&info);
	return 0;
}

static void subtract(const struct ustack_stats *now,
		     const struct ustack_stats *before, struct ustack_stats *ret)
{
	unsigned int i;

	*ret = *now;
	ret->samples -= before->samples;
	ret->frames -= before->frames;
	ret->table_steps -= before->table_steps;
	ret->blind_steps -= before->blind_steps;
	ret->guessed_steps -= before->guessed_steps;
	ret->guessed_samples -= before->guessed_samples;
	ret->guessed_complete -= before->guessed_complete;
	for (i = 0; i < USTACK_STATS_REASONS; i++)
		ret->reasons[i] -= before->reasons[i];
}

/* Prints one line for each interval, so that a column can be followed by eye or by awk. */
static void print_change(const struct ustack_stats *st)
{
	char share[TEXT_SHORT], name[TEXT_SHORT];
	struct profile_whole whole;
	struct ranking r;
	unsigned int i;

	module_whole(st, &whole);
	printf("%10llu samples %12llu frames  complete %8s",
	       st->samples, st->frames,
	       profile_whole_share(&whole, share));
	rank(st, &r);
	for (i = 0; i < r.n; i++)
		if (r.reason[i] != USTACK_COMPLETE)
			printf("  %s %llu", reason_name(r.reason[i], name),
			       st->reasons[r.reason[i]]);
	printf("\n");
}

static void json_change(const struct ustack_stats *st, uint64_t ms)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_double(&j, "seconds", (double)ms / 1000);
	json_stats(&j, st);
	json_object_end(&j);
	json_end(&j);
}

static void sleep_until(struct timespec *t, uint64_t ms)
{
	t->tv_sec += (time_t)(ms / 1000);
	t->tv_nsec += (long)(ms % 1000) * 1000000;
	if (t->tv_nsec >= 1000000000) {
		t->tv_nsec -= 1000000000;
		t->tv_sec++;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, t, NULL))
		;
}

/* Ends with a signal, when stdout is closed, or when the module is removed. */
static int show_changes(const struct module *m, const struct stat_opts *o,
			struct diag *diag)
{
	struct ustack_stats before, now, change;
	struct timespec next;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &next);
	err = module_stats(m, &before, diag);
	while (!err) {
		sleep_until(&next, o->interval.value);
		err = module_stats(m, &now, diag);
		if (err)
			break;
		subtract(&now, &before, &change);
		if (o->json)
			json_change(&change, o->interval.value);
		else
			print_change(&change);
		if (fflush(stdout))
			break;
		before = now;
	}
	return err;
}

int cmd_stat(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack stat",
		.synopsis = "[--json] [-i SECONDS]",
		.about = "Shows how many stacks the module unwound, the share of complete ones, why\n"
			 "the others ended, its memory, and which hooks are in place.",
	};
	struct stat_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_SECONDS('i', "interval", "SECONDS", &o.interval,
			       "print what changed every SECONDS, until Ctrl-C"),
		OPTION_FLAG(0, "json", &o.json, "print JSON, one object a line"),
		OPTION_END,
	};
	_cleanup_(module_release) struct module m = MODULE_INIT;
	struct diag diag;
	int status, err;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	err = module_open(&m, &diag);
	if (!err && o.interval.set)
		err = show_changes(&m, &o, &diag);
	else if (!err)
		err = show_totals(&m, &o, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}

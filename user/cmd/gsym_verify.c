// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym verify: compares a GSYM file with the DWARF from which it was made. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/names.h"
#include "cmd/progress.h"
#include "symbols/convert/verify.h"
#include "util/json.h"

#include "util/poison.h"

#define MOST 20u

struct verify_opts {
	bool json;
	struct names_style style;
	struct option_u64 most;
	struct option_u64 addresses;
};

/* Output of the differences, and the progress display. */
struct listing {
	struct json *json;	/* JSON writer; NULL for text */
	uint64_t left;		/* number of differences that may still be listed */
	struct progress progress;
};

static void show_progress(void *arg, uint64_t done, uint64_t total)
{
	struct listing *l = arg;

	progress_percent(&l->progress, done, total);
}

static void print_frames(const char *who, const struct gsym_frame *f, unsigned int nr)
{
	unsigned int i;

	if (!nr)
		printf("  %s nothing\n", who);
	for (i = 0; i < nr; i++) {
		printf("  %-5s %s", i ? "" : who, f[i].function);
		if (*f[i].file)
			printf(" @ %s%s%s:%u", f[i].dir, *f[i].dir ? "/" : "", f[i].file,
			       f[i].line);
		printf("%s\n", f[i].inlined ? " [inlined]" : "");
	}
}

static void print_difference(const struct gsym_difference *d)
{
	const char *comma = "";
	unsigned int kind;

	printf("0x%" PRIx64 ": ", d->addr);
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++) {
		if (!(d->kinds & 1u << kind))
			continue;
		printf("%s%s", comma, gsym_verify_kind_name(kind));
		comma = ", ";
	}
	printf("\n");
	print_frames("GSYM", d->have, d->nr_have);
	print_frames("DWARF", d->want, d->nr_want);
}

static void json_frames(struct json *j, const char *who, const struct gsym_frame *f,
			unsigned int nr)
{
	unsigned int i;

	json_array(j, who);
	for (i = 0; i < nr; i++) {
		json_object(j, NULL);
		json_string(j, "function", f[i].function);
		json_string(j, "dir", f[i].dir);
		json_string(j, "file", f[i].file);
		json_u64(j, "line", f[i].line);
		json_bool(j, "inlined", f[i].inlined);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_difference(struct json *j, const struct gsym_difference *d)
{
	unsigned int kind;

	json_object(j, NULL);
	json_u64(j, "address", d->addr);
	json_array(j, "kinds");
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++)
		if (d->kinds & 1u << kind)
			json_string(j, NULL, gsym_verify_kind_name(kind));
	json_array_end(j);
	json_frames(j, "gsym", d->have, d->nr_have);
	json_frames(j, "dwarf", d->want, d->nr_want);
	json_object_end(j);
}

static void show_difference(void *arg, const struct gsym_difference *d)
{
	struct listing *l = arg;

	if (!l->left)
		return;
	l->left--;
	progress_wipe(&l->progress);
	if (l->json)
		json_difference(l->json, d);
	else
		print_difference(d);
}

static void print_sums(const char *path, const struct gsym_verified *r)
{
	unsigned int kind;

	printf("%s: %" PRIu64 " of %" PRIu64 " addresses the same, in %" PRIu64
	       " functions of %" PRIu64 " units\n",
	       path, r->same, r->addresses, r->functions, r->units);
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++)
		if (r->differences[kind])
			printf("  %s: %" PRIu64 "\n", gsym_verify_kind_name(kind),
			       r->differences[kind]);
	if (r->no_row)
		printf("  without a row in DWARF: %" PRIu64 " addresses\n", r->no_row);
	if (r->overlapped)
		printf("  not compared, as another function has them: %" PRIu64 " addresses\n",
		       r->overlapped);
	if (r->nameless)
		printf("  not compared, without a name: %" PRIu64 " functions\n", r->nameless);
	if (r->damaged)
		printf("  damaged: %" PRIu64 " units or functions\n", r->damaged);
	if (r->other_build)
		printf("  the build ids differ\n");
}

static void json_sums(struct json *j, const struct gsym_verified *r)
{
	unsigned int kind;

	json_u64(j, "units", r->units);
	json_u64(j, "functions", r->functions);
	json_u64(j, "addresses", r->addresses);
	json_u64(j, "same", r->same);
	json_object(j, "differences");
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++)
		json_u64(j, gsym_verify_kind_name(kind), r->differences[kind]);
	json_object_end(j);
	json_u64(j, "without_row", r->no_row);
	json_u64(j, "overlapped", r->overlapped);
	json_u64(j, "nameless", r->nameless);
	json_u64(j, "damaged", r->damaged);
	json_bool(j, "other_build", r->other_build);
}

static bool differs(const struct gsym_verified *r)
{
	return r->same != r->addresses || r->differences[GSYM_VERIFY_FUNCTION] || r->damaged;
}

static int compare(const struct gsym *g, const char *gsym_path, const char *path,
		   const struct verify_opts *o, struct names *names, struct listing *l)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_verify_options how = {
		.addresses = o->addresses.value, .names = names, .each = show_difference,
		.progress = show_progress, .arg = l,
	};
	struct gsym_verified r;
	int err;

	err = gsym_verify(g, path, &how, &r, &diag);
	progress_wipe(&l->progress);
	if (l->json)
		json_array_end(l->json);
	if (err) {
		/* an error that does not name the program is about the GSYM file */
		if (!diag.file)
			diag.file = gsym_path;
		return cmd_diag(&diag);
	}
	if (l->json)
		json_sums(l->json, &r);
	else
		print_sums(gsym_path, &r);
	return differs(&r) ? CMD_DIFFERS : CMD_OK;
}

static int run(const char *gsym_path, const char *path, const struct verify_opts *o,
	       struct names *names)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct json j;
	struct listing l = {
		.json = o->json ? &j : NULL,
		.left = o->most.set ? o->most.value : MOST,
	};
	struct gsym *g;
	int status;

	if (gsym_open(gsym_path, &g, &diag))
		return cmd_diag(&diag);
	progress_init(&l.progress, path);
	json_init(&j, stdout);
	if (o->json) {
		json_object(&j, NULL);
		json_string(&j, "gsym", gsym_path);
		json_string(&j, "file", path);
		json_array(&j, "listed");
	}
	status = compare(g, gsym_path, path, o, names, &l);
	if (o->json) {
		json_object_end(&j);
		json_end(&j);
	}
	gsym_close(g);
	return status;
}

int cmd_gsym_verify(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack gsym verify",
		.synopsis = "[OPTION...] GSYM FILE",
		.about = "Compares a GSYM file with the DWARF of the ELF file that it was made from,\n"
			 "address by address, and lists the differences. The exit status is 3 if there\n"
			 "are any.",
	};
	struct verify_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_U64(0, "addresses", "N", &o.addresses, "compare about N addresses (all)"),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_U64(0, "most", "N", &o.most, "list at most N differences (20)"),
		CMD_NAMES_OPTIONS(&o.style)
		OPTION_END,
	};
	struct names *names;
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc != 2)
		return cmd_bad_usage(&usage, argc < 2 ? "which GSYM and FILE?" :
							"takes one GSYM and one FILE");
	if (o.addresses.set && !o.addresses.value)
		return cmd_bad_usage(&usage, "--addresses is 1 or more");
	if (!cmd_names_check(&usage, &o.style))
		return CMD_USAGE;
	/* names that were demangled when the file was made must not count as differences */
	if (!o.style.shorten_stl)
		o.style.demangle = true;
	if (!cmd_names_new(&o.style, &names))
		return CMD_FAILED;
	status = run(argv[0], argv[1], &o, names);
	cmd_names_free(names);
	return status;
}

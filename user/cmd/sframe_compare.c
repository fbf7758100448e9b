// SPDX-License-Identifier: GPL-2.0-only
/* ustack sframe compare: compares a file's .sframe with its call frame information. */
#include <errno.h>
#include <inttypes.h>

#include "cmd.h"
#include "sframe/compare.h"
#include "sframe/rule_text.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/json.h"

struct compare_opts {
	const char *section;
	bool json;
};

/* Output of the runs of addresses that differ. */
struct listing {
	const struct ustack_arch *arch;
	struct json *json;	/* JSON writer; NULL for text */
};

static const char *rule(const struct ustack_rule *r,
			const struct ustack_arch *arch,
			char text[SFRAME_RULE_TEXT])
{
	return r ? sframe_rule_text(r, arch, text) : "nothing";
}

static void print_run(const struct compare_run *run, void *arg)
{
	const struct listing *l = arg;
	char have[SFRAME_RULE_TEXT], want[SFRAME_RULE_TEXT];

	printf("0x%" PRIx64 "..0x%" PRIx64 " %s: .sframe %s; CFI %s\n",
	       (uint64_t)run->start, (uint64_t)run->end,
	       compare_kind_name(run->kind), rule(run->have, l->arch, have),
	       rule(run->want, l->arch, want));
}

static void json_run(const struct compare_run *run, void *arg)
{
	const struct listing *l = arg;
	char text[SFRAME_RULE_TEXT];

	json_object(l->json, NULL);
	json_string(l->json, "kind", compare_kind_name(run->kind));
	json_u64(l->json, "start", run->start);
	json_u64(l->json, "end", run->end);
	json_string(l->json, "sframe", rule(run->have, l->arch, text));
	json_string(l->json, "cfi", rule(run->want, l->arch, text));
	json_object_end(l->json);
}

static void print_sums(const char *path, const struct compare_result *r)
{
	unsigned int kind;

	printf("%s: %" PRIu64 " bytes of text with the same rules\n", path,
	       (uint64_t)r->equal);
	for (kind = 0; kind < COMPARE_NR_KINDS; kind++)
		if (r->runs[kind])
			printf("  %" PRIu64 " bytes in %" PRIu64 " places: %s: %s\n",
			       (uint64_t)r->bytes[kind], (uint64_t)r->runs[kind],
			       compare_kind_name(kind), compare_kind_text(kind));
	if (r->skipped)
		printf("  %" PRIu64 " bytes have CFI that no rule can say\n",
		       (uint64_t)r->skipped);
}

static void json_sums(struct json *j, const struct compare_result *r)
{
	unsigned int kind;

	json_u64(j, "equal_bytes", r->equal);
	json_u64(j, "skipped_bytes", r->skipped);
	json_object(j, "differences");
	for (kind = 0; kind < COMPARE_NR_KINDS; kind++) {
		json_object(j, compare_kind_name(kind));
		json_u64(j, "bytes", r->bytes[kind]);
		json_u64(j, "places", r->runs[kind]);
		json_object_end(j);
	}
	json_object_end(j);
}

static bool differs(const struct compare_result *r)
{
	unsigned int kind;

	for (kind = 0; kind < COMPARE_NR_KINDS; kind++)
		if (r->runs[kind])
			return true;
	return false;
}

static bool show(const struct compare_opts *o, const char *path,
		 const struct sframe_section *s, const struct synth *cfi)
{
	struct compare_result result;
	struct listing l = { .arch = cfi->arch };
	struct json j;

	if (!o->json) {
		compare(s, cfi, print_run, &l, &result);
		print_sums(path, &result);
		return differs(&result);
	}
	json_init(&j, stdout);
	l.json = &j;
	json_object(&j, NULL);
	json_string(&j, "file", path);
	json_array(&j, "runs");
	compare(s, cfi, json_run, &l, &result);
	json_array_end(&j);
	json_sums(&j, &result);
	json_object_end(&j);
	json_end(&j);
	return differs(&result);
}

static int run(const struct compare_opts *o, const char *path)
{
	_cleanup_(sframe_section_release) struct sframe_section s =
		SFRAME_SECTION_INIT;
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(synth_release) struct synth cfi = SYNTH_INIT;
	struct diag diag;
	int err;

	err = sframe_section_read(&s, o->section ? o->section : path, NULL, &diag);
	if (!err)
		err = sframe_section_prove(&s, &diag);
	if (!err)
		err = file_open(&file, path, &diag);
	if (!err)
		err = synth_read(&cfi, file.fd, path, &diag);
	if (!err && cfi.arch != s.elf.arch)
		err = diag_set(&diag, EINVAL, path,
			       "the section is for another architecture");
	if (err)
		return cmd_diag(&diag);
	return show(o, path, &s, &cfi) ? CMD_DIFFERS : CMD_OK;
}

int cmd_sframe_compare(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack sframe compare",
		.synopsis = "[--section SECTION] [--json] FILE",
		.about = "Looks up every address of FILE's text in the table that the module would make\n"
			 "from its .sframe and in its call frame information, and lists the differences.\n"
			 "The exit status is 3 if there are any.",
	};
	struct compare_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "section", "SECTION", &o.section,
			      "take the .sframe of the ELF file SECTION"),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	return run(&o, argv[0]);
}

// SPDX-License-Identifier: GPL-2.0-only
/* ustack sframe verify: checks a file's section as the module would. */
#include <inttypes.h>

#include "cmd/sframe_input.h"
#include "sframe/section_walk.h"
#include "util/cleanup.h"
#include "util/json.h"

struct verify_opts {
	bool json;
	struct option_pair raw;
};

/* Return: the versions of a section's parts; bit n stands for version n. */
static unsigned int versions(const struct sframe_section *s)
{
	struct sframe_walk w;
	unsigned int bits = 0;

	sframe_walk_init(&w, s);
	while (sframe_walk_part(&w))
		bits |= 1u << w.part.version;
	return bits;
}

static double bytes_per_row(const struct sframe_section *s)
{
	return s->core.report.rows ?
		       (double)s->table->size / s->core.report.rows : 0;
}

static void print_versions(const struct sframe_section *s)
{
	unsigned int v, bits = versions(s);
	const char *lead = "V";

	for (v = 1; v <= 3; v++) {
		if (!(bits & (1u << v)))
			continue;
		printf("%s%u", lead, v);
		lead = "+V";
	}
}

static void print_notes(const struct ustack_report *r)
{
	if (r->no_info)
		printf("  %u functions have no rows\n", r->no_info);
	if (r->overlaps)
		printf("  %u functions are cut at the start of the next\n",
		       r->overlaps);
	if (r->dup_rows)
		printf("  %u rows are replaced by a later one with the same start\n",
		       r->dup_rows);
	if (r->tail_rows)
		printf("  %u rows lie behind their function's end\n",
		       r->tail_rows);
	if (r->resorted)
		printf("  the entries were out of order and have been sorted\n");
	if (r->reanchored)
		printf("  %s\n", "the start fields count from themselves, "
		       "not from the section as the flags say");
}

static void print_accepted(const struct sframe_section *s)
{
	const struct ustack_report *r = &s->core.report;
	struct diag lost;
	char text[512];

	printf("%s: ", s->path);
	print_versions(s);
	printf(", %u part%s, %u functions, %u rows, %u lost; table %u bytes, %.2f a row\n",
	       r->parts, r->parts == 1 ? "" : "s", r->functions, r->rows,
	       r->lost, s->table->size, bytes_per_row(s));
	if (r->lost) {
		diag_reason(&lost, r->bad_reason, NULL, r->bad_off);
		diag_format(&lost, text, sizeof(text));
		printf("  lost %u, the first: %s\n", r->lost, text);
	}
	print_notes(r);
}

static void json_reason(struct json *j, unsigned int reason, uint64_t offset)
{
	json_string(j, "reason", ustack_reason_name(reason));
	json_string(j, "sentence", ustack_reason_text(reason));
	if (offset != DIAG_NO_OFFSET)
		json_u64(j, "offset", offset);
}

static void json_accepted(struct json *j, const struct sframe_section *s)
{
	const struct ustack_report *r = &s->core.report;
	unsigned int v, bits = versions(s);

	json_array(j, "versions");
	for (v = 1; v <= 3; v++)
		if (bits & (1u << v))
			json_u64(j, NULL, v);
	json_array_end(j);
	json_string(j, "arch", s->core.arch->name);
	json_u64(j, "parts", r->parts);
	json_u64(j, "functions", r->functions);
	json_u64(j, "rows", r->rows);
	json_u64(j, "lost", r->lost);
	if (r->lost) {
		json_object(j, "first_lost");
		json_reason(j, r->bad_reason, r->bad_off);
		json_object_end(j);
	}
	json_u64(j, "no_info", r->no_info);
	json_u64(j, "overlaps", r->overlaps);
	json_u64(j, "dup_rows", r->dup_rows);
	json_u64(j, "tail_rows", r->tail_rows);
	json_bool(j, "resorted", r->resorted);
	json_bool(j, "reanchored", r->reanchored);
	json_u64(j, "section_bytes", s->core.len);
	json_u64(j, "table_bytes", s->table->size);
	json_double(j, "bytes_per_row", bytes_per_row(s));
}

static void json_file(struct json *j, const char *path,
		      const struct sframe_section *s, const struct diag *refused)
{
	json_object(j, NULL);
	json_string(j, "file", path);
	json_bool(j, "accepted", !refused);
	if (!refused)
		json_accepted(j, s);
	else if (refused->reason)
		json_reason(j, refused->reason, refused->offset);
	else
		json_string(j, "sentence", refused->text);
	json_object_end(j);
}

/* @j: the JSON writer; NULL for text */
static int verify(const char *path, const struct sframe_raw *raw, struct json *j)
{
	_cleanup_(sframe_section_release) struct sframe_section s =
		SFRAME_SECTION_INIT;
	struct diag diag;
	int err;

	err = sframe_section_read(&s, path, raw, &diag);
	if (!err)
		err = sframe_section_prove(&s, &diag);
	if (j)
		json_file(j, path, &s, err ? &diag : NULL);
	else if (!err)
		print_accepted(&s);
	return err ? cmd_diag(&diag) : CMD_OK;
}

static int verify_all(const struct verify_opts *o, const struct sframe_raw *raw,
		      int argc, char **argv)
{
	int i, status = CMD_OK;
	struct json j;

	json_init(&j, stdout);
	if (o->json)
		json_array(&j, NULL);
	for (i = 0; i < argc; i++)
		if (verify(argv[i], raw, o->json ? &j : NULL))
			status = CMD_FAILED;
	if (o->json) {
		json_array_end(&j);
		json_end(&j);
	}
	return status;
}

int cmd_sframe_verify(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack sframe verify",
		.synopsis = "[--json] [--raw ARCH VADDR] FILE...",
		.about = "Checks the .sframe sections of ELF files as the module does, and compiles them,\n"
			 "to show how many functions and rows a table has and how large it is.",
	};
	struct verify_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &o.json, "print JSON, an array of files"),
		SFRAME_RAW_OPTION(o.raw),
		OPTION_END,
	};
	struct sframe_raw raw;
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (sframe_input_raw(&usage, &o.raw, &raw) != CMD_RUN)
		return CMD_USAGE;
	if (!argc)
		return cmd_bad_usage(&usage, "which FILE?");
	return verify_all(&o, o.raw.set ? &raw : NULL, argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym dump: prints everything that a GSYM file says, for people and for comparison. */
#include <errno.h>
#include <inttypes.h>

#include "cmd.h"
#include "cmd/names.h"
#include "formats/gsym/reader.h"
#include "util/json.h"

#include "util/poison.h"

/**
 * struct dump - a file that is being printed
 * @json: the JSON writer; NULL for text
 * @names: see cmd_name()
 */
struct dump {
	const struct gsym *g;
	struct json *json;
	struct names *names;
};

static void print_path(const char *dir, const char *file)
{
	printf("%s%s%s", dir, *dir && *file ? "/" : "", file);
}

static int dump_lines(const struct dump *d, const struct gsym_function *f)
{
	struct gsym_lines it;
	struct gsym_line row;
	bool first = true;
	int more;

	if (gsym_lines_init(&it, d->g, f))
		return -1;
	if (d->json)
		json_array(d->json, "lines");
	while ((more = gsym_lines_next(&it, &row)) > 0) {
		if (d->json) {
			json_object(d->json, NULL);
			json_u64(d->json, "address", row.addr);
			json_string(d->json, "dir", row.dir);
			json_string(d->json, "file", row.file);
			json_u64(d->json, "line", row.line);
			json_object_end(d->json);
			continue;
		}
		if (first)
			printf("LineTable:\n");
		first = false;
		printf("  0x%016" PRIx64 " ", row.addr);
		print_path(row.dir, row.file);
		printf(":%u\n", row.line);
	}
	if (d->json)
		json_array_end(d->json);
	return more;
}

static void print_call(const struct dump *d, const struct gsym_call *c)
{
	struct gsym_ranges it;
	uint64_t start, end;
	const char *lead = "";

	printf("%*s", (int)(2 * c->depth), "");
	gsym_ranges_init(&it, c);
	while (gsym_ranges_next(&it, &start, &end)) {
		printf("%s[0x%016" PRIx64 " - 0x%016" PRIx64 ")", lead, start, end);
		lead = " ";
	}
	printf(" %s", cmd_name(d->names, c->name));
	if (c->call_file_index) {
		printf(" called from ");
		print_path(c->call_dir, c->call_file);
		printf(":%u", c->call_line);
	}
	printf("\n");
}

static void print_call_json(const struct dump *d, const struct gsym_call *c)
{
	struct json *j = d->json;
	struct gsym_ranges it;
	uint64_t start, end;

	json_object(j, NULL);
	json_u64(j, "depth", c->depth);
	json_string(j, "function", cmd_name(d->names, c->name));
	json_array(j, "ranges");
	gsym_ranges_init(&it, c);
	while (gsym_ranges_next(&it, &start, &end)) {
		json_array(j, NULL);
		json_u64(j, NULL, start);
		json_u64(j, NULL, end);
		json_array_end(j);
	}
	json_array_end(j);
	json_string(j, "call_dir", c->call_dir);
	json_string(j, "call_file", c->call_file);
	json_u64(j, "call_line", c->call_line);
	json_object_end(j);
}

static int dump_calls(const struct dump *d, const struct gsym_function *f)
{
	struct gsym_calls it;
	struct gsym_call c;
	bool first = true;
	int more;

	if (gsym_calls_init(&it, d->g, f))
		return -1;
	if (d->json)
		json_array(d->json, "inlined");
	while ((more = gsym_calls_next(&it, &c)) > 0) {
		if (d->json) {
			print_call_json(d, &c);
			continue;
		}
		if (first)
			printf("InlineInfo:\n");
		first = false;
		print_call(d, &c);
	}
	if (d->json)
		json_array_end(d->json);
	return more;
}

static int dump_sites(const struct dump *d, const struct gsym_function *f)
{
	struct gsym_sites it;
	struct gsym_site s;
	const char *match;
	bool first = true;
	uint32_t i;
	int more;

	if (gsym_sites_init(&it, d->g, f))
		return -1;
	if (d->json)
		json_array(d->json, "call_sites");
	while ((more = gsym_sites_next(&it, &s)) > 0) {
		if (d->json) {
			json_object(d->json, NULL);
			json_u64(d->json, "return", s.offset);
			json_u64(d->json, "flags", s.flags);
			json_array(d->json, "match");
		} else {
			printf("%s  +0x%" PRIx64 "%s%s", first ? "CallSites:\n" : "", s.offset,
			       s.flags & GSYM_SITE_INTERNAL ? " internal" : "",
			       s.flags & GSYM_SITE_EXTERNAL ? " external" : "");
		}
		first = false;
		for (i = 0; i < s.nr_match; i++) {
			match = gsym_site_match(d->g, &s, i);
			if (!match)
				match = "?";
			if (d->json)
				json_string(d->json, NULL, match);
			else
				printf(" %s", match);
		}
		if (d->json) {
			json_array_end(d->json);
			json_object_end(d->json);
		} else {
			printf("\n");
		}
	}
	if (d->json)
		json_array_end(d->json);
	return more;
}

static int dump_function(const struct dump *d, const struct gsym_function *f, bool top);

static int dump_merged(const struct dump *d, const struct gsym_function *f)
{
	struct gsym_function other;
	struct gsym_merged it;
	bool first = true;
	int more;

	if (gsym_merged_init(&it, d->g, f))
		return -1;
	if (d->json)
		json_array(d->json, "merged");
	while ((more = gsym_merged_next(&it, &other)) > 0) {
		if (!d->json && first)
			printf("Merged:\n");
		first = false;
		if (dump_function(d, &other, false)) {
			more = -1;
			break;
		}
	}
	if (d->json)
		json_array_end(d->json);
	return more;
}

/*
 * @top: @f is a function of the table. Such a function may have merged functions, which have
 *       none themselves.
 */
static int dump_function(const struct dump *d, const struct gsym_function *f, bool top)
{
	int err;

	if (d->json) {
		json_object(d->json, NULL);
		json_u64(d->json, "start", f->start);
		json_u64(d->json, "size", f->size);
		json_string(d->json, "name", cmd_name(d->names, f->name));
	} else {
		printf("FunctionInfo @ 0x%08" PRIx64 ": [0x%016" PRIx64 " - 0x%016" PRIx64 ") \"%s\"\n",
		       f->at, f->start, f->start + f->size, cmd_name(d->names, f->name));
	}
	err = dump_lines(d, f) || dump_calls(d, f) || dump_sites(d, f) ||
	      (top && dump_merged(d, f));
	if (d->json)
		json_object_end(d->json);
	return err;
}

/* Reports the damage in function @i, and prints as much of the function as can be read. */
static int dump_number(const struct dump *d, const char *path, uint32_t i)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_function f;
	int err;

	if (gsym_function(d->g, i, &f)) {
		diag_set(&diag, EBADMSG, path, "function %u is where none can be", i);
		return cmd_diag(&diag);
	}
	err = dump_function(d, &f, true);
	if (gsym_function_check(d->g, &f, path, &diag))
		return cmd_diag(&diag);
	if (!err)
		return CMD_OK;
	diag_set(&diag, EBADMSG, path, "function %u is damaged", i);
	diag.offset = f.at;
	return cmd_diag(&diag);
}

static int dump_functions(const struct dump *d, const char *path, uint32_t nr)
{
	int status = CMD_OK;
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (dump_number(d, path, i))
			status = CMD_FAILED;
	return status;
}

static void print_header(const char *path, const struct gsym_info *i)
{
	printf("%s: %s, base 0x%016" PRIx64 ", %u functions, %u files\n", path,
	       gsym_layout_name(i->layout), i->base, i->nr_functions, i->nr_files);
}

static int dump(const char *path, bool json, struct names *names)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct dump d = { .names = names };
	struct gsym_info info;
	struct json j;
	struct gsym *g;
	int status;

	if (gsym_open(path, &g, &diag))
		return cmd_diag(&diag);
	gsym_identify(g, &info);
	d.g = g;
	if (json) {
		json_init(&j, stdout);
		json_array(&j, NULL);
		d.json = &j;
	} else {
		print_header(path, &info);
	}
	status = dump_functions(&d, path, info.nr_functions);
	if (json) {
		json_array_end(&j);
		json_end(&j);
	}
	gsym_close(g);
	return status;
}

int cmd_gsym_dump(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack gsym dump",
		.synopsis = "[OPTION...] FILE",
		.about = "Shows every function of a GSYM file, as llvm-gsymutil prints them.",
	};
	struct names_style style = { 0 };
	struct names *names;
	bool json = false;
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &json, "print JSON"),
		CMD_NAMES_OPTIONS(&style)
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	if (!cmd_names_check(&usage, &style))
		return CMD_USAGE;
	if (!cmd_names_new(&style, &names))
		return CMD_FAILED;
	status = dump(argv[0], json, names);
	cmd_names_free(names);
	return status;
}

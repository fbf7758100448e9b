// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho dump: prints the tables of compact unwinding. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "cmd/macho_slice.h"
#include "util/cleanup.h"

#include "util/poison.h"

struct dump_opts {
	bool json;
	bool headers;
	const char *arch;
};

static bool print_commons(const struct cmd_macho *f)
{
	char text[UNWIND_TEXT];
	bool ok = true;
	uint32_t i, e;

	for (i = 0; i < f->u.nr_common; i++) {
		e = unwind_info_common(&f->u, i);
		ok &= cmd_macho_encoding(f, e, text);
		printf("common %" PRIu32 " 0x%08" PRIx32 " %s\n", i, e, text);
	}
	for (i = 0; i < f->u.nr_personalities; i++)
		printf("personality %" PRIu32 " 0x%08" PRIx64 "\n", i + 1,
		       f->m.base + unwind_info_personality(&f->u, i));
	return ok;
}

static void print_page(const struct cmd_macho *f, uint32_t i, const struct unwind_page *p)
{
	printf("page %" PRIu32 " 0x%08" PRIx64 " %s, %" PRIu32 " entries, %" PRIu32
	       " encodings\n", i, f->m.base + p->start,
	       p->kind == UNWIND_PAGE_REGULAR ? "regular" : "compressed", p->nr, p->nr_local);
}

static void json_page(const struct cmd_macho *f, const struct unwind_page *p, struct json *j)
{
	json_object(j, NULL);
	json_u64(j, "start", f->m.base + p->start);
	json_string(j, "kind", p->kind == UNWIND_PAGE_REGULAR ? "regular" : "compressed");
	json_u64(j, "entries", p->nr);
	json_u64(j, "encodings", p->nr_local);
	json_object_end(j);
}

/* Prints pages without their entries, for --headers. Return: 0 or a negative errno. */
static int dump_pages(const struct cmd_macho *f, struct json *j, struct diag *diag)
{
	struct unwind_page p;
	int found = 0;
	uint32_t i;

	for (i = 0; i < f->u.nr_index && found >= 0; i++) {
		found = unwind_info_page(&f->u, i, &p, diag);
		if (found > 0 && j)
			json_page(f, &p, j);
		else if (found > 0)
			print_page(f, i, &p);
	}
	return found < 0 ? found : 0;
}

static void print_if_new_page(const struct cmd_macho *f, const struct unwind_entry *e,
			      uint32_t *last)
{
	struct unwind_page p;

	if (e->index == *last)
		return;
	*last = e->index;
	if (unwind_info_page(&f->u, e->index, &p, NULL) > 0)
		print_page(f, e->index, &p);
}

/* Return: 0 or a negative errno; 1 if an entry could not be decoded. */
static int dump_entries(const struct cmd_macho *f, struct json *j, struct diag *diag)
{
	uint32_t last = UINT32_MAX;
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	bool ok = true;
	int found;

	while ((found = unwind_info_next(&f->u, &it, &e, diag)) > 0) {
		if (j) {
			json_object(j, NULL);
			ok &= cmd_macho_json_entry(f, &e, j);
			json_object_end(j);
			continue;
		}
		print_if_new_page(f, &e, &last);
		printf("  ");
		ok &= cmd_macho_print_entry(f, &e);
	}
	return found < 0 ? found : !ok;
}

static int dump_text(const struct cmd_macho *f, const struct dump_opts *o, struct diag *diag)
{
	struct unwind_index end;
	bool ok;
	int err;

	printf("%s 0x%" PRIx64 ": %" PRIu32 " common encodings, %" PRIu32 " personalities, %"
	       PRIu32 " entries of the index\n", f->name, f->m.base, f->u.nr_common,
	       f->u.nr_personalities, f->u.nr_index);
	ok = print_commons(f);
	err = o->headers ? dump_pages(f, NULL, diag) : dump_entries(f, NULL, diag);
	if (err < 0)
		return err;
	unwind_info_index(&f->u, f->u.nr_index - 1, &end);
	printf("end 0x%08" PRIx64 "\n", f->m.base + end.start);
	return err || !ok;
}

static int dump_json(const struct cmd_macho *f, const struct dump_opts *o, struct diag *diag)
{
	struct unwind_index end;
	struct json j;
	uint32_t i;
	int err;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "arch", f->name);
	json_u64(&j, "base", f->m.base);
	json_array(&j, "common");
	for (i = 0; i < f->u.nr_common; i++)
		json_u64(&j, NULL, unwind_info_common(&f->u, i));
	json_array_end(&j);
	json_array(&j, "personalities");
	for (i = 0; i < f->u.nr_personalities; i++)
		json_u64(&j, NULL, f->m.base + unwind_info_personality(&f->u, i));
	json_array_end(&j);
	json_array(&j, o->headers ? "pages" : "entries");
	err = o->headers ? dump_pages(f, &j, diag) : dump_entries(f, &j, diag);
	json_array_end(&j);
	unwind_info_index(&f->u, f->u.nr_index - 1, &end);
	json_u64(&j, "end", f->m.base + end.start);
	json_object_end(&j);
	json_end(&j);
	return err;
}

static int run(const char *path, const struct dump_opts *o)
{
	_cleanup_(cmd_macho_release) struct cmd_macho f;
	struct diag diag = { 0 };
	int found, err, status = CMD_OK;
	bool any = false;

	if (cmd_macho_open(path, o->arch, &f, &diag))
		return cmd_diag(&diag);
	while ((found = cmd_macho_next(&f, &diag)) > 0) {
		any = true;
		err = o->json ? dump_json(&f, o, &diag) : dump_text(&f, o, &diag);
		if (err < 0)
			return cmd_diag(&diag);
		if (err) {
			fprintf(stderr, "ustack: %s: %s: encodings or what they refer to is damaged\n",
				path, f.name);
			status = CMD_FAILED;
		}
	}
	if (found < 0)
		return cmd_diag(&diag);
	return any ? status : cmd_macho_nothing(path, o->arch);
}

int cmd_macho_dump(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack macho dump",
		.synopsis = "[--arch ARCH] [--headers] [--json] FILE",
		.about = "Shows the compact unwinding of a Mach-O file (__TEXT,__unwind_info): ranges of\n"
			 "addresses, how the CFA is found in them, and where registers are saved.",
	};
	struct dump_opts o = { 0 };
	const struct option_spec specs[] = {
		CMD_MACHO_ARCH_OPTION(o.arch),
		OPTION_FLAG(0, "headers", &o.headers, "pages without their entries"),
		OPTION_FLAG(0, "json", &o.json, "print JSON, an object for each slice"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, "takes one FILE");
	return run(argv[0], &o);
}

// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho convert: makes an SFrame section from a Mach-O file's unwinding. */
#include <errno.h>
#include <inttypes.h>

#include "cmd/macho_slice.h"
#include "cmd/sframe_input.h"
#include "darwin/convert.h"
#include "sframe/elf_write.h"
#include "util/cleanup.h"

/* Largest number of different reasons for gaps. */
#define MAX_REASONS 64

struct convert_opts {
	const char *out;
	const char *arch;
	struct option_u64 format;
	bool raw;
	bool json;
};

/* All gaps with the same reason. */
struct lost {
	const struct macho_gap *first;
	uint64_t nr;
	uint64_t bytes;
};

/* Sums the gaps by reason. Return: number of reasons. */
static unsigned int sum_lost(const struct macho_rules *r, struct lost lost[MAX_REASONS])
{
	const struct macho_gap *g;
	unsigned int nr = 0, i;

	for (g = r->gaps; g < r->gaps + r->nr_gaps; g++) {
		for (i = 0; i < nr && lost[i].first->name != g->name; i++)
			;
		if (i == MAX_REASONS)
			continue;
		if (i == nr)
			lost[nr++] = (struct lost){ .first = g };
		lost[i].nr++;
		lost[i].bytes += g->size;
	}
	return nr;
}

static void print_text(const char *path, const struct macho_rules *r,
		       const struct sframe_encoded *e)
{
	struct lost lost[MAX_REASONS];
	unsigned int nr = sum_lost(r, lost), i;

	printf("%s: %" PRIu32 " functions, %" PRIu32 " rows, %" PRIu32 " bytes at 0x%" PRIx64
	       "; of %" PRIu64 " entries, %" PRIu64 " FDEs, %" PRIu64 " sections of stubs\n", path,
	       e->nr_funcs, e->nr_rows, e->len, (uint64_t)r->vaddr, (uint64_t)r->compact,
	       (uint64_t)r->dwarf, (uint64_t)r->stubs);
	for (i = 0; i < nr; i++)
		printf("  left out %" PRIu64 ", %" PRIu64 " bytes of text: %s: %s\n", lost[i].nr,
		       lost[i].bytes, lost[i].first->name, lost[i].first->text);
}

static void print_json(const struct macho_rules *r, const struct sframe_encoded *e)
{
	struct lost lost[MAX_REASONS];
	unsigned int nr = sum_lost(r, lost), i;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "functions", e->nr_funcs);
	json_u64(&j, "rows", e->nr_rows);
	json_u64(&j, "bytes", e->len);
	json_u64(&j, "vaddr", r->vaddr);
	json_u64(&j, "entries", r->compact);
	json_u64(&j, "fdes", r->dwarf);
	json_u64(&j, "stubs", r->stubs);
	json_array(&j, "left_out");
	for (i = 0; i < nr; i++) {
		json_object(&j, NULL);
		json_string(&j, "reason", lost[i].first->name);
		json_string(&j, "text", lost[i].first->text);
		json_u64(&j, "ranges", lost[i].nr);
		json_u64(&j, "bytes", lost[i].bytes);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

static int write_out(const struct convert_opts *o, const struct macho_rules *r,
		     const struct sframe_encoded *e, struct diag *diag)
{
	const struct sframe_image image = {
		.arch = r->arch, .bytes = e->bytes, .len = e->len, .vaddr = r->vaddr,
		.text = &r->text, .nr_text = 1,
	};

	if (o->raw)
		return sframe_write_raw(o->out, e->bytes, e->len, diag);
	return sframe_write_elf(o->out, &image, diag);
}

static int convert(const struct cmd_macho *f, const struct convert_opts *o, unsigned int version,
		   struct diag *diag)
{
	_cleanup_(macho_rules_release) struct macho_rules r = MACHO_RULES_INIT;
	_cleanup_(sframe_encoded_release) struct sframe_encoded e = SFRAME_ENCODED_INIT;
	struct macho_image image = { .nr_starts = 0 };
	struct eh_frame *eh = NULL;
	int err;

	err = macho_image_init(&image, &f->m, diag);
	if (!err) {
		err = eh_frame_new(&image, &eh, diag);
		err = err == -ENOENT ? 0 : err;
	}
	if (!err)
		err = macho_convert(&image, eh, &r, diag);
	if (!err && !r.nr_funcs)
		err = diag_set(diag, ENODATA, f->file.path, "nothing of its unwinding can be in a section");
	if (!err)
		err = macho_convert_encode(&r, version, &e, diag);
	if (!err)
		err = write_out(o, &r, &e, diag);
	if (!err && o->json)
		print_json(&r, &e);
	else if (!err)
		print_text(f->file.path, &r, &e);
	eh_frame_free(eh);
	macho_image_release(&image);
	return err;
}

static int run(const char *path, const struct convert_opts *o, unsigned int version)
{
	_cleanup_(cmd_macho_release) struct cmd_macho f;
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int status = cmd_macho_open_one(path, o->arch, true, &f);

	if (status != CMD_RUN)
		return status;
	return convert(&f, o, version, &diag) ? cmd_diag(&diag) : CMD_OK;
}

int cmd_macho_convert(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack macho convert",
		.synopsis = "[OPTION...] -o OUT FILE",
		.about = "Makes an .sframe section from the compact unwinding and the __eh_frame of the\n"
			 "Mach-O file FILE, for x86-64 or arm64. Functions that a section cannot express\n"
			 "are left out, and counted by reason.",
	};
	struct convert_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING('o', "output", "OUT", &o.out,
			      "write an ELF file with only the section"),
		CMD_MACHO_ARCH_OPTION(o.arch),
		SFRAME_FORMAT_OPTION(o.format, "VERSION"),
		OPTION_FLAG(0, "raw", &o.raw, "write only the bytes of the section"),
		OPTION_FLAG(0, "json", &o.json, "print the counts as JSON"),
		OPTION_END,
	};
	unsigned int version;
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (sframe_input_version(&usage, &o.format, false, &version) != CMD_RUN)
		return CMD_USAGE;
	if (!o.out)
		return cmd_bad_usage(&usage, "-o OUT is missing");
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	return run(argv[0], &o, version);
}

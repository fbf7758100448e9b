// SPDX-License-Identifier: GPL-2.0-only
/* ustack sframe synth: makes a section from a file's call frame information. */
#include <errno.h>
#include <inttypes.h>

#include "cmd/sframe_input.h"
#include "sframe/elf_write.h"
#include "sframe/synth.h"
#include "util/cleanup.h"
#include "util/file.h"

struct synth_opts {
	const char *out;
	struct option_u64 format;
	bool extended;
	bool raw;
	unsigned int version;	/* SFrame version chosen by @format and @extended */
};

static void print_result(const char *path, const struct synth *s,
			 const struct synth_section *sec)
{
	struct synth_lost lost;
	unsigned int cause;

	printf("%s: %u functions, %u rows, %u bytes at 0x%" PRIx64 "\n", path,
	       sec->functions, sec->rows, sec->len, (uint64_t)sec->vaddr);
	synth_sum_lost(s, &lost);
	for (cause = 1; cause < SYNTH_NR_CAUSES; cause++)
		if (lost.funcs[cause])
			printf("  left out %" PRIu64 ", %" PRIu64
			       " bytes of text: %s: %s\n",
			       (uint64_t)lost.funcs[cause],
			       (uint64_t)lost.bytes[cause],
			       synth_cause_name(cause), synth_cause_text(cause));
}

static int write_out(const struct synth_opts *o, const struct synth *s,
		     const struct synth_section *sec, struct diag *diag)
{
	const struct sframe_image image = {
		.arch = s->arch,
		.bytes = sec->bytes,
		.len = sec->len,
		.vaddr = sec->vaddr,
		.text = s->elf.text,
		.nr_text = s->elf.nr_text,
	};

	if (o->raw)
		return sframe_write_raw(o->out, sec->bytes, sec->len, diag);
	return sframe_write_elf(o->out, &image, diag);
}

static int run(const struct synth_opts *o, const char *path)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(synth_release) struct synth s = SYNTH_INIT;
	_cleanup_(synth_section_release) struct synth_section sec =
		SYNTH_SECTION_INIT;
	struct diag diag;
	int err;

	err = file_open(&file, path, &diag);
	if (!err)
		err = synth_read(&s, file.fd, path, &diag);
	if (!err)
		err = synth_encode(&s, o->version, &sec, &diag);
	if (!err && !sec.bytes)
		err = diag_set(&diag, ENODATA, path, s.nr_gaps ?
			       "no function of its call frame information can be in a section" :
			       "it has no call frame information");
	if (!err)
		err = write_out(o, &s, &sec, &diag);
	if (err)
		return cmd_diag(&diag);
	print_result(path, &s, &sec);
	return CMD_OK;
}

int cmd_sframe_synth(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack sframe synth",
		.synopsis = "[--format VERSION | --extended] [--raw] -o OUT FILE",
		.about = "Makes an .sframe section from the call frame information (.eh_frame,\n"
			 ".debug_frame; of Go programs .gopclntab) of the ELF file FILE. A\n"
			 "function that a section cannot express is left out whole, and counted\n"
			 "by its cause.",
	};
	struct synth_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING('o', "output", "OUT", &o.out,
			      "write an ELF file with only the section"),
		SFRAME_FORMAT_OPTION(o.format, "VERSION"),
		SFRAME_EXTENDED_OPTION(o.extended),
		OPTION_FLAG(0, "raw", &o.raw, "write only the bytes of the section"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (sframe_input_version(&usage, &o.format, o.extended, &o.version) != CMD_RUN)
		return CMD_USAGE;
	if (!o.out)
		return cmd_bad_usage(&usage, "-o OUT is missing");
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	return run(&o, argv[0]);
}

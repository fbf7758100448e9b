// SPDX-License-Identifier: GPL-2.0
/* ustack sframe synth: a section from a file's call frame information. */
#include <errno.h>
#include <inttypes.h>

#include "cmd.h"
#include "sframe/elf_write.h"
#include "sframe/synth.h"
#include "util/cleanup.h"
#include "util/file.h"

struct synth_opts {
	const char *out;
	struct option_u64 format;
	bool extended;
	bool raw;
};

static u64 gap_bytes(const struct synth *s, enum synth_cause cause, u64 *funcs)
{
	u64 bytes = 0;
	size_t i;

	*funcs = 0;
	for (i = 0; i < s->nr_gaps; i++) {
		if (s->gaps[i].cause != cause)
			continue;
		bytes += s->gaps[i].size;
		++*funcs;
	}
	return bytes;
}

static void print_result(const char *path, const struct synth *s,
			 const struct synth_section *sec)
{
	unsigned int cause;
	u64 bytes, funcs;

	printf("%s: %u functions, %u rows, %u bytes at 0x%" PRIx64 "\n", path,
	       sec->functions, sec->rows, sec->len, (uint64_t)sec->vaddr);
	for (cause = 1; cause < SYNTH_NR_CAUSES; cause++) {
		bytes = gap_bytes(s, cause, &funcs);
		if (funcs)
			printf("  left out %" PRIu64 ", %" PRIu64
			       " bytes of text: %s: %s\n", (uint64_t)funcs,
			       (uint64_t)bytes, synth_cause_name(cause),
			       synth_cause_text(cause));
	}
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
		err = synth_encode(&s, o->extended ? SYNTH_MODULE :
				   o->format.set ? (unsigned int)o->format.value : 3,
				   &sec, &diag);
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
			 ".debug_frame) of the ELF file FILE. A function that a section cannot\n"
			 "express is left out whole, and counted by its cause.",
	};
	struct synth_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING('o', "output", "OUT", &o.out,
			      "an ELF file to write, of the section alone"),
		OPTION_U64(0, "format", "VERSION", &o.format,
			   "of SFrame: 3 (the default) or 2"),
		OPTION_FLAG(0, "extended", &o.extended,
			    "3 with ustack's extension, for the module alone"),
		OPTION_FLAG(0, "raw", &o.raw, "write the section's bare bytes"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (o.format.set && o.format.value != 2 && o.format.value != 3)
		return cmd_bad_usage(&usage, "--format takes 2 or 3");
	if (o.format.set && o.extended)
		return cmd_bad_usage(&usage, "--format and --extended exclude each other");
	if (!o.out)
		return cmd_bad_usage(&usage, "-o OUT is missing");
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	return run(&o, argv[0]);
}

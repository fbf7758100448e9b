// SPDX-License-Identifier: GPL-2.0-only
/* ustack load: gives a section to the module. */
#include "cmd.h"

#include <inttypes.h>

#include "host/module/module.h"
#include "sframe/section.h"
#include "util/cleanup.h"
#include "util/file.h"

struct load_opts {
	const char *section;
	struct option_u64 vaddr;
	bool vdso;
};

/* The address of a bare section is given by an option; an ELF file contains it. */
static int read_section(const struct load_opts *o, const char *path,
			struct sframe_section *s, struct diag *diag)
{
	const struct sframe_raw raw = { .vaddr = o->vaddr.value };

	return sframe_section_read(s, path, o->vaddr.set ? &raw : NULL, diag);
}

static void print_result(const char *path, const struct ustack_load *load)
{
	struct diag lost;
	char text[512];

	printf("%s: %u functions, %u rows, %" PRIu64 " bytes\n", path,
	       load->functions, load->rows, (uint64_t)load->table_bytes);
	if (!load->lost)
		return;
	diag_reason(&lost, load->reason, NULL, load->bad_off);
	diag_format(&lost, text, sizeof(text));
	printf("%s: %u functions lost, the first: %s\n", path, load->lost, text);
}

/* @path: file of the image; NULL for the vDSO */
static int load(const char *path, const struct sframe_section *s,
		struct diag *diag)
{
	_cleanup_(module_release) struct module m = MODULE_INIT;
	_cleanup_(file_release) struct file image = FILE_INIT;
	const struct module_section section = {
		.path = s->path,
		.bytes = s->bytes,
		.len = s->core.len,
		.vaddr = s->core.vaddr,
	};
	struct ustack_load result;
	int err = 0;

	if (path)
		err = file_open(&image, path, diag);
	if (!err)
		err = module_open(&m, diag);
	if (!err)
		err = module_load(&m, path, image.fd, &section, &result, diag);
	if (!err)
		print_result(path ? path : "[vdso]", &result);
	return err;
}

static int run(const struct load_opts *o, const char *path)
{
	_cleanup_(sframe_section_release) struct sframe_section s =
		SFRAME_SECTION_INIT;
	struct diag diag;
	int err;

	err = read_section(o, o->section ? o->section : path, &s, &diag);
	if (!err)
		err = load(o->vdso ? NULL : path, &s, &diag);
	if (!err)
		return CMD_OK;
	cmd_diag(&diag);
	if (o->section && !o->vaddr.set && diag.file == o->section &&
	    diag.reason == USTACK_NOT_ELF)
		fprintf(stderr, "ustack: a bare section needs --vaddr\n");
	return CMD_FAILED;
}

int cmd_load(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack load",
		.synopsis = "FILE [--section SECTION [--vaddr ADDR]]\n"
			    "--vdso (FILE | --section SECTION [--vaddr ADDR])",
		.about = "Gives the module an unwind table for the ELF file FILE, from FILE's own\n"
			 ".sframe or from another file's.",
	};
	struct load_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "section", "SECTION", &o.section,
			      "take the .sframe of the ELF file SECTION"),
		OPTION_U64(0, "vaddr", "ADDR", &o.vaddr,
			   "SECTION is bare bytes that belong at address ADDR"),
		OPTION_FLAG(0, "vdso", &o.vdso,
			    "the table is for the kernel's 64-bit vDSO"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (o.vaddr.set && !o.section)
		return cmd_bad_usage(&usage, "--vaddr needs --section");
	if (o.vdso && o.section && argc)
		return cmd_bad_usage(&usage, "--vdso takes FILE or --section, not both");
	if (argc != 1 && !(argc == 0 && o.vdso && o.section))
		return cmd_bad_usage(&usage, argc ? "takes one FILE" :
						    "which FILE?");
	return run(&o, argc ? argv[0] : NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/* ustack bsym convert: makes a BSYM file from Symbian's text files, ELF, GSYM or BSYM. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/build.h"
#include "cmd.h"
#include "symbols/convert/bsym_from_gsym.h"
#include "formats/gsym/reader.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

struct convert_opts {
	const char *version;
	const char *output;
	const char *name;
	bool quiet;
};

struct output {
	struct bsym_new *n;
	struct bsym_write_options how;
	const char *path;
	struct bsym_written done;
};

static const struct {
	const char *text;
	uint32_t version;
} versions[] = {
	{ "1.0", BSYM_VERSION(1, 0) }, { "2.0", BSYM_VERSION(2, 0) },
	{ "2.1", BSYM_VERSION(2, 1) },
};

#define NR_VERSIONS (sizeof(versions) / sizeof(*versions))

static const char *version_word(unsigned int i)
{
	return i < NR_VERSIONS ? versions[i].text : NULL;
}

static bool parse_version(const char *s, uint32_t *ret)
{
	size_t i;

	for (i = 0; i < NR_VERSIONS; i++)
		if (!strcmp(s, versions[i].text)) {
			*ret = versions[i].version;
			return true;
		}
	return false;
}

/* The first bytes tell the format; a file of no other format is read as a text file. */
static int read_source(const char *path, const char *name, struct bsym_new *n,
		       struct bsym_source *ret, struct diag *diag)
{
	struct file file = FILE_INIT;
	uint8_t start[4] = { 0 };
	struct gsym *g;
	int err;

	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	err = file_open(&file, path, diag);
	if (!err && file.size >= sizeof(start))
		err = file_read(&file, 0, start, sizeof(start), diag);
	file_release(&file);
	if (err)
		return err;
	if (bsym_identify(start, sizeof(start)))
		return bsym_from_bsym(path, n, ret, diag);
	if (!gsym_open(path, &g, NULL)) {
		gsym_close(g);
		return bsym_from_gsym(path, name, n, ret, diag);
	}
	if (!memcmp(start, "\177ELF", 4))
		return bsym_from_elf(path, name, n, ret, diag);
	return bsym_from_symbol_file(path, n, ret, diag);
}

static int write_file(int fd, void *arg, struct diag *diag)
{
	struct output *o = arg;

	return bsym_write(o->n, &o->how, fd, o->path, &o->done, diag);
}

static void say_left_out(uint64_t nr, const char *what)
{
	if (nr)
		fprintf(stderr, "  %" PRIu64 " %s\n", nr, what);
}

static void say_result(const struct output *o, const struct bsym_source *s)
{
	const struct bsym_written *w = &o->done;
	char bytes[TEXT_SHORT];

	fprintf(stderr, "%s: %" PRIu32 " code segments, %" PRIu32 " symbols, %" PRIu32
		" prefixes, %s\n", o->path, w->codesegs, w->symbols, w->prefixes,
		text_bytes(w->bytes, bytes));
	say_left_out(s->outside, "above 4 GB left out");
	say_left_out(s->damaged, "damaged in the file left out");
	say_left_out(w->empty, "without bytes left out");
	say_left_out(w->cut, "cut to 65535 bytes, the most that a symbol may have");
	say_left_out(w->mended, "with characters that names cannot have, written as ?");
	say_left_out(w->renames_lost, "renames, which this version does not have");
}

static int convert(const char *path, const struct convert_opts *o, struct output *out)
{
	struct bsym_source source;
	struct diag diag;
	int err;

	out->n = bsym_new();
	err = out->n ? read_source(path, o->name ? o->name : path, out->n, &source, &diag) :
		       diag_errno(&diag, ENOMEM, path);
	if (!err && !source.symbols)
		err = diag_set(&diag, ENODATA, path, "nothing in it names a function");
	err = err ? err : file_replace(out->path, write_file, out, &diag);
	bsym_free(out->n);
	if (err)
		return cmd_diag(&diag);
	if (!o->quiet)
		say_result(out, &source);
	return CMD_OK;
}

static int run(const char *path, const struct convert_opts *o, uint32_t version)
{
	struct output out = { .how = { .version = version }, .path = o->output };
	char *name = NULL;
	int status;

	if (!out.path) {
		if (asprintf(&name, "%s.bsym", path) < 0)
			return CMD_FAILED;
		out.path = name;
	}
	status = convert(path, o, &out);
	free(name);
	return status;
}

int cmd_bsym_convert(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack bsym convert",
		.synopsis = "[-o OUT] [--output-version VERSION] FILE",
		.about = "Makes a BSYM file, FILE.bsym, from a Symbian .symbol file, the symbols of an ELF\n"
			 "file, a GSYM file or another BSYM file.",
	};
	struct convert_opts o = { .version = "2.1" };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "name", "PATH", &o.name,
			      "ELF, GSYM: name of the code segment (FILE)"),
		OPTION_STRING('o', "output", "OUT", &o.output, "the file to write; - for stdout"),
		OPTION_STRING(0, "output-version", "VERSION", &o.version,
			      "1.0, 2.0 or 2.1 (the default)", .word = version_word),
		OPTION_FLAG('q', "quiet", &o.quiet, "report only failures"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);
	uint32_t version;

	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, "takes one FILE");
	if (!strcmp(argv[0], "-") && !o.output)
		return cmd_bad_usage(&usage, "FILE is stdin: -o says which file to make");
	if (!parse_version(o.version, &version))
		return cmd_bad_usage(&usage, "--output-version is 1.0, 2.0 or 2.1");
	return run(argv[0], &o, version);
}

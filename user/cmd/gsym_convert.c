// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym convert: makes a GSYM file from debug information and symbols. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "cmd/names.h"
#include "cmd/progress.h"
#include "symbols/convert/convert.h"
#include "formats/macho/macho.h"
#include "util/text.h"

#include "util/poison.h"

struct convert_opts {
	const char *out;
	const char *arch;
	struct option_u64 version;
	struct option_u64 threads;
	bool prototype;
	bool merge;
	bool symbols;
	bool unnamed;
	bool quiet;
	bool sites;
	struct names_style names;
	const char *dwo_dir;
	const char *debug_dir;
};

static void say_left_out(uint64_t nr, const char *what)
{
	if (nr)
		fprintf(stderr, "  left out: %" PRIu64 " %s\n", nr, what);
}

static void say_result(const char *out, const struct gsym_input *in,
		       const struct gsym_converted *r, double took)
{
	const struct gsym_write_stats *w = &r->written;
	char bytes[TEXT_SHORT];

	fprintf(stderr, "%s: %" PRIu64 " functions, %" PRIu64 " files, %s in %.2f s\n", out,
		w->functions, w->files, text_bytes(w->bytes, bytes), took);
	if (in->kind == GSYM_INPUT_MACHO)
		fprintf(stderr, "  from %s (%s)\n", in->path, in->arch);
	if (in->other_dsym)
		fprintf(stderr, "  the dSYM bundle beside it is of another build (UUID)\n");
	if (r->is_breakpad)
		fprintf(stderr, "  from Breakpad's file: %" PRIu64 " functions, %" PRIu64 " symbols, %" PRIu64
			" lines, %" PRIu64 " inlined calls\n", r->breakpad.functions,
			r->breakpad.symbols, r->breakpad.lines, r->breakpad.calls);
	else if (r->is_bsym)
		fprintf(stderr, "  from the BSYM file: %" PRIu64 " symbols\n", r->bsym.symbols);
	else if (r->has_dwarf)
		fprintf(stderr, "  from DWARF: %" PRIu64 " functions in %" PRIu64 " units, %" PRIu64
			" lines, %" PRIu64 " inlined calls, and %" PRIu64 " symbols\n",
			r->dwarf.functions, r->dwarf.units, r->dwarf.lines, r->dwarf.calls,
			r->symbols);
	else
		fprintf(stderr, "  from %" PRIu64 " symbols\n", r->symbols);
	if (w->merged)
		fprintf(stderr, "  merged into others: %" PRIu64 "\n", w->merged);
	say_left_out(w->duplicates, "because a better one has the same addresses");
	say_left_out(w->outside + r->dwarf.dead, "outside of the code");
	say_left_out(r->dwarf.nameless + r->breakpad.nameless, "without a name");
	say_left_out(r->dwarf.misplaced + r->breakpad.misplaced, "inlined calls outside of their caller");
	if (r->go)
		fprintf(stderr, "  from Go's table: %" PRIu64 " functions\n", r->go);
	if (r->unnamed)
		fprintf(stderr, "  without a name, called by their address: %" PRIu64 "\n", r->unnamed);
	if (r->dwarf.sites)
		fprintf(stderr, "  call sites: %" PRIu64 "\n", r->dwarf.sites);
	say_left_out(r->dwarf.no_return, "call sites that nothing returns to");
	say_left_out(r->dwarf.no_dwo, "split units that were not found");
	say_left_out(r->dwarf.damaged, "damaged units");
	say_left_out(r->bsym.relocatable, "symbols of relocatable code segments");
	say_left_out(r->bsym.damaged, "damaged symbols");
}

static int convert(const struct gsym_input *in, const char *out, const struct convert_opts *o)
{
	struct progress progress;
	struct gsym_convert_options how = {
		.layout = o->prototype ? GSYM_PROTOTYPE :
			  o->version.value == 2 ? GSYM_LLVM_2 : GSYM_LLVM_1,
		.merge = o->merge,
		.symbols_only = o->symbols,
		.unnamed = o->unnamed,
		.names = o->names,
		.threads = (unsigned int)(o->threads.set ? o->threads.value :
					  (uint64_t)sysconf(_SC_NPROCESSORS_ONLN)),
		.dwarf = {
			.lenient = true, .dwo_dir = o->dwo_dir, .call_sites = o->sites,
			.debug_dir = o->debug_dir, .arg = &progress,
		},
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	double start = progress_seconds();
	struct gsym_converted done;
	int err;

	progress_init(&progress, in->path);
	if (!o->quiet && progress.on_terminal)
		how.dwarf.progress = progress_percent;
	err = gsym_convert(in, out, &how, &done, &diag);
	progress_wipe(&progress);
	if (err)
		cmd_diag(&diag);
	else if (!o->quiet)
		say_result(out ? out : "stdout", in, &done, progress_seconds() - start);
	return err ? CMD_FAILED : CMD_OK;
}

/*
 * Makes the output's name: "FILE.gsym" or the one that was asked for; with several outputs,
 * each gets its processor's name at the end. Return: NULL without memory.
 */
static char *name_out(const char *path, const struct gsym_input *in, bool several,
		      const struct convert_opts *o)
{
	const char *dot = several ? "." : "", *arch = several ? in->arch : "";
	int len = (int)strlen(path);
	char *ret;

	/* the path of a bundle is a folder and may end with '/' */
	while (len > 1 && path[len - 1] == '/')
		len--;
	if ((o->out ? asprintf(&ret, "%s%s%s", o->out, dot, arch) :
		      asprintf(&ret, "%.*s.gsym%s%s", len, path, dot, arch)) < 0)
		return NULL;
	return ret;
}

static int run(const char *path, const struct convert_opts *o)
{
	const bool to_stdout = o->out && !strcmp(o->out, "-");
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_inputs in;
	int status = CMD_OK;
	char *out;
	size_t i;

	if (gsym_inputs_find(path, o->arch, &in, &diag)) {
		cmd_diag(&diag);
		return CMD_FAILED;
	}
	if (to_stdout && in.nr > 1) {
		diag_set(&diag, EINVAL, path,
			 "of several processors: --arch says which one goes to stdout");
		status = cmd_diag(&diag);
	}
	for (i = 0; !status && i < in.nr; i++) {
		out = to_stdout ? NULL : name_out(path, &in.p[i], in.nr > 1, o);
		status = out || to_stdout ? convert(&in.p[i], out, o) : CMD_FAILED;
		free(out);
	}
	gsym_inputs_release(&in);
	return status;
}

static const char *version_word(unsigned int i)
{
	static const char *const words[] = { "1", "2", NULL };

	return words[i];
}

int cmd_gsym_convert(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack gsym convert",
		.synopsis = "[OPTION...] [-o OUT] FILE",
		.about = "Makes a GSYM file, FILE.gsym, from the DWARF and symbols of an ELF or Mach-O\n"
			 "file or a dSYM bundle, from a Breakpad symbol file, or from a BSYM file.",
	};
	struct convert_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "arch", "ARCH", &o.arch,
			      "only this slice of a fat Mach-O file", .word = macho_arch_word),
		OPTION_STRING(0, "debug-dir", "DIR", &o.debug_dir,
			      "directory of dwz files (/usr/lib/debug)"),
		OPTION_FLAG(0, "dwarf-callsites", &o.sites,
			    "keep call sites, where calls return"),
		OPTION_STRING(0, "dwo-dir", "DIR", &o.dwo_dir,
			      "also look for split units in DIR"),
		OPTION_FLAG(0, "merged-functions", &o.merge,
			    "keep all functions with the same code"),
		OPTION_U64(0, "num-threads", "N", &o.threads, "threads (as many as CPUs)"),
		OPTION_STRING('o', "out-file", "OUT", &o.out, "the file to write; - for stdout"),
		OPTION_U64(0, "output-version", "N", &o.version, "1 (the default) or 2",
			   .word = version_word),
		OPTION_FLAG(0, "prototype", &o.prototype, "the layout of the format's prototype"),
		OPTION_FLAG(0, "quiet", &o.quiet, "report only failures"),
		OPTION_FLAG(0, "symbols", &o.symbols, "use only symbol tables, no DWARF"),
		OPTION_FLAG(0, "unnamed", &o.unnamed,
			    "also functions without a symbol"),
		CMD_NAMES_OPTIONS(&o.names)
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, argc ? "takes one FILE" : "which FILE?");
	if (!strcmp(argv[0], "-") && !o.out)
		return cmd_bad_usage(&usage, "FILE is stdin: -o says which file to make");
	if (o.version.set && o.version.value != 1 && o.version.value != 2)
		return cmd_bad_usage(&usage, "--output-version is 1 or 2");
	if (o.prototype && (o.version.set || o.merge || o.sites))
		return cmd_bad_usage(&usage,
				     "--prototype goes with none of --output-version, --merged-functions and --dwarf-callsites");
	if (o.threads.set && (!o.threads.value || o.threads.value > 256))
		return cmd_bad_usage(&usage, "--num-threads is 1 to 256");
	if (!cmd_names_check(&usage, &o.names))
		return CMD_USAGE;
	return run(argv[0], &o);
}

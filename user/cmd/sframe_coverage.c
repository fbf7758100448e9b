// SPDX-License-Identifier: GPL-2.0-only
/*
 * ustack sframe coverage: reports how much of the files' CFI can be expressed in sections, and
 * why the rest cannot.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>

#include "cmd/progress.h"
#include "cmd/sframe_input.h"
#include "sframe/compare.h"
#include "sframe/synth.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/json.h"

struct coverage_opts {
	bool json;
	bool files;
	bool extended;
	bool check;
	struct option_u64 format;
	unsigned int version;	/* SFrame version chosen by @format and @extended */
};

/* Sums over one file, or over all files. */
struct coverage {
	u64 files;
	u64 text;		/* bytes of executable segments */
	u64 cfi;		/* bytes of @text that have CFI */
	u64 code;		/* bytes without CFI, with rules made from their code */
	u64 functions;		/* functions in the section */
	u64 rows;
	u64 section_bytes;
	u64 cfi_section_bytes;
	struct synth_lost lost;
	u64 equal;		/* with --check: bytes of text with the same rule in both */
	u64 differing;		/* with --check: bytes of text with different rules */
};

struct walk {
	const struct coverage_opts *o;
	struct coverage all;
	struct json *json;	/* JSON writer; NULL for text */
	u64 skipped;		/* files that are no ELF files, or of another kind */
	u64 failed;
	struct progress progress;
};

static u64 lost_text(const struct coverage *c)
{
	u64 bytes = 0;
	unsigned int i;

	for (i = 0; i < SYNTH_NR_CAUSES; i++)
		if (synth_cause_is_text(i))
			bytes += c->lost.bytes[i];
	return bytes;
}

static double percent(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void take(struct coverage *c, const struct synth *s,
		 const struct synth_section *sec)
{
	unsigned int i;

	c->files++;
	for (i = 0; i < s->elf.nr_text; i++)
		c->text += s->elf.text[i].end - s->elf.text[i].start;
	c->cfi += s->cfi_bytes;
	c->code += s->code_bytes;
	c->functions += sec->functions;
	c->rows += sec->rows;
	c->section_bytes += sec->len;
	c->cfi_section_bytes += s->section_bytes;
	synth_sum_lost(s, &c->lost);
}

static void add(struct coverage *to, const struct coverage *c)
{
	unsigned int i;

	to->files += c->files;
	to->text += c->text;
	to->cfi += c->cfi;
	to->code += c->code;
	to->functions += c->functions;
	to->rows += c->rows;
	to->section_bytes += c->section_bytes;
	to->cfi_section_bytes += c->cfi_section_bytes;
	for (i = 0; i < SYNTH_NR_CAUSES; i++) {
		to->lost.funcs[i] += c->lost.funcs[i];
		to->lost.bytes[i] += c->lost.bytes[i];
	}
	to->equal += c->equal;
	to->differing += c->differing;
}

static void print_causes(const struct coverage *c)
{
	unsigned int i;

	for (i = 1; i < SYNTH_NR_CAUSES; i++)
		if (c->lost.funcs[i])
			printf("  %8" PRIu64 " functions %10" PRIu64 " bytes  %-16s %s\n",
			       (uint64_t)c->lost.funcs[i], (uint64_t)c->lost.bytes[i],
			       synth_cause_name(i), synth_cause_text(i));
}

static void print_coverage(const char *name, const struct coverage *c)
{
	u64 lost = lost_text(c);

	printf("%s: %.4f%% of %" PRIu64 " bytes of text with CFI (%.1f%% of all text), "
	       "%" PRIu64 " functions, %" PRIu64 " rows\n",
	       name, percent(c->cfi - lost, c->cfi), (uint64_t)c->cfi,
	       percent(c->cfi, c->text), (uint64_t)c->functions,
	       (uint64_t)c->rows);
	print_causes(c);
	if (c->code)
		printf("  %" PRIu64 " bytes without CFI have rules by their code\n",
		       (uint64_t)c->code);
	if (c->equal || c->differing)
		printf("  %" PRIu64 " bytes looked up and the same, %" PRIu64
		       " differ\n", (uint64_t)c->equal, (uint64_t)c->differing);
}

static void json_coverage(struct json *j, const char *name,
			  const struct coverage *c)
{
	unsigned int i;

	json_object(j, NULL);
	json_string(j, "file", name);
	json_u64(j, "text_bytes", c->text);
	json_u64(j, "cfi_bytes", c->cfi);
	json_u64(j, "covered_bytes", c->cfi - lost_text(c));
	json_u64(j, "code_bytes", c->code);
	json_u64(j, "functions", c->functions);
	json_u64(j, "rows", c->rows);
	json_u64(j, "section_bytes", c->section_bytes);
	json_u64(j, "cfi_section_bytes", c->cfi_section_bytes);
	json_object(j, "left_out");
	for (i = 1; i < SYNTH_NR_CAUSES; i++) {
		if (!c->lost.funcs[i])
			continue;
		json_object(j, synth_cause_name(i));
		json_u64(j, "functions", c->lost.funcs[i]);
		json_u64(j, "bytes", c->lost.bytes[i]);
		json_object_end(j);
	}
	json_object_end(j);
	if (c->equal || c->differing) {
		json_u64(j, "equal_bytes", c->equal);
		json_u64(j, "differing_bytes", c->differing);
	}
	json_object_end(j);
}

/* Proves the section as the module would, and compares it with the CFI that it was made from. */
static int check(const char *path, const struct synth *s,
		 const struct synth_section *sec, struct coverage *c,
		 struct diag *diag)
{
	_cleanup_(sframe_section_release) struct sframe_section section =
		SFRAME_SECTION_INIT;
	struct compare_result result;
	unsigned int kind;
	int err;

	if (!sec->bytes)
		return 0;
	sframe_section_borrow(&section, path, &s->elf, sec->bytes, sec->len,
			      sec->vaddr);
	err = sframe_section_prove(&section, diag);
	if (err)
		return err;
	compare(&section, s, NULL, NULL, &result);
	c->equal = result.equal;
	for (kind = 0; kind < COMPARE_NR_KINDS; kind++)
		c->differing += result.bytes[kind];
	if (c->differing)
		return diag_set(diag, EPROTO, path, "the table differs from the CFI");
	return 0;
}

static void one_file(struct walk *w, const char *path, bool asked)
{
	_cleanup_(synth_section_release) struct synth_section sec =
		SYNTH_SECTION_INIT;
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(synth_release) struct synth s = SYNTH_INIT;
	struct coverage c = { 0 };
	struct diag diag;
	int err;

	err = file_open(&file, path, &diag);
	if (!err)
		err = synth_read(&s, file.fd, path, &diag);
	if (err == -EBADMSG && !asked) {
		w->skipped++;
		return;
	}
	if (!err)
		err = synth_encode(&s, w->o->version, &sec, &diag);
	if (!err && w->o->check)
		err = check(path, &s, &sec, &c, &diag);
	if (err) {
		cmd_diag(&diag);
		w->failed++;
		return;
	}
	take(&c, &s, &sec);
	add(&w->all, &c);
	if (w->json)
		json_coverage(w->json, path, &c);
	else if (w->o->files || asked)
		print_coverage(path, &c);
}

static int walk_paths(struct walk *w, char **paths)
{
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (!fts) {
		perror("ustack");
		return CMD_FAILED;
	}
	while ((e = fts_read(fts))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
		    e->fts_info == FTS_NS) {
			fprintf(stderr, "ustack: %s: %s\n", e->fts_path,
				strerror(e->fts_errno));
			w->failed++;
		} else if (e->fts_info == FTS_F ||
			   (e->fts_info == FTS_SL && !e->fts_level)) {
			if (progress_due(&w->progress))
				progress_say(&w->progress, "%" PRIu64 " files, %.60s",
					     (uint64_t)w->all.files, e->fts_path);
			one_file(w, e->fts_path, !e->fts_level);
		}
	}
	fts_close(fts);
	progress_wipe(&w->progress);
	return w->failed ? CMD_FAILED : CMD_OK;
}

static int run(const struct coverage_opts *o, char **paths)
{
	struct walk w = { .o = o };
	struct json j;
	int status;

	progress_init(&w.progress, NULL);
	if (o->json) {
		json_init(&j, stdout);
		json_array(&j, NULL);
		w.json = &j;
	}
	status = walk_paths(&w, paths);
	if (o->json) {
		json_array_end(&j);
		json_end(&j);
	} else if (w.all.files != 1 || w.skipped) {
		printf("%" PRIu64 " files, %" PRIu64 " others; section bytes %" PRIu64
		       ", of CFI %" PRIu64 "\n", (uint64_t)w.all.files,
		       (uint64_t)w.skipped, (uint64_t)w.all.section_bytes,
		       (uint64_t)w.all.cfi_section_bytes);
		print_coverage("all", &w.all);
	}
	return status;
}

int cmd_sframe_coverage(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack sframe coverage",
		.synopsis = "[OPTION...] PATH...",
		.about = "Says how much of the text that has call frame information a synthesized\n"
			 "section covers, and what is left out and why, for files and for all ELF\n"
			 "files below directories.",
	};
	struct coverage_opts o = { 0 };
	const struct option_spec specs[] = {
		SFRAME_FORMAT_OPTION(o.format, "N"),
		SFRAME_EXTENDED_OPTION(o.extended),
		OPTION_FLAG(0, "files", &o.files, "also list the files of directories"),
		OPTION_FLAG(0, "check", &o.check,
			    "also look up every address in the section's table"),
		OPTION_FLAG(0, "json", &o.json, "print JSON, an array of files"),
		OPTION_END,
	};
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (sframe_input_version(&usage, &o.format, o.extended, &o.version) != CMD_RUN)
		return CMD_USAGE;
	if (!argc)
		return cmd_bad_usage(&usage, "which PATH?");
	return run(&o, argv);
}

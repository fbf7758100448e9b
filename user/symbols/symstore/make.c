// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a GSYM file in a jail from the best source: debug file, the file itself, or a
 * BSYM file. Called by providers.c, see make.h.
 */
#include "symbols/symstore/make.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbols/convert/convert.h"
#include "host/jail/jail.h"
#include "symbols/symstore/debug_file.h"
#include "util/file.h"

#include "util/poison.h"

static enum symstore_source source_of(const struct gsym_converted *c)
{
	if (c->has_dwarf && c->dwarf.functions)
		return SYMSTORE_DWARF;
	if (c->bsym.symbols)
		return SYMSTORE_BSYM;
	return c->symtab_whole ? SYMSTORE_SYMTAB : SYMSTORE_DYNSYM;
}

/* @linked, @bsym: see struct gsym_convert_options */
static int convert_input(const struct gsym_input *in, bool symbols_only, const char *linked,
			 const char *bsym, struct diag *diag, enum symstore_source *ret)
{
	const struct gsym_convert_options o = {
		.layout = GSYM_LLVM_1, .symbols_only = symbols_only, .unnamed = true,
		.linked = linked, .bsym = bsym, .threads = 1,
		.dwarf = { .lenient = true },
	};
	struct gsym_converted done;
	int err;

	/* the output goes to standard output, which is the new file: empty it first */
	if (lseek(STDOUT_FILENO, 0, SEEK_SET) < 0 || ftruncate(STDOUT_FILENO, 0))
		return diag_errno(diag, errno, in->path);
	err = gsym_convert(in, NULL, &o, &done, diag);
	if (!err)
		*ret = source_of(&done);
	return err;
}

static int convert(const char *path, bool symbols_only, const char *linked,
		   struct diag *diag, enum symstore_source *ret)
{
	/* programs are mapped from ELF files, and their debug files are ELF files, too */
	const struct gsym_input in = { .path = (char *)path, .kind = GSYM_INPUT_ELF };

	return convert_input(&in, symbols_only, linked, NULL, diag, ret);
}

/*
 * Takes the BSYM file and what the file exports; if the file is missing or damaged, the
 * BSYM file alone.
 */
static enum symstore_source make_bsym(const struct make_job *job, char reason[256])
{
	enum symstore_source source = SYMSTORE_NOTHING;
	struct diag diag = { 0 };
	char own[32], bsym[32];
	struct gsym_input in = { .path = own, .kind = GSYM_INPUT_ELF };
	int err = -ENOENT;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", job->fd);
	snprintf(bsym, sizeof(bsym), "/proc/self/fd/%d", job->bsym);
	if (job->fd >= 0)
		err = convert_input(&in, true, NULL, bsym, &diag, &source);
	if (err) {
		in = (struct gsym_input){ .path = bsym, .kind = GSYM_INPUT_BSYM };
		err = convert_input(&in, true, NULL, NULL, &diag, &source);
	}
	diag.file = job->bsym_path;
	if (err)
		diag_format(&diag, reason, 256);
	else if (source != SYMSTORE_BSYM)
		snprintf(reason, 256, "%.180s: it names no function that had no name before",
			 job->bsym_path);
	return err ? SYMSTORE_NOTHING : source;
}

/* Takes the best source, and if that is damaged the next best. */
static enum symstore_source make_any(const struct make_job *job, char reason[256])
{
	char found[PATH_MAX], own[32];
	enum symstore_source source = SYMSTORE_NOTHING;
	const char *debug = job->debug;
	struct diag diag = { 0 };
	int err = -ENODATA;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", job->fd);
	if (debug && !debug_is_of(debug, job->build_id, job->build_id_len)) {
		snprintf(reason, 256, "%.200s has another build id", debug);
		if (job->only_debug)
			return SYMSTORE_NOTHING;
		debug = NULL;
	}
	if (!debug && !debug_is_own(job->fd) &&
	    debug_by_link(job->fd, job->path, job->debug_dirs, found))
		debug = found;
	if (debug)
		err = convert(debug, false, own, &diag, &source);
	if (debug && err && err != -ENODATA)
		diag_format(&diag, reason, 256);
	if (err)
		err = convert(own, false, NULL, &diag, &source);
	/* /proc/self/fd/N means nothing to the user */
	diag.file = job->path;
	if (err && err != -ENODATA)
		diag_format(&diag, reason, 256);
	if (err && err != -ENODATA)
		err = convert(own, true, NULL, &diag, &source);
	diag.file = job->path;
	if (err)
		diag_format(&diag, reason, 256);
	return err ? SYMSTORE_NOTHING : source;
}

/* Argument of work(). @words: pipe to the caller. */
struct task {
	const struct make_job *job;
	int words;
};

static int work(void *arg)
{
	const struct task *t = arg;
	const struct make_job *job = t->job;
	struct make_result r = { .source = SYMSTORE_NOTHING };

	r.source = (job->bsym < 0 ? make_any : make_bsym)(job, r.reason);
	r.has_start = job->only_debug && debug_start(job->fd, &r.start);
	return file_write_all(t->words, &r, sizeof(r)) ? 1 : 0;
}

int make_start(struct make *m, const struct make_job *job)
{
	const uint64_t memory = MAKE_MEMORY_FACTOR * job->size + MAKE_MEMORY_LEAST;
	int words[2], err;

	if (pipe2(words, O_CLOEXEC))
		return -errno;
	/* a GSYM file is built in memory first, so it cannot be larger */
	err = jail_start(&m->jail, &(struct jail_limits){
			 .capabilities = JAIL_READ_OTHERS, .paths = JAIL_READ_PATHS,
			 .memory = memory, .file_bytes = memory,
			 .cpu_seconds = MAKE_MAX_SECONDS, .seconds = MAKE_MAX_WAIT, .nice = 5,
			 .out = job->out, .keep = { job->fd, job->bsym, words[1] } },
			 work, &(struct task){ job, words[1] });
	close(words[1]);
	m->words = words[0];
	if (err)
		close(words[0]);
	return err;
}

/* Reads the jail's result; the jail has read untrusted files, and may send anything. */
static bool take(int words, struct make_result *ret)
{
	ssize_t len = read(words, ret, sizeof(*ret));
	const bool whole = len == (ssize_t)sizeof(*ret) &&
			   (unsigned int)ret->source <= SYMSTORE_DWARF;

	if (!whole)
		*ret = (struct make_result){ .source = SYMSTORE_NOTHING };
	ret->reason[sizeof(ret->reason) - 1] = '\0';
	return whole;
}

bool make_end(struct make *m, bool wait, struct make_result *ret)
{
	struct jail_end end;
	char text[JAIL_TEXT];

	if (!jail_end(&m->jail, wait, &end))
		return false;
	*ret = (struct make_result){ .source = SYMSTORE_NOTHING };
	if (end.how != JAIL_EXITED)
		snprintf(ret->reason, sizeof(ret->reason), "%s", jail_end_text(&end, text));
	else if ((!take(m->words, ret) || !ret->source) && !ret->reason[0])
		snprintf(ret->reason, sizeof(ret->reason), "nothing in it names a function");
	close(m->words);
	return true;
}

void make_kill(struct make *m)
{
	if (!m->jail.pid)
		return;
	jail_kill(&m->jail);
	close(m->words);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a text file of Symbian's maksym or rombuild:
 *
 *	From    \epoc32\release\armv5\urel\x.exe
 *
 *	8342d6b8    0070    _E32Startup                              uc_exe_.o(.emb_text)
 *
 * The name is padded to 40 characters. Two blanks precede the object file, and
 * one of them may be the padding.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/build.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/text_lines.h"

#include "util/poison.h"

#define NAME_COLUMNS 40u
#define FROM "From"

struct reader {
	struct text_lines t;
	struct bsym_new *n;
	struct bsym_source *ret;
	char *path;		/* path of the present code segment */
	/* the code segment has begun: it does so with its first symbol */
	bool has_codeseg;
	struct diag *diag;
};

/* Cuts off the object file and the padding. */
static void cut_name(char *name)
{
	size_t len = strlen(name), i;

	for (i = len; i-- > NAME_COLUMNS;)
		if (name[i] == ' ' && name[i - 1] == ' ') {
			len = i - 1;
			break;
		}
	while (len && name[len - 1] == ' ')
		len--;
	name[len] = '\0';
}

static int begin_codeseg(struct reader *r, char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == ' ')
		path[--len] = '\0';
	if (!len)
		return text_lines_fail(&r->t, r->diag, "\"From\" without a path");
	free(r->path);
	r->path = strdup(path);
	r->has_codeseg = false;
	return r->path ? 0 : diag_errno(r->diag, ENOMEM, r->t.file->path);
}

/* In files that are not part of a ROM, addresses count from 0. */
static int add_symbol(struct reader *r, uint32_t address, uint64_t length, const char *name)
{
	int err = 0;

	if (!r->has_codeseg)
		err = bsym_new_codeseg(r->n, r->path, !address);
	r->has_codeseg = true;
	err = err ? err : bsym_new_symbol(r->n, address, length, name);
	r->ret->symbols++;
	return err ? diag_errno(r->diag, ENOMEM, r->t.file->path) : 0;
}

static int take_line(struct reader *r, char *line)
{
	uint64_t address, length;
	char *s = line + strspn(line, " ");

	if (!*s)
		return 0;
	if (text_word(&s, FROM))
		return begin_codeseg(r, s);
	if (!text_number(&s, 16, &address) || !text_number(&s, 16, &length))
		return text_lines_fail(&r->t, r->diag, "no address and length of a symbol");
	if (address > UINT32_MAX)
		return text_lines_fail(&r->t, r->diag, "an address of more than 32 bits");
	cut_name(s);
	if (!*s)
		return text_lines_fail(&r->t, r->diag, "a symbol without a name");
	if (!r->path)
		return text_lines_fail(&r->t, r->diag, "a symbol before the first \"From\"");
	return add_symbol(r, (uint32_t)address & ~1u, length, s);
}

static int read_lines(struct reader *r)
{
	int more, err = 0;

	while (!err && (more = text_lines_next(&r->t, r->diag)) > 0)
		err = take_line(r, r->t.line);
	return err ? err : more;
}

int bsym_from_symbol_file(const char *path, struct bsym_new *n, struct bsym_source *ret,
			  struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	struct reader r = { .n = n, .ret = ret, .diag = diag };
	int err;

	*ret = (struct bsym_source){ 0 };
	err = file_open(&file, path, diag);
	err = err ? err : text_lines_init(&r.t, &file, diag);
	if (err)
		return err;
	err = read_lines(&r);
	if (!err && !r.path)
		err = diag_set(diag, EBADMSG, path, "no \"From\" in it: not a .symbol file");
	text_lines_release(&r.t);
	free(r.path);
	return err;
}

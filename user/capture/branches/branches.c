// SPDX-License-Identifier: GPL-2.0-only
/* The table of formats, and branches_save(). See branches.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "capture/branches/private.h"

static const struct {
	const char *name;
	branches_writer *write;
} formats[BRANCHES_NR] = {
	[BRANCHES_AUTOFDO] = { "autofdo", branches_autofdo },
	[BRANCHES_FDATA] = { "fdata", branches_fdata },
};

const char *branches_format_word(unsigned int i)
{
	return i < BRANCHES_NR ? formats[i].name : NULL;
}

bool branches_format_find(const char *name, enum branches_format *ret)
{
	int i;

	for (i = 0; i < BRANCHES_NR; i++)
		if (!strcmp(formats[i].name, name)) {
			*ret = (enum branches_format)i;
			return true;
		}
	return false;
}

struct save {
	const struct branches *b;
	enum branches_format format;
	const char *path;
};

static int write_to(int fd, void *arg, struct diag *diag)
{
	const struct save *s = arg;
	int copy = dup(fd), err;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out) {
		err = errno;
		if (copy >= 0)
			close(copy);
		return diag_errno(diag, err, s->path);
	}
	err = formats[s->format].write(s->b, out, diag);
	errno = 0;
	if (!err && (fflush(out) || ferror(out)))
		err = diag_errno(diag, errno ? errno : EIO, s->path);
	fclose(out);
	return err;
}

int branches_save(struct branches *b, enum branches_format format, const char *path,
		  struct diag *diag)
{
	struct save s = { b, format, path };

	branches_counts_sort(&b->branches);
	branches_counts_sort(&b->ranges);
	branches_counts_sort(&b->samples);
	return file_replace(path, write_to, &s, diag);
}

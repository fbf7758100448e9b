// SPDX-License-Identifier: MIT
/*
 * The part of util/diag.h that knows nothing of the core's reasons, so that
 * libgsym can use it, too.
 */
#include "util/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/poison.h"

int diag_set(struct diag *diag, int err, const char *file, const char *fmt, ...)
{
	va_list ap;

	if (!diag)
		return -err;
	diag->file = file;
	diag->offset = DIAG_NO_OFFSET;
	diag->reason = 0;
	va_start(ap, fmt);
	vsnprintf(diag->text, sizeof(diag->text), fmt, ap);
	va_end(ap);
	return -err;
}

int diag_errno(struct diag *diag, int err, const char *file)
{
	return diag_set(diag, err, file, "%s", strerror(err));
}

void diag_copy_name(struct diag *diag)
{
	struct diag was;

	if (!diag || !diag->file)
		return;
	was = *diag;
	diag_set(diag, 0, NULL, "%s: %s", was.file, was.text);
	diag->reason = was.reason;
	diag->offset = was.offset;
}

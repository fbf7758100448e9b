// SPDX-License-Identifier: GPL-2.0-only
#include "util/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reason.h"
#include "util/text.h"

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

int diag_reason(struct diag *diag, unsigned int reason, const char *file,
		uint64_t offset)
{
	diag_set(diag, EBADMSG, file, "%s", ustack_reason_text(reason));
	if (diag) {
		diag->reason = reason;
		diag->offset = offset;
	}
	return -EBADMSG;
}

void diag_keep(struct diag *diag)
{
	struct diag was;

	if (!diag || !diag->file)
		return;
	was = *diag;
	diag_set(diag, 0, NULL, "%s: %s", was.file, was.text);
	diag->reason = was.reason;
	diag->offset = was.offset;
}

void diag_format(const struct diag *diag, char *buf, size_t len)
{
	const char *name = diag->reason ? ustack_reason_name(diag->reason) : NULL;
	char file[4096] = "", offset[32] = "";

	if (diag->file)
		text_escape(diag->file, file, sizeof(file));
	if (diag->offset != DIAG_NO_OFFSET)
		snprintf(offset, sizeof(offset), "offset 0x%" PRIx64 ": ",
			 diag->offset);
	snprintf(buf, len, "%s%s%s%s%s%s", file, diag->file ? ": " : "", offset,
		 name ? name : "", name ? ": " : "", diag->text);
}

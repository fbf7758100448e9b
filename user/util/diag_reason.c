// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions of util/diag.h that use the core's table of reasons:
 * diag_reason() and diag_format(). They are apart from diag.c because libgsym
 * does not have that table.
 */
#include "util/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "reason.h"
#include "util/text.h"

#include "util/poison.h"

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

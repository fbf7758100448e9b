// SPDX-License-Identifier: GPL-2.0-only
/* Options of the commands that show names: checks them, and makes the demangler. */
#include "cmd/names.h"

#include <errno.h>
#include <stddef.h>

#include "util/poison.h"

bool cmd_names_check(const struct cmd_usage *usage, const struct names_style *style)
{
	if (style->demangle || (!style->no_params && !style->collapse))
		return true;
	cmd_bad_usage(usage, "%s goes with --demangle",
		      style->no_params ? "--no-params" : "--collapse-templates");
	return false;
}

bool cmd_names_new(const struct names_style *style, struct names **ret)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };

	*ret = NULL;
	if (!style->demangle && !style->shorten_stl)
		return true;
	*ret = names_new(style);
	if (*ret)
		return true;
	diag_errno(&diag, ENOMEM, NULL);
	cmd_diag(&diag);
	return false;
}

void cmd_names_free(struct names *n)
{
	names_free(n);
}

const char *cmd_name(struct names *n, const char *name)
{
	return names_text(n, name);
}


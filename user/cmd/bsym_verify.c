// SPDX-License-Identifier: GPL-2.0-only
/* ustack bsym verify: reports what is wrong in BSYM files. */
#include <inttypes.h>

#include "formats/bsym/bsym.h"
#include "cmd.h"

#include "util/poison.h"

static void note(bool odd, const char *text, void *arg)
{
	printf("%s: %s%s\n", (const char *)arg, odd ? "odd: " : "", text);
}

static int verify(const char *path)
{
	struct bsym_info info;
	struct diag diag;
	uint64_t wrong;
	struct bsym *b;

	if (bsym_open(path, &b, &diag))
		return cmd_diag(&diag);
	wrong = bsym_verify(b, note, (void *)path);
	bsym_info(b, &info);
	printf("%s: version %" PRIu32 ".%" PRIu32 ", %" PRIu32 " code segments, %" PRIu32
	       " symbols: %" PRIu64 " wrong\n", path, info.version >> 16, info.version & 0xffff,
	       info.nr_codesegs, info.nr_symbols, wrong);
	bsym_close(b);
	return wrong ? CMD_FAILED : CMD_OK;
}

int cmd_bsym_verify(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack bsym verify",
		.synopsis = "FILE...",
		.about = "Checks BSYM files: tables, order, names, prefixes, tokens, renames.",
	};
	const struct option_spec specs[] = { OPTION_END };
	int status = cmd_parse(&usage, specs, &argc, &argv), i;

	if (status != CMD_RUN)
		return status;
	if (!argc)
		return cmd_bad_usage(&usage, "which FILE?");
	status = CMD_OK;
	for (i = 0; i < argc; i++)
		if (verify(argv[i]))
			status = CMD_FAILED;
	return status;
}

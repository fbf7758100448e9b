// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho lookup: prints how the functions at addresses are unwound. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/macho_slice.h"
#include "cmd/lines.h"
#include "util/cleanup.h"

#include "util/poison.h"

struct lookup {
	bool json;
	const char *arch;
	const struct cmd_macho *f;
	bool failed;
};

static void print_json(struct lookup *l, const char *word, int found,
		       const struct unwind_entry *e)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "asked", word);
	json_string(&j, "result", found > 0 ? "found" : found ? "damaged" : "none");
	if (found > 0)
		l->failed |= !cmd_macho_json_entry(l->f, e, &j);
	json_object_end(&j);
	json_end(&j);
}

static void take(void *arg, const char *word)
{
	struct lookup *l = arg;
	struct unwind_entry e;
	struct diag diag;
	uint64_t addr;
	int found = 0;

	if (!option_parse_u64(word, &addr)) {
		fprintf(stderr, "ustack macho lookup: '%s' is no address\n", word);
		l->failed = true;
		return;
	}
	addr -= l->f->m.base;
	if (addr <= UINT32_MAX)
		found = unwind_info_find(&l->f->u, (uint32_t)addr, &e, &diag);
	if (found < 0) {
		cmd_diag(&diag);
		l->failed = true;
	}
	if (l->json)
		print_json(l, word, found, &e);
	else if (found > 0)
		l->failed |= !cmd_macho_print_entry(l->f, &e);
	else
		puts("?");
}

static int run(struct lookup *l, int argc, char **argv)
{
	_cleanup_(cmd_macho_release) struct cmd_macho f;
	int status = cmd_macho_open_one(argv[0], l->arch, false, &f);

	if (status != CMD_RUN)
		return status;
	l->f = &f;
	l->failed |= !cmd_lookup_words("ustack macho lookup", argc, argv, take, l);
	return l->failed ? CMD_FAILED : CMD_OK;
}

int cmd_macho_lookup(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack macho lookup",
		.synopsis = "[--arch ARCH] [--json] FILE [ADDR]...",
		.about = "Shows how a Mach-O file's compact unwinding unwinds the functions at the given\n"
			 "link-time addresses. Without any, reads them from stdin.",
	};
	struct lookup l = { 0 };
	const struct option_spec specs[] = {
		CMD_MACHO_ARCH_OPTION(l.arch),
		OPTION_FLAG(0, "json", &l.json, "print JSON, a line for each address"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	status = cmd_lookup_check(&usage, argc, argv);
	return status == CMD_RUN ? run(&l, argc, argv) : status;
}

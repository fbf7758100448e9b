// SPDX-License-Identifier: GPL-2.0-only
/* ustack bsym dump: prints the code segments, symbols, tokens and renames of a file. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "cmd/bsym_text.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

struct dump_opts {
	bool json;
	bool headers;
};

struct dump {
	const struct bsym *b;
	const struct dump_opts *o;
	struct bsym_info info;
	char *text;
	struct json j;
	bool failed;
	struct bsym_budget left;
};

static void print_head(struct dump *d)
{
	const struct bsym_info *i = &d->info;

	printf("version %" PRIu32 ".%" PRIu32 "%s%s\n", i->version >> 16, i->version & 0xffff,
	       i->big_endian ? "" : " little-endian", i->packed ? " packed" : "");
	printf("%" PRIu32 " code segments, %" PRIu32 " symbols, %" PRIu32 " tokens, %" PRIu32
	       " renames\n", i->nr_codesegs, i->nr_symbols, i->nr_tokens, i->nr_renames);
	if (i->checksum)
		printf("checksum of the ROM 0x%08" PRIx32 "\n", i->checksum);
}

static void json_head(struct dump *d)
{
	const struct bsym_info *i = &d->info;
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu32 ".%" PRIu32, i->version >> 16,
		 i->version & 0xffff);
	json_string(&d->j, "version", text);
	json_bool(&d->j, "big_endian", i->big_endian);
	json_bool(&d->j, "packed", i->packed);
	json_u64(&d->j, "checksum", i->checksum);
}

static void one_token(struct dump *d, uint32_t i)
{
	const char *text = cmd_bsym_text(bsym_token(d->b, i, d->text, CMD_BSYM_NAME), d->text,
					 &d->failed);

	if (d->o->json)
		json_string(&d->j, NULL, text);
	else
		printf("token %" PRIu32 " %s\n", i, text);
}

static void one_symbol(struct dump *d, const struct bsym_codeseg *c, uint32_t i)
{
	struct bsym_symbol s;
	const char *name;

	d->failed |= bsym_symbol(d->b, c, i, &s) < 0;
	name = cmd_bsym_symbol(d->b, &s, d->text, &d->failed);
	if (!d->o->json) {
		printf("  0x%08" PRIx32 " 0x%04" PRIx32 " %s\n", s.address, s.length, name);
		return;
	}
	json_object(&d->j, NULL);
	json_u64(&d->j, "address", s.address);
	json_u64(&d->j, "length", s.length);
	json_string(&d->j, "name", name);
	json_object_end(&d->j);
}

static void one_codeseg(struct dump *d, uint32_t index)
{
	struct bsym_codeseg c;
	uint32_t i;

	if (bsym_codeseg(d->b, index, &c) || !bsym_may_walk(&d->left, &c)) {
		d->failed = true;
		c.nr = 0;
	}
	if (d->o->json) {
		json_object(&d->j, NULL);
		json_u64(&d->j, "address", c.address);
		json_string(&d->j, "name", cmd_bsym_codeseg(d->b, &c, d->text, &d->failed));
		json_array(&d->j, "symbols");
	} else {
		printf("code segment %" PRIu32 " 0x%08" PRIx32 " %" PRIu32 " %s\n", index,
		       c.address, c.nr, cmd_bsym_codeseg(d->b, &c, d->text, &d->failed));
	}
	for (i = 0; i < c.nr && !d->o->headers; i++)
		one_symbol(d, &c, i);
	if (!d->o->json)
		return;
	json_array_end(&d->j);
	json_object_end(&d->j);
}

static void one_rename(struct dump *d, uint32_t i)
{
	uint32_t codeseg, at;
	const char *name;

	bsym_rename(d->b, i, &codeseg, &at);
	name = cmd_bsym_text(bsym_string(d->b, at, d->text, CMD_BSYM_NAME), d->text, &d->failed);
	if (!d->o->json) {
		printf("rename %" PRIu32 " %s\n", codeseg, name);
		return;
	}
	json_object(&d->j, NULL);
	json_u64(&d->j, "codeseg", codeseg);
	json_string(&d->j, "name", name);
	json_object_end(&d->j);
}

static void each(struct dump *d, const char *name, uint32_t nr,
		 void (*one)(struct dump *d, uint32_t i))
{
	uint32_t i;

	if (d->o->json)
		json_array(&d->j, name);
	for (i = 0; i < nr; i++)
		one(d, i);
	if (d->o->json)
		json_array_end(&d->j);
}

static void dump(struct dump *d)
{
	json_init(&d->j, stdout);
	if (d->o->json) {
		json_object(&d->j, NULL);
		json_head(d);
	} else {
		print_head(d);
	}
	each(d, "tokens", d->info.nr_tokens, one_token);
	each(d, "codesegs", d->info.nr_codesegs, one_codeseg);
	each(d, "renames", d->info.nr_renames, one_rename);
	if (!d->o->json)
		return;
	json_object_end(&d->j);
	json_end(&d->j);
}

static int run(const char *path, const struct dump_opts *o)
{
	_cleanup_(cleanup_free) char *text = malloc(CMD_BSYM_NAME);
	struct dump d = { .o = o, .text = text };
	struct diag diag;
	struct bsym *b;

	if (!text || bsym_open(path, &b, &diag))
		return text ? cmd_diag(&diag) : CMD_FAILED;
	d.b = b;
	bsym_info(b, &d.info);
	bsym_budget(b, &d.left);
	dump(&d);
	bsym_close(b);
	if (d.failed)
		cmd_bsym_damaged(path);
	return d.failed ? CMD_FAILED : CMD_OK;
}

int cmd_bsym_dump(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack bsym dump",
		.synopsis = "[--headers] [--json] FILE",
		.about = "Shows what is in a BSYM file: tokens, code segments with their symbols (address,\n"
			 "length, name), and renames.",
	};
	struct dump_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "headers", &o.headers, "omit the symbols"),
		OPTION_FLAG(0, "json", &o.json, "print one JSON object"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc != 1)
		return cmd_bad_usage(&usage, "takes one FILE");
	return run(argv[0], &o);
}

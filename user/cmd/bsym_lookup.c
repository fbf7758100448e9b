// SPDX-License-Identifier: GPL-2.0-only
/* ustack bsym lookup: names the functions at addresses, or at offsets in code segments. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/bsym_text.h"
#include "cmd/lines.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

struct lookup {
	bool json;
	bool thumb;
	struct bsym *b;
	bool failed;
	bool damaged;
	char *name;
	char *codeseg;
};

static const char *found_text(int found)
{
	switch (found) {
	case BSYM_FOUND:
		return "found";
	case BSYM_BEYOND:
		return "beyond";
	case BSYM_CODESEG:
		return "codeseg";
	case BSYM_NONE:
		return "none";
	}
	return "damaged";
}

/* Prints "NAME + 0xOFFSET (CODESEG)"; after the end of a symbol, the name is not certain. */
static void print_text(const struct lookup *l, int found, const struct bsym_place *at)
{
	if (found == BSYM_NONE)
		puts("?");
	else if (found < 0)
		puts("? (the file is damaged there)");
	else if (found == BSYM_CODESEG)
		printf("? + 0x%" PRIx32 " (%s)\n", at->offset, l->codeseg);
	else
		printf("%s%s + 0x%" PRIx32 " (%s)\n", found == BSYM_BEYOND ? "possibly " : "",
		       l->name, at->offset, l->codeseg);
}

static void print_json(const struct lookup *l, const char *word, int found,
		       const struct bsym_place *at)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "asked", word);
	json_string(&j, "result", found_text(found));
	if (found > BSYM_NONE) {
		json_string(&j, "codeseg", l->codeseg);
		json_u64(&j, "offset", at->offset);
	}
	if (found >= BSYM_BEYOND)
		json_string(&j, "function", l->name);
	json_object_end(&j);
	json_end(&j);
}

static void answer(struct lookup *l, const char *word, int found, const struct bsym_place *at)
{
	struct bsym_codeseg c;

	if (found > BSYM_NONE) {
		bsym_codeseg(l->b, at->codeseg, &c);
		if (bsym_string(l->b, c.name, l->codeseg, CMD_BSYM_NAME) < 0) {
			l->damaged = true;
			strcpy(l->codeseg, "?");
		}
	}
	if (found >= BSYM_BEYOND &&
	    bsym_name(l->b, &at->symbol, l->name, CMD_BSYM_NAME) < 0) {
		l->damaged = true;
		strcpy(l->name, "?");
	}
	l->damaged |= found < 0;
	if (l->json)
		print_json(l, word, found, at);
	else
		print_text(l, found, at);
}

/*
 * Several sections may have the name of one file: this takes the one that fits the offset best.
 */
static int find_offset(struct lookup *l, const char *name, uint32_t offset,
		       struct bsym_place *ret)
{
	struct bsym_place at;
	uint32_t i, from = 0;
	int found, best = BSYM_NONE;

	for (; bsym_find_codeseg(l->b, name, from, &i); from = i + 1) {
		found = bsym_find_offset(l->b, i, offset, &at);
		if (found < 0)
			return found;
		if (found > best) {
			best = found;
			*ret = at;
		}
	}
	return best;
}

/* Looks up ADDRESS, or CODESEG+OFFSET. */
static void take(void *arg, const char *word)
{
	struct lookup *l = arg;
	_cleanup_(cleanup_free) char *name = strdup(word);
	char *plus = name ? strrchr(name, '+') : NULL;
	struct bsym_place at = { 0 };
	uint64_t addr;

	if (!name || !option_parse_u64(plus ? plus + 1 : word, &addr) || addr > UINT32_MAX) {
		fprintf(stderr, "ustack bsym lookup: '%s' is no address and no CODESEG+OFFSET\n",
			word);
		l->failed = true;
		return;
	}
	if (l->thumb)
		addr &= ~1ull;
	if (!plus) {
		answer(l, word, bsym_find(l->b, (uint32_t)addr, &at), &at);
		return;
	}
	*plus = '\0';
	answer(l, word, find_offset(l, name, (uint32_t)addr, &at), &at);
}

/*
 * Return: false if a token cannot be read. Names cannot show that: they contain '?' then, like
 * any other '?'.
 */
static bool has_tokens(const struct lookup *l)
{
	struct bsym_info info;
	uint32_t i;

	bsym_info(l->b, &info);
	for (i = 0; i < info.nr_tokens; i++)
		if (bsym_token(l->b, i, l->name, CMD_BSYM_NAME) < 0)
			return false;
	return true;
}

static int run(struct lookup *l, int argc, char **argv)
{
	_cleanup_(cleanup_free) char *name = malloc(CMD_BSYM_NAME);
	_cleanup_(cleanup_free) char *codeseg = malloc(CMD_BSYM_NAME);
	struct diag diag;

	if (!name || !codeseg)
		return CMD_FAILED;
	if (bsym_open(argv[0], &l->b, &diag))
		return cmd_diag(&diag);
	l->name = name;
	l->codeseg = codeseg;
	l->damaged = !has_tokens(l);
	l->failed |= !cmd_lookup_words("ustack bsym lookup", argc, argv, take, l);
	bsym_close(l->b);
	if (l->damaged)
		cmd_bsym_damaged(argv[0]);
	return l->failed || l->damaged ? CMD_FAILED : CMD_OK;
}

int cmd_bsym_lookup(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack bsym lookup",
		.synopsis = "[--json] [--thumb] FILE [ADDR | CODESEG+OFFSET]...",
		.about = "Names the functions at addresses of a ROM, or at offsets of code segments, which\n"
			 "are named by path or by file name. Without any, they come from stdin.",
	};
	struct lookup l = { .failed = false };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &l.json, "print JSON, a line for each address"),
		OPTION_FLAG(0, "thumb", &l.thumb,
			    "ignore the lowest bit, which marks Thumb code"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	status = cmd_lookup_check(&usage, argc, argv);
	return status == CMD_RUN ? run(&l, argc, argv) : status;
}

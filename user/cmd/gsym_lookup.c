// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym lookup: prints functions, lines and inlined calls at addresses. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/lines.h"
#include "cmd/names.h"
#include "formats/gsym/cache.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

struct lookup_opts {
	bool json;
	bool name_only;
	struct names_style style;
	bool pairs;	/* lines of stdin name a file, too */
};

/* Bytes for the cache of decoded functions that were asked for. */
#define CACHE (64u << 20)

/* Number of addresses that are looked up before any is printed: their waits for memory overlap. */
#define BATCH GSYM_CACHE_PREFETCHED
#define FRAMES (GSYM_MAX_FRAMES + 8 * BATCH)

/**
 * struct lookup - state of the lookups
 * @g: the file that was asked for last
 * @cache: cache of decoded functions of @g
 * @path: name of the file @g
 * @checked: one bit for each 4 bytes of @g, set where a function begins that was checked for
 *           damage: damage which a lookup skips is reported once for each function
 * @names: see cmd_name()
 * @failed: an address or a file could not be read
 * @addrs: the @nr addresses that are still to be looked up
 * @frames: the frames of some of these addresses
 * @text: @len bytes that are still to be written to stdout
 */
struct lookup {
	const struct lookup_opts *o;
	struct gsym *g;
	struct gsym_cache *cache;
	char *path;
	uint8_t *checked;
	struct names *names;
	bool failed;
	unsigned int nr;
	uint64_t addrs[BATCH];
	struct gsym_frame frames[FRAMES];
	size_t len;
	char text[32 << 10];
};

/*
 * Printing takes most of the time of a lookup: so it uses no formats, no locks, and large
 * pieces.
 */
static void flush(struct lookup *l)
{
	fwrite_unlocked(l->text, 1, l->len, stdout);
	l->len = 0;
}

static void put_bytes(struct lookup *l, const char *s, size_t len)
{
	size_t n;

	while (len) {
		if (l->len == sizeof(l->text))
			flush(l);
		n = sizeof(l->text) - l->len;
		n = len < n ? len : n;
		memcpy(l->text + l->len, s, n);
		l->len += n;
		s += n;
		len -= n;
	}
}

static void put(struct lookup *l, const char *s)
{
	put_bytes(l, s, strlen(s));
}

static void put_hex(struct lookup *l, uint64_t v)
{
	char text[18] = "0x";
	int i;

	for (i = 17; i >= 2; i--, v >>= 4)
		text[i] = "0123456789abcdef"[v & 15];
	put_bytes(l, text, sizeof(text));
}

static void put_decimal(struct lookup *l, uint64_t v)
{
	char text[20], *p = text + sizeof(text);

	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	put_bytes(l, p, (size_t)(text + sizeof(text) - p));
}

/* Prints a frame in the form of llvm-gsymutil. */
static void print_frame(struct lookup *l, const struct gsym_frame *f)
{
	put(l, cmd_name(l->names, f->function));
	if (f->offset) {
		put(l, " + ");
		put_decimal(l, f->offset);
	}
	if (*f->dir || *f->file) {
		put(l, " @ ");
		put(l, f->dir);
		if (*f->dir)
			put(l, strchr(f->dir, '\\') && !strchr(f->dir, '/') ? "\\" : "/");
		put(l, *f->file ? f->file : "<invalid-file>");
		put(l, ":");
		put_decimal(l, f->line);
	}
	if (f->inlined)
		put(l, " [inlined]");
	put(l, "\n");
}

static void print_text(struct lookup *l, uint64_t addr, const struct gsym_frame *f, int nr)
{
	int i;

	put_hex(l, addr);
	put(l, ": ");
	if (nr <= 0)
		put(l, nr ? "error: the file is damaged there\n" :
			 "error: no function has this address\n");
	for (i = 0; i < nr; i++) {
		if (i)
			put(l, "                    ");
		print_frame(l, &f[i]);
	}
}

static void print_json(const struct lookup *l, uint64_t addr, const struct gsym_frame *f, int nr)
{
	struct json j;
	int i;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_u64(&j, "address", addr);
	if (nr < 0)
		json_string(&j, "error", "the file is damaged there");
	json_array(&j, "frames");
	for (i = 0; i < nr; i++, f++) {
		json_object(&j, NULL);
		json_string(&j, "function", cmd_name(l->names, f->function));
		json_u64(&j, "offset", f->offset);
		if (*f->dir || *f->file) {
			json_string(&j, "dir", f->dir);
			json_string(&j, "file", f->file);
			json_u64(&j, "line", f->line);
		}
		json_bool(&j, "inlined", f->inlined);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

static void say_damage(const struct lookup *l, uint64_t addr)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };

	diag_set(&diag, EBADMSG, l->path, "the function at 0x%" PRIx64 " is where none can be",
		 addr);
	cmd_diag(&diag);
}

static int find_name(const struct lookup *l, uint64_t addr, struct gsym_frame *ret)
{
	struct gsym_function f;
	int found = gsym_find(l->g, addr, &f);

	if (found > 0)
		*ret = (struct gsym_frame){
			.function = f.name, .dir = "", .file = "",
			.offset = addr - f.start,
		};
	else if (found < 0)
		say_damage(l, addr);
	return found;
}

/* Reports the damage of a function when it is met for the first time. */
static void check(struct lookup *l, const struct gsym_function *f)
{
	uint8_t *byte = &l->checked[f->at / 32], bit = (uint8_t)(1u << (f->at / 4 & 7));
	struct diag diag;

	if (*byte & bit)
		return;
	*byte |= bit;
	if (!gsym_function_check(l->g, f, l->path, &diag))
		return;
	l->failed = true;
	cmd_diag(&diag);
}

static int find_lines(struct lookup *l, uint64_t addr, struct gsym_frame *ret)
{
	struct gsym_function f;
	int nr = gsym_cache_lookup_function(l->cache, addr, &f, ret, GSYM_MAX_FRAMES);

	if (f.name)
		check(l, &f);
	else if (nr < 0)
		say_damage(l, addr);
	return nr;
}

/*
 * @ret: room for GSYM_MAX_FRAMES. Their texts are prefetched, as they are printed soon. Return:
 *       see gsym_lookup().
 */
static int find(struct lookup *l, uint64_t addr, struct gsym_frame *ret)
{
	int nr = l->o->name_only ? find_name(l, addr, ret) : find_lines(l, addr, ret), i;

	for (i = 0; i < nr; i++) {
		__builtin_prefetch(ret[i].function);
		__builtin_prefetch(ret[i].function + 64);
		__builtin_prefetch(ret[i].dir);
		__builtin_prefetch(ret[i].file);
	}
	return nr;
}

static void print(struct lookup *l, uint64_t addr, const struct gsym_frame *f, int nr)
{
	l->failed |= nr < 0;
	if (l->o->json)
		print_json(l, addr, f, nr);
	else
		print_text(l, addr, f, nr);
}

/* Looks up and prints all addresses collected so far. */
static void answer(struct lookup *l)
{
	unsigned int i, done = 0, used;
	int nr[BATCH];

	if (l->nr)
		gsym_cache_prefetch(l->cache, l->addrs, l->nr);
	while (done < l->nr) {
		used = 0;
		for (i = done; i < l->nr && FRAMES - used >= GSYM_MAX_FRAMES; i++) {
			nr[i] = find(l, l->addrs[i], l->frames + used);
			used += nr[i] > 0 ? (unsigned int)nr[i] : 0;
		}
		for (used = 0; done < i; done++) {
			print(l, l->addrs[done], l->frames + used, nr[done]);
			used += nr[done] > 0 ? (unsigned int)nr[done] : 0;
		}
	}
	l->nr = 0;
}

static void lookup(struct lookup *l, uint64_t addr)
{
	l->addrs[l->nr++] = addr;
	if (l->nr == BATCH)
		answer(l);
}

/* Prints all answers before more input is waited for: the writer of stdin may wait for them. */
static void answer_now(void *arg)
{
	struct lookup *l = arg;

	answer(l);
	flush(l);
	fflush(stdout);
}

static void close_file(struct lookup *l)
{
	gsym_cache_free(l->cache);
	l->cache = NULL;
	gsym_close(l->g);
	l->g = NULL;
	free(l->checked);
	l->checked = NULL;
	free(l->path);
	l->path = NULL;
}

/* @path: the function copies it. */
static bool open_file(struct lookup *l, const char *path)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_info info;

	if (l->path && !strcmp(l->path, path))
		return l->g;
	answer(l);
	close_file(l);
	l->path = strdup(path);
	if (!l->path)
		diag_errno(&diag, ENOMEM, path);
	else if (!gsym_open(l->path, &l->g, &diag)) {
		gsym_identify(l->g, &info);
		l->checked = calloc(info.bytes / 32 + 1, 1);
		if (l->checked && !gsym_cache_new(l->g, CACHE, &l->cache))
			return true;
		diag_errno(&diag, ENOMEM, path);
		gsym_close(l->g);
		l->g = NULL;
	}
	cmd_diag(&diag);
	l->failed = true;
	return false;
}

/* Takes a line of stdin: ADDR, or ADDR FILE. */
static void take_line(void *arg, char *line)
{
	struct lookup *l = arg;
	char *word = line + strspn(line, " \t"), *path = NULL;
	uint64_t addr;

	if (!*word)
		return;
	if (l->o->pairs) {
		path = word + strcspn(word, " \t");
		if (*path)
			*path++ = '\0';
		path += strspn(path, " \t");
	} else {
		word[strcspn(word, " \t")] = '\0';
	}
	if (!option_parse_u64(word, &addr)) {
		fprintf(stderr, "ustack gsym lookup: '%s' is not an address\n", word);
		l->failed = true;
	} else if (path && !strcmp(path, "-")) {
		fputs("ustack gsym lookup: -: these lines are of stdin already\n", stderr);
		l->failed = true;
	} else if (!path || open_file(l, path)) {
		lookup(l, addr);
	}
}

static int run(struct lookup *l, int argc, char **argv, const struct cmd_usage *usage)
{
	uint64_t addr;
	int i;

	for (i = 1; i < argc; i++)
		if (!option_parse_u64(argv[i], &addr))
			return cmd_bad_usage(usage, "'%s' is not an address", argv[i]);
	if (argc && !open_file(l, argv[0]))
		return CMD_FAILED;
	for (i = 1; i < argc; i++)
		if (option_parse_u64(argv[i], &addr))
			lookup(l, addr);
	if (argc < 2)
		l->failed |= !cmd_stdin_lines("ustack gsym lookup", take_line, answer_now, l);
	answer_now(l);
	close_file(l);
	return l->failed ? CMD_FAILED : CMD_OK;
}

int cmd_gsym_lookup(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack gsym lookup",
		.synopsis = "[OPTION...] FILE [ADDR...]\n"
			    "[OPTION...] --addresses-from-stdin",
		.about = "Names the functions, source lines and inlined calls at link-time addresses,\n"
			 "innermost first. Without ADDR they come from stdin, one a line.",
	};
	struct lookup_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "addresses-from-stdin", &o.pairs,
			    "lines of stdin are ADDR FILE"),
		OPTION_FLAG(0, "json", &o.json, "print JSON, a line for each address"),
		OPTION_FLAG(0, "name", &o.name_only,
			    "only functions, no lines or inlined calls"),
		CMD_NAMES_OPTIONS(&o.style)
		OPTION_END,
	};
	struct lookup l = { .o = &o };
	int status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (o.pairs && argc)
		return cmd_bad_usage(&usage, "with --addresses-from-stdin, stdin names the files");
	if (argc == 1 && !strcmp(argv[0], "-"))
		return cmd_bad_usage(&usage, "stdin is the file: which ADDR?");
	if (!o.pairs && !argc)
		return cmd_bad_usage(&usage, "which FILE?");
	if (!cmd_names_check(&usage, &o.style))
		return CMD_USAGE;
	if (!cmd_names_new(&o.style, &l.names))
		return CMD_FAILED;
	status = run(&l, argc, argv, &usage);
	cmd_names_free(l.names);
	return status;
}

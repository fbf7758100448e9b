// SPDX-License-Identifier: GPL-2.0-only
/* ustack imagemap decode and show: print an image map for programs, and for people. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/imagemap_input.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"
#include "util/utf8.h"

#include "util/poison.h"

struct decode_opts {
	bool json;
	bool strict;
	struct option_u64 pid;
};

#define PID_OPTION(o) \
	OPTION_U64('p', "pid", "PID", &(o)->pid, "FILE is a profile: use the map of this process"),

static void print_hex(const uint8_t *bytes, size_t len)
{
	while (len--)
		printf("%02x", *bytes++);
}

static void print_path(const char *path)
{
	char escaped[512];
	size_t n;

	/* in pieces that fit, as a path may have any length */
	for (; *path; path += n) {
		char piece[120];

		n = strnlen(path, sizeof(piece) - 1);
		memcpy(piece, path, n);
		piece[n] = '\0';
		fputs(text_escape(piece, escaped, sizeof(escaped)), stdout);
	}
}

/* Prints "BASE END BUILD-ID PATH"; BUILD-ID is - if there is none, and PATH is left out. */
static void print_line(const struct imagemap *map, const struct imagemap_image *i)
{
	const char *path = imagemap_path(map, i);

	printf("0x%" PRIx64 " 0x%" PRIx64 " ", i->base, i->end);
	if (i->build_id_len)
		print_hex(imagemap_build_id(map, i), i->build_id_len);
	else
		putchar('-');
	if (path) {
		putchar(' ');
		print_path(path);
	}
	putchar('\n');
}

static void print_text(const struct imagemap *map)
{
	uint32_t i;

	fputs("platform ", stdout);
	print_path(map->platform);
	printf("\nword %u\n", imagemap_bits(map->word));
	for (i = 0; i < map->nr; i++)
		print_line(map, &map->images[i]);
}

static char *hex_text(const uint8_t *bytes, size_t len)
{
	char *text = malloc(2 * len + 1);

	if (text)
		text_hex(bytes, len, text, 2 * len + 1);
	return text;
}

static void print_hex_text(struct json *j, const char *name, const uint8_t *bytes, size_t len)
{
	_cleanup_(cleanup_free) char *text = hex_text(bytes, len);

	if (text)
		json_string(j, name, text);
	else
		json_null(j, name);
}

static void print_image(struct json *j, const struct imagemap *map,
			const struct imagemap_image *i)
{
	const char *path = imagemap_path(map, i);
	char address[24];

	json_object(j, NULL);
	/* as text, because the numbers of some JSON readers have less than 64 bits */
	snprintf(address, sizeof(address), "0x%" PRIx64, i->base);
	json_string(j, "base", address);
	snprintf(address, sizeof(address), "0x%" PRIx64, i->end);
	json_string(j, "end", address);
	if (i->build_id_len)
		print_hex_text(j, "build_id", imagemap_build_id(map, i), i->build_id_len);
	if (path && utf8_valid(path))
		json_string(j, "path", path);
	else if (path)
		print_hex_text(j, "path_hex", (const uint8_t *)path, strlen(path));
	if (i->damage)
		json_string(j, "damage", imagemap_damage_text(i->damage));
	json_object_end(j);
}

static void print_json(const struct imagemap *map)
{
	struct json j;
	uint32_t i;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "platform", map->platform);
	json_u64(&j, "word", imagemap_bits(map->word));
	json_array(&j, "images");
	for (i = 0; i < map->nr; i++)
		print_image(&j, map, &map->images[i]);
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

/* Reports faults of the map that did not prevent reading it. */
static void print_notes(const struct imagemap *map, const char *name)
{
	uint32_t i;

	if (map->old)
		fprintf(stderr, "ustack: %s: a stream without a platform, as before 2025\n", name);
	if (map->trailing)
		fprintf(stderr, "ustack: %s: %zu bytes after the last image\n", name, map->trailing);
	for (i = 0; i < map->nr; i++)
		if (map->images[i].damage)
			fprintf(stderr, "ustack: %s: image %" PRIu32 ": %s\n", name, i,
				imagemap_damage_text(map->images[i].damage));
}

static int read_map(const struct decode_opts *o, const char *word, struct imagemap *map,
		    size_t *size, struct diag *diag)
{
	if (o->pid.set)
		return cmd_imagemap_of_profile(word, (uint32_t)o->pid.value, map, size, diag);
	return cmd_imagemap_read(word, o->strict ? IMAGEMAP_STRICT : 0, map, size, diag);
}

static bool check(const struct cmd_usage *usage, const struct decode_opts *o, int argc)
{
	if (argc != 1)
		cmd_bad_usage(usage, "takes one image map");
	else if (o->pid.value > INT32_MAX)
		cmd_bad_usage(usage, "-p: no number of a process");
	else
		return true;
	return false;
}

static int decode(const struct decode_opts *o, const char *word)
{
	struct imagemap map = IMAGEMAP_INIT;
	struct diag diag;
	int err = read_map(o, word, &map, NULL, &diag);

	if (!err || map.nr)
		(o->json ? print_json : print_text)(&map);
	print_notes(&map, strlen(word) < 256 ? word : "the image map");
	imagemap_release(&map);
	return err ? cmd_diag(&diag) : CMD_OK;
}

int cmd_imagemap_decode(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack imagemap decode",
		.synopsis = "[--json] [--strict] FILE | BASE64\n[--json] -p PID PROFILE",
		.about = "Prints an image map: platform, word size, and a line for each image with its\n"
			 "base, the end of its text, its build id and its path.",
	};
	struct decode_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &o.json, "print JSON, which encode --json takes"),
		PID_OPTION(&o)
		OPTION_FLAG(0, "strict", &o.strict, "refuse faults that Swift's reader accepts"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	return check(&usage, &o, argc) ? decode(&o, argv[0]) : CMD_USAGE;
}

static void print_row(const struct imagemap *map, const struct imagemap_image *i, int width)
{
	const char *path = imagemap_path(map, i), *name = imagemap_name(map, i);
	char size[TEXT_SHORT], id[17];
	size_t len = i->build_id_len;

	text_hex(imagemap_build_id(map, i), len < 8 ? len : 8, id, sizeof(id));
	printf("%#*" PRIx64 " %#*" PRIx64 " %10s  %-16s  ", width, i->base, width, i->end,
	       text_bytes(i->end - i->base, size), len ? id : "-");
	print_path(name ? name : "-");
	if (name && name != path) {
		fputs("  ", stdout);
		print_path(path);
	}
	putchar('\n');
}

static int show(const struct decode_opts *o, const char *word)
{
	struct imagemap map = IMAGEMAP_INIT;
	struct diag diag;
	size_t size = 0;
	uint32_t i;
	int err = read_map(o, word, &map, &size, &diag);
	int width = (int)imagemap_bits(map.word) / 4 + 2;

	if (!err || map.nr) {
		printf("%" PRIu32 " images of %s, %u bits, in %zu bytes\n", map.nr,
		       map.platform[0] ? map.platform : "a platform that is not named",
		       imagemap_bits(map.word), size);
		printf("%*s %*s %10s  %-16s  %s\n", width, "BASE", width, "END", "SIZE",
		       "BUILD ID", "NAME AND PATH");
	}
	for (i = 0; i < map.nr; i++)
		print_row(&map, &map.images[i], width);
	print_notes(&map, strlen(word) < 256 ? word : "the image map");
	imagemap_release(&map);
	return err ? cmd_diag(&diag) : CMD_OK;
}

int cmd_imagemap_show(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack imagemap show",
		.synopsis = "FILE | BASE64\n-p PID PROFILE",
		.about = "Shows the images of an image map as a table: build ids by their first digits.",
	};
	struct decode_opts o = { 0 };
	const struct option_spec specs[] = {
		PID_OPTION(&o)
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	return check(&usage, &o, argc) ? show(&o, argv[0]) : CMD_USAGE;
}

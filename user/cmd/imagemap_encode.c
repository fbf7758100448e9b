// SPDX-License-Identifier: GPL-2.0-only
/* ustack imagemap encode: makes an image map of a process, a core file or JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "host/snapshot/capture.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/hex.h"

#include "util/poison.h"

/* Largest size of the JSON of a map with the most images */
#define MAX_JSON (512u << 20)

struct encode_opts {
	struct option_u64 pid;
	const char *core;
	const char *json;
	const char *output;
	bool base64;
};

struct output {
	const void *bytes;
	size_t len;
};

static int write_output(int fd, void *arg, struct diag *diag)
{
	const struct output *o = arg;
	int err = file_write_all(fd, o->bytes, o->len);

	return err ? diag_errno(diag, -err, "image map") : 0;
}

static int read_json(const char *path, struct imagemap *map, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(cleanup_free) uint8_t *text = NULL;
	int err = file_open(&file, path, diag);

	if (!err && file.size > MAX_JSON)
		err = diag_errno(diag, EFBIG, path);
	err = err ? err : file_read_new(&file, 0, file.size, &text, diag);
	if (err && diag->file)
		diag->file = path;
	return err ? err : imagemap_from_json((const char *)text, file.size, path, map, diag);
}

static int capture(const struct encode_opts *o, struct imagemap *map, struct diag *diag)
{
	if (o->pid.set)
		return imagemap_from_process((uint32_t)o->pid.value, map, diag);
	if (o->core)
		return imagemap_from_core(o->core, map, diag);
	return read_json(o->json, map, diag);
}

static int write_map(const struct encode_opts *o, const struct imagemap *map,
		     struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	_cleanup_(cleanup_free) char *text = NULL;
	struct output out;
	int err = imagemap_encode(map, &bytes, &out.len, diag);

	if (err)
		return err;
	out.bytes = bytes;
	if (o->base64) {
		text = malloc(BASE64_LEN(out.len) + 2);
		if (!text)
			return diag_errno(diag, ENOMEM, o->output);
		base64_write(bytes, out.len, text);
		out.len = BASE64_LEN(out.len) + 1;
		text[out.len - 1] = '\n';
		out.bytes = text;
	}
	return file_replace(o->output, write_output, &out, diag);
}

static int run(const struct encode_opts *o)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct imagemap map = IMAGEMAP_INIT;
	int err = capture(o, &map, &diag);

	err = err ? err : write_map(o, &map, &diag);
	imagemap_release(&map);
	return err ? cmd_diag(&diag) : CMD_OK;
}

int cmd_imagemap_encode(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack imagemap encode",
		.synopsis = "[--base64] [-o FILE] -p PID\n"
			    "[--base64] [-o FILE] --core FILE | --json FILE",
		.about = "Writes where the program and the libraries of a process were mapped, with their\n"
			 "build ids, in Swift's Compact ImageMap Format.",
	};
	struct encode_opts o = { .output = "-" };
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "base64", &o.base64, "one line of text, for a log or a ticket"),
		OPTION_STRING(0, "core", "FILE", &o.core, "the map of this core file"),
		OPTION_STRING(0, "json", "FILE", &o.json,
			      "the map that decode --json printed; - is stdin"),
		OPTION_STRING('o', "output", "FILE", &o.output,
			      "the file to write (standard output)"),
		OPTION_U64('p', "pid", "PID", &o.pid, "the map of this process"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc || o.pid.set + !!o.core + !!o.json != 1)
		return cmd_bad_usage(&usage, "takes one of -p, --core and --json");
	if (o.pid.set && (!o.pid.value || o.pid.value > INT32_MAX))
		return cmd_bad_usage(&usage, "-p: no number of a process");
	if (!strcmp(o.output, "-") && !o.base64 && isatty(STDOUT_FILENO))
		return cmd_bad_usage(&usage, "-o or --base64: the map is no text for a terminal");
	return run(&o);
}

// SPDX-License-Identifier: GPL-2.0-only
/* ustack gsym info: prints what a file is, from its header alone. */
#include <inttypes.h>

#include "cmd.h"
#include "formats/gsym/reader.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

#define UUID_TEXT (2 * GSYM_MAX_UUID + 1)

static void print_text(const char *path, const struct gsym_info *i)
{
	char uuid[UUID_TEXT], bytes[TEXT_SHORT], strings[TEXT_SHORT];

	text_hex(i->uuid, i->uuid_len, uuid, sizeof(uuid));
	printf("%s: %s, %s-endian", path, gsym_layout_name(i->layout),
	       i->big_endian ? "big" : "little");
	if (i->section)
		printf(", at offset 0x%" PRIx64, i->section);
	printf("\n  functions     %u, %u bytes for an address, from 0x%" PRIx64 " on\n",
	       i->nr_functions, i->addr_size, i->base);
	printf("  source files  %u\n", i->nr_files);
	printf("  size          %s, %s of it strings\n", text_bytes(i->bytes, bytes),
	       text_bytes(i->strings, strings));
	printf("  build id      %s\n", i->uuid_len ? uuid : "none");
}

static void print_json(struct json *j, const char *path, const struct gsym_info *i)
{
	char uuid[UUID_TEXT];

	json_object(j, NULL);
	json_string(j, "file", path);
	json_string(j, "layout", gsym_layout_name(i->layout));
	json_bool(j, "big_endian", i->big_endian);
	json_u64(j, "offset", i->section);
	json_u64(j, "base", i->base);
	json_u64(j, "address_bytes", i->addr_size);
	json_u64(j, "functions", i->nr_functions);
	json_u64(j, "files", i->nr_files);
	json_u64(j, "string_bytes", i->strings);
	json_u64(j, "bytes", i->bytes);
	if (i->uuid_len)
		json_string(j, "build_id", text_hex(i->uuid, i->uuid_len, uuid, sizeof(uuid)));
	else
		json_null(j, "build_id");
	json_object_end(j);
	json_end(j);
}

static int info(const char *path, bool json)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_info i;
	struct json j;
	struct gsym *g;

	if (gsym_open(path, &g, &diag))
		return cmd_diag(&diag);
	gsym_identify(g, &i);
	if (json) {
		json_init(&j, stdout);
		print_json(&j, path, &i);
	} else {
		print_text(path, &i);
	}
	gsym_close(g);
	return CMD_OK;
}

int cmd_gsym_info(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack gsym info",
		.synopsis = "[--json] FILE...",
		.about = "Shows layout, byte order, build id and sizes of GSYM files.",
	};
	bool json = false;
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &json, "print JSON, a line for each file"),
		OPTION_END,
	};
	int i, status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (!argc)
		return cmd_bad_usage(&usage, "which FILE?");
	status = CMD_OK;
	for (i = 0; i < argc; i++)
		if (info(argv[i], json))
			status = CMD_FAILED;
	return status;
}

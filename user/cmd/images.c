// SPDX-License-Identifier: GPL-2.0-only
/* ustack images: prints the module's list of images. */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "host/module/module.h"
#include "host/module/module_images.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

/* Splits the device number as the kernel's MKDEV() does: 20 bits are the minor number. */
static void json_image(const struct module_image *m)
{
	char dev[TEXT_SHORT];
	struct json j;

	snprintf(dev, sizeof(dev), "%" PRIu64 ":%" PRIu64, m->dev >> 20, m->dev & 0xfffff);
	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "path", m->path);
	json_string(&j, "build_id", m->build_id);
	json_string(&j, "state", m->state);
	json_bool(&j, "has_table", m->has_table);
	json_u64(&j, "rows", m->rows);
	json_u64(&j, "lost_functions", m->lost);
	json_u64(&j, "table_bytes", m->bytes);
	json_i64(&j, "users", m->users);
	json_string(&j, "dev", dev);
	json_u64(&j, "ino", m->ino);
	json_u64(&j, "file_size", m->size);
	json_object_end(&j);
	json_end(&j);
}

static int show(FILE *f, bool json, struct diag *diag)
{
	_cleanup_(cleanup_free) char *line = NULL;
	struct module_image m;
	size_t room = 0;

	while (getline(&line, &room, f) > 0)
		if (!json)
			fputs(line, stdout);
		else if (module_images_line(line, &m))
			json_image(&m);
		else
			return diag_set(diag, EPROTO, MODULE_IMAGES,
					"a line that this version does not know: %s", line);
	return ferror(f) ? diag_errno(diag, errno, MODULE_IMAGES) : 0;
}

int cmd_images(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack images",
		.synopsis = "[--json]",
		.about = "Lists the images that the module knows, one a line: device and inode, size,\n"
			 "users, where its table is from or why it has none, rows, lost\n"
			 "functions, bytes of the table, build id, path.",
	};
	FILE *f = NULL;
	bool json = false;
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "json", &json, "print JSON, one object a line"),
		OPTION_END,
	};
	struct diag diag;
	int status, fd, err;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "takes no arguments");
	fd = open(MODULE_IMAGES, O_RDONLY | O_CLOEXEC);
	f = fd < 0 ? NULL : fdopen(fd, "r");
	err = f ? show(f, json, &diag) : module_absent(errno, MODULE_IMAGES, &diag);
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return err ? cmd_diag(&diag) : CMD_OK;
}

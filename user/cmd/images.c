// SPDX-License-Identifier: GPL-2.0-only
/* ustack images: the module's own list, as it is. */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "module.h"

#include "util/poison.h"

static int copy_out(int fd, struct diag *diag)
{
	char buf[16384];
	ssize_t n;

	for (;;) {
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_errno(diag, errno, MODULE_IMAGES);
		if (n == 0)
			return 0;
		fwrite(buf, 1, (size_t)n, stdout);
	}
}

int cmd_images(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack images",
		.synopsis = "",
		.about = "Lists the images that the module knows, one a line: device and inode, size,\n"
			 "users, where its table is from or why it has none, rows, lost\n"
			 "functions, bytes of the table, build id, path.",
	};
	const struct option_spec specs[] = { OPTION_END };
	struct diag diag;
	int status, fd, err;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "takes no arguments");
	fd = open(MODULE_IMAGES, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err = module_absent(errno, MODULE_IMAGES, &diag);
	else
		err = copy_out(fd, &diag);
	if (fd >= 0)
		close(fd);
	return err ? cmd_diag(&diag) : CMD_OK;
}

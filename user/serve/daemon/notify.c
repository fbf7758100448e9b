// SPDX-License-Identifier: GPL-2.0-only
/* Sends messages to systemd as sd_notify(3) does. daemon.c and daemon_windows.c call it. */
#include "serve/daemon/notify.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/options.h"

#include "util/poison.h"

#define SOCKET "NOTIFY_SOCKET"

int notify_send(struct diag *diag, const char *text, ...)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv(SOCKET);
	char line[1024];
	int fd, err = 0;
	va_list ap;
	size_t len;

	if (!path || !*path)
		return 0;
	len = strlen(path);
	if ((*path != '/' && *path != '@') || len >= sizeof(to.sun_path))
		return diag_set(diag, EINVAL, path, "is not the address of a socket (" SOCKET ")");
	memcpy(to.sun_path, path, len);
	if (*path == '@')
		to.sun_path[0] = '\0';
	va_start(ap, text);
	vsnprintf(line, sizeof(line), text, ap);
	va_end(ap);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return diag_errno(diag, errno, path);
	if (sendto(fd, line, strlen(line), MSG_NOSIGNAL, (struct sockaddr *)&to,
		   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) < 0)
		err = diag_errno(diag, errno, path);
	close(fd);
	return err;
}

uint64_t notify_watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint64_t value;

	if (pid && (!option_parse_u64(pid, &value) || value != (uint64_t)getpid()))
		return 0;
	return usec && option_parse_u64(usec, &value) ? value * 1000 : 0;
}

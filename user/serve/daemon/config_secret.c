// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a token or a password from its file: one line of limited length. Memory that held it is
 * overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/daemon/config.h"

#include "util/poison.h"

void config_secret_free(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

/* Reads up to @len bytes. Return: the number of bytes, or a negative errno. */
static ssize_t read_all(int fd, char *buf, size_t len)
{
	size_t n = 0;
	ssize_t more;

	while (n < len) {
		more = read(fd, buf + n, len - n);
		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return -errno;
		if (!more)
			break;
		n += (size_t)more;
	}
	return (ssize_t)n;
}

/* Checks that the text is one line, and cuts off the end of the line. */
static int check(char *text, size_t len, const char *path, struct diag *diag)
{
	size_t i;

	if (len && text[len - 1] == '\n')
		len--;
	if (len && text[len - 1] == '\r')
		len--;
	if (!len)
		return diag_set(diag, EINVAL, path, "is empty");
	/* no message shows the text itself */
	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return diag_set(diag, EINVAL, path,
					"has to be one line without control characters");
	explicit_bzero(text + len, 2);
	return 0;
}

static int read_secret(int fd, const char *path, char **ret, bool *others, struct diag *diag)
{
	struct stat st;
	ssize_t len;
	char *text;
	int err;

	if (fstat(fd, &st))
		return diag_errno(diag, errno, path);
	if (!S_ISREG(st.st_mode))
		return diag_set(diag, EINVAL, path, "is not a regular file");
	/* room for a line feed, and one byte more to see that the file is too long */
	text = calloc(1, CONFIG_MAX_SECRET + 4);
	if (!text)
		return diag_errno(diag, ENOMEM, path);
	len = read_all(fd, text, CONFIG_MAX_SECRET + 1);
	if (len < 0)
		err = diag_errno(diag, (int)-len, path);
	else if (len > (ssize_t)CONFIG_MAX_SECRET)
		err = diag_set(diag, EFBIG, path, "more than %u bytes", CONFIG_MAX_SECRET);
	else
		err = check(text, (size_t)len, path, diag);
	if (err) {
		explicit_bzero(text, CONFIG_MAX_SECRET + 4);
		free(text);
		return err;
	}
	if (others)
		*others = st.st_mode & S_IROTH;
	*ret = text;
	return 0;
}

int config_secret_read(const char *path, char **ret, bool *others, struct diag *diag)
{
	/* even for a pipe or a terminal, opening neither waits nor changes anything */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = read_secret(fd, path, ret, others, diag);
	close(fd);
	return err;
}

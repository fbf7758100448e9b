// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects an answer in a file in memory whose size is limited, and replaces it by an error if that
 * fails.
 */
#include "serve/daemon/reply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/file.h"
#include "util/json.h"

#include "util/poison.h"

static ssize_t write_some(void *cookie, const char *bytes, size_t len)
{
	struct reply *r = cookie;
	int err = file_write_all(r->fd, bytes, len);

	/* EPERM: the sealed length of the file is exceeded */
	r->full |= err == -EPERM;
	return err ? 0 : (ssize_t)len;
}

int reply_init(struct reply *r)
{
	const cookie_io_functions_t io = { .write = write_some };
	int err;

	*r = (struct reply){ .status = 200, .type = REPLY_JSON };
	r->fd = memfd_create("reply", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (r->fd < 0)
		return -errno;
	/* set and seal the length now, which takes no memory: no write() can exceed it */
	if (!ftruncate(r->fd, REPLY_MAX_BYTES) && !fcntl(r->fd, F_ADD_SEALS, F_SEAL_GROW))
		r->out = fopencookie(r, "w", io);
	if (r->out)
		return 0;
	err = -errno;
	close(r->fd);
	r->fd = -1;
	return err;
}

void reply_release(struct reply *r)
{
	if (r->out)
		fclose(r->out);
	if (r->fd >= 0)
		close(r->fd);
	r->out = NULL;
	r->fd = -1;
}

/* Discards what has been written so far. Return: 0 or a negative errno. */
static int start_again(struct reply *r)
{
	/* empty the buffer, or its bytes would be written later */
	fflush(r->out);
	clearerr(r->out);
	r->full = false;
	return lseek(r->fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

void reply_error(struct reply *r, unsigned int status, const char *reason,
		 const char *parameter, const char *fmt, ...)
{
	char text[512];
	struct json j;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (start_again(r))
		return;
	r->status = status;
	r->type = REPLY_JSON;
	r->policy = NULL;
	r->file = NULL;
	json_init(&j, r->out);
	json_object(&j, NULL);
	json_object(&j, "error");
	json_u64(&j, "status", status);
	json_string(&j, "reason", reason);
	if (parameter)
		json_string(&j, "parameter", parameter);
	json_string(&j, "message", text);
	json_object_end(&j);
	json_object_end(&j);
	json_end(&j);
}

void reply_too_large(struct reply *r)
{
	reply_error(r, 413, "answer_too_large", NULL,
		    "the answer has more than %u MiB: ask for a shorter range, or select less",
		    REPLY_MAX_BYTES >> 20);
}

int reply_finish(struct reply *r, size_t *len)
{
	off_t end;

	if ((fflush(r->out) || ferror(r->out)) && r->full)
		reply_too_large(r);
	else if (ferror(r->out))
		reply_error(r, 500, "no_memory", NULL, "there is no memory for the answer");
	if (fflush(r->out) || ferror(r->out))
		return -EIO;
	/* the position includes bytes that were written directly to the descriptor */
	end = lseek(r->fd, 0, SEEK_CUR);
	if (end < 0)
		return -errno;
	*len = (size_t)end;
	return 0;
}

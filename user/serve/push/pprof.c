// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes a part of a window as a pprof file, for Pyroscope and Parca; also label names and the
 * release of a body. Called in the target's thread.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/imagemaps.h"
#include "profile/pprof.h"
#include "serve/push/copy.h"
#include "serve/push/peer.h"

#include "util/poison.h"

static void add_comments(struct profile *to, const struct push_part *part)
{
	const struct profile *w = part->window;
	char text[PUSH_IDENTITY_BYTES + 32];
	uint32_t i;

	snprintf(text, sizeof(text), "ustack window %s", part->identity);
	profile_comment(to, text);
	for (i = 0; i < w->nr_comments; i++)
		if (!profile_is_imagemap(w, i) && !push_is_machine_labels(w, i))
			profile_comment(to, profile_text(w, w->comments[i]));
}

static int fill(struct profile *to, const struct push_part *part, uint64_t later_ns)
{
	const struct profile *w = part->window;
	struct push_copy c;
	uint32_t i;
	int err;

	err = push_copy_init(&c, to, w, part->keep);
	if (err)
		return err;
	push_copy_head(&c);
	to->time_ns += later_ns;
	for (i = 0; i < part->nr; i++) {
		const struct profile_sample *s = &w->samples[part->samples[i]];

		profile_add(to, push_copy_stack(&c, s->stack), push_copy_labels(&c, s->labels),
			    s->value);
	}
	add_comments(to, part);
	err = push_copied(&c);
	push_copy_release(&c);
	return err;
}

/* pprof_write() needs a descriptor, so the file is written to memory and read back. */
static int to_bytes(const struct profile *p, struct buffer *ret, struct diag *diag)
{
	int fd = memfd_create("pprof", MFD_CLOEXEC), err;
	uint8_t chunk[4096];
	ssize_t n;

	if (fd < 0)
		return diag_errno(diag, errno, NULL);
	err = pprof_write(p, fd, diag);
	if (!err && lseek(fd, 0, SEEK_SET))
		err = diag_errno(diag, errno, NULL);
	while (!err && (n = read(fd, chunk, sizeof(chunk)))) {
		if (n < 0)
			err = diag_errno(diag, errno, NULL);
		else
			buffer_put(ret, chunk, (size_t)n);
	}
	close(fd);
	return !err && ret->failed ? diag_errno(diag, ENOMEM, NULL) : err;
}

int push_pprof(const struct push_part *part, uint64_t later_ns, struct buffer *ret,
	       struct diag *diag)
{
	struct profile *p = profile_new();
	int err = p ? fill(p, part, later_ns) : -ENOMEM;

	if (err)
		diag_errno(diag, -err, NULL);
	else
		err = to_bytes(p, ret, diag);
	profile_free(p);
	return err;
}

const char *push_label_name(const char *name, char *buf, size_t len)
{
	size_t i;

	snprintf(buf, len, "%s%s", *name >= '0' && *name <= '9' ? "_" : "", name);
	for (i = 0; buf[i]; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    buf[i]))
			buf[i] = '_';
	return buf;
}

void push_body_release(const struct push_peer *peer, struct push_body *body)
{
	if (body->more)
		peer->release(body);
	buffer_release(&body->bytes);
	*body = (struct push_body){ .session = body->session };
}

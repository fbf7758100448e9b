/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An answer that is being made. It is complete before its first byte is sent, so that a failure
 * gives an error and not half an answer. A client that reads slowly keeps a file in memory busy,
 * but no lock and no profile.
 */
#ifndef USTACK_USER_DAEMON_REPLY_H
#define USTACK_USER_DAEMON_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A longer answer is replaced by an error, which tells the client how to get less. */
#define REPLY_MAX_BYTES (256u << 20)

#define REPLY_JSON "application/json"
#define REPLY_HTML "text/html; charset=utf-8"
#define REPLY_TEXT "text/plain; charset=utf-8"
#define REPLY_BYTES "application/octet-stream"

/**
 * struct reply - an answer
 * @status: HTTP status
 * @type: type of the content
 * @policy: Content-Security-Policy; NULL for the policy of answers that are not pages
 * @framed: pages of the same origin may show the answer in a frame
 * @file: file name for saving the answer, or NULL
 * @allow: value of the field Allow, for status 405; or NULL
 * @location: value of the field Location, for status 303; or NULL
 * @cookie: value of the field Set-Cookie; "" for none
 * @gzip: the content is packed, see reply_gzip()
 * @gone: the client has gone and gets no answer
 * @out: stream that the content is written to; NULL if there is no memory for it
 * @fd: descriptor behind @out. A writer may use it directly; it gets EPERM after REPLY_MAX_BYTES
 * @full: more than REPLY_MAX_BYTES were written
 */
struct reply {
	unsigned int status;
	const char *type;
	const char *policy;
	bool framed;
	const char *file;
	const char *allow;
	const char *location;
	char cookie[160];
	bool gzip;
	bool gone;
	FILE *out;
	int fd;
	bool full;
};

/*
 * Makes an empty answer with status 200. Return: 0 or a negative errno. Release it in either case.
 */
int reply_init(struct reply *r);
void reply_release(struct reply *r);

/**
 * reply_finish() - finish an answer before it is sent
 * @r: the answer; becomes an error if writing it has failed
 * @len: gets the length of the content, which is at the beginning of @fd
 *
 * Return: 0; a negative errno if not even an error can be sent.
 */
int reply_finish(struct reply *r, size_t *len);

/**
 * reply_gzip() - pack the content if that is worth it
 * @r: a finished answer; @r->gzip is true if it was packed
 * @accepted: the client's Accept-Encoding (RFC 9110, 12.5.3), or NULL
 * @len: length of the content; changed
 *
 * Text of at least a KiB is packed, at the fastest level. Without memory it is not packed.
 */
void reply_gzip(struct reply *r, const char *accepted, size_t *len);

/* Whether a client accepts gzip, by its Accept-Encoding; false if it is NULL. */
bool reply_accepts_gzip(const char *accepted);

/**
 * reply_error() - replace the content by an error
 * @r: the answer
 * @status: HTTP status
 * @reason: a word for programs
 * @parameter: name of the wrong parameter, or NULL
 * @fmt: the message for people, without a full stop
 *
 * The content becomes
 * {"error": {"status": 400, "reason": "...", "parameter": "...", "message": "..."}}.
 */
__attribute__((__format__(__printf__, 5, 6)))
void reply_error(struct reply *r, unsigned int status, const char *reason,
		 const char *parameter, const char *fmt, ...);

/* Makes the error for an answer of more than REPLY_MAX_BYTES, status 413. */
void reply_too_large(struct reply *r);

#endif /* USTACK_USER_DAEMON_REPLY_H */

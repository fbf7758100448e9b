/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct push_peer: everything in which one protocol differs from another. target.c chooses it
 * by the target's type; build_request.c and target.c call it in the target's thread.
 *
 * To add a protocol:
 *   1. its name in enum push_type (push.h) and in types[], both of verdict.c and of
 *      serve/daemon/config_push.c;
 *   2. user/serve/push/NAME.c: its struct push_peer, declared below, and its line in peers[]
 *      (target.c);
 *   3. answer.c: its @judge, which recognizes a 2xx answer that is no acknowledgement;
 *      fuzz_push.c: its answers;
 *   4. tests/live/push: a server that decodes, fails and lies (cases_NAME.py, run); test_push.c;
 *   5. push.md, configuration.md, ustackd.yaml(5), dist/ustackd.yaml, CHANGELOG.md.
 */
#ifndef USTACK_USER_PUSH_PEER_H
#define USTACK_USER_PUSH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/push/bytes.h"
#include "serve/push/http.h"
#include "serve/push/machine_labels.h"
#include "serve/push/order.h"
#include "serve/push/position.h"
#include "serve/push/verdict.h"

#define PUSH_IDENTITY_BYTES 384u

/**
 * struct push_part - some samples of one group of one window
 * @window: the window
 * @at: position of the window in the store
 * @machine: labels of the machine that recorded the window
 * @group: group of the samples
 * @samples: numbers of the samples in @window
 * @nr: number of entries in @samples, at least 1
 * @first: place of the first sample in the order of struct push_order
 * @keep: labels that samples keep, ends with NULL; NULL means all
 * @services: see struct push_options
 * @identity: unique name of the part, see push_identity()
 *
 * All pointers are borrowed: they are valid during the call of @add.
 */
struct push_part {
	const struct profile *window;
	struct store_position at;
	const struct push_machine_labels *machine;
	const struct push_group *group;
	const uint32_t *samples;
	uint32_t nr;
	uint64_t first;
	const char *const *keep;
	const char *const *services;
	const char *identity;
};

/**
 * struct push_body - a request that is being built
 * @bytes: body of the request; complete after @finish
 * @query: text to append to the URL, "" or "?..."
 * @type: value of the header Content-Type
 * @gzip: @bytes is compressed
 * @parts: number of parts in the request
 * @more_bytes: bytes in @more that are sent as well
 * @more: state of the protocol for this request, until @release
 * @session: state of the protocol for this server, until @close
 */
struct push_body {
	struct buffer bytes;
	char query[4096];
	char type[128];
	bool gzip;
	uint32_t parts;
	size_t more_bytes;
	void *more;
	void *session;
};

struct push_target;

/**
 * struct push_peer - a protocol
 * @path: path of the endpoint
 * @grpc: requests are gRPC
 * @one_part: a request has exactly one part
 * @ungrouped: samples are not grouped: a part may have samples of all services
 * @containers: a part has samples of one container only
 * @parts: most parts in a request; 0 means no limit
 * @samples: most samples in a request
 * @keep: labels that samples keep if the options name none, ends with NULL; NULL means all
 * @add: adds a part to the request. Return: 0 or a negative errno
 * @finish: completes the body's @bytes and @type. Return: 0 or a negative errno
 * @release: releases the body's @more
 * @judge: reads a 2xx answer: one that is no acknowledgement becomes %PUSH_LIED. Return: number
 *         of profiles that the server refuses for good, with the reason in the answer's @error
 * @linger: a request waits for more windows
 * @fits: whether a window may join the windows of the request; NULL means always
 * @send: sends the request if one HTTP request and @judge are not enough; NULL otherwise. The
 *        last answer is left in the target's @answer. If the target's @doubt is set, it first
 *        asks the server what it has
 * @close: releases the body's @session; may be NULL
 */
struct push_peer {
	const char *path;
	bool grpc;
	bool one_part;
	bool ungrouped;
	bool containers;
	uint32_t parts;
	uint32_t samples;
	const char *const *keep;
	int (*add)(struct push_body *body, const struct push_part *part, struct diag *diag);
	int (*finish)(struct push_body *body, struct diag *diag);
	void (*release)(struct push_body *body);
	uint64_t (*judge)(struct push_answer *answer);
	bool linger;
	bool (*fits)(const struct push_body *body, const struct profile *window,
		     const struct push_machine_labels *machine);
	enum push_verdict (*send)(struct push_target *t);
	void (*close)(struct push_body *body);
};

extern const struct push_peer push_pyroscope;
extern const struct push_peer push_parca;
extern const struct push_peer push_otlp;
extern const struct push_peer push_clickhouse;
extern const struct push_peer push_otlp_grpc;

/*
 * Write the name of samples @first to @end of a window, HOST/SEGMENT.RECORD/TIME/FIRST-END.
 * It is unique, and the same each time that the part is sent.
 */
void push_identity(const char *host, const struct store_position *at, uint64_t time_ns,
		   uint64_t first, uint64_t end, char ret[PUSH_IDENTITY_BYTES]);

/* Release everything but the session; the body has no parts then. */
void push_body_release(const struct push_peer *peer, struct push_body *body);

/**
 * push_pprof() - encode a part as a pprof file
 * @part: the part
 * @later_ns: nanoseconds to add to the window's time
 * @ret: gets the file; to be released in either case
 * @diag: may be NULL
 *
 * The file's comments are "ustack window IDENTITY" and the window's own, without image maps and
 * the machine's labels.
 *
 * Return: 0 or a negative errno.
 */
int push_pprof(const struct push_part *part, uint64_t later_ns, struct buffer *ret,
	       struct diag *diag);

/*
 * Return: @buf, with @name as a Prometheus label: each character that is no letter, digit or '_'
 * becomes '_', and a name that begins with a digit gets a '_' in front.
 */
const char *push_label_name(const char *name, char *buf, size_t len);

#endif /* USTACK_USER_PUSH_PEER_H */

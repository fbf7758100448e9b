/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs from one protocol to the other.
 *
 * To add a protocol:
 *   1. its name in enum push_type (push.h), in types[] of verdict.c and of serve/daemon/config_push.c;
 *   2. user/serve/push/NAME.c: its struct push_peer, declared below, and its line in peers[] (target.c);
 *   3. answer.c: its @judge, if a 2xx answer can be a refusal; fuzz_push.c: its answers;
 *   4. tests/push: a server that decodes, fails and lies (cases_NAME.py, run); test_push.c;
 *   5. push.md, configuration.md, ustackd.yaml(5), dist/ustackd.yaml, CHANGELOG.md.
 */
#ifndef USTACK_USER_PUSH_PEER_H
#define USTACK_USER_PUSH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/push/bytes.h"
#include "serve/push/http.h"
#include "serve/push/machine.h"
#include "serve/push/order.h"
#include "serve/push/position.h"
#include "serve/push/verdict.h"

#define PUSH_IDENTITY_BYTES 384u

/**
 * struct push_part - samples of one group of one window
 * @window: the window
 * @at: its position
 * @machine: its labels
 * @group: of the samples
 * @samples: their numbers
 * @nr: of them, at least 1
 * @first: number of the first in the window's order
 * @keep: labels that stay on samples; NULL is all
 * @services: see struct push_options
 * @identity: HOST/SEGMENT.RECORD.FIRST, which no other part has
 */
struct push_part {
	const struct profile *window;
	struct store_position at;
	const struct push_machine *machine;
	const struct push_group *group;
	const uint32_t *samples;
	uint32_t nr;
	uint64_t first;
	const char *const *keep;
	const char *const *services;
	const char *identity;
};

/**
 * struct push_body - a request in the making
 * @bytes: its body, once it is whole
 * @query: what comes behind the URL, "" or "?..."
 * @type: Content-Type
 * @gzip: @bytes is
 * @parts: in it
 * @beside: bytes of @more that are sent, too
 * @more: the protocol's own
 * @session: the same, of what is known of the server: stays until @close
 */
struct push_body {
	struct buffer bytes;
	char query[4096];
	char type[128];
	bool gzip;
	uint32_t parts;
	size_t beside;
	void *more;
	void *session;
};

struct push_target;

/**
 * struct push_peer - a protocol
 * @path: of its endpoint
 * @grpc: requests are gRPC's
 * @one_part: a request has one
 * @none: parts are of all services
 * @containers: parts are of one container
 * @parts: in a request at most; 0 is as many as fit
 * @samples: the same
 * @keep: labels that stay on samples unless others are asked for; NULL is all
 * @add: takes a part. Return: 0 or a negative errno
 * @finish: makes @bytes of what was taken. Return: 0 or a negative errno
 * @release: of @more
 * @judge: reads an answer 2xx: one that is no acknowledgement becomes %PUSH_LIED. Return:
 *         profiles that are refused for good, with the reason in the answer's @error
 * @linger: a request waits for more windows
 * @fits: whether a window goes into the request that has others; NULL is always
 * @send: in place of one request and @judge: all that it takes, with the target's answer as
 *        the last one's. A target that is in doubt (@doubt) is asked first what it has
 * @close: releases the body's @session
 */
struct push_peer {
	const char *path;
	bool grpc;
	bool one_part;
	bool none;
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
		     const struct push_machine *machine);
	enum push_verdict (*send)(struct push_target *t);
	void (*close)(struct push_body *body);
};

extern const struct push_peer push_pyroscope;
extern const struct push_peer push_parca;
extern const struct push_peer push_otlp;
extern const struct push_peer push_clickhouse;
extern const struct push_peer push_otlp_grpc;

/* HOST/SEGMENT.RECORD/TIME/FIRST-END */
void push_identity(const char *host, const struct store_position *at, uint64_t time_ns,
		   uint64_t first, uint64_t end, char ret[PUSH_IDENTITY_BYTES]);

/* Releases all of it but the session, and makes it one without parts. */
void push_body_release(const struct push_peer *peer, struct push_body *body);

/**
 * push_pprof() - a part as a file of pprof
 * @part: what
 * @later_ns: is added to its time
 * @ret: to be released in either case
 * @diag: may be NULL
 *
 * Comments are the window's, but for image maps and the machine's labels, and "ustack
 * window IDENTITY".
 */
int push_pprof(const struct push_part *part, uint64_t later_ns, struct buffer *ret,
	       struct diag *diag);

/* Return: @name as a label of Prometheus: others than letters, digits and '_' become '_'. */
const char *push_label_name(const char *name, char *buf, size_t len);

#endif /* USTACK_USER_PUSH_PEER_H */

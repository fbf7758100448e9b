/* SPDX-License-Identifier: GPL-2.0 */
/* What differs from one protocol to the other. */
#ifndef USTACK_USER_PUSH_PEER_H
#define USTACK_USER_PUSH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "push/bytes.h"
#include "push/http.h"
#include "push/machine.h"
#include "push/order.h"
#include "push/position.h"

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
	const char *identity;
};

/**
 * struct push_body - a request in the making
 * @bytes: its body, once it is whole
 * @query: what comes behind the URL, "" or "?..."
 * @type: Content-Type
 * @gzip: @bytes is
 * @parts: in it
 * @more: the protocol's own
 */
struct push_body {
	struct push_bytes bytes;
	char query[4096];
	char type[128];
	bool gzip;
	uint32_t parts;
	void *more;
};

/**
 * struct push_peer - a protocol
 * @path: of its endpoint
 * @one_part: a request has one
 * @none: parts are of all services
 * @containers: parts are of one container
 * @samples: in a request at most
 * @keep: labels that stay on samples unless others are asked for; NULL is all
 * @add: takes a part. Return: 0 or a negative errno
 * @finish: makes @bytes of what was taken. Return: 0 or a negative errno
 * @release: of @more
 * @judge: reads an answer 2xx: one that is no acknowledgement becomes %PUSH_LIED. Return:
 *         profiles that are refused for good, with the reason in the answer's @error
 */
struct push_peer {
	const char *path;
	bool one_part;
	bool none;
	bool containers;
	uint32_t samples;
	const char *const *keep;
	int (*add)(struct push_body *body, const struct push_part *part, struct diag *diag);
	int (*finish)(struct push_body *body, struct diag *diag);
	void (*release)(struct push_body *body);
	uint64_t (*judge)(struct push_answer *answer);
};

extern const struct push_peer push_pyroscope;
extern const struct push_peer push_parca;
extern const struct push_peer push_otlp;

/* Releases all of it, and makes it one without parts. */
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
int push_pprof(const struct push_part *part, uint64_t later_ns, struct push_bytes *ret,
	       struct diag *diag);

/* Return: @name as a label of Prometheus: others than letters, digits and '_' become '_'. */
const char *push_label_name(const char *name, char *buf, size_t len);

#endif /* USTACK_USER_PUSH_PEER_H */

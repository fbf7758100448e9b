/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/perfdata: the reader's parts, in the order in which bytes pass them. */
#ifndef USTACK_USER_PERFDATA_PRIVATE_H
#define USTACK_USER_PERFDATA_PRIVATE_H

#include "formats/perfdata/bytes.h"
#include "formats/perfdata/format.h"
#include "formats/perfdata/perfdata.h"

/* Says what is wrong with a file, at an offset. Return: -@err. */
__attribute__((__format__(__printf__, 5, 6)))
int perfdata_refuse(const char *file, uint64_t offset, int err, struct diag *diag,
		    const char *fmt, ...);

/* stream.c */

/**
 * struct perfdata_stream - bytes, one after the other
 * @file: where they come from
 * @at: offset of the next byte
 * @end: offset where they end; UINT64_MAX of a pipe
 * @buf: bytes that were read ahead
 * @pos: of @buf: the next byte
 * @have: bytes in @buf
 */
struct perfdata_stream {
	struct file_stream *file;
	uint64_t at;
	uint64_t end;
	uint8_t *buf;
	size_t pos;
	size_t have;
};

int perfdata_stream_init(struct perfdata_stream *s, struct file_stream *file);
void perfdata_stream_release(struct perfdata_stream *s);
/* Goes on at an offset of a regular file, up to another one. */
void perfdata_stream_seek(struct perfdata_stream *s, uint64_t at, uint64_t end);
/* Reads @len bytes to @to, or passes them if that is NULL. Return: 1; 0 if nothing is left;
 * -ENODATA if there are fewer; another negative errno.
 */
int perfdata_stream_read(struct perfdata_stream *s, void *to, uint64_t len);

/* events.c */

/* How a record says which event it is of. */
enum perfdata_layout {
	PERFDATA_ONE_EVENT,	/* there is no other */
	PERFDATA_BY_IDENTIFIER,	/* a sample's first word, and the last of others */
	PERFDATA_BY_ID,		/* a word in the middle, at the same place in all */
	PERFDATA_NO_LAYOUT,	/* nothing tells */
};

struct perfdata_id {
	uint64_t id;
	uint32_t event;
};

/**
 * struct perfdata_events - of a file
 * @event: @nr of them; names are their own
 * @id: sorted if @ready
 * @layout: if @ready
 * @id_at: of PERFDATA_BY_ID: words before the id, in a sample
 */
struct perfdata_events {
	struct perfdata_event *event;
	uint32_t nr;
	uint32_t room;
	struct perfdata_id *id;
	size_t nr_ids;
	size_t ids_room;
	bool ready;
	enum perfdata_layout layout;
	unsigned int id_at;
};

void perfdata_events_release(struct perfdata_events *e);
/* Reads a struct perf_event_attr of @len bytes. Return: 0; -ENOMEM; -EBADMSG; -E2BIG. */
int perfdata_events_add(struct perfdata_events *e, const uint8_t *attr, size_t len);
/* An id of the event @event. Return: 0; -ENOMEM; -E2BIG. */
int perfdata_events_id(struct perfdata_events *e, uint32_t event, uint64_t id);
/* The name of the event with an id, if there is one. Return: 0 or -ENOMEM. */
int perfdata_events_name(struct perfdata_events *e, uint64_t id, const char *name, size_t len);
/* Finds out the layout. Return: 0; -ENOTSUP if nothing tells the events' records apart. */
int perfdata_events_prepare(struct perfdata_events *e);
/* Return: index; PERFDATA_NO_EVENT. */
uint32_t perfdata_events_find(const struct perfdata_events *e, uint64_t id);

/* feature.c */

/**
 * struct perfdata_feature - what a feature holds
 * @number: FORMAT_HOSTNAME, ...
 * @bytes: all of it
 * @offset: in the file, for messages
 */
struct perfdata_feature {
	uint32_t number;
	struct cursor bytes;
	uint64_t offset;
};

/* Takes what it says into the head. Return: 0; -EBADMSG; -ENOTSUP; -ENOMEM. */
int perfdata_feature(struct perfdata *d, const struct perfdata_feature *f, struct diag *diag);
/* Takes one record of build ids: @b begins behind its header. Return: 0, -EBADMSG, -ENOMEM. */
int perfdata_build_id(struct perfdata *d, const struct perf_event_header *h, struct cursor *b);
/* All that it says is "". Return: 0 or -ENOMEM; to be released in either case. */
int perfdata_head_init(struct perfdata *d);
void perfdata_head_release(struct perfdata *d);

/* unpack.c */

struct perfdata_unpack;

void perfdata_unpack_free(struct perfdata_unpack *u);
/* What perf packed, and comes next: copied. Return: 0, -ENOMEM. */
int perfdata_unpack_put(struct perfdata_unpack **u, const uint8_t *bytes, size_t len);
/* Return: 1 with a record copied to @to, of FORMAT_RECORD_MAX bytes; 0 if there is none before
 * more is put; -EBADMSG with *@why.
 */
int perfdata_unpack_next(struct perfdata_unpack *u, uint8_t *to, const char **why);
/* Bytes of a record that is not whole. */
size_t perfdata_unpack_rest(const struct perfdata_unpack *u);

/* raw.c */

/**
 * struct perfdata_raw - a record as it is
 * @header: at a multiple of 8, with the whole record behind it
 * @offset: in the file
 */
struct perfdata_raw {
	const struct perf_event_header *header;
	uint64_t offset;
};

/* The next record in the file's order that is not of the head's. Return: 1, 0, negative errno. */
int perfdata_raw_next(struct perfdata *d, struct perfdata_raw *ret, struct diag *diag);

/* order.c */

struct perfdata_waiting {
	uint64_t time;
	uint64_t order;
	uint64_t offset;
	struct perf_event_header *record;
};

/**
 * struct perfdata_order - records that wait for their turn
 * @entry: sorted from @first on up to @sorted
 * @until: records up to this time may go
 * @going: there may be some of these
 * @round: the latest time of the round before this one
 * @latest: the latest time that was met
 * @gone: the time of what was handed out last
 */
struct perfdata_order {
	struct perfdata_waiting *entry;
	size_t first;
	size_t nr;
	size_t room;
	size_t sorted;
	uint64_t orders;
	uint64_t bytes;
	uint64_t most;
	uint64_t until;
	bool going;
	uint64_t round;
	uint64_t latest;
	uint64_t gone;
	uint64_t late;
	struct perf_event_header *out;
};

void perfdata_order_release(struct perfdata_order *o);
/* Keeps a copy. Return: 0 or -ENOMEM. */
int perfdata_order_put(struct perfdata_order *o, const struct perfdata_raw *r, uint64_t time);
/* A round has ended: nothing that comes is earlier than what the round before it had. */
void perfdata_order_round(struct perfdata_order *o);
/* Nothing more comes. */
void perfdata_order_end(struct perfdata_order *o);
/* Return: whether there is a record whose turn it is: @ret is valid until the next call. */
bool perfdata_order_get(struct perfdata_order *o, struct perfdata_raw *ret);

/* decode.c, sample.c */

/* Fills @ret. Return: NULL, or what is wrong with the record. */
const char *perfdata_decode(const struct perfdata_events *e, const struct perfdata_raw *r,
			    struct perfdata_record *ret);
const char *perfdata_decode_sample(const struct perfdata_events *e, struct cursor *b,
				   struct perfdata_record *ret);
/* Takes the words of a call chain, and what comes later of it. */
const char *perfdata_chain(struct cursor *b, struct perfdata_sample *s);

struct perfdata {
	struct perfdata_stream in;
	bool pipe;
	struct perfdata_events events;
	struct perfdata_head head;
	struct perfdata_build_id *build_ids;
	size_t build_ids_room;
	struct perfdata_unpack *unpack;
	uint64_t packed_at;
	bool unpacking;
	bool ended;
	struct perfdata_order order;
	uint64_t *record;	/* FORMAT_RECORD_MAX bytes */
	struct perfdata_counts counts;
};

#endif /* USTACK_USER_PERFDATA_PRIVATE_H */

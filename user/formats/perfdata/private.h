/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/perfdata: the parts of the reader, in the order in
 * which bytes pass through them.
 */
#ifndef USTACK_USER_PERFDATA_PRIVATE_H
#define USTACK_USER_PERFDATA_PRIVATE_H

#include "formats/perfdata/bytes.h"
#include "formats/perfdata/format.h"
#include "formats/perfdata/perfdata.h"

/* Fills @diag with what is wrong with a file, and the offset. Return: -@err. */
__attribute__((__format__(__printf__, 5, 6)))
int perfdata_refuse(const char *file, uint64_t offset, int err, struct diag *diag,
		    const char *fmt, ...);

/* stream.c */

/**
 * struct perfdata_stream - bytes of a file or pipe, one after the other
 * @file: source of the bytes; borrowed
 * @at: offset of the next byte
 * @end: offset at which to stop; UINT64_MAX for a pipe
 * @buf: bytes that were read ahead; owned
 * @pos: index in @buf of the next byte
 * @have: number of bytes in @buf
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
/* Continues at an offset of a regular file, up to another offset. */
void perfdata_stream_seek(struct perfdata_stream *s, uint64_t at, uint64_t end);
/*
 * Reads @len bytes to @to, or skips them if @to is NULL. Return: 1; 0 if
 * nothing is left; -ENODATA if there are fewer; another negative errno.
 */
int perfdata_stream_read(struct perfdata_stream *s, void *to, uint64_t len);

/* events.c */

/* How a record says which event it belongs to. */
enum perfdata_layout {
	PERFDATA_ONE_EVENT,	/* the file has only one event */
	/* by the first word of a sample, and the last word of other records */
	PERFDATA_BY_IDENTIFIER,
	PERFDATA_BY_ID,		/* by a word at the same position in all samples */
	PERFDATA_NO_LAYOUT,	/* events cannot be told apart */
};

struct perfdata_id {
	uint64_t id;
	uint32_t event;
};

/**
 * struct perfdata_events - events of a file
 * @event: events, which own their names
 * @nr: number of @event
 * @id: ids; sorted if @ready
 * @nr_ids: number of @id
 * @ready: @layout is valid and @id is sorted
 * @layout: how a record says its event
 * @id_at: for PERFDATA_BY_ID: number of words before the id in a sample
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
/*
 * Adds an event from a struct perf_event_attr of @len bytes. Return: 0;
 * -ENOMEM; -EBADMSG; -E2BIG.
 */
int perfdata_events_add(struct perfdata_events *e, const uint8_t *attr, size_t len);
/* Adds an id of event @event. Return: 0; -ENOMEM; -E2BIG. */
int perfdata_events_id(struct perfdata_events *e, uint32_t event, uint64_t id);
/* Names the event with an id, if there is one. Return: 0 or -ENOMEM. */
int perfdata_events_name(struct perfdata_events *e, uint64_t id, const char *name, size_t len);
/* Finds out the layout. Return: 0; -ENOTSUP if records of the events cannot be told apart. */
int perfdata_events_prepare(struct perfdata_events *e);
/* Return: index of the event with an id; PERFDATA_NO_EVENT. */
uint32_t perfdata_events_find(const struct perfdata_events *e, uint64_t id);

/* feature.c */

/**
 * struct perfdata_feature - contents of a feature
 * @number: FORMAT_HOSTNAME, ...
 * @bytes: the whole feature
 * @offset: offset in the file, for messages
 */
struct perfdata_feature {
	uint32_t number;
	struct cursor bytes;
	uint64_t offset;
};

/* Stores what a feature says in the head. Return: 0; -EBADMSG; -ENOTSUP; -ENOMEM. */
int perfdata_feature(struct perfdata *d, const struct perfdata_feature *f, struct diag *diag);
/* Reads one record of build ids; @b begins after its header. Return: 0; -EBADMSG; -ENOMEM. */
int perfdata_build_id(struct perfdata *d, const struct perf_event_header *h, struct cursor *b);
/* Sets all strings to "". Return: 0 or -ENOMEM; to be released in either case. */
int perfdata_head_init(struct perfdata *d);
void perfdata_head_release(struct perfdata *d);

/* unpack.c */

struct perfdata_unpack;

void perfdata_unpack_free(struct perfdata_unpack *u);
/* Adds the next packed bytes, which are copied. Return: 0 or -ENOMEM. */
int perfdata_unpack_put(struct perfdata_unpack **u, const uint8_t *bytes, size_t len);
/*
 * Unpacks a record to @to, which has room for FORMAT_RECORD_MAX bytes. Return:
 * 1; 0 if more bytes must be added first; -EBADMSG with the reason in *@why.
 */
int perfdata_unpack_next(struct perfdata_unpack *u, uint8_t *to, const char **why);
/* Return: number of unpacked bytes that are an incomplete record. */
size_t perfdata_unpack_rest(const struct perfdata_unpack *u);

/* raw.c */

/**
 * struct perfdata_raw - a record that is not decoded
 * @header: header, aligned to 8 bytes, followed by the rest of the record
 * @offset: offset in the file
 */
struct perfdata_raw {
	const struct perf_event_header *header;
	uint64_t offset;
};

/*
 * Gets the next record in the file's order, except those that are part of the
 * head. Return: 1; 0 at the end; a negative errno.
 */
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
 * @entry: records, of which those from @first to before @sorted are sorted
 * @first: index of the first record that was not returned yet
 * @nr: end of the records in @entry
 * @sorted: end of the sorted records in @entry
 * @orders: number of records added so far
 * @bytes: bytes that wait now
 * @most: most bytes that ever waited
 * @until: records up to this time may be returned
 * @going: there may be such records
 * @round: latest time in the round before the present one
 * @latest: latest time so far
 * @gone: latest time that was returned
 * @late: number of records that came after a later one was returned
 * @out: record that was returned last; freed by the next call
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
/* Adds a copy of a record. Return: 0 or -ENOMEM. */
int perfdata_order_put(struct perfdata_order *o, const struct perfdata_raw *r, uint64_t time);
/* Ends a round: later records are not earlier than the latest one of the round before it. */
void perfdata_order_round(struct perfdata_order *o);
/* There are no more records. */
void perfdata_order_end(struct perfdata_order *o);
/* Return: whether it is the turn of a record; @ret is valid until the next call. */
bool perfdata_order_get(struct perfdata_order *o, struct perfdata_raw *ret);

/* decode.c, sample.c */

/* Fills @ret. Return: NULL, or a text that says what is wrong with the record. */
const char *perfdata_decode(const struct perfdata_events *e, const struct perfdata_raw *r,
			    struct perfdata_record *ret);
const char *perfdata_decode_sample(const struct perfdata_events *e, struct cursor *b,
				   struct perfdata_record *ret);
/* Reads a call chain, and the cookie of a part that comes later. */
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
	uint64_t *record;	/* room for FORMAT_RECORD_MAX bytes */
	struct perfdata_counts counts;
};

#endif /* USTACK_USER_PERFDATA_PRIVATE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/capture/perfimport: the parts of an import, in the order in which records pass them. */
#ifndef USTACK_USER_PERFIMPORT_IMPORT_H
#define USTACK_USER_PERFIMPORT_IMPORT_H

#include "formats/perfdata/perfdata.h"
#include "capture/perfimport/perfimport.h"
#include "capture/stackcopy/threads.h"
#include "capture/stackcopy/walk.h"
#include "util/strings.h"

/* Addresses of a chain: a record has no room for more. */
#define IMPORT_MAX_FRAMES 8192u
/* Samples that wait for their user chain. */
#define IMPORT_MAX_PENDING 65536u

/* events.c */

/**
 * struct import_event - an event of the file
 * @wanted: its samples are taken
 * @ready: @values are known
 * @values: how its samples become values of the profile
 * @samples: that were taken
 */
struct import_event {
	bool wanted;
	bool ready;
	struct record_event values;
	uint64_t samples;
};

struct import_events {
	struct import_event *event;
	uint32_t nr;
	uint32_t room;
	bool too_many;
};

struct import;

/* Return: the event of a sample, with its values; NULL without memory. */
struct import_event *import_event(struct import *im, uint32_t event);
/* What the profile shows if nobody asks. Return: 0; -ENODATA: an event that is wanted is not there. */
int import_events_end(struct import *im, struct diag *diag);
/* Whether a list of events has a name, with or without modifiers. */
bool import_listed(const char *list, const char *name);
/* Finds or makes the value type of an event's weights; one of its own if others have the one that
 * it would have. Return: false if a profile has no room for it: @ret is the first value's.
 */
bool import_value(struct profile *p, const char *name, bool is_taken, uint32_t *ret);
#define IMPORT_TOO_MANY "has more events than a profile has values: -e EVENTS takes some of them"

/* chain.c */

/**
 * struct import_chain - a call chain, apart
 * @user: @nr_user addresses, innermost first
 * @kernel: @nr_kernel addresses, innermost first
 */
struct import_chain {
	uint64_t user[IMPORT_MAX_FRAMES];
	uint64_t kernel[IMPORT_MAX_FRAMES];
	size_t nr_user;
	size_t nr_kernel;
};

/* Adds addresses with marks between them; @mode is that of those before the first mark. */
void import_chain_add(struct import_chain *c, const uint64_t *ips, size_t nr, uint16_t mode);
/* The innermost frame is where the processor was: it may have been known better than the chain. */
void import_chain_ip(struct import_chain *c, uint64_t ip, uint16_t mode);

/* copied.c */

/* Walks the copied stack, if there is one. Return: whether @im->walked is the user's chain. */
bool import_copied(struct import *im, const struct perfdata_record *r,
		   const struct import_chain *c);

/* pending.c */

/**
 * struct import_pending - samples without their user chain
 * @first: the one that waits longest
 */
struct import_pending {
	struct import_waiting **waiting;
	size_t nr;
	size_t room;
	uint64_t unmatched;
};

/* Return: 0 or a negative errno, of a sample that was finished for it, too. */
int import_pending_put(struct import *im, const struct perfdata_record *r,
		       const struct import_chain *c);
/* The user chain has come. */
int import_pending_take(struct import *im, const struct perfdata_record *deferred);
/* None comes any more. */
int import_pending_end(struct import *im);
/* When the sample was taken that waits longest; UINT64_MAX if there is none. */
uint64_t import_pending_since(const struct import *im);
void import_pending_release(struct import *im);

/* kernel.c */

/* Something of the kernel is mapped. */
void import_kernel_map(struct import *im, const struct perfdata_map *m);
/* Before the first of its addresses is named: finds out whether it runs here. */
void import_kernel_look(struct import *im);

/* source.c */

int import_source_begin(struct import *im);
/* A record that is no sample. Return: 0 or -ENOMEM. */
int import_source_take(struct import *im, const struct perfdata_record *r);
/* Name of a thread, padded with NUL. Return: 0 or -ENOMEM. */
int import_comm(struct import *im, uint32_t pid, uint32_t tid, char ret[SAMPLER_COMM]);
/* Forgets what no sample can ask for any more. Return: 0 or -ENOMEM. */
int import_source_expire(struct import *im, uint64_t before);

/**
 * struct import - one perf.data file
 * @text: addresses of the kernel's _text when it was recorded, 0 if not known
 * @looked: whether the kernel was looked at
 * @build_ids: paths of the file's build ids, as strings; by their number
 */
struct import {
	const struct perfimport_options *options;
	struct perfdata *file;
	const char *path;
	struct record_names *names;
	struct profile *p;
	struct threads threads;
	struct walker walker;
	struct walked walked;
	bool foreign_arch;
	struct import_events events;
	struct import_pending pending;
	struct import_chain chain;
	uint64_t text;
	bool looked;
	struct strings build_ids;
	size_t *build_id;
	size_t build_id_room;
	size_t nr_build_ids;
	uint64_t first_time;
	uint64_t last_time;
	uint64_t samples;
	uint64_t lost;
	uint64_t records;
};

/* Tells options' note. */
__attribute__((__format__(__printf__, 2, 3)))
void import_note(const struct import *im, const char *fmt, ...);

/* Counts a sample whose chain is whole, but for its innermost frame and what a copied stack has.
 * Return: 0 or a negative errno.
 */
int import_count(struct import *im, const struct perfdata_record *r, struct import_chain *c);

/* script.c */

/* perf script's text. Return: as perfimport_load(). */
int import_script(struct file_stream *stream, const struct perfimport_options *options,
		  struct profile *p, struct diag *diag);
/* Whether a file's first bytes are such text. */
bool import_is_script(const char *text, size_t len);

#endif /* USTACK_USER_PERFIMPORT_IMPORT_H */

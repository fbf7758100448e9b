/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/perfimport: the parts of an import, in the order in
 * which records pass.
 */
#ifndef USTACK_USER_PERFIMPORT_IMPORT_H
#define USTACK_USER_PERFIMPORT_IMPORT_H

#include "formats/perfdata/perfdata.h"
#include "capture/perfimport/perfimport.h"
#include "capture/perfimport/processes.h"
#include "capture/stackcopy/threads.h"
#include "capture/stackcopy/walk.h"

/* Limit for addresses of a chain: a record has no room for more. */
#define IMPORT_MAX_FRAMES 8192u
/* Limit for samples that wait for their user chain. */
#define IMPORT_MAX_PENDING 65536u

/* events.c */

/**
 * struct import_event - an event of the file
 * @wanted: the options select it
 * @ready: @wanted and @values are set
 * @values: how its samples become values of the profile
 * @samples: number of samples taken
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
/*
 * Sets the value that the profile shows by default. Return: 0; -ENODATA if a
 * wanted event is missing.
 */
int import_events_end(struct import *im, struct diag *diag);
/*
 * Return: whether a comma-separated list of events has a name, with or without
 * modifiers.
 */
bool import_listed(const char *list, const char *name);
/*
 * Finds or makes the value type for the weights of event @name. @is_taken:
 * another event has the usual type, so this one gets a type of its own. Return:
 * false if the profile has no room for it; then @ret is 0.
 */
bool import_value(struct profile *p, const char *name, bool is_taken, uint32_t *ret);
#define IMPORT_TOO_MANY "has more events than a profile has values: -e EVENTS takes some of them"

/* chain.c */

/**
 * struct import_chain - a call chain, split in two
 * @user: user addresses, innermost first
 * @kernel: kernel addresses, innermost first
 * @nr_user: number of entries in @user
 * @nr_kernel: number of entries in @kernel
 */
struct import_chain {
	uint64_t user[IMPORT_MAX_FRAMES];
	uint64_t kernel[IMPORT_MAX_FRAMES];
	size_t nr_user;
	size_t nr_kernel;
};

/*
 * Adds addresses with marks between them. @mode: mode of those before the first
 * mark.
 */
void import_chain_add(struct import_chain *c, const uint64_t *ips, size_t nr, uint16_t mode);
/*
 * Sets the innermost frame: the sample's own address may be more exact than the
 * chain's.
 */
void import_chain_ip(struct import_chain *c, uint64_t ip, uint16_t mode);

/* copied.c */

/*
 * Walks the copied stack, if there is one. Return: whether @im->walked has the
 * user's chain.
 */
bool import_copied(struct import *im, const struct perfdata_record *r,
		   const struct import_chain *c);

/* pending.c */

/**
 * struct import_pending - samples without their user chain
 * @waiting: the samples, in order; the first one has waited longest
 * @nr: number of entries in @waiting
 * @room: entries that @waiting has memory for
 * @unmatched: number of samples whose user chain never came
 */
struct import_pending {
	struct import_waiting **waiting;
	size_t nr;
	size_t room;
	uint64_t unmatched;
};

/*
 * Adds a sample. Return: 0 or a negative errno, which may come from a sample
 * finished for it.
 */
int import_pending_put(struct import *im, const struct perfdata_record *r,
		       const struct import_chain *c);
/*
 * A user chain has come: finishes the samples of its thread. Return: 0 or a
 * negative errno.
 */
int import_pending_take(struct import *im, const struct perfdata_record *deferred);
/* Finishes all samples without a user chain. Return: 0 or a negative errno. */
int import_pending_end(struct import *im);
/*
 * Return: time of the sample that has waited longest; UINT64_MAX if there is
 * none.
 */
uint64_t import_pending_since(const struct import *im);
void import_pending_release(struct import *im);

/* kernel.c */

/* Notes a mapping of the kernel. */
void import_kernel_map(struct import *im, const struct perfdata_map *m);
/*
 * Finds out, once, whether the sampled kernel runs here. Call it before naming
 * its addresses.
 */
void import_kernel_look(struct import *im);

/* source.c */

int import_source_begin(struct import *im);
/* Takes a record that is no sample. Return: 0 or -ENOMEM. */
int import_source_take(struct import *im, const struct perfdata_record *r);
/* @ret: gets the name of a thread, padded with NUL. Return: 0 or -ENOMEM. */
int import_comm(struct import *im, uint32_t pid, uint32_t tid, char ret[SAMPLER_COMM]);
/* Drops what no sample after @before needs. Return: 0 or -ENOMEM. */
int import_source_expire(struct import *im, uint64_t before);

/**
 * struct import - the import of one perf.data file
 * @foreign_arch: the file is from another architecture, so copied stacks are
 *	not walked
 * @text: address of the kernel's _text when it was recorded, 0 if not known
 * @looked: import_kernel_look() was called
 * @processes: what the records say of processes and mappings
 * @first_time: earliest time of a sample, 0 if none
 * @last_time: latest time of a sample
 * @samples: number of samples taken
 * @lost: number of records that perf lost
 * @records: number of records with a time
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
	struct import_processes processes;
	uint64_t first_time;
	uint64_t last_time;
	uint64_t samples;
	uint64_t lost;
	uint64_t records;
};

/* Passes a text to the options' @note. */
__attribute__((__format__(__printf__, 2, 3)))
void import_note(const struct import *im, const char *fmt, ...);

/*
 * Counts a sample. Its chain must be complete except for the innermost frame
 * and a copied stack, which are added here. Return: 0 or a negative errno.
 */
int import_count(struct import *im, const struct perfdata_record *r, struct import_chain *c);

/* script.c */

/* Reads perf script's text. Return: as perfimport_load(). */
int import_script(struct file_stream *stream, const struct perfimport_options *options,
		  struct profile *p, struct diag *diag);
/* Return: whether the first bytes of a file are perf script's text. */
bool import_is_script(const char *text, size_t len);

#endif /* USTACK_USER_PERFIMPORT_IMPORT_H */

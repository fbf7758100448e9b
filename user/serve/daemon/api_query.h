/* SPDX-License-Identifier: GPL-2.0-only */
/* What requests of the API have in common: ranges, selectors, kinds of values. */
#ifndef USTACK_USER_DAEMON_API_QUERY_H
#define USTACK_USER_DAEMON_API_QUERY_H

#include "serve/daemon/api.h"
#include "profile/calltree.h"
#include "serve/store/query.h"
#include "util/json.h"

/**
 * struct api_query - which samples, of which time
 * @store: for the functions of serve/store/query.h
 * @value: name of the kind of values
 * @call: the request
 */
struct api_query {
	struct store_query store;
	const char *value;
	struct api_call *call;
};

/**
 * api_query_init() - from "from", "to", "select", "value"
 * @q: released by api_query_release(), on success
 * @call: the request
 * @prefix: of the parameters' names: "" or "before_"
 * @r: gets the error
 *
 * Return: whether the request can be understood.
 */
bool api_query_init(struct api_query *q, struct api_call *call, const char *prefix,
		    struct reply *r);
void api_query_release(struct api_query *q);

/* A number of the request, which may be absent. Return: whether it is one. */
bool api_u64(struct api_call *call, const char *key, uint64_t most, uint64_t *ret,
	     struct reply *r);

/**
 * api_sum() - one profile of all that is asked for
 * @q: the query
 * @keep: labels that stay, ended by NULL
 * @coverage: may be NULL
 * @r: gets the error
 *
 * Return: freed by the caller; NULL after an error.
 */
struct profile *api_sum(struct api_query *q, const char *const *keep,
			struct store_coverage *coverage, struct reply *r);

/* An error of serve/store/query.h, or of what is made of its answer, as a reply. */
void api_failed(struct api_call *call, int err, const struct diag *diag, struct reply *r);

/**
 * api_value() - which of a profile's kinds of values is asked for
 * @p: the profile
 * @name: see struct api_query
 * @ret: index; in a profile that has no samples, of any
 * @r: gets the error
 *
 * Return: whether there is such a kind.
 */
bool api_value(struct profile *p, const char *name, uint32_t *ret, struct reply *r);

/* As api_sum(), with the index of its values; negative ones are an error. */
struct profile *api_sum_value(struct api_query *q, const char *const *keep,
			      struct store_coverage *coverage, uint32_t *value,
			      struct reply *r);

/* Beginning of an answer: the range and what of it there is. Ended by api_json_end(). */
void api_json(struct json *j, struct reply *r, const struct api_query *q,
	      const struct store_coverage *c);
void api_json_end(struct json *j);

/* The tree of calls of a profile or two. Return: NULL after an error. */
struct calltree *api_tree(struct api_call *call, const struct profile *p,
			  const struct profile *before, const uint32_t value[2],
			  struct reply *r);

/* api_labels.c */
void api_labels(struct api_call *call, struct reply *r);
void api_values(struct api_call *call, struct reply *r);
/* api_series.c */
void api_series(struct api_call *call, struct reply *r);
/* api_profile.c */
void api_profile(struct api_call *call, struct reply *r);
void api_diff(struct api_call *call, struct reply *r);
void api_search(struct api_call *call, struct reply *r);
void api_flame(struct api_call *call, struct reply *r);
/* api_outcomes.c */
void api_outcomes(struct api_call *call, struct reply *r);
void api_reasons(struct api_call *call, struct reply *r);
/* api_status.c */
void api_status(struct api_call *call, struct reply *r);
void api_metrics(struct api_call *call, struct reply *r);
void api_health(struct api_call *call, struct reply *r);
void api_live(struct api_call *call, struct reply *r);
void api_symbol(struct api_call *call, struct reply *r);

#endif /* USTACK_USER_DAEMON_API_QUERY_H */

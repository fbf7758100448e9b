/* SPDX-License-Identifier: GPL-2.0-only */
/* The common parts of API requests: time ranges, selectors, value types, errors. */
#ifndef USTACK_USER_DAEMON_API_QUERY_H
#define USTACK_USER_DAEMON_API_QUERY_H

#include "serve/daemon/api.h"
#include "profile/calltree.h"
#include "serve/store/query.h"
#include "util/json.h"

/**
 * struct api_query - which samples of which time a request is about
 * @store: the query, for the functions of serve/store/query.h
 * @value: name of the value type; borrowed from the request
 * @call: the request
 */
struct api_query {
	struct store_query store;
	const char *value;
	struct api_call *call;
};

/**
 * api_query_init() - make a query from the parameters "from", "to", "select" and "value"
 * @q: the query; on success released by api_query_release()
 * @call: the request
 * @prefix: prefix of the parameters' names: "" or "before_"
 * @r: gets the error
 *
 * Return: whether the parameters are valid.
 */
bool api_query_init(struct api_query *q, struct api_call *call, const char *prefix,
		    struct reply *r);
void api_query_release(struct api_query *q);

/*
 * Reads a parameter that is a number; without it @ret stays as it is. Return: false after an error.
 */
bool api_u64(struct api_call *call, const char *key, uint64_t most, uint64_t *ret,
	     struct reply *r);

/**
 * api_sum() - add up all samples of a query to one profile
 * @q: the query
 * @keep: keys of the labels that stay, ended by NULL; NULL keeps all
 * @coverage: gets the data that the answer is based on; may be NULL
 * @r: gets the error
 *
 * Return: the profile, freed by the caller; NULL after an error.
 */
struct profile *api_sum(struct api_query *q, const char *const *keep,
			struct store_coverage *coverage, struct reply *r);

/* Turns an error of a query, or of formatting its answer, into a reply. */
void api_failed(struct api_call *call, int err, const struct diag *diag, struct reply *r);

/* Does the same as api_sum(), and finds the value type. A negative value is an error. */
struct profile *api_sum_value(struct api_query *q, const char *const *keep,
			      struct store_coverage *coverage, uint32_t *value,
			      struct reply *r);

/* Begins an answer with the range and its coverage; api_json_end() ends it. */
void api_json(struct json *j, struct reply *r, const struct api_query *q,
	      const struct store_coverage *c);
void api_json_end(struct json *j);

/* Makes the call tree of one or two profiles. Return: NULL after an error, which is in @r. */
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

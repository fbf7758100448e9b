// SPDX-License-Identifier: GPL-2.0-only
/* /api/v1/labels and /api/v1/values: which labels there are, and which texts a label has. */
#include <errno.h>
#include <string.h>

#include "serve/daemon/api_query.h"

#include "util/poison.h"

#define DEFAULT_LIMIT 1000
#define MAX_LIMIT 100000

struct names {
	struct json j;
	struct reply *reply;
	const char *match;
	uint64_t limit;
	uint64_t nr;
	uint64_t left_out;
};

static int take(const char *text, uint64_t samples, void *arg)
{
	struct names *n = arg;

	if (n->match && !strcasestr(text, n->match))
		return 0;
	if (n->nr == n->limit) {
		n->left_out++;
		return 0;
	}
	n->nr++;
	json_object(&n->j, NULL);
	json_string(&n->j, "text", text);
	json_u64(&n->j, "samples", samples);
	json_object_end(&n->j);
	return ferror(n->reply->out) ? -EFBIG : 0;
}

static void answer(struct api_call *call, const char *label, struct reply *r)
{
	struct names n = { .reply = r, .limit = DEFAULT_LIMIT,
			   .match = request_get(call->request, "match") };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct store_coverage c = { 0 };
	struct api_query q;
	int err;

	if (!api_u64(call, "limit", MAX_LIMIT, &n.limit, r) ||
	    !api_query_init(&q, call, "", r))
		return;
	json_init(&n.j, r->out);
	json_object(&n.j, NULL);
	json_array(&n.j, label ? "values" : "labels");
	err = store_values(call->source->store, &q.store, label, take, &n, &c, &diag);
	json_array_end(&n.j);
	json_u64(&n.j, "left_out", n.left_out);
	json_u64(&n.j, "windows", c.windows);
	api_json_end(&n.j);
	if (err && !r->full)
		api_failed(call, err, &diag, r);
	api_query_release(&q);
}

void api_labels(struct api_call *call, struct reply *r)
{
	answer(call, NULL, r);
}

void api_values(struct api_call *call, struct reply *r)
{
	const char *label = request_get(call->request, "label");

	if (label && *label)
		answer(call, label, r);
	else
		reply_error(r, 400, "missing", "label", "label is missing: it is the key to list values of");
}

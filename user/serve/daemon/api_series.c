// SPDX-License-Identifier: GPL-2.0-only
/* /api/v1/series: sums of values over time, grouped by a label. */
#include "serve/daemon/api_query.h"
#include "serve/daemon/series.h"

#include "util/poison.h"

#define DEFAULT_LABEL "unit"
#define DEFAULT_TOP 12

static void put_groups(struct json *j, const struct series *s)
{
	uint32_t i;

	json_array(j, "groups");
	for (i = 0; i < s->nr; i++) {
		json_object(j, NULL);
		json_string(j, "name", s->groups[i].name);
		series_put_values(j, s, &s->groups[i]);
		json_object_end(j);
	}
	json_array_end(j);
	json_object(j, "rest");
	json_u64(j, "groups", s->nr_rest);
	series_put_values(j, s, &s->rest);
	json_object_end(j);
}

void api_series(struct api_call *call, struct reply *r)
{
	const char *label = request_get(call->request, "label");
	struct store_coverage c = { 0 };
	uint64_t top = DEFAULT_TOP;
	struct api_query q;
	struct series s;
	struct json j;

	if (!label)
		label = DEFAULT_LABEL;
	if (!api_u64(call, "top", SERIES_MAX_TOP, &top, r) || !api_query_init(&q, call, "", r))
		return;
	/* an empty label asks for one series of all samples */
	if (series_read(&s, &q, *label ? label : NULL, top, &c, r)) {
		api_json(&j, r, &q, &c);
		json_string(&j, "label", label);
		json_string(&j, "value", q.value);
		series_put_steps(&j, &s);
		put_groups(&j, &s);
		api_json_end(&j);
		series_release(&s);
	}
	api_query_release(&q);
}

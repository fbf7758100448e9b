// SPDX-License-Identifier: GPL-2.0
#include "daemon/api.h"

#include <string.h>
#include <time.h>

#include "daemon/api_query.h"
#include "daemon/page.h"
#include "util/clock.h"

#include "util/poison.h"

static void page(struct api_call *call, struct reply *r)
{
	r->type = REPLY_HTML;
	r->policy = daemon_page_policy;
	fwrite(daemon_page, 1, daemon_page_len, r->out);
}

static void login(struct api_call *call, struct reply *r)
{
	r->type = REPLY_HTML;
	r->policy = daemon_login_policy;
	fwrite(daemon_login, 1, daemon_login_len, r->out);
}

static const struct api_route routes[] = {
	{ "/", "page", false, API_CHEAP, page },
	{ "/login", "login", true, API_CHEAP, login },
	{ "/flame", "flame", false, API_QUERY, api_flame },
	{ "/metrics", "metrics", false, API_CHEAP, api_metrics },
	{ "/healthz", "healthz", true, API_CHEAP, api_health },
	{ "/debug/pprof/profile", "live", false, API_LIVE, api_live },
	{ "/api/v1/status", "status", false, API_QUERY, api_status },
	{ "/api/v1/labels", "labels", false, API_QUERY, api_labels },
	{ "/api/v1/values", "values", false, API_QUERY, api_values },
	{ "/api/v1/series", "series", false, API_QUERY, api_series },
	{ "/api/v1/profile", "profile", false, API_QUERY, api_profile },
	{ "/api/v1/diff", "diff", false, API_QUERY, api_diff },
	{ "/api/v1/search", "search", false, API_QUERY, api_search },
	{ "/api/v1/outcomes", "outcomes", false, API_QUERY, api_outcomes },
	{ "/api/v1/reasons", "reasons", false, API_CHEAP, api_reasons },
	{ 0 },
};

const struct api_route *api_route(const char *path)
{
	const struct api_route *r;

	for (r = routes; r->path; r++)
		if (!strcmp(r->path, path))
			return r;
	return NULL;
}

const struct api_route *api_routes(void)
{
	return routes;
}

void api_answer(const struct api_route *route, struct api_call *call, struct reply *reply)
{
	call->deadline_ns = clock_ns(CLOCK_MONOTONIC) + API_MAX_SECONDS * 1000000000ull;
	route->answer(call, reply);
}

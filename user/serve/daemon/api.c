// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of all paths that the server answers. To add one: a line here, the function in an
 * api_*.c file, and a section in Documentation/http-api.md.
 */
#include "serve/daemon/api.h"

#include <string.h>
#include <time.h>

#include "serve/daemon/api_query.h"
#include "serve/daemon/page.h"
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
	{ "/", "page", 0, API_CHEAP, page },
	{ "/login", "login", API_OPEN, API_CHEAP, login },
	{ "/flame", "flame", 0, API_QUERY, api_flame },
	{ "/metrics", "metrics", 0, API_CHEAP, api_metrics },
	{ "/healthz", "healthz", API_OPEN, API_CHEAP, api_health },
	{ "/debug/pprof/profile", "live", 0, API_LIVE, api_live },
	{ "/debug/pprof/symbol", "symbol", API_POSTS, API_CHEAP, api_symbol },
	{ "/api/v1/status", "status", 0, API_QUERY, api_status },
	{ "/api/v1/labels", "labels", 0, API_QUERY, api_labels },
	{ "/api/v1/values", "values", 0, API_QUERY, api_values },
	{ "/api/v1/series", "series", 0, API_QUERY, api_series },
	{ "/api/v1/profile", "profile", 0, API_QUERY, api_profile },
	{ "/api/v1/diff", "diff", 0, API_QUERY, api_diff },
	{ "/api/v1/search", "search", 0, API_QUERY, api_search },
	{ "/api/v1/outcomes", "outcomes", 0, API_QUERY, api_outcomes },
	{ "/api/v1/reasons", "reasons", 0, API_CHEAP, api_reasons },
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

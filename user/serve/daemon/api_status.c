// SPDX-License-Identifier: GPL-2.0-only
/*
 * /api/v1/status, /metrics, /healthz, /debug/pprof/profile and /debug/pprof/symbol: the state of
 * the daemon, and profiles that are recorded on request.
 */
#include <errno.h>

#include "serve/daemon/api_query.h"
#include "profile/pprof.h"
#include "util/cleanup.h"

#include "util/poison.h"

#define DEFAULT_LIVE_SECONDS 10

static void put_values(struct json *j, const struct profile *p)
{
	uint32_t i;

	json_array(j, "values");
	for (i = 0; i < p->nr_value_types; i++) {
		json_object(j, NULL);
		json_string(j, "name", profile_text(p, p->value_types[i].type));
		json_string(j, "unit", profile_text(p, p->value_types[i].unit));
		json_object_end(j);
	}
	json_array_end(j);
}

/* Coverage and value types are those of the requested range, by default the last hour. */
void api_status(struct api_call *call, struct reply *r)
{
	static const char *const no_labels[] = { NULL };
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	struct store_coverage c = { 0 };
	struct api_query q;
	struct json j;

	if (!api_query_init(&q, call, "", r))
		return;
	p = api_sum(&q, no_labels, &c, r);
	if (p) {
		api_json(&j, r, &q, &c);
		json_string(&j, "version", call->source->version);
		json_u64(&j, "now_ms", call->now_ns / 1000000);
		json_bool(&j, "live", call->source->live);
		json_bool(&j, "locked", call->source->locked);
		put_values(&j, p);
		api_json_end(&j);
	}
	api_query_release(&q);
}

void api_metrics(struct api_call *call, struct reply *r)
{
	r->type = "text/plain; version=0.0.4; charset=utf-8";
	if (call->source->metrics)
		metrics_write(call->source->metrics, r->out);
}

void api_health(struct api_call *call, struct reply *r)
{
	const struct api_source *s = call->source;
	bool well;

	r->type = REPLY_TEXT;
	well = !s->health || s->health(r->out, s->arg);
	fputs(well ? "ok\n" : "not well\n", r->out);
	r->status = well ? 200 : 503;
}

static bool live_stops(void *arg)
{
	const struct api_call *call = arg;

	return call->gone && call->gone(call->gone_arg);
}

/* Answers like Go's servers at this path, so that `go tool pprof` and other tools can use it. */
void api_live(struct api_call *call, struct reply *r)
{
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	const struct api_source *s = call->source;
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	uint64_t seconds = DEFAULT_LIVE_SECONDS;
	int err;

	if (!api_u64(call, "seconds", API_MAX_LIVE_SECONDS, &seconds, r))
		return;
	if (!seconds || !s->live) {
		reply_error(r, seconds ? 501 : 400, seconds ? "not_live" : "bad_number", "seconds",
			    seconds ? "this server does not sample" : "seconds is 0");
		return;
	}
	err = s->live((unsigned int)seconds, live_stops, call, &p, s->arg, &diag);
	if (err == -EINTR)
		r->gone = true;
	if (!err)
		err = pprof_write(p, r->fd, &diag);
	if (err) {
		api_failed(call, err, &diag, r);
		return;
	}
	r->type = REPLY_BYTES;
	r->file = "profile.pb.gz";
}

/*
 * `go tool pprof` asks this path for names of frames that have none in a profile, and fails if the
 * path does not exist. All known names are in the profile already. The number 1 says that the path
 * works, as it does in Go's net/http/pprof.
 */
void api_symbol(struct api_call *call, struct reply *r)
{
	r->type = REPLY_TEXT;
	fputs("num_symbols: 1\n", r->out);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers one request: checks the host, the site and the token, finds the route, waits for a turn,
 * and adds the headers that every answer has. It runs in the thread of the connection.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "serve/daemon/http_private.h"
#include "serve/daemon/log.h"
#include "util/clock.h"

#include "util/poison.h"

#define NS_PER_SEC 1000000000ull
/* Time between two checks whether a client is still there. */
#define LOOK_NS 20000000ull
/* A query waits so long for its turn, and is then refused. */
#define WAIT_NS (20 * NS_PER_SEC)
/* After the time for making an answer, the client has so long to fetch it. */
#define FETCH_SECONDS 60u
#define SESSION_SECONDS 43200

/* Policy for answers that are not pages: they may load nothing and run nothing. */
static const char no_policy[] = "default-src 'none'; base-uri 'none'; form-action 'none'";

/**
 * struct watch - checks whether a client is still there
 * @http: the server
 * @fd: socket of the client
 * @looked_ns: when it was checked last, CLOCK_MONOTONIC
 */
struct watch {
	struct http *http;
	int fd;
	uint64_t looked_ns;
};

static bool has_gone(void *arg)
{
	struct watch *w = arg;
	struct pollfd p = { .fd = w->fd, .events = POLLRDHUP };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (atomic_load(&w->http->stopping))
		return true;
	if (now - w->looked_ns < LOOK_NS)
		return false;
	w->looked_ns = now;
	return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static const char *header(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

struct host {
	const char *value;
	unsigned int nr;
};

static enum MHD_Result see_host(void *arg, enum MHD_ValueKind kind, const char *key,
				const char *value)
{
	struct host *host = arg;

	if (!strcasecmp(key, "Host")) {
		host->value = value;
		host->nr++;
	}
	return MHD_YES;
}

/*
 * Whether a page of another site may have made the browser send this request. Then @r has an error.
 */
static bool is_foreign(struct http *h, struct MHD_Connection *c, struct reply *r)
{
	const char *site = header(c, "Sec-Fetch-Site"), *mode = header(c, "Sec-Fetch-Mode");
	struct host host = { .value = NULL };

	MHD_get_connection_values(c, MHD_HEADER_KIND, see_host, &host);
	if (host.nr > 1 || (!h->token && !auth_host_is_local(host.value))) {
		reply_error(r, 421, "wrong_host", NULL,
			    "without a token only localhost is served: the Host field has another name");
		return true;
	}
	/* following a link is allowed: the site with the link does not see the answer */
	if (site && strcmp(site, "same-origin") && strcmp(site, "none") &&
	    !(mode && !strcmp(mode, "navigate"))) {
		reply_error(r, 403, "cross_site", NULL, "pages of other sites may not ask here");
		return true;
	}
	return false;
}

static bool may_ask(struct http *h, struct MHD_Connection *c)
{
	return !h->token || auth_bearer(header(c, "Authorization"), h->token) ||
	       auth_cookie(header(c, "Cookie"), h->session);
}

static void send_to(struct reply *r, const char *where)
{
	r->status = 303;
	r->location = where;
	r->type = REPLY_TEXT;
}

/* Whether a form was sent by our own page. Another site's form could log the browser in or out. */
static bool is_own_form(struct MHD_Connection *c)
{
	const char *origin = header(c, "Origin"), *host = header(c, "Host"), *name;

	if (!origin)
		return true;
	name = strstr(origin, "://");
	return name && host && !strcasecmp(name + 3, host);
}

static void log_in(struct http *h, struct MHD_Connection *c, struct exchange *x, struct reply *r)
{
	struct request form;
	const char *token;
	size_t len;

	if (x->body_len >= sizeof(x->form)) {
		reply_error(r, 413, "too_long", NULL, "the form is too long");
		return;
	}
	x->form[x->form_len] = 0;
	if (!is_own_form(c)) {
		reply_error(r, 403, "cross_site", NULL, "the form is from another site");
		return;
	}
	len = strlen(x->form);
	if (request_parse_form(x->form, &form, NULL)) {
		reply_error(r, 400, "bad_form", NULL, "the form cannot be parsed");
		return;
	}
	token = request_get(&form, "token");
	if (!h->token || (token && auth_equal(token, h->token))) {
		snprintf(r->cookie, sizeof(r->cookie),
			 AUTH_COOKIE "=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d",
			 h->session, SESSION_SECONDS);
		send_to(r, "/");
	} else {
		send_to(r, "/login#wrong");
	}
	explicit_bzero(form.text, len);
	request_release(&form);
}

static void log_out(struct reply *r)
{
	snprintf(r->cookie, sizeof(r->cookie),
		 AUTH_COOKIE "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
	send_to(r, "/login");
}

/* Counts one more running request unless @most run already. */
static bool take_turn(atomic_uint *running, unsigned int most)
{
	if (atomic_fetch_add(running, 1) < most)
		return true;
	atomic_fetch_sub(running, 1);
	return false;
}

/*
 * Waits until a request of this cost may run. Return: the counter that the caller decrements
 * afterwards; NULL after an error, which is in @r.
 */
static atomic_uint *wait_turn(struct http *h, enum api_cost cost, struct watch *w,
			      struct reply *r)
{
	atomic_uint *running = cost == API_LIVE ? &h->live : &h->queries;
	unsigned int most = cost == API_LIVE ? HTTP_MAX_LIVE : HTTP_MAX_QUERIES;
	/* a live profile runs for long, so it makes no sense to wait for its end */
	unsigned int left = cost == API_LIVE ? 1 : WAIT_NS / LOOK_NS;

	for (; left; left--) {
		if (take_turn(running, most))
			return running;
		if (has_gone(w)) {
			r->gone = true;
			break;
		}
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
	}
	reply_error(r, 503, "busy", NULL, "%u such requests are running: try again", most);
	return NULL;
}

static void make_answer(struct http *h, struct MHD_Connection *c, const struct api_route *route,
			const struct request *request, struct reply *r)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct watch watch = { .http = h, .fd = info ? info->connect_fd : -1 };
	struct api_call call = {
		.source = &h->source, .request = request, .now_ns = clock_ns(CLOCK_REALTIME),
		.gone = has_gone, .gone_arg = &watch,
	};
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	atomic_uint *turn = NULL;
	unsigned int most;

	if (route->cost != API_CHEAP) {
		turn = wait_turn(h, route->cost, &watch, r);
		if (!turn)
			return;
		most = route->cost == API_LIVE ? API_MAX_LIVE_SECONDS : API_MAX_SECONDS;
		MHD_set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, most + FETCH_SECONDS);
	}
	api_answer(route, &call, r);
	if (turn)
		atomic_fetch_sub(turn, 1);
	if (route->cost == API_QUERY)
		metrics_observe(&h->seconds,
				(double)(clock_ns(CLOCK_MONOTONIC) - start) / NS_PER_SEC);
}

/*
 * Finds the route, and checks the method and the token. Return: NULL if the request is not allowed;
 * the answer is then in @r.
 */
static const struct api_route *find_route(struct http *h, struct MHD_Connection *c,
					  const char *method, const struct request *request,
					  struct reply *r)
{
	const struct api_route *route = api_route(request->path);

	if (!route) {
		reply_error(r, 404, "no_such_path", NULL, "there is nothing at this path");
		return NULL;
	}
	if (strcmp(method, "GET") && strcmp(method, "HEAD") &&
	    (!(route->flags & API_POSTS) || strcmp(method, "POST"))) {
		reply_error(r, 405, "bad_method", NULL, "only GET and HEAD are served here");
		r->allow = "GET, HEAD";
		return NULL;
	}
	if (route->flags & API_OPEN || may_ask(h, c))
		return route;
	if (!strcmp(route->path, "/"))
		send_to(r, "/login");
	else
		reply_error(r, 401, "no_token", NULL, "this needs the server's token");
	return NULL;
}

/* Makes the answer in @r. Return: the route that made it; NULL if none did. */
static const struct api_route *answer(struct http *h, struct MHD_Connection *c,
				      const char *method, struct exchange *x, struct reply *r)
{
	const struct api_route *route = NULL;
	struct request request;
	struct diag diag;
	int err;

	if (is_foreign(h, c, r))
		return NULL;
	err = request_parse(x->target, &request, &diag);
	if (err) {
		reply_error(r, err == -E2BIG ? 414 : err == -ENOMEM ? 500 : 400, "bad_target",
			    NULL, "%s", diag.text);
		return NULL;
	}
	if (!strcmp(method, "POST") && !strcmp(request.path, "/login"))
		log_in(h, c, x, r);
	else if (!strcmp(method, "POST") && !strcmp(request.path, "/logout") && is_own_form(c))
		log_out(r);
	else
		route = find_route(h, c, method, &request, r);
	if (route)
		make_answer(h, c, route, &request, r);
	request_release(&request);
	return route;
}

static void add_headers(struct MHD_Response *m, const struct reply *r)
{
	char policy[1024], save[96];

	snprintf(policy, sizeof(policy), "%s; frame-ancestors %s", r->policy ? r->policy : no_policy,
		 r->framed ? "'self'" : "'none'");
	MHD_add_response_header(m, "Content-Type", r->type);
	MHD_add_response_header(m, "Content-Security-Policy", policy);
	MHD_add_response_header(m, "X-Frame-Options", r->framed ? "SAMEORIGIN" : "DENY");
	MHD_add_response_header(m, "X-Content-Type-Options", "nosniff");
	/* with no-referrer, browsers would send "Origin: null" for our own forms */
	MHD_add_response_header(m, "Referrer-Policy", "same-origin");
	MHD_add_response_header(m, "Cross-Origin-Resource-Policy", "same-origin");
	MHD_add_response_header(m, "Cross-Origin-Opener-Policy", "same-origin");
	/* profiles are for this client only, and change */
	MHD_add_response_header(m, "Cache-Control", "no-store");
	MHD_add_response_header(m, "Vary", "Accept-Encoding");
	if (r->gzip)
		MHD_add_response_header(m, "Content-Encoding", "gzip");
	if (r->status == 401)
		MHD_add_response_header(m, "WWW-Authenticate", "Bearer realm=\"ustack\"");
	if (r->status == 503)
		MHD_add_response_header(m, "Retry-After", "1");
	if (r->allow)
		MHD_add_response_header(m, "Allow", r->allow);
	if (r->location)
		MHD_add_response_header(m, "Location", r->location);
	if (*r->cookie)
		MHD_add_response_header(m, "Set-Cookie", r->cookie);
	if (r->file) {
		snprintf(save, sizeof(save), "attachment; filename=\"%s\"", r->file);
		MHD_add_response_header(m, "Content-Disposition", save);
	}
}

/* Sends the answer. libmicrohttpd gets a duplicate of its file. */
static enum MHD_Result send_reply(struct MHD_Connection *c, struct reply *r)
{
	struct MHD_Response *m;
	enum MHD_Result ok;
	size_t len;
	int fd;

	if (reply_finish(r, &len))
		return MHD_NO;
	reply_gzip(r, header(c, "Accept-Encoding"), &len);
	fd = dup(r->fd);
	if (fd < 0)
		return MHD_NO;
	m = MHD_create_response_from_fd(len, fd);
	if (!m) {
		close(fd);
		return MHD_NO;
	}
	add_headers(m, r);
	ok = MHD_queue_response(c, r->status, m);
	MHD_destroy_response(m);
	return ok;
}

static void count(struct http *h, const struct api_route *route, const struct reply *r)
{
	/* the entry after all routes counts requests without a route */
	unsigned int i = 0, class = r->status / 100 - 2;

	while (api_routes()[i].path && &api_routes()[i] != route)
		i++;
	if (r->gone)
		class = HTTP_GONE;
	if (i < HTTP_MAX_ROUTES && class < HTTP_CLASSES)
		atomic_fetch_add(&h->answers[i][class], 1);
}

enum MHD_Result http_serve(struct http *h, struct MHD_Connection *c, const char *method,
			   struct exchange *x)
{
	enum MHD_Result ok = MHD_NO;
	const struct api_route *route;
	struct reply r;

	if (reply_init(&r))
		return MHD_NO;
	route = answer(h, c, method, x, &r);
	count(h, route, &r);
	/* the query is not logged: it may have a token */
	daemon_log(LOG_IS_DEBUG, "%s %.*s: %s%u", method, (int)strcspn(x->target, "?"), x->target,
		   r.gone ? "gone, " : "", r.status);
	if (!r.gone)
		ok = send_reply(c, &r);
	reply_release(&r);
	return ok;
}

void http_collect(struct metrics_out *out, void *arg)
{
	static const char *const classes[HTTP_CLASSES] = { "2xx", "3xx", "4xx", "5xx", "gone" };
	const struct api_route *route = api_routes();
	struct http *h = arg;
	unsigned int i, k;

	metrics_family(out, "ustack_http_requests_total", METRICS_COUNTER,
		       "Requests that were answered, by route and class of the answer.");
	for (i = 0; i < HTTP_MAX_ROUTES; i++) {
		for (k = 0; k < HTTP_CLASSES; k++)
			if (atomic_load(&h->answers[i][k]))
				metrics_count(out, atomic_load(&h->answers[i][k]), "route",
					      route[i].path ? route[i].name : "none", "class",
					      classes[k], NULL);
		if (!route[i].path)
			break;
	}
	metrics_family(out, "ustack_http_connections", METRICS_GAUGE, "Connections that are open.");
	metrics_count(out, atomic_load(&h->connections), NULL);
	metrics_family(out, "ustack_http_under_way", METRICS_GAUGE,
		       "Requests that read the store, or wait for a live profile.");
	metrics_count(out, atomic_load(&h->queries), "kind", "query", NULL);
	metrics_count(out, atomic_load(&h->live), "kind", "live", NULL);
	metrics_family(out, "ustack_http_query_seconds", METRICS_HISTOGRAM,
		       "How long requests took that read the store.");
	metrics_histogram(out, &h->seconds, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to the daemon's HTTP server. The input is lines: target, Host,
 * Cookie, Authorization, a form, and an address to listen at. Every answer is
 * complete: JSON that another parser accepts, or a body with a type of its own.
 * Every error has a reason, and nobody gets access without the token.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "must.h"

#include "../live/web/fake_store.h"
#include "../live/web/fill.h"
#include "serve/daemon/api.h"
#include "serve/daemon/auth.h"

#define NOW 1700000000000000000ull
#define TOKEN "ahd7Eip2kooz6ohm"
#define SESSION "4f1d0c7a9be6235888c2a01b7d3e9f60517a4c8be2d09f3361c5b7a80e4d92f1"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct api_source source = { .store = "nowhere", .version = "fuzz" };

static int live(unsigned int seconds, bool (*stop)(void *), void *stop_arg, struct profile **ret,
		void *arg, struct diag *diag)
{
	must(seconds && seconds <= API_MAX_LIVE_SECONDS);
	return diag_set(diag, EIO, "live", "none");
}

static void fill(void)
{
	const struct fill f = { .end_ns = NOW, .windows = 3, .stacks = 30, .hostile = 1 };
	unsigned int i;

	for (i = 0; i < f.windows; i++)
		fake_store_append(fill_window(&f, i));
	source.live = live;
}

static void check_error(json_t *top, unsigned int status)
{
	json_t *error = json_object_get(top, "error");

	must(json_is_object(error));
	must(json_integer_value(json_object_get(error, "status")) == status);
	must(*json_string_value(json_object_get(error, "reason")));
	must(*json_string_value(json_object_get(error, "message")));
}

static void check_body(const struct reply *r, const char *body, size_t len)
{
	json_error_t why;
	json_t *top;

	must(r->status == 200 || (r->status >= 400 && r->status < 600));
	if (strcmp(r->type, REPLY_JSON)) {
		must(r->status == 200);
		return;
	}
	top = json_loadb(body, len, 0, &why);
	must(json_is_object(top));
	must(!json_object_get(top, "error") == (r->status == 200));
	if (r->status != 200)
		check_error(top, r->status);
	json_decref(top);
}

static void answer(const struct request *request)
{
	const struct api_route *route = api_route(request->path);
	struct api_call call = { .source = &source, .request = request, .now_ns = NOW };
	struct reply r;
	size_t len;
	char *body;

	if (!route)
		return;
	must(!reply_init(&r));
	api_answer(route, &call, &r);
	must(!reply_finish(&r, &len));
	body = malloc(len + 1);
	must(pread(r.fd, body, len, 0) == (ssize_t)len);
	check_body(&r, body, len);
	free(body);
	reply_release(&r);
}

static void check_guards(const char *host, const char *cookies, const char *authorization,
			 const char *address)
{
	struct sockaddr_storage a;
	socklen_t len;

	if (auth_host_is_local(host))
		must(strcasestr(host, "localhost") || strstr(host, "127.") || strstr(host, "[::1]"));
	if (auth_cookie(cookies, SESSION))
		must(strstr(cookies, AUTH_COOKIE "=" SESSION));
	if (auth_bearer(authorization, TOKEN))
		must(strstr(authorization, TOKEN));
	if (!auth_address(address, &a, &len, NULL)) {
		must(len <= sizeof(a));
		auth_is_loopback(&a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *at = text, *line[6];
	struct request request;
	struct diag diag;
	unsigned int i;

	if (!source.live)
		fill();
	memcpy(text, data, size);
	text[size] = 0;
	for (i = 0; i < 6; i++) {
		line[i] = strsep(&at, "\n");
		if (!line[i])
			line[i] = "";
	}
	check_guards(line[1], line[2], line[3], line[5]);
	if (!request_parse(line[0], &request, &diag)) {
		answer(&request);
		request_release(&request);
	} else {
		must(*diag.text);
	}
	if (!request_parse_form(line[4], &request, NULL))
		request_release(&request);
	free(text);
	return 0;
}

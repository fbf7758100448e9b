// SPDX-License-Identifier: GPL-2.0-only
/*
 * The daemon's HTTP server on this machine's own address: access rights, and the contents of
 * every answer.
 */
#include "support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/daemon/auth.h"
#include "serve/daemon/http.h"
#include "profile/profile.h"

#define TOKEN "0123456789abcdef"
#define LOCAL "Host: localhost\r\n"

static struct http *start(const char *token)
{
	const struct http_options o = {
		.token = token, .source = { .store = "/nowhere", .version = "1" },
	};
	struct http *h = NULL;
	struct diag diag;

	if (http_start(&o, &h, &diag) || http_listen(h, "127.0.0.1:0", &diag))
		fail_msg("%s", diag.text);
	return h;
}

static int connect_to(const struct http *h)
{
	const struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)http_port(h, 0)),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static void send_all(int fd, const char *text, size_t len)
{
	ssize_t n;

	for (; len; text += n, len -= (size_t)n) {
		n = send(fd, text, len, MSG_NOSIGNAL);
		assert_true(n > 0);
	}
}

/* The answer to one request. */
static char answer[65536];

/* Status of the answer; 0 if the connection ended without one. */
static int read_answer(int fd)
{
	size_t len = 0;
	int status = 0;
	ssize_t n;

	while (len < sizeof(answer) - 1 &&
	       (n = recv(fd, answer + len, sizeof(answer) - 1 - len, 0)) > 0)
		len += (size_t)n;
	answer[len] = 0;
	close(fd);
	sscanf(answer, "HTTP/1.1 %d", &status);
	return status;
}

static int ask(const struct http *h, const char *line, const char *fields, const char *body)
{
	static char head[REQUEST_MAX_TARGET + 1024];
	int fd = connect_to(h), n;

	n = snprintf(head, sizeof(head), "%s HTTP/1.1\r\n%sConnection: close\r\n"
		     "Content-Length: %zu\r\n\r\n", line, fields, strlen(body));
	send_all(fd, head, (size_t)n);
	send_all(fd, body, strlen(body));
	return read_answer(fd);
}

static int get(const struct http *h, const char *path, const char *fields)
{
	char line[512];

	snprintf(line, sizeof(line), "GET %s", path);
	return ask(h, line, fields, "");
}

static bool says(const char *text)
{
	return strcasestr(answer, text) != NULL;
}

/*
 * Without a token only requests to this machine's names are answered, and not those of pages of
 * other sites.
 */
static void without_a_token(void **state)
{
	static const struct {
		const char *fields;
		int status;
	} list[] = {
		{ LOCAL, 200 },
		{ "Host: localhost:7071\r\n", 200 },
		{ "Host: 127.0.0.1\r\n", 200 },
		{ "Host: evil.example\r\n", 421 },
		{ "Host: localhost.evil.example\r\n", 421 },
		{ LOCAL LOCAL, 421 },
		{ LOCAL "Host: evil.example\r\n", 421 },
		{ LOCAL "Sec-Fetch-Site: same-origin\r\n", 200 },
		{ LOCAL "Sec-Fetch-Site: none\r\n", 200 },
		{ LOCAL "Sec-Fetch-Site: same-site\r\n", 403 },
		{ LOCAL "Sec-Fetch-Site: cross-site\r\n", 403 },
		{ LOCAL "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n", 403 },
		{ LOCAL "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 200 },
	};
	struct http *h = start(NULL);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++)
		if (get(h, "/api/v1/reasons", list[i].fields) != list[i].status)
			fail_msg("%s: %.20s", list[i].fields, answer);
	http_stop(h);
}

static void paths_and_methods(void **state)
{
	static char long_path[REQUEST_MAX_TARGET + 8] = "GET /";
	static const char *const others[] = { "POST", "PUT", "DELETE", "OPTIONS", "PATCH" };
	struct http *h = start(NULL);
	char line[64];
	size_t i;

	assert_int_equal(get(h, "/nothing", LOCAL), 404);
	assert_int_equal(get(h, "/api/v1/reasons?a=%zz", LOCAL), 400);
	/* the longest target, and one byte more */
	memset(long_path + 5, 'a', REQUEST_MAX_TARGET);
	assert_int_equal(ask(h, long_path, LOCAL, ""), 414);
	long_path[4 + REQUEST_MAX_TARGET] = 0;
	assert_int_equal(ask(h, long_path, LOCAL, ""), 404);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		snprintf(line, sizeof(line), "%s /api/v1/reasons", others[i]);
		assert_int_equal(ask(h, line, LOCAL, ""), 405);
		assert_true(says("\r\nAllow: GET, HEAD\r\n"));
	}
	assert_int_equal(ask(h, "POST /debug/pprof/symbol", LOCAL, "0x1"), 200);
	assert_int_equal(ask(h, "PUT /debug/pprof/symbol", LOCAL, ""), 405);
	assert_int_equal(ask(h, "HEAD /api/v1/reasons", LOCAL, ""), 200);
	assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\n");
	http_stop(h);
}

/* Headers that keep a browser from doing anything with an answer but showing it. */
static void fields_of_every_answer(void **state)
{
	static const char *const fields[] = {
		("\r\nContent-Security-Policy: default-src 'none'; base-uri 'none'; "
		 "form-action 'none'; frame-ancestors 'none'\r\n"),
		"\r\nX-Frame-Options: DENY\r\n", "\r\nX-Content-Type-Options: nosniff\r\n",
		"\r\nReferrer-Policy: same-origin\r\n",
		"\r\nCross-Origin-Resource-Policy: same-origin\r\n",
		"\r\nCross-Origin-Opener-Policy: same-origin\r\n",
		"\r\nCache-Control: no-store\r\n", "\r\nVary: Accept-Encoding\r\n",
		"\r\nContent-Type: application/json",
	};
	static const char *const paths[] = { "/api/v1/reasons", "/nothing" };
	struct http *h = start(NULL);
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(paths); k++) {
		get(h, paths[k], LOCAL);
		for (i = 0; i < ARRAY_SIZE(fields); i++)
			if (!says(fields[i]))
				fail_msg("%s: no %s\n%.900s", paths[k], fields[i], answer);
	}
	assert_false(says("\r\nWWW-Authenticate:") || says("\r\nSet-Cookie:") ||
		     says("\r\nLocation:") || says("\r\nRetry-After:") || says("\r\nAllow:"));
	http_stop(h);
}

/* Errors are whole JSON objects. */
static void errors_are_json(void **state)
{
	struct http *h = start(NULL);

	assert_int_equal(get(h, "/nothing", LOCAL), 404);
	assert_string_equal(strstr(answer, "\r\n\r\n") + 4,
			    "{\"error\":{\"status\":404,\"reason\":\"no_such_path\","
			    "\"message\":\"there is nothing at this path\"}}\n");
	http_stop(h);
}

static void answers_are_packed(void **state)
{
	struct http *h = start(NULL);
	const char *body;

	assert_int_equal(get(h, "/", LOCAL "Accept-Encoding: gzip\r\n"), 200);
	assert_true(says("\r\nContent-Encoding: gzip\r\n"));
	body = strstr(answer, "\r\n\r\n");
	assert_non_null(body);
	assert_int_equal(memcmp(body + 4, "\x1f\x8b", 2), 0);
	assert_int_equal(get(h, "/", LOCAL), 200);
	assert_false(says("\r\nContent-Encoding:"));
	http_stop(h);
}

static unsigned int open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int nr = 0;

	assert_non_null(d);
	while (readdir(d))
		nr++;
	closedir(d);
	return nr;
}

/* The server keeps working after very many requests. */
static void nothing_of_an_answer_stays(void **state)
{
	unsigned int before = open_descriptors(), i;
	struct http *h = start(NULL);

	for (i = 0; i < 20; i++) {
		assert_int_equal(get(h, "/api/v1/reasons", LOCAL), 200);
		assert_int_equal(get(h, "/", LOCAL "Accept-Encoding: gzip\r\n"), 200);
		assert_int_equal(get(h, "/nothing", LOCAL), 404);
	}
	http_stop(h);
	assert_int_equal(open_descriptors(), before);
}

/* The counters of the server about itself. */
static void numbers_of_the_server(void **state)
{
	struct http_options o = { .source = { .store = "/nowhere", .version = "1" } };
	struct http *h = NULL;
	struct diag diag;

	o.source.metrics = metrics_new();
	assert_int_equal(http_start(&o, &h, &diag), 0);
	assert_int_equal(http_listen(h, "127.0.0.1:0", &diag), 0);
	assert_true(get(h, "/api/v1/labels", LOCAL) > 0);
	assert_int_equal(get(h, "/nothing", LOCAL), 404);
	assert_int_equal(get(h, "/", LOCAL), 200);
	assert_int_equal(get(h, "/metrics", LOCAL), 200);
	assert_true(says("\nustack_http_requests_total{route=\"none\",class=\"4xx\"} 1\n"));
	assert_true(says("\nustack_http_requests_total{route=\"page\",class=\"2xx\"} 1\n"));
	assert_true(says("\nustack_http_query_seconds_bucket{le=\"60\"} 1\n"));
	assert_true(says("\nustack_http_query_seconds_count 1\n"));
	/* at least the connection that asks */
	assert_true(says("\nustack_http_connections ") && !says("\nustack_http_connections 0\n"));
	assert_true(says("\nustack_http_under_way{kind=\"query\"} 0\n"));
	http_stop(h);
	metrics_free(o.source.metrics);
}

static void with_a_token(void **state)
{
	struct http *h = start(TOKEN);

	/* paths that are open without a token are open to all names */
	assert_int_equal(get(h, "/healthz", "Host: host.example\r\n"), 200);
	assert_int_equal(get(h, "/login", "Host: host.example\r\n"), 200);
	assert_int_equal(get(h, "/healthz", LOCAL LOCAL), 421);
	assert_int_equal(get(h, "/", LOCAL), 303);
	assert_true(says("\r\nLocation: /login\r\n"));
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL), 401);
	assert_true(says("\r\nWWW-Authenticate: Bearer realm=\"ustack\"\r\n"));
	assert_int_equal(get(h, "/metrics", LOCAL), 401);
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL "Authorization: Bearer 1" TOKEN "\r\n"),
			 401);
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL "Cookie: " AUTH_COOKIE "=" TOKEN "\r\n"),
			 401);
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL "Authorization: Bearer " TOKEN "\r\n"),
			 200);
	http_stop(h);
}

/* Logs in, and keeps the cookie of the answer as a header field. */
static void log_in(const struct http *h, char *field, size_t room)
{
	char session[AUTH_SESSION_LEN + 1];
	const char *cookie;

	assert_int_equal(ask(h, "POST /login", LOCAL, "token=" TOKEN), 303);
	assert_true(says("\r\nLocation: /\r\n"));
	cookie = strstr(answer, "\r\nSet-Cookie: " AUTH_COOKIE "=");
	assert_non_null(cookie);
	cookie = strchr(cookie, '=') + 1;
	assert_int_equal(strspn(cookie, "0123456789abcdef"), AUTH_SESSION_LEN);
	assert_int_equal(strncmp(cookie + AUTH_SESSION_LEN,
				 "; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200\r\n", 51), 0);
	memcpy(session, cookie, AUTH_SESSION_LEN);
	session[AUTH_SESSION_LEN] = 0;
	snprintf(field, room, LOCAL "Cookie: " AUTH_COOKIE "=%s\r\n", session);
}

static void sessions(void **state)
{
	struct http *h = start(TOKEN), *other = start(TOKEN);
	char field[256];

	log_in(h, field, sizeof(field));
	assert_int_equal(get(h, "/api/v1/reasons", field), 200);
	/* the cookie of another server */
	assert_int_equal(get(other, "/api/v1/reasons", field), 401);
	assert_int_equal(ask(h, "POST /logout", field, ""), 303);
	assert_true(says("\r\nLocation: /login\r\n"));
	assert_true(says("\r\nSet-Cookie: " AUTH_COOKIE
			 "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0\r\n"));
	/* not by a page of another site */
	assert_int_not_equal(ask(h, "POST /logout", LOCAL "Origin: http://evil.example\r\n", ""),
			     303);
	assert_false(says("\r\nSet-Cookie:"));
	http_stop(h);
	http_stop(other);
}

/* @len bytes that are not the token. */
static const char *form_of(size_t len)
{
	static char form[8192];

	memset(form, 'a', len);
	memcpy(form, "token=", 6);
	form[len] = 0;
	return form;
}

static void logins_that_are_refused(void **state)
{
	static const struct {
		const char *fields, *body;
		int status;
	} list[] = {
		{ LOCAL, "token=0123456789abcdeg", 303 },
		{ LOCAL, "token=", 303 },
		{ LOCAL, "other=" TOKEN, 303 },
		{ LOCAL, "token=%zz", 400 },
		{ LOCAL "Origin: http://evil.example\r\n", "token=" TOKEN, 403 },
		{ LOCAL "Origin: null\r\n", "token=" TOKEN, 403 },
		{ LOCAL "Origin: http://localhost.evil.example\r\n", "token=" TOKEN, 403 },
		{ LOCAL "Origin: http://evil.example/localhost\r\n", "token=" TOKEN, 403 },
	};
	struct http *h = start(TOKEN);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		if (ask(h, "POST /login", list[i].fields, list[i].body) != list[i].status)
			fail_msg("%s %s: %.20s", list[i].fields, list[i].body, answer);
		assert_false(says("\r\nSet-Cookie:"));
		if (list[i].status == 303)
			assert_true(says("\r\nLocation: /login#wrong\r\n"));
	}
	/* the longest possible form, and one byte more */
	assert_int_equal(ask(h, "POST /login", LOCAL, form_of(2047)), 303);
	assert_int_equal(ask(h, "POST /login", LOCAL, form_of(2048)), 413);
	assert_int_equal(ask(h, "POST /login", LOCAL, form_of(8000)), 413);
	assert_int_equal(ask(h, "POST /login", LOCAL "Origin: http://localhost\r\n",
			     "token=" TOKEN), 303);
	assert_true(says("\r\nSet-Cookie:"));
	http_stop(h);
}

/* A body of chunks reaches the server piece by piece. */
static void a_login_in_pieces(void **state)
{
	static const char request[] = "POST /login HTTP/1.1\r\n" LOCAL "Connection: close\r\n"
		"Transfer-Encoding: chunked\r\n\r\n"
		"3\r\ntok\r\n8\r\nen=01234\r\nb\r\n56789abcdef\r\n0\r\n\r\n";
	struct http *h = start(TOKEN);
	int fd = connect_to(h);

	send_all(fd, request, sizeof(request) - 1);
	assert_int_equal(read_answer(fd), 303);
	assert_true(says("\r\nLocation: /\r\n"));
	http_stop(h);
}

/*
 * The server reads up to a MiB to its end, so that the client sees why it is refused; and no
 * more.
 */
static void bodies_that_are_too_long(void **state)
{
	const size_t most = 1u << 20;
	char *body = malloc(most + 2);
	struct http *h = start(TOKEN);

	memset(body, 'a', most + 1);
	body[most + 1] = 0;
	assert_int_equal(ask(h, "POST /login", LOCAL, body), 0);
	body[most] = 0;
	assert_int_equal(ask(h, "POST /login", LOCAL, body), 413);
	free(body);
	http_stop(h);
}

/* Connections that a server has closed do not block the address for the next server. */
static void a_server_that_starts_again(void **state)
{
	struct http *h = start(NULL);
	char address[32];
	struct diag diag;

	snprintf(address, sizeof(address), "127.0.0.1:%u", http_port(h, 0));
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL), 200);
	http_stop(h);
	h = NULL;
	assert_int_equal(http_start(&(struct http_options){ .source = { .version = "1" } }, &h,
				    &diag), 0);
	assert_int_equal(http_listen(h, address, &diag), 0);
	assert_int_equal(get(h, "/api/v1/reasons", LOCAL), 200);
	http_stop(h);
}

/* One address of each family, with the same port. */
static void both_families(void **state)
{
	struct http *h = start(TOKEN);
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), err, tries;
	char address[32];
	struct diag diag;

	if (fd < 0 || http_listen(h, "[::1]:0", &diag)) {
		print_message("skip: http: this machine has no IPv6\n");
		http_stop(h);
		skip();
	}
	close(fd);
	assert_true(http_port(h, 1) != 0);
	/* another program may have the port that is free in one family in the other one */
	for (tries = 0, err = -EADDRINUSE; err == -EADDRINUSE && tries < 20; tries++) {
		http_stop(h);
		h = start(TOKEN);
		assert_int_equal(http_listen(h, "0.0.0.0:0", &diag), 0);
		snprintf(address, sizeof(address), "[::]:%u", http_port(h, 1));
		err = http_listen(h, address, &diag);
	}
	assert_int_equal(err, 0);
	assert_int_equal(http_port(h, 2), http_port(h, 1));
	http_stop(h);
}

/* Other machines do not reach a server without a token. */
static void where_it_listens(void **state)
{
	static const char *const public[] = { "0.0.0.0:0", "[::]:0", "192.0.2.1:80" };
	struct http *h = start(NULL);
	struct diag diag;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(public); i++) {
		assert_int_equal(http_listen(h, public[i], &diag), -EACCES);
		assert_string_equal(diag.file, public[i]);
		assert_string_equal(diag.text, "can be reached by other machines: it needs a token");
	}
	assert_int_equal(http_listen(h, "nowhere", &diag), -EINVAL);
	assert_int_equal(http_port(h, 1), 0);
	for (i = 1; i < HTTP_MAX_LISTEN; i++) {
		assert_int_equal(http_listen(h, "127.0.0.1:0", &diag), 0);
		assert_true(http_port(h, i) && http_port(h, i) != http_port(h, i - 1));
	}
	assert_int_equal(http_listen(h, "127.0.0.1:0", &diag), -E2BIG);
	http_stop(h);
	h = start(TOKEN);
	assert_int_equal(http_listen(h, "0.0.0.0:0", &diag), 0);
	http_stop(h);
	http_stop(NULL);
	assert_int_equal(http_start(&(struct http_options){ .token = "short" }, &h, &diag),
			 -EINVAL);
}

static struct {
	sem_t begun;
	sem_t ended;
} live;

/* Waits until no request is in progress. */
static int live_profile(unsigned int seconds, bool (*stop)(void *stop_arg), void *stop_arg,
			struct profile **ret, void *arg, struct diag *diag)
{
	sem_post(&live.begun);
	while (!stop(stop_arg))
		sched_yield();
	sem_post(&live.ended);
	return -EINTR;
}

static const char live_request[] = "GET /debug/pprof/profile?seconds=300 HTTP/1.1\r\n" LOCAL "\r\n";

/*
 * A few requests at a time; a client that has gone makes room; the end of the server ends them.
 */
static void live_profiles(void **state)
{
	struct http_options o = {
		.source = { .store = "/nowhere", .version = "1", .live = live_profile },
	};
	int fd[HTTP_MAX_LIVE];
	struct http *h = NULL;
	struct diag diag;
	unsigned int i;

	sem_init(&live.begun, 0, 0);
	sem_init(&live.ended, 0, 0);
	o.source.metrics = metrics_new();
	assert_int_equal(http_start(&o, &h, &diag), 0);
	assert_int_equal(http_listen(h, "127.0.0.1:0", &diag), 0);
	for (i = 0; i < HTTP_MAX_LIVE; i++) {
		fd[i] = connect_to(h);
		send_all(fd[i], live_request, sizeof(live_request) - 1);
		sem_wait(&live.begun);
	}
	assert_int_equal(get(h, "/debug/pprof/profile?seconds=300", LOCAL), 503);
	assert_true(says("\r\nRetry-After: 1\r\n"));
	assert_int_equal(get(h, "/metrics", LOCAL), 200);
	assert_true(says("\nustack_http_under_way{kind=\"live\"} 4\n"));
	assert_true(says("\nustack_http_requests_total{route=\"live\",class=\"5xx\"} 1\n"));
	close(fd[0]);
	sem_wait(&live.ended);
	/* it is counted when its thread has ended */
	do
		assert_int_equal(get(h, "/metrics", LOCAL), 200);
	while (!says("\nustack_http_requests_total{route=\"live\",class=\"gone\"} 1\n"));
	http_stop(h);
	/* the others */
	for (i = 1; i < HTTP_MAX_LIVE; i++) {
		sem_wait(&live.ended);
		close(fd[i]);
	}
	metrics_free(o.source.metrics);
}

static int short_profile(unsigned int seconds, bool (*stop)(void *stop_arg), void *stop_arg,
			 struct profile **ret, void *arg, struct diag *diag)
{
	*ret = profile_new();
	return *ret ? 0 : -ENOMEM;
}

/*
 * A browser saves a profile under a name, and shows no page of the daemon in a frame of another
 * site.
 */
static void a_profile_is_a_file(void **state)
{
	struct http_options o = {
		.source = { .store = "/nowhere", .version = "1", .live = short_profile },
	};
	struct http *h = NULL;
	struct diag diag;

	assert_int_equal(http_start(&o, &h, &diag), 0);
	assert_int_equal(http_listen(h, "127.0.0.1:0", &diag), 0);
	assert_int_equal(get(h, "/debug/pprof/profile?seconds=1", LOCAL), 200);
	assert_true(says("\r\nContent-Disposition: attachment; filename=\"profile.pb.gz\"\r\n"));
	assert_true(says("\r\nContent-Type: application/octet-stream\r\n"));
	assert_true(says("frame-ancestors 'none'\r\n") && says("\r\nX-Frame-Options: DENY\r\n"));
	assert_int_equal(get(h, "/", LOCAL), 200);
	assert_false(says("\r\nContent-Disposition:"));
	http_stop(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_token),
		cmocka_unit_test(paths_and_methods),
		cmocka_unit_test(fields_of_every_answer),
		cmocka_unit_test(errors_are_json),
		cmocka_unit_test(answers_are_packed),
		cmocka_unit_test(nothing_of_an_answer_stays),
		cmocka_unit_test(numbers_of_the_server),
		cmocka_unit_test(with_a_token),
		cmocka_unit_test(sessions),
		cmocka_unit_test(logins_that_are_refused),
		cmocka_unit_test(a_login_in_pieces),
		cmocka_unit_test(bodies_that_are_too_long),
		cmocka_unit_test(a_server_that_starts_again),
		cmocka_unit_test(both_families),
		cmocka_unit_test(where_it_listens),
		cmocka_unit_test(live_profiles),
		cmocka_unit_test(a_profile_is_a_file),
	};

	return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to one server: adds headers and secrets, follows redirections, and turns results of
 * libcurl and HTTP statuses into kinds of failures. Called in the target's thread, except
 * push_http_stop().
 */
#include "serve/push/http.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/net/http.h"
#include "util/net/url.h"
#include "serve/push/grpc.h"
#include "serve/push/verdict.h"
#include "util/cleanup.h"

#include "util/poison.h"

#define SECRET_BYTES 8192u
/* Most header lines that are made here, without those of the options. */
#define MAX_HEADERS 5u
#define HEADER_BYTES 512u

struct push_http {
	struct net_http *http;
	const struct push_options *options;
};

/**
 * struct exchange - a request whose answer is being received
 * @answer: gets the answer
 * @too_long: the answer's body is longer than PUSH_ANSWER_BYTES
 */
struct exchange {
	struct push_answer *answer;
	bool too_long;
};

int push_http_new(const struct push_options *options, struct push_http **ret,
		  struct diag *diag)
{
	struct push_http *h = calloc(1, sizeof(*h));
	int err = h ? net_http_new(&h->http, diag) : diag_errno(diag, ENOMEM, NULL);

	if (err) {
		free(h);
		return err;
	}
	h->options = options;
	*ret = h;
	return 0;
}

void push_http_free(struct push_http *h)
{
	if (!h)
		return;
	net_http_free(h->http);
	free(h);
}

void push_http_stop(struct push_http *h)
{
	net_http_stop(h->http);
}

static bool take_body(const void *bytes, size_t len, long status, void *arg)
{
	struct exchange *x = arg;
	size_t room = PUSH_ANSWER_BYTES - x->answer->len;

	x->too_long = len > room;
	if (x->too_long)
		len = room;
	memcpy(x->answer->body + x->answer->len, bytes, len);
	x->answer->len += len;
	return !x->too_long;
}

static bool take_head(const char *line, size_t len, void *arg)
{
	struct exchange *x = arg;

	push_grpc_head(x->answer, line, len);
	return true;
}

/*
 * Read the first line of a file with a secret. @buf: has %SECRET_BYTES. Return: 0, or -1 with the
 * reason in @answer.
 */
static int read_secret(const char *path, char *buf, struct push_answer *answer)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = errno;
	ssize_t n = -1;

	if (fd >= 0) {
		n = read(fd, buf, SECRET_BYTES);
		err = errno;
		close(fd);
	}
	if (n < 0)
		snprintf(answer->error, sizeof(answer->error), "%s: %s", path, strerror(err));
	else if (n == SECRET_BYTES)
		snprintf(answer->error, sizeof(answer->error), "%s: is too long", path);
	else
		buf[n] = '\0';
	if (n < 0 || n == SECRET_BYTES)
		return -1;
	buf[strcspn(buf, "\r\n")] = '\0';
	return 0;
}

/*
 * Describe the server and its credentials. @buf: gets the secret, has %SECRET_BYTES; must outlive
 * @ret. Return: as read_secret().
 */
static int fill_server(const struct push_options *o, char *buf, struct net_http_server *ret,
		       struct push_answer *answer)
{
	const char *file = o->user ? o->password_file : o->token_file;

	*ret = (struct net_http_server){
		.ca_file = o->ca_file, .cert_file = o->cert_file, .key_file = o->key_file,
		.proxy = o->proxy, .user = o->user, .password = o->password, .token = o->token,
		.timeout_ms = o->timeout_ms ? o->timeout_ms : PUSH_DEFAULT_TIMEOUT_MS,
	};
	if (!file)
		return 0;
	ret->password = ret->token = buf;
	return read_secret(file, buf, answer);
}

/*
 * Return: a list of all header lines, ends with NULL; the caller frees the list. The lines are in
 * @lines and in the options. NULL without memory.
 */
static const char **make_headers(const struct push_options *o, const struct push_request *request,
				 char lines[MAX_HEADERS][HEADER_BYTES])
{
	const char **ret, *const *more;
	size_t nr = 0, i;

	for (more = o->headers; more && *more; more++)
		nr++;
	ret = calloc(MAX_HEADERS + nr + 1, sizeof(*ret));
	if (!ret)
		return NULL;
	snprintf(lines[0], HEADER_BYTES, "Content-Type: %s", request->type);
	snprintf(lines[1], HEADER_BYTES, "Idempotency-Key: %s", request->identity);
	nr = 2;
	if (request->grpc) {
		snprintf(lines[nr++], HEADER_BYTES, "TE: trailers");
		snprintf(lines[nr++], HEADER_BYTES, "grpc-encoding: gzip");
	} else if (request->gzip) {
		snprintf(lines[nr++], HEADER_BYTES, "Content-Encoding: gzip");
	}
	for (i = 0; i < nr; i++)
		ret[i] = lines[i];
	for (more = o->headers; more && *more; more++)
		ret[nr++] = *more;
	return ret;
}

static enum push_failure failure_of(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return PUSH_UNRESOLVED;
	case CURLE_COULDNT_CONNECT:
		return PUSH_UNCONNECTED;
	case CURLE_OPERATION_TIMEDOUT:
		return PUSH_TIMEOUT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return PUSH_TLS;
	case CURLE_OUT_OF_MEMORY:
	case CURLE_FAILED_INIT:
	case CURLE_ABORTED_BY_CALLBACK:
		return PUSH_LOCAL;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_WRITE_ERROR:
	case CURLE_BAD_CONTENT_ENCODING:
		return PUSH_LIED;
	default:
		return PUSH_BROKEN;
	}
}

static void read_answer(const struct exchange *x, const struct net_http_end *end)
{
	struct push_answer *a = x->answer;

	a->body[a->len] = '\0';
	a->status = end->status;
	snprintf(a->type, sizeof(a->type), "%s", end->type);
	a->retry_after_ms = end->retry_after_s > PUSH_RETRY_AFTER_MAX_MS / 1000 ?
			    PUSH_RETRY_AFTER_MAX_MS : end->retry_after_s * 1000;
	/* an error status counts even if the page that explains it was not received */
	if (a->status >= 300) {
		a->failure = push_status_failure(a->status);
		snprintf(a->error, sizeof(a->error), "the server answers %ld", a->status);
	} else if (x->too_long || end->head_too_long) {
		a->failure = PUSH_LIED;
		snprintf(a->error, sizeof(a->error), "the answer is longer than %u bytes",
			 x->too_long ? PUSH_ANSWER_BYTES : NET_HTTP_HEAD_BYTES);
	} else if (end->code != CURLE_OK) {
		a->failure = failure_of(end->code);
		snprintf(a->error, sizeof(a->error), "%s", end->words);
	} else if (a->status < 200) {
		a->failure = PUSH_LIED;
		snprintf(a->error, sizeof(a->error), "the answer has status %ld", a->status);
	}
}

/*
 * Send the request to @url, without following a redirection. @redirect: gets the URL that the
 * server redirects to, valid until the next request; NULL if there is none
 */
static void send_once(struct push_http *h, const struct push_request *request, const char *url,
		      struct push_answer *a, const char **redirect)
{
	_cleanup_(cleanup_free) char *secret = malloc(SECRET_BYTES);
	_cleanup_(cleanup_free) const char **headers = NULL;
	struct exchange x = { .answer = a };
	const struct net_http_receiver take = { .head = take_head, .body = take_body, .arg = &x };
	struct net_http_request r = {
		.url = url, .body = request->body, .len = request->len, .http2 = request->grpc,
		.once = request->once,
	};
	char lines[MAX_HEADERS][HEADER_BYTES];
	struct net_http_server server;
	struct net_http_end end;

	*redirect = NULL;
	a->failure = PUSH_LOCAL;
	r.headers = headers = make_headers(h->options, request, lines);
	if (!secret || !headers) {
		snprintf(a->error, sizeof(a->error), "%s", strerror(ENOMEM));
		return;
	}
	if (fill_server(h->options, secret, &server, a))
		return;
	a->failure = PUSH_NONE;
	net_http_post(h->http, &server, &r, &take, &end);
	read_answer(&x, &end);
	*redirect = end.redirect;
	if (request->grpc && !a->failure)
		push_grpc_answer(a);
}

static bool is_redirection(const struct push_answer *a)
{
	/* 300 and 303 do not ask for the same request at another place */
	return a->status == 301 || a->status == 302 || a->status == 307 || a->status == 308;
}

/*
 * Return: the URL to send the same request to, freed by the caller. NULL if there is no
 * redirection, or if it is not followed; @a says so then.
 */
static char *redirection(const struct push_request *request, const char *to,
			 struct push_answer *a, unsigned int nr)
{
	if (!is_redirection(a))
		return NULL;
	a->failure = PUSH_REDIRECTED;
	if (!to)
		snprintf(a->error, sizeof(a->error), "the server answers %ld without a Location",
			 a->status);
	else if (!net_url_same_origin(net_curl(NULL), request->url, to))
		snprintf(a->error, sizeof(a->error),
			 "the server redirects to %.150s, which is not followed", to);
	else if (nr == PUSH_MAX_REDIRECTS)
		snprintf(a->error, sizeof(a->error), "the server redirects more than %u times",
			 PUSH_MAX_REDIRECTS);
	else
		return strdup(to);
	return NULL;
}

void push_http_send(struct push_http *h, const struct push_request *request,
		    struct push_answer *answer)
{
	char *url = strdup(request->url);
	const char *to;
	unsigned int nr;

	for (nr = 0; url; nr++) {
		/* the body is large, and is not cleared: @len says where it ends */
		answer->failure = PUSH_NONE;
		answer->status = 0;
		answer->retry_after_ms = 0;
		answer->type[0] = '\0';
		answer->grpc_status = -1;
		answer->grpc_message[0] = '\0';
		answer->error[0] = '\0';
		answer->len = 0;
		answer->body[0] = '\0';
		send_once(h, request, url, answer, &to);
		free(url);
		url = redirection(request, to, answer, nr);
		if (!url)
			return;
	}
	answer->failure = PUSH_LOCAL;
	answer->status = 0;
	answer->len = 0;
	snprintf(answer->error, sizeof(answer->error), "%s", strerror(ENOMEM));
}

// SPDX-License-Identifier: GPL-2.0-only
#include "push/http.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "net/curl.h"
#include "net/url.h"
#include "push/grpc.h"
#include "push/verdict.h"
#include "util/cleanup.h"

#include "util/poison.h"

#define SECRET_BYTES 8192u
#define CONNECT_MS 10000u

/**
 * struct push_http - a server
 * @stop: set by any thread, once
 * @answer: of the request that is on its way
 * @head: bytes of its heads
 * @too_long: its body or its head is
 */
struct push_http {
	const struct net_curl *c;
	const struct push_options *options;
	CURL *easy;
	CURLM *multi;
	atomic_bool stop;
	struct push_answer *answer;
	size_t head;
	bool too_long;
};

#define set(h, option, value) ((h)->c->p_curl_easy_setopt((h)->easy, (option), (value)))

int push_http_new(const struct push_options *options, struct push_http **ret,
		  struct diag *diag)
{
	const struct net_curl *c = net_curl(diag);
	struct push_http *h;

	if (!c)
		return -ENOSYS;
	h = calloc(1, sizeof(*h));
	if (!h)
		return diag_errno(diag, ENOMEM, NULL);
	h->c = c;
	h->options = options;
	h->easy = c->p_curl_easy_init();
	h->multi = c->p_curl_multi_init();
	if (!h->easy || !h->multi) {
		push_http_free(h);
		return diag_errno(diag, ENOMEM, NULL);
	}
	*ret = h;
	return 0;
}

void push_http_free(struct push_http *h)
{
	if (!h)
		return;
	if (h->easy)
		h->c->p_curl_easy_cleanup(h->easy);
	if (h->multi)
		h->c->p_curl_multi_cleanup(h->multi);
	free(h);
}

void push_http_stop(struct push_http *h)
{
	atomic_store(&h->stop, true);
	h->c->p_curl_multi_wakeup(h->multi);
}

static size_t take_body(char *bytes, size_t size, size_t nr, void *arg)
{
	struct push_http *h = arg;
	size_t len = size * nr, room = PUSH_ANSWER_BYTES - h->answer->len;

	h->too_long = len > room;
	if (h->too_long)
		len = room;
	memcpy(h->answer->body + h->answer->len, bytes, len);
	h->answer->len += len;
	/* anything but what came ends the transfer */
	return h->too_long ? 0 : len;
}

static size_t take_head(char *bytes, size_t size, size_t nr, void *arg)
{
	struct push_http *h = arg;

	h->head += size * nr;
	h->too_long = h->head > PUSH_HEAD_BYTES;
	push_grpc_head(h->answer, bytes, size * nr);
	return h->too_long ? 0 : size * nr;
}

/* Return: 0, or -1 with the reason in @answer: a file that a person has to mend. */
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

static int set_secrets(struct push_http *h, char *buf, struct push_answer *answer)
{
	const struct push_options *o = h->options;
	const char *token = o->token, *password = o->password;
	const char *file = o->user ? o->password_file : o->token_file;

	if (file) {
		if (read_secret(file, buf, answer))
			return -1;
		token = buf;
		password = buf;
	}
	if (o->user) {
		set(h, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		set(h, CURLOPT_USERNAME, o->user);
		set(h, CURLOPT_PASSWORD, password ? password : "");
	} else if (token) {
		set(h, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		set(h, CURLOPT_XOAUTH2_BEARER, token);
	}
	return 0;
}

static void set_connection(struct push_http *h)
{
	const struct push_options *o = h->options;
	uint32_t timeout = o->timeout_ms ? o->timeout_ms : PUSH_DEFAULT_TIMEOUT_MS;

	net_curl_connection(h->c, h->easy, o->ca_file);
	if (o->proxy)
		set(h, CURLOPT_PROXY, o->proxy);
	set(h, CURLOPT_TIMEOUT_MS, (long)timeout);
	set(h, CURLOPT_CONNECTTIMEOUT_MS, (long)(timeout < CONNECT_MS ? timeout : CONNECT_MS));
	if (o->cert_file) {
		set(h, CURLOPT_SSLCERT, o->cert_file);
		set(h, CURLOPT_SSLKEY, o->key_file);
	}
	set(h, CURLOPT_WRITEFUNCTION, take_body);
	set(h, CURLOPT_WRITEDATA, h);
	set(h, CURLOPT_HEADERFUNCTION, take_head);
	set(h, CURLOPT_HEADERDATA, h);
}

static bool add_header(struct push_http *h, struct curl_slist **list, const char *name,
		       const char *value)
{
	_cleanup_(cleanup_free) char *line = NULL;
	struct curl_slist *longer;

	if (asprintf(&line, "%s%s", name, value) < 0) {
		line = NULL;
		return false;
	}
	longer = h->c->p_curl_slist_append(*list, line);
	if (longer)
		*list = longer;
	return longer != NULL;
}

static bool add_headers(struct push_http *h, const struct push_request *request,
			struct curl_slist **list)
{
	const char *const *more = h->options->headers;

	if (!add_header(h, list, "Content-Type: ", request->type) ||
	    !add_header(h, list, "Idempotency-Key: ", request->identity) ||
	    (request->gzip && !request->grpc &&
	     !add_header(h, list, "Content-Encoding: ", "gzip")) ||
	    (request->grpc && (!add_header(h, list, "TE: ", "trailers") ||
			       !add_header(h, list, "grpc-encoding: ", "gzip"))))
		return false;
	for (; more && *more; more++)
		if (!add_header(h, list, "", *more))
			return false;
	return true;
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

/* Until it is done or stopped. Return: whether it was done, with the result in @code. */
static bool perform(struct push_http *h, CURLcode *code)
{
	const struct net_curl *c = h->c;
	int running = 1, left;
	CURLMsg *m;

	while (running && !atomic_load(&h->stop)) {
		if (c->p_curl_multi_perform(h->multi, &running) != CURLM_OK)
			return false;
		if (running && c->p_curl_multi_poll(h->multi, NULL, 0, 1000, NULL) != CURLM_OK)
			return false;
	}
	while ((m = c->p_curl_multi_info_read(h->multi, &left))) {
		if (m->msg == CURLMSG_DONE) {
			*code = m->data.result;
			return true;
		}
	}
	return false;
}

static void read_answer(struct push_http *h, CURLcode code, struct push_answer *a)
{
	const struct net_curl *c = h->c;
	char *type = NULL;
	curl_off_t after = 0;

	a->body[a->len] = '\0';
	c->p_curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &a->status);
	c->p_curl_easy_getinfo(h->easy, CURLINFO_CONTENT_TYPE, &type);
	c->p_curl_easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &after);
	snprintf(a->type, sizeof(a->type), "%s", type ? type : "");
	if (after > 0)
		a->retry_after_ms = after > (curl_off_t)(PUSH_RETRY_AFTER_MAX_MS / 1000) ?
				    PUSH_RETRY_AFTER_MAX_MS : (uint64_t)after * 1000;
	/* an error is one, whatever became of the page that explains it */
	if (a->status >= 300) {
		a->failure = push_status_failure(a->status);
		snprintf(a->error, sizeof(a->error), "the server answers %ld", a->status);
	} else if (h->too_long) {
		a->failure = PUSH_LIED;
		snprintf(a->error, sizeof(a->error), "the answer has no end within %u bytes",
			 PUSH_ANSWER_BYTES);
	} else if (code != CURLE_OK) {
		a->failure = failure_of(code);
		snprintf(a->error, sizeof(a->error), "%s", c->p_curl_easy_strerror(code));
	} else if (a->status < 200) {
		a->failure = PUSH_LIED;
		snprintf(a->error, sizeof(a->error), "the answer has status %ld", a->status);
	}
}

static void set_protocol(struct push_http *h, const struct push_request *request, const char *url)
{
	set(h, CURLOPT_FRESH_CONNECT, request->once || request->grpc ? 1l : 0l);
	if (!request->grpc)
		return;
	/* without TLS nothing can be agreed on: the server has to know HTTP/2 */
	set(h, CURLOPT_HTTP_VERSION, !strncasecmp(url, "https:", 6) ?
	    (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE);
	/* libcurl 7.88 fails at the second request of a connection to grpc's own server */
	set(h, CURLOPT_FORBID_REUSE, 1l);
}

static void send_once(struct push_http *h, const struct push_request *request, const char *url,
		      struct push_answer *a)
{
	char words[CURL_ERROR_SIZE] = "";
	_cleanup_(cleanup_free) char *secret = malloc(SECRET_BYTES);
	struct curl_slist *list = NULL;
	CURLcode code = CURLE_ABORTED_BY_CALLBACK;

	h->answer = a;
	h->head = 0;
	h->too_long = false;
	a->failure = PUSH_LOCAL;
	h->c->p_curl_easy_reset(h->easy);
	set_connection(h);
	set(h, CURLOPT_ERRORBUFFER, words);
	set(h, CURLOPT_URL, url);
	set_protocol(h, request, url);
	set(h, CURLOPT_POST, 1l);
	set(h, CURLOPT_POSTFIELDS, request->body);
	set(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->len);
	if (!secret || !add_headers(h, request, &list)) {
		snprintf(a->error, sizeof(a->error), "%s", strerror(ENOMEM));
	} else if (!set_secrets(h, secret, a)) {
		set(h, CURLOPT_HTTPHEADER, list);
		a->failure = PUSH_NONE;
		h->c->p_curl_multi_add_handle(h->multi, h->easy);
		if (!perform(h, &code))
			code = CURLE_ABORTED_BY_CALLBACK;
		read_answer(h, code, a);
		if (*words && a->failure && !a->status)
			snprintf(a->error, sizeof(a->error), "%s", words);
		if (request->grpc && !a->failure)
			push_grpc_answer(a);
		h->c->p_curl_multi_remove_handle(h->multi, h->easy);
	}
	set(h, CURLOPT_ERRORBUFFER, NULL);
	set(h, CURLOPT_HTTPHEADER, NULL);
	h->c->p_curl_slist_free_all(list);
}

static bool is_redirection(const struct push_answer *a)
{
	/* not 303, and not 300: they are no place to send the same to */
	return a->status == 301 || a->status == 302 || a->status == 307 || a->status == 308;
}

/* Return: where to send the same again, freed by the caller; NULL if nowhere. */
static char *redirection(struct push_http *h, const struct push_request *request,
			 struct push_answer *a, unsigned int nr)
{
	char *to = NULL;

	if (!is_redirection(a))
		return NULL;
	h->c->p_curl_easy_getinfo(h->easy, CURLINFO_REDIRECT_URL, &to);
	a->failure = PUSH_REDIRECTED;
	if (!to)
		snprintf(a->error, sizeof(a->error), "the server answers %ld, and not where to",
			 a->status);
	else if (!net_url_same_origin(h->c, request->url, to))
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
	unsigned int nr;

	for (nr = 0; url; nr++) {
		/* not the body, which is large and ends where @len says */
		answer->failure = PUSH_NONE;
		answer->status = 0;
		answer->retry_after_ms = 0;
		answer->type[0] = '\0';
		answer->grpc_status = -1;
		answer->grpc_message[0] = '\0';
		answer->error[0] = '\0';
		answer->len = 0;
		answer->body[0] = '\0';
		send_once(h, request, url, answer);
		free(url);
		url = redirection(h, request, answer, nr);
		if (!url)
			return;
	}
	answer->failure = PUSH_LOCAL;
	answer->status = 0;
	answer->len = 0;
	snprintf(answer->error, sizeof(answer->error), "%s", strerror(ENOMEM));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * HTTP POST requests by libcurl's multi interface (util/net/http.h).
 */
#include "util/net/http.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/poison.h"

#define CONNECT_MS 10000u
/* Milliseconds between two questions whether a request is to stop, if nobody wakes it. */
#define ASK_MS 250

/**
 * struct net_http - a client
 * @c: functions of libcurl
 * @easy: handle of the request
 * @multi: handle that runs @easy and can be woken
 * @stop: set by any thread, never cleared
 * @take: receiver of the answer of the present request
 * @head: bytes of heads received in the present request
 */
struct net_http {
	const struct net_curl *c;
	CURL *easy;
	CURLM *multi;
	atomic_bool stop;
	const struct net_http_receiver *take;
	size_t head;
};

#define set(h, option, value) ((h)->c->p_curl_easy_setopt((h)->easy, (option), (value)))

int net_http_new(struct net_http **ret, struct diag *diag)
{
	const struct net_curl *c = net_curl(diag);
	struct net_http *h;

	*ret = NULL;
	if (!c)
		return -ENOSYS;
	h = calloc(1, sizeof(*h));
	if (!h)
		return diag_errno(diag, ENOMEM, NULL);
	h->c = c;
	h->easy = c->p_curl_easy_init();
	h->multi = c->p_curl_multi_init();
	if (!h->easy || !h->multi) {
		net_http_free(h);
		return diag_errno(diag, ENOMEM, NULL);
	}
	*ret = h;
	return 0;
}

void net_http_free(struct net_http *h)
{
	if (!h)
		return;
	if (h->easy)
		h->c->p_curl_easy_cleanup(h->easy);
	if (h->multi)
		h->c->p_curl_multi_cleanup(h->multi);
	free(h);
}

void net_http_stop(struct net_http *h)
{
	atomic_store(&h->stop, true);
	h->c->p_curl_multi_wakeup(h->multi);
}

/*
 * Callback of libcurl: any return value but the number of bytes received ends
 * the transfer.
 */
static size_t take_head(char *bytes, size_t size, size_t nr, void *arg)
{
	struct net_http *h = arg;
	size_t len = size * nr;

	h->head += len;
	if (h->head > NET_HTTP_HEAD_BYTES)
		return 0;
	return !h->take->head || h->take->head(bytes, len, h->take->arg) ? len : 0;
}

static size_t take_body(char *bytes, size_t size, size_t nr, void *arg)
{
	struct net_http *h = arg;
	size_t len = size * nr;
	long status = 0;

	h->c->p_curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &status);
	return h->take->body(bytes, len, status, h->take->arg) ? len : 0;
}

/* Options that are the same for all servers. */
static void set_connection(struct net_http *h)
{
	set(h, CURLOPT_NOSIGNAL, 1l);
	/* a caller that stops does not wait for a resolver that does not answer */
	set(h, CURLOPT_QUICK_EXIT, 1l);
	set(h, CURLOPT_PROTOCOLS_STR, "http,https");
	set(h, CURLOPT_NOPROXY, "");
	set(h, CURLOPT_SSL_VERIFYPEER, 1l);
	set(h, CURLOPT_SSL_VERIFYHOST, 2l);
	set(h, CURLOPT_FOLLOWLOCATION, 0l);
	set(h, CURLOPT_USERAGENT, "ustack");
}

static void set_server(struct net_http *h, const struct net_http_server *s)
{
	/* an empty proxy means none, and keeps libcurl from asking the environment */
	set(h, CURLOPT_PROXY, s->proxy ? s->proxy : "");
	if (s->ca_file) {
		set(h, CURLOPT_CAINFO, s->ca_file);
		set(h, CURLOPT_CAPATH, NULL);
	}
	set(h, CURLOPT_TIMEOUT_MS, (long)s->timeout_ms);
	set(h, CURLOPT_CONNECTTIMEOUT_MS,
	    (long)(s->timeout_ms < CONNECT_MS ? s->timeout_ms : CONNECT_MS));
	if (s->receive_bytes)
		set(h, CURLOPT_BUFFERSIZE, (long)s->receive_bytes);
	if (s->cert_file) {
		set(h, CURLOPT_SSLCERT, s->cert_file);
		set(h, CURLOPT_SSLKEY, s->key_file);
	}
	if (s->user) {
		set(h, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		set(h, CURLOPT_USERNAME, s->user);
		set(h, CURLOPT_PASSWORD, s->password ? s->password : "");
	} else if (s->token) {
		set(h, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		set(h, CURLOPT_XOAUTH2_BEARER, s->token);
	}
}

static void set_request(struct net_http *h, const struct net_http_request *r)
{
	set(h, CURLOPT_URL, r->url);
	set(h, CURLOPT_POST, 1l);
	set(h, CURLOPT_POSTFIELDS, r->body);
	set(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->len);
	set(h, CURLOPT_WRITEFUNCTION, take_body);
	set(h, CURLOPT_WRITEDATA, h);
	set(h, CURLOPT_HEADERFUNCTION, take_head);
	set(h, CURLOPT_HEADERDATA, h);
	set(h, CURLOPT_FRESH_CONNECT, r->once || r->http2 ? 1l : 0l);
	if (!r->http2)
		return;
	set(h, CURLOPT_HTTP_VERSION, !strncasecmp(r->url, "https:", 6) ?
	    (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE);
	/*
	 * libcurl 7.88 fails at the second request of a connection to a server
	 * of gRPC's own library
	 */
	set(h, CURLOPT_FORBID_REUSE, 1l);
}

/* Return: false if there is no memory. @list is to be released in either case. */
static bool add_headers(const struct net_http *h, const char *const *headers, struct curl_slist **list)
{
	struct curl_slist *longer;

	for (; headers && *headers; headers++) {
		longer = h->c->p_curl_slist_append(*list, *headers);
		if (!longer)
			return false;
		*list = longer;
	}
	return true;
}

static bool is_stopped(struct net_http *h)
{
	return atomic_load(&h->stop) || (h->take->stop && h->take->stop(h->take->arg));
}

/* Runs the request until it is done or stopped. */
static CURLcode perform(struct net_http *h)
{
	const struct net_curl *c = h->c;
	int running = 1, left;
	CURLMsg *m;

	while (running && !is_stopped(h)) {
		if (c->p_curl_multi_perform(h->multi, &running) != CURLM_OK)
			return CURLE_FAILED_INIT;
		if (running && c->p_curl_multi_poll(h->multi, NULL, 0, ASK_MS, NULL) != CURLM_OK)
			return CURLE_FAILED_INIT;
	}
	while ((m = c->p_curl_multi_info_read(h->multi, &left)))
		if (m->msg == CURLMSG_DONE)
			return m->data.result;
	return CURLE_ABORTED_BY_CALLBACK;
}

static void read_end(struct net_http *h, struct net_http_end *ret)
{
	const struct net_curl *c = h->c;
	curl_off_t after = 0;
	char *text = NULL;

	c->p_curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &ret->status);
	c->p_curl_easy_getinfo(h->easy, CURLINFO_CONTENT_TYPE, &text);
	snprintf(ret->type, sizeof(ret->type), "%s", text ? text : "");
	c->p_curl_easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &after);
	ret->retry_after_s = after > 0 ? (uint64_t)after : 0;
	text = NULL;
	c->p_curl_easy_getinfo(h->easy, CURLINFO_REDIRECT_URL, &text);
	ret->redirect = text;
	ret->head_too_long = h->head > NET_HTTP_HEAD_BYTES;
}

void net_http_post(struct net_http *h, const struct net_http_server *server,
		   const struct net_http_request *request, const struct net_http_receiver *take,
		   struct net_http_end *ret)
{
	struct curl_slist *list = NULL;

	*ret = (struct net_http_end){ .code = CURLE_OUT_OF_MEMORY };
	h->take = take;
	h->head = 0;
	h->c->p_curl_easy_reset(h->easy);
	set_connection(h);
	set_server(h, server);
	set_request(h, request);
	set(h, CURLOPT_ERRORBUFFER, ret->words);
	if (add_headers(h, request->headers, &list)) {
		set(h, CURLOPT_HTTPHEADER, list);
		h->c->p_curl_multi_add_handle(h->multi, h->easy);
		ret->code = perform(h);
		read_end(h, ret);
		h->c->p_curl_multi_remove_handle(h->multi, h->easy);
	}
	if (ret->code != CURLE_OK && !*ret->words)
		snprintf(ret->words, sizeof(ret->words), "%s", h->c->p_curl_easy_strerror(ret->code));
	set(h, CURLOPT_ERRORBUFFER, NULL);
	set(h, CURLOPT_HTTPHEADER, NULL);
	h->c->p_curl_slist_free_all(list);
}

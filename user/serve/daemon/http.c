// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the HTTP server: starts libmicrohttpd for each address, with limits, and collects the parts
 * of each request until http_serve.c can answer it.
 */
#include "serve/daemon/http.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/daemon/http_private.h"
#include "util/thread.h"

#include "util/poison.h"

/* A connection may be silent for so long; requests that take time get longer. */
#define IDLE_SECONDS 15
/* Memory of a connection for headers and libmicrohttpd's own state. */
#define CONNECTION_BYTES (40u << 10)
#define THREAD_STACK_BYTES (1u << 20)
#define BACKLOG 32
#define MAX_BODY (1u << 20)

/* Called first for each request. libmicrohttpd passes the exchange to all later callbacks. */
static void *see_target(void *arg, const char *target, struct MHD_Connection *c)
{
	struct exchange *x = calloc(1, sizeof(*x));

	if (x)
		x->target = strdup(target);
	return x;
}

/* Called last for each request. */
static void forget(void *arg, struct MHD_Connection *c, void **state,
		   enum MHD_RequestTerminationCode why)
{
	struct exchange *x = *state;

	if (x) {
		free(x->target);
		/* it may hold the token of a login */
		explicit_bzero(x->form, sizeof(x->form));
	}
	free(x);
	*state = NULL;
}

static void take_form(struct exchange *x, const char *bytes, size_t len)
{
	x->body_len += len;
	if (x->body_len >= sizeof(x->form))
		return;
	memcpy(x->form + x->form_len, bytes, len);
	x->form_len += len;
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_len, void **state)
{
	struct exchange *x = *state;

	if (!x || !x->target)
		return MHD_NO;
	if (!x->started) {
		/* wait for the body: an answer now would close the connection while it is sent */
		x->started = true;
		MHD_set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, IDLE_SECONDS);
		return MHD_YES;
	}
	if (*upload_len) {
		take_form(x, upload, *upload_len);
		*upload_len = 0;
		/* a form that is a little too long gets an answer after its end */
		return x->body_len > MAX_BODY ? MHD_NO : MHD_YES;
	}
	return http_serve(arg, c, method, x);
}

static void count_connection(void *arg, struct MHD_Connection *c, void **context,
			     enum MHD_ConnectionNotificationCode what)
{
	struct http *h = arg;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		atomic_fetch_add(&h->connections, 1);
	else
		atomic_fetch_sub(&h->connections, 1);
}

/* Drops libmicrohttpd's messages: a client gets its errors in the answer. */
static void say_nothing(void *arg, const char *fmt, va_list args)
{
}

static int listen_at(const struct sockaddr_storage *address, socklen_t len, unsigned int *port)
{
	struct sockaddr_storage bound;
	socklen_t bound_len = sizeof(bound);
	int on = 1, err;
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address->ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)address, len) || listen(fd, BACKLOG) ||
	    getsockname(fd, (struct sockaddr *)&bound, &bound_len)) {
		err = -errno;
		close(fd);
		return err;
	}
	*port = ntohs(bound.ss_family == AF_INET ?
		      ((struct sockaddr_in *)&bound)->sin_port :
		      ((struct sockaddr_in6 *)&bound)->sin6_port);
	return fd;
}

static struct MHD_Daemon *start_daemon(struct http *h, int fd)
{
	const unsigned int flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
				   MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG;

	return MHD_start_daemon(flags, 0, NULL, NULL, handle, h,
				MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
				MHD_OPTION_LISTEN_SOCKET, fd,
				MHD_OPTION_CONNECTION_LIMIT, HTTP_MAX_CONNECTIONS,
				MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)IDLE_SECONDS,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
				MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_STACK_BYTES,
				MHD_OPTION_STRICT_FOR_CLIENT, 1,
				MHD_OPTION_URI_LOG_CALLBACK, see_target, h,
				MHD_OPTION_NOTIFY_COMPLETED, forget, h,
				MHD_OPTION_NOTIFY_CONNECTION, count_connection, h,
				MHD_OPTION_END);
}

/* Starts a server whose threads block all signals: they inherit the mask of this thread. */
static struct MHD_Daemon *start_quietly(struct http *h, int fd)
{
	struct MHD_Daemon *d;
	sigset_t before;

	thread_mask_signals(&before);
	d = start_daemon(h, fd);
	thread_unmask_signals(&before);
	return d;
}

static int init(struct http *h, const struct http_options *o, struct diag *diag)
{
	static const double bounds[] = { .001, .005, .01, .05, .1, .5, 1, 5, 10, 30, 60 };
	int err;

	h->source = o->source;
	h->source.locked = o->token;
	h->seconds.bounds = bounds;
	h->seconds.nr_bounds = sizeof(bounds) / sizeof(bounds[0]);
	err = auth_session_new(h->session);
	if (err)
		return diag_errno(diag, -err, NULL);
	if (o->token) {
		err = auth_token_check(o->token, diag);
		if (err)
			return err;
		h->token = strdup(o->token);
		if (!h->token)
			return diag_errno(diag, ENOMEM, NULL);
	}
	if (o->source.metrics && metrics_register(o->source.metrics, http_collect, h))
		return diag_errno(diag, ENOMEM, NULL);
	return 0;
}

int http_start(const struct http_options *o, struct http **ret, struct diag *diag)
{
	struct http *h = calloc(1, sizeof(*h));
	int err;

	if (!h)
		return diag_errno(diag, ENOMEM, NULL);
	err = init(h, o, diag);
	if (err)
		http_stop(h);
	else
		*ret = h;
	return err;
}

int http_listen(struct http *h, const char *address, struct diag *diag)
{
	struct sockaddr_storage at;
	socklen_t len;
	int err, fd;

	if (h->nr == HTTP_MAX_LISTEN)
		return diag_set(diag, E2BIG, address, "there are more than %u addresses",
				HTTP_MAX_LISTEN);
	err = auth_address(address, &at, &len, diag);
	if (err)
		return err;
	if (!h->token && !auth_is_loopback(&at))
		return diag_set(diag, EACCES, address,
				"can be reached by other machines: it needs a token");
	fd = listen_at(&at, len, &h->ports[h->nr]);
	if (fd < 0)
		return diag_errno(diag, -fd, address);
	h->daemons[h->nr] = start_quietly(h, fd);
	if (!h->daemons[h->nr]) {
		close(fd);
		return diag_set(diag, ENOMEM, address, "the server cannot be started");
	}
	h->nr++;
	return 0;
}

unsigned int http_port(const struct http *h, unsigned int i)
{
	return i < h->nr ? h->ports[i] : 0;
}

void http_stop(struct http *h)
{
	unsigned int i;

	if (!h)
		return;
	atomic_store(&h->stopping, true);
	for (i = 0; i < h->nr; i++)
		MHD_stop_daemon(h->daemons[i]);
	if (h->source.metrics)
		metrics_unregister(h->source.metrics, h);
	if (h->token)
		explicit_bzero(h->token, strlen(h->token));
	free(h->token);
	free(h);
}

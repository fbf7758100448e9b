// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks a target's options, copies them with their defaults, and releases the copy. Secrets are
 * overwritten before their memory is freed.
 */
#include "serve/push/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/clickhouse/schema.h"
#include "util/net/url_check.h"

#include "util/poison.h"

#define MAX_HEADERS 64u

static const char *const services[] = { "service_name", "unit", "container", "command", NULL };

static bool is_name(const char *name)
{
	return name && *name && strlen(name) <= PUSH_NAME_BYTES &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789-_")];
}

/* Return: whether a text may be part of a header line: it has no control characters. */
static bool is_line(const char *text)
{
	for (; text && *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

static bool is_header(const char *text)
{
	size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789!#$%&'*+-.^_`|~");

	return name && text[name] == ':' && text[name + 1 + strspn(text + name + 1, " ")] &&
	       is_line(text);
}

/*
 * Return: whether a header is one that must not be set by options: ustack or libcurl makes it, or
 * it is Authorization, which would also be sent without TLS.
 */
static bool is_own_header(const char *text)
{
	static const char *const own[] = { "content-length:", "content-type:", "content-encoding:",
					   "transfer-encoding:", "host:", "authorization:",
					   "idempotency-key:", "expect:", "connection:" };
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!strncasecmp(text, own[i], strlen(own[i])))
			return true;
	return false;
}

static int check_headers(const struct push_options *o, struct diag *diag)
{
	unsigned int i;

	for (i = 0; o->headers && o->headers[i]; i++) {
		if (i == MAX_HEADERS)
			return diag_set(diag, EINVAL, NULL, "more than %u headers", MAX_HEADERS);
		if (!is_header(o->headers[i]))
			return diag_set(diag, EINVAL, NULL, "header %u is no \"Name: value\"", i + 1);
		if (is_own_header(o->headers[i]))
			return diag_set(diag, EINVAL, NULL, "header %u is not to be set here", i + 1);
	}
	return 0;
}

static int check_secrets(const struct push_options *o, struct diag *diag)
{
	if ((o->token || o->token_file) && o->user)
		return diag_set(diag, EINVAL, NULL, "both a token and a user");
	if ((o->token && o->token_file) || (o->password && o->password_file))
		return diag_set(diag, EINVAL, NULL, "both a secret and a file with it");
	if ((o->password || o->password_file) && !o->user)
		return diag_set(diag, EINVAL, NULL, "a password without a user");
	if (o->user && strchr(o->user, ':'))
		return diag_set(diag, EINVAL, NULL, "the user has a colon");
	if (!is_line(o->token) || !is_line(o->user) || !is_line(o->password))
		return diag_set(diag, EINVAL, NULL, "a token, user or password has a control "
				"character");
	if (!o->cert_file != !o->key_file)
		return diag_set(diag, EINVAL, NULL, "a client certificate needs its key, and a key "
				"its certificate");
	if (o->cert_file && strncasecmp(o->url, "https:", 6))
		return diag_set(diag, EINVAL, NULL, "a client certificate without TLS");
	return 0;
}

int push_check(const struct push_options *o, struct diag *diag)
{
	int err;

	if (!is_name(o->name))
		return diag_set(diag, EINVAL, NULL, "the name of a target is 1 to %u letters, "
				"digits, '-' and '_'", PUSH_NAME_BYTES);
	err = net_url_check(o->url, o->token || o->token_file || o->user, diag);
	if (!err)
		err = check_secrets(o, diag);
	if (!err)
		err = check_headers(o, diag);
	if (!err && o->proxy)
		err = net_url_check(o->proxy, false, diag);
	if (!err && o->type >= PUSH_NR_TYPES)
		err = diag_set(diag, EINVAL, NULL, "no such type of target");
	if (!err && o->database && !clickhouse_is_name(o->database))
		err = diag_set(diag, EINVAL, NULL, "the name of a database is 1 to %u letters, "
			       "digits and '_'", CLICKHOUSE_MAX_NAME);
	if (!err && o->timeout_ms > PUSH_MAX_TIMEOUT_MS)
		err = diag_set(diag, EINVAL, NULL, "a timeout of more than %u s",
			       PUSH_MAX_TIMEOUT_MS / 1000);
	if (!err && o->batch > PUSH_MAX_BATCH)
		err = diag_set(diag, EINVAL, NULL, "a batch of more than %u windows",
			       PUSH_MAX_BATCH);
	if (err && diag && is_name(o->name))
		diag->file = o->name;
	return err;
}

/* NULL stays NULL. */
static bool copy_text(const char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

static bool copy_list(const char *const **to, const char *const *from)
{
	const char **list;
	size_t nr = 0, i;

	*to = NULL;
	if (!from)
		return true;
	while (from[nr])
		nr++;
	list = calloc(nr + 1, sizeof(*list));
	*to = list;
	for (i = 0; list && i < nr; i++)
		if (!copy_text(&list[i], from[i]))
			return false;
	return list != NULL;
}

static bool copy_texts(struct push_options *to, const struct push_options *from)
{
	return copy_text(&to->name, from->name) && copy_text(&to->url, from->url) &&
	       copy_text(&to->token, from->token) &&
	       copy_text(&to->token_file, from->token_file) &&
	       copy_text(&to->user, from->user) && copy_text(&to->password, from->password) &&
	       copy_text(&to->password_file, from->password_file) &&
	       copy_text(&to->ca_file, from->ca_file) &&
	       copy_text(&to->cert_file, from->cert_file) &&
	       copy_text(&to->key_file, from->key_file) && copy_text(&to->proxy, from->proxy) &&
	       copy_text(&to->database, from->database);
}

int push_options_copy(struct push_options *to, const struct push_options *from)
{
	*to = (struct push_options){
		.type = from->type,
		.timeout_ms = from->timeout_ms ? from->timeout_ms : PUSH_DEFAULT_TIMEOUT_MS,
		.batch = from->batch ? from->batch : PUSH_DEFAULT_BATCH,
	};
	if (copy_texts(to, from) && copy_list(&to->headers, from->headers) &&
	    copy_list(&to->services, from->services ? from->services : services) &&
	    copy_list(&to->keep, from->keep))
		return 0;
	push_options_release(to);
	return -ENOMEM;
}

static void free_list(const char *const *list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free((void *)list[i]);
	free((void *)list);
}

/* A secret must not stay in memory that is allocated again for something else. */
static void free_secret(const char *text)
{
	if (text)
		explicit_bzero((void *)text, strlen(text));
	free((void *)text);
}

void push_options_release(struct push_options *o)
{
	free((void *)o->name);
	free((void *)o->url);
	free_secret(o->token);
	free((void *)o->token_file);
	free((void *)o->user);
	free_secret(o->password);
	free((void *)o->password_file);
	free((void *)o->ca_file);
	free((void *)o->cert_file);
	free((void *)o->key_file);
	free((void *)o->proxy);
	free((void *)o->database);
	free_list(o->headers);
	free_list(o->services);
	free_list(o->keep);
	*o = (struct push_options){ 0 };
}

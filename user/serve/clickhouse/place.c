// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a place (place.h) with libcurl's URL parser, and finds the password: in the text, in a
 * file or in the environment. Passwords are overwritten before their memory is freed.
 */
#include "serve/clickhouse/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/net/curl.h"
#include "util/net/url_check.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

#define PLAIN "clickhouse://"
#define TLS "clickhouses://"
#define MAX_PASSWORD 8192u
#define MAX_DATABASE 256u
#define PASSWORD_VARIABLE "CLICKHOUSE_PASSWORD"

bool clickhouse_is_place(const char *text)
{
	return text && (!strncasecmp(text, PLAIN, strlen(PLAIN)) ||
			!strncasecmp(text, TLS, strlen(TLS)));
}

void clickhouse_place_release(struct clickhouse_place *p)
{
	free(p->endpoint);
	free(p->user);
	if (p->password)
		explicit_bzero(p->password, strlen(p->password));
	free(p->password);
	free(p->database);
	free(p->shown);
	*p = (struct clickhouse_place){ 0 };
}

/* A URL that libcurl has parsed. */
struct parts {
	const struct net_curl *c;
	CURLU *url;
};

/* Copy a part of the URL; NULL if it has no such part. Return: 0 or a negative errno. */
static int take_part(const struct parts *u, CURLUPart part, bool decode, char **ret,
		     struct diag *diag)
{
	char *text = NULL;
	CURLUcode code = u->c->p_curl_url_get(u->url, part, &text, decode ? CURLU_URLDECODE : 0);

	*ret = NULL;
	if (code == CURLUE_OUT_OF_MEMORY)
		return diag_errno(diag, ENOMEM, NULL);
	if (code == CURLUE_URLDECODE)
		return diag_set(diag, EINVAL, NULL, "the place has a bad %%XX");
	if (code || !text)
		return 0;
	*ret = strdup(text);
	u->c->p_curl_free(text);
	return *ret ? 0 : diag_errno(diag, ENOMEM, NULL);
}

static int refuse_part(const struct parts *u, CURLUPart part, const char *name, struct diag *diag)
{
	_cleanup_(cleanup_free) char *text = NULL;
	int err = take_part(u, part, false, &text, diag);

	if (err || !text)
		return err;
	return diag_set(diag, EINVAL, NULL, "the place has a %s, which is not allowed", name);
}

static int take_database(const struct parts *u, struct clickhouse_place *p, struct diag *diag)
{
	int err = take_part(u, CURLUPART_PATH, true, &p->database, diag);

	if (err)
		return err;
	if (!p->database || !p->database[0] || !p->database[1])
		return diag_set(diag, EINVAL, NULL, "the place has no database: " PLAIN
						    "HOST[:PORT]/DATABASE");
	memmove(p->database, p->database + 1, strlen(p->database));
	if (strchr(p->database, '/') || strlen(p->database) > MAX_DATABASE)
		return diag_set(diag, EINVAL, NULL, "the place's database has a slash, or more than %u "
				"bytes", MAX_DATABASE);
	return 0;
}

static int take_endpoint(const struct parts *u, bool tls, struct clickhouse_place *p,
			 struct diag *diag)
{
	_cleanup_(cleanup_free) char *host = NULL;
	_cleanup_(cleanup_free) char *port = NULL;
	int err = take_part(u, CURLUPART_HOST, false, &host, diag);
	const char *at;

	err = err ? err : take_part(u, CURLUPART_PORT, false, &port, diag);
	if (err)
		return err;
	if (!host || !*host)
		return diag_set(diag, EINVAL, NULL, "the place has no host");
	at = port ? port : tls ? CLICKHOUSE_TLS_PORT : CLICKHOUSE_PORT;
	if (asprintf(&p->endpoint, "%s://%s:%s/", tls ? "https" : "http", host, at) < 0) {
		p->endpoint = NULL;
		return diag_errno(diag, ENOMEM, NULL);
	}
	if (asprintf(&p->shown, "%s%s:%s/%s", tls ? TLS : PLAIN, host, at, p->database) < 0) {
		p->shown = NULL;
		return diag_errno(diag, ENOMEM, NULL);
	}
	return 0;
}

static int take_parts(const struct parts *u, bool tls, struct clickhouse_place *p,
		      struct diag *diag)
{
	int err = refuse_part(u, CURLUPART_QUERY, "query", diag);

	err = err ? err : refuse_part(u, CURLUPART_FRAGMENT, "fragment", diag);
	err = err ? err : take_part(u, CURLUPART_USER, true, &p->user, diag);
	err = err ? err : take_part(u, CURLUPART_PASSWORD, true, &p->password, diag);
	err = err ? err : take_database(u, p, diag);
	return err ? err : take_endpoint(u, tls, p, diag);
}

static int read_password(const char *path, char **ret, struct diag *diag)
{
	_cleanup_(file_release) struct file f = FILE_INIT;
	uint8_t *bytes;
	int err = file_open(&f, path, diag);

	if (err)
		return err;
	if (f.size > MAX_PASSWORD)
		return diag_set(diag, EINVAL, path, "is too long for a password");
	*ret = calloc(1, (size_t)f.size + 1);
	if (!*ret)
		return diag_errno(diag, ENOMEM, path);
	err = file_read_new(&f, 0, (size_t)f.size, &bytes, diag);
	if (err)
		return err;
	memcpy(*ret, bytes, (size_t)f.size);
	explicit_bzero(bytes, (size_t)f.size);
	free(bytes);
	(*ret)[strcspn(*ret, "\r\n")] = '\0';
	return 0;
}

/* The environment's password is used if neither the place nor a file has one. */
static int find_password(struct clickhouse_place *p, const char *file, struct diag *diag)
{
	const char *variable = getenv(PASSWORD_VARIABLE);

	if (file && p->password)
		return diag_set(diag, EINVAL, NULL, "the place has a password, and so has %s", file);
	if (file)
		return read_password(file, &p->password, diag);
	if (p->password || !variable || !*variable)
		return 0;
	p->password = strdup(variable);
	return p->password ? 0 : diag_errno(diag, ENOMEM, NULL);
}

int clickhouse_place_parse(const char *text, const char *password_file,
			   struct clickhouse_place *ret, struct diag *diag)
{
	struct parts u = { .c = net_curl(diag) };
	bool tls;
	int err;

	*ret = (struct clickhouse_place){ 0 };
	if (!u.c)
		return -ENOSYS;
	if (!clickhouse_is_place(text))
		return diag_set(diag, EINVAL, NULL, "'%.100s' is no " PLAIN "HOST[:PORT]/DATABASE",
				text ? text : "");
	tls = !strncasecmp(text, TLS, strlen(TLS));
	u.url = u.c->p_curl_url();
	if (!u.url)
		return diag_errno(diag, ENOMEM, NULL);
	if (strlen(text) >= NET_URL_BYTES ||
	    u.c->p_curl_url_set(u.url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME))
		err = diag_set(diag, EINVAL, NULL, "the place is not a URL");
	else
		err = take_parts(&u, tls, ret, diag);
	u.c->p_curl_url_cleanup(u.url);
	err = err ? err : find_password(ret, password_file, diag);
	return err ? err : net_url_check(ret->endpoint, ret->password != NULL, diag);
}

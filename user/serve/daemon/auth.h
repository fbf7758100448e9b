/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access control: addresses that are served without a token, host names that a browser may use for
 * this machine, tokens and session cookies. It works only on texts and has no state.
 */
#ifndef USTACK_USER_DAEMON_AUTH_H
#define USTACK_USER_DAEMON_AUTH_H

#include <stdbool.h>
#include <sys/socket.h>

#include "util/diag.h"

/* Characters of a token. A shorter one could be found by trying. */
#define AUTH_MIN_TOKEN 16u
#define AUTH_MAX_TOKEN 1024u
/* Hexadecimal digits of the session that a browser keeps in a cookie after login. */
#define AUTH_SESSION_LEN 64u
#define AUTH_COOKIE "ustack_session"

/**
 * auth_address() - parse an address to listen on
 * @text: "127.0.0.1:7071" or "[::1]:7071"; only numbers, because other hosts control what a name
 *        means
 * @ret: the address, written on success
 * @len: length of the address
 * @diag: may be NULL; its file is @text
 *
 * Return: 0 or -EINVAL.
 */
int auth_address(const char *text, struct sockaddr_storage *ret, socklen_t *len,
		 struct diag *diag);

/* Whether only this machine can reach an address. */
bool auth_is_loopback(const struct sockaddr_storage *address);

/**
 * auth_host_is_local() - whether the host name in a browser's request means this machine
 * @host: the Host or :authority field, such as "localhost:7071"; NULL if there is none
 *
 * The owner of another host can let its name point to 127.0.0.1, so that its page can read what is
 * served there (DNS rebinding). But this field still has the other host's name. Ports are not
 * compared, because a tunnel may have another port.
 *
 * Return: whether it is "localhost", 127.0.0.0/8 or [::1].
 */
bool auth_host_is_local(const char *host);

/* Whether two texts are equal; its time does not depend on where they differ. */
bool auth_equal(const char *a, const char *b);

/* Whether an Authorization field is "Bearer TOKEN" with this token. */
bool auth_bearer(const char *authorization, const char *token);

/**
 * auth_cookie() - whether one of a browser's cookies has the session
 * @cookies: the Cookie field; NULL if there is none
 * @session: the session, AUTH_SESSION_LEN digits
 */
bool auth_cookie(const char *cookies, const char *session);

/* Makes the random digits of a new session. Return: 0 or a negative errno. */
int auth_session_new(char ret[AUTH_SESSION_LEN + 1]);

/* Checks that a token is long enough and can stand in a header. Return: 0 or -EINVAL. */
int auth_token_check(const char *token, struct diag *diag);

#endif /* USTACK_USER_DAEMON_AUTH_H */

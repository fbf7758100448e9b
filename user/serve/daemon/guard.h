/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may ask: addresses that are served without a token, names under which a browser may
 * know them, and tokens. All of it works on what a client sent, and on nothing else.
 */
#ifndef USTACK_USER_DAEMON_GUARD_H
#define USTACK_USER_DAEMON_GUARD_H

#include <stdbool.h>
#include <sys/socket.h>

#include "util/diag.h"

/* A shorter one could be tried out. */
#define GUARD_MIN_TOKEN 16u
#define GUARD_MAX_TOKEN 1024u
/* Hexadecimal digits of what a browser keeps after a login. */
#define GUARD_SESSION_LEN 64u
#define GUARD_COOKIE "ustack_session"

/**
 * guard_address() - an address to listen at
 * @text: "127.0.0.1:7071", "[::1]:7071"; numbers alone, as names are other hosts' to say
 * @ret: written on success
 * @len: bytes of it
 * @diag: may be NULL; names @text
 *
 * Return: 0 or -EINVAL.
 */
int guard_address(const char *text, struct sockaddr_storage *ret, socklen_t *len,
		  struct diag *diag);

/* Whether nobody but this machine reaches it. */
bool guard_is_loopback(const struct sockaddr_storage *address);

/**
 * guard_host_is_local() - whether a browser means this machine by a name
 * @host: of the Host or :authority field, "localhost:7071"; NULL if there is none
 *
 * A page of another host can have its name point to 127.0.0.1 and then read what is
 * served there (DNS rebinding), but its own name stays in this field. Ports are not
 * compared: tunnels have others.
 *
 * Return: whether it is "localhost", 127.0.0.0/8 or [::1].
 */
bool guard_host_is_local(const char *host);

/* Whether two texts are equal, in a time that says nothing of where they differ. */
bool guard_equal(const char *a, const char *b);

/* Whether "Bearer TOKEN" has the token. */
bool guard_bearer(const char *authorization, const char *token);

/**
 * guard_cookie() - whether one of a browser's cookies is the session's
 * @cookies: of the Cookie field; NULL if there is none
 * @session: GUARD_SESSION_LEN digits
 */
bool guard_cookie(const char *cookies, const char *session);

/* New secret digits. Return: 0 or a negative errno. */
int guard_session_new(char ret[GUARD_SESSION_LEN + 1]);

/* Whether it is long enough, and of characters that a header can have. */
int guard_token_check(const char *token, struct diag *diag);

#endif /* USTACK_USER_DAEMON_GUARD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libcurl, loaded when a push target needs it. It brings thirty libraries with
 * it, which commands that never push do not have to load.
 */
#ifndef USTACK_USER_NET_CURL_H
#define USTACK_USER_NET_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "util/diag.h"

#define NET_CURL_FUNCTIONS(X)			\
	X(curl_global_init)			\
	X(curl_easy_init)			\
	X(curl_easy_cleanup)			\
	X(curl_easy_reset)			\
	X(curl_easy_setopt)			\
	X(curl_easy_getinfo)			\
	X(curl_easy_strerror)			\
	X(curl_multi_init)			\
	X(curl_multi_cleanup)			\
	X(curl_multi_add_handle)		\
	X(curl_multi_remove_handle)		\
	X(curl_multi_perform)			\
	X(curl_multi_poll)			\
	X(curl_multi_wakeup)			\
	X(curl_multi_info_read)			\
	X(curl_slist_append)			\
	X(curl_slist_free_all)			\
	X(curl_url)				\
	X(curl_url_set)				\
	X(curl_url_get)				\
	X(curl_url_cleanup)			\
	X(curl_free)

#define NET_CURL_MEMBER(name) __typeof__(&name) p_##name;
struct net_curl {
	NET_CURL_FUNCTIONS(NET_CURL_MEMBER)
};

/* Return: the functions of libcurl; NULL if it cannot be loaded, with the reason in @diag. */
const struct net_curl *net_curl(struct diag *diag);

#endif /* USTACK_USER_NET_CURL_H */

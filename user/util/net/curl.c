// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads libcurl by dlopen(3) when it is first needed (util/net/curl.h).
 */
#include "util/net/curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include "util/poison.h"

/*
 * libcurl exists in two builds. The one with GnuTLS is tried first: this
 * process has GnuTLS anyway, because of libmicrohttpd, and its licence asks
 * nothing of a program under the GPL 2. The other one is usually built with
 * OpenSSL: Documentation/decisions/0014-licences.md.
 */
#define LIBRARY "libcurl-gnutls.so.4"
#define OTHER_LIBRARY "libcurl.so.4"

static struct net_curl functions;
static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		library = dlopen(OTHER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		missing = "cannot be loaded, nor " OTHER_LIBRARY
			  "; they are in Debian's packages libcurl3-gnutls and libcurl4";
		return;
	}
	/* POSIX's way to make a function pointer of what dlsym() returns */
#define GET(name)								\
	*(void **)&functions.p_##name = dlsym(library, #name);			\
	if (!functions.p_##name)						\
		missing = "has no " #name "(): it is too old";
	NET_CURL_FUNCTIONS(GET)
#undef GET
	if (!missing && functions.p_curl_global_init(CURL_GLOBAL_DEFAULT))
		missing = "cannot be initialized";
}

const struct net_curl *net_curl(struct diag *diag)
{
	pthread_once(&once, load);
	if (!missing)
		return &functions;
	diag_set(diag, ENOSYS, LIBRARY, "%s", missing);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces two libraries that the static program is not linked with. Only make static uses this file.
 *
 * GnuTLS needs libp11-kit.a, which Debian does not have. The daemon's server has no TLS, so
 * libmicrohttpd calls only the functions that set GnuTLS up and shut it down. These succeed; every
 * other function ends the program.
 *
 * The dynamic loader must not be used, because the machine may have another C library. dlopen() always
 * fails. The program then reports that libcurl and libdebuginfod are missing, as it does where they
 * are not installed.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define NOTHING(name)       \
	int name(void);     \
	int name(void)      \
	{                   \
		return 0;   \
	}
#define NEVER(name)                                                        \
	int name(void);                                                    \
	int name(void)                                                     \
	{                                                                  \
		fputs("ustack: " #name "() is not part of the static program\n", stderr); \
		abort();                                                   \
	}

NOTHING(gnutls_global_init)
NOTHING(gnutls_global_deinit)

NEVER(gnutls_alpn_set_protocols)
NEVER(gnutls_bye)
NEVER(gnutls_certificate_allocate_credentials)
NEVER(gnutls_certificate_free_credentials)
NEVER(gnutls_certificate_server_set_request)
NEVER(gnutls_certificate_set_dh_params)
NEVER(gnutls_certificate_set_retrieve_function2)
NEVER(gnutls_certificate_set_retrieve_function3)
NEVER(gnutls_certificate_set_x509_key_mem)
NEVER(gnutls_certificate_set_x509_key_mem2)
NEVER(gnutls_certificate_set_x509_trust_mem)
NEVER(gnutls_cipher_get)
NEVER(gnutls_credentials_set)
NEVER(gnutls_deinit)
NEVER(gnutls_dh_params_deinit)
NEVER(gnutls_dh_params_import_pkcs3)
NEVER(gnutls_dh_params_init)
NEVER(gnutls_handshake)
NEVER(gnutls_init)
NEVER(gnutls_priority_deinit)
NEVER(gnutls_priority_init)
NEVER(gnutls_priority_set)
NEVER(gnutls_protocol_get_version)
NEVER(gnutls_psk_allocate_server_credentials)
NEVER(gnutls_psk_free_server_credentials)
NEVER(gnutls_psk_set_server_credentials_function)
NEVER(gnutls_record_check_pending)
NEVER(gnutls_record_get_direction)
NEVER(gnutls_record_recv)
NEVER(gnutls_record_send)
NEVER(gnutls_session_get_ptr)
NEVER(gnutls_session_set_ptr)
NEVER(gnutls_strerror)
NEVER(gnutls_transport_set_int2)
/* a variable of GnuTLS, a pointer to a function */
void *(*gnutls_malloc)(size_t bytes) = malloc;

void *dlopen(const char *file, int mode);
char *dlerror(void);
void *dlsym(void *handle, const char *name);
int dlclose(void *handle);

void *dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}

char *dlerror(void)
{
	static char text[] = "this program is static and loads no libraries";

	return text;
}

void *dlsym(void *handle, const char *name)
{
	(void)handle;
	(void)name;
	return NULL;
}

int dlclose(void *handle)
{
	(void)handle;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses and checks single words of the configuration. Private to user/serve/daemon/config*.c. */
#ifndef USTACK_USER_DAEMON_CONFIG_VALUE_H
#define USTACK_USER_DAEMON_CONFIG_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/daemon/config.h"

/* These functions return whether @text is valid; @ret is written only then. */

/* Decimal digits, without a sign and without leading zeros, which mean octal in YAML. */
bool config_value_number(const char *text, uint64_t *ret);
/* A number and "ns", "us", "ms", "s", "m", "h", "d" or "w"; or "0". @ret is in nanoseconds. */
bool config_value_duration(const char *text, uint64_t *ret);
/* A number, alone or with "B", "KB", "MB", "GB", "TB" (1000), "KiB", ... "TiB" (1024). @ret is in
 * bytes.
 */
bool config_value_size(const char *text, uint64_t *ret);
/* A number of at most 100 with up to four decimals, and "%"; or "0". @ret is in parts of
 * CONFIG_WHOLE.
 */
bool config_value_share(const char *text, uint64_t *ret);
/* "true" or "false". */
bool config_value_bool(const char *text, bool *ret);
/* An IP address and a port: 127.0.0.1:80, [::1]:80. @ret->text stays as it is. */
bool config_value_address(const char *text, struct config_address *ret);

/* These functions return NULL if the text is valid, else the reason why it is not. */
const char *config_value_bad_url(const char *text);
const char *config_value_bad_path(const char *text);
const char *config_value_bad_header(const char *name, const char *value);
/* Checks the name of a target or of a user. */
const char *config_value_bad_name(const char *text);

#endif /* USTACK_USER_DAEMON_CONFIG_VALUE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/serve/daemon/config*.c: what a word of the configuration means. */
#ifndef USTACK_USER_DAEMON_CONFIG_VALUE_H
#define USTACK_USER_DAEMON_CONFIG_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/daemon/config.h"

/* All of them: whether @text is one; @ret is written only then. */

/* Decimal digits, without a sign or zeros in front: YAML has these octal. */
bool config_value_number(const char *text, uint64_t *ret);
/* A number and "ns", "us", "ms", "s", "m", "h", "d" or "w"; or "0". In nanoseconds. */
bool config_value_duration(const char *text, uint64_t *ret);
/* A number and nothing, "B", "KB", "MB", "GB", "TB" (1000), "KiB", ... "TiB" (1024). */
bool config_value_size(const char *text, uint64_t *ret);
/* At most 100 with up to four digits behind a point, and "%"; or "0". Of CONFIG_WHOLE. */
bool config_value_share(const char *text, uint64_t *ret);
/* "true" or "false". */
bool config_value_bool(const char *text, bool *ret);
/* An IP address and a port: 127.0.0.1:80, [::1]:80. @ret->text is left alone. */
bool config_value_address(const char *text, struct config_address *ret);

/* NULL if @text is one, else what is wrong with it. */
const char *config_value_bad_url(const char *text);
const char *config_value_bad_path(const char *text);
const char *config_value_bad_header(const char *name, const char *value);
/* Of a target, or of a user. */
const char *config_value_bad_name(const char *text);

#endif /* USTACK_USER_DAEMON_CONFIG_VALUE_H */

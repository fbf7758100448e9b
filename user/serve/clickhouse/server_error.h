/* SPDX-License-Identifier: GPL-2.0-only */
/* Error messages of ClickHouse servers: "Code: 60, e.displayText() = DB::Exception: ..." */
#ifndef USTACK_USER_CLICKHOUSE_SERVER_ERROR_H
#define USTACK_USER_CLICKHOUSE_SERVER_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "util/diag.h"

/**
 * clickhouse_server_error() - turn a server's error message into an errno and a message for people
 * @text: the server's message, with a NUL; may be anything, such as a proxy's error page
 * @status: HTTP status, 0 if it does not matter
 * @diag: gets the error number and the message on one line, safe for a terminal; may be NULL
 *
 * Return: -EACCES: wrong user or password, or not allowed; -ENOENT: no such database, table or
 * column; -ETIME: took too long; -E2BIG: too large; -ENOBUFS: needs too much memory; -EAGAIN:
 * may work later; -EREMOTEIO: anything else.
 */
int clickhouse_server_error(const char *text, long status, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_SERVER_ERROR_H */

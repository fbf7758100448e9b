/* SPDX-License-Identifier: GPL-2.0-only */
/* What a ClickHouse server says of a failure: "Code: 60, e.displayText() = DB::Exception: ..." */
#ifndef USTACK_USER_CLICKHOUSE_WORDS_H
#define USTACK_USER_CLICKHOUSE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/diag.h"

/**
 * clickhouse_words() - what is wrong, for people and for who handles it
 * @text: what the server wrote, with a NUL; may be anything, such as a page of a proxy
 * @status: of HTTP, 0 if it does not matter
 * @diag: may be NULL; gets the number and the sentence, without what is no letter of one line
 *
 * Return: -EACCES: not with this user or password, or not allowed; -ENOENT: no such
 * database, table or column; -ETIME: it took longer than is allowed; -E2BIG: it is more than
 * is allowed; -ENOBUFS: more memory than is allowed; -EAGAIN: later perhaps;
 * -EREMOTEIO: anything else.
 */
int clickhouse_words(const char *text, long status, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_WORDS_H */

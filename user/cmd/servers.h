/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of the servers that record and the naming commands ask for debug files. */
#ifndef USTACK_USER_CMD_SERVERS_H
#define USTACK_USER_CMD_SERVERS_H

#include <stdbool.h>
#include <stdlib.h>

#define SERVERS_FLAG_HELP "fetch missing debug files from DEBUGINFOD_URLS"
#define SERVERS_URLS_HELP "fetch missing debug files from URLS"
#define BSYM_DIR_HELP "BUILD-ID.bsym files for code without names"
#define SERVERS_NONE "--debuginfod: DEBUGINFOD_URLS is not set: --debuginfod-urls says where"

/**
 * servers_choose() - choose the servers to ask for debug files
 * @asked: --debuginfod was given
 * @urls: in: the URLs of --debuginfod-urls, or NULL. Out: the servers, or NULL for none:
 *        without an option no server is asked, whatever the environment says
 *
 * Return: false if servers were asked for but none are named.
 */
static inline bool servers_choose(bool asked, const char **urls)
{
	if (asked && !*urls)
		*urls = getenv("DEBUGINFOD_URLS");
	if (*urls && !(*urls)[0])
		*urls = NULL;
	return *urls || !asked;
}

#endif /* USTACK_USER_CMD_SERVERS_H */

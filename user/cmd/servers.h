/* SPDX-License-Identifier: GPL-2.0-only */
/* What record and symbolize share of where names come from. */
#ifndef USTACK_USER_CMD_SERVERS_H
#define USTACK_USER_CMD_SERVERS_H

#include <stdbool.h>
#include <stdlib.h>

#define SERVERS_FLAG_HELP "fetch missing debug files from DEBUGINFOD_URLS"
#define SERVERS_URLS_HELP "fetch missing debug files from there"
#define BSYM_DIR_HELP "BSYM files, BUILD-ID.bsym, for what has no names"
#define SERVERS_NONE "--debuginfod: DEBUGINFOD_URLS is not set: --debuginfod-urls says where"

/**
 * servers_choose() - which servers are asked
 * @asked: --debuginfod was given
 * @urls: in: from --debuginfod-urls, or NULL; out: the servers, NULL for none: without
 *        an option nobody is asked, whatever the environment says
 *
 * Return: false if they were asked for and nothing says which.
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

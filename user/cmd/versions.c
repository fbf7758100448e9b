// SPDX-License-Identifier: GPL-2.0-only
/* Options that match two versions of a program; for ustack diff and ustack flame. */
#include "cmd/versions.h"

#include <stdio.h>
#include <string.h>

#include "show/report/select.h"
#include "util/screen.h"

#include "util/poison.h"

static const struct {
	const char *word;
	unsigned int bit;
} words[] = {
	{ "image", VERSIONS_IGNORE_IMAGE }, { "command", VERSIONS_IGNORE_COMMAND },
};

#define NR_WORDS (sizeof(words) / sizeof(words[0]))

const char *cmd_ignore_word(unsigned int i)
{
	return i < NR_WORDS ? words[i].word : NULL;
}

bool cmd_parse_ignore(const char *list, unsigned int *ret)
{
	size_t known = 0, i;

	*ret = 0;
	for (i = 0; list && i < NR_WORDS; i++)
		if (report_listed(list, words[i].word)) {
			*ret |= words[i].bit;
			known += strlen(words[i].word) + !!known;
		}
	return !list || known == strlen(list);
}

static void say(const char *before, const char *after, void *arg)
{
	char safe[2][128];

	(void)arg;
	fprintf(stderr, "ustack: %s and %s are taken for versions of one program\n",
		screen_text(before, safe[0], sizeof(safe[0])),
		screen_text(after, safe[1], sizeof(safe[1])));
}

int cmd_match_versions(struct profile *before, struct profile *after, unsigned int ignore)
{
	return versions_match(before, after, ignore, say, NULL);
}

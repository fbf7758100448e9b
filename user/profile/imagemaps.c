// SPDX-License-Identifier: GPL-2.0-only
/* Image maps in a profile, stored as comments. See imagemaps.h. */
#include "profile/imagemaps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

bool profile_is_imagemap(const struct profile *p, uint32_t i)
{
	return !strncmp(profile_text(p, p->comments[i]), PROFILE_IMAGEMAP,
			strlen(PROFILE_IMAGEMAP));
}

void profile_imagemap_add(struct profile *p, uint32_t pid, const char *text)
{
	char *comment;

	if (asprintf(&comment, PROFILE_IMAGEMAP "%" PRIu32 " %s", pid, text) < 0)
		return;
	profile_comment(p, comment);
	free(comment);
}

/*
 * Return: text after the process's number; NULL if the comment is no image map.
 */
static const char *parse(const struct profile *p, uint32_t i, uint32_t *pid)
{
	const char *number = profile_text(p, p->comments[i]) + strlen(PROFILE_IMAGEMAP);
	unsigned long v;
	char *end;

	if (!profile_is_imagemap(p, i))
		return NULL;
	v = strtoul(number, &end, 10);
	if (!v || v > UINT32_MAX || *end != ' ')
		return NULL;
	*pid = (uint32_t)v;
	return end + 1;
}

const char *profile_imagemap(const struct profile *p, uint32_t pid)
{
	const char *text;
	uint32_t i, of;

	for (i = 0; i < p->nr_comments; i++) {
		text = parse(p, i, &of);
		if (text && of == pid)
			return text;
	}
	return NULL;
}

uint32_t profile_imagemap_pid(const struct profile *p, uint32_t i)
{
	uint32_t pid;

	return parse(p, i, &pid) ? pid : 0;
}

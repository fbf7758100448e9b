// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the mapping of a profile's main program. See main_mapping.h;
 * pprof_pack.c calls it.
 */
#include "profile/main_mapping.h"

#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"

#include "util/poison.h"

/* The kernel cuts a command's name to this length. */
#define COMMAND_LEN 15u

static bool is_program(const struct profile *p, uint32_t mapping, const char *command)
{
	const char *path = profile_text(p, p->mappings[mapping].file);
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	len = len < COMMAND_LEN ? len : COMMAND_LEN;
	return len && *name != '[' && strlen(command) == len && !memcmp(command, name, len);
}

/*
 * Return: the mapping whose file has the name of the labels' command, 0 if
 * there is none.
 */
static uint32_t mapping_of(const struct profile *p, uint32_t labels)
{
	const char *command = profile_label_text(p, labels, PROFILE_LABEL_COMMAND);
	uint32_t i;

	for (i = 1; command && i < p->nr_mappings; i++)
		if (is_program(p, i, command))
			return i;
	return 0;
}

uint32_t profile_main_mapping(const struct profile *p)
{
	_cleanup_(cleanup_free) double *sum = calloc(p->nr_mappings, sizeof(*sum));
	_cleanup_(cleanup_free) uint32_t *named = calloc(p->nr_labels, sizeof(*named));
	uint32_t best, i;

	if (!sum || !named || p->nr_mappings < 2)
		return 0;
	for (i = 0; i < p->nr_labels; i++)
		named[i] = mapping_of(p, i);
	for (i = 0; i < p->nr_samples && p->nr_value_types; i++)
		sum[named[p->samples[i].labels]] += (double)p->samples[i].value[p->nr_value_types - 1];
	for (best = 0, i = 1; i < p->nr_mappings; i++)
		if (sum[i] > (best ? sum[best] : 0))
			best = i;
	/* spooled samples are not in memory any more, but their labels are */
	for (i = 0; !best && i < p->nr_labels; i++)
		best = named[i];
	return best ? best : 1;
}

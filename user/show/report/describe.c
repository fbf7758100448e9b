// SPDX-License-Identifier: GPL-2.0-only
/* Prints what a profile consists of. See describe.h. */
#include "show/report/describe.h"

#include <inttypes.h>
#include <stdlib.h>

#include "profile/imagemaps.h"
#include "util/cleanup.h"
#include "util/screen.h"

#include "util/poison.h"

/* Numbers of addresses of a mapping. */
struct addresses {
	uint32_t all;
	uint32_t named;
};

static void describe_values(const struct profile *p, FILE *out)
{
	char type[128], unit[128];
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		fprintf(out, "ustack: value %s, in %s\n",
			screen_text(profile_text(p, p->value_types[i].type), type, sizeof(type)),
			screen_text(profile_text(p, p->value_types[i].unit), unit, sizeof(unit)));
}

static void describe_comments(const struct profile *p, FILE *out)
{
	char safe[1024];
	uint32_t i;

	for (i = 0; i < p->nr_comments; i++)
		if (!profile_is_imagemap(p, i))
			fprintf(out, "ustack: comment: %s\n",
				screen_text(profile_text(p, p->comments[i]), safe, sizeof(safe)));
}

static void describe_files(const struct profile *p, FILE *out)
{
	_cleanup_(cleanup_free) struct addresses *of = calloc(p->nr_mappings, sizeof(*of));
	char safe[1024], build_id[128];
	uint32_t i;

	for (i = 1; of && i < p->nr_locations; i++) {
		of[p->locations[i].mapping].all++;
		of[p->locations[i].mapping].named += p->locations[i].nr_lines != 0;
	}
	for (i = 1; of && i < p->nr_mappings; i++)
		fprintf(out, "ustack: %s, build id %s: %" PRIu32 " of %" PRIu32
			" addresses have names\n",
			screen_text(profile_text(p, p->mappings[i].file), safe, sizeof(safe)),
			p->mappings[i].build_id ?
				screen_text(profile_text(p, p->mappings[i].build_id), build_id,
					    sizeof(build_id)) : "unknown",
			of[i].named, of[i].all);
}

void report_describe(const struct profile *p, const char *file, FILE *out)
{
	char safe[1024];

	fprintf(out, "ustack: %s: %" PRIu32 " different samples of %" PRIu32 " stacks, %" PRIu32
		" addresses and %" PRIu32 " functions\n", screen_text(file, safe, sizeof(safe)),
		p->nr_samples, p->nr_stacks - 1, p->nr_locations - 1, p->nr_functions - 1);
	describe_values(p, out);
	describe_comments(p, out);
	describe_files(p, out);
}

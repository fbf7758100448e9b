// SPDX-License-Identifier: GPL-2.0-only
/*
 * A store of given windows, for tests of what reads one.
 *
 * usage: make_store DIR SEGMENT_BYTES [TIME FILE]...
 *	FILE: a profile in pprof's form, which becomes the window that begins at TIME, in
 *	seconds since 1970, and is ten seconds long
 */
#include <stdio.h>
#include <stdlib.h>

#include "profile/pprof.h"
#include "serve/store/store.h"

static int fail(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "make_store: %s\n", text);
	return 1;
}

int main(int argc, char **argv)
{
	struct store_options options = { 0 };
	struct profile *p;
	struct store *s;
	struct diag diag;
	int i;

	if (argc < 3)
		return 2;
	options.segment_bytes = strtoull(argv[2], NULL, 10);
	if (store_open(argv[1], &options, &s, &diag))
		return fail(&diag);
	for (i = 3; i + 1 < argc; i += 2) {
		if (pprof_load(argv[i + 1], &p, &diag))
			return fail(&diag);
		p->time_ns = strtoull(argv[i], NULL, 10) * 1000000000;
		p->duration_ns = 10000000000;
		if (store_append(s, p, NULL, &diag))
			return fail(&diag);
		profile_free(p);
	}
	store_close(s);
	return 0;
}

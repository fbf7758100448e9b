// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles of any bytes, and trees of them. A profile that was read and written
 * is read again as the same: writing it again gives the same bytes.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "profile_check.h"

#include "profile/calltree.h"
#include "profile/moments.h"
#include "profile/pprof.h"

/* Return: the written profile, freed by the caller. */
static u8 *written(const struct profile *p, size_t *len)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int fd = memfd_create("fuzz", 0);
	u8 *bytes;

	must(fd >= 0);
	must(!pprof_write(p, fd, &diag));
	*len = (size_t)lseek(fd, 0, SEEK_END);
	bytes = malloc(*len);
	must(pread(fd, bytes, *len, 0) == (ssize_t)*len);
	close(fd);
	return bytes;
}

static void check_tree(const struct profile *p, const struct profile *second, u8 how)
{
	static const char *const roots[] = { "a", "thread", NULL };
	const struct calltree_options o = {
		.value = { how & 1, 0 },
		.inverted = how & 2,
		.by_address = how & 4,
		.lines = how & 8,
		.no_inlines = how & 16,
		.roots = how & 32 ? roots : NULL,
		.ends = how & 64,
	};
	struct calltree_flat *flat;
	struct calltree *t;
	u32 nr;
	int err;

	err = calltree_new(p, second, &o, &t);
	must(!err || err == -E2BIG);
	if (err)
		return;
	must(!calltree_flat(t, how & 128, &flat, &nr));
	must(nr <= t->nr_symbols);
	free(flat);
	calltree_free(t);
}

/*
 * Samples that differ only by time become one sample, and their times are
 * returned beside them, in order.
 */
static void check_times(const u8 *data, size_t size, const struct profile *apart)
{
	struct moments m = { .nr = 0 };
	struct profile *p;
	size_t i;

	must(!pprof_parse_merged(data, size, "fuzz", &m, &p, NULL));
	check_profile(p);
	must(p->nr_samples <= apart->nr_samples && p->nr_stacks == apart->nr_stacks);
	must(p->nr_locations == apart->nr_locations && !m.left_out);
	for (i = 0; i < m.nr; i++) {
		must(m.at[i].sample < p->nr_samples && m.at[i].value < p->nr_value_types);
		must(m.at[i].ns && m.at[i].weight >= 0);
		must(!i || m.at[i - 1].ns <= m.at[i].ns);
	}
	moments_release(&m);
	profile_free(p);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct profile *p, *again;
	size_t len, len_again;
	u8 *bytes, *bytes_again;
	int err;

	err = pprof_parse(data, size, "fuzz", &p, &diag);
	if (err) {
		must((err == -EBADMSG || err == -EFBIG) && diag.text[0]);
		return 0;
	}
	check_profile(p);
	check_times(data, size, p);
	bytes = written(p, &len);
	must(!pprof_parse(bytes, len, "again", &again, &diag));
	check_profile(again);
	bytes_again = written(again, &len_again);
	must(len == len_again && !memcmp(bytes, bytes_again, len));
	check_tree(p, again, size ? data[size - 1] : 0);
	/* merged with itself, a profile has the same elements, with twice the values */
	len = again->nr_samples;
	profile_merge(again, p);
	must(!profile_error(again) && again->nr_samples == len);
	must(again->nr_locations == p->nr_locations && again->nr_stacks == p->nr_stacks);
	profile_free(p);
	profile_free(again);
	free(bytes);
	free(bytes_again);
	return 0;
}

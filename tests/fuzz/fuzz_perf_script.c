// SPDX-License-Identifier: GPL-2.0-only
/*
 * Output of perf script with any bytes: it is refused with the line, or gives a
 * consistent profile.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "profile_check.h"

#include "capture/perfimport/import.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct perfimport_options options = { .event = size && data[0] == '#' ? "a,cycles" :
										       NULL };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct profile *p = profile_new();
	struct file_stream s;
	char path[32];
	int fd = memfd_create("fuzz", 0), err;

	must(p && fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	must(!file_stream(path, &s, NULL));
	import_is_script((const char *)s.start, s.nr_start);
	err = import_script(&s, &options, p, &diag);
	must(!err || ((err == -EBADMSG || err == -ENODATA || err == -E2BIG) && diag.text[0]));
	if (!err && !profile_error(p))
		check_profile(p);
	file_stream_release(&s);
	profile_free(p);
	close(fd);
	return 0;
}

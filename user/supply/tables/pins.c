// SPDX-License-Identifier: GPL-2.0-only
/* Pins maps for other people's programs, and a map that shows whether they are kept up to date. */
#include "supply/tables/pins.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "host/perf/event.h"
#include "supply/tables/maker.h"

#include "util/poison.h"

#define BPF_FS_MAGIC 0xcafe4a11

/*
 * A process that is killed closes its files from the last descriptor to the first one (the
 * kernel's task work runs in this order since 4.4). The map with this high descriptor is closed
 * before the links of the programs that update mappings: so nobody unwinds by mappings that are
 * not updated any more.
 */
#define LAST_DESCRIPTOR 200

static const char *const names[] = {
	"ustack_spaces", "ustack_wides", "ustack_huges", "ustack_images", "ustack_bins",
	"ustack_wishes", "ustack_alive",
};

#define NR_PINS (sizeof(names) / sizeof(names[0]))

static int open_folder(struct pins *p, const char *path, struct diag *diag)
{
	struct statfs fs;

	p->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dir < 0 || fstatfs(p->dir, &fs))
		return diag_errno(diag, errno, path);
	if (fs.f_type != BPF_FS_MAGIC)
		return diag_set(diag, EINVAL, path,
				"is no BPF file system; mount -t bpf bpf %s", path);
	if (flock(p->dir, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ?
			       diag_set(diag, EBUSY, path, "another ustack supply --bpf has it") :
			       diag_errno(diag, errno, path);
	return 0;
}

static void remove_all(const struct pins *p)
{
	size_t i;

	for (i = 0; i < NR_PINS; i++)
		unlinkat(p->dir, names[i], 0);
}

/* Makes the map of one event that counts nothing. The event leaves it when @alive is closed. */
static int make_alive(struct pins *p)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY, .disabled = 1,
	};
	int map = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "ustack_alive", sizeof(uint32_t),
				 sizeof(uint32_t), 1, NULL);
	uint32_t zero = 0;
	int event, err;

	if (map < 0)
		return map;
	p->alive = fcntl(map, F_DUPFD_CLOEXEC, LAST_DESCRIPTOR);
	err = p->alive < 0 ? -errno : 0;
	close(map);
	if (err)
		return err;
	event = perf_open(&attr, 0, -1);
	if (event < 0)
		return event;
	err = bpf_map_update_elem(p->alive, &zero, &event, BPF_ANY);
	close(event);
	return err;
}

static int pin(const char *path, const char *name, int map)
{
	char to[4096];

	if ((size_t)snprintf(to, sizeof(to), "%s/%s", path, name) >= sizeof(to))
		return -ENAMETOOLONG;
	return bpf_obj_pin(map, to);
}

int pins_open(struct pins *p, const char *path, const struct table_maker_maps *maps,
	      struct diag *diag)
{
	int err = open_folder(p, path, diag);
	int fds[NR_PINS] = {
		maps->spaces, maps->wides, maps->huges, maps->images, maps->bins, maps->wishes,
	};
	size_t i;

	if (err)
		return err;
	remove_all(p);
	err = make_alive(p);
	fds[NR_PINS - 1] = p->alive;
	for (i = 0; i < NR_PINS && !err; i++)
		err = pin(path, names[i], fds[i]);
	if (err)
		return diag_set(diag, -err, path, "maps cannot be pinned: %s", strerror(-err));
	return 0;
}

void pins_release(struct pins *p)
{
	if (p->alive >= 0) {
		close(p->alive);
		remove_all(p);
	}
	if (p->dir >= 0)
		close(p->dir);
	*p = (struct pins)PINS_INIT;
}

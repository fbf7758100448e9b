// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths of cgroups with any bytes: labels are parts of the path, and have the
 * form that the header promises.
 */
#include <string.h>

#include "serve/daemon/cgroup_labels.h"
#include "must.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text)
{
	must(strnlen(text, CGROUP_NAME) < CGROUP_NAME);
	must(!strchr(text, '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = malloc(size + 1);
	struct cgroup_labels l;

	memcpy(path, data, size);
	path[size] = '\0';
	memset(&l, 'x', sizeof(l));
	cgroup_labels(path, &l);
	check_text(l.unit);
	check_text(l.slice);
	check_text(l.container_id);
	check_text(l.runtime);
	check_text(l.pod_uid);
	must(!*l.unit || strstr(path, l.unit));
	must(!*l.slice || strstr(path, l.slice));
	must(!*l.container_id == !*l.runtime);
	must(!*l.pod_uid || strlen(l.pod_uid) == 36 || strlen(l.pod_uid) == 32 ||
	     strlen(l.pod_uid) == 64);
	free(path);
	return 0;
}

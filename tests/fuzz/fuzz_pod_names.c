// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of files in a kubelet's directories: a name that is accepted as a pod
 * or container has parts that Kubernetes allows, and is the same when it is put
 * together again.
 */
#include <stdio.h>
#include <string.h>

#include "serve/daemon/pod_names.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_dns(const char *s, const char *others)
{
	must(*s && *s != '-' && *s != '.' && s[strlen(s) - 1] != '-' && s[strlen(s) - 1] != '.');
	for (; *s; s++)
		must((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') || strchr(others, *s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[512], key[POD_ID_ROOM], again[1024];
	struct pod_name got;

	if (size >= sizeof(name))
		return 0;
	memcpy(name, data, size);
	name[size] = '\0';
	if (pod_names_parse_pod(name, &got, key)) {
		check_dns(got.space, "-");
		check_dns(got.pod, "-.");
		must(!*got.container);
		snprintf(again, sizeof(again), "%s_%s_%s", got.space, got.pod, key);
		must(!strcmp(name, again));
	}
	if (pod_names_parse_container(name, &got, key)) {
		check_dns(got.space, "-");
		check_dns(got.pod, "-.");
		check_dns(got.container, "-");
		must(strlen(key) == POD_ID_ROOM - 1);
		snprintf(again, sizeof(again), "%s_%s_%s-%s.log", got.pod, got.space, got.container,
			 key);
		must(!strcmp(name, again));
	}
	return 0;
}

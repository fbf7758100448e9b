// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the path of a cgroup, part by part, into unit, slice, container and pod. window.c uses it
 * for the labels of samples.
 */
#include "serve/daemon/cgroup_labels.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/hex.h"

#include "util/poison.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
/* Length of an OCI container's id, in hexadecimal digits. */
#define ID 64
/* Length of a UUID; UUID_DIGITS: without dashes, as in pods that a kubelet reads from a file. */
#define UUID 36
#define UUID_DIGITS 32

/**
 * struct walk - state of parsing a path
 * @name: the current part
 * @parent: the part before it, "" for none
 * @before: the part before @parent, "" for none
 * @kube: this part or one before it belongs to Kubernetes
 * @ret: gets the result
 */
struct walk {
	char name[CGROUP_NAME];
	char parent[CGROUP_NAME];
	char before[CGROUP_NAME];
	bool kube;
	struct cgroup_labels *ret;
};

/* A text in a path, and the runtime that it stands for. */
struct word {
	const char *is;
	const char *means;
};

/* Prefixes of a container's id. */
static const struct word prefixes[] = {
	{ "docker", "docker" },
	{ "cri-containerd", "containerd" },
	{ "containerd", "containerd" },
	{ "nerdctl", "containerd" },
	{ "crio", "cri-o" },
	{ "libpod", "podman" },
	{ "libpod-payload", "podman" },
};

/* Names of the parent of a cgroup whose name is only a container's id. */
static const struct word parents[] = {
	{ "docker", "docker" },
	{ "moby", "docker" },
	{ "actions_job", "docker" },
	{ "k8s.io", "containerd" },
	{ "default", "containerd" },
	{ "ecs", "ecs" },
};

static const char *means(const struct word *words, size_t nr, const char *is)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(words[i].is, is))
			return words[i].means;
	return NULL;
}

static bool is_id(const char *s)
{
	return strlen(s) == ID && hex_is_lower(s, ID);
}

/* Cuts off a suffix, unless it is the whole name. */
static bool cut(char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	if (len <= end || strcmp(name + len - end, suffix))
		return false;
	name[len - end] = '\0';
	return true;
}

/* Does the same as systemd's unit_name_is_valid(), for kinds of units that have a cgroup. */
static bool is_unit(const char *name, const char *const *suffixes)
{
	const char *s = strrchr(name, '.');

	if (!s || s == name || *name == '@')
		return false;
	while (*suffixes && strcmp(s + 1, *suffixes))
		suffixes++;
	if (!*suffixes)
		return false;
	for (s = name; *s; s++)
		if (!((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
		      (*s >= 'A' && *s <= 'Z') || strchr(":-_.\\@", *s)))
			return false;
	return true;
}

/* systemd's cg_unescape(): a "_" marks names that could be taken for files of cgroupfs itself. */
static const char *unit_name(const char *name)
{
	return name + (*name == '_');
}

static void look_for_unit(struct walk *w)
{
	static const char *const units[] = {
		"service", "scope", "socket", "mount", "swap", NULL,
	};
	static const char *const slices[] = { "slice", NULL };
	const char *name = unit_name(w->name);

	if (is_unit(name, slices))
		strcpy(w->ret->slice, name);
	else if (is_unit(name, units) && (strcmp(name, "init.scope") || !*w->ret->unit))
		strcpy(w->ret->unit, name);
}

/* systemd's unit_name_unescape() for names that are not paths. */
static void unescape(char *s)
{
	char *to = s;
	uint8_t c;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] == 'x' && hex_bytes(s + 2, &c, 1) && c && c != '/') {
			*to++ = (char)c;
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static void container(struct walk *w, const char *id, const char *runtime)
{
	memmove(w->ret->container_id, id, strlen(id) + 1);
	strcpy(w->ret->runtime, runtime);
}

/* Takes a pod's UID if @name is a UUID, with or without dashes. Return: whether it is. */
static bool pod(struct walk *w, const char *name)
{
	char *to = w->ret->pod_uid;
	size_t i;

	if (strlen(name) == UUID_DIGITS && hex_is_lower(name, UUID_DIGITS)) {
		strcpy(to, name);
		return true;
	}
	if (strlen(name) != UUID)
		return false;
	for (i = 0; i < UUID; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		/* in a slice's name "_" replaces "-", which would be another level of slices */
		if (dash ? name[i] != '-' && name[i] != '_' : !hex_is_lower(name + i, 1))
			return false;
	}
	strcpy(to, name);
	for (i = 0; i < UUID; i++)
		if (to[i] == '_')
			to[i] = '-';
	return true;
}

/*
 * Recognizes kubepods-burstable-podUID.slice, kubepods/burstable/podUID and
 * machine-libpod_pod_ID.slice.
 */
static void look_for_pod(struct walk *w, const char *name)
{
	char stem[CGROUP_NAME];
	const char *at, *next;

	strcpy(stem, name);
	cut(stem, ".slice");
	w->kube |= strstr(stem, "kubepods") != NULL;
	at = strstr(stem, "libpod_pod_");
	if (at && is_id(at + strlen("libpod_pod_")))
		strcpy(w->ret->pod_uid, at + strlen("libpod_pod_"));
	if (!w->kube)
		return;
	if (!strncmp(stem, "pod", 3) && pod(w, stem + 3))
		return;
	for (at = NULL, next = stem; (next = strstr(next, "-pod")); next++)
		at = next;
	if (at)
		pod(w, at + 4);
}

/* Takes a name that is only an id; its parent tells the runtime. */
static void bare_id(struct walk *w)
{
	const char *runtime = means(parents, ARRAY_SIZE(parents), w->parent);

	if (!strcmp(w->parent, "libpod_parent")) {
		strcpy(w->ret->pod_uid, w->name);
		return;
	}
	if (!runtime && !strcmp(w->before, "ecs"))
		runtime = "ecs";
	if (!runtime && !strncmp(w->parent, "pod", 3) && w->kube)
		runtime = "kubernetes";
	container(w, w->name, runtime ?: "oci");
}

static void container_of_prefix(struct walk *w, char *prefix, const char *id)
{
	size_t len = strlen(prefix);

	/* conmon watches the container and is not in it */
	if (len >= 6 && !strcmp(prefix + len - 6, "conmon"))
		return;
	container(w, id, means(prefixes, ARRAY_SIZE(prefixes), prefix) ?: prefix);
}

/* Recognizes docker-ID.scope, crio-ID and SLICE:cri-containerd:ID. */
static bool look_for_id(struct walk *w)
{
	char name[CGROUP_NAME], *id, *prefix = name;
	size_t len;

	strcpy(name, w->name);
	cut(name, ".scope");
	len = strlen(name);
	if (len < ID || !is_id(name + len - ID))
		return false;
	if (len == ID) {
		bare_id(w);
		return true;
	}
	id = name + len - ID;
	if (len < ID + 2 || !strchr("-_:", id[-1]))
		return false;
	id[-1] = '\0';
	/* runc's notation for systemd, which some configurations use as a path */
	if (strrchr(name, ':')) {
		prefix = strrchr(name, ':') + 1;
		prefix[-1] = '\0';
		look_for_pod(w, name);
	}
	if (!*prefix)
		return false;
	container_of_prefix(w, prefix, id);
	return true;
}

/* Recognizes lxc/NAME, lxc.payload/NAME and lxc.payload.NAME. */
static bool look_for_lxc(struct walk *w)
{
	static const char payload[] = "lxc.payload.";

	if (!strncmp(w->name, payload, strlen(payload)) && w->name[strlen(payload)])
		container(w, w->name + strlen(payload), "lxc");
	else if (!strcmp(w->parent, "lxc") || !strcmp(w->parent, "lxc.payload"))
		container(w, w->name, "lxc");
	else
		return false;
	return true;
}

/* Recognizes machine-NAME.scope and systemd-nspawn@NAME.service. */
static void look_for_machine(struct walk *w)
{
	static const struct word kinds[] = { { "qemu-", "qemu" }, { "lxc-", "lxc" } };
	char name[CGROUP_NAME], *id;
	size_t i;

	strcpy(name, w->name);
	if (!strncmp(name, "systemd-nspawn@", 15) && cut(name, ".service"))
		id = name + 15;
	else if (!strncmp(name, "machine-", 8) && cut(name, ".scope"))
		id = name + 8;
	else
		return;
	unescape(id);
	if (!*id)
		return;
	/* libvirt puts the kind of machine in front: qemu-1-NAME */
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(id, kinds[i].is, strlen(kinds[i].is)) && id[strlen(kinds[i].is)]) {
			container(w, id + strlen(kinds[i].is), kinds[i].means);
			return;
		}
	container(w, id, "nspawn");
}

/* Whether this is the cgroup of nspawn itself, within the unit of its container. */
static bool is_supervisor(const struct walk *w)
{
	return !strcmp(w->name, "supervisor") && !strncmp(w->parent, "systemd-nspawn@", 15);
}

static void take(struct walk *w)
{
	look_for_unit(w);
	look_for_pod(w, w->name);
	if (is_supervisor(w))
		w->ret->container_id[0] = w->ret->runtime[0] = '\0';
	else if (!look_for_id(w) && !look_for_lxc(w))
		look_for_machine(w);
	strcpy(w->before, w->parent);
	strcpy(w->parent, w->name);
}

void cgroup_labels(const char *path, struct cgroup_labels *ret)
{
	struct walk w = { .ret = ret };
	size_t len;

	*ret = (struct cgroup_labels){ .unit = "" };
	for (; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		/* ".." leads out of the root of a cgroup namespace */
		if (len == 2 && !memcmp(path, "..", 2))
			continue;
		if (!len || len >= sizeof(w.name))
			continue;
		memcpy(w.name, path, len);
		w.name[len] = '\0';
		/* the kernel appends this to the path of a removed cgroup */
		if (!path[len])
			cut(w.name, " (deleted)");
		take(&w);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the names of a kubelet's log folders into two tables, and finds names of pods and
 * containers in them. window.c asks for each new label set.
 */
#include "serve/daemon/pod_names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/cleanup.h"
#include "util/hex.h"

#include "util/poison.h"

#define ID_DIGITS 64
#define UUID 36
/* The uid of a pod that the kubelet reads from a file on the node is an MD5. */
#define HASH_DIGITS 32
/* How many containers without a name are remembered; the oldest is dropped first. */
#define MAX_MISSED 1024u
/* How many entries of a folder are read. */
#define MAX_ENTRIES 65536u

/* A name and its key, which is a pod's uid or a container's id. */
struct entry {
	char key[POD_ID_ROOM];
	struct pod_name name;
};

/**
 * struct table - the names in a folder
 * @entry: the names in ascending order of their keys
 * @nr: number of entries
 * @room: number of entries that @entry has memory for
 */
struct table {
	struct entry *entry;
	size_t nr;
	size_t room;
};

/* A container without a name; @since: when it was first looked for. */
struct missed {
	char id[POD_ID_ROOM];
	uint64_t since;
};

/**
 * struct pod_names - names of pods and containers
 * @logs: path of the folder
 * @pods: names of pods by uid
 * @containers: names of containers by id
 * @scanned: when the folders were read last, CLOCK_MONOTONIC, ns; 0 means never
 * @missed: ring of containers without a name
 * @nr_missed: number of containers that were put into @missed so far
 */
struct pod_names {
	char *logs;
	struct table pods;
	struct table containers;
	uint64_t scanned;
	struct missed missed[MAX_MISSED];
	size_t nr_missed;
};

struct pod_names *pod_names_new(const char *logs)
{
	struct pod_names *n = calloc(1, sizeof(*n));

	if (n)
		n->logs = strdup(logs);
	if (n && !n->logs) {
		free(n);
		n = NULL;
	}
	return n;
}

void pod_names_free(struct pod_names *n)
{
	if (!n)
		return;
	free(n->pods.entry);
	free(n->containers.entry);
	free(n->logs);
	free(n);
}

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Whether a text is a DNS label of RFC 1123 or, with @dots, a DNS subdomain. */
static bool is_dns(const char *s, size_t len, bool dots)
{
	size_t i;

	if (!len || !is_alnum(s[0]) || !is_alnum(s[len - 1]))
		return false;
	for (i = 0; i < len; i++)
		if (!is_alnum(s[i]) && s[i] != '-' && !(dots && s[i] == '.'))
			return false;
	return true;
}

static bool take(char *to, size_t room, const char *s, size_t len, bool dots)
{
	if (len >= room || !is_dns(s, len, dots))
		return false;
	memcpy(to, s, len);
	to[len] = '\0';
	return true;
}

static bool is_uid(const char *s)
{
	size_t len = strlen(s);

	return (len == UUID || len == HASH_DIGITS) && strspn(s, "0123456789abcdef-") == len;
}

bool pod_names_parse_pod(const char *name, struct pod_name *ret, char *uid)
{
	const char *pod = strchr(name, '_'), *last = strrchr(name, '_');

	*ret = (struct pod_name){ .sure = true };
	if (!pod || pod == last || !is_uid(last + 1))
		return false;
	if (!take(ret->space, sizeof(ret->space), name, (size_t)(pod - name), false) ||
	    !take(ret->pod, sizeof(ret->pod), pod + 1, (size_t)(last - pod) - 1, true))
		return false;
	strcpy(uid, last + 1);
	return true;
}

bool pod_names_parse_container(const char *name, struct pod_name *ret, char *id)
{
	const char *space = strchr(name, '_'), *container = strrchr(name, '_'), *digits;
	size_t len = strlen(name);

	*ret = (struct pod_name){ .sure = true };
	/* a kubelet cuts names to 255 bytes, which cuts off the id */
	if (!space || space == container || len < ID_DIGITS + 5 ||
	    strcmp(name + len - 4, ".log"))
		return false;
	digits = name + len - 4 - ID_DIGITS;
	if (digits[-1] != '-' || digits - 1 <= container || !hex_is_lower(digits, ID_DIGITS))
		return false;
	if (!take(ret->pod, sizeof(ret->pod), name, (size_t)(space - name), true) ||
	    !take(ret->space, sizeof(ret->space), space + 1, (size_t)(container - space) - 1, false) ||
	    !take(ret->container, sizeof(ret->container), container + 1,
		  (size_t)(digits - container) - 2, false))
		return false;
	memcpy(id, digits, ID_DIGITS);
	id[ID_DIGITS] = '\0';
	return true;
}

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return strcmp(a->key, b->key);
}

static const struct pod_name *look_up(const struct table *t, const char *key)
{
	struct entry wanted;
	const struct entry *e;

	if (!t->nr || !*key || strlen(key) >= sizeof(wanted.key))
		return NULL;
	strcpy(wanted.key, key);
	e = bsearch(&wanted, t->entry, t->nr, sizeof(*t->entry), compare_entries);
	return e ? &e->name : NULL;
}

static DIR *open_folder(const char *logs, const char *name)
{
	_cleanup_(cleanup_free) char *path = NULL;

	if (asprintf(&path, "%s/%s", logs, name) < 0)
		path = NULL;
	return path ? opendir(path) : NULL;
}

/* Reads a folder, and replaces the table. If there is no folder, the table becomes empty. */
static void scan(const char *logs, const char *folder,
		 bool (*parse)(const char *name, struct pod_name *ret, char *key),
		 struct table *to)
{
	DIR *dir = open_folder(logs, folder);
	struct dirent *d;
	size_t seen = 0;

	to->nr = 0;
	while (dir && seen++ < MAX_ENTRIES && to->nr < POD_MAX_KNOWN && (d = readdir(dir))) {
		if (!array_has_room(to->entry, to->nr, to->room))
			break;
		if (parse(d->d_name, &to->entry[to->nr].name, to->entry[to->nr].key))
			to->nr++;
	}
	if (dir)
		closedir(dir);
	if (to->nr)
		qsort(to->entry, to->nr, sizeof(*to->entry), compare_entries);
}

static void scan_all(struct pod_names *n, uint64_t now)
{
	scan(n->logs, "pods", pod_names_parse_pod, &n->pods);
	scan(n->logs, "containers", pod_names_parse_container, &n->containers);
	n->scanned = now;
}

/* Whether a container has been without a name for so long that none is expected any more. */
static bool is_nameless(struct pod_names *n, const char *id, uint64_t now)
{
	size_t nr = n->nr_missed < MAX_MISSED ? n->nr_missed : MAX_MISSED, i;
	struct missed *m;

	/* no runtime of Kubernetes has so long ids */
	if (strlen(id) >= sizeof(m->id))
		return true;
	for (i = 0; i < nr; i++)
		if (!strcmp(n->missed[i].id, id))
			return now - n->missed[i].since >= POD_PATIENCE_NS;
	m = &n->missed[n->nr_missed++ % MAX_MISSED];
	strcpy(m->id, id);
	m->since = now;
	return false;
}

/* Looks in the tables. Return: whether all names were found. */
static bool find(const struct pod_names *n, const char *uid, const char *id, struct pod_name *ret)
{
	const struct pod_name *pod = look_up(&n->pods, uid), *container = look_up(&n->containers, id);

	*ret = pod ? *pod : (struct pod_name){ .sure = true };
	/* the container counts only if it is of the same pod */
	if (!pod || !container || strcmp(pod->pod, container->pod) ||
	    strcmp(pod->space, container->space))
		return pod && !*id;
	strcpy(ret->container, container->container);
	return true;
}

void pod_names_find(struct pod_names *n, const char *uid, const char *id, uint64_t now,
		    struct pod_name *ret)
{
	if (find(n, uid, id, ret))
		return;
	if (!n->scanned || now - n->scanned >= POD_RESCAN_NS) {
		scan_all(n, now);
		if (find(n, uid, id, ret))
			return;
	}
	ret->sure = is_nameless(n, *id ? id : uid, now);
}

bool pod_names_is_node(const char *logs)
{
	DIR *dir = open_folder(logs, "pods");

	if (dir)
		closedir(dir);
	return dir;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds names of Kubernetes' pods and containers in the folders that a kubelet keeps on its node:
 *
 *	LOGS/pods/NAMESPACE_POD_UID/CONTAINER/0.log
 *	LOGS/containers/POD_NAMESPACE_CONTAINER-ID.log	a symbolic link
 *
 * A cgroup's path has the pod's uid and the container's id (cgroup_labels.h); the entries of these
 * two folders have the names. No server is asked, no file is opened and no link is followed, so
 * this needs no token and no permission except to read two folders.
 *
 * Anybody who may write to these folders can choose the names, so they must not grant any rights.
 * Names that no object of Kubernetes can have are skipped.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_DAEMON_POD_NAMES_H
#define USTACK_USER_DAEMON_POD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a DNS label and of a DNS subdomain (RFC 1123), with a NUL. */
#define POD_LABEL_ROOM 64
#define POD_NAME_ROOM 254
/* How many pods, and how many containers, are kept; a node runs a few hundred. */
#define POD_MAX_KNOWN 8192u
/* The folders are read again after this time at the earliest. */
#define POD_RESCAN_NS 1000000000ull
/* A container without a name is looked for again during this time, because a kubelet makes the
 * link after it has started the container.
 */
#define POD_PATIENCE_NS 120000000000ull

struct pod_names;

/**
 * struct pod_name - names of a container; "" where a name is not known
 * @space: name of the namespace
 * @pod: name of the pod
 * @container: name of the container
 * @sure: the answer will not change later
 */
struct pod_name {
	char space[POD_LABEL_ROOM];
	char pod[POD_NAME_ROOM];
	char container[POD_LABEL_ROOM];
	bool sure;
};

/**
 * pod_names_new() - make an object that finds names
 * @logs: path of the folder that has the two folders, /var/log on a node. It need not exist yet
 *
 * Return: the object, released by pod_names_free(); NULL without memory.
 */
struct pod_names *pod_names_new(const char *logs);
void pod_names_free(struct pod_names *n);

/**
 * pod_names_find() - find the names of a container and its pod
 * @n: the object
 * @uid: uid of the pod, as in struct cgroup_labels
 * @id: id of the container; "" if it is not known
 * @now: the time by CLOCK_MONOTONIC, ns
 * @ret: gets the names
 */
void pod_names_find(struct pod_names *n, const char *uid, const char *id, uint64_t now,
		    struct pod_name *ret);

/* Whether @logs has the folder of a kubelet, so that this machine is a node. */
bool pod_names_is_node(const char *logs);

/* Parsers of the entries of the two folders, for pod_names.c and its fuzzer. */

/* Parses NAMESPACE_POD_UID. @uid: has POD_LABEL_ROOM bytes. Return: whether it is valid. */
bool pod_names_parse_pod(const char *name, struct pod_name *ret, char *uid);
/*
 * Parses POD_NAMESPACE_CONTAINER-ID.log. @id: has POD_ID_ROOM bytes. Return: whether it is valid.
 */
#define POD_ID_ROOM 65
bool pod_names_parse_container(const char *name, struct pod_name *ret, char *id);

#endif /* USTACK_USER_DAEMON_POD_NAMES_H */

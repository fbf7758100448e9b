/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of Kubernetes' pods and containers, from the folders that a kubelet keeps on its node:
 *
 *	LOGS/pods/NAMESPACE_POD_UID/CONTAINER/0.log
 *	LOGS/containers/POD_NAMESPACE_CONTAINER-ID.log	a symbolic link
 *
 * A cgroup's path has the pod's uid and the container's id (cgroup_labels.h); the names of these
 * two folders have the rest. No server is asked, no file is opened and no link is followed, so
 * neither a token nor a right beyond reading two folders is needed.
 *
 * Who may write to these folders can choose the names: do not grant anything by them. Names that
 * no object of Kubernetes can have are passed over.
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_DAEMON_POD_NAMES_H
#define USTACK_USER_DAEMON_POD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Characters of a DNS label and of a DNS subdomain (RFC 1123), and a NUL. */
#define POD_LABEL_ROOM 64
#define POD_NAME_ROOM 254
/* Pods and containers that are known at a time, of each; a node is made for a few hundred. */
#define POD_MAX_KNOWN 8192u
/* A folder is read again after so long at the earliest. */
#define POD_RESCAN_NS 1000000000ull
/* How long a container may have no name before that is an answer: a kubelet makes the link after
 * it has started the container.
 */
#define POD_PATIENCE_NS 120000000000ull

struct pod_names;

/**
 * struct pod_name - "" is what is not known
 * @space: the namespace
 * @pod: the pod
 * @container: the container
 * @sure: asking again later gives the same
 */
struct pod_name {
	char space[POD_LABEL_ROOM];
	char pod[POD_NAME_ROOM];
	char container[POD_LABEL_ROOM];
	bool sure;
};

/**
 * pod_names_new() - look for names
 * @logs: folder of the two folders, /var/log on a node. It may come later, or never
 *
 * Return: released by pod_names_free(); NULL without memory.
 */
struct pod_names *pod_names_new(const char *logs);
void pod_names_free(struct pod_names *n);

/**
 * pod_names_find() - names of a container
 * @n: the folders
 * @uid: of the pod, as struct cgroup_labels has it
 * @id: of the container; "" if it is not known
 * @now: CLOCK_MONOTONIC, ns
 * @ret: what is known
 */
void pod_names_find(struct pod_names *n, const char *uid, const char *id, uint64_t now,
		    struct pod_name *ret);

/* Whether @logs is that of a node. */
bool pod_names_is_node(const char *logs);

/* The two names of files, for the reader of folders and its fuzzer. */

/* NAMESPACE_POD_UID. @uid: POD_LABEL_ROOM bytes. Return: whether it is one. */
bool pod_names_parse_pod(const char *name, struct pod_name *ret, char *uid);
/* POD_NAMESPACE_CONTAINER-ID.log. @id: POD_ID_ROOM bytes. Return: whether it is one. */
#define POD_ID_ROOM 65
bool pod_names_parse_container(const char *name, struct pod_name *ret, char *id);

#endif /* USTACK_USER_DAEMON_POD_NAMES_H */

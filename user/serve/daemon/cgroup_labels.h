/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the path of a cgroup says of who made it: systemd, and what runs containers. Of
 * both versions, as cgroups_path() or /proc/PID/cgroup have it.
 *
 * Nothing but the path is looked at: who may make cgroups may call them as he likes.
 */
#ifndef USTACK_USER_DAEMON_CGROUP_LABELS_H
#define USTACK_USER_DAEMON_CGROUP_LABELS_H

/* Bytes of a name of cgroupfs (NAME_MAX) and a NUL. */
#define CGROUP_NAME 256

/**
 * struct cgroup_labels - "" is what is not said
 * @unit: innermost unit of systemd that is no slice, as systemctl has it, with escapes such
 *        as "\x2d". An init.scope is its manager's unit, if that is one
 * @slice: innermost slice
 * @container_id: of the innermost container: 64 hexadecimal digits, or the name where the
 *                runtime has names (lxc, nspawn, qemu), without escapes
 * @runtime: "docker", "containerd", "cri-o", "podman", "lxc", "nspawn", "qemu",
 *           "kubernetes" (a pod's, whatever ran it), "ecs", the word in front of the digits
 *           if it is another, "oci" if there is none
 * @pod_uid: of Kubernetes, with "-"; of podman's pods, 64 digits
 *
 * Texts are bytes of the path: they may have control characters, which labels_set() makes
 * harmless. What watches a container from outside (conmon, lxc.monitor, supervisor) is in
 * none.
 */
struct cgroup_labels {
	char unit[CGROUP_NAME];
	char slice[CGROUP_NAME];
	char container_id[CGROUP_NAME];
	char runtime[CGROUP_NAME];
	char pod_uid[CGROUP_NAME];
};

/* @path: any bytes; parts that no cgroup can have are passed over. */
void cgroup_labels(const char *path, struct cgroup_labels *ret);

#endif /* USTACK_USER_DAEMON_CGROUP_LABELS_H */

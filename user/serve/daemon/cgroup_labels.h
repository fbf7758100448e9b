/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gets labels from the path of a cgroup: the unit of systemd, the container and its runtime, the
 * pod. The path may be of either cgroup version, as from cgroups_path() or /proc/PID/cgroup.
 *
 * Only the path is used. Anybody who may make cgroups may give them any name, so the labels are no
 * proof.
 */
#ifndef USTACK_USER_DAEMON_CGROUP_LABELS_H
#define USTACK_USER_DAEMON_CGROUP_LABELS_H

/* Bytes of a name of cgroupfs (NAME_MAX) and a NUL. */
#define CGROUP_NAME 256

/**
 * struct cgroup_labels - labels from a path; "" where the path does not tell
 * @unit: innermost unit of systemd that is not a slice, named as by systemctl, with escapes such
 *        as "\x2d". An init.scope counts as its manager's unit, if there is one
 * @slice: innermost slice
 * @container_id: id of the innermost container: 64 hexadecimal digits, or the container's name
 *                without escapes where the runtime uses names (lxc, nspawn, qemu)
 * @runtime: "docker", "containerd", "cri-o", "podman", "lxc", "nspawn", "qemu",
 *           "kubernetes" (a pod of an unknown runtime), "ecs"; any other prefix of the id as it
 *           is; "oci" without a prefix
 * @pod_uid: UID of a Kubernetes pod, with "-"; for podman's pods, 64 digits
 *
 * Texts are bytes of the path. They may have control characters, which labels_set() makes
 * harmless. A process that watches a container from outside (conmon, lxc.monitor, supervisor)
 * gets no container.
 */
struct cgroup_labels {
	char unit[CGROUP_NAME];
	char slice[CGROUP_NAME];
	char container_id[CGROUP_NAME];
	char runtime[CGROUP_NAME];
	char pod_uid[CGROUP_NAME];
};

/* Parses @path, which may have any bytes; parts that cannot be the name of a cgroup are skipped. */
void cgroup_labels(const char *path, struct cgroup_labels *ret);

#endif /* USTACK_USER_DAEMON_CGROUP_LABELS_H */

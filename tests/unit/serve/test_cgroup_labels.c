// SPDX-License-Identifier: GPL-2.0-only
/* Labels from paths of cgroups: real paths of machines, and malicious ones. */
#include "support.h"

#include "serve/daemon/cgroup_labels.h"
#include "serve/daemon/labels.h"

#define D1 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define D2 "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define POD "8dbc5577-d0e2-4706-8787-57d52c03ddf2"
#define POD_ "8dbc5577_d0e2_4706_8787_57d52c03ddf2"
#define STATIC_POD "ec7bb47a07ef9d0ab9b6b2ee5d3c4a1f"
#define KUBE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_ ".slice"
#define KUBE_SLICE "kubepods-burstable-pod" POD_ ".slice"

static const struct {
	const char *path;
	const char *unit;
	const char *slice;
	const char *id;
	const char *runtime;
	const char *pod;
} cases[] = {
	/* systemd */
	{ "/", "", "", "", "", "" },
	{ "", "", "", "", "", "" },
	{ "/init.scope", "init.scope", "", "", "", "" },
	{ "/system.slice", "", "system.slice", "", "", "" },
	{ "/system.slice/nginx.service", "nginx.service", "system.slice", "", "", "" },
	{ "system.slice/nginx.service/", "nginx.service", "system.slice", "", "", "" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service",
	  "system-getty.slice", "", "", "" },
	{ "/system.slice/system-postgresql.slice/postgresql@15-main.service",
	  "postgresql@15-main.service", "system-postgresql.slice", "", "", "" },
	{ "/system.slice/dev-disk-by\\x2duuid-1234\\x2d5678.swap",
	  "dev-disk-by\\x2duuid-1234\\x2d5678.swap", "system.slice", "", "", "" },
	{ "/system.slice/run-user-1000.mount", "run-user-1000.mount", "system.slice", "", "", "" },
	{ "/system.slice/docker.socket", "docker.socket", "system.slice", "", "", "" },
	{ "/system.slice/_cpu.test.service", "cpu.test.service", "system.slice", "", "", "" },
	{ "/system.slice/foo.service/worker/3", "foo.service", "system.slice", "", "", "" },
	{ "/user.slice/user-1000.slice/session-3.scope", "session-3.scope", "user-1000.slice",
	  "", "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/init.scope", "user@1000.service",
	  "user-1000.slice", "", "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/"
	  "app-org.gnome.Terminal.slice/vte-spawn-" POD ".scope", "vte-spawn-" POD ".scope",
	  "app-org.gnome.Terminal.slice", "", "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/"
	  "app-gnome-firefox\\x2desr-2311.scope", "app-gnome-firefox\\x2desr-2311.scope",
	  "app.slice", "", "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/session.slice/pipewire.service",
	  "pipewire.service", "session.slice", "", "", "" },
	{ "/user.slice/user-0.slice/session-c1.scope (deleted)", "session-c1.scope",
	  "user-0.slice", "", "", "" },
	{ "/../../system.slice/ssh.service", "ssh.service", "system.slice", "", "", "" },
	/* docker */
	{ "/system.slice/docker-" D1 ".scope", "docker-" D1 ".scope", "system.slice", D1,
	  "docker", "" },
	{ "/docker/" D1, "", "", D1, "docker", "" },
	{ "/docker/" D1 "/docker/" D2, "", "", D2, "docker", "" },
	{ "/docker/" D1 "/system.slice/nginx.service", "nginx.service", "system.slice", D1,
	  "docker", "" },
	{ "/docker/" D1 "/init.scope", "init.scope", "", D1, "docker", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" D1 ".scope",
	  "docker-" D1 ".scope", "user.slice", D1, "docker", "" },
	{ "/actions_job/" D1, "", "", D1, "docker", "" },
	{ "/system.slice/docker.service", "docker.service", "system.slice", "", "", "" },
	{ "/docker", "", "", "", "", "" },
	{ "/docker/buildkit", "", "", "", "", "" },
	/* containerd, by kubelet's systemd driver, cgroupfs driver, and nerdctl */
	{ KUBE "/cri-containerd-" D1 ".scope", "cri-containerd-" D1 ".scope", KUBE_SLICE, D1,
	  "containerd", POD },
	{ "/kubepods.slice/kubepods-pod" POD_ ".slice/cri-containerd-" D1 ".scope",
	  "cri-containerd-" D1 ".scope", "kubepods-pod" POD_ ".slice", D1, "containerd", POD },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" STATIC_POD
	  ".slice/cri-containerd-" D1 ".scope", "cri-containerd-" D1 ".scope",
	  "kubepods-besteffort-pod" STATIC_POD ".slice", D1, "containerd", STATIC_POD },
	{ "/kubepods/burstable/pod" POD "/" D1, "", "", D1, "kubernetes", POD },
	{ "/kubepods/besteffort/pod" POD "/" D1, "", "", D1, "kubernetes", POD },
	{ "/kubepods/pod" POD "/" D1, "", "", D1, "kubernetes", POD },
	{ "/kubepods/pod" STATIC_POD "/" D1, "", "", D1, "kubernetes", STATIC_POD },
	{ "/kubepods/burstable/pod" POD, "", "", "", "", POD },
	{ KUBE, "", KUBE_SLICE, "", "", POD },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" POD_
	  ".slice:cri-containerd:" D1, "containerd.service", "system.slice", D1, "containerd",
	  POD },
	{ "/system.slice:docker:" D1, "", "", D1, "docker", "" },
	{ "/system.slice/nerdctl-" D1 ".scope", "nerdctl-" D1 ".scope", "system.slice", D1,
	  "containerd", "" },
	{ "/k8s.io/" D1, "", "", D1, "containerd", "" },
	{ "/default/" D1, "", "", D1, "containerd", "" },
	/* kind: a node is a container */
	{ "/docker/" D2 "/kubelet/kubepods/burstable/pod" POD "/" D1, "", "", D1, "kubernetes",
	  POD },
	{ "/system.slice/docker-" D2 ".scope/kubelet.slice/kubelet-kubepods.slice/"
	  "kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod" POD_
	  ".slice/cri-containerd-" D1 ".scope", "cri-containerd-" D1 ".scope",
	  "kubelet-kubepods-burstable-pod" POD_ ".slice", D1, "containerd", POD },
	/* docker in a pod */
	{ "/kubepods/burstable/pod" POD "/" D1 "/docker/" D2, "", "", D2, "docker", POD },
	/* cri-o */
	{ KUBE "/crio-" D1 ".scope", "crio-" D1 ".scope", KUBE_SLICE, D1, "cri-o", POD },
	{ KUBE "/crio-" D1 ".scope/container", "crio-" D1 ".scope", KUBE_SLICE, D1, "cri-o", POD },
	{ KUBE "/crio-conmon-" D1 ".scope", "crio-conmon-" D1 ".scope", KUBE_SLICE, "", "", POD },
	{ "/kubepods/burstable/pod" POD "/crio-" D1, "", "", D1, "cri-o", POD },
	/* podman */
	{ "/machine.slice/libpod-" D1 ".scope", "libpod-" D1 ".scope", "machine.slice", D1,
	  "podman", "" },
	{ "/machine.slice/libpod-" D1 ".scope/container", "libpod-" D1 ".scope", "machine.slice",
	  D1, "podman", "" },
	{ "/machine.slice/libpod-conmon-" D1 ".scope", "libpod-conmon-" D1 ".scope",
	  "machine.slice", "", "", "" },
	{ "/machine.slice/machine-libpod_pod_" D2 ".slice/libpod-" D1 ".scope",
	  "libpod-" D1 ".scope", "machine-libpod_pod_" D2 ".slice", D1, "podman", D2 },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" D1
	  ".scope/container", "libpod-" D1 ".scope", "user.slice", D1, "podman", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/user-libpod_pod_" D2
	  ".slice/libpod-" D1 ".scope", "libpod-" D1 ".scope", "user-libpod_pod_" D2 ".slice", D1,
	  "podman", D2 },
	{ "/system.slice/web.service/libpod-payload-" D1, "web.service", "system.slice", D1,
	  "podman", "" },
	{ "/libpod_parent/libpod-" D1, "", "", D1, "podman", "" },
	{ "/libpod_parent/" D2 "/libpod-" D1, "", "", D1, "podman", D2 },
	{ "/libpod_parent/conmon", "", "", "", "", "" },
	/* lxc, LXD, Proxmox */
	{ "/lxc.payload.web1", "", "", "web1", "lxc", "" },
	{ "/lxc.payload.web1/system.slice/ssh.service", "ssh.service", "system.slice", "web1",
	  "lxc", "" },
	{ "/lxc.payload/web1/init.scope", "init.scope", "", "web1", "lxc", "" },
	{ "/lxc/101/ns/system.slice/cron.service", "cron.service", "system.slice", "101", "lxc",
	  "" },
	{ "/lxc.monitor.web1", "", "", "", "", "" },
	{ "/lxc.monitor/web1", "", "", "", "", "" },
	{ "/lxc", "", "", "", "", "" },
	{ "/lxc.payload.", "", "", "", "", "" },
	{ "/lxc.payload.a/lxc.payload.b", "", "", "b", "lxc", "" },
	/* nspawn, libvirt */
	{ "/machine.slice/machine-debian\\x2dsid.scope", "machine-debian\\x2dsid.scope",
	  "machine.slice", "debian-sid", "nspawn", "" },
	{ "/machine.slice/systemd-nspawn@debian\\x2dsid.service/payload/system.slice/ssh.service",
	  "ssh.service", "system.slice", "debian-sid", "nspawn", "" },
	{ "/machine.slice/systemd-nspawn@a.service/payload/init.scope",
	  "systemd-nspawn@a.service", "machine.slice", "a", "nspawn", "" },
	{ "/machine.slice/systemd-nspawn@a.service/supervisor", "systemd-nspawn@a.service",
	  "machine.slice", "", "", "" },
	{ "/machine.slice/machine-qemu\\x2d1\\x2ddebian12.scope/libvirt/emulator",
	  "machine-qemu\\x2d1\\x2ddebian12.scope", "machine.slice", "1-debian12", "qemu", "" },
	{ "/machine.slice/machine-lxc\\x2d4242\\x2dweb.scope",
	  "machine-lxc\\x2d4242\\x2dweb.scope", "machine.slice", "4242-web", "lxc", "" },
	/* others */
	{ "/ecs/" STATIC_POD "/" D1, "", "", D1, "ecs", "" },
	{ "/ecstasks.slice/ecstasks-" STATIC_POD ".slice/docker-" D1 ".scope",
	  "docker-" D1 ".scope", "ecstasks-" STATIC_POD ".slice", D1, "docker", "" },
	{ "/kubepods/burstable/pod" POD "/kata_" D1, "", "", D1, "kata", POD },
	{ "/foo/" D1, "", "", D1, "oci", "" },
	/* paths that only look similar */
	{ "/docker/0123", "", "", "", "", "" },
	{ "/docker/" D1 "0", "", "", "", "", "" },
	{ "/system.slice/docker-0123.scope", "docker-0123.scope", "system.slice", "", "", "" },
	{ "/docker/0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", "", "", "",
	  "", "" },
	{ "/-" D1, "", "", "", "", "" },
	{ "/" D1, "", "", D1, "oci", "" },
	{ "/::" D1, "", "", "", "", "" },
	{ "/kubepods/podx", "", "", "", "", "" },
	{ "/burstable/pod" POD "/x", "", "", "", "", "" },
	{ "/kubepods/pod8dbc5577-d0e2-4706-8787-57d52c03ddfg", "", "", "", "", "" },
	{ "/kubepods/pod8dbc5577xd0e2-4706-8787-57d52c03ddf2", "", "", "", "", "" },
	{ "/system.slice/a b.service", "", "system.slice", "", "", "" },
	{ "/.service/@.service/.slice", "", "", "", "", "" },
	{ "/machine-.scope", "machine-.scope", "", "", "", "" },
	{ "/machine-\\x2.scope", "machine-\\x2.scope", "", "\\x2", "nspawn", "" },
	{ "/machine-a\\x00b\\x2fc\\x2d.scope", "machine-a\\x00b\\x2fc\\x2d.scope", "",
	  "a\\x00b\\x2fc-", "nspawn", "" },
	{ "////..//.//...", "", "", "", "", "" },
};

static void test_paths(void **state)
{
	struct cgroup_labels got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct {
			const char *got;
			const char *want;
		} part[] = {
			{ got.unit, cases[i].unit }, { got.slice, cases[i].slice },
			{ got.container_id, cases[i].id }, { got.runtime, cases[i].runtime },
			{ got.pod_uid, cases[i].pod },
		};
		size_t k;

		memset(&got, 'x', sizeof(got));
		cgroup_labels(cases[i].path, &got);
		for (k = 0; k < ARRAY_SIZE(part); k++)
			if (strcmp(part[k].got, part[k].want))
				fail_msg("%s: '%s', not '%s'", cases[i].path, part[k].got,
					 part[k].want);
	}
}

/* The longest names, longer ones, and many of them. */
static void test_lengths(void **state)
{
	char *path = malloc(1 << 20), name[256];
	struct cgroup_labels got;
	size_t i, n = 0;

	memset(name, 'a', sizeof(name));
	strcpy(name + 255 - 8, ".service");
	sprintf(path, "/lxc/x/%s", name);
	cgroup_labels(path, &got);
	assert_string_equal(got.unit, name);
	sprintf(path, "/lxc/%s", name);
	cgroup_labels(path, &got);
	assert_string_equal(got.container_id, name);
	sprintf(path, "/system.slice/a%s/b.service", name);
	cgroup_labels(path, &got);
	assert_string_equal(got.unit, "b.service");
	sprintf(path, "/system.slice/a%s", name);
	cgroup_labels(path, &got);
	assert_string_equal(got.unit, "");
	memcpy(name, "machine-", 8);
	memcpy(name + 255 - 8, "aa.scope", 9);
	cgroup_labels(name, &got);
	assert_int_equal(strlen(got.container_id), 255 - 8 - 6);
	memset(name + 8, 'a', 255 - 8);
	memcpy(name, "kubepods", 8);
	cgroup_labels(name, &got);
	for (i = 0; i < 100000; i++)
		n += (size_t)sprintf(path + n, "/lxc/a%zu", i % 10);
	cgroup_labels(path, &got);
	assert_string_equal(got.container_id, "a9");
	free(path);
}

/* Control bytes must be removed where labels are set, before they can reach a terminal. */
static void test_bytes(void **state)
{
	struct cgroup_labels got;
	struct labels set;

	cgroup_labels("/lxc.payload.a\x1b[31m\xff", &got);
	assert_string_equal(got.container_id, "a\x1b[31m\xff");
	labels_init(&set);
	labels_set(&set, "__container_id", got.container_id);
	assert_string_equal(labels_get(&set, "__container_id"),
			    "a\xef\xbf\xbd[31m\xef\xbf\xbd");
	labels_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

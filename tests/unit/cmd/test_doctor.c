// SPDX-License-Identifier: GPL-2.0-only
/* The findings of the doctor: on good machines, and on machines that lack one thing each. */
#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cmd/doctor/doctor.h"
#include "cmd/doctor/look.h"
#include "cmd/doctor/packages.h"
#include "reason.h"

static char root[64];
static int event_error[2], own_error, bpf_error, info_error;
static struct ustack_info info;
static struct ustack_stats stats;

static int try_event(enum doctor_event event, bool own)
{
	return own && event == DOCTOR_CPU_CLOCK ? own_error : event_error[event];
}

static int try_bpf(void)
{
	return bpf_error;
}

static int ask_info(struct ustack_info *ret, char text[256])
{
	*ret = info;
	strcpy(text, "it said no");
	return info_error;
}

static int ask_stats(struct ustack_stats *ret)
{
	*ret = stats;
	return 0;
}

static const struct doctor_trials trials = {
	.event = try_event, .bpf = try_bpf, .info = ask_info, .stats = ask_stats,
};

static struct doctor_options options = {
	.root = root, .trials = &trials, .version = "0.1.0", .arch = "x86_64",
};

static struct doctor_report report;

static void put(const char *path, const char *text)
{
	char place[256], *p;
	FILE *f;

	snprintf(place, sizeof(place), "%s%s", root, path);
	for (p = place + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(place, 0755);
		*p = '/';
	}
	f = fopen(place, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void drop(const char *path)
{
	char place[256];

	snprintf(place, sizeof(place), "%s%s", root, path);
	assert_int_equal(unlink(place), 0);
}

#define CONFIG "/boot/config-6.1.0-1-amd64"
#define GOOD_CONFIG "CONFIG_PERF_EVENTS=y\nCONFIG_MODULES=y\nCONFIG_FUNCTION_TRACER=y\n" \
	"CONFIG_DYNAMIC_FTRACE=y\nCONFIG_DYNAMIC_FTRACE_WITH_REGS=y\nCONFIG_UPROBES=y\n" \
	"CONFIG_PROC_FS=y\nCONFIG_BPF_SYSCALL=y\nCONFIG_BPF_EVENTS=y\n" \
	"CONFIG_DEBUG_INFO_BTF=y\nCONFIG_SECCOMP_FILTER=y\n# CONFIG_PREEMPT_RT is not set\n"
#define STATUS(caps, bound, seccomp) "Name:\tustack\nCapPrm:\t" caps "\nCapEff:\t" caps \
	"\nCapBnd:\t" bound "\nSeccomp:\t" seccomp "\n"
#define ALL "000001ffffffffff"
#define NONE "0000000000000000"

/* Debian's kernel, root, the module in place: there is no complaint. */
static int setup(void **state)
{
	unsigned int i;

	strcpy(root, "/tmp/ustack-doctor-XXXXXX");
	assert_non_null(mkdtemp(root));
	setenv("XDG_CACHE_HOME", "/cache", 1);
	put("/proc/sys/kernel/osrelease", "6.1.0-1-amd64\n");
	put("/proc/self/status", STATUS(ALL, ALL, "0"));
	put("/proc/self/limits", "Max open files            1048576    1048576    files\n");
	put("/proc/kallsyms", "0000000000000000 A fixed\nffffffff81000000 T _text\n");
	put("/proc/sys/kernel/perf_event_paranoid", "3\n");
	put("/proc/sys/kernel/kptr_restrict", "0\n");
	put("/proc/sys/kernel/perf_event_max_stack", "512\n");
	put("/proc/sys/kernel/perf_event_max_sample_rate", "100000\n");
	put("/proc/sys/kernel/perf_event_mlock_kb", "516\n");
	put("/proc/sys/kernel/perf_cpu_time_max_percent", "25\n");
	put("/proc/sys/kernel/ftrace_enabled", "1\n");
	put("/proc/77/cmdline", "x");
	put("/sys/kernel/btf/vmlinux", "");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put("/sys/module/ustack/version", "0.1.0\n");
	put("/etc/debian_version", "12\n");
	put("/cache/ustack/symbols/ab/cd.gsym", "x");
	put("/usr/lib/debug/.build-id/ab/cd.debug", "");
	put(CONFIG, GOOD_CONFIG);
	event_error[0] = event_error[1] = own_error = bpf_error = info_error = 0;
	info = (struct ustack_info){ .abi = USTACK_ABI_VERSION, .hooks = 0x3f, .enabled = 1,
				     .budget_bytes = 1000, .table_bytes = 10 };
	for (i = 0; i < USTACK_STATS_REASONS; i++)
		stats.reasons[i] = 0;
	stats.samples = stats.reasons[USTACK_COMPLETE] = 1000;
	options.trials = &trials;
	options.arch = "x86_64";
	return 0;
}

/* The service, as /proc shows it. */
static void put_supply(void)
{
	char place[128];
	FILE *f;

	snprintf(place, sizeof(place), "%s/proc/77/cmdline", root);
	f = fopen(place, "w");
	assert_non_null(f);
	assert_int_equal(fwrite("/usr/bin/ustack\0supply\0--prepare", 1, 33, f), 33);
	fclose(f);
}

static int teardown(void **state)
{
	char command[128];

	doctor_report_release(&report);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static enum doctor_level judge(void)
{
	doctor_report_release(&report);
	doctor_machine(&options, &report);
	assert_false(report.no_memory);
	return doctor_worst(&report);
}

static const struct doctor_finding *finding(const char *about, enum doctor_level level)
{
	size_t i;

	for (i = 0; i < report.nr; i++)
		if (!strcmp(report.findings[i].about, about) &&
		    report.findings[i].level == level)
			return &report.findings[i];
	return NULL;
}

/*
 * Checks that a finding has these texts in its sentence and in its command (NULL: no command).
 */
static void expect(enum doctor_level level, const char *about, const char *text,
		   const char *command)
{
	size_t i;

	for (i = 0; i < report.nr; i++) {
		const struct doctor_finding *f = &report.findings[i];

		if (f->level == level && !strcmp(f->about, about) && strstr(f->text, text) &&
		    (command ? f->command && strstr(f->command, command) : !f->command))
			return;
	}
	for (i = 0; i < report.nr; i++)
		print_message("%s %s: %s | %s\n", doctor_level_name(report.findings[i].level),
			      report.findings[i].about, report.findings[i].text,
			      report.findings[i].command);
	fail_msg("nothing says %s: %s", about, text);
}

static void test_good(void **state)
{
	put_supply();
	assert_int_equal(judge(), DOCTOR_OK);
	expect(DOCTOR_OK, "kernel", "6.1.0-1-amd64", NULL);
	expect(DOCTOR_OK, "kernel options", CONFIG, NULL);
	expect(DOCTOR_OK, "module", "0.1.0", NULL);
	expect(DOCTOR_OK, "hooks", "all", NULL);
	expect(DOCTOR_OK, "stacks", "100.00 % of stacks complete, of 1000", NULL);
	expect(DOCTOR_OK, "supply", "runs", NULL);
	expect(DOCTOR_OK, "debug files", "1 below", NULL);
	expect(DOCTOR_OK, "recording", "in the kernel", NULL);
}

static void test_config(void **state)
{
	static const struct {
		const char *without, *says;
		enum doctor_level level;
	} cases[] = {
		{ "CONFIG_PERF_EVENTS=y", "PERF_EVENTS", DOCTOR_ERROR },
		{ "CONFIG_MODULES=y", "MODULES", DOCTOR_WARNING },
		{ "CONFIG_FUNCTION_TRACER=y", "FUNCTION_TRACER", DOCTOR_WARNING },
		{ "CONFIG_DYNAMIC_FTRACE=y", "DYNAMIC_FTRACE:", DOCTOR_WARNING },
		{ "CONFIG_DYNAMIC_FTRACE_WITH_REGS=y", "WITH_ARGS|", DOCTOR_WARNING },
		{ "CONFIG_UPROBES=y", "UPROBES", DOCTOR_WARNING },
		{ "CONFIG_BPF_SYSCALL=y", "BPF_SYSCALL", DOCTOR_WARNING },
		{ "CONFIG_BPF_EVENTS=y", "BPF_EVENTS", DOCTOR_WARNING },
		{ "CONFIG_DEBUG_INFO_BTF=y", "DEBUG_INFO_BTF", DOCTOR_WARNING },
		{ "CONFIG_SECCOMP_FILTER=y", "SECCOMP_FILTER", DOCTOR_WARNING },
	};
	char text[sizeof(GOOD_CONFIG)], *at;
	unsigned int i;

	put_supply();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strcpy(text, GOOD_CONFIG);
		at = strstr(text, cases[i].without);
		assert_non_null(at);
		memset(at, '#', 8);
		put(CONFIG, text);
		assert_int_equal(judge(), cases[i].level);
		expect(cases[i].level, "kernel options", cases[i].says, "apt-get install linux-image-amd64");
	}
	/* one of the two is enough */
	strcpy(text, GOOD_CONFIG);
	memcpy(strstr(text, "WITH_REGS"), "WITH_ARGS", 9);
	put(CONFIG, text);
	assert_int_equal(judge(), DOCTOR_OK);
	put(CONFIG, GOOD_CONFIG "CONFIG_PREEMPT_RT=y\n");
	judge();
	expect(DOCTOR_WARNING, "kernel options", "PREEMPT_RT", "apt-get");
	drop(CONFIG);
	judge();
	expect(DOCTOR_NOTE, "kernel options", "no file", NULL);
}

/* The kernel's own configuration comes first, and is compressed. */
static void test_config_gz(void **state)
{
	char place[128];
	gzFile f;

	put_supply();
	snprintf(place, sizeof(place), "%s/proc/config.gz", root);
	f = gzopen(place, "w");
	gzputs(f, "CONFIG_PERF_EVENTS=n\n");
	gzclose(f);
	assert_int_equal(judge(), DOCTOR_ERROR);
	expect(DOCTOR_ERROR, "kernel options", "PERF_EVENTS", "apt-get");
	/* a file that ends early is ignored */
	assert_int_equal(truncate(place, 22), 0);
	assert_int_equal(judge(), DOCTOR_OK);
	expect(DOCTOR_OK, "kernel options", CONFIG, NULL);
}

static void test_kernel(void **state)
{
	put("/proc/sys/kernel/osrelease", "5.10.0\n");
	judge();
	expect(DOCTOR_WARNING, "kernel", "6.1 or later", NULL);
	put("/proc/sys/kernel/osrelease", "6.1.0-1-amd64\n");
	options.arch = "riscv64";
	judge();
	expect(DOCTOR_WARNING, "kernel", "riscv64", NULL);
	drop("/proc/sys/kernel/osrelease");
	judge();
	expect(DOCTOR_WARNING, "kernel", "cannot be read", "mount -t proc");
	drop("/sys/kernel/btf/vmlinux");
	judge();
	expect(DOCTOR_WARNING, "BTF", "not there", "apt-get");
	expect(DOCTOR_NOTE, "recording", "copied", NULL);
}

static void test_locks(void **state)
{
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	judge();
	expect(DOCTOR_WARNING, "lockdown", "confidentiality", NULL);
	/* it is in place already */
	assert_null(finding("signatures", DOCTOR_WARNING));
	put("/proc/sys/kernel/ftrace_enabled", "0\n");
	put("/proc/sys/kernel/modules_disabled", "1\n");
	judge();
	expect(DOCTOR_WARNING, "ftrace", "switched off", "sysctl kernel.ftrace_enabled=1");
	expect(DOCTOR_WARNING, "modules", "next boot", "reboot");
}

static void remove_module(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s/sys/module", root);
	assert_int_equal(system(command), 0);
	info_error = -ENOENT;
}

static void test_no_module(void **state)
{
	remove_module();
	assert_int_equal(judge(), DOCTOR_WARNING);
	expect(DOCTOR_WARNING, "module", "not loaded",
	       "apt-get install linux-headers-6.1.0-1-amd64");
	put("/lib/modules/6.1.0-1-amd64/build/Makefile", "");
	judge();
	expect(DOCTOR_WARNING, "module", "not loaded", "make -s module");
	put("/usr/src/ustack-0.1.0/dkms.conf", "");
	judge();
	expect(DOCTOR_WARNING, "module", "not loaded", "dkms install ustack/0.1.0");
	put("/lib/modules/6.1.0-1-amd64/modules.dep", "a.ko:\nupdates/dkms/ustack.ko.xz:\n");
	judge();
	expect(DOCTOR_WARNING, "module", "not loaded", "modprobe ustack");
	expect(DOCTOR_OK, "recording", "tables", NULL);
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	judge();
	expect(DOCTOR_WARNING, "signatures", "signed", "mokutil --import /var/lib/dkms/mok.pub");
	put("/etc/pki/akmods/certs/public_key.der", "");
	judge();
	expect(DOCTOR_WARNING, "signatures", "signed", "/etc/pki/akmods/certs/public_key.der");
	put("/var/lib/dkms/mok.pub", "");
	judge();
	expect(DOCTOR_WARNING, "signatures", "signed", "/var/lib/dkms/mok.pub");
	put("/etc/os-release", "NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\n");
	judge();
	expect(DOCTOR_WARNING, "signatures", "signed", "/var/lib/shim-signed/mok/MOK.der");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put(CONFIG, GOOD_CONFIG "CONFIG_MODULE_SIG_FORCE=y\n");
	judge();
	expect(DOCTOR_WARNING, "signatures", "signed", "mokutil");
}

/*
 * Whether the kernel was tested, and what to do if it was not. 6.200 and 99.0 will never be
 * tested: one is between two tested releases, one is newer than all.
 */
static void test_tested(void **state)
{
	judge();
	expect(DOCTOR_OK, "tested kernels", "Linux 6.1 was tested", NULL);
	put("/proc/sys/kernel/osrelease", "6.12.3+deb13-amd64\n");
	judge();
	expect(DOCTOR_OK, "tested kernels", "Linux 6.12 was tested", NULL);

	/* it is loaded: nothing has to be done */
	put("/proc/sys/kernel/osrelease", "6.200.1\n");
	judge();
	expect(DOCTOR_NOTE, "tested kernels", "Linux 6.200 was not tested", NULL);
	put("/proc/sys/kernel/osrelease", "99.0.0-rc1\n");
	judge();
	expect(DOCTOR_NOTE, "tested kernels", "Linux 99.0 was not tested", NULL);

	remove_module();
	judge();
	expect(DOCTOR_WARNING, "tested kernels", "Linux 99.0 is newer than ",
	       "echo 'options ustack force=1' >>/etc/modprobe.d/ustack.conf");
	put("/lib/modules/99.0.0-rc1/build/Makefile", "");
	judge();
	expect(DOCTOR_WARNING, "module", "not loaded", "tail -n 1)\" force=1");
	put("/etc/modprobe.d/ustack.conf", "options ustack eager=0\n# options ustack force=1\n");
	judge();
	expect(DOCTOR_WARNING, "tested kernels", "Linux 99.0 is newer than ", "modprobe.d");
	put("/etc/modprobe.d/ustack.conf", "options ustack eager=0\noptions ustack force=1\n");
	judge();
	expect(DOCTOR_NOTE, "tested kernels", "force=1 is set", NULL);
	drop("/etc/modprobe.d/ustack.conf");

	put("/proc/sys/kernel/osrelease", "6.200.1\n");
	judge();
	expect(DOCTOR_NOTE, "tested kernels", "prototypes", NULL);
	drop("/sys/kernel/btf/vmlinux");
	put("/lib/modules/6.200.1/build/Makefile", "");
	judge();
	expect(DOCTOR_WARNING, "tested kernels", "cannot be compared", "force=1");
	expect(DOCTOR_WARNING, "module", "not loaded", "tail -n 1)\" force=1");
	/* one that was tested needs no description */
	put("/proc/sys/kernel/osrelease", "6.1.0-1-amd64\n");
	put("/lib/modules/6.1.0-1-amd64/build/Makefile", "");
	judge();
	expect(DOCTOR_OK, "tested kernels", "Linux 6.1 was tested", NULL);
	expect(DOCTOR_WARNING, "module", "not loaded", "tail -n 1)\"   #");
}

/* If the module cannot be loaded at all, that is reported. */
static void test_tested_needless(void **state)
{
	static const char *const none[] = { "5.10.0\n", "nonsense\n", "" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		put("/proc/sys/kernel/osrelease", none[i]);
		judge();
		assert_null(finding("tested kernels", DOCTOR_OK));
		assert_null(finding("tested kernels", DOCTOR_NOTE));
		assert_null(finding("tested kernels", DOCTOR_WARNING));
	}
	remove_module();
	put("/proc/sys/kernel/osrelease", "99.0.0\n");
	put("/boot/config-99.0.0", "CONFIG_PERF_EVENTS=y\n");
	judge();
	assert_null(finding("tested kernels", DOCTOR_WARNING));
}

static void test_module(void **state)
{
	put("/sys/module/ustack/version", "0.0.9\n");
	judge();
	expect(DOCTOR_WARNING, "module", "0.0.9", "modprobe ustack");
	info.abi = USTACK_ABI_VERSION + 1;
	judge();
	expect(DOCTOR_WARNING, "module", "interface", "modprobe ustack");
	info.hooks = 0x3e;
	info.enabled = 0;
	info.table_bytes = 950;
	stats.reasons[USTACK_COMPLETE] = 100;
	stats.reasons[USTACK_NO_TABLE] = 500;
	stats.reasons[USTACK_DEPTH] = 400;
	judge();
	expect(DOCTOR_WARNING, "hooks", "perf_callchain_user", "dmesg");
	expect(DOCTOR_WARNING, "hooks", "switched off", "parameters/enabled");
	expect(DOCTOR_WARNING, "tables", "nine tenths", "budget_mb");
	expect(DOCTOR_NOTE, "stacks", ustack_reason_text(USTACK_NO_TABLE), "ustack stat");
	expect(DOCTOR_WARNING, "supply", "only ustack record makes tables", "ustack supply");
	expect(DOCTOR_OK, "recording", "tables", NULL);
	info_error = -EACCES;
	judge();
	expect(DOCTOR_WARNING, "device", "it said no", "sudo");
	put("/run/systemd/system/x", "");
	put("/lib/systemd/system/ustack-supply.service", "");
	judge();
	expect(DOCTOR_WARNING, "supply", "only ustack record makes tables", "systemctl enable --now ustack-supply");
}

static void test_rights(void **state)
{
	put("/proc/self/status", STATUS(NONE, ALL, "0"));
	put("/proc/self/limits", "Max open files            1024    1048576    files\n"
	    "Max locked memory         65536     65536      bytes\n");
	put("/proc/sys/kernel/unprivileged_bpf_disabled", "2\n");
	event_error[DOCTOR_CPU_CLOCK] = -EACCES;
	event_error[DOCTOR_CYCLES] = -ENOENT;
	bpf_error = -EPERM;
	assert_int_equal(judge(), DOCTOR_WARNING);
	expect(DOCTOR_WARNING, "rights", "no CAP_PERFMON", "sudo");
	expect(DOCTOR_WARNING, "rights", "no CAP_SYSLOG", "sudo");
	expect(DOCTOR_NOTE, "open files", "1024", "ulimit -n");
	expect(DOCTOR_NOTE, "locked memory", "64 KiB", "ulimit -l");
	expect(DOCTOR_NOTE, "events", "own processes", "perf_event_paranoid=-1");
	expect(DOCTOR_NOTE, "hardware events", "none", NULL);
	expect(DOCTOR_WARNING, "eBPF", "not permitted", "sudo");
	expect(DOCTOR_NOTE, "unprivileged_bpf_disabled", "2", "sudo");
	own_error = -EACCES;
	assert_int_equal(judge(), DOCTOR_ERROR);
	expect(DOCTOR_ERROR, "events", "denied", "sysctl kernel.perf_event_paranoid=1");
	assert_null(finding("recording", DOCTOR_OK));
	own_error = -ENOSYS;
	judge();
	expect(DOCTOR_ERROR, "events", "no perf_event_open", NULL);
	/* CAP_SYS_ADMIN is as good, except for reading memory of others */
	put("/proc/self/status", STATUS("0000000000200000", ALL, "0"));
	judge();
	expect(DOCTOR_WARNING, "rights", "no CAP_SYS_PTRACE", "sudo");
}

static void test_container(void **state)
{
	put("/.dockerenv", "");
	put("/proc/self/status", STATUS("00000000a80425fb", "00000000a80425fb", "2"));
	event_error[DOCTOR_CPU_CLOCK] = own_error = bpf_error = -EPERM;
	assert_int_equal(judge(), DOCTOR_ERROR);
	expect(DOCTOR_WARNING, "rights", "no CAP_PERFMON in this container",
	       "--cap-add PERFMON");
	expect(DOCTOR_ERROR, "events", "seccomp", "seccomp=unconfined");
	expect(DOCTOR_WARNING, "eBPF", "seccomp", "seccomp=unconfined");
	/* few containers have sudo */
	put("/proc/self/status", STATUS(NONE, ALL, "0"));
	judge();
	expect(DOCTOR_WARNING, "rights", "no CAP_PERFMON in this container", "docker exec --user 0");
}

/* The file stands for a namespace, because its inode is not the first one's. */
static void test_pid_namespace(void **state)
{
	judge();
	expect(DOCTOR_OK, "eBPF", "can be loaded", NULL);
	put("/proc/self/ns/pid", "");
	judge();
	expect(DOCTOR_WARNING, "eBPF", "other numbers in this container", "--pid=host");
	expect(DOCTOR_NOTE, "recording", "works with copied stacks", NULL);
}

static void test_settings(void **state)
{
	put("/proc/self/status", STATUS(NONE, ALL, "0"));
	put("/proc/kallsyms", "0000000000000000 A fixed\n0000000000000000 T _text\n");
	put("/proc/sys/kernel/kptr_restrict", "2\n");
	put("/proc/sys/kernel/perf_event_max_stack", "64\n");
	put("/proc/sys/kernel/perf_event_max_sample_rate", "250\n");
	put("/proc/sys/kernel/perf_event_mlock_kb", "8\n");
	put("/proc/sys/kernel/perf_cpu_time_max_percent", "1\n");
	judge();
	expect(DOCTOR_WARNING, "perf_event_paranoid", "not open events", "paranoid=1");
	expect(DOCTOR_WARNING, "kernel names", "hidden", "sysctl kernel.kptr_restrict=1");
	expect(DOCTOR_WARNING, "perf_event_max_stack", "64", "max_stack=512");
	expect(DOCTOR_WARNING, "perf_event_max_sample_rate", "250", "max_sample_rate=100000");
	expect(DOCTOR_WARNING, "perf_event_mlock_kb", "8", "mlock_kb=516");
	expect(DOCTOR_NOTE, "perf_cpu_time_max_percent", "1", "percent=25");
	put("/proc/sys/kernel/perf_event_paranoid", "2\n");
	put("/proc/sys/kernel/perf_event_max_stack", "127\n");
	judge();
	expect(DOCTOR_WARNING, "perf_event_paranoid", "without the kernel", "paranoid=-1");
	expect(DOCTOR_NOTE, "perf_event_max_stack", "127", "max_stack=512");
	/* nothing is tried on a machine of which only copies of files are given */
	options.trials = NULL;
	put("/proc/sys/kernel/perf_event_paranoid", "3\n");
	assert_int_equal(judge(), DOCTOR_ERROR);
	/* a value that is not a number is not judged */
	put("/proc/sys/kernel/perf_event_paranoid", "what\n");
	assert_int_equal(judge(), DOCTOR_WARNING);
	assert_null(finding("events", DOCTOR_OK));
}

static void test_places(void **state)
{
	drop("/usr/lib/debug/.build-id/ab/cd.debug");
	setenv("XDG_CACHE_HOME", "/proc/kallsyms", 1);
	judge();
	expect(DOCTOR_NOTE, "debug files", "none", "apt-get install libc6-dbg");
	/* a file in the place of a folder */
	expect(DOCTOR_WARNING, "names' cache", "/proc/kallsyms cannot be written", "XDG_CACHE_HOME");
}

static void test_empty(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s/*", root);
	assert_int_equal(system(command), 0);
	options.trials = NULL;
	judge();
	expect(DOCTOR_WARNING, "kernel", "cannot be read", "mount");
	expect(DOCTOR_WARNING, "BTF", "/sys/kernel is not there", "mount -t sysfs");
}

static void test_packages(void **state)
{
	struct package_want want[] = {
		{ .path = "/usr/lib/x/libx.so.1", .build_id = "abcd01" },
		{ .path = "/usr/bin/y", .build_id = "abcd02" },
		{ .path = "/usr/bin/z", .build_id = "" },
		{ .path = "/home/me/prog", .build_id = "abcd04" },
	};
	char command[512];

	put("/etc/os-release", "NAME=x\nVERSION_CODENAME=bookworm\n");
	put("/var/lib/dpkg/info/libx1:amd64.list", "/.\n/lib/x/libx.so.1\n");
	put("/var/lib/dpkg/info/ypkg.list", "/.\n/usr/bin/y\n");
	put("/var/lib/dpkg/info/zpkg.list", "/.\n/usr/bin/z\n");
	put("/var/lib/apt/lists/deb_Packages", "Package: other-dbgsym\nBuild-Ids: ff abcd02 aa\n\n"
	    "Package: libx1\nVersion: 1\n\nPackage: libx1-dbg\nVersion: 1\n");
	packages_find(&options, want, 4);
	assert_string_equal(want[0].owner, "libx1");
	assert_string_equal(want[0].debug, "libx1-dbg");
	assert_string_equal(want[1].owner, "ypkg");
	assert_string_equal(want[1].debug, "other-dbgsym");
	assert_string_equal(want[2].debug, "");
	assert_true(packages_command(&options, &want[1], command));
	assert_string_equal(command, "apt-get install other-dbgsym");
	assert_true(packages_command(&options, &want[2], command));
	assert_non_null(strstr(command, "zpkg-dbgsym   # of deb http"));
	assert_non_null(strstr(command, " bookworm-debug main"));
	assert_false(packages_command(&options, &want[3], command));
	drop("/etc/debian_version");
	put("/etc/redhat-release", "");
	assert_true(packages_command(&options, &want[3], command));
	assert_non_null(strstr(command, "rpm -qf /home/me/prog"));
}

/* Users copy commands into a root shell, and sentences are printed on a terminal. */
static void test_hostile(void **state)
{
	const struct package_want want = { .path = "/x", .owner = "a;reboot" };
	char word[4096];

	assert_true(look_quote("/usr/bin/x-1.2", word));
	assert_string_equal(word, "/usr/bin/x-1.2");
	assert_true(look_quote("/tmp/a b;$(reboot)'`", word));
	assert_string_equal(word, "'/tmp/a b;$(reboot)'\\''`'");
	assert_false(look_quote("/tmp/\033[2J", word));
	assert_false(look_quote("/usr/bin/x (deleted)", word));
	assert_false(look_quote("-rf", word));
	assert_false(packages_command(&options, &want, word));
	put("/proc/sys/kernel/osrelease", "6.1.0;reboot\n");
	put("/sys/kernel/security/lockdown", "[none]\033[2J\n");
	remove_module();
	judge();
	expect(DOCTOR_WARNING, "kernel", "cannot be read", "mount");
	expect(DOCTOR_OK, "lockdown", "[none]\\033[2J", NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_good), TEST(test_config), TEST(test_config_gz), TEST(test_kernel),
		TEST(test_locks), TEST(test_no_module), TEST(test_tested),
		TEST(test_tested_needless), TEST(test_module), TEST(test_rights),
		TEST(test_container), TEST(test_pid_namespace), TEST(test_settings), TEST(test_places),
		TEST(test_empty), TEST(test_packages), TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run a program under a filter of system calls like the default one of container runtimes
 * (RuntimeDefault): usage: seccomp CAPABILITIES PROGRAM [ARGUMENT...], capabilities as in a
 * manifest, with commas between them.
 *
 * The real profile is a list of what is allowed. This one refuses what Docker's documentation lists
 * as blocked, and io_uring, so it is weaker: a system call that neither list has passes here.
 * Some are allowed with a capability, as there.
 */
#include <errno.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct rule {
	const char *name;
	const char *capability;	/* with which it is allowed, NULL: with none */
};

static const struct rule rules[] = {
	{ "acct", NULL }, { "add_key", NULL }, { "bpf", "BPF" }, { "clock_adjtime", NULL },
	{ "clock_settime", NULL }, { "create_module", NULL }, { "delete_module", NULL },
	{ "finit_module", NULL }, { "get_kernel_syms", NULL }, { "get_mempolicy", NULL },
	{ "init_module", NULL }, { "ioperm", NULL }, { "iopl", NULL },
	{ "io_uring_enter", NULL }, { "io_uring_register", NULL }, { "io_uring_setup", NULL },
	{ "kcmp", "SYS_PTRACE" }, { "kexec_file_load", NULL }, { "kexec_load", NULL },
	{ "keyctl", NULL }, { "lookup_dcookie", NULL }, { "mbind", NULL }, { "mount", NULL },
	{ "move_pages", NULL }, { "nfsservctl", NULL },
	{ "open_by_handle_at", "DAC_READ_SEARCH" }, { "perf_event_open", "PERFMON" },
	{ "pivot_root", NULL }, { "process_vm_readv", "SYS_PTRACE" },
	{ "process_vm_writev", "SYS_PTRACE" }, { "ptrace", "SYS_PTRACE" },
	{ "query_module", NULL }, { "quotactl", NULL }, { "reboot", NULL },
	{ "request_key", NULL }, { "set_mempolicy", NULL }, { "setns", NULL },
	{ "settimeofday", NULL }, { "swapoff", NULL }, { "swapon", NULL }, { "sysfs", NULL },
	{ "syslog", "SYSLOG" }, { "umount2", NULL }, { "unshare", NULL }, { "uselib", NULL },
	{ "userfaultfd", NULL }, { "ustat", NULL }, { "vhangup", NULL },
};

/* Whether @word is in @list, which has commas. */
static int has(const char *list, const char *word)
{
	size_t len = strlen(word), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && !strncmp(list, word, n))
			return 1;
	}
	return 0;
}

static int refuse(scmp_filter_ctx f, const char *capabilities)
{
	size_t i;
	int nr;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		nr = seccomp_syscall_resolve_name(rules[i].name);
		if (nr == __NR_SCMP_ERROR ||
		    (rules[i].capability && has(capabilities, rules[i].capability)))
			continue;
		if (seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), nr, 0))
			return -1;
	}
	/* the C library falls back to clone(), whose flags can be looked at */
	return seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) ||
	       seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
}

int main(int argc, char **argv)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	if (argc < 3 || !f) {
		fprintf(stderr, "usage: seccomp CAPABILITIES PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	/* whoever has CAP_SYS_ADMIN needs no PR_SET_NO_NEW_PRIVS: that is the manifest's to say */
	seccomp_attr_set(f, SCMP_FLTATR_CTL_NNP, 0);
	if (refuse(f, argv[1]) || seccomp_load(f)) {
		fprintf(stderr, "seccomp: the filter cannot be loaded\n");
		return 1;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}

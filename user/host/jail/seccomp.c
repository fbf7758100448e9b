// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls that a jail may not make. The list has the forbidden calls, not the
 * allowed ones: the work is done by libraries of others (libdw, libcurl, the C library),
 * whose system calls change with each release. A comment at each group says what an
 * attacker in a jail could do with it.
 */
#include "host/jail/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/native.h"

#include "util/poison.h"

#define ARG(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n)))
#define REFUSE(err) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (err))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD(off) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (off))

/* Access to other processes: create, signal, inspect, limit them. */
static const unsigned short others[] = {
#ifdef SYS_fork
	SYS_fork, SYS_vfork,
#endif
	SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_ptrace,
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_move_pages, SYS_migrate_pages,
#ifdef SYS_pidfd_getfd
	SYS_pidfd_send_signal, SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
	SYS_process_madvise,
#endif
};

/*
 * Large parts of the kernel that no work needs, and which could give new rights:
 * namespaces, mounts, BPF, events, io_uring (which bypasses this filter), keys, control
 * of the machine.
 */
static const unsigned short kernel[] = {
	SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
#ifdef SYS_open_tree
	SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
#endif
#ifdef SYS_mount_setattr
	SYS_mount_setattr,
#endif
	SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_setup,
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup,
#endif
	SYS_add_key, SYS_request_key, SYS_keyctl, SYS_init_module, SYS_finit_module,
	SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct,
	SYS_quotactl, SYS_syslog, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
	SYS_clock_settime, SYS_open_by_handle_at,
#ifdef SYS_ioperm
	SYS_ioperm, SYS_iopl,
#endif
};

static const unsigned short programs[] = { SYS_execve, SYS_execveat };

/* Calls that create, change or remove files by name, or take their flags in memory. */
static const unsigned short writes[] = {
#ifdef SYS_open
	SYS_creat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_utime,
	SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_openat2
	SYS_openat2,
#endif
	SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_truncate,
	SYS_utimensat,
};

/*
 * Permissions and owners, which Landlock does not cover. fchown() is allowed: root uses
 * it to give a file in a user's cache to that user.
 */
static const unsigned short permissions[] = {
#ifdef SYS_open
	SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod,
#endif
#ifdef SYS_fchmodat2
	SYS_fchmodat2,
#endif
	SYS_fchmod, SYS_fchmodat, SYS_fchownat, SYS_mknodat, SYS_setxattr, SYS_lsetxattr,
	SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
};

static const unsigned short opens[] = {
#ifdef SYS_open
	SYS_open,
#endif
	SYS_openat,
};

/* Room for two instructions for each call in the lists, and for the others. */
#define MAX_CODE (sizeof(others) + sizeof(kernel) + sizeof(programs) + sizeof(writes) + \
		  sizeof(permissions) + sizeof(opens) + 64)

struct filter {
	struct sock_filter code[MAX_CODE];
	unsigned short nr;
};

static void add(struct filter *f, struct sock_filter insn)
{
	f->code[f->nr++] = insn;
}

static void refuse(struct filter *f, unsigned int nr, unsigned int err)
{
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1));
	add(f, (struct sock_filter)REFUSE(err));
}

#define refuse_all(f, list)                                                    \
	do {                                                                   \
		for (size_t i_ = 0; i_ < sizeof(list) / sizeof((list)[0]); i_++) \
			refuse(f, (list)[i_], EPERM);                          \
	} while (0)

/**
 * refuse_by() - refuse a call by one of its arguments
 * @f: the filter
 * @nr: number of the call
 * @arg: index of the argument; only its low 32 bits are compared
 * @test: BPF_JEQ or BPF_JSET, between the argument and @value
 * @value: value for @test
 * @if_true: refuse the call if the test is true; else if it is false
 */
static void refuse_by(struct filter *f, unsigned int nr, unsigned int arg, unsigned short test,
		      uint32_t value, bool if_true)
{
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4));
	add(f, (struct sock_filter)LOAD(ARG(arg)));
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, !if_true, if_true));
	add(f, (struct sock_filter)REFUSE(EPERM));
	add(f, (struct sock_filter)ALLOW);
}

static void begin(struct filter *f)
{
	const struct sock_filter code[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_AUDIT_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		LOAD(offsetof(struct seccomp_data, nr)),
#ifdef NATIVE_X32_BIT
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, NATIVE_X32_BIT, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
	};
	size_t i;

	for (i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		add(f, code[i]);
}

/* Threads may be created, and this process may signal itself, as abort() and raise() do. */
static void refuse_others(struct filter *f)
{
	refuse_all(f, others);
	refuse(f, SYS_clone3, ENOSYS);
	refuse_by(f, SYS_clone, 0, BPF_JSET, CLONE_THREAD, false);
	refuse_by(f, SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), false);
	refuse_by(f, SYS_prlimit64, 0, BPF_JEQ, 0, false);
	/* TIOCSTI could type commands into a shell */
	refuse_by(f, SYS_ioctl, 1, BPF_JEQ, TIOCSTI, true);
	refuse_by(f, SYS_prctl, 0, BPF_JEQ, PR_SET_PDEATHSIG, true);
}

static void refuse_paths(struct filter *f, enum jail_paths paths)
{
	const uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC;

	refuse_all(f, permissions);
	if (paths == JAIL_WRITE_PATHS)
		return;
	refuse_all(f, writes);
	if (paths == JAIL_NO_PATHS) {
		refuse_all(f, opens);
		return;
	}
#ifdef SYS_open
	refuse_by(f, SYS_open, 1, BPF_JSET, writing, true);
#endif
	refuse_by(f, SYS_openat, 2, BPF_JSET, writing, true);
}

int seccomp_apply(const struct jail_limits *limits)
{
	struct filter f = { .nr = 0 };
	struct sock_fprog program = { .filter = f.code };

	begin(&f);
	refuse_others(&f);
	refuse_all(&f, kernel);
	if (!limits->program)
		refuse_all(&f, programs);
	if (!limits->network)
		refuse(&f, SYS_socket, EPERM);
	refuse_paths(&f, limits->paths);
	add(&f, (struct sock_filter)ALLOW);
	program.len = f.nr;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that follow how processes change their mappings. Epochs: when a process's executable
 * mappings changed last; a process that mapped nothing since the sampler began has none. Spaces,
 * where stacks are walked by tables: what is mapped where (space.bpf.h). Also: children of
 * filtered processes.
 *
 * An epoch is taken when the change is made and perf's record of it, if there is one, is
 * written: what records up to then say is how the process is mapped. perf_event_mmap()
 * is called for each change, with mmap_lock held for writing, whether perf has events or
 * not. User space attaches one of three ways to see it, the first one that the kernel has:
 *
 *	fexit		needs trampolines: x86; arm64 from 6.4 on
 *	kprobe pair	needs kprobes
 *	system calls	always there; costs each system call of the machine a little
 *
 * Its own object: which of them can be loaded and attached is only known when it is tried.
 */
#include "kernel.bpf.h"
#include "lang_maps.bpf.h"
#include "pids.bpf.h"
#include "shared.bpf.h"
#include "space.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char tasks_license[] SEC("license") = "GPL";

const volatile bool follow_children;
/* stacks are walked by tables */
const volatile bool keep_spaces;
/*
 * Only processes in @pids are sampled: others have no space, so that no table is made of their files.
 * The recorder has one in any case, as it learns from it which number a file has.
 */
const volatile bool chosen_only;
const volatile __u32 recorder;

/* Threads within a call that changes an executable mapping. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u8);
} mapping SEC(".maps");

static __always_inline void proc_changed(const struct task_struct *task)
{
	struct wire_proc proc = { .start = task->group_leader->start_boottime };
	__u32 tgid = task->tgid, none = WIRE_PROC_NONE;
	struct wire_proc *lost;

	proc.epoch = bpf_ktime_get_ns();
	tally_shared(WIRE_MAPPINGS);
	if (!bpf_map_update_elem(&procs, &tgid, &proc, BPF_ANY))
		return;
	/* From here on none that is not in the map has an epoch, this one neither. */
	tally_shared(WIRE_PROCS_FULL);
	lost = bpf_map_lookup_elem(&procs, &none);
	if (lost)
		lost->epoch = WIRE_NO_EPOCH;
	bpf_map_delete_elem(&procs, &tgid);
}

static __always_inline void mapping_begins(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u8 yes = 1;

	/* the epoch at the end says more; this one, without room, is better than none */
	if (bpf_map_update_elem(&mapping, &tid, &yes, BPF_ANY))
		proc_changed(bpf_get_current_task_btf());
}

static __always_inline void mapping_ends(void)
{
	__u32 tid = bpf_get_current_pid_tgid();

	if (!bpf_map_lookup_elem(&mapping, &tid))
		return;
	bpf_map_delete_elem(&mapping, &tid);
	proc_changed(bpf_get_current_task_btf());
}

/* Whether the process has a space, or gets one. */
static __always_inline bool keeps_space(const struct task_struct *task)
{
	__u32 tgid = task->tgid;

	return keep_spaces && (!chosen_only || tgid == recorder || bpf_map_lookup_elem(&pids, &tgid));
}

/* @vma: of the current process, or of what it becomes by execve */
static __always_inline void mapped(const struct vm_area_struct *vma)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	struct tables_space *space;

	if (!keeps_space(task))
		return;
	space = space_for(task, (__u64)BPF_CORE_READ(vma, vm_mm));
	if (space)
		space_map(task, space, vma);
}

SEC("fexit/perf_event_mmap")
int BPF_PROG(on_mmap, struct vm_area_struct *vma)
{
	mapped(vma);
	if (vma->vm_flags & VM_EXEC)
		proc_changed(bpf_get_current_task_btf());
	return 0;
}

SEC("kprobe/perf_event_mmap")
int on_mmap_call(struct user_regs *ctx)
{
	const struct vm_area_struct *vma = (void *)regs_first_argument(ctx);
	unsigned long flags = 0;

	/* at its beginning the mapping is as it is at its end */
	mapped(vma);
	bpf_core_read(&flags, sizeof(flags), &vma->vm_flags);
	if (!(flags & VM_EXEC))
		return 0;
	/* now, too: kretprobes are missed when too many calls wait at once */
	proc_changed(bpf_get_current_task_btf());
	mapping_begins();
	return 0;
}

SEC("kretprobe/perf_event_mmap")
int on_mmap_return(void *ctx)
{
	mapping_ends();
	return 0;
}

#define PROT_EXEC 4
/* or a divisor of it */
#define PAGE_SIZE 4096ul

/* The context at the end of a system call, as tracefs describes it. */
struct call_exit {
	__u64 common;
	__s64 nr;
	__s64 ret;
};

/* @executable: what was asked for; else mappings may be gone, or lie over executable ones. */
static __always_inline void map_exited(struct task_struct *task, const struct user_regs *regs,
				       __s64 ret, bool executable)
{
	struct tables_space *space = space_of(task->tgid);
	unsigned long start = 0, len = 0;
	bool is_mmap = ret > 0;

	if (!space || space->mm != (__u64)task->mm || (ret < 0 && ret >= -4095))
		return;
	bpf_probe_read_kernel(&start, sizeof(start), &regs_first_argument(regs));
	bpf_probe_read_kernel(&len, sizeof(len), &regs_second_argument(regs));
	if (is_mmap)
		start = ret;
	len = (len + PAGE_SIZE - 1) & -PAGE_SIZE;
	if (!executable)
		space_unmap(task->tgid, start, len);
	else
		space_look_at(space, start);
}

/*
 * At the end of mmap, mprotect and pkey_mprotect, whose third argument is the protection; it
 * is in the registers yet that the call came with. What failed may have changed a part. Only
 * ends are traced, not beginnings: to let go of a tracepoint takes a kernel 50 ms and more.
 */
SEC("tracepoint")
int on_map_exit(struct call_exit *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct user_regs *regs = (void *)bpf_task_pt_regs(task);
	unsigned long prot = 0;

	bpf_probe_read_kernel(&prot, sizeof(prot), &regs_third_argument(regs));
	if (keep_spaces)
		map_exited(task, regs, ctx->ret, prot & PROT_EXEC);
	if (prot & PROT_EXEC)
		proc_changed(task);
	return 0;
}

/* munmap and mremap. @regs: of the call */
static __always_inline int unmapped(const struct user_regs *regs, bool moved)
{
	struct task_struct *task = bpf_get_current_task_btf();
	unsigned long start = 0, len = 0;

	bpf_probe_read_kernel(&start, sizeof(start), &regs_first_argument(regs));
	bpf_probe_read_kernel(&len, sizeof(len), &regs_second_argument(regs));
	len = (len + PAGE_SIZE - 1) & -PAGE_SIZE;
	/* it moved executable memory: where to, and with what, user space looks */
	if (space_unmap(task->tgid, start, len) && moved)
		space_missed(space_of(task->tgid), task->tgid);
	return 0;
}

/*
 * System calls that take mappings away, by name or by tracepoint. The arguments are in the
 * registers yet that the call came with. A call that failed has taken nothing away, and its
 * windows are gone all the same: nobody unmaps code that runs by calls that fail.
 */
SEC("fexit")
int BPF_PROG(on_munmap, const struct user_regs *regs)
{
	return unmapped(regs, false);
}

SEC("fexit")
int BPF_PROG(on_mremap, const struct user_regs *regs)
{
	return unmapped(regs, true);
}

SEC("kprobe")
int on_munmap_call(struct user_regs *ctx)
{
	return unmapped((void *)regs_first_argument(ctx), false);
}

SEC("kprobe")
int on_mremap_call(struct user_regs *ctx)
{
	return unmapped((void *)regs_first_argument(ctx), true);
}

SEC("tracepoint")
int on_munmap_exit(void *ctx)
{
	return unmapped((void *)bpf_task_pt_regs(bpf_get_current_task_btf()), false);
}

SEC("tracepoint")
int on_mremap_exit(void *ctx)
{
	return unmapped((void *)bpf_task_pt_regs(bpf_get_current_task_btf()), true);
}

/* Processes that are there, or one of them: each mapping, with mmap_lock held. */
SEC("iter/task_vma")
int each_mapping(struct bpf_iter__task_vma *ctx)
{
	struct task_struct *task = ctx->task;
	struct vm_area_struct *vma = ctx->vma;
	struct tables_space *space;

	if (!task || !vma || task->pid != task->tgid || !(vma->vm_flags & VM_EXEC))
		return 0;
	if (!keeps_space(task))
		return 0;
	space = space_of(task->tgid);
	if (!space) {
		space = space_new(task, (__u64)vma->vm_mm);
		if (!space)
			return 0;
	}
	__sync_fetch_and_and(&space->flags, ~TABLES_MISSED);
	if (space->mm == (__u64)vma->vm_mm)
		space_map(task, space, vma);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	proc_changed(task);
	if (keeps_space(task))
		space_exec(task);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	if (child->pid != child->tgid)
		return 0;
	proc_changed(child);
	if (follow_children && !pids_fork(parent, child))
		tally_shared(WIRE_CHILDREN_FULL);
	if (keeps_space(child))
		space_fork(parent, child);
	return 0;
}

/*
 * The last of a process is its leader's task. By then its number may be another's, whose
 * entry stays: it has another start.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	__u32 tgid = task->tgid;
	const struct lang_proc *lang;
	const struct wire_proc *proc;

	if (task->pid != task->tgid)
		return 0;
	pids_free(task);
	lang = bpf_map_lookup_elem(&lang_procs, &tgid);
	if (lang && lang->start == task->start_boottime)
		bpf_map_delete_elem(&lang_procs, &tgid);
	if (keep_spaces)
		space_free(task);
	proc = bpf_map_lookup_elem(&procs, &tgid);
	if (proc && proc->start == task->start_boottime)
		bpf_map_delete_elem(&procs, &tgid);
	return 0;
}

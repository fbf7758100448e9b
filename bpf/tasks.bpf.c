// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that follow how processes change their mappings. They keep epochs: the time of the
 * last change of a process's executable mappings; a process that mapped nothing since the
 * sampler began has none. If stacks are walked by tables, they keep spaces, which say what is
 * mapped where (space.bpf.h). They also add children of filtered processes to the filter.
 *
 * An epoch is taken when the change has been made and perf's record of it, if there is one, has
 * been written: the records up to that time describe the mappings. perf_event_mmap() is called
 * for each change, with mmap_lock held for writing, whether perf has events or not. User space
 * attaches one of three ways to see it, the first one that the kernel has:
 *
 *	fexit		needs trampolines: x86; arm64 from 6.4 on
 *	kprobe pair	needs kprobes
 *	system calls	always there; costs each system call of the machine a little
 *
 * This is an object of its own, because only trying shows which programs can be loaded and
 * attached.
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
 * Only processes in @pids are sampled: others have no space, so that no tables are made for
 * their files. The recorder always has one, as it learns from it which number a file has.
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
	/* From now on no process outside of the map has an epoch, including this one. */
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

	/* the epoch taken at the end is better; without room, this one is better than none */
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

/* Return: whether the process has a space, or gets one. */
static __always_inline bool keeps_space(const struct task_struct *task)
{
	__u32 tgid = task->tgid;

	return keep_spaces && (!chosen_only || tgid == recorder || bpf_map_lookup_elem(&pids, &tgid));
}

/* @vma: mapping of the current process, or of the memory that it gets by execve */
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

	/* at the beginning of the call the mapping is as it will be at the end */
	mapped(vma);
	bpf_core_read(&flags, sizeof(flags), &vma->vm_flags);
	if (!(flags & VM_EXEC))
		return 0;
	/* taken now, too: kretprobes are missed when too many calls wait at once */
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
/* the page size, or a divisor of it */
#define PAGE_SIZE 4096ul

/* The context at the end of a system call, as tracefs describes it. */
struct call_exit {
	__u64 common;
	__s64 nr;
	__s64 ret;
};

/*
 * @executable: the call asked for executable memory; otherwise mappings may be gone, or other
 *              mappings may have replaced executable ones.
 */
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
 * Runs at the end of mmap, mprotect and pkey_mprotect. Their third argument is the protection;
 * it is still in the registers with which the call came. A call that failed may have changed a
 * part. Only the ends are traced, not the beginnings: detaching from a tracepoint takes a
 * kernel 50 ms and more.
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

/* Handles munmap and mremap. @regs: registers of the call */
static __always_inline int unmapped(const struct user_regs *regs, bool moved)
{
	struct task_struct *task = bpf_get_current_task_btf();
	unsigned long start = 0, len = 0;

	bpf_probe_read_kernel(&start, sizeof(start), &regs_first_argument(regs));
	bpf_probe_read_kernel(&len, sizeof(len), &regs_second_argument(regs));
	len = (len + PAGE_SIZE - 1) & -PAGE_SIZE;
	/* executable memory was moved: user space must look where to, and what it is */
	if (space_unmap(task->tgid, start, len) && moved)
		space_missed(space_of(task->tgid), task->tgid);
	return 0;
}

/*
 * System calls that remove mappings, attached by name or by tracepoint. Their arguments are
 * still in the registers with which the call came. The windows are removed even if the call
 * failed and removed nothing: no process unmaps running code by calls that fail.
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

/* Reads the mappings of existing processes, or of one of them; runs with mmap_lock held. */
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
 * The leader's task is the last one of a process. Another process may have its number by then;
 * the entries of that process stay, as it has another start.
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

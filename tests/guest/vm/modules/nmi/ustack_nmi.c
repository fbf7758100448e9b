// SPDX-License-Identifier: GPL-2.0-only
/*
 * User stacks in real NMI context, for tests on emulated x86-64 machines, which have no PMU.
 * The module sends NMIs to a CPU and calls perf_callchain_user() from the handler, as perf's
 * own handler does.
 *
 *   ustack_nmi/tgid\tprocess whose stacks are kept
 *   ustack_nmi/fire\twrite "CPU COUNT": sends so many NMIs, one after the other
 *   ustack_nmi/chains\topen, read, close: struct ustack_nmi_chain, oldest first;
 * \t\t\tno stack is kept while it is open, and closing it empties it
 *   ustack_nmi/stat\tcounters
 */
#include <linux/debugfs.h>
#include <linux/hardirq.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "ustack_nmi.h"

#define KEPT 16384u
#define WAIT_LOOPS 200000000u

struct cpu_state {
	atomic_t pending;	/* an NMI of this module is on its way */
	struct perf_callchain_entry *entry;
};

static DEFINE_PER_CPU(struct cpu_state, cpu_state);
static struct ustack_nmi_chain *chains;
static atomic_t nr_chains;
static bool chains_read_now;
static u32 wanted_tgid;
static atomic_t handled, outside_nmi, in_user, in_kernel, without_mm;
static struct dentry *dir;

static void (*callchain_user)(struct perf_callchain_entry_ctx *entry,
			      struct pt_regs *regs);

static void keep(const struct perf_callchain_entry *entry, bool user)
{
	struct ustack_nmi_chain *to;
	u32 i, n;

	if (READ_ONCE(chains_read_now))
		return;
	n = atomic_inc_return(&nr_chains) - 1;
	if (n >= KEPT)
		return;
	to = &chains[n];
	to->pid = current->pid;
	to->in_nmi = !!in_nmi();
	to->user = user;
	to->nr = min_t(u64, entry->nr, USTACK_NMI_FRAMES);
	for (i = 0; i < to->nr; i++)
		to->ip[i] = entry->ip[i];
}

/* Chooses registers as get_perf_callchain() does. */
static void take(struct cpu_state *state, struct pt_regs *regs)
{
	struct perf_callchain_entry_ctx ctx = {
		.entry = state->entry,
		.max_stack = USTACK_NMI_FRAMES,
	};
	bool user = user_mode(regs);

	atomic_inc(user ? &in_user : &in_kernel);
	if (!user) {
		if (!current->mm || current->flags & PF_KTHREAD) {
			atomic_inc(&without_mm);
			return;
		}
		regs = task_pt_regs(current);
	}
	state->entry->nr = 0;
	callchain_user(&ctx, regs);
	if (current->tgid == READ_ONCE(wanted_tgid))
		keep(state->entry, user);
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct cpu_state *state = this_cpu_ptr(&cpu_state);

	if (!atomic_read(&state->pending))
		return NMI_DONE;
	if (!in_nmi())
		atomic_inc(&outside_nmi);
	take(state, regs);
	atomic_inc(&handled);
	atomic_set_release(&state->pending, 0);
	return NMI_HANDLED;
}

/* Return: 0, or -ETIMEDOUT when the last NMI was not taken. */
static int send_one(unsigned int cpu)
{
	struct cpu_state *state = per_cpu_ptr(&cpu_state, cpu);
	unsigned int loops = 0;

	while (atomic_cmpxchg(&state->pending, 0, 1)) {
		if (++loops > WAIT_LOOPS)
			return -ETIMEDOUT;
		cpu_relax();
	}
	apic->send_IPI(cpu, NMI_VECTOR);
	for (loops = 0; atomic_read_acquire(&state->pending); loops++) {
		if (loops > WAIT_LOOPS)
			return -ETIMEDOUT;
		cpu_relax();
	}
	return 0;
}

static ssize_t fire_write(struct file *file, const char __user *buf, size_t len,
			  loff_t *pos)
{
	unsigned int cpu, count;
	char text[32];
	int err;

	if (len >= sizeof(text) || copy_from_user(text, buf, len))
		return -EINVAL;
	text[len] = 0;
	if (sscanf(text, "%u %u", &cpu, &count) != 2 || cpu >= nr_cpu_ids ||
	    !cpu_online(cpu))
		return -EINVAL;
	while (count--) {
		err = send_one(cpu);
		if (err)
			return err;
		cond_resched();
		if (signal_pending(current))
			return -EINTR;
	}
	return len;
}

static const struct file_operations fire_fops = {
	.owner = THIS_MODULE,
	.write = fire_write,
};

/* NMIs may come meanwhile; their stacks are not kept. */
static int chains_open(struct inode *inode, struct file *file)
{
	if (cmpxchg(&chains_read_now, false, true))
		return -EBUSY;
	/* an NMI is an RCU reader: NMIs that have not seen the flag are over now */
	synchronize_rcu();
	return 0;
}

static ssize_t chains_read(struct file *file, char __user *buf, size_t len,
			   loff_t *pos)
{
	size_t have = min_t(u32, atomic_read(&nr_chains), KEPT) * sizeof(*chains);

	return simple_read_from_buffer(buf, len, pos, chains, have);
}

static int chains_release(struct inode *inode, struct file *file)
{
	atomic_set(&nr_chains, 0);
	smp_store_release(&chains_read_now, false);
	return 0;
}

static const struct file_operations chains_fops = {
	.owner = THIS_MODULE,
	.open = chains_open,
	.read = chains_read,
	.release = chains_release,
	.llseek = default_llseek,
};

static int stat_show(struct seq_file *m, void *v)
{
	seq_printf(m, "handled %u\noutside_nmi %u\nuser %u\nkernel %u\nwithout_mm %u\nkept %u\n",
		   atomic_read(&handled), atomic_read(&outside_nmi),
		   atomic_read(&in_user), atomic_read(&in_kernel),
		   atomic_read(&without_mm), atomic_read(&nr_chains));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stat);

/* The function is not exported; a kprobe finds its address. */
static void *symbol(const char *name)
{
	unsigned long (*lookup)(const char *name);
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name" };

	if (register_kprobe(&kp))
		return NULL;
	lookup = (void *)kp.addr;
	unregister_kprobe(&kp);
	return (void *)lookup(name);
}

static void free_entries(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kfree(per_cpu_ptr(&cpu_state, cpu)->entry);
	vfree(chains);
}

static int alloc_entries(void)
{
	struct perf_callchain_entry *entry;
	int cpu;

	chains = vzalloc(KEPT * sizeof(*chains));
	if (!chains)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		entry = kzalloc(struct_size(entry, ip, USTACK_NMI_FRAMES + 8),
				GFP_KERNEL);
		if (!entry)
			return -ENOMEM;
		per_cpu_ptr(&cpu_state, cpu)->entry = entry;
	}
	return 0;
}

static int __init ustack_nmi_init(void)
{
	int err;

	callchain_user = symbol("perf_callchain_user");
	if (!callchain_user)
		return -ENOENT;
	err = alloc_entries();
	if (!err)
		err = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "ustack_nmi");
	if (err) {
		free_entries();
		return err;
	}
	dir = debugfs_create_dir("ustack_nmi", NULL);
	debugfs_create_u32("tgid", 0600, dir, &wanted_tgid);
	debugfs_create_file("fire", 0200, dir, NULL, &fire_fops);
	debugfs_create_file("chains", 0400, dir, NULL, &chains_fops);
	debugfs_create_file("stat", 0400, dir, NULL, &stat_fops);
	return 0;
}
module_init(ustack_nmi_init);

static void __exit ustack_nmi_exit(void)
{
	debugfs_remove(dir);
	unregister_nmi_handler(NMI_LOCAL, "ustack_nmi");
	free_entries();
}
module_exit(ustack_nmi_exit);

MODULE_DESCRIPTION("user stacks in NMI context, for tests");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/* Two text files for people; programs use the device. */
#include "procfs.h"

#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "control.h"
#include "events.h"
#include "image.h"
#include "ustack.h"

static void show_reasons(struct seq_file *m, const struct ustack_stats *s)
{
	unsigned int i;

	for (i = 0; i < USTACK_NR_REASONS; i++)
		if (s->reasons[i])
			seq_printf(m, "  %-14s %12llu  %s\n",
				   ustack_reason_name(i), s->reasons[i],
				   ustack_reason_text(i));
}

/* Return: the part per ten thousand, without floating point. */
static u64 share(u64 part, u64 whole)
{
	return whole ? div64_u64(part * 10000, whole) : 0;
}

static int stat_show(struct seq_file *m, void *v)
{
	struct ustack_info info = { 0 };
	struct ustack_stats *s;
	u64 whole;

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	ustack_events_sum(s);
	ustack_control_info(&info);
	whole = share(s->reasons[USTACK_COMPLETE], s->samples);
	seq_printf(m, "enabled        %u\n", info.enabled);
	seq_printf(m, "hooks          %#x\n", info.hooks);
	seq_printf(m, "samples        %llu\n", s->samples);
	seq_printf(m, "complete       %llu.%02llu %%\n", whole / 100, whole % 100);
	seq_printf(m, "frames         %llu\n", s->frames);
	seq_printf(m, "table_steps    %llu\n", s->table_steps);
	seq_printf(m, "blind_steps    %llu\n", s->blind_steps);
	seq_printf(m, "guessed_steps  %llu\n", s->guessed_steps);
	seq_printf(m, "guessed_stacks %llu, of them complete %llu\n",
		   s->guessed_samples, s->guessed_complete);
	seq_printf(m, "processes      %u\n", info.spaces);
	seq_printf(m, "images         %u\n", info.images);
	seq_printf(m, "tables         %u\n", info.tables);
	seq_printf(m, "table_bytes    %llu of %llu\n", info.table_bytes,
		   info.budget_bytes);
	seq_printf(m, "image_bytes    %llu\n", info.image_bytes);
	seq_printf(m, "process_bytes  %llu\n", info.space_bytes);
	seq_puts(m, "how walks ended:\n");
	show_reasons(m, s);
	kfree(s);
	return 0;
}

static void show_image(const struct ustack_image *image, void *arg)
{
	const struct ustack_code *code;
	struct seq_file *m = arg;

	rcu_read_lock();
	code = rcu_dereference(image->code);
	seq_printf(m, "%llx:%llu %llu users %lu %s rows %u lost %u bytes %zu %*phN ",
		   image->id.dev, image->id.ino, image->id.size,
		   atomic_long_read(&image->users),
		   code ? (image->loaded ? "loaded" :
			   code->partial ? "partial" : "own") :
			  image->state == USTACK_IMAGE_DONE ?
			  ustack_reason_name(image->reason) : "NEW",
		   code ? code->rows : 0, code ? code->lost : 0,
		   code ? code->bytes : 0, (int)image->build_id_len,
		   image->build_id);
	rcu_read_unlock();
	/* a file name may contain a text that looks like a record */
	if (image->id.kind == USTACK_IMAGE_VDSO)
		seq_puts(m, "[vdso]");
	else if (image->path)
		seq_escape_mem(m, image->path, strlen(image->path),
			       ESCAPE_ANY | ESCAPE_NP, NULL);
	else
		seq_putc(m, '?');
	seq_putc(m, '\n');
}

/*
 * A record of the file is a bucket of the hash, so that the lock is held for
 * one at a time.
 */
static void *images_start(struct seq_file *m, loff_t *pos)
{
	return *pos < USTACK_IMAGE_BUCKETS ? pos : NULL;
}

static void *images_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return images_start(m, pos);
}

static void images_stop(struct seq_file *m, void *v)
{
}

static int images_show(struct seq_file *m, void *v)
{
	ustack_image_visit(*(loff_t *)v, show_image, m);
	return 0;
}

static const struct seq_operations images_ops = {
	.start = images_start,
	.next = images_next,
	.stop = images_stop,
	.show = images_show,
};

/*
 * Both files are about all users' processes, and are in every container's
 * /proc, whose root may not have the right to see them.
 */
static int images_open(struct inode *inode, struct file *file)
{
	return ustack_may_administer() ? seq_open(file, &images_ops) : -EPERM;
}

static int stat_open(struct inode *inode, struct file *file)
{
	return ustack_may_administer() ? single_open(file, stat_show, NULL) :
					 -EPERM;
}

static const struct proc_ops images_fops = {
	.proc_open = images_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = seq_release,
};

static const struct proc_ops stat_fops = {
	.proc_open = stat_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

int ustack_procfs_init(void)
{
	struct proc_dir_entry *dir = proc_mkdir("ustack", NULL);

	if (!dir)
		return -ENOMEM;
	if (proc_create("stat", 0400, dir, &stat_fops) &&
	    proc_create("images", 0400, dir, &images_fops))
		return 0;
	proc_remove(dir);
	return -ENOMEM;
}

void ustack_procfs_exit(void)
{
	remove_proc_subtree("ustack", NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the kernel before anything is hooked; called once. The functions that
 * we hook are no stable interface: a release may change their arguments, and
 * when they are called.
 */
#undef pr_fmt
#define pr_fmt(fmt) "ustack: " fmt

#include "kernel_check.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sizes.h>
#include <linux/uprobes.h>
#include <linux/vmalloc.h>
#ifdef CONFIG_UNWIND_USER
#include <linux/unwind_user.h>
#endif

#include "btf.h"
#include "compat.h"

/* As in dkms.conf. The test suites run in a kernel without any of them. */
#if !defined(CONFIG_UML) && \
	!(defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_UPROBES) && \
	  defined(CONFIG_PERF_EVENTS) && defined(CONFIG_PROC_FS))
#error "ustack needs CONFIG_DYNAMIC_FTRACE, CONFIG_UPROBES, CONFIG_PERF_EVENTS and CONFIG_PROC_FS"
#endif

/* ---- prototypes -------------------------------------------------------------- */

#ifdef CONFIG_UNWIND_USER
#define UNWIND_USER(function) \
	function(int, unwind_user, (struct unwind_stacktrace *trace, \
				    unsigned int max_entries))
#else
#define UNWIND_USER(function)
#endif

/*
 * Functions that headers declare are also compared when the module is built.
 * The names of parameters count: two of the same type may change places.
 */
#define DECLARED_FUNCTIONS(function)					\
	function(void, exit_mmap, (struct mm_struct *mm))		\
	function(void, uprobe_dup_mmap, (struct mm_struct *oldmm,	\
					 struct mm_struct *newmm))	\
	function(void, perf_event_mmap, (struct vm_area_struct *vma))	\
	function(int, uprobe_mmap, (struct vm_area_struct *vma))	\
	function(void, generic_shutdown_super, (struct super_block *sb))\
	function(void, perf_event_exec, (void))				\
	function(void, perf_callchain_user,				\
		 (struct perf_callchain_entry_ctx *entry,		\
		  struct pt_regs *regs))				\
	UNWIND_USER(function)

#define ASSERT(ret, name, args)						\
	static_assert(__same_type(name, ret args),			\
		      #name "() has another prototype in this kernel");

#ifdef CONFIG_PERF_EVENTS
DECLARED_FUNCTIONS(ASSERT)
#endif

#define ENTRY(ret, name, args) { #name, #ret " " #name #args },

struct prototype {
	const char *name;
	const char *text;	/* the prototype as ustack_btf_prototype() writes it */
};

/* After "..." anything may follow. */
static const struct prototype prototypes[] = {
	DECLARED_FUNCTIONS(ENTRY)
	/* declared in headers of mm/ that modules cannot include */
	{ "unlink_anon_vmas",
	  "void unlink_anon_vmas(struct vm_area_struct *vma)" },
	{ "copy_vma",
	  "struct vm_area_struct *copy_vma(struct vm_area_struct **vmap, unsigned long addr, unsigned long len, unsigned long pgoff, ..." },
};

static bool __init is_same(const char *expected, const char *found)
{
	size_t len = strlen(expected);

	if (len > 3 && !strcmp(expected + len - 3, "..."))
		return !strncmp(expected, found, len - 3);
	return !strcmp(expected, found);
}

/* Return: 0, -EOPNOTSUPP if a prototype differs, -ENOENT if one is not described. */
static int __init compare_prototypes(const struct ustack_btf *btf)
{
	char found[256];
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(prototypes); i++) {
		const struct prototype *p = &prototypes[i];

		if (ustack_btf_prototype(btf, p->name, found, sizeof(found))) {
			pr_warn("/sys/kernel/btf/vmlinux does not describe %s()\n",
				p->name);
			err = err ?: -ENOENT;
		} else if (!is_same(p->text, found)) {
			pr_err("%s() has changed: expected \"%s\", this kernel has \"%s\"\n",
			       p->name, p->text, found);
			err = -EOPNOTSUPP;
		}
	}
	return err;
}

/*
 * Return: the kernel's description of its types, in memory of vmalloc(); an
 * ERR_PTR if it cannot be read. This does not use kernel_read_file(), which is
 * for kinds of files that security modules have rules for; one of them warns of
 * any other.
 */
static void *__init read_description(const char *path, size_t *ret_size)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	loff_t size, pos = 0;
	ssize_t n = 0;
	u8 *data;

	if (IS_ERR(file))
		return ERR_CAST(file);
	size = i_size_read(file_inode(file));
	data = size > 0 && size <= SZ_64M ? vmalloc(size) : NULL;
	/* sysfs returns a page at a time */
	while (data && pos < size) {
		n = kernel_read(file, data + pos, size - pos, &pos);
		if (n <= 0)
			break;
	}
	filp_close(file, NULL);
	if (data && pos == size) {
		*ret_size = size;
		return data;
	}
	vfree(data);
	return ERR_PTR(n < 0 ? n : -EIO);
}

/*
 * Return: see compare_prototypes(); or another error if the description cannot
 * be read.
 */
static int __init check_prototypes(void)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	struct ustack_btf btf = {};
	size_t size;
	void *data;
	int err;

	data = read_description(path, &size);
	if (IS_ERR(data)) {
		pr_warn("%s cannot be read (error %ld)\n", path, PTR_ERR(data));
		return PTR_ERR(data);
	}
	err = ustack_btf_open(&btf, data, size);
	if (err)
		pr_warn("%s is not understood (error %d)\n", path, err);
	else
		err = compare_prototypes(&btf);
	ustack_btf_close(&btf);
	vfree(data);
	return err;
}

/* ---- releases ------------------------------------------------------------------ */

#define USTACK_TESTED(major, minor) USTACK_RELEASE_OF(major, minor),
static const unsigned int tested[] = {
#include "tested.def"
};

static bool __init is_tested(unsigned int release)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tested); i++)
		if (tested[i] == release)
			return true;
	return false;
}

/* Arguments of "%u.%u" for a release. */
#define SHOWN(release) (release) >> 8, (release) & 0xff

static int __init check_release(unsigned int release, bool force)
{
	unsigned int newest = tested[ARRAY_SIZE(tested) - 1];
	int err = check_prototypes();

	if (err == -EOPNOTSUPP) {
		pr_err("this version of ustack does not fit this kernel\n");
		return err;
	}
	if (release <= newest && (!err || is_tested(release)))
		return 0;
	if (force) {
		pr_warn("force=1: loaded into Linux %u.%u, which was not tested\n",
			SHOWN(release));
		return 0;
	}
	if (release > newest)
		pr_err("Linux %u.%u is newer than %u.%u, the last release that was tested; force=1 loads the module all the same\n",
		       SHOWN(release), SHOWN(newest));
	else
		pr_err("Linux %u.%u was not tested, and the prototypes of its functions cannot be compared; force=1 loads the module all the same\n",
		       SHOWN(release));
	return -EOPNOTSUPP;
}

int __init ustack_kernel_check(bool force)
{
	/* x86-64 calls a single hook directly, and then ours would work. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("kernels with PREEMPT_RT are not supported: when another tracer hooks the same function, our hook runs with preemption off, where spinlocks and the allocator of PREEMPT_RT may not be used\n");
		return -EOPNOTSUPP;
	}
	return check_release(USTACK_RELEASE, force);
}

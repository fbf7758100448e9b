// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of installing and removing the hooks, with a stand-in for ftrace:
 * either all or none are installed, in which order, which arguments reach which
 * function, and which samples are redirected.
 */
#include "support.h"

#include <linux/ftrace.h>
#include <linux/mm_types.h>
#include <linux/perf_event.h>

#include "../compat.h"
#include "../learn.h"
#include "ustack.h"

/* ---- what happened, in order ----------------------------------------------- */

enum event {
	DID_NONE,
	DID_REGISTER,
	DID_UNREGISTER,
	DID_FREE_FILTER,
	DID_RCU,
	DID_RCU_TASKS,
};

static struct {
	enum event event;
	const struct ftrace_ops *ops;
} events[128];
static unsigned int nr_events;

static const char *missing;	/* a function that this kernel lacks */
static const char *taken;	/* a function that a live patch redirects */
static const char *filtered;
/* ftrace reports success for this one, but has no memory for its filter */
static const char *forgotten;
/* the hook that is never registered: its filter is empty */
static const struct ftrace_ops *unused;

static void note(enum event event, const struct ftrace_ops *ops)
{
	if (nr_events == ARRAY_SIZE(events))
		return;
	events[nr_events].event = event;
	events[nr_events++].ops = ops;
}

static unsigned int count(enum event event)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_events; i++)
		n += events[i].event == event;
	return n;
}

static int fake_set_filter(struct ftrace_ops *ops, u8 *name, int len, int reset)
{
	if (!name) {
		unused = ops;
		return 0;
	}
	filtered = name;
	return missing && !strcmp(missing, name) ? -EINVAL : 0;
}

static const char *fake_filter(const struct ftrace_ops *ops)
{
	static const char empty[] = "";

	if (ops == unused || (forgotten && !strcmp(forgotten, filtered)))
		return empty;
	return filtered;
}

static void fake_free_filter(struct ftrace_ops *ops)
{
	if (ops != unused)
		note(DID_FREE_FILTER, ops);
}

static int fake_register(struct ftrace_ops *ops)
{
	if (taken && !strcmp(taken, filtered))
		return -EBUSY;
	note(DID_REGISTER, ops);
	return 0;
}

static int fake_unregister(struct ftrace_ops *ops)
{
	note(DID_UNREGISTER, ops);
	return 0;
}

struct fake_regs {
	unsigned long arg[4];
	unsigned long ip;
};

#undef ftrace_set_filter
#undef register_ftrace_function
#undef unregister_ftrace_function
#undef ftrace_free_filter
#undef ustack_ftrace_filter
#undef USTACK_FTRACE_REGS_FLAG
#undef ustack_fregs_arg
#undef ustack_fregs_set_ip
#undef synchronize_rcu
#undef synchronize_rcu_tasks
#define ftrace_set_filter fake_set_filter
#define register_ftrace_function fake_register
#define unregister_ftrace_function fake_unregister
#define ftrace_free_filter fake_free_filter
#define ustack_ftrace_filter fake_filter
#define USTACK_FTRACE_REGS_FLAG 0
#define ustack_fregs_arg(fregs, n) (((struct fake_regs *)(fregs))->arg[n])
#define ustack_fregs_set_ip(fregs, to) \
	(((struct fake_regs *)(fregs))->ip = (unsigned long)(to))
#define synchronize_rcu() note(DID_RCU, NULL)
#define synchronize_rcu_tasks() note(DID_RCU_TASKS, NULL)

/* ---- what learn was told ------------------------------------------------------ */

static struct {
	const char *who;
	const void *what;
	u64 a, b, c;
	unsigned int calls;
} told;

static void tell(const char *who, const void *what, u64 a, u64 b, u64 c)
{
	told.who = who;
	told.what = what;
	told.a = a;
	told.b = b;
	told.c = c;
	told.calls++;
}

#define ustack_learn_mmap(vma) tell("mmap", vma, 0, 0, 0)
#define ustack_learn_unlink(vma) tell("unlink", vma, 0, 0, 0)
#define ustack_learn_resize(vma) tell("resize", vma, 0, 0, 0)
#define ustack_learn_move(vma, addr, len, pgoff) \
	tell("move", vma, addr, len, pgoff)
#define ustack_learn_fork(mm, child) tell("fork", mm, (uintptr_t)(child), 0, 0)
#define ustack_learn_exec() tell("exec", NULL, 0, 0, 0)
#define ustack_learn_exit_mmap(mm) tell("exit", mm, 0, 0, 0)

#define ustack_image_forget_device(dev) tell("shutdown", NULL, dev, 0, 0)

#include "../hook.c"
#include "../redirect.c"

bool ustack_enabled = true;

static struct ustack_hook *observer(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(observers); i++)
		if (!strcmp(observers[i].name, name))
			return &observers[i];
	return NULL;
}

static unsigned int nr_registered(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(observers); i++)
		n += observers[i].registered;
	return n;
}

static void observe_all(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, ustack_observe_bits(), 0);
	KUNIT_EXPECT_EQ(test, 0, ustack_observe_start());
	KUNIT_EXPECT_EQ(test, nr_registered(), ARRAY_SIZE(observers));
	KUNIT_EXPECT_EQ(test, ustack_observe_bits(),
			USTACK_HOOK_MMAP | USTACK_HOOK_MUNMAP |
				USTACK_HOOK_FORK | USTACK_HOOK_EXIT);
	for (i = 0; i < ARRAY_SIZE(observers); i++)
		KUNIT_EXPECT_TRUE(test, observers[i].ops.flags &
						FTRACE_OPS_FL_PERMANENT);
	ustack_observe_stop();
	KUNIT_EXPECT_EQ(test, nr_registered(), 0);
	KUNIT_EXPECT_EQ(test, count(DID_UNREGISTER), count(DID_REGISTER));
	KUNIT_EXPECT_EQ(test, count(DID_FREE_FILTER), count(DID_REGISTER));
	KUNIT_EXPECT_EQ(test, ustack_observe_bits(), 0);
	/* a second stop does nothing more */
	ustack_observe_stop();
	KUNIT_EXPECT_EQ(test, count(DID_UNREGISTER), count(DID_REGISTER));
}

/* If any one of them cannot be installed, none stays and nothing is live. */
static void observe_or_none(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(observers); i++) {
		bool no_memory = i & 1;

		nr_events = 0;
		*(no_memory ? &forgotten : &missing) = observers[i / 2].name;
		KUNIT_EXPECT_EQ(test, no_memory ? -ENOMEM : -EINVAL,
				ustack_observe_start());
		forgotten = NULL;
		missing = NULL;
		KUNIT_EXPECT_EQ(test, nr_registered(), 0);
		KUNIT_EXPECT_EQ(test, count(DID_REGISTER), i / 2);
		KUNIT_EXPECT_EQ(test, count(DID_UNREGISTER), i / 2);
		/* the filter of the refused one is freed as well */
		KUNIT_EXPECT_EQ(test, count(DID_FREE_FILTER), i / 2 + 1);
		KUNIT_EXPECT_FALSE(test, live);
	}
}

/* A hook that is installed before the others must not act: see hook.c. */
static void deaf_until_live(struct kunit *test)
{
	struct fake_regs regs = { { 0 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(observers); i++)
		observers[i].ops.func(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_EQ(test, told.calls, 0);
}

static void arguments(struct kunit *test)
{
	struct vm_area_struct *vma = (void *)&told;
	struct fake_regs regs = {
		.arg = { (unsigned long)vma, 0x1000, 0x3000, 0x4000 }
	};
	static const struct {
		const char *name, *who;
		u64 a, b;
	} want[] = {
		{ "perf_event_mmap", "mmap", 0, 0 },
		{ "unlink_anon_vmas", "unlink", 0, 0 },
		{ "uprobe_mmap", "resize", 0, 0 },
		{ "uprobe_dup_mmap", "fork", 0x1000, 0 },
		{ "exit_mmap", "exit", 0, 0 },
	};
	struct super_block *sb;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, ustack_observe_start());
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		observer(want[i].name)->ops.func(0, 0, NULL, (void *)&regs);
		KUNIT_EXPECT_STREQ(test, told.who, want[i].who);
		KUNIT_EXPECT_PTR_EQ(test, told.what, (const void *)vma);
		KUNIT_EXPECT_EQ(test, told.a, want[i].a);
		KUNIT_EXPECT_EQ(test, told.b, want[i].b);
	}
	observer("perf_event_exec")->ops.func(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_STREQ(test, told.who, "exec");
	sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sb);
	sb->s_dev = MKDEV(8, 1);
	regs.arg[0] = (unsigned long)sb;
	observer("generic_shutdown_super")->ops.func(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_STREQ(test, told.who, "shutdown");
	KUNIT_EXPECT_EQ(test, told.a, 0x801);
	/* copy_vma() gets a pointer to the pointer */
	regs.arg[0] = (unsigned long)&vma;
	observer("copy_vma")->ops.func(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_STREQ(test, told.who, "move");
	KUNIT_EXPECT_PTR_EQ(test, told.what, (const void *)vma);
	KUNIT_EXPECT_EQ(test, told.a, 0x1000);
	KUNIT_EXPECT_EQ(test, told.b, 0x3000);
	KUNIT_EXPECT_EQ(test, told.c, 0x4000);
	KUNIT_EXPECT_EQ(test, told.calls, ARRAY_SIZE(observers));
	ustack_observe_stop();
}

/*
 * After the last redirection is removed comes every kind of waiting: for
 * interrupts, for tasks, and again for tasks that slept in unwind_user()'s
 * replacement.
 */
static void redirect_order(struct kunit *test)
{
	unsigned int i, hooks;

	ustack_redirect_start();
	hooks = count(DID_REGISTER);
	KUNIT_EXPECT_GE(test, hooks, 1);
	KUNIT_EXPECT_TRUE(test, ustack_redirect_bits() & USTACK_HOOK_CALLCHAIN);
	KUNIT_EXPECT_TRUE(test, callchain_hook.ops.flags &
					FTRACE_OPS_FL_IPMODIFY);
	nr_events = 0;
	ustack_redirect_stop();
	KUNIT_EXPECT_EQ(test, ustack_redirect_bits(), 0);
	KUNIT_EXPECT_EQ(test, count(DID_UNREGISTER), hooks);
	KUNIT_EXPECT_EQ(test, count(DID_RCU), 1);
	KUNIT_EXPECT_EQ(test, count(DID_RCU_TASKS),
			IS_ENABLED(CONFIG_UNWIND_USER) ? 2 : 1);
	for (i = 0; i < nr_events; i++)
		if (events[i].event == DID_UNREGISTER)
			KUNIT_EXPECT_LT(test, i, nr_events - 2);
	KUNIT_EXPECT_NE(test, events[nr_events - 1].event, DID_UNREGISTER);
}

/* Someone else already redirects the function: the module works without it. */
static void redirect_conflict(struct kunit *test)
{
	taken = "perf_callchain_user";
	ustack_redirect_start();
	KUNIT_EXPECT_FALSE(test, ustack_redirect_bits() & USTACK_HOOK_CALLCHAIN);
	taken = NULL;
	ustack_redirect_stop();
	KUNIT_EXPECT_EQ(test, count(DID_UNREGISTER), count(DID_REGISTER));
}

/* ftrace has one error for two faults: the message must name the right one. */
static void texts_of_busy(struct kunit *test)
{
	const char *text = reason_of(&observers[0], -EBUSY);

	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "ftrace_enabled"));
	KUNIT_EXPECT_NULL(test, strstr(text, "live patch"));
	text = reason_of(&callchain_hook, -EBUSY);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "live patch"));
	KUNIT_EXPECT_NULL(test, strstr(text, "ftrace_enabled"));
}

static void redirect_decides(struct kunit *test)
{
	struct fake_regs regs = { .arg = { 1, (unsigned long)&told } };

	redirect_callchain(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_EQ(test, regs.ip, (unsigned long)ustack_callchain_user);
	/* switched off by the module's enabled parameter */
	regs.ip = 0;
	ustack_enabled = false;
	redirect_callchain(0, 0, NULL, (void *)&regs);
	ustack_enabled = true;
	KUNIT_EXPECT_EQ(test, regs.ip, 0);
	/* registers that are not of user mode */
	regs.arg[1] = 0;
	redirect_callchain(0, 0, NULL, (void *)&regs);
	KUNIT_EXPECT_EQ(test, regs.ip, 0);
}

static int case_init(struct kunit *test)
{
	missing = NULL;
	taken = NULL;
	nr_events = 0;
	memset(&told, 0, sizeof(told));
	return 0;
}

static void case_exit(struct kunit *test)
{
	ustack_observe_stop();
	ustack_redirect_stop();
	ustack_enabled = true;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(observe_all),
	KUNIT_CASE(observe_or_none),
	KUNIT_CASE(deaf_until_live),
	KUNIT_CASE(arguments),
	KUNIT_CASE(redirect_order),
	KUNIT_CASE(redirect_conflict),
	KUNIT_CASE(texts_of_busy),
	KUNIT_CASE(redirect_decides),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_hook",
	.init = case_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampler's programs. Data flows through the headers in this order:
 *
 *	event -> claim (count) -> who -> walk -> stack_id, add_count (count) -> maps
 *
 * An event's index in the options comes as the cookie of its attachment.
 */
#include "kernel.bpf.h"
#include "maps.bpf.h"
#include "count.bpf.h"
#include "who.bpf.h"
#include "walk.bpf.h"
#include "wait.bpf.h"

char sampler_license[] SEC("license") = "GPL";

/* @in_user: the sample interrupted the user's code, so there is no kernel stack */
static __always_inline enum wire_fate take(void *ctx, struct scratch *s, __u32 event,
					   __u64 weight, bool in_user)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	enum wire_fate fate = WIRE_COUNTED;
	__u32 nr_user, nr_kernel = 0;
	struct window w;

	if (!task->pid)
		return WIRE_IDLE;
	if (!who(&s->key, task, event))
		return WIRE_FILTERED;
	nr_user = walk_user(ctx, task, s->user.pc, user_frames, &s->key.why);
	if (!in_user)
		nr_kernel = walk_kernel(ctx, s->kernel.pc, kernel_frames);
	if (nr_user == WALK_FAILED || nr_kernel == WALK_FAILED)
		return WIRE_NO_BUFFER;
	if (!window_get(&w))
		return WIRE_NO_WINDOW;
	s->key.flags = (nr_user == user_frames && nr_user ? WIRE_USER_CUT : 0) |
		       (nr_kernel == kernel_frames && nr_kernel ? WIRE_KERNEL_CUT : 0);
	s->key.user = stack_id(&w, s, &s->user_recent, s->user.zero, WIRE_FRAMES, nr_user,
			       &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	s->key.kernel = stack_id(&w, s, &s->kernel_recent, s->kernel.zero, WIRE_FRAMES,
				 nr_kernel, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	return add_count(&w, s, weight);
}

static __always_inline int sample(void *ctx, __u64 weight, bool in_user)
{
	__u32 event = bpf_get_attach_cookie(ctx);
	struct wire_tally *t;
	enum wire_fate fate;
	struct scratch *s;

	if (!counting)
		return 0;
	s = claim();
	if (!s)
		return 0;
	fate = take(ctx, s, event, weight, in_user);
	t = tally_of(s->level);
	if (t) {
		tally_add(t, fate);
		t->weight[event & (WIRE_EVENTS - 1)] += weight;
	}
	release(s);
	return 0;
}

SEC("perf_event")
int on_perf_event(struct bpf_perf_event_data *ctx)
{
	return sample(ctx, ctx->sample_period, regs_user_mode(&ctx->regs));
}

SEC("tracepoint")
int on_tracepoint(void *ctx)
{
	return sample(ctx, 1, false);
}

SEC("kprobe")
int on_kprobe(void *ctx)
{
	return sample(ctx, 1, false);
}

SEC("uprobe")
int on_uprobe(void *ctx)
{
	return sample(ctx, 1, true);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Resolves the frames of a sample and checks its calls (frames.h). */
#include <string.h>

#include "frames.h"
#include "maps.h"

bool path_own(const char *path)
{
	return strcmp(path, "//anon") && image_own(truth_image(base_name(path)));
}

static bool vdso(const struct frame *frame)
{
	return !strcmp(frame->path, "[vdso]");
}

enum func_class frame_class(const struct frame *frame)
{
	if (frame->trampoline)
		return FUNC_SIG;
	return frame->func ? frame->func->class : FUNC_LIB;
}

/* finds the image; `at` is the address to look up, which is not always ip */
static void locate(struct frame *frame, int pid, u64 at, const char *dso)
{
	const struct map *map = maps_find(pid, at);
	u64 offset = at;

	frame->path = map ? map->path : dso;
	frame->known = map || dso[0] == '/' || !strcmp(dso, "[vdso]");
	if (map)
		offset = at - map->start +
			 (strcmp(map->path, "//anon") ? map->offset : 0);
	frame->image = truth_image(base_name(frame->path));
	if (frame->image && map && !strcmp(map->path, "//anon")) {
		if (image_func(frame->image, offset)) {
			frame->vaddr = offset;
			return;
		}
		frame->image = NULL;
	}
	if (frame->image && image_vaddr(frame->image, offset, &frame->vaddr))
		return;
	if (frame->image && !map)
		frame->known = false;	/* the address is not in that file's code */
	frame->image = map ? NULL : truth_fixed(at, &frame->vaddr);
	if (frame->image) {
		frame->path = "moved by mremap";
		frame->known = true;
	}
}

/* a handler returns to the restorer's first instruction, which follows no call */
static void restorer(struct frame *frame)
{
	const struct func *at = image_func(frame->image, frame->vaddr);

	if (at && at->class == FUNC_SIG && at->vaddr == frame->vaddr)
		frame->func = at;
	else if (frame->func && frame->func->class == FUNC_SIG)
		frame->func = NULL;
}

/* does entry I follow a call? */
static bool behind_call(const struct sample *sample, size_t i)
{
	const struct entry *entry = &sample->entries[i];
	struct frame frame = { .ip = entry->ip };

	locate(&frame, sample->pid, entry->ip - 1, entry->dso);
	return !frame.image || image_call(frame.image, frame.vaddr + 1);
}

/*
 * The pc of a sample in the restorer's system call is after the call. If another function starts
 * there, the next frame decides: the caller of that function is at an instruction after a call.
 * Interrupted code can be at such an instruction, too, so nothing else depends on it.
 */
static void in_sigreturn(const struct sample *sample, struct frame *frame)
{
	const struct func *before = image_func(frame->image, frame->vaddr - 1);
	const struct func *at = image_func(frame->image, frame->vaddr);

	if (before && before->class == FUNC_SIG && at != before && sample->count > 1 &&
	    (!at || !behind_call(sample, 1)))
		frame->func = before;
}

/* is entry 1 a return address in a function of a stock file? */
static bool called_by_stock(const struct sample *sample)
{
	const struct entry *entry = &sample->entries[1];
	struct frame frame = { .ip = entry->ip };

	if (sample->count < 2)
		return false;
	locate(&frame, sample->pid, entry->ip - 1, entry->dso);
	if (!frame.image)
		return false;
	frame.func = image_func(frame.image, frame.vaddr);
	return frame_class(&frame) == FUNC_LIB && image_call(frame.image, frame.vaddr + 1);
}

/*
 * Handlers of arm64 return into the vDSO, whose functions call nothing: so a caller's frame in it is the
 * trampoline. A sampled frame is a function if libc has called it; interrupted code follows no call.
 */
static bool is_trampoline(const struct sample *sample, size_t i, const struct frame *frame)
{
	return vdso(frame) && !strcmp(truth_arch(), "aarch64") && (i || !called_by_stock(sample));
}

void frames_resolve(const struct sample *sample, bool callers_less_one,
		    struct frame *frames)
{
	bool exact = true;	/* the address is that of the instruction, not after it */
	size_t i;

	for (i = 0; i < sample->count; i++) {
		const struct entry *entry = &sample->entries[i];
		struct frame *frame = &frames[i];

		*frame = (struct frame){ .ip = entry->ip };
		if (!exact && callers_less_one)
			frame->ip++;
		locate(frame, sample->pid, frame->ip - !exact, entry->dso);
		frame->trampoline = is_trampoline(sample, i, frame);
		if (frame->image) {
			frame->func = image_func(frame->image, frame->vaddr);
			frame->vaddr += !exact;
			if (!exact)
				restorer(frame);
			else if (!i)
				in_sigreturn(sample, frame);
		}
		exact = frame_class(frame) == FUNC_SIG;
	}
}

static const char *call_fault(const struct frame *callee,
			      const struct frame *caller)
{
	const char *target;

	if (!caller->image || frame_class(caller) == FUNC_SIG ||
	    frame_class(callee) == FUNC_SIG)
		return NULL;
	target = image_call(caller->image, caller->vaddr);
	if (!target)
		return "no call stands before this return address";
	if (!callee->func || truth_reaches(target, callee->func->name))
		return NULL;
	/* lazy binding passes the first half of the IBT PLT, which has no names */
	if (frame_class(callee) == FUNC_PLT &&
	    !strcmp(callee->func->name, "plt0"))
		return NULL;
	/* a stock function has several names and private jumps to others */
	if (frame_class(callee) == FUNC_LIB &&
	    (frame_class(caller) == FUNC_OWN || frame_class(caller) == FUNC_LIB))
		return NULL;
	return "the call before this return address is of another function";
}

struct fault frames_calls(const struct frame *frames, size_t first,
			  size_t count)
{
	size_t i;

	for (i = first; i + 1 < count; i++) {
		const char *what = call_fault(&frames[i], &frames[i + 1]);

		if (what)
			return (struct fault){ i + 1, what };
	}
	return (struct fault){ 0, NULL };
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints: an image got a table or has none; a walk ended. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ustack

#if !defined(USTACK_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define USTACK_TRACE_H

#include <linux/tracepoint.h>

/*
 * Fired for every walk, in the context of the sample (also NMI). guessed:
 * number of steps for which only the stack is evidence; 0 if the chain is
 * proven.
 */
TRACE_EVENT(ustack_stop,
	TP_PROTO(u32 reason, u32 frames, u64 pc, u64 sp, u32 guessed),
	TP_ARGS(reason, frames, pc, sp, guessed),
	TP_STRUCT__entry(
		__field(u32, reason)
		__field(u32, frames)
		__field(u64, pc)
		__field(u64, sp)
		__field(u32, guessed)
	),
	TP_fast_assign(
		__entry->reason = reason;
		__entry->frames = frames;
		__entry->pc = pc;
		__entry->sp = sp;
		__entry->guessed = guessed;
	),
	TP_printk("reason=%u frames=%u pc=%#llx sp=%#llx guessed=%u",
		  __entry->reason, __entry->frames, __entry->pc, __entry->sp,
		  __entry->guessed)
);

/* An image got a table, or was found to have none (then reason says why). */
TRACE_EVENT(ustack_image,
	TP_PROTO(const char *path, u64 dev, u64 ino, u32 reason, u32 bad_off,
		 u32 rows, u32 bytes),
	TP_ARGS(path, dev, ino, reason, bad_off, rows, bytes),
	TP_STRUCT__entry(
		__string(path, path)
		__field(u64, dev)
		__field(u64, ino)
		__field(u32, reason)
		__field(u32, bad_off)
		__field(u32, rows)
		__field(u32, bytes)
	),
	TP_fast_assign(
		ustack_assign_str(path, path);
		__entry->dev = dev;
		__entry->ino = ino;
		__entry->reason = reason;
		__entry->bad_off = bad_off;
		__entry->rows = rows;
		__entry->bytes = bytes;
	),
	TP_printk("path=%s dev=%#llx ino=%llu reason=%u bad_off=%#x rows=%u bytes=%u",
		  __get_str(path), __entry->dev, __entry->ino, __entry->reason,
		  __entry->bad_off, __entry->rows, __entry->bytes)
);

#endif /* USTACK_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

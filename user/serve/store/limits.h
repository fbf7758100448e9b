/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits of a segment, whoever wrote it: Documentation/store.md. With a hostile segment a reader
 * needs at most a few hundred megabytes of memory; with a real one it needs a few.
 */
#ifndef USTACK_USER_STORE_LIMITS_H
#define USTACK_USER_STORE_LIMITS_H

#define STORE_MAX_DEFINITIONS (128u << 20)	/* bytes of a segment, unpacked */
#define STORE_MAX_SAMPLES_BYTES (64u << 20)	/* bytes of a record, unpacked */
#define STORE_MAX_ELEMENTS (1u << 24)		/* definitions of one kind, or lines, of a segment */
#define STORE_MAX_SAMPLES (1u << 22)		/* of a record */
#define STORE_TAIL_BYTES (256u << 10)		/* definitions that are the prefix of the next */
#define STORE_MAX_DEPTH 65535u			/* frames of a stack */

#endif /* USTACK_USER_STORE_LIMITS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a segment may have, whoever wrote it: Documentation/store.md. A reader takes a few
 * hundred megabytes at most for what is hostile; what is real has a few.
 */
#ifndef USTACK_USER_STORE_LIMITS_H
#define USTACK_USER_STORE_LIMITS_H

#define STORE_MAX_DEFINITIONS (128u << 20)	/* bytes of a segment, unpacked */
#define STORE_MAX_SAMPLES_BYTES (64u << 20)	/* bytes of a record, unpacked */
#define STORE_MAX_ELEMENTS (1u << 24)		/* of a segment, of each kind; lines, too */
#define STORE_MAX_SAMPLES (1u << 22)		/* of a record */
#define STORE_TAIL_BYTES (256u << 10)		/* of definitions, that the next are packed with */
#define STORE_MAX_DEPTH 65535u			/* frames of a stack */

#endif /* USTACK_USER_STORE_LIMITS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether an address follows a call, as a return address does. */
#ifndef GT_CALLS_H
#define GT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#define CALL_BYTES 7	/* length of the longest call */

/* whether the CALL_BYTES before an address end with a call */
bool call_before(uint32_t machine, const uint8_t *code);

#endif /* GT_CALLS_H */

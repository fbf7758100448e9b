/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache of what CFI says about an address, because most samples repeat addresses. */
#ifndef GT_CFI_CACHE_H
#define GT_CFI_CACHE_H

#include <elfutils/libdwfl.h>

#define CFI_FILE 1u		/* the address is in a file */
#define CFI_ROW 2u		/* there is CFI for it */
#define CFI_SIGNAL 4u		/* it is in a signal trampoline */
#define CFI_OUTERMOST 8u	/* its function has no caller */

/* the userdata of libdw's modules is the file */
unsigned int cfi_lookup(Dwfl *dwfl, Dwarf_Addr addr);
void cfi_release(void);

#endif /* GT_CFI_CACHE_H */

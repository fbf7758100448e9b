/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The core's public contract, in the order in which data flows:
 *
 *   file bytes  elf.h      -> where .sframe, text and build id are
 *               verify.h   -> the section is proven, whole (decode.h: syntax)
 *               compile.h  -> the table (table.h: its layout)
 *   pc          lookup.h   -> rule (rule.h: what it means)
 *   frame       step.h     -> the caller's frame (arch.h: what differs)
 *   frames      stride.h   -> both at once, where nothing is unusual
 *
 * Freestanding C: no allocation, no globals that change, no logging, no errno.
 * It is built into the module, the programs, the tests and the fuzzers from the
 * same sources. Every function returns enum ustack_reason (reason.h), 0 is
 * success, and results are written last.
 */
#ifndef USTACK_CORE_H
#define USTACK_CORE_H

#include "arch.h"
#include "compile.h"
#include "decode.h"
#include "elf.h"
#include "bounds.h"
#include "lookup.h"
#include "reason.h"
#include "step.h"
#include "stride.h"
#include "table.h"
#include "verify.h"

#endif /* USTACK_CORE_H */

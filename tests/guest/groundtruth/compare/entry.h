/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is code the entry of a process or a thread, where a complete callchain ends?
 *
 *  - CFI says that its return address is undefined: _start, the child's part
 *    of clone and clone3, and in Go's .debug_frame the outermost functions.
 *  - It has no CFI, and is in the function at the file's e_entry; without a
 *    symbol for that, in the 64 bytes there: _start of ld.so, with
 *    _dl_start_user behind it, and of libraries without CFI for it.
 *  - It has no CFI, and its function is called clone or clone3: other C
 *    libraries' (in glibc's CFI says so, of that part alone).
 *  - It is one of Go's outermost functions by name, which .gopclntab knows even
 *    in a stripped program: runtime.goexit (every goroutine's first caller),
 *    runtime.mstart and runtime.rt0_go (of the scheduler's own stacks).
 *
 * Everything else is none: code with other CFI, code with another name, code in
 * no file (JIT code is called by something). Code of a file that has neither
 * CFI nor a name cannot be decided on.
 */
#ifndef GT_ENTRY_H
#define GT_ENTRY_H

#include "procs.h"

enum entry { ENTRY_NOT, ENTRY_IS, ENTRY_UNDECIDED };

/* AT: the interrupted instruction, or the byte before a return address */
enum entry entry_at(struct space *space, uint64_t at);

#endif /* GT_ENTRY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the user who is charged for the work that a process causes in this program: its
 * own user, or the user who made its user namespace.
 */
#ifndef USTACK_USER_PROCESS_PAYER_H
#define USTACK_USER_PROCESS_PAYER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * process_payer() - find the user who is charged for a process
 * @pid: the process
 * @ret: number of its real user; 0 is root. For a process in a user namespace below this
 *       program's own: the user who made the outermost one, as he may give his processes
 *       thousands of user numbers. If root made that, a number for the namespace that no
 *       user has. The same number as in struct tables_shares (bpf/tables.h)
 *
 * The owner of /proc/PID is not used: that is the effective user, which is root for a
 * set-user-id program.
 *
 * Return: false if the process has ended or may not be inspected.
 */
bool process_payer(uint32_t pid, uint32_t *ret);

#endif /* USTACK_USER_PROCESS_PAYER_H */

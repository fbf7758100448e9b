/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is charged for what a process makes this program do: its user, or who made its namespace. */
#ifndef USTACK_USER_PROCESS_PAYER_H
#define USTACK_USER_PROCESS_PAYER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * process_payer() - who is charged
 * @pid: the process
 * @ret: its real user; 0 is root. Of a process in a user namespace below this program's own: who
 *	made the outermost one, as he may give his processes thousands of user numbers; where that was
 *	root, a number of the namespace, which no user has. As struct tables_shares (bpf/tables.h)
 *	has it
 *
 * /proc/PID belongs to the effective user, which is root where a user runs a set-user-id program.
 *
 * Return: false if it is gone, or may not be looked at.
 */
bool process_payer(uint32_t pid, uint32_t *ret);

#endif /* USTACK_USER_PROCESS_PAYER_H */

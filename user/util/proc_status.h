/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of /proc/PID/status. */
#ifndef USTACK_USER_PROC_STATUS_H
#define USTACK_USER_PROC_STATUS_H

#include <stdint.h>

/* Bytes of a path "/proc/PID/status", with its NUL. */
#define PROC_STATUS_PATH 32u

void proc_status_path(uint32_t pid, char ret[PROC_STATUS_PATH]);

/**
 * proc_status_field() - the value of a field
 * @path: the file, which may be that of another machine
 * @name: of the field, such as "Uid"
 *
 * Return: the value, without blanks around it, to be freed; NULL if there is none.
 */
char *proc_status_field(const char *path, const char *name);

/**
 * proc_status_inner_pid() - the number that a process has in its own PID namespace
 * @path: the file
 * @pid: the number that it has here
 *
 * Return: the number, the last one of NSpid; @pid if that is not there.
 */
uint32_t proc_status_inner_pid(const char *path, uint32_t pid);

#endif /* USTACK_USER_PROC_STATUS_H */

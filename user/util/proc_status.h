/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of /proc/PID/status. */
#ifndef USTACK_USER_PROC_STATUS_H
#define USTACK_USER_PROC_STATUS_H

#include <stdint.h>

/* Bytes of a path "/proc/PID/status", with its NUL. */
#define PROC_STATUS_PATH 32u

void proc_status_path(uint32_t pid, char ret[PROC_STATUS_PATH]);

/**
 * proc_status_field() - read the value of a field
 * @path: path of the file, which may be that of another machine
 * @name: name of the field, such as "Uid"
 *
 * Return: the value without blanks around it, freed by the caller; NULL if
 * there is no such field.
 */
char *proc_status_field(const char *path, const char *name);

/**
 * proc_status_inner_pid() - the number of a process in its own PID namespace
 * @path: path of the file
 * @pid: number of the process in our namespace
 *
 * Return: the last number of the field NSpid; @pid if the field is missing.
 */
uint32_t proc_status_inner_pid(const char *path, uint32_t pid);

#endif /* USTACK_USER_PROC_STATUS_H */

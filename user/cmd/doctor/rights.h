/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: the rights of this process. */
#ifndef USTACK_USER_DOCTOR_RIGHTS_H
#define USTACK_USER_DOCTOR_RIGHTS_H

#include "cmd/doctor/doctor.h"

/* Capabilities with their numbers of capabilities(7). CAP_SYS_ADMIN includes some of them. */
enum right {
	RIGHT_SYS_PTRACE = 19,
	RIGHT_SYS_ADMIN = 21,
	RIGHT_SYSLOG = 34,
	RIGHT_PERFMON = 38,
	RIGHT_BPF = 39,
};

/* Return: whether CapEff of /proc/self/status has the right, or one that includes it. */
bool rights_have(const struct doctor_options *o, enum right right);

#endif /* USTACK_USER_DOCTOR_RIGHTS_H */

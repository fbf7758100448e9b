/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: what this process may do. */
#ifndef USTACK_USER_DOCTOR_RIGHTS_H
#define USTACK_USER_DOCTOR_RIGHTS_H

#include "cmd/doctor/doctor.h"

/* Capabilities as capabilities(7) numbers them; CAP_SYS_ADMIN stands for some. */
enum right {
	RIGHT_SYS_PTRACE = 19,
	RIGHT_SYS_ADMIN = 21,
	RIGHT_SYSLOG = 34,
	RIGHT_PERFMON = 38,
	RIGHT_BPF = 39,
};

/* Whether CapEff of /proc/self/status has it, or what implies it. */
bool rights_have(const struct doctor_options *o, enum right right);

#endif /* USTACK_USER_DOCTOR_RIGHTS_H */

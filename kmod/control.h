/* SPDX-License-Identifier: GPL-2.0 */
/* Control: /dev/ustack, as kmod/uapi/ustack.h describes it. */
#ifndef USTACK_CONTROL_H
#define USTACK_CONTROL_H

struct ustack_info;

int ustack_control_init(void);
void ustack_control_exit(void);

/* Fills all fields but the size. Context: process. */
void ustack_control_info(struct ustack_info *ret);

#endif /* USTACK_CONTROL_H */

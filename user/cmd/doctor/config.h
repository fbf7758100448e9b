/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: the options that a kernel was built with. */
#ifndef USTACK_USER_DOCTOR_CONFIG_H
#define USTACK_USER_DOCTOR_CONFIG_H

#include "cmd/doctor/doctor.h"

/* A configuration has 300 KB; what is longer is none. */
#define CONFIG_MAX (8u << 20)

/**
 * struct kernel_config - the file
 * @text: NULL if there is none
 * @path: where it was found, without the root
 */
struct kernel_config {
	char *text;
	char path[256];
};

/**
 * kernel_config_read() - find and read the running kernel's options
 * @o: the machine
 * @ret: released by kernel_config_release(), also on false
 *
 * /proc/config.gz is the kernel's own; then /boot/config-RELEASE and
 * /lib/modules/RELEASE/config and build/.config, which are of its package.
 *
 * Return: false if there is none.
 */
bool kernel_config_read(const struct doctor_options *o, struct kernel_config *ret);
void kernel_config_release(struct kernel_config *c);

/* Return: 'y', 'm', or 'n', also for an option that is not named. */
char kernel_config_get(const struct kernel_config *c, const char *option);

#endif /* USTACK_USER_DOCTOR_CONFIG_H */

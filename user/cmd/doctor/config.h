/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: the options that a kernel was built with. */
#ifndef USTACK_USER_DOCTOR_CONFIG_H
#define USTACK_USER_DOCTOR_CONFIG_H

#include "cmd/doctor/doctor.h"

/* Largest size of a configuration. They have about 300 KB; a longer file is no configuration. */
#define CONFIG_MAX (8u << 20)

/**
 * struct kernel_config - a kernel's configuration
 * @text: text of the file; NULL if there is none
 * @path: path of the file, without the root
 */
struct kernel_config {
	char *text;
	char path[256];
};

/**
 * kernel_config_read() - find and read the running kernel's options
 * @o: the machine
 * @ret: the caller must call kernel_config_release(), even after false
 *
 * Tries /proc/config.gz, which is the kernel's own; then /boot/config-RELEASE,
 * /lib/modules/RELEASE/config and build/.config, which come from its package.
 *
 * Return: false if no file was found.
 */
bool kernel_config_read(const struct doctor_options *o, struct kernel_config *ret);
void kernel_config_release(struct kernel_config *c);

/* Return: 'y', 'm' or 'n'; 'n' also for an option that is not in the file. */
char kernel_config_get(const struct kernel_config *c, const char *option);

#endif /* USTACK_USER_DOCTOR_CONFIG_H */

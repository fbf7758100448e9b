/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: the packages that have files' debug information. */
#ifndef USTACK_USER_DOCTOR_PACKAGES_H
#define USTACK_USER_DOCTOR_PACKAGES_H

#include "cmd/doctor/doctor.h"

#define PACKAGE_NAME 128u

/**
 * struct package_want - a file
 * @path: of it
 * @build_id: in hex digits; "" if it has none
 * @owner: out: the package that it is of, "" if dpkg knows of none
 * @debug: out: the package of apt's lists that has its debug file, by build id, or else by
 *         the owner's name (NAME-dbgsym, NAME-dbg); "" if the lists have none
 */
struct package_want {
	const char *path;
	char build_id[72];
	char owner[PACKAGE_NAME];
	char debug[PACKAGE_NAME];
};

/* Looks all of them up at once, as the lists are long. */
void packages_find(const struct doctor_options *o, struct package_want *want, size_t nr);

/* The command that installs them. Return: false if there is nothing to say. */
bool packages_command(const struct doctor_options *o, const struct package_want *want,
		      char ret[512]);

#endif /* USTACK_USER_DOCTOR_PACKAGES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/cmd/doctor: finds the packages with the debug information of files. */
#ifndef USTACK_USER_DOCTOR_PACKAGES_H
#define USTACK_USER_DOCTOR_PACKAGES_H

#include "cmd/doctor/doctor.h"

#define PACKAGE_NAME 128u

/**
 * struct package_want - a file whose packages are wanted
 * @path: path of the file
 * @build_id: build id in hex digits; "" if it has none
 * @owner: out: the package that owns the file; "" if dpkg knows none
 * @debug: out: the package in apt's lists with the debug file, found by build id, or else by
 *         the owner's name (NAME-dbgsym, NAME-dbg); "" if the lists have none
 */
struct package_want {
	const char *path;
	char build_id[72];
	char owner[PACKAGE_NAME];
	char debug[PACKAGE_NAME];
};

/* Looks up all files in one pass, as the lists are long. */
void packages_find(const struct doctor_options *o, struct package_want *want, size_t nr);

/* Makes the command that installs the debug file. Return: false if there is none. */
bool packages_command(const struct doctor_options *o, const struct package_want *want,
		      char ret[512]);

#endif /* USTACK_USER_DOCTOR_PACKAGES_H */

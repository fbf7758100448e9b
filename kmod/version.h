/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of ustack is written only here: the module includes this file,
 * and make reads it for the program (user/build.mk) and for DKMS
 * (dist/build.mk). tests/lint searches the sources, and the commands in
 * documents, for any other version. A release changes this line, CHANGELOG.md
 * and those documents.
 */
#ifndef USTACK_VERSION_H
#define USTACK_VERSION_H

#define USTACK_VERSION "0.1.0"

#endif /* USTACK_VERSION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of ustack, here alone: the module includes this file, make reads it for the
 * program (user/build.mk) and for DKMS (dist/build.mk). tests/lint looks for any other version
 * in the sources and in what documents tell to type. A release changes this line, CHANGELOG.md and
 * those documents.
 */
#ifndef USTACK_VERSION_H
#define USTACK_VERSION_H

#define USTACK_VERSION "0.1.0"

#endif /* USTACK_VERSION_H */

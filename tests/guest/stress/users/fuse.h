/* SPDX-License-Identifier: GPL-2.0-only */
/* A file system by /dev/fuse with one file, "lib", whose server runs as the user nobody. */
#ifndef USERS_FUSE_H
#define USERS_FUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Shared with the server. */
struct fuse {
	volatile bool direct;	/* files opened from now on bypass the page cache */
	volatile bool silent;	/* reads are not answered */
	volatile unsigned int unanswered;
	pid_t server;
	const char *dir;
	const uint8_t *bytes;	/* length of the file */
	size_t len;
};

/* Mounts it on @dir. Return: NULL if this kernel has no FUSE. */
struct fuse *fuse_start(const char *dir, const uint8_t *bytes, size_t len);
/* Kills the server if it lives, and unmounts. */
void fuse_stop(struct fuse *fuse);
/* Ends each wait for the server with an error. */
void fuse_kill(struct fuse *fuse);

#endif

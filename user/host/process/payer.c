// SPDX-License-Identifier: GPL-2.0-only
/* Finds the user who is charged for a process, see payer.h. */
#include "host/process/payer.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/proc_status.h"

#include "util/poison.h"

#define OWN_NAMESPACE "/proc/self/ns/user"

/*
 * Added to a namespace's inode number; kernel inode numbers of namespaces are below, and
 * numbers of users assigned by root usually are, too.
 */
#define OF_NAMESPACE (1u << 31)

static bool real_user(uint32_t pid, uint32_t *ret)
{
	_cleanup_(cleanup_free) char *users = NULL;
	char path[PROC_STATUS_PATH];

	proc_status_path(pid, path);
	users = proc_status_field(path, "Uid");
	return users && sscanf(users, "%" SCNu32, ret) == 1;
}

static bool is_own(const struct stat *own, int ns)
{
	struct stat st;

	return !fstat(ns, &st) && st.st_ino == own->st_ino && st.st_dev == own->st_dev;
}

/*
 * Finds the user who made @ns, or if it is nested, who made the outermost namespace below
 * our own. Closes @ns.
 */
static bool maker(const struct stat *own, int ns, uint32_t *ret)
{
	struct stat st;
	uid_t user;
	bool good;
	int up;

	/* the kernel does not return namespaces above our own */
	while ((up = ioctl(ns, NS_GET_PARENT)) >= 0 && !is_own(own, up)) {
		close(ns);
		ns = up;
	}
	if (up >= 0)
		close(up);
	good = !ioctl(ns, NS_GET_OWNER_UID, &user) && !fstat(ns, &st);
	close(ns);
	if (good)
		*ret = user ? user : (uint32_t)st.st_ino | OF_NAMESPACE;
	return good;
}

bool process_payer(uint32_t pid, uint32_t *ret)
{
	struct stat own;
	char path[64];
	int ns;

	/* the kernel has no user namespaces */
	if (stat(OWN_NAMESPACE, &own))
		return real_user(pid, ret);
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/ns/user", pid);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0)
		return false;
	if (!is_own(&own, ns))
		return maker(&own, ns, ret);
	close(ns);
	return real_user(pid, ret);
}

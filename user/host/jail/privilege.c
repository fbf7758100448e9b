// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes users and capabilities of this process, see privilege.h. Called in jails, and
 * by programs that give up root.
 */
#include "host/jail/privilege.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/options.h"

#include "util/poison.h"

#define PASSWD "/etc/passwd"
#define GROUP "/etc/group"

#define BIT(cap) (1ull << (cap))
#define KEPT                                                     \
	(BIT(CAP_PERFMON) | BIT(CAP_SYS_PTRACE) |                \
	 BIT(CAP_CHECKPOINT_RESTORE) | BIT(CAP_DAC_READ_SEARCH))

static bool is_user(const struct passwd *pw, const char *name)
{
	uint64_t uid;

	return !strcmp(pw->pw_name, name) ||
	       (option_parse_u64(name, &uid) && uid == pw->pw_uid);
}

/* Reads the file instead of getpwnam(), which loads libraries that a static program lacks. */
int privilege_find(const char *name, struct privilege_user *ret,
		   struct diag *diag)
{
	FILE *f = fopen(PASSWD, "re");
	struct passwd *pw;

	if (!f)
		return diag_errno(diag, errno, PASSWD);
	do
		pw = fgetpwent(f);
	while (pw && !is_user(pw, name));
	if (pw)
		*ret = (struct privilege_user){ .uid = pw->pw_uid, .gid = pw->pw_gid };
	fclose(f);
	return pw ? 0 : diag_set(diag, ENOENT, NULL, "there is no user '%s'", name);
}

static bool is_group(const struct group *gr, const char *name)
{
	uint64_t gid;

	return !strcmp(gr->gr_name, name) || (option_parse_u64(name, &gid) && gid == gr->gr_gid);
}

int privilege_find_group(const char *name, gid_t *ret, struct diag *diag)
{
	FILE *f = fopen(GROUP, "re");
	struct group *gr;

	if (!f)
		return diag_errno(diag, errno, GROUP);
	do
		gr = fgetgrent(f);
	while (gr && !is_group(gr, name));
	if (gr)
		*ret = gr->gr_gid;
	fclose(f);
	return gr ? 0 : diag_set(diag, ENOENT, NULL, "there is no group '%s'", name);
}

static int get_caps(uint64_t *permitted)
{
	struct __user_cap_header_struct h = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct d[2] = { 0 };

	if (syscall(SYS_capget, &h, d) < 0)
		return -errno;
	*permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	return 0;
}

/* @inherit: capabilities that executed programs may inherit. */
static int set_caps(uint64_t caps, uint64_t inherit)
{
	struct __user_cap_header_struct h = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct d[2] = {
		{ .permitted = (uint32_t)caps, .effective = (uint32_t)caps,
		  .inheritable = (uint32_t)inherit },
		{ .permitted = (uint32_t)(caps >> 32),
		  .effective = (uint32_t)(caps >> 32),
		  .inheritable = (uint32_t)(inherit >> 32) },
	};

	return syscall(SYS_capset, &h, d) < 0 ? -errno : 0;
}

/* Becomes the user. @bound: the only capabilities that executed programs can get. */
static int become(const struct privilege_user *user, uint64_t bound)
{
	unsigned int cap;

	/* without CAP_SETPCAP the bounding set cannot be changed, which is fine */
	for (cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (!(bound & BIT(cap)))
			prctl(PR_CAPBSET_DROP, cap);
	if (setgroups(user->has_group, &user->group) < 0 || prctl(PR_SET_KEEPCAPS, 1) < 0 ||
	    setresgid(user->gid, user->gid, user->gid) < 0 ||
	    setresuid(user->uid, user->uid, user->uid) < 0)
		return -errno;
	return 0;
}

static int drop(const struct privilege_user *user, uint64_t keep, uint64_t bound,
		struct diag *diag)
{
	uint64_t caps = 0;
	int err;

	err = get_caps(&caps);
	if (!err)
		err = become(user, bound);
	if (!err)
		err = set_caps(caps & keep, 0);
	if (err)
		return diag_set(diag, -err, NULL, "cannot become user %u: %s",
				(unsigned int)user->uid, strerror(-err));
	if (user->uid && !(keep & BIT(CAP_SETUID)) && !setuid(0))
		return diag_set(diag, EPERM, NULL, "it could become root again");
	return 0;
}

int privilege_drop(const struct privilege_user *user, struct diag *diag)
{
	return drop(user, KEPT, 0, diag);
}

int privilege_drop_to(const struct privilege_user *user, uint64_t keep, struct diag *diag)
{
	return drop(user, keep, keep, diag);
}

int privilege_keep(uint64_t keep)
{
	uint64_t caps = 0;
	int err = get_caps(&caps);

	return err ? err : set_caps(caps & keep, 0);
}

int privilege_pass_on(void)
{
	uint64_t caps = 0;
	unsigned int cap;
	int err = get_caps(&caps);

	caps &= KEPT;
	if (!err)
		err = set_caps(caps, caps);
	for (cap = 0; !err && cap <= CAP_LAST_CAP; cap++)
		if (caps & BIT(cap) && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))
			err = -errno;
	return err;
}

void privilege_lock(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int privilege_nobody(uint64_t keep)
{
	const struct privilege_user nobody = {
		.uid = PRIVILEGE_NOBODY, .gid = PRIVILEGE_NOBODY,
	};
	uint64_t caps = 0;
	int err = get_caps(&caps);

	if (err)
		return err;
	if (geteuid() && !(caps & BIT(CAP_SETUID)))
		return set_caps(caps & keep, 0);
	return drop(&nobody, keep, 0, NULL);
}

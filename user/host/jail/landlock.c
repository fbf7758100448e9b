// SPDX-License-Identifier: GPL-2.0-only
/*
 * Confines writing to one folder with Landlock, see landlock.h. Called by jail.c in the
 * jail, before its work begins.
 */
#include "host/jail/landlock.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/poison.h"

/*
 * Rights of Landlock's first version: writing, removing, and creating each kind of file;
 * the second version adds moving between folders, the third truncating.
 */
#define WRITE_1                                                                    \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |           \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |           \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |               \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |             \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)
#define REFER (1ull << 13)
#define TRUNCATE (1ull << 14)

static int restrict_to(int rules, int fd, uint64_t rights)
{
	const struct landlock_path_beneath_attr below = { rights, fd };

	return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) ||
	       syscall(SYS_landlock_restrict_self, rules, 0) ? -errno : 0;
}

int landlock_folder(int fd)
{
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
				     LANDLOCK_CREATE_RULESET_VERSION);
	const struct landlock_ruleset_attr all = {
		.handled_access_fs = WRITE_1 | (version >= 2 ? REFER : 0) |
				     (version >= 3 ? TRUNCATE : 0),
	};
	int rules, err;

	if (version < 1)
		return 0;
	/*
	 * the size of the first version's struct: later versions would handle more than
	 * files
	 */
	rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all.handled_access_fs), 0);
	if (rules < 0)
		return -errno;
	err = restrict_to(rules, fd, all.handled_access_fs);
	close(rules);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unloads and loads the module while other processes call it. A second process does the same at
 * other moments, opens the device, changes parameters and reads /proc/ustack.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "stress.h"
#include "ustack.h"

static const struct {
	const char *name;
	const char *values[4];
} params[] = {
	{ "budget_mb", { "8", "8", "1", "0" } },
	{ "enabled", { "1", "1", "1", "0" } },
	{ "guess", { "1", "1", "0", "0" } },
	{ "eager", { "1", "1", "0", "0" } },
	{ "max_frames", { "127", "127", "8", "1" } },
};

#define QUIET_SECONDS 5.0	/* time limit of one attempt to unload */
#define CALLING_SECONDS 0.2
#define FAILING_LOADS 4	/* attempts while allocations fail */

#define PARAMS (sizeof(params) / sizeof(params[0]))

void module_params_reset(void)
{
	unsigned int i;

	for (i = 0; i < PARAMS; i++)
		if (!module_param(params[i].name, params[i].values[0]))
			die_errno(params[i].name);
}

/* @attempts: at most, 0 is no limit. Return: 0, -EEXIST, or the error of the last attempt. */
static int load_some_times(unsigned int attempts)
{
	int err;

	/* there was no memory, or the other process that loads and unloads was faster */
	do {
		err = module_load(MODULE_PARAMS);
		if (err == -ENOMEM)
			ADD(shared->loads_failed);
		if (err)
			usleep(1000);
	} while ((err == -ENOMEM || err == -EBUSY || err == -EAGAIN) && --attempts &&
		 !shared->stop);
	return err;
}

bool module_load_again(void)
{
	int err = load_some_times(shared->failing ? FAILING_LOADS : 0);

	/* a load makes many allocations: hardly one succeeds while one in twenty fails */
	if (err == -ENOMEM && shared->failing) {
		failing_pause();
		err = load_some_times(0);
		failing_resume();
	}
	return !err || err == -EEXIST || shared->stop;
}

/* Tries to unload even if the device is open. Return: whether the module is gone. */
static bool unload_within(double limit)
{
	double end = seconds() + limit;

	while (!shared->stop && seconds() < end) {
		if (!module_unload())
			ADD(shared->unloads);
		if (!module_loaded())
			return true;
		ADD(shared->busy);
		usleep(1000);
	}
	return false;
}

/*
 * Asks the crews to close the device, unloads the module when the last one has closed it, and
 * loads it again. On a busy machine this takes long, so the crews get twice that time for
 * calls.
 */
void unloader_run(void)
{
	double start, again;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!shared->stop) {
		start = seconds();
		shared->quiet = 1;
		if (unload_within(QUIET_SECONDS) && !module_load_again())
			_exit(1);
		shared->quiet = 0;
		shared->quiet_seconds += seconds() - start;
		again = seconds() + CALLING_SECONDS + 2 * (seconds() - start);
		while (!shared->stop && seconds() < again)
			usleep(10000);
	}
	_exit(0);
}

static void read_file(struct caller *c, const char *path)
{
	char buf[2000];
	int fd = open(path, O_RDONLY), left = (int)below(c, 8);

	if (fd < 0)
		return;
	while (read(fd, buf, 1 + below(c, sizeof(buf))) > 0 && --left > 0)
		;
	lseek(fd, (off_t)below(c, 4096), SEEK_SET);
	(void)!read(fd, buf, sizeof(buf));
	close(fd);
}

/* Opens the device at random moments, also while the module is being unloaded. */
static void open_once(void)
{
	struct ustack_info info = { .size = sizeof(info) };
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	ioctl(fd, USTACK_IOC_INFO, &info);
	close(fd);
}

void meddler_run(uint64_t seed)
{
	struct caller c = { .random = (seed + 1) * 0x9e3779b97f4a7c15ull };
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!shared->stop) {
		switch (below(&c, 8)) {
		case 0:
			i = (unsigned int)below(&c, PARAMS);
			module_param(params[i].name, params[i].values[below(&c, 4)]);
			break;
		case 1:
			read_file(&c, "/proc/ustack/stat");
			break;
		case 2:
		case 3:
			read_file(&c, "/proc/ustack/images");
			break;
		case 4:
			/* rarely without the unloader, because the next load takes seconds */
			if ((shared->quiet || !below(&c, 256)) && !module_unload())
				ADD(shared->unloads);
			break;
		case 5:
			module_load(MODULE_PARAMS);
			break;
		default:
			open_once();
			break;
		}
		usleep((useconds_t)below(&c, 5000));
	}
	_exit(0);
}

// SPDX-License-Identifier: GPL-2.0-only
/* register_region() and its counterpart: the requests of a JIT compiler to /dev/ustack. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "jit.h"
#include "ustack.h"

static int region_ioctl(unsigned long request, const struct jit_region *region)
{
	struct ustack_region r = {
		.size = sizeof(r),
		.start = (uintptr_t)region->start,
		.len = region->length,
		.section = (uintptr_t)region->sframe,
		.section_len = region->sframe_length,
		.vaddr = (uintptr_t)region->start + region->sframe_vaddr,
	};
	int fd, err = 0;

	/* Without the module there is no device. */
	fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (ioctl(fd, request, &r))
		err = -errno;
	close(fd);
	return err;
}

int register_region(const struct jit_region *region)
{
	return region_ioctl(USTACK_IOC_REGION_ADD, region);
}

int unregister_region(const struct jit_region *region)
{
	return region_ioctl(USTACK_IOC_REGION_DEL, region);
}

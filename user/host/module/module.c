// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to the module through /dev/ustack, with error texts that say what to do, see
 * module.h.
 */
#include "host/module/module.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arch.h"
#include "reason.h"

#define NEED_RIGHT "this needs CAP_PERFMON or CAP_SYS_ADMIN: run it as root"

int module_absent(int err, const char *path, struct diag *diag)
{
	switch (err) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (!access("/sys/module/ustack", F_OK))
			return diag_set(diag, err, path,
					"the module ustack is loaded, but this is missing: "
				"is devtmpfs mounted on /dev and proc on /proc?");
		return diag_set(diag, err, path,
				"the module ustack is not loaded: run 'modprobe ustack', "
				"or 'insmod ustack.ko' with the file that 'make module' built");
	case EACCES:
	case EPERM:
		return diag_set(diag, err, path,
				"permission denied: " NEED_RIGHT);
	default:
		return diag_errno(diag, err, path);
	}
}

int module_open(struct module *m, struct diag *diag)
{
	m->fd = open(USTACK_DEVICE, O_RDONLY | O_CLOEXEC);
	return m->fd < 0 ? module_absent(errno, USTACK_DEVICE, diag) : 0;
}

void module_release(struct module *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

static int request_failed(int err, struct diag *diag)
{
	switch (err) {
	case ENOTTY:
	case E2BIG:
		return diag_set(diag, err, USTACK_DEVICE,
				"the loaded module is older than this program and does not "
				"know the request: load the one that belongs to it");
	case EACCES:
	case EPERM:
		return diag_set(diag, err, USTACK_DEVICE,
				"permission denied: " NEED_RIGHT);
	default:
		return diag_errno(diag, err, USTACK_DEVICE);
	}
}

/* Return: 0 or a positive errno. */
static int request(const struct module *m, unsigned long cmd, void *arg)
{
	int n;

	do
		n = ioctl(m->fd, cmd, arg);
	while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

int module_info(const struct module *m, struct ustack_info *ret,
		struct diag *diag)
{
	int err;

	*ret = (struct ustack_info){ .size = sizeof(*ret) };
	err = request(m, USTACK_IOC_INFO, ret);
	return err ? request_failed(err, diag) : 0;
}

int module_stats(const struct module *m, struct ustack_stats *ret,
		 struct diag *diag)
{
	int err;

	*ret = (struct ustack_stats){ .size = sizeof(*ret) };
	err = request(m, USTACK_IOC_STATS, ret);
	return err ? request_failed(err, diag) : 0;
}

void module_whole(const struct ustack_stats *st, struct profile_whole *ret)
{
	*ret = (struct profile_whole){
		.stacks = (int64_t)(st->samples - st->reasons[USTACK_NO_MM]),
		.complete = (int64_t)(st->reasons[USTACK_COMPLETE] - st->guessed_complete),
		.guessed = (int64_t)st->guessed_complete,
		.none = (int64_t)st->reasons[USTACK_NO_MM],
	};
}

int module_prepare(const struct module *m, int pid, struct ustack_prepare *ret,
		   struct diag *diag)
{
	int err;

	*ret = (struct ustack_prepare){ .size = sizeof(*ret), .pid = pid };
	err = request(m, USTACK_IOC_PREPARE, ret);
	if (err == ESRCH)
		return diag_set(diag, err, NULL,
				"%d: there is no such process, or it is a kernel thread",
				pid);
	return err ? request_failed(err, diag) : 0;
}

int module_again(const struct module *m, const struct ustack_event *e,
		 struct diag *diag)
{
	struct ustack_again again = {
		.size = sizeof(again),
		.dev = e->dev,
		.ino = e->ino,
		.file_size = e->file_size,
	};
	int err;

	err = request(m, USTACK_IOC_AGAIN, &again);
	return err ? request_failed(err, diag) : 0;
}

/* The first number in reason.def that is about a file or a request. */
#define FIRST_FILE_REASON 64

/* @path: path of the ELF file that the section is for */
static int section_failed(int err, unsigned int reason, uint32_t bad_off,
			  const char *path, const struct module_section *section,
			  struct diag *diag)
{
	if (err == EMSGSIZE)
		return diag_reason(diag, section->len ? USTACK_TOO_LARGE :
							USTACK_TRUNCATED,
				   section->path, 0);
	if (err != EINVAL && err != ENOSPC && err != ENOMEM)
		return request_failed(err, diag);
	if (!reason)
		return request_failed(err, diag);
	if (reason >= FIRST_FILE_REASON)
		return diag_reason(diag, reason, path, DIAG_NO_OFFSET);
	return diag_reason(diag, reason, section->path, bad_off);
}

int module_load(const struct module *m, const char *path, int fd,
		const struct module_section *section, struct ustack_load *ret,
		struct diag *diag)
{
	int err;

	*ret = (struct ustack_load){
		.size = sizeof(*ret),
		.flags = fd < 0 ? USTACK_LOAD_VDSO : 0,
		.fd = fd,
		.section = (uintptr_t)section->bytes,
		.len = section->len,
		.vaddr = section->vaddr,
	};
	err = request(m, USTACK_IOC_LOAD, ret);
	if (!err)
		return 0;
	if (err == EBADF)
		return diag_set(diag, err, path, "not a regular file");
	if (err == EEXIST)
		return diag_set(diag, err, path,
				"its own .sframe stays: only CAP_SYS_ADMIN may replace one that the "
				"module has not refused, or that describes as much text");
	return section_failed(err, ret->reason, ret->bad_off,
			      path ? path : "[vdso]", section, diag);
}

int module_events_open(struct module_events *ev, struct diag *diag)
{
	int flags, err;

	ev->len = 0;
	ev->pos = 0;
	err = module_open(&ev->m, diag);
	if (err)
		return err;
	flags = fcntl(ev->m.fd, F_GETFL);
	if (flags < 0 || fcntl(ev->m.fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return request_failed(errno, diag);
	return 0;
}

void module_events_release(struct module_events *ev)
{
	module_release(&ev->m);
}

/* Reads more records. Return: 0, or as module_events_next(). */
static int fill(struct module_events *ev, bool wait, struct diag *diag)
{
	struct pollfd p = { .fd = ev->m.fd, .events = POLLIN };
	ssize_t n;

	for (;;) {
		n = read(ev->m.fd, ev->buf, sizeof(ev->buf));
		if (n > 0) {
			ev->pos = 0;
			ev->len = (size_t)n;
			return 0;
		}
		if (n == 0)
			return -EAGAIN;
		if (errno == EINTR)
			return -EINTR;
		if (errno != EAGAIN)
			return request_failed(errno, diag);
		if (!wait)
			return -EAGAIN;
		if (poll(&p, 1, -1) < 0)
			return errno == EINTR ? -EINTR :
						request_failed(errno, diag);
	}
}

int module_events_next(struct module_events *ev, bool wait,
		       const struct ustack_event **ret, struct diag *diag)
{
	const struct ustack_event *e;
	size_t left;
	int err;

	if (ev->pos == ev->len) {
		err = fill(ev, wait, diag);
		if (err)
			return err;
	}
	e = (const void *)(ev->buf + ev->pos);
	left = ev->len - ev->pos;
	if (left <= sizeof(*e) || e->size <= sizeof(*e) || e->size > left ||
	    e->size % 8 || e->build_id_len > sizeof(e->build_id) ||
	    !memchr(e->path, 0, e->size - sizeof(*e)))
		return diag_set(diag, EPROTO, USTACK_DEVICE,
				"the module's records are not those this program knows: "
				"load the module that belongs to it");
	ev->pos += e->size;
	*ret = e;
	return 0;
}

const struct module_hook *module_hooks(size_t *ret)
{
	static const struct module_hook hooks[] = {
		{ USTACK_HOOK_CALLCHAIN, "perf_callchain_user",
		  "perf and BPF get the kernel's own user stacks, not ustack's" },
		{ USTACK_HOOK_MMAP, "perf_event_mmap",
		  "new programs and libraries are noticed late" },
		{ USTACK_HOOK_MUNMAP, "unlink_anon_vmas",
		  "unmapped code is noticed late" },
		{ USTACK_HOOK_FORK, "uprobe_dup_mmap",
		  "forked processes are noticed late" },
		{ USTACK_HOOK_EXIT, "exit_mmap",
		  "memory of exited processes is given back late" },
		{ USTACK_HOOK_DEFERRED, "unwind_user",
		  "deferred callchains (Linux 6.19 and later) are the kernel's own" },
	};

	*ret = sizeof(hooks) / sizeof(hooks[0]);
	return hooks;
}

const char *module_arch_name(uint32_t arch)
{
	const struct ustack_arch *a = ustack_arch_by_id(arch);

	return a ? a->name : "unknown";
}

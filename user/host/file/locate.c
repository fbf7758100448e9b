// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens files without side effects and reads their ELF headers, and finds the file of a
 * module's event. See locate.h.
 */
#include "host/file/locate.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "host/file/process_file.h"
#include "util/clock.h"
#include "util/native.h"

/* Limit for the bytes of a vDSO. */
#define VDSO_MAX (1u << 20)

const struct ustack_arch *supply_native_arch(void)
{
	return NATIVE_ARCH;
}

enum supply_outcome supply_outcome_of(int err)
{
	switch (err) {
	case ENOENT:
	case ENOTDIR:
	case ESRCH:
	case ELOOP:
	case ENAMETOOLONG:
	case EXDEV:
	case ESTALE:
		return SUPPLY_GONE;
	case EACCES:
	case EPERM:
		return SUPPLY_DENIED;
	case ENOMEM:
		return SUPPLY_NO_MEMORY;
	default:
		return SUPPLY_FAILED;
	}
}

/* Opens a handle that cannot read, so that opening has no effect on a device or pipe. */
static int look(int at, const char *path, bool in_root)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	if (!in_root)
		return openat(at, path, O_PATH | O_CLOEXEC);
	return (int)syscall(SYS_openat2, at, path, &how, sizeof(how));
}

static enum supply_outcome open_handle(struct supply_file *f, int handle)
{
	char self[32];

	if (fstat(handle, &f->st) < 0)
		return supply_outcome_of(errno);
	if (!S_ISREG(f->st.st_mode))
		return SUPPLY_NOT_REGULAR;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", handle);
	/* O_NONBLOCK: fail if another process holds a lease and does not give it up */
	f->fd = open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	return f->fd < 0 ? supply_outcome_of(errno) : SUPPLY_CACHED;
}

enum supply_outcome supply_file_open(struct supply_file *f, int at,
				     const char *path, bool in_root)
{
	enum supply_outcome ret;
	int handle;

	f->path = path;
	handle = look(at, path, in_root);
	if (handle < 0)
		return supply_outcome_of(errno);
	ret = open_handle(f, handle);
	close(handle);
	return ret;
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool supply_file_unchanged(const struct supply_file *f)
{
	struct stat now;

	return !fstat(f->fd, &now) && now.st_size == f->st.st_size &&
	       same_time(now.st_mtim, f->st.st_mtim) &&
	       same_time(now.st_ctim, f->st.st_ctim);
}

bool supply_file_is_fresh(const struct supply_file *f)
{
	int64_t age = (int64_t)clock_ns(CLOCK_REALTIME) -
		      ((int64_t)f->st.st_ctim.tv_sec * 1000000000 + f->st.st_ctim.tv_nsec);

	return age >= 0 && age < SUPPLY_TICK_NS;
}

void supply_file_release(struct supply_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* The file for the readers of kmod/core. */
struct source {
	struct ustack_file base;
	int fd;
};

static bool read_source(const struct ustack_file *base, u64 off, void *buf,
			u32 len)
{
	const struct source *src = (const struct source *)base;
	ssize_t n;

	while (len) {
		n = pread(src->fd, buf, len, (off_t)off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		buf = (u8 *)buf + n;
		off += (u64)n;
		len -= (u32)n;
	}
	return true;
}

enum supply_outcome supply_file_headers(struct supply_file *f,
					enum ustack_reason *reason)
{
	const struct source src = {
		.base = { .size = (u64)f->st.st_size, .read = read_source },
		.fd = f->fd,
	};

	*reason = ustack_elf_read(&src.base, &f->elf);
	switch (*reason) {
	case USTACK_OK:
		break;
	case USTACK_NOT_ELF:
	case USTACK_ELF_CLASS:
	case USTACK_ELF_MACHINE:
	case USTACK_NOT_EXECUTABLE:
		return SUPPLY_NOT_OURS;
	default:
		return SUPPLY_BROKEN;
	}
	return f->elf.arch == supply_native_arch() ? SUPPLY_CACHED :
						     SUPPLY_NOT_OURS;
}

static u64 encode_dev(dev_t dev)
{
	u64 minor = minor(dev);

	return (minor & 0xff) | (u64)major(dev) << 8 | (minor & ~0xffull) << 12;
}

static bool is_itself(const struct supply_file *f, const struct ustack_event *e)
{
	return encode_dev(f->st.st_dev) == e->dev && f->st.st_ino == e->ino;
}

static bool same_build_id(const struct supply_file *f,
			  const struct ustack_event *e)
{
	return e->build_id_len == f->elf.build_id_len &&
	       !memcmp(e->build_id, f->elf.build_id, e->build_id_len);
}

/* Whether an opened file is the one of the event; reads its headers. */
static enum supply_outcome check(struct supply_file *f,
				 const struct ustack_event *e,
				 enum ustack_reason *reason)
{
	bool same = is_itself(f, e);
	enum supply_outcome ret;

	if ((u64)f->st.st_size != e->file_size ||
	    (!same && encode_dev(f->st.st_dev) == e->dev))
		return SUPPLY_REPLACED;
	ret = supply_file_headers(f, reason);
	if (!same && (ret || !e->build_id_len || !same_build_id(f, e)))
		return SUPPLY_REPLACED;
	/*
	 * the file was written to: the mapping has the new bytes, the event the old build
	 * id
	 */
	if (!ret && e->build_id_len && !same_build_id(f, e))
		return SUPPLY_REPLACED;
	return ret;
}

/* The wanted event and where to put the reason. */
struct search {
	const struct ustack_event *e;
	enum ustack_reason *reason;
};

static enum supply_outcome judge(struct supply_file *f, enum supply_way way, const void *arg)
{
	const struct search *s = arg;
	enum supply_outcome ret = check(f, s->e, s->reason);

	if (!ret && way == SUPPLY_BY_OTHER_ROOT && !is_itself(f, s->e))
		return SUPPLY_REPLACED;
	return ret;
}

enum supply_outcome supply_locate(struct supply_file *f,
				  const struct ustack_event *e,
				  enum ustack_reason *reason)
{
	struct search s = { e, reason };
	const struct supply_wanted wanted = {
		.path = e->path, .pid = e->pid, .start = e->start, .end = e->end,
		.judge = judge, .arg = &s,
	};

	*reason = USTACK_OK;
	return supply_process_file(&wanted, f);
}

/* Finds the size of this process's vDSO in bytes, 0 if it has none. */
static size_t vdso_size(u64 start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	u64 from, to;
	size_t size = 0;
	char line[512];

	if (!maps)
		return 0;
	while (!size && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) == 2 &&
		    from == start && to - from <= VDSO_MAX)
			size = to - from;
	fclose(maps);
	return size;
}

enum supply_outcome supply_locate_vdso(struct supply_file *f,
				       const struct ustack_event *e,
				       enum ustack_reason *reason)
{
	u64 start = getauxval(AT_SYSINFO_EHDR);
	size_t size = start ? vdso_size(start) : 0;
	enum supply_outcome ret;

	f->path = "[vdso]";
	*reason = USTACK_OK;
	if (!size)
		return SUPPLY_GONE;
	f->fd = memfd_create("vdso", MFD_CLOEXEC);
	if (f->fd < 0 ||
	    write(f->fd, (const void *)start, size) != (ssize_t)size ||
	    fstat(f->fd, &f->st) < 0)
		return supply_outcome_of(errno);
	ret = supply_file_headers(f, reason);
	if (!ret && e->build_id_len && f->elf.build_id_len &&
	    !same_build_id(f, e))
		return SUPPLY_REPLACED;
	return ret;
}

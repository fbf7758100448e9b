// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packs samples of a long recording into a file without a name, and writes the
 * complete file at the end. See pprof_spool.h.
 */
#include "profile/pprof_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/pprof_pack.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

/**
 * struct pprof_spool - see pprof_spool.h
 * @dir: folder of the file, owned
 * @fd: file with the beginning of @pack's output, -1 before there is one
 * @bytes: size of the file
 * @limit: number of samples that a profile keeps in memory
 * @begun: some samples are spooled
 * @nr_value_types: number of the profile's value types when the first samples
 *	were spooled
 * @pack: packs the samples; its state goes on over all calls
 */
struct pprof_spool {
	char *dir;
	int fd;
	off_t bytes;
	uint32_t limit;
	bool begun;
	uint32_t nr_value_types;
	struct pprof_pack pack;
};

/*
 * Return: folder where the profile will be saved, or of temporary files if it
 * is no file.
 */
static char *dir_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *temporary = getenv("TMPDIR");
	struct stat st;

	if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode)))
		return strdup(temporary && temporary[0] ? temporary : "/var/tmp");
	if (!slash)
		return strdup(".");
	return strndup(path, slash > path ? (size_t)(slash - path) : 1);
}

struct pprof_spool *pprof_spool_new(const char *path)
{
	struct pprof_spool *spool = calloc(1, sizeof(*spool));

	if (!spool)
		return NULL;
	spool->fd = -1;
	spool->limit = PPROF_SPOOL_SAMPLES;
	spool->dir = dir_of(path);
	if (!spool->dir || pprof_pack_init(&spool->pack, -1)) {
		free(spool->dir);
		free(spool);
		return NULL;
	}
	return spool;
}

void pprof_spool_free(struct pprof_spool *spool)
{
	if (!spool)
		return;
	pprof_pack_release(&spool->pack);
	if (spool->fd >= 0)
		close(spool->fd);
	free(spool->dir);
	free(spool);
}

void pprof_spool_set_limit(struct pprof_spool *spool, uint32_t samples)
{
	spool->limit = samples;
}

bool pprof_spool_is_due(const struct pprof_spool *spool, const struct profile *p)
{
	return p->nr_samples >= spool->limit;
}

/*
 * Uses a file with a name that is removed if the file system has no O_TMPFILE.
 */
static int open_nameless(const char *dir)
{
	_cleanup_(cleanup_free) char *path = NULL;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd < 0 ? -errno : fd;
	if (asprintf(&path, "%s/.ustack.XXXXXX", dir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

static int begin(struct pprof_spool *spool, const struct profile *p)
{
	int fd;

	if (spool->begun && p->nr_value_types != spool->nr_value_types)
		return -EINVAL;
	if (spool->fd >= 0)
		return 0;
	fd = open_nameless(spool->dir);
	if (fd < 0)
		return fd;
	spool->fd = spool->pack.fd = fd;
	return 0;
}

/*
 * After a failure: restores the state of the compressor and of the file.
 * Return: the failure.
 */
static int take_back(struct pprof_spool *spool, z_stream *before)
{
	int err = spool->pack.err;

	deflateEnd(&spool->pack.z);
	spool->pack.err = 0;
	if (deflateCopy(&spool->pack.z, before) != Z_OK)
		spool->pack.err = -ENOMEM;
	if (lseek(spool->fd, spool->bytes, SEEK_SET) < 0 || ftruncate(spool->fd, spool->bytes))
		spool->pack.err = -errno;
	return err;
}

static int spool_samples(struct pprof_spool *spool, const struct profile *p)
{
	z_stream before = { 0 };
	int err = spool->pack.err;

	if (!err)
		err = begin(spool, p);
	if (err)
		return err;
	if (deflateCopy(&before, &spool->pack.z) != Z_OK)
		return -ENOMEM;
	if (!spool->begun)
		pprof_pack_value_types(&spool->pack, p);
	pprof_pack_samples(&spool->pack, p);
	err = spool->pack.err ? take_back(spool, &before) : 0;
	deflateEnd(&before);
	if (err)
		return err;
	spool->bytes = lseek(spool->fd, 0, SEEK_CUR);
	spool->begun = true;
	spool->nr_value_types = p->nr_value_types;
	return 0;
}

int pprof_spool_samples(struct pprof_spool *spool, struct profile *p, struct diag *diag)
{
	int err = spool_samples(spool, p);

	if (err) {
		spool->limit = p->nr_samples < UINT32_MAX / 2 ? 2 * p->nr_samples : UINT32_MAX;
		return diag_errno(diag, -err, spool->dir);
	}
	profile_forget_samples(p);
	return 0;
}

int pprof_spool_size(const struct pprof_spool *spool, const struct profile *p, uint64_t *ret)
{
	struct pprof_pack *pack = calloc(1, sizeof(*pack));
	int err;

	if (!pack || deflateCopy(&pack->z, (z_stream *)&spool->pack.z) != Z_OK) {
		free(pack);
		return -ENOMEM;
	}
	pack->fd = -1;
	pack->err = spool->pack.err;
	if (!spool->begun)
		pprof_pack_value_types(pack, p);
	pprof_pack_samples(pack, p);
	pprof_pack_rest(pack, p);
	err = pack->err;
	*ret = pack->z.total_out;
	pprof_pack_release(pack);
	free(pack);
	return err;
}

/* Copies the spooled file from its beginning to @to. */
static int copy(struct pprof_spool *spool, int to)
{
	uint8_t *bytes = spool->pack.out;
	ssize_t n;
	int err = 0;

	if (spool->fd < 0)
		return 0;
	if (lseek(spool->fd, 0, SEEK_SET) < 0)
		return -errno;
	while (!err && (n = read(spool->fd, bytes, PPROF_PACK_CHUNK)))
		err = n < 0 ? -errno : file_write_all(to, bytes, (size_t)n);
	return err;
}

int pprof_spool_end(struct pprof_spool *spool, const struct profile *p, int fd,
		    struct diag *diag)
{
	struct pprof_pack *pack = &spool->pack;

	if (!pack->err)
		pack->err = copy(spool, fd);
	pack->fd = fd;
	if (!spool->begun)
		pprof_pack_value_types(pack, p);
	else if (!pack->err && p->nr_value_types != spool->nr_value_types)
		pack->err = -EINVAL;
	pprof_pack_samples(pack, p);
	pprof_pack_rest(pack, p);
	return pack->err ? diag_errno(diag, -pack->err, "profile") : 0;
}

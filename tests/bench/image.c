// SPDX-License-Identifier: GPL-2.0-only
/* Reads files with pread(), sections as a whole, and makes tables with the core (image.h). */
#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct open_file {
	struct ustack_file file;
	int fd;
};

u64 bench_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

static bool read_file(const struct ustack_file *file, u64 off, void *buf,
		      u32 len)
{
	const struct open_file *f = (const struct open_file *)file;

	return pread(f->fd, buf, len, (off_t)off) == (ssize_t)len;
}

static enum ustack_reason build(struct bench_image *image)
{
	struct ustack_section sec = {
		.bytes = image->section,
		.len = image->section_len,
		.vaddr = image->elf.sframe_vaddr,
		.arch = image->elf.arch,
		.text = image->elf.text,
		.nr_text = image->elf.nr_text,
	};
	enum ustack_reason reason;
	u64 start, size, middle;
	void *scratch;

	start = bench_now_ns();
	reason = ustack_section_open(&sec, NULL);
	if (reason)
		return reason;
	image->scratch = ustack_section_scratch(&sec);
	scratch = malloc(image->scratch);
	reason = ustack_verify(&sec, scratch);
	middle = bench_now_ns();
	if (!reason)
		reason = ustack_compile_size(&sec, &size);
	if (!reason) {
		image->table = aligned_alloc(64, (size + 63) & ~63ull);
		reason = ustack_compile(&sec, image->table);
		image->compile_ns = bench_now_ns() - middle;
		image->verify_ns = middle - start;
		image->report = sec.report;
		if (!reason)
			reason = ustack_table_check(image->table, size);
	}
	free(scratch);
	return reason;
}

static bool open_path(struct open_file *f, const char *path)
{
	struct stat st;

	f->file.read = read_file;
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		perror(path);
		return false;
	}
	f->file.size = (u64)st.st_size;
	return true;
}

static bool read_section(struct bench_image *image, const struct open_file *f,
			 u64 off, u32 len)
{
	image->section_len = len;
	image->section = malloc(len);
	return len && image->section &&
	       read_file(&f->file, off, image->section, len);
}

/* A section in a separate file, and its address. */
static bool read_beside(struct bench_image *image, const char *path)
{
	struct open_file f;
	char name[4096];
	FILE *vaddr;
	bool ok;

	if (!open_path(&f, path))
		return false;
	ok = read_section(image, &f, 0, (u32)f.file.size);
	close(f.fd);
	snprintf(name, sizeof(name), "%s.vaddr", path);
	vaddr = fopen(name, "r");
	ok = ok && vaddr && fscanf(vaddr, "%li", &image->elf.sframe_vaddr) == 1;
	if (vaddr)
		fclose(vaddr);
	return ok;
}

bool bench_image_load(struct bench_image *image, const char *path,
		      const char *section)
{
	enum ustack_reason reason;
	struct open_file f;
	bool ok;

	*image = (struct bench_image){ 0 };
	if (!open_path(&f, path))
		return false;
	reason = ustack_elf_read(&f.file, &image->elf);
	if (!reason) {
		ok = section ? read_beside(image, section) :
			       read_section(image, &f, image->elf.sframe_off,
					    image->elf.sframe_len);
		reason = ok ? build(image) : USTACK_READ_ERROR;
	}
	close(f.fd);
	if (reason)
		fprintf(stderr, "%s: %s\n", path, ustack_reason_text(reason));
	return !reason;
}

void bench_image_release(struct bench_image *image)
{
	free(image->section);
	free(image->table);
}

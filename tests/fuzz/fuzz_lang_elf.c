// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of any bytes that claim to be CPython, PHP, Ruby or Perl, or a C
 * library that describes itself.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "symbols/lang/cpython.h"
#include "symbols/lang/beam.h"
#include "symbols/lang/perl.h"
#include "symbols/lang/php.h"
#include "symbols/lang/ruby.h"

static bool read_nothing(void *arg, uint64_t addr, void *buf, size_t len)
{
	memset(buf, (int)addr, len);
	return addr & 1;
}

static void check_python(const struct cpython_file *f)
{
	const struct lang_libc libc = { .per_block = 32, .key_size = 16, .data = 8 };
	const struct lang_memory m = { read_nothing, NULL };
	struct lang_cpython d;
	unsigned int i;

	if (f->refused)
		return;
	must(f->nr_eval >= 1 && f->nr_eval <= EVAL_MAX_RANGES);
	for (i = 1; i < f->nr_eval; i++)
		must(f->eval[i].start < f->eval[i].end);
	must(f->layout.frame_bytes <= LANG_FRAME_BYTES);
	(void)cpython_describe(f, 0, &libc, &m, &d);
	(void)cpython_describe(f, 1, &libc, &m, &d);
}

static void check_php(const struct php_file *f)
{
	const struct lang_memory m = { read_nothing, NULL };
	struct lang_php d;
	unsigned int i;

	if (f->refused)
		return;
	must(f->version >> 24 == 8);
	must(f->nr_eval >= 1 && f->nr_eval <= EVAL_MAX_RANGES);
	for (i = 1; i < f->nr_eval; i++)
		must(f->eval[i].start < f->eval[i].end);
	must(f->layout.func_opcodes < 8 * PHP_FUNC_WORDS && f->layout.func_last < 8 * PHP_FUNC_WORDS);
	(void)php_describe(f, 0, &m, &d);
	(void)php_describe(f, 1, &m, &d);
}

static void check_ruby(const struct ruby_file *f)
{
	const struct lang_libc libc = { .has_dtv = true, .dtv = 8 };
	const struct lang_memory m = { read_nothing, NULL };
	struct lang_ruby d;
	unsigned int i;

	if (f->refused)
		return;
	must(f->version >> 24 == 3);
	must(f->places.tls && f->places.symbols);
	must(f->nr_eval >= 1 && f->nr_eval <= EVAL_MAX_RANGES && f->nr_inner <= EVAL_MAX_RANGES);
	for (i = 0; i < f->nr_eval; i++)
		must(f->eval[i].start < f->eval[i].end);
	for (i = 0; i < f->nr_inner; i++)
		must(f->inner[i].start < f->inner[i].end);
	must(f->layout.frame_bytes && f->layout.frame_bytes <= 8 * RUBY_FRAME_WORDS);
	(void)ruby_describe(f, 0, &libc, &m, &d);
	(void)ruby_describe(f, 1, &libc, &m, &d);
}

static void check_ranges(const struct range *range, unsigned int nr)
{
	unsigned int i;

	must(nr <= EVAL_MAX_RANGES);
	for (i = 0; i < nr; i++)
		must(range[i].start < range[i].end);
}

static void check_perl(const struct perl_file *f)
{
	const struct lang_libc libc = { .per_block = 32, .key_size = 16, .data = 8 };
	const struct lang_memory m = { read_nothing, NULL };
	struct lang_perl d;

	if (f->refused)
		return;
	must(f->nr_eval);
	must(f->version >> 16 == 0x0524 || f->version >> 16 == 0x0528);
	check_ranges(f->eval, f->nr_eval);
	check_ranges(f->inner, f->nr_inner);
	check_ranges(f->base, f->nr_base);
	(void)perl_describe(f, 0, &libc, &m, &d);
	(void)perl_describe(f, 1, &libc, &m, &d);
}

static void check_beam(const struct beam_file *f)
{
	const struct lang_libc libc = { .per_block = 32, .key_size = 16, .data = 8 };
	const struct lang_memory m = { read_nothing, NULL };
	struct lang_beam d;

	if (f->refused)
		return;
	must(f->version == 0x0d010500);
	must(f->ranges && f->key);
	(void)beam_describe(f, 0, &libc, &m, &d);
	(void)beam_describe(f, 1, &libc, &m, &d);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct file file = { .path = "input", .size = size };
	struct lang_elf e = LANG_ELF_INIT;
	struct cpython_file python;
	struct ruby_file ruby;
	struct perl_file perl;
	struct beam_file beam;
	struct php_file php;
	struct lang_libc libc;
	struct lang_tsd tsd;

	file.fd = memfd_create("input", MFD_CLOEXEC);
	must(file.fd >= 0 && write(file.fd, data, size) == (ssize_t)size);
	if (lang_elf_open(&e, &file)) {
		if (cpython_file_read(&e, &python))
			check_python(&python);
		if (php_file_read(&e, &php))
			check_php(&php);
		if (ruby_file_read(&e, &ruby))
			check_ruby(&ruby);
		if (perl_file_read(&e, &perl))
			check_perl(&perl);
		if (beam_file_read(&e, &beam))
			check_beam(&beam);
		if (lang_libc_read(&e, &libc)) {
			must(libc.per_block && libc.key_size);
			must(lang_libc_key(&libc, 1023, &tsd));
		}
	}
	lang_elf_release(&e);
	close(file.fd);
	return 0;
}

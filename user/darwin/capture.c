// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a capture line by line: a word names the kind of the line, and one function for each
 * kind reads the rest. Also looks words of memory up. `ustack macho unwind` calls it.
 */
#include "darwin/capture.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/hex.h"
#include "util/options.h"

#include "util/poison.h"

#define UUID_LEN 16u
#define UUID_TEXT 36u

/**
 * struct reader - reads a capture
 * @c: receives what is read
 * @name: name of the capture, for messages
 * @line: number of the present line
 * @load: reads a file that a line names; may be NULL
 * @arg: for @load
 * @diag: receives the error
 */
struct reader {
	struct capture *c;
	const char *name;
	unsigned int line;
	int (*load)(void *arg, const char *file, uint8_t **bytes, size_t *len, struct diag *diag);
	void *arg;
	struct diag *diag;
};

static int bad(const struct reader *r, const char *text)
{
	return diag_set(r->diag, EBADMSG, r->name, "line %u: %s", r->line, text);
}

static int no_memory(const struct reader *r)
{
	return diag_errno(r->diag, ENOMEM, r->name);
}

/* The next word of a line, NULL if there is none. */
static char *word(char **line)
{
	char *w = *line + strspn(*line, " \t"), *end = w + strcspn(w, " \t");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return *w ? w : NULL;
}

/* The rest of a line, without blanks around it. */
static char *rest(char *line)
{
	char *end;

	line += strspn(line, " \t");
	end = line + strlen(line);
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return line;
}

static bool number(char **line, uint64_t *ret)
{
	const char *w = word(line);

	return w && option_parse_u64(w, ret);
}

static int read_arch(struct reader *r, char *line)
{
	static const char *const names[][2] = {
		[UNWIND_X86] = { "i386", "x86" },
		[UNWIND_X86_64] = { "x86_64", "amd64" },
		[UNWIND_ARM64] = { "arm64", "arm64e" },
	};
	const char *w = word(&line);
	unsigned int i;

	if (r->c->has_arch)
		return bad(r, "the architecture is given twice");
	for (i = 0; w && i <= UNWIND_ARM64; i++) {
		if (!strcmp(w, names[i][0]) || !strcmp(w, names[i][1])) {
			r->c->arch = i;
			r->c->has_arch = true;
			r->c->map.word = i == UNWIND_X86 ? IMAGEMAP_32 : IMAGEMAP_64;
			return 0;
		}
	}
	return bad(r, "arch takes i386, x86_64 or arm64");
}

/* Reads hexadecimal digits, with or without the dashes of a UUID. */
static bool read_uuid(const char *w, uint8_t ret[UUID_LEN])
{
	char digits[2 * UUID_LEN + 1];
	size_t n = 0;

	if (strlen(w) > UUID_TEXT)
		return false;
	for (; *w && n < 2 * UUID_LEN; w++)
		if (*w != '-')
			digits[n++] = *w;
	digits[n] = '\0';
	return !*w && n == 2 * UUID_LEN && hex_bytes(digits, ret, UUID_LEN);
}

static int add_image(struct reader *r, const struct imagemap_new *image)
{
	int err = imagemap_add(&r->c->map, image);

	if (err == -EINVAL)
		return bad(r, "an image has no such addresses");
	return err ? diag_errno(r->diag, -err, r->name) : 0;
}

static int read_image(struct reader *r, char *line)
{
	struct imagemap_new image = { .base = 0 };
	uint8_t uuid[UUID_LEN];
	const char *w;

	if (!number(&line, &image.base) || !number(&line, &image.end))
		return bad(r, "image takes BASE END UUID|- PATH");
	w = word(&line);
	if (!w || (strcmp(w, "-") && !read_uuid(w, uuid)))
		return bad(r, "an image's UUID has 32 hexadecimal digits");
	if (strcmp(w, "-") != 0) {
		image.build_id = uuid;
		image.build_id_len = UUID_LEN;
	}
	image.path = rest(line);
	return add_image(r, &image);
}

static int copy_images(struct reader *r, const struct imagemap *from)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < from->nr; i++) {
		const struct imagemap_image *image = &from->images[i];
		const struct imagemap_new copy = {
			.base = image->base, .end = image->end,
			.build_id = imagemap_build_id(from, image),
			.build_id_len = image->build_id_len,
			.path = imagemap_path(from, image),
		};

		err = add_image(r, &copy);
	}
	return err;
}

static int read_imagemap(struct reader *r, char *line)
{
	struct imagemap map = IMAGEMAP_INIT;
	size_t len = strlen(line);
	uint8_t *bytes = malloc(len / 4 * 3 + 3);
	int err = 0;

	if (!bytes)
		return no_memory(r);
	if (!base64_read(line, len, bytes, &len))
		err = bad(r, "imagemap takes base64");
	if (!err)
		err = imagemap_decode(bytes, len, r->name, 0, &map, r->diag);
	if (!err)
		err = copy_images(r, &map);
	imagemap_release(&map);
	free(bytes);
	return err;
}

static int read_hex(struct reader *r, const char *text, struct capture_memory *m)
{
	size_t len = strlen(text);

	m->bytes = malloc(len / 2 + 1);
	m->len = len / 2;
	if (!m->bytes)
		return no_memory(r);
	if (len % 2 || !hex_bytes(text, m->bytes, m->len))
		return bad(r, "these are not pairs of hexadecimal digits");
	return 0;
}

static int read_base64(struct reader *r, const char *text, struct capture_memory *m)
{
	size_t len = strlen(text);

	m->bytes = malloc(len / 4 * 3 + 3);
	if (!m->bytes)
		return no_memory(r);
	return base64_read(text, len, m->bytes, &m->len) ? 0 : bad(r, "this is not base64");
}

static int read_bytes(struct reader *r, const char *how, const char *what,
		      struct capture_memory *m)
{
	if (how && !strcmp(how, "hex"))
		return read_hex(r, what, m);
	if (how && !strcmp(how, "base64"))
		return read_base64(r, what, m);
	if (!how || strcmp(how, "file") != 0 || !*what)
		return bad(r, "memory takes ADDR hex|base64|file WHAT");
	return r->load ? r->load(r->arg, what, &m->bytes, &m->len, r->diag) :
			 bad(r, "memory in a separate file is not accepted here");
}

static int read_memory(struct reader *r, char *line)
{
	struct capture *c = r->c;
	size_t *last = c->nr_threads ? &c->threads[c->nr_threads - 1].memory : &c->common;
	struct capture_memory m = { .next = *last };
	char *how;
	int err;

	if (!number(&line, &m.addr))
		return bad(r, "memory takes ADDR hex|base64|file WHAT");
	how = word(&line);
	err = read_bytes(r, how, rest(line), &m);
	if (!err && UINT64_MAX - m.addr < m.len)
		err = bad(r, "this memory ends after the last address");
	if (!err && !array_has_room(c->memory, c->nr_memory, c->memory_room))
		err = no_memory(r);
	if (err) {
		free(m.bytes);
		return err;
	}
	c->memory[c->nr_memory++] = m;
	*last = c->nr_memory;
	return 0;
}

static int add_thread(struct reader *r, const char *name)
{
	struct capture *c = r->c;
	struct capture_thread t = { .regs.inner = true };

	if (!array_has_room(c->threads, c->nr_threads, c->threads_room))
		return no_memory(r);
	t.name = strdup(name);
	if (!t.name)
		return no_memory(r);
	c->threads[c->nr_threads++] = t;
	return 0;
}

/* System V's number of the register with this name. Return: -1 if there is none. */
static int x86_reg(enum unwind_arch arch, const char *name)
{
	static const char *const narrow[] = { "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi",
					      "edi" };
	static const char *const wide[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp",
					    "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
					    "r14", "r15" };
	const char *const *names = arch == UNWIND_X86 ? narrow : wide;
	int i, nr = arch == UNWIND_X86 ? 8 : 16;

	for (i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

static int arm64_reg(const char *name)
{
	uint64_t n;

	if (!strcmp(name, "fp"))
		return 29;
	if (!strcmp(name, "lr"))
		return 30;
	if ((*name != 'x' && *name != 'd') || !isdigit(name[1]) || (name[1] == '0' && name[2]) ||
	    !option_parse_u64(name + 1, &n) || n > (*name == 'd' ? 31 : 30))
		return -1;
	return (int)n + (*name == 'd' ? 64 : 0);
}

/* Whether it is a register that debuggers print and that no step needs. */
static bool is_no_matter(const char *name)
{
	static const char *const names[] = { "cpsr", "pstate", "fpcr", "fpsr", "rflags", "eflags",
					     "cs", "ds", "es", "fs", "gs", "ss" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_one_of(const char *name, const char *a, const char *b, const char *c)
{
	return !strcmp(name, a) || !strcmp(name, b) || !strcmp(name, c);
}

static int set_register(struct reader *r, struct capture_thread *t, const char *name, uint64_t v)
{
	enum unwind_arch arch = r->c->arch;
	int reg;

	if (is_one_of(name, "pc", arch == UNWIND_X86_64 ? "rip" : "pc",
		      arch == UNWIND_X86 ? "eip" : "pc")) {
		t->regs.pc = v;
		t->has_pc = true;
		return 0;
	}
	if (is_one_of(name, "sp", arch == UNWIND_X86_64 ? "rsp" : "sp",
		      arch == UNWIND_X86 ? "esp" : "sp")) {
		t->regs.sp = v;
		t->has_sp = true;
		return 0;
	}
	reg = arch == UNWIND_ARM64 ? arm64_reg(name) : x86_reg(arch, name);
	if (reg < 0)
		return is_no_matter(name) ? 0 : bad(r, "the architecture has no such register");
	if (arch == UNWIND_ARM64 && reg == 30) {
		t->regs.lr = v;
		t->regs.has_lr = true;
	} else if (reg < (int)UNWIND_NR_REGS) {
		t->regs.reg[reg] = v;
		t->regs.known[reg] = true;
	}
	return 0;
}

static int read_register(struct reader *r, char *line)
{
	const char *name = word(&line);
	uint64_t v;
	int err = 0;

	if (!r->c->has_arch)
		return bad(r, "a register comes before the architecture");
	if (!name || !number(&line, &v))
		return bad(r, "register takes NAME VALUE");
	if (r->c->arch == UNWIND_X86 && v > UINT32_MAX)
		return bad(r, "a register of i386 has 32 bits");
	if (!r->c->nr_threads)
		err = add_thread(r, "");
	return err ? err : set_register(r, &r->c->threads[r->c->nr_threads - 1], name, v);
}

static int read_line(struct reader *r, char *line)
{
	static const struct {
		const char *word;
		int (*read)(struct reader *r, char *line);
	} kinds[] = {
		{ "arch", read_arch }, { "image", read_image }, { "imagemap", read_imagemap },
		{ "memory", read_memory }, { "register", read_register },
	};
	const char *w;
	size_t i;

	line[strcspn(line, "\r")] = '\0';
	w = word(&line);
	if (!w || *w == '#')
		return 0;
	if (!strcmp(w, "thread"))
		return add_thread(r, rest(line));
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(w, kinds[i].word))
			return kinds[i].read(r, line);
	return bad(r, "it does not begin with a word of a capture");
}

static int check(const struct reader *r)
{
	const struct capture *c = r->c;
	size_t i;

	if (!c->nr_threads)
		return diag_set(r->diag, EBADMSG, r->name, "there is no thread in it");
	for (i = 0; i < c->nr_threads; i++)
		if (!c->threads[i].has_pc || !c->threads[i].has_sp)
			return diag_set(r->diag, EBADMSG, r->name,
					"thread %zu has no pc, or no stack pointer", i + 1);
	return 0;
}

int capture_read(char *text, size_t len, const char *name,
		 int (*load)(void *arg, const char *file, uint8_t **bytes, size_t *len,
			     struct diag *diag),
		 void *arg, struct capture *ret, struct diag *diag)
{
	struct reader r = { .c = ret, .name = name, .load = load, .arg = arg, .diag = diag };
	char *end = text + len, *next;
	int err = 0;

	if (len > CAPTURE_MAX_BYTES)
		return diag_errno(diag, E2BIG, name);
	while (!err && text < end) {
		r.line++;
		next = memchr(text, '\n', (size_t)(end - text));
		if (!next)
			return bad(&r, "it does not end with a newline");
		*next = '\0';
		if (strlen(text) != (size_t)(next - text))
			return bad(&r, "a NUL is in it");
		err = read_line(&r, text);
		text = next + 1;
	}
	if (!err)
		err = check(&r);
	if (!err)
		imagemap_sort(&ret->map);
	return err;
}

void capture_release(struct capture *c)
{
	size_t i;

	for (i = 0; i < c->nr_threads; i++)
		free(c->threads[i].name);
	for (i = 0; i < c->nr_memory; i++)
		free(c->memory[i].bytes);
	free(c->threads);
	free(c->memory);
	imagemap_release(&c->map);
	*c = (struct capture)CAPTURE_INIT;
}

static const struct capture_memory *find_memory(const struct capture *c, size_t from,
						uint64_t addr, unsigned int size)
{
	const struct capture_memory *m;

	for (; from; from = m->next) {
		m = &c->memory[from - 1];
		if (addr >= m->addr && addr - m->addr < m->len && m->len - (addr - m->addr) >= size)
			return m;
	}
	return NULL;
}

bool capture_word(const struct capture *c, const struct capture_thread *t, uint64_t addr,
		  unsigned int size, uint64_t *ret)
{
	const struct capture_memory *m = find_memory(c, t->memory, addr, size);
	uint64_t v = 0;

	if (!m)
		m = find_memory(c, c->common, addr, size);
	if (!m)
		return false;
	memcpy(&v, m->bytes + (addr - m->addr), size);
	*ret = le64toh(v);
	return true;
}

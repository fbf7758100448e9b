// SPDX-License-Identifier: MIT
/*
 * Reads Mach-O headers, load commands, segments and sections (macho.h).
 */
#include "formats/macho/macho.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

#define MAGIC_32 0xfeedfaceu
#define MAGIC_64 0xfeedfacfu

/* Bytes of struct mach_header and mach_header_64. */
#define HEADER_32 28u
#define HEADER_64 32u
/* Bytes of struct segment_command and segment_command_64, after which the sections follow. */
#define SEGMENT_32 56u
#define SEGMENT_64 72u
/* Bytes of struct section and section_64. */
#define SECTION_32 68u
#define SECTION_64 80u

/* Least bytes of the other load commands that are used. */
#define UUID_COMMAND 24u
#define SYMTAB_COMMAND 24u
#define LINKEDIT_COMMAND 16u

bool macho_has(const struct macho *m, uint64_t off, uint64_t len)
{
	return off <= m->len && len <= m->len - off;
}

int macho_bad(const struct macho *m, uint64_t off, struct diag *diag, const char *text)
{
	diag_set(diag, EBADMSG, m->path, "%s", text);
	if (diag)
		diag->offset = m->file_off + off;
	return -EBADMSG;
}

uint16_t macho_u16(const struct macho *m, uint64_t off)
{
	uint16_t v;

	memcpy(&v, m->bytes + off, sizeof(v));
	return m->swap ? __builtin_bswap16(v) : v;
}

uint32_t macho_u32(const struct macho *m, uint64_t off)
{
	uint32_t v;

	memcpy(&v, m->bytes + off, sizeof(v));
	return m->swap ? __builtin_bswap32(v) : v;
}

uint64_t macho_u64(const struct macho *m, uint64_t off)
{
	uint64_t v;

	memcpy(&v, m->bytes + off, sizeof(v));
	return m->swap ? __builtin_bswap64(v) : v;
}

/*
 * Reads a number of 8 bytes in 64-bit files and 4 bytes in 32-bit ones.
 * @off_32, @off_64: its offset from @at in these.
 */
static uint64_t word(const struct macho *m, uint64_t at, unsigned int off_32,
		     unsigned int off_64)
{
	return m->wide ? macho_u64(m, at + off_64) : macho_u32(m, at + off_32);
}

static void copy_name(const struct macho *m, uint64_t off, char *ret)
{
	memcpy(ret, m->bytes + off, MACHO_NAME - 1);
	ret[MACHO_NAME - 1] = 0;
}

static bool is_segment(const struct macho *m, uint32_t type)
{
	return type == (m->wide ? MACHO_SEGMENT_64 : MACHO_SEGMENT_32);
}

static void get_command(const struct macho *m, uint64_t at, struct macho_command *c)
{
	c->at = at;
	c->type = macho_u32(m, at);
	c->size = macho_u32(m, at + 4);
	c->nr++;
}

bool macho_next_command(const struct macho *m, struct macho_command *c)
{
	if (c->nr == m->nr_commands)
		return false;
	get_command(m, c->nr ? c->at + c->size : m->commands, c);
	return true;
}

static void get_segment(const struct macho *m, struct macho_segment *s)
{
	uint64_t at = s->command.at;

	copy_name(m, at + 8, s->name);
	s->addr = word(m, at, 24, 24);
	s->size = word(m, at, 28, 32);
	s->off = word(m, at, 32, 40);
	s->file_size = word(m, at, 36, 48);
	s->nr_sections = macho_u32(m, at + (m->wide ? 64 : 48));
	s->sections = at + (m->wide ? SEGMENT_64 : SEGMENT_32);
}

bool macho_next_segment(const struct macho *m, struct macho_segment *s)
{
	while (macho_next_command(m, &s->command)) {
		if (is_segment(m, s->command.type)) {
			get_segment(m, s);
			return true;
		}
	}
	return false;
}

static void get_section(const struct macho *m, uint64_t at, struct macho_section *s)
{
	uint64_t rest = at + (m->wide ? 48 : 40);

	s->at = at;
	copy_name(m, at, s->name);
	copy_name(m, at + 16, s->segment);
	s->addr = word(m, at, 32, 32);
	s->size = word(m, at, 36, 40);
	s->off = macho_u32(m, rest);
	s->align = macho_u32(m, rest + 4);
	s->reloc_off = macho_u32(m, rest + 8);
	s->nr_relocs = macho_u32(m, rest + 12);
	s->flags = macho_u32(m, rest + 16);
	s->number++;
}

bool macho_next_section(const struct macho *m, struct macho_section *s)
{
	uint64_t each = m->wide ? SECTION_64 : SECTION_32;
	uint64_t at = s->number ? s->at + each : 0;

	/* there is no segment yet, or its sections are used up */
	while (at == s->in.sections + s->in.nr_sections * each) {
		if (!macho_next_segment(m, &s->in))
			return false;
		at = s->in.sections;
	}
	get_section(m, at, s);
	return true;
}

bool macho_find_section(const struct macho *m, const char *segment, const char *name,
			struct macho_section *ret)
{
	struct macho_section s = { 0 };

	while (macho_next_section(m, &s)) {
		if (strcmp(s.name, name) || (segment && strcmp(s.segment, segment)))
			continue;
		*ret = s;
		return true;
	}
	return false;
}

int macho_section_bytes(const struct macho *m, const struct macho_section *s,
			const uint8_t **ret, struct diag *diag)
{
	uint32_t type = s->flags & 0xff;

	*ret = NULL;
	if (!s->size || type == MACHO_ZEROFILL || type == MACHO_GB_ZEROFILL ||
	    type == MACHO_THREAD_ZEROFILL)
		return 0;
	if (!macho_has(m, s->off, s->size)) {
		diag_set(diag, EBADMSG, m->path, "section %s ends after the end of the file",
			 s->name);
		if (diag)
			diag->offset = m->file_off + s->at;
		return -EBADMSG;
	}
	*ret = m->bytes + s->off;
	return 0;
}

/* Whether a segment's command has room for its sections. */
static int check_segment(const struct macho *m, const struct macho_command *c,
			 struct diag *diag)
{
	uint64_t head = m->wide ? SEGMENT_64 : SEGMENT_32;

	if (c->size < head)
		return macho_bad(m, c->at, diag, "a segment's load command is cut off");
	if (macho_u32(m, c->at + (m->wide ? 64 : 48)) >
	    (c->size - head) / (m->wide ? SECTION_64 : SECTION_32))
		return macho_bad(m, c->at, diag,
				 "a segment has more sections than it has room for");
	return 0;
}

/* Stores the offset of a command that may occur only once. */
static int note(const struct macho *m, const struct macho_command *c, uint32_t least,
		uint64_t *ret, struct diag *diag)
{
	if (c->size < least)
		return macho_bad(m, c->at, diag, "a load command is cut off");
	if (*ret)
		return macho_bad(m, c->at, diag, "a load command is there twice");
	*ret = c->at;
	return 0;
}

static int check_command(struct macho *m, const struct macho_command *c, uint64_t *uuid,
			 struct diag *diag)
{
	if (is_segment(m, c->type))
		return check_segment(m, c, diag);
	switch (c->type) {
	case MACHO_LC_UUID:
		return note(m, c, UUID_COMMAND, uuid, diag);
	case MACHO_SYMTAB:
		return note(m, c, SYMTAB_COMMAND, &m->symtab, diag);
	case MACHO_FUNCTION_STARTS:
		return note(m, c, LINKEDIT_COMMAND, &m->function_starts, diag);
	}
	return 0;
}

static int check_commands(struct macho *m, uint64_t len, struct diag *diag)
{
	uint64_t at = m->commands, end = at + len, uuid = 0;
	struct macho_command c = { 0 };
	int err;

	if (!macho_has(m, at, len))
		return macho_bad(m, 20, diag, "its load commands are cut off");
	while (c.nr < m->nr_commands) {
		if (end - at < 8)
			return macho_bad(m, at, diag, "its load commands are cut off");
		get_command(m, at, &c);
		if (c.size < 8 || c.size > end - at)
			return macho_bad(m, at, diag, "a load command has an impossible size");
		err = check_command(m, &c, &uuid, diag);
		if (err)
			return err;
		at += c.size;
	}
	if (uuid)
		m->uuid = m->bytes + uuid + 8;
	return 0;
}

static void find_base(struct macho *m)
{
	struct macho_segment s = { 0 };

	while (macho_next_segment(m, &s)) {
		if (!strcmp(s.name, "__TEXT")) {
			m->base = s.addr;
			return;
		}
	}
}

static bool read_magic(struct macho *m)
{
	uint32_t magic = macho_u32(m, 0), other = __builtin_bswap32(magic);

	m->swap = other == MAGIC_32 || other == MAGIC_64;
	if (m->swap)
		magic = other;
	m->wide = magic == MAGIC_64;
	return m->wide || magic == MAGIC_32;
}

int macho_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
	       struct macho *ret, struct diag *diag)
{
	struct macho m = { .bytes = bytes, .len = len, .file_off = file_off, .path = path };
	int err;

	if (len < 4 || !read_magic(&m))
		return macho_bad(&m, 0, diag, "not a Mach-O file");
	m.commands = m.wide ? HEADER_64 : HEADER_32;
	if (!macho_has(&m, 0, m.commands))
		return macho_bad(&m, 0, diag, "its Mach-O header is cut off");
	m.cputype = macho_u32(&m, 4);
	m.cpusubtype = macho_u32(&m, 8);
	m.filetype = macho_u32(&m, 12);
	m.nr_commands = macho_u32(&m, 16);
	m.flags = macho_u32(&m, 24);
	err = check_commands(&m, macho_u32(&m, 20), diag);
	if (err)
		return err;
	find_base(&m);
	*ret = m;
	return 0;
}

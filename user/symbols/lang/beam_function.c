// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the BEAM's functions: the atoms in the description in front of each function. Lines:
 * the table of the module has the code addresses at which lines begin, for each function; a
 * call is before its return address. It is what Erlang's own stack traces show. An innermost
 * frame may be anywhere, also where no line has begun, so it has none.
 */
#include "symbols/lang/beam_function.h"

#include <stdio.h>
#include <string.h>

#include "symbols/lang/beam_size.h"
#include "util/cleanup.h"

/* The table of atoms: blocks of 1024 entries. */
#define ATOM_BLOCKS 120u
#define ATOM_LEN 24u
#define ATOM_TEXT 32u
#define ATOMS_MOST (1u << 26)
#define TAG_ATOM 0x0bu
#define TAG_BITS 0x3fu

/* A list: two words, an element and the rest; lowest bits of its address are not part of it. */
#define TAG_LIST 1u
#define TAG_LIST_BITS 3u
#define LIST_ADDRESS (~7ull)
#define LIST_END 0x3bu
#define TAG_SMALL 0x0fu

/* Writes the text of an atom. Return: its end, or NULL. */
static char *put_atom(const struct lang_memory *m, const struct lang_beam *d, u64 term, char *to)
{
	u64 blocks, block, atom, at, index = term >> 6;
	char text[BEAM_ATOM_BYTES + 1];
	s16 len;

	if ((term & TAG_BITS) != TAG_ATOM || index >= ATOMS_MOST ||
	    !lang_memory_read(m, d->atoms + ATOM_BLOCKS, &blocks, sizeof(blocks)) ||
	    !lang_memory_read(m, blocks + 8 * (index / 1024), &block, sizeof(block)) ||
	    !lang_memory_read(m, block + 8 * (index % 1024), &atom, sizeof(atom)) ||
	    !lang_memory_read(m, atom + ATOM_LEN, &len, sizeof(len)) || len < 0 ||
	    len > (s16)BEAM_ATOM_BYTES ||
	    !lang_memory_read(m, atom + ATOM_TEXT, &at, sizeof(at)) ||
	    (len && !lang_memory_read(m, at, text, (size_t)len)))
		return NULL;
	text[len] = '\0';
	return lang_text_utf8(to, text, (size_t)len, false);
}

static bool read_name(const struct lang_memory *m, const struct lang_beam *d, u64 function,
		      struct beam_function *ret)
{
	u64 mfa[3];
	char *end;

	if (!lang_memory_read(m, function + 16, mfa, sizeof(mfa)) || mfa[2] > 255)
		return false;
	end = put_atom(m, d, mfa[0], ret->name);
	if (!end)
		return false;
	*end++ = ':';
	end = put_atom(m, d, mfa[1], end);
	if (!end)
		return false;
	snprintf(end, 8, "/%u", (unsigned int)mfa[2]);
	return true;
}

/* Writes the characters of a list of them; what is none ends the text. */
static void put_characters(const struct lang_memory *m, u64 list, char *to)
{
	u64 cell[2];
	u32 i;

	for (i = 0; i < BEAM_FILE_CHARACTERS && (list & TAG_LIST_BITS) == TAG_LIST; i++) {
		if (!lang_memory_read(m, list & LIST_ADDRESS, cell, sizeof(cell)) ||
		    (cell[0] & 15) != TAG_SMALL || cell[0] >> 4 > 0x10ffff)
			break;
		to = lang_text_put(to, (u32)(cell[0] >> 4));
		list = cell[1];
	}
	*to = '\0';
}

/* Finds the last of the code addresses from @from to @to that is not after @pc. */
static bool last_before(const struct lang_memory *m, u64 from, u64 to, u64 pc, u64 *ret)
{
	u64 low = 0, high = (to - from) / 8, mid, at;

	if (to < from || high > BEAM_LINES_MOST)
		return false;
	while (low < high) {
		mid = (low + high) / 2;
		if (!lang_memory_read(m, from + 8 * mid, &at, sizeof(at)))
			return false;
		if (at <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	*ret = from + 8 * (low - 1);
	return low;
}

/* Reads the file and line of an entry of the code addresses, at @at. Return: 0 if it has none. */
static u32 place_of(const struct lang_memory *m, const u64 lines[BEAM_LINES_WORDS], u64 at)
{
	u64 size = (u32)lines[BEAM_LINES_SIZE] == 4 ? 4 : 2;
	u64 index = (at - lines[BEAM_LINES_FIRST]) / 8;
	u32 place = 0;

	return index < BEAM_LINES_MOST &&
			       lang_memory_read(m, lines[BEAM_LINES_TABLE] + size * index, &place, size) ?
		       place :
		       0;
}

/*
 * Reads the lines of a function and of the call in front of @pc; @pc: 0 if there is none. Lines
 * that are not known are not set.
 */
static void read_lines(const struct lang_memory *m, const struct beam_module *mod, u32 function, u64 pc,
		       struct beam_function *ret)
{
	u64 lines[BEAM_LINES_WORDS], part[2], at, file;
	u32 place;

	if (!mod->lines || !lang_memory_read(m, mod->lines, lines, sizeof(lines)) ||
	    !lang_memory_read(m, mod->lines + 8 * (BEAM_LINES_FIRST + function), part, sizeof(part)) ||
	    part[1] <= part[0])
		return;
	place = place_of(m, lines, part[0]);
	ret->start_line = place & 0xffffff;
	if (pc && last_before(m, part[0], part[1], pc - 1, &at)) {
		place = place_of(m, lines, at);
		ret->line = place & 0xffffff;
	}
	if (place && lang_memory_read(m, lines[BEAM_LINES_FILES] + 8 * (place >> 24), &file, sizeof(file)))
		put_characters(m, file, ret->file);
}

static bool is_same(const struct lang_memory *m, const struct lang_beam *d, u64 pc, u32 cookie)
{
	struct lang_beam_print p;

	return beam_module_find(m, d, pc, &p) == BEAM_FOUND && lang_beam_cookie(&p) == cookie;
}

/* Reads what is known of a place in a module. */
static enum beam_state read_place(struct beam_place *p, const struct lang_beam_print *print,
				  bool innermost, struct beam_function *ret)
{
	_cleanup_(beam_module_release) struct beam_module mod = BEAM_MODULE_INIT;

	if (!beam_module_read(p->m, print, &mod))
		return BEAM_UNREADABLE;
	p->module = &mod;
	p->function = beam_module_function(&mod, p->pc - !innermost);
	if (p->function != mod.nr) {
		if (!read_name(p->m, p->d, mod.function[p->function], ret))
			return BEAM_UNREADABLE;
		read_lines(p->m, &mod, p->function, innermost ? 0 : p->pc, ret);
		ret->calls_fragment = !innermost && beam_calls_fragment(p);
	}
	ret->size = beam_size(p);
	return BEAM_FOUND;
}

enum beam_state beam_function_read(const struct lang_memory *m, const struct lang_beam *d, u64 first,
				   u64 second, struct beam_function *ret)
{
	u32 flags = first >> LANG_FLAGS_SHIFT & 15, cookie = (u32)(second >> 32);
	bool innermost = flags & LANG_BEAM_INNERMOST;
	struct beam_place p = { .m = m, .d = d, .pc = first & LANG_POINTER,
				.stack = innermost ? (enum lang_beam_stack)(u32)second : BEAM_STACK_IN_SP };
	struct lang_beam_print print;
	enum beam_state state;

	*ret->name = *ret->file = '\0';
	ret->line = ret->start_line = ret->size = 0;
	ret->calls_fragment = false;
	if (flags & LANG_BEAM_FRAGMENT) {
		ret->size = beam_size(&p);
		return BEAM_FOUND;
	}
	state = beam_module_find(m, d, p.pc, &print);
	if (state == BEAM_FOUND && lang_beam_cookie(&print) != cookie)
		state = BEAM_STALE;
	if (state == BEAM_FOUND)
		state = read_place(&p, &print, innermost, ret);
	if (state == BEAM_FOUND && !is_same(m, d, p.pc, cookie))
		state = BEAM_STALE;
	return state;
}

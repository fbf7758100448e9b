// SPDX-License-Identifier: GPL-2.0-only
/* Makes the table of code that a process made; see made.h. supply/tables/answer.c calls it. */
#include "supply/made.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "sframe/encode.h"
#include "sframe/synth_prologue.h"
#include "sframe/synth_stubs.h"
#include "util/cleanup.h"

/* Largest function whose rules are looked up. */
#define MAX_FUNCTION (4u << 20)
/* Rules of a function between which its body's is chosen; PHP's execute_ex has 14. */
#define MAX_RULES 64u

struct rule_share {
	struct ustack_rule rule;
	u32 bytes;
};

static void count_rule(struct rule_share *all, unsigned int *nr, const struct ustack_rule *rule)
{
	unsigned int i;

	for (i = 0; i < *nr; i++)
		if (ustack_rule_equal(&all[i].rule, rule)) {
			all[i].bytes++;
			return;
		}
	if (*nr < MAX_RULES)
		all[(*nr)++] = (struct rule_share){ .rule = *rule, .bytes = 1 };
}

/* Finds the rule of most bytes of the function. Return: whether there is one. */
static bool body_rule(const struct code *c, const struct range *function, struct ustack_rule *ret)
{
	struct rule_share all[MAX_RULES] = { 0 };
	unsigned int nr = 0, i, most = 0;
	u64 at;

	if (function->end - function->start > MAX_FUNCTION)
		return false;
	for (at = function->start; at < function->end; at++) {
		const struct ustack_rule *rule = ustack_lookup(&c->table, at - c->table.base);

		if (rule)
			count_rule(all, &nr, rule);
	}
	for (i = 1; i < nr; i++)
		if (all[i].bytes > all[most].bytes)
			most = i;
	*ret = all[most].rule;
	return nr && all[most].bytes > (function->end - function->start) / 2 && !ret->flags;
}

/* Reads the bytes of a function. Return: released by free(); NULL if they are not in the file. */
static u8 *read_function(const struct supply_file *f, const struct range *function)
{
	const u64 len = function->end - function->start;
	const struct ustack_segment *s = f->elf.segments;
	u8 *bytes = malloc(len + 1);
	unsigned int i;

	for (i = 0; bytes && i < f->elf.nr_segments; i++)
		if (function->start >= s[i].vaddr && function->start - s[i].vaddr < s[i].filesz &&
		    pread(f->fd, bytes, len, (off_t)(function->start - s[i].vaddr + s[i].off)) ==
			    (ssize_t)len)
			return bytes;
	free(bytes);
	return NULL;
}

/*
 * Changes a rule that counts from FP, which made code uses for something else, to one that
 * counts from SP. Return: whether the rule counts from SP.
 */
static bool count_from_sp(const struct supply_file *f, const struct range *function,
			  struct ustack_rule *rule)
{
	_cleanup_(cleanup_free) u8 *code = NULL;
	u32 depth;

	if (rule->cfa == USTACK_OP_SP)
		return rule->cfa_off >= 8;
	if (rule->cfa != USTACK_OP_FP || rule->fp != (USTACK_OP_CFA | USTACK_OP_DEREF))
		return false;
	code = read_function(f, function);
	if (!code || !synth_prologue_depth(code, (u32)(function->end - function->start),
					   function->start, &depth))
		return false;
	rule->cfa = USTACK_OP_SP;
	rule->cfa_off = 8 + (s32)depth;
	return true;
}

static bool find_rule(const struct made_code *made, const struct cache *cache,
		      struct ustack_rule *ret)
{
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	_cleanup_(cleanup_free) struct code *c = NULL;
	enum ustack_reason why;

	if (supply_file_open(&f, AT_FDCWD, made->path, false) || supply_file_headers(&f, &why))
		return false;
	c = code_make(&f, cache, 0, &why);
	return c && body_rule(c, &made->function, ret) && count_from_sp(&f, &made->function, ret);
}

/* The code that never changes, if there is some; rows are made of its first bytes. */
static u32 read_fixed(const struct made_code *made, u8 bytes[STUBS_MAX_BYTES])
{
	const u64 len = made->fixed - made->start;

	if (made->fixed <= made->start || len > STUBS_MAX_BYTES ||
	    pread(made->fd, bytes, len, (off_t)made->offset) != (ssize_t)len)
		return 0;
	return (u32)len;
}

/* Encodes the rows as a section, and makes the table of it. */
static struct code *encode(const struct made_code *made, const struct sframe_row *rows, u32 nr)
{
	const u64 start = made->offset, len = made->end - made->start;
	const struct sframe_func func = {
		.start = start, .size = (u32)len, .by_code = true, .nr_rows = nr, .rows = rows,
	};
	const struct sframe_format format = { .arch = &ustack_arch_x86_64, .version = 3 };
	const struct ustack_elf elf = {
		.arch = &ustack_arch_x86_64, .nr_segments = 1, .nr_text = 1,
		.segments = { { .off = start, .vaddr = start, .filesz = len, .exec = true } },
		.text = { { start, start + len } },
	};
	struct sframe_encoded section = SFRAME_ENCODED_INIT;
	enum ustack_reason why;
	struct code *c = NULL;

	if (!sframe_encode(&format, &func, 1, NULL, &section, NULL) && !section.nr_refused)
		c = code_of_section(section.bytes, section.len, 0, &elf, 0, &why);
	sframe_encoded_release(&section);
	return c;
}

struct code *made_code_table(const struct made_code *made, const struct cache *cache)
{
	_cleanup_(cleanup_free) struct sframe_row *rows = NULL;
	_cleanup_(cleanup_free) u8 *bytes = malloc(STUBS_MAX_BYTES);
	struct stubs_code stubs = {
		.bytes = bytes, .vaddr = made->start,
		.host = { made->function.start + made->bias, made->function.end + made->bias },
		.made = { made->start, made->end },
	};
	u32 nr;

	if (!bytes || made->end - made->start > UINT32_MAX ||
	    !find_rule(made, cache, &stubs.rule))
		return NULL;
	stubs.len = read_fixed(made, bytes);
	nr = stubs.len ? synth_stubs(&stubs, &rows) : 0;
	return nr ? encode(made, rows, nr) : NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a BSYM file and proves that its tables lie inside it. It also has the
 * budget for functions that walk over all symbols.
 */
#include "formats/bsym/bsym.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/read.h"

#include "util/poison.h"

bool bsym_identify(const uint8_t *bytes, size_t len)
{
	return len >= 4 && bsym_be32(bytes) == BSYM_MAGIC;
}

static int bad_at(const struct bsym *b, struct diag *diag, uint64_t offset, const char *what)
{
	diag_set(diag, EBADMSG, b->name, "%s", what);
	if (diag)
		diag->offset = offset;
	return -EBADMSG;
}

/*
 * Opens a table that begins with the number of its entries. @word: place of its
 * offset in the header.
 */
static int open_table(const struct bsym *b, uint32_t word, uint32_t entry, const char *what,
		      const uint8_t **ret, uint32_t *nr, struct diag *diag)
{
	uint32_t at;

	if (4 * (word + 1) > b->len)
		return bad_at(b, diag, b->len, "the header is cut off");
	at = bsym_be32(b->bytes + 4 * word);
	if (at > b->len || b->len - at < 4)
		return bad_at(b, diag, 4 * word, what);
	*nr = bsym_be32(b->bytes + at);
	*ret = b->bytes + at + 4;
	return *nr <= (b->len - at - 4) / entry ? 0 : bad_at(b, diag, at, what);
}

static int open_tables(struct bsym *b, struct diag *diag)
{
	struct bsym_info *i = &b->info;
	int err;

	err = open_table(b, 2, BSYM_CODESEG_BYTES, "code segments are outside of the file",
			 &b->codesegs, &i->nr_codesegs, diag);
	err = err ? err : open_table(b, 3, BSYM_SYMBOL_BYTES, "symbols are outside of the file",
				     &b->symbols, &i->nr_symbols, diag);
	if (err || i->version < BSYM_VERSION(2, 0))
		return err;
	err = open_table(b, 4, 4, "tokens are outside of the file", &b->tokens, &i->nr_tokens,
			 diag);
	if (!err && i->nr_tokens > BSYM_MAX_TOKENS)
		err = bad_at(b, diag, bsym_be32(b->bytes + 16), "more than 128 tokens");
	if (err || i->version < BSYM_VERSION(2, 1))
		return err;
	/* offset 0 means that there are no renames */
	if (b->len < 24 || bsym_be32(b->bytes + 20))
		err = open_table(b, 5, BSYM_RENAME_BYTES, "renames are outside of the file",
				 &b->renames, &i->nr_renames, diag);
	if (err || i->version < BSYM_VERSION(2, 2))
		return err;
	if (b->len < 28)
		return bad_at(b, diag, b->len, "the header is cut off");
	i->checksum = bsym_be32(b->bytes + 24);
	return 0;
}

static int open_file(struct bsym *b, struct diag *diag)
{
	uint32_t major;

	if (!bsym_identify(b->bytes, b->len))
		return bad_at(b, diag, 0, "not a BSYM file");
	if (b->len < 8)
		return bad_at(b, diag, b->len, "the header is cut off");
	/* offsets have 32 bits */
	if (b->len > UINT32_MAX)
		return bad_at(b, diag, UINT32_MAX, "more than 4 GB");
	b->info = (struct bsym_info){
		.version = bsym_be32(b->bytes + 4), .big_endian = true,
	};
	major = bsym_major(b);
	b->strings = b->bytes;
	b->strings_len = b->len;
	if (major == 3)
		return bsym_open_3(b, diag);
	if (major == 1 || major == 2)
		return open_tables(b, diag);
	diag_set(diag, EBADMSG, b->name, "version %" PRIu32 ".%" PRIu32 ": 1, 2 and 3 are known",
		 major, b->info.version & 0xffff);
	if (diag)
		diag->offset = 4;
	return -EBADMSG;
}

int bsym_open_bytes(const void *bytes, size_t len, const char *name, struct bsym **ret,
		    struct diag *diag)
{
	struct bsym *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return diag_errno(diag, ENOMEM, name);
	b->bytes = bytes;
	b->len = len;
	b->name = name;
	err = open_file(b, diag);
	if (err)
		bsym_close(b);
	else
		*ret = b;
	return err;
}

int bsym_open(const char *path, struct bsym **ret, struct diag *diag)
{
	struct map map = { 0 };
	int err;

	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	err = map_open(&map, path, diag);
	if (err)
		return err;
	err = bsym_open_bytes(map.bytes, map.len, path, ret, diag);
	if (err) {
		map_release(&map);
		return err;
	}
	(*ret)->map = map;
	return 0;
}

void bsym_close(struct bsym *b)
{
	if (!b)
		return;
	map_release(&b->map);
	free(b->unpacked);
	free(b->units);
	free(b);
}

void bsym_info(const struct bsym *b, struct bsym_info *ret)
{
	*ret = b->info;
	ret->bytes = b->len;
}

void bsym_budget(const struct bsym *b, struct bsym_budget *ret)
{
	*ret = (struct bsym_budget){
		.symbols = b->info.nr_symbols,
		.text = (uint64_t)BSYM_MAX_EXPAND * b->len + (16u << 20),
	};
}

bool bsym_may_walk(struct bsym_budget *left, const struct bsym_codeseg *c)
{
	if (c->nr > left->symbols)
		return false;
	left->symbols -= c->nr;
	return true;
}

bool bsym_may_name(struct bsym_budget *left, int len)
{
	if (len > 0 && (uint64_t)len > left->text)
		return false;
	left->text -= len > 0 ? (uint64_t)len : 0;
	return true;
}

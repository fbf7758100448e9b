/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to a table. It is one block of memory, but not all users can follow
 * pointers in it:
 *
 *   module, programs   a pointer; entries of the palette are pointers into it
 *   eBPF               a place in a bin, which is one large value of a map. Each load is
 *                      masked, so that it stays in the bin whatever the table says; entries
 *                      are numbers, or are copied
 *
 * Lookup and stride use only these functions, so that both are built from one
 * source. With pointers, each of them is a plain load.
 */
#ifndef USTACK_CORE_REF_H
#define USTACK_CORE_REF_H

#include "core_env.h"
#include "table.h"

#ifndef USTACK_BINS

typedef const struct ustack_table *ustack_ref;
typedef const struct ustack_rule *ustack_rule_ref;
typedef const struct ustack_plain *ustack_plain_ref;

#define USTACK_NO_RULE NULL

/* A field of the table's header, of a rule, of a plain rule. */
#define ustack_ref_field(t, field) ((t)->field)
#define ustack_rule_field(t, rule, field) ((rule)->field)
#define ustack_plain_field(plain, field) ((plain)->field)

/* Loads at an offset from the header. */
static __always_inline u8 ustack_ref_u8(ustack_ref t, u64 off)
{
	return ((const u8 *)t)[off];
}

static __always_inline u16 ustack_ref_u16(ustack_ref t, u64 off)
{
	return ustack_le16((const u8 *)t + off);
}

static __always_inline u32 ustack_ref_u32(ustack_ref t, u64 off)
{
	return ustack_le32((const u8 *)t + off);
}

static __always_inline u64 ustack_ref_u64(ustack_ref t, u64 off)
{
	return ustack_le64((const u8 *)t + off);
}

/* The palette's entry number @index. */
static __always_inline ustack_rule_ref ustack_ref_rule(ustack_ref t, u32 index)
{
	return ustack_table_palette(t) + index;
}

/* Operands and flags of @rule: see ustack_rule_ops(). */
static __always_inline u32 ustack_ref_ops(ustack_ref t, ustack_rule_ref rule)
{
	return ustack_rule_ops(rule);
}

/* Entry number @index of the plain rules, which begin at offset @plains. */
static __always_inline ustack_plain_ref ustack_ref_plain(ustack_ref t, u64 plains, u32 index)
{
	return (ustack_plain_ref)((const u8 *)t + plains) + index;
}

#else /* USTACK_BINS */

/**
 * struct ustack_ref - a table in a bin
 * @bin: the value of the bin's map: USTACK_BIN_BYTES bytes and 8 more
 * @off: offset of the table's header in @bin
 */
struct ustack_ref {
	const u8 *bin;
	u64 off;
};

typedef struct ustack_ref ustack_ref;
typedef u32 ustack_rule_ref;		/* index of the rule */
typedef struct ustack_plain ustack_plain_ref;

#define USTACK_NO_RULE 0u

/*
 * Up to 8 bytes at an offset from the header. The verifier must see the mask;
 * the compiler would drop it if it could prove it useless.
 */
static __always_inline const u8 *ustack_ref_at(ustack_ref t, u64 off)
{
	off += t.off;
	asm volatile("%0 &= %1" : "+r"(off) : "i"(USTACK_BIN_BYTES - 1));
	return t.bin + off;
}

static __always_inline u8 ustack_ref_u8(ustack_ref t, u64 off)
{
	return *ustack_ref_at(t, off);
}

static __always_inline u16 ustack_ref_u16(ustack_ref t, u64 off)
{
	return *(const u16 *)ustack_ref_at(t, off);
}

static __always_inline u32 ustack_ref_u32(ustack_ref t, u64 off)
{
	return *(const u32 *)ustack_ref_at(t, off);
}

static __always_inline u64 ustack_ref_u64(ustack_ref t, u64 off)
{
	return *(const u64 *)ustack_ref_at(t, off);
}

static __always_inline u64 ustack_ref_sized(ustack_ref t, u64 off, u32 bytes)
{
	return bytes == 1 ? ustack_ref_u8(t, off) :
	       bytes == 2 ? ustack_ref_u16(t, off) :
	       bytes == 4 ? ustack_ref_u32(t, off) : ustack_ref_u64(t, off);
}

#define ustack_ref_member(t, off, type, field)                                    \
	((typeof(((type *)0)->field))ustack_ref_sized(t, (off) + offsetof(type, field), \
						      sizeof(((type *)0)->field)))

#define ustack_ref_field(t, field) ustack_ref_member(t, 0, struct ustack_table, field)
#define ustack_rule_field(t, rule, field) \
	ustack_ref_member(t, ustack_rule_off(t, rule), struct ustack_rule, field)
#define ustack_plain_field(plain, field) ((plain).field)

static __always_inline u64 ustack_rule_off(ustack_ref t, ustack_rule_ref rule)
{
	return ustack_ref_field(t, palette_off) + (u64)rule * sizeof(struct ustack_rule);
}

static __always_inline ustack_rule_ref ustack_ref_rule(ustack_ref t, u32 index)
{
	return index;
}

static __always_inline u32 ustack_ref_ops(ustack_ref t, ustack_rule_ref rule)
{
	return ustack_ref_u32(t, ustack_rule_off(t, rule) + offsetof(struct ustack_rule, cfa));
}

static __always_inline ustack_plain_ref ustack_ref_plain(ustack_ref t, u64 plains, u32 index)
{
	u64 word = ustack_ref_u64(t, plains + (u64)index * sizeof(struct ustack_plain));

	return (ustack_plain_ref){
		.cfa = (s32)word,
		.ra_off = (s16)(word >> 32),
		.fp_off = (s16)(word >> 48),
	};
}

/* Copies @rule, for steps. */
static __always_inline void ustack_ref_copy_rule(ustack_ref t, ustack_rule_ref rule,
						 struct ustack_rule *ret)
{
	u64 off = ustack_rule_off(t, rule);
	u64 words[2] = { ustack_ref_u64(t, off), ustack_ref_u64(t, off + 8) };

	__builtin_memcpy(ret, words, sizeof(words));
}

#endif /* USTACK_BINS */

/* Offset of the plain rules from the header. */
static __always_inline u64 ustack_ref_plains(ustack_ref t)
{
	return ustack_ref_field(t, palette_off) +
	       (u64)ustack_ref_field(t, nr_rules) * sizeof(struct ustack_rule);
}

#endif /* USTACK_CORE_REF_H */

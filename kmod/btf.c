// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads BTF, as the kernel's own reader is not exported to modules. Called
 * once, while the module is loaded, in the task that loads it.
 *
 * Nothing is trusted: if an offset leads outside, the type becomes a "?".
 */
#include "btf.h"

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <uapi/linux/btf.h>

/* Masks for later formats, too: they use bits that earlier formats leave 0. */
#define KIND(type) (((type)->info >> 24) & 0x7f)
#define VLEN(type) ((type)->info & 0xffffff)

/* Limit for pointers, typedefs and qualifiers around one type. */
#define MAX_DEPTH 16

static const struct btf_type *type_at(const struct ustack_btf *btf, u32 id)
{
	if (!id || id > btf->nr)
		return NULL;
	return (const struct btf_type *)(btf->data + btf->at[id - 1]);
}

static const char *string_at(const struct ustack_btf *btf, u32 off)
{
	return off < btf->string_bytes ? btf->strings + off : "?";
}

/* Return: bytes of a type's record; 0 for an unknown kind. */
static u64 __init record_bytes(const struct btf_type *type)
{
	u64 n = VLEN(type);

	switch (KIND(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(*type) + sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(*type) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*type) + n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*type) + n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*type) + n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*type) + n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return sizeof(*type) + n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return sizeof(*type);
	}
	return 0;
}

/*
 * Counts the types, and stores the offset of each if @btf->at has been
 * allocated.
 */
static int __init index_types(struct ustack_btf *btf, u32 off, u32 end)
{
	const struct btf_type *type;
	u64 bytes;

	for (btf->nr = 0; off < end; btf->nr++, off += bytes) {
		if (end - off < sizeof(*type))
			return -EINVAL;
		type = (const struct btf_type *)(btf->data + off);
		bytes = record_bytes(type);
		if (!bytes || bytes > end - off)
			return -EINVAL;
		if (btf->at)
			btf->at[btf->nr] = off;
	}
	return 0;
}

/* Return: whether the @len bytes at @off after the header are within @size. */
static bool __init is_within(const struct btf_header *header, u32 off, u32 len,
			     size_t size)
{
	return (u64)header->hdr_len + off + len <= size;
}

int __init ustack_btf_open(struct ustack_btf *btf, const void *data, size_t size)
{
	const struct btf_header *header = data;
	u32 start;
	int err;

	/* fields that later formats have added follow the six known ones */
	if (size < offsetofend(struct btf_header, str_len) ||
	    header->magic != BTF_MAGIC || header->version != BTF_VERSION ||
	    header->hdr_len < offsetofend(struct btf_header, str_len) ||
	    !is_within(header, header->type_off, header->type_len, size) ||
	    !is_within(header, header->str_off, header->str_len, size) ||
	    (header->hdr_len | header->type_off) % sizeof(u32) || !header->str_len)
		return -EINVAL;
	*btf = (struct ustack_btf){
		.data = data,
		.strings = data + header->hdr_len + header->str_off,
		.string_bytes = header->str_len,
	};
	if (btf->strings[btf->string_bytes - 1])
		return -EINVAL;
	start = header->hdr_len + header->type_off;
	err = index_types(btf, start, start + header->type_len);
	if (err)
		return err;
	btf->at = kvmalloc_array(btf->nr, sizeof(*btf->at), GFP_KERNEL);
	if (!btf->at)
		return -ENOMEM;
	return index_types(btf, start, start + header->type_len);
}

void __init ustack_btf_close(struct ustack_btf *btf)
{
	kvfree(btf->at);
	btf->at = NULL;
}

/* ---- types as text --------------------------------------------------------- */

struct text {
	char *buf;
	size_t size;
	size_t len;
};

static void __init add(struct text *text, const char *string)
{
	text->len += scnprintf(text->buf + text->len, text->size - text->len,
			       "%s", string);
}

static const char *__init int_name(const struct btf_type *type)
{
	u32 encoding = BTF_INT_ENCODING(*(const u32 *)(type + 1));
	bool is_signed = encoding & BTF_INT_SIGNED;

	if (encoding & BTF_INT_BOOL)
		return "bool";
	switch (type->size) {
	case 1:
		return is_signed ? "char" : "unsigned char";
	case 2:
		return is_signed ? "short" : "unsigned short";
	case 4:
		return is_signed ? "int" : "unsigned int";
	case 8:
		return is_signed ? "long" : "unsigned long";
	}
	return "?";
}

static void __init add_base(struct text *text, const struct ustack_btf *btf,
			    const struct btf_type *type)
{
	switch (KIND(type)) {
	case BTF_KIND_INT:
		add(text, int_name(type));
		return;
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD:
		add(text, "struct ");
		break;
	case BTF_KIND_UNION:
		add(text, "union ");
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		add(text, "enum ");
		break;
	default:
		add(text, "?");
		return;
	}
	add(text, string_at(btf, type->name_off));
}

/* Writes a type and the name declared with it, as in "struct s **name". */
static void __init add_declaration(struct text *text,
				   const struct ustack_btf *btf, u32 id,
				   const char *name)
{
	static const char stars[MAX_DEPTH + 1] = "****************";
	const struct btf_type *type;
	u32 depth, pointers = 0;

	for (depth = 0; id && depth < MAX_DEPTH; depth++) {
		type = type_at(btf, id);
		if (!type)
			break;
		switch (KIND(type)) {
		case BTF_KIND_PTR:
			pointers++;
			fallthrough;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			continue;
		}
		break;
	}
	type = type_at(btf, id);
	if (!id)
		add(text, "void");
	else if (type)
		add_base(text, btf, type);
	else
		add(text, "?");
	add(text, " ");
	add(text, stars + MAX_DEPTH - pointers);
	add(text, name);
}

static void __init add_parameters(struct text *text,
				  const struct ustack_btf *btf,
				  const struct btf_type *proto)
{
	const struct btf_param *param = (const struct btf_param *)(proto + 1);
	u32 i;

	if (!VLEN(proto))
		add(text, "void");
	for (i = 0; i < VLEN(proto); i++, param++) {
		if (i)
			add(text, ", ");
		if (param->type)
			add_declaration(text, btf, param->type,
					string_at(btf, param->name_off));
		else
			add(text, "...");
	}
}

int __init ustack_btf_prototype(const struct ustack_btf *btf, const char *name,
				char *ret, size_t size)
{
	struct text text = { .buf = ret, .size = size };
	const struct btf_type *func, *proto;
	u32 id;

	for (id = 1; id <= btf->nr; id++) {
		func = type_at(btf, id);
		if (KIND(func) != BTF_KIND_FUNC ||
		    strcmp(string_at(btf, func->name_off), name))
			continue;
		proto = type_at(btf, func->type);
		if (!proto || KIND(proto) != BTF_KIND_FUNC_PROTO)
			continue;
		add_declaration(&text, btf, proto->type, name);
		add(&text, "(");
		add_parameters(&text, btf, proto);
		add(&text, ")");
		return 0;
	}
	return -ENOENT;
}

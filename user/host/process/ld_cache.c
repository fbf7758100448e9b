// SPDX-License-Identifier: GPL-2.0-only
/* Reads the cache of the dynamic linker, see ld_cache.h. Its content is untrusted. */
#include "host/process/ld_cache.h"

#include <stdint.h>
#include <string.h>

#include "util/native.h"

#include "util/poison.h"

#define OLD_MAGIC "ld.so-1.7.0"
#define MAGIC "glibc-ld.so.cache1.1"

/* Header of the format before glibc 2.2; the new format may follow it, 8-byte aligned. */
struct old_header {
	char magic[12];
	uint32_t nr;
};

#define OLD_ENTRY_BYTES 12u

struct header {
	char magic[20];
	uint32_t nr;
	uint32_t unused[6];
};

/* @key, @value: offsets of strings from the start of the header. */
struct entry {
	int32_t flags;
	uint32_t key;
	uint32_t value;
	uint32_t unused;
	uint64_t hwcap;
};

_Static_assert(sizeof(struct header) == 48 && sizeof(struct entry) == 24, "the linker's");

bool ld_cache_is(const char *file, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(file, name, len))
		return false;
	file += len;
	if (!*file)
		return true;
	/* a name such as libc.so.6 may only be followed by more version numbers */
	if (strstr(name, ".so"))
		return *file == '.';
	return !strncmp(file, ".so", 3) && (!file[3] || file[3] == '.');
}

/* Return: offset of the new format; @len if there is none. */
static size_t begin(const uint8_t *bytes, size_t len)
{
	struct old_header old;
	uint64_t at;

	if (len < sizeof(old) || memcmp(bytes, OLD_MAGIC, strlen(OLD_MAGIC)))
		return 0;
	memcpy(&old, bytes, sizeof(old));
	at = sizeof(old) + (uint64_t)old.nr * OLD_ENTRY_BYTES;
	at = (at + 7) / 8 * 8;
	return at < len ? (size_t)at : len;
}

/* The string at an offset; NULL if it does not end within the cache. */
static const char *string_at(const uint8_t *bytes, size_t len, uint32_t at)
{
	return at < len && memchr(bytes + at, 0, len - at) ? (const char *)bytes + at : NULL;
}

static const char *find(const uint8_t *bytes, size_t len, const struct header *h, const char *name)
{
	const char *key;
	struct entry e;
	uint32_t i;

	for (i = 0; i < h->nr; i++) {
		memcpy(&e, bytes + sizeof(*h) + (size_t)i * sizeof(e), sizeof(e));
		if (e.flags != NATIVE_LD_CACHE_FLAGS || e.hwcap)
			continue;
		key = string_at(bytes, len, e.key);
		if (key && ld_cache_is(key, name))
			return string_at(bytes, len, e.value);
	}
	return NULL;
}

const char *ld_cache_find(const void *bytes, size_t len, const char *name)
{
	size_t at = begin(bytes, len);
	const uint8_t *cache = (const uint8_t *)bytes + at;
	struct header h;

	len -= at;
	if (len < sizeof(h))
		return NULL;
	memcpy(&h, cache, sizeof(h));
	if (memcmp(h.magic, MAGIC, sizeof(h.magic)) || h.nr > (len - sizeof(h)) / sizeof(struct entry))
		return NULL;
	return find(cache, len, &h, name);
}

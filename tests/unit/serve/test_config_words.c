// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys of the daemon's configuration whose value is one of some words: the words that the program
 * accepts are in each document that describes the key, and in the shipped file.
 */
#include "support.h"

#include "serve/daemon/config.h"

/* A key with a value that is none of its words. The error lists the words. */
static const struct {
	const char *text;
	const char *key;
	unsigned int nr;
} keys[] = {
	{ "sampling: { mode: nothing }", "mode", 4 },
	{ "symbols: { mode: nothing }", "mode", 2 },
	{ "push: [{ name: a, url: 'http://a', type: nothing }]", "type", 5 },
};

static char *read_document(const char *path)
{
	struct bytes b;

	bytes_read_file(path, &b);
	assert_in_range(b.len, 1000, 1 << 16);
	bytes_le(&b, 0, 1);
	return (char *)b.p;
}

/* An entry of a document begins with @begin and ends before @end. */
static char *entry(const char *text, const char *begin, const char *end, const char **next)
{
	const char *at = strstr(text, begin), *to;

	if (!at)
		return NULL;
	to = strstr(at + strlen(begin), end);
	assert_non_null(to);
	*next = to;
	return strndup(at, (size_t)(to - at));
}

/* Copies the line with the key, and the lines of comments directly above it. */
static char *entry_of_file(const char *text, const char *key, const char **next)
{
	const char *at, *from, *line;
	char begin[32];

	snprintf(begin, sizeof(begin), " %s: ", key);
	at = strstr(text, begin);
	if (!at)
		return NULL;
	for (from = at; from > text && from[-1] != '\n'; from--)
		;
	for (;;) {
		for (line = from - 1; line > text && line[-1] != '\n'; line--)
			;
		if (line <= text || line[strspn(line, " ")] != '#')
			break;
		from = line;
	}
	*next = at + strcspn(at, "\n");
	return strndup(from, (size_t)(*next - from));
}

static char *entry_of_page(const char *text, const char *key, const char **next)
{
	char begin[32];

	snprintf(begin, sizeof(begin), "\n| `%s` |", key);
	return entry(text, begin, "\n", next);
}

static char *entry_of_manual(const char *text, const char *key, const char **next)
{
	char begin[32];

	snprintf(begin, sizeof(begin), ".It Ic %s\n", key);
	return entry(text, begin, "\n.It ", next);
}

static const struct {
	const char *path;
	char *(*entry)(const char *text, const char *key, const char **next);
} documents[] = {
	{ "dist/ustackd.yaml", entry_of_file },
	{ "Documentation/configuration.md", entry_of_page },
	{ "Documentation/man/ustackd.yaml.5", entry_of_manual },
};

/* Whether @word is in @text, not as a part of another word. */
static bool has_word(const char *text, const char *word)
{
	static const char parts[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	const size_t len = strlen(word);
	const char *at;

	for (at = strstr(text, word); at; at = strstr(at + 1, word))
		if ((at == text || !strchr(parts, at[-1])) && (!at[len] || !strchr(parts, at[len])))
			return true;
	return false;
}

/* Whether one of the key's entries in the document has all of the words. */
static bool has_entry(size_t document, const char *key, char *const *word, unsigned int nr)
{
	char *text = read_document(documents[document].path), *found;
	const char *at = text;
	bool all = false;
	unsigned int i;

	while (!all && (found = documents[document].entry(at, key, &at))) {
		for (i = 0; i < nr && has_word(found, word[i]); i++)
			;
		all = i == nr;
		free(found);
	}
	free(text);
	return all;
}

static void test_words_are_documented(void **state)
{
	size_t i, d;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		char *list, *next, *word[8], before[32];
		struct diag diag = { 0 };
		struct daemon_config c;
		unsigned int nr = 0;

		assert_int_not_equal(config_parse_files(&(struct config_file){
			"f", keys[i].text, strlen(keys[i].text) }, 1, &c, &diag), 0);
		snprintf(before, sizeof(before), "'%s' has to be ", keys[i].key);
		list = strstr(diag.text, before);
		if (!list || !strstr(list, ", not '"))
			fail_msg("%s: %s", keys[i].text, diag.text);
		list += strlen(before);
		*strstr(list, ", not '") = '\0';
		while ((next = strsep(&list, " ,")))
			if (*next && strcmp(next, "or")) {
				assert_in_range(nr, 0, ARRAY_SIZE(word) - 1);
				word[nr++] = next;
			}
		assert_int_equal(nr, keys[i].nr);
		for (d = 0; d < ARRAY_SIZE(documents); d++)
			if (!has_entry(d, keys[i].key, word, nr))
				fail_msg("%s: '%s' does not name all of its %u words", documents[d].path,
					 keys[i].key, nr);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_are_documented),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

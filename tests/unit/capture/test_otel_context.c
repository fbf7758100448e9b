// SPDX-License-Identifier: GPL-2.0-only
/* OpenTelemetry's process context: the header, the message, and the context of this process. */
#include "support.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/record/otel_processes.h"
#include "util/clock.h"

/* A message under construction. */
struct message {
	u8 bytes[OTEL_MAX_PAYLOAD];
	size_t len;
};

static void put_head(struct message *m, unsigned int field, size_t len)
{
	m->bytes[m->len++] = (u8)(field << 3 | 2);
	for (; len > 127; len >>= 7)
		m->bytes[m->len++] = (u8)(len | 128);
	m->bytes[m->len++] = (u8)len;
}

static void put_bytes(struct message *m, unsigned int field, const void *bytes, size_t len)
{
	put_head(m, field, len);
	memcpy(m->bytes + m->len, bytes, len);
	m->len += len;
}

/* An attribute whose value is field @type of OpenTelemetry's AnyValue. */
static void put_attribute(struct message *m, unsigned int field, const char *key, unsigned int type,
			  const void *value, size_t len)
{
	struct message a = { .len = 0 }, v = { .len = 0 };

	put_bytes(&v, type, value, len);
	put_bytes(&a, 1, key, strlen(key));
	put_bytes(&a, 2, v.bytes, v.len);
	put_bytes(m, field, a.bytes, a.len);
}

static void put_text(struct message *m, const char *key, const char *value)
{
	put_attribute(m, 1, key, 1, value, strlen(value));
}

/* Makes @m the resource of a context. */
static void wrap(struct message *m)
{
	struct message context = { .len = 0 };

	put_bytes(&context, 1, m->bytes, m->len);
	*m = context;
}

static const char *value_of(const struct otel_labels *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->label[i].name, name))
			return l->label[i].value;
	return "";
}

static void texts_become_labels(void **state)
{
	struct message m = { .len = 0 };
	struct otel_labels l;

	put_text(&m, "service.name", "shop");
	put_text(&m, "service.version", "1.2\n\x1b[31m\xff");
	put_text(&m, "service.name", "another");
	put_text(&m, "telemetry.sdk.language", "cpp");
	put_text(&m, "unit", "sshd.service");
	put_text(&m, "service.instance.id", "");
	put_attribute(&m, 1, "process.pid", 3, "\x05", 1);
	put_attribute(&m, 1, "list", 5, "\x0a\x02\x0a\x00", 4);
	wrap(&m);
	put_attribute(&m, 2, "deployment.environment.name", 1, "test", 4);
	assert_true(otel_labels(m.bytes, m.len, &l));
	assert_int_equal(l.nr, 5);
	assert_string_equal(value_of(&l, "service_name"), "shop");
	assert_string_equal(value_of(&l, "service_version"), "1.2\\012\\033[31m\xef\xbf\xbd");
	assert_string_equal(value_of(&l, "otel_telemetry_sdk_language"), "cpp");
	assert_string_equal(value_of(&l, "otel_unit"), "sshd.service");
	assert_string_equal(value_of(&l, "deployment_environment_name"), "test");
}

static void counts_and_lengths_are_bounded(void **state)
{
	struct message m = { .len = 0 };
	char key[100], value[1000];
	struct otel_labels l;
	int i;

	memset(value, 'v', sizeof(value));
	for (i = 0; i < 20; i++) {
		snprintf(key, sizeof(key), "key.%d", i);
		put_attribute(&m, 1, key, 1, value, 100);
	}
	memset(key, 'k', sizeof(key));
	key[OTEL_NAME - strlen(OTEL_PREFIX)] = '\0';
	put_text(&m, key, "long");
	put_text(&m, "", "empty");
	put_attribute(&m, 1, "service.name", 1, value, sizeof(value));
	wrap(&m);
	assert_true(otel_labels(m.bytes, m.len, &l));
	assert_int_equal(l.nr, OTEL_OTHERS + 1);
	assert_int_equal(strlen(value_of(&l, "service_name")), OTEL_VALUE + 3);
	assert_string_equal(value_of(&l, "otel_key_8"), "");
}

static void damaged_messages_are_refused(void **state)
{
	struct message m = { .len = 0 };
	struct otel_labels l;
	size_t i;

	put_text(&m, "service.name", "shop");
	wrap(&m);
	for (i = 1; i < m.len; i++)
		assert_false(otel_labels(m.bytes, i, &l));
	assert_true(otel_labels(m.bytes, 0, &l));
	assert_int_equal(l.nr, 0);
	m.bytes[1] = 0xff;
	assert_false(otel_labels(m.bytes, m.len, &l));
}

static void names_of_mappings(void **state)
{
	assert_true(otel_is_mapping("[anon:OTEL_CTX]"));
	assert_true(otel_is_mapping("[anon_shmem:OTEL_CTX]"));
	assert_true(otel_is_mapping("/memfd:OTEL_CTX"));
	assert_true(otel_is_mapping("/memfd:OTEL_CTX (deleted)"));
	assert_false(otel_is_mapping("/memfd:OTEL_CTX2 (deleted)"));
	assert_false(otel_is_mapping("/tmp/memfd:OTEL_CTX"));
	assert_false(otel_is_mapping("[anon:OTEL_CTX"));
	assert_false(otel_is_mapping(""));
}

/* The header as it is in memory. */
struct header {
	char signature[8];
	uint32_t version;
	uint32_t size;
	uint64_t published;
	const u8 *payload;
};

static void headers(void **state)
{
	struct header h = { "OTEL_CTX", 2, 10, 77, (const u8 *)0x1000 }, bad;
	struct otel_header got;

	assert_int_equal(sizeof(h), OTEL_HEADER_BYTES);
	assert_int_equal(otel_header((const u8 *)&h, &got), OTEL_READY);
	assert_int_equal(got.published, 77);
	assert_int_equal(got.payload, 0x1000);
	assert_int_equal(got.size, 10);
	bad = h;
	bad.published = 0;
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_CHANGING);
	bad = h;
	bad.signature[7] = 'Y';
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_NONE);
	bad = h;
	bad.version = 3;
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_NONE);
	bad = h;
	bad.size = OTEL_MAX_PAYLOAD + 1;
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_NONE);
	bad.size = 0;
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_NONE);
	bad = h;
	bad.payload = NULL;
	assert_int_equal(otel_header((const u8 *)&bad, &got), OTEL_NONE);
}

static struct header *mapping;
static struct message current;

/* Publishes as an SDK does. */
static void publish(const char *service)
{
	static uint64_t published;

	mapping->published = 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	current.len = 0;
	put_text(&current, "service.name", service);
	wrap(&current);
	mapping->size = (uint32_t)current.len;
	mapping->payload = current.bytes;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	mapping->published = ++published;
}

static void map_context(void)
{
	int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);

	assert_true(fd >= 0 && !ftruncate(fd, sizeof(*mapping)));
	mapping = mmap(NULL, sizeof(*mapping), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	assert_true(mapping != MAP_FAILED);
	close(fd);
	assert_int_equal(madvise(mapping, sizeof(*mapping), MADV_DONTFORK), 0);
	memcpy(mapping->signature, "OTEL_CTX", 8);
	mapping->version = 2;
}

/* Waits until the process publishes @service, or, with "", nothing. */
static void wait_for(struct otel_processes *all, pid_t pid, const char *service)
{
	const struct otel_labels *l;

	do {
		usleep(10000);
		l = otel_processes_labels(all, (uint32_t)pid, 1);
	} while (strcmp(l ? value_of(l, "service_name") : "", service));
}

static void a_process_publishes_changes_and_withdraws(void **state)
{
	struct otel_processes *all = otel_processes_new();
	pid_t child;

	assert_non_null(all);
	assert_null(otel_processes_labels(all, 0, 0));
	assert_null(otel_processes_labels(all, (uint32_t)getpid(), 0));
	map_context();
	publish("first");
	wait_for(all, getpid(), "first");
	publish("second");
	wait_for(all, getpid(), "second");
	/* a child has no context until it publishes one */
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	assert_null(otel_processes_labels(all, (uint32_t)child, 0));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_null(otel_processes_labels(all, (uint32_t)child, 0));
	munmap(mapping, sizeof(*mapping));
	wait_for(all, getpid(), "");
	otel_processes_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_labels),
		cmocka_unit_test(counts_and_lengths_are_bounded),
		cmocka_unit_test(damaged_messages_are_refused),
		cmocka_unit_test(names_of_mappings),
		cmocka_unit_test(headers),
		cmocka_unit_test(a_process_publishes_changes_and_withdraws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

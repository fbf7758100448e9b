// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input of user/serve/push that others write: answers of servers by HTTP and by
 * gRPC, position files, and the machine's labels of a window. The first byte
 * chooses one of them, and the type of the answer.
 */
#include <errno.h>
#include <string.h>

#include "serve/push/answer.h"
#include "serve/push/grpc.h"
#include "serve/push/machine_labels.h"
#include "serve/push/position.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct push_answer *answer(uint8_t how, const uint8_t *data, size_t size)
{
	static const char *const types[] = { "application/x-protobuf", "application/json",
					     "text/html; charset=utf-8", "" };
	struct push_answer *a = calloc(1, sizeof(*a));

	a->status = how & 4 ? 200 : 503;
	a->failure = how & 4 ? PUSH_NONE : PUSH_SERVER;
	strcpy(a->type, types[how & 3]);
	a->len = size < PUSH_ANSWER_BYTES ? size : PUSH_ANSWER_BYTES;
	memcpy(a->body, data, a->len);
	return a;
}

/*
 * Checks that a failure has a text without anything that a terminal interprets,
 * and that an acknowledgement has none.
 */
static void check(const struct push_answer *a, uint64_t rejected)
{
	const char *c;

	must(memchr(a->error, '\0', sizeof(a->error)));
	must(a->failure == PUSH_NONE || a->failure == PUSH_LIED || a->failure == PUSH_SERVER);
	must(a->failure != PUSH_LIED || (a->error[0] && !rejected));
	must(!(a->failure == PUSH_NONE && !rejected) || !a->error[0]);
	for (c = a->error; *c; c++)
		must((unsigned char)*c >= ' ' && *c != 0x7f);
}

/* The lines of the head end at the first NUL; the body follows. */
static void fuzz_grpc(const uint8_t *data, size_t size)
{
	const uint8_t *body = memchr(data, '\0', size), *line = data, *end;
	struct push_answer *a;
	uint64_t rejected = 0;

	body = body ? body + 1 : data + size;
	a = answer(4, body, (size_t)(data + size - body));
	a->grpc_status = -1;
	for (; line < body; line = end + 1) {
		end = memchr(line, '\n', (size_t)(body - line));
		if (!end)
			break;
		push_grpc_head(a, (const char *)line, (size_t)(end - line));
	}
	push_grpc_answer(a);
	must(!a->failure || (a->error[0] && !a->len));
	if (!a->failure) {
		strcpy(a->type, "application/x-protobuf");
		rejected = push_judge_otlp(a);
		check(a, rejected);
	}
	must(a->failure == PUSH_NONE || a->failure == PUSH_LIED || a->status != 200);
	free(a);
}

static void fuzz_answer(uint8_t how, const uint8_t *data, size_t size)
{
	struct push_answer *a = answer(how, data, size);
	uint64_t rejected = 0;

	if (a->failure) {
		push_answer_explain(a);
		check(a, 0);
	} else {
		if ((how >> 3 & 3) == 0)
			push_judge_pyroscope(a);
		else if ((how >> 3 & 3) == 1)
			push_judge_parca(a);
		else
			rejected = push_judge_otlp(a);
		must(rejected <= INT64_MAX);
		check(a, rejected);
	}
	free(a);
}

/* A position file that is accepted is what would be written for that position. */
static void fuzz_position(const uint8_t *data, size_t size)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	char text[PUSH_POSITION_BYTES];
	struct push_position p;
	int err = push_position_parse((const char *)data, size, "fuzz", &p, &diag);

	must(!err || (err == -EBADMSG && diag.text[0]));
	if (err)
		return;
	must(push_position_format(&p, text) == size && !memcmp(text, data, size));
	must(!push_point_before(&p.until, &p.next));
}

/* A position with these numbers is read as it was written. */
static void fuzz_numbers(const uint8_t *data, size_t size)
{
	struct push_position p = { 0 }, got;
	char text[PUSH_POSITION_BYTES];
	size_t len;

	memcpy(&p, data, size < sizeof(p) ? size : sizeof(p));
	if (push_point_before(&p.until, &p.next))
		p.until = p.next;
	len = push_position_format(&p, text);
	must(!push_position_parse(text, len, "fuzz", &got, NULL));
	must(!memcmp(&p, &got, sizeof(p)));
}

static void fuzz_machine(const uint8_t *data, size_t size)
{
	struct push_machine_labels *m = malloc(sizeof(*m));
	struct profile *p = profile_new();
	char *text = malloc(size + 16);
	uint32_t i;

	strcpy(text, PUSH_MACHINE_COMMENT);
	memcpy(text + strlen(PUSH_MACHINE_COMMENT), data, size);
	text[strlen(PUSH_MACHINE_COMMENT) + size] = '\0';
	profile_comment(p, text);
	push_machine_labels_of(p, "host", m);
	must(m->nr && m->nr <= PUSH_MAX_MACHINE_LABELS);
	must(*push_machine_label(m, PUSH_HOST));
	for (i = 0; i < m->nr; i++) {
		must(*m->name[i] && memchr(m->name[i], '\0', PUSH_LABEL_BYTES) &&
		     memchr(m->value[i], '\0', PUSH_LABEL_BYTES));
		must(!i || strcmp(m->name[i - 1], m->name[i]) < 0);
	}
	profile_free(p);
	free(text);
	free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] >> 5) {
	case 0:
		fuzz_position(data + 1, size - 1);
		break;
	case 1:
		fuzz_numbers(data + 1, size - 1);
		break;
	case 2:
		fuzz_machine(data + 1, size - 1);
		break;
	case 3:
		fuzz_grpc(data + 1, size - 1);
		break;
	default:
		fuzz_answer(data[0], data + 1, size - 1);
	}
	return 0;
}

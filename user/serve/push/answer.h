/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the answers of servers, which may contain anything: is a 2xx answer an acknowledgement,
 * and how does the server explain an error? Called in the target's thread.
 */
#ifndef USTACK_USER_PUSH_ANSWER_H
#define USTACK_USER_PUSH_ANSWER_H

#include <stdint.h>

#include "serve/push/http.h"

/*
 * Judge a 2xx answer: one that a server of this protocol does not give becomes PUSH_LIED, with
 * the reason in @error.
 */
void push_judge_pyroscope(struct push_answer *a);
void push_judge_parca(struct push_answer *a);
/* Return: number of profiles that the server does not accept, with its reason in @error. */
uint64_t push_judge_otlp(struct push_answer *a);

/* Append to @error what the body of a failed answer says about the error, if it is text. */
void push_answer_explain(struct push_answer *a);

#endif /* USTACK_USER_PUSH_ANSWER_H */

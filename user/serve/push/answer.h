/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading what servers answer, of which nothing is certain. */
#ifndef USTACK_USER_PUSH_ANSWER_H
#define USTACK_USER_PUSH_ANSWER_H

#include <stdint.h>

#include "serve/push/http.h"

/* An answer 2xx that a server of this protocol does not give becomes PUSH_LIED, with why. */
void push_judge_pyroscope(struct push_answer *a);
void push_judge_parca(struct push_answer *a);
/* Return: profiles that it does not take; why is in @error. */
uint64_t push_judge_otlp(struct push_answer *a);

/* What a server says of an error, behind what @error says: what is text in its body. */
void push_answer_explain(struct push_answer *a);

#endif /* USTACK_USER_PUSH_ANSWER_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* A request of OTLP in the making, and its bytes: for user/serve/push/otlp*.c alone. */
#ifndef USTACK_USER_PUSH_OTLP_H
#define USTACK_USER_PUSH_OTLP_H

#include <stddef.h>
#include <stdint.h>

#include "serve/push/bytes.h"
#include "serve/push/copy.h"
#include "serve/push/peer.h"

/**
 * struct otlp_part - what is one profile for each of its types of values
 * @resource: its attributes
 * @id: of the profile of each type
 * @identity: string of the dictionary
 * @first: of struct otlp's @samples
 * @end: behind the last
 */
struct otlp_part {
	struct buffer resource;
	uint64_t time_ns;
	uint64_t duration_ns;
	int64_t period;
	struct profile_value_type period_type;
	struct profile_value_type types[PROFILE_MAX_VALUES];
	uint8_t id[PROFILE_MAX_VALUES][16];
	uint32_t nr_types;
	uint32_t identity;
	size_t first;
	size_t end;
};

/**
 * struct otlp - the parts of a request
 * @dict: strings, mappings, functions, locations and stacks, and labels of all samples
 * @copy: from @window into @dict
 * @window: which that is
 * @parts: in their order
 * @samples: with the numbers of @dict
 */
struct otlp {
	struct profile *dict;
	struct push_copy copy;
	struct store_position window;
	struct otlp_part *parts;
	size_t nr_parts;
	size_t parts_room;
	struct profile_sample *samples;
	size_t nr_samples;
	size_t samples_room;
};

/* Return: 0, or a negative errno; @ret is to be released in either case. */
int otlp_encode(struct otlp *o, struct buffer *ret);

#endif /* USTACK_USER_PUSH_OTLP_H */

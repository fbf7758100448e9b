/* SPDX-License-Identifier: GPL-2.0-only */
/* An OTLP request that is being built, and its encoder: private to user/serve/push/otlp*.c. */
#ifndef USTACK_USER_PUSH_OTLP_H
#define USTACK_USER_PUSH_OTLP_H

#include <stddef.h>
#include <stdint.h>

#include "serve/push/bytes.h"
#include "serve/push/copy.h"
#include "serve/push/peer.h"

/**
 * struct otlp_part - a part of a window; it becomes one OTLP profile for each type of values
 * @resource: encoded attributes of the part's Resource
 * @time_ns: start of the window, since 1970
 * @duration_ns: length of the window
 * @period: the window's sampling period
 * @period_type: type and unit of @period, as strings of the dictionary
 * @types: types and units of values, as strings of the dictionary
 * @id: profile_id of the profile of each type
 * @nr_types: number of entries in @types and @id
 * @identity: name of the part, a string of the dictionary
 * @first: index of the part's first sample in @samples of struct otlp
 * @end: index after its last sample
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
 * @dict: the dictionary: strings, mappings, functions, locations, stacks and labels of all samples
 * @copy: copies from the window at @window into @dict
 * @window: position of the window that @copy reads
 * @parts: the parts, in the order in which they were added
 * @nr_parts: number of entries in @parts
 * @parts_room: number of entries that @parts has room for
 * @samples: samples of all parts; their stacks and labels are numbers of @dict
 * @nr_samples: number of entries in @samples
 * @samples_room: number of entries that @samples has room for
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

/* Encode a request. Return: 0 or a negative errno; @ret is to be released in either case. */
int otlp_encode(struct otlp *o, struct buffer *ret);

#endif /* USTACK_USER_PUSH_OTLP_H */

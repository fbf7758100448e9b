/* SPDX-License-Identifier: GPL-2.0-only */
/* The chunks of a record file in time order, checked, and with whole stacks. */
#ifndef GT_READER_H
#define GT_READER_H

#include <stdbool.h>

#include "../format.h"

struct reader;

/* a sample whose parts were checked to lie inside its chunk */
struct sample {
	const struct gt_sample *raw;
	const uint64_t *regs;
	const uint64_t *chain;
	const uint8_t *stack;
	unsigned int stream;
};

struct reader *reader_open(const char *path);
void reader_close(struct reader *r);

uint32_t reader_machine(const struct reader *r);
const struct gt_info *reader_info(const struct reader *r);
const struct gt_end *reader_end(const struct reader *r);

/* calls IMAGE for every image chunk, STAT for every text of statistics */
void reader_each_image(struct reader *r, void (*image)(const struct gt_image *));
const struct gt_stat *reader_stat(const struct reader *r, bool after);

/**
 * reader_next() - the next mapping, task, sample, reason or count
 *
 * Return: NULL at the end
 */
const struct gt_chunk *reader_next(struct reader *r);

/* decodes a GT_SAMPLE; each sample once and in order, because stacks depend on earlier ones */
void reader_sample(struct reader *r, const struct gt_chunk *h, struct sample *ret);

#endif /* GT_READER_H */

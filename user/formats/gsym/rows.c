// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes line tables (rows.h), and chooses the window that makes a table short.
 */
#include "formats/gsym/rows.h"

#include "formats/gsym/format.h"

#include "util/poison.h"

/* The largest number that an opcode of one byte can carry. */
#define MAX_SPECIAL (UINT8_MAX - GSYM_LINE_SPECIAL)

/* Most bytes of a row: three opcodes and three numbers. */
#define STEP_MAX (3 + 3 * LEB_MAX)

#define MIN_STEP GSYM_MIN_STEP
#define NR_STEPS GSYM_NR_STEPS
#define MAX_WIDTH GSYM_MAX_WIDTH

static unsigned int width_of(struct gsym_window w)
{
	return (unsigned int)(w.max - w.min) + 1;
}

/*
 * Finds the step in the window that is nearest to @line and fits one opcode
 * together with @bytes of code. Return: false if there is none.
 */
static bool nearest_step(struct gsym_window w, uint64_t bytes, int64_t line, int *ret)
{
	unsigned int width = width_of(w);
	int last = w.max;

	if (bytes > MAX_SPECIAL / width)
		return false;
	if (width - 1 > MAX_SPECIAL - bytes * width)
		last = w.min + (int)(MAX_SPECIAL - bytes * width);
	*ret = line < w.min ? w.min : line > last ? last : (int)line;
	return true;
}

static uint8_t special(struct gsym_window w, uint64_t bytes, int step)
{
	return (uint8_t)(GSYM_LINE_SPECIAL + (unsigned int)(step - w.min) +
			 bytes * width_of(w));
}

/* Whether a reader accepts @line between two opcodes: some readers check it. */
static bool is_line(int64_t line)
{
	return line >= 0 && line <= UINT32_MAX;
}

static unsigned int plain_len(uint64_t bytes, int64_t line)
{
	return (line ? 1 + sleb_len(line) : 0) + 1 + uleb_len(bytes);
}

void gsym_rows_step(struct buffer *b, struct gsym_window w,
		    const struct gsym_row *at, const struct gsym_row *row)
{
	uint8_t *p = buffer_begin(b, STEP_MAX);
	uint64_t bytes = row->addr - at->addr;
	int64_t line = (int64_t)row->line - at->line, rest;
	int step;

	if (!p)
		return;
	if (row->file != at->file) {
		*p++ = GSYM_LINE_FILE;
		p = uleb_put(p, row->file);
	}
	/* the part of the step that is outside of the window is written first */
	if (nearest_step(w, bytes, line, &step) && is_line((int64_t)row->line - step)) {
		rest = line - step;
		if (!rest || 2 + sleb_len(rest) <= plain_len(bytes, line)) {
			if (rest) {
				*p++ = GSYM_LINE_LINE;
				p = sleb_put(p, rest);
			}
			*p++ = special(w, bytes, step);
			buffer_end(b, p);
			return;
		}
	}
	if (line) {
		*p++ = GSYM_LINE_LINE;
		p = sleb_put(p, line);
	}
	*p++ = GSYM_LINE_PC;
	buffer_end(b, uleb_put(p, bytes));
}

void gsym_rows_next(const uint8_t **p, struct gsym_window w, struct gsym_row *at)
{
	unsigned int width = width_of(w), n;

	for (;;) {
		switch (n = *(*p)++) {
		case GSYM_LINE_FILE:
			at->file = (uint32_t)uleb_take(p);
			break;
		case GSYM_LINE_LINE:
			at->line += (uint32_t)sleb_take(p);
			break;
		case GSYM_LINE_PC:
			at->addr += uleb_take(p);
			return;
		default:
			n -= GSYM_LINE_SPECIAL;
			at->addr += n / width;
			at->line += (uint32_t)(w.min + (int)(n % width));
			return;
		}
	}
}

/*
 * Return: the widest window in which every step fits one opcode together with
 * @bytes; 0 if there is none.
 */
static unsigned int widest(uint64_t bytes)
{
	uint64_t width = bytes > MAX_SPECIAL ? 0 : (MAX_SPECIAL + 1) / (bytes + 1);

	return width < MAX_WIDTH ? (unsigned int)width : MAX_WIDTH;
}

static void steps_count(struct gsym_steps *s, int64_t line, uint64_t bytes,
			unsigned int weight)
{
	unsigned int width = widest(bytes), step = (unsigned int)(line - MIN_STEP);
	struct gsym_step_cell *cell;

	if (line < MIN_STEP || line >= MIN_STEP + NR_STEPS || !width)
		return;
	if (!s->weight[step][width]) {
		cell = &s->cells[s->nr_cells];
		cell->step = (uint8_t)step;
		cell->width = (uint8_t)width;
		cell->next = s->of_width[width];
		s->of_width[width] = (uint16_t)++s->nr_cells;
	}
	s->weight[step][width] += weight;
}

/*
 * Counts in half bytes what each row saves if its step is in the window. A row
 * whose step is outside, but whose bytes of code fit, still saves a byte: an
 * opcode for its step precedes the special opcode. The step of the first row
 * can be put into the header, so it has the least weight and only decides
 * between equal windows.
 */
static void steps_init(struct gsym_steps *s, uint64_t start, const struct gsym_row *rows,
		       size_t nr)
{
	size_t i;

	s->nr_cells = 0;
	s->nr_steps = 0;
	steps_count(s, 0, rows[0].addr - start, 1);
	for (i = 1; i < nr; i++) {
		int64_t line = (int64_t)rows[i].line - rows[i - 1].line;

		steps_count(s, line, rows[i].addr - rows[i - 1].addr,
			    line ? 2 * (1 + sleb_len(line)) : 2);
	}
	for (i = 0; i < s->nr_cells; i++)
		s->sums[s->cells[i].step] = UINT32_MAX;
	for (i = 0; i < NR_STEPS; i++)
		if (s->sums[i]) {
			s->steps[s->nr_steps++] = (uint8_t)i;
			s->sums[i] = 0;
		}
}

static void steps_clear(struct gsym_steps *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_cells; i++) {
		s->weight[s->cells[i].step][s->cells[i].width] = 0;
		s->sums[s->cells[i].step] = 0;
		s->of_width[s->cells[i].width] = 0;
	}
}

/*
 * Adds what rows save that fit a window of at most @width. @anyway: what they
 * save for their bytes of code, even if their step is outside. @all: what they
 * would save if all were inside.
 */
static void add_width(struct gsym_steps *s, unsigned int width, uint64_t *anyway,
		      uint64_t *all)
{
	unsigned int i;

	for (i = s->of_width[width]; i; i = s->cells[i - 1].next) {
		unsigned int step = s->cells[i - 1].step;
		uint32_t weight = s->weight[step][width], bytes = 0;

		if (step != -MIN_STEP)
			bytes = weight / (1 + sleb_len((int)step + MIN_STEP));
		s->sums[step] += weight;
		*anyway += bytes;
		*all += weight + bytes;
	}
}

/* Finds the best place of a window of this width. Return: what it saves. */
static uint64_t best_place(const struct gsym_steps *s, unsigned int width,
			   uint64_t anyway, int *min)
{
	unsigned int first, last = 0;
	uint64_t sum = anyway, best = 0;

	for (first = 0; first < s->nr_steps; first++) {
		while (last < s->nr_steps &&
		       s->steps[last] < s->steps[first] + width)
			sum += s->sums[s->steps[last++]];
		if (sum > best) {
			best = sum;
			*min = s->steps[first] + MIN_STEP;
		}
		sum -= s->sums[s->steps[first]];
	}
	return best;
}

struct gsym_window gsym_rows_window(struct gsym_steps *s, uint64_t start,
				    const struct gsym_row *rows, size_t nr)
{
	struct gsym_window ret = { 0, 0 };
	uint64_t best = 0, anyway = 0, all = 0, saved;
	unsigned int width, span;
	int min = 0;

	steps_init(s, start, rows, nr);
	span = s->nr_steps ? s->steps[s->nr_steps - 1] - s->steps[0] + 1u : 0;
	/* the narrower a window, the more rows fit: so none has to be taken out again */
	for (width = MAX_WIDTH; width; width--) {
		add_width(s, width, &anyway, &all);
		if (width > span || all < best)
			continue;
		saved = best_place(s, width, anyway, &min);
		if (saved >= best) {
			best = saved;
			ret.min = (int8_t)min;
			ret.max = (int8_t)(min + (int)width - 1);
		}
	}
	steps_clear(s);
	return ret;
}

void gsym_rows_encode(struct buffer *b, struct gsym_window w, uint64_t start,
		      const struct gsym_row *rows, size_t nr)
{
	struct gsym_row at = { start, 1, rows[0].line };
	uint8_t *p = buffer_begin(b, 2 + LEB_MAX);
	int step;
	size_t i;

	if (!p)
		return;
	/* choose the first line so that the first row takes one opcode, too */
	if (nearest_step(w, rows[0].addr - start, 0, &step) &&
	    is_line((int64_t)at.line - step))
		at.line -= (uint32_t)step;
	p = sleb_put(p, w.min);
	p = sleb_put(p, w.max);
	buffer_end(b, uleb_put(p, at.line));
	for (i = 0; i < nr; i++) {
		gsym_rows_step(b, w, &at, &rows[i]);
		at = rows[i];
	}
	buffer_fixed(b, GSYM_LINE_END, 1);
}

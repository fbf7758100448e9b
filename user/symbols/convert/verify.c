// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares a GSYM file with DWARF, range by range of its functions, in the order of their
 * addresses. The command that verifies files calls it.
 */
#include "symbols/convert/verify.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <string.h>

#include "symbols/convert/verify_judge.h"
#include "util/poison.h"

/* Number of functions between two calls of @progress. */
#define PROGRESS_EVERY 256u

const char *gsym_verify_kind_name(enum gsym_verify_kind kind)
{
	static const char *const names[GSYM_VERIFY_KINDS] = {
		[GSYM_VERIFY_FUNCTION] = "function missing",
		[GSYM_VERIFY_NAME] = "name",
		[GSYM_VERIFY_CALLS] = "inlined calls",
		[GSYM_VERIFY_FILE] = "file",
		[GSYM_VERIFY_LINE] = "line",
	};

	return names[kind];
}

/* Return: 1 if the file has a function with this range, whatever its name; 0; -EBADMSG. */
static int has_function(const struct gsym *g, struct range r)
{
	struct gsym_function f;
	struct gsym_info info;
	uint32_t lo = 0, hi, mid;
	int err;

	gsym_identify(g, &info);
	hi = info.nr_functions;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		err = gsym_function(g, mid, &f);
		if (err)
			return err;
		if (f.start < r.start)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < info.nr_functions; lo++) {
		err = gsym_function(g, lo, &f);
		if (err)
			return err;
		if (f.start != r.start)
			break;
		if (f.size == r.end - r.start)
			return 1;
	}
	return 0;
}

static uint64_t nr_differing(const struct verify_tally *t)
{
	return t->addresses - t->same;
}

static void add_tally(struct gsym_verified *sum, const struct verify_tally *t)
{
	unsigned int kind;

	sum->addresses += t->addresses;
	sum->same += t->same;
	sum->overlapped += t->overlapped;
	sum->no_row += t->no_row;
	sum->damaged += t->damaged;
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++)
		sum->differences[kind] += t->differences[kind];
}

static int judge(struct verify_judge *j, struct verify_dwarf *d,
		 const struct verify_function *f, const struct gsym_verify_options *o,
		 struct verify_tally *ret, struct diag *diag)
{
	struct verify_unit *u = &d->units[f->unit];
	int err;

	verify_unit_read(u);
	err = verify_judge(j, f, u, o, ret, diag);
	if (!err && !verify_dwarf_spend(d, j->calls.work + j->nr_points))
		err = diag_set(diag, EBADMSG, d->path,
			       "damaged DWARF: it has more functions and calls than its size allows");
	return err;
}

/*
 * Compares the entries [first, end), which have the same range. The file was made from
 * one of them: the one that differs least counts.
 */
static int judge_range(struct verify_judge *j, struct verify_dwarf *d, size_t first,
		       size_t end, const struct gsym_verify_options *o,
		       struct gsym_verified *sum, struct diag *diag)
{
	struct verify_tally best, t;
	size_t i, at = end;
	int err;

	for (i = first; i < end; i++) {
		Dwarf_Die die = d->functions[i].die;

		if (!verify_name(&die))
			continue;
		err = judge(j, d, &d->functions[i], NULL, &t, diag);
		if (err)
			return err;
		if (at == end || nr_differing(&t) < nr_differing(&best)) {
			best = t;
			at = i;
		}
		if (!nr_differing(&best))
			break;
	}
	if (at < end && o->each && nr_differing(&best)) {
		err = judge(j, d, &d->functions[at], o, &best, diag);
		if (err)
			return err;
	}
	if (at < end)
		add_tally(sum, &best);
	return 0;
}

static size_t first_named(const struct verify_dwarf *d, size_t first, size_t end)
{
	size_t i;

	for (i = first; i < end; i++) {
		Dwarf_Die die = d->functions[i].die;

		if (verify_name(&die))
			return i;
	}
	return end;
}

static int compare_range(struct verify_judge *j, struct verify_dwarf *d, size_t first,
			 size_t end, const struct gsym_verify_options *o,
			 struct gsym_verified *sum, struct diag *diag)
{
	size_t named = first_named(d, first, end);
	int found;

	if (named == end) {
		sum->nameless++;
		return 0;
	}
	sum->functions++;
	found = has_function(j->g, d->functions[first].range);
	if (found < 0)
		return diag_set(diag, EBADMSG, NULL, "damaged address table");
	if (found)
		return judge_range(j, d, named, end, o, sum, diag);
	sum->differences[GSYM_VERIFY_FUNCTION]++;
	verify_judge_missing(j, &d->functions[named], o);
	return 0;
}

/*
 * Whether more addresses were compared than needed so far, by the share of functions that
 * is done.
 */
static bool ahead(const struct gsym_verify_options *o, const struct gsym_verified *sum,
		  size_t done, size_t total)
{
	return o->addresses &&
	       (double)sum->addresses * (double)total > (double)o->addresses * (double)done;
}

/* Lookups skip damaged functions, so damage would not show up as a difference. */
static int check_functions(const struct gsym *g, struct diag *diag)
{
	struct gsym_function f;
	struct gsym_info info;
	uint32_t i;
	int err = 0;

	gsym_identify(g, &info);
	for (i = 0; !err && i < info.nr_functions; i++)
		err = gsym_function(g, i, &f) ?
			      diag_set(diag, EBADMSG, NULL, "function %u is where none can be", i) :
			      gsym_function_check(g, &f, NULL, diag);
	return err;
}

static int compare_all(struct verify_judge *j, struct verify_dwarf *d,
		       const struct gsym_verify_options *o, struct gsym_verified *sum,
		       struct diag *diag)
{
	const struct verify_function *f = d->functions;
	size_t first, end, said = 0;
	int err = 0;

	for (first = 0; !err && first < d->nr_functions; first = end) {
		end = first + 1;
		while (end < d->nr_functions && f[end].range.start == f[first].range.start &&
		       f[end].range.end == f[first].range.end)
			end++;
		if (!ahead(o, sum, first, d->nr_functions))
			err = compare_range(j, d, first, end, o, sum, diag);
		if (o->progress && end - said >= PROGRESS_EVERY) {
			said = end;
			o->progress(o->arg, end, d->nr_functions);
		}
	}
	return err;
}

static bool is_other_build(const struct gsym *g, Elf *elf)
{
	struct gsym_info info;
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	gsym_identify(g, &info);
	if (len <= 0 || !info.uuid_len)
		return false;
	if (len > (ssize_t)GSYM_MAX_UUID)
		len = GSYM_MAX_UUID;
	return len != info.uuid_len || memcmp(id, info.uuid, info.uuid_len);
}

int gsym_verify(const struct gsym *g, const char *path, const struct gsym_verify_options *o,
		struct gsym_verified *ret, struct diag *diag)
{
	struct verify_judge j = { .g = g, .names.names = o->names };
	struct verify_dwarf d;
	int err;

	*ret = (struct gsym_verified){ 0 };
	err = verify_dwarf_open(&d, path, diag);
	if (err)
		return err;
	ret->other_build = is_other_build(g, d.elf);
	if (verify_dwarf_walk(&d))
		err = diag_errno(diag, ENOMEM, path);
	ret->units = d.nr_all_units;
	ret->damaged = d.nr_damaged;
	if (!err && !d.nr_functions)
		err = d.nr_damaged ? diag_set(diag, EBADMSG, path, "damaged DWARF: no function in it") :
				     diag_set(diag, ENODATA, path, "no function in its DWARF");
	if (!err)
		err = check_functions(g, diag);
	if (!err)
		err = compare_all(&j, &d, o, ret, diag);
	verify_judge_release(&j);
	verify_dwarf_release(&d);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds which parts of two configurations differ. After SIGHUP only these parts are applied, so a
 * change of a key that is not compared here has no effect.
 */
#include <string.h>

#include "serve/daemon/config.h"
#include "serve/daemon/relabel.h"

#include "util/poison.h"

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_sampling(const struct config_sampling *a, const struct config_sampling *b)
{
	return a->frequency == b->frequency && a->off_cpu == b->off_cpu &&
	       a->off_cpu_min_ns == b->off_cpu_min_ns && a->mode == b->mode &&
	       a->window_ns == b->window_ns && a->cpu_budget == b->cpu_budget &&
	       a->min_frequency == b->min_frequency;
}

/* The order of targets does not matter. */
static bool same_thinning(const struct config_thinning *a, const struct config_thinning *b)
{
	size_t i, k;

	if (!same(a->label, b->label) || a->by_default != b->by_default || a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		for (k = 0; k < b->nr && strcmp(a->target[i].name, b->target[k].name); k++)
			;
		if (k == b->nr || a->target[i].samples != b->target[k].samples)
			return false;
	}
	return true;
}

static const char *find(const struct config_pairs *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!strcmp(p->pair[i].name, name))
			return p->pair[i].value;
	return NULL;
}

static bool same_pairs(const struct config_pairs *a, const struct config_pairs *b)
{
	size_t i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (!same(a->pair[i].value, find(b, a->pair[i].name)))
			return false;
	return true;
}

static bool same_words(const struct config_words *a, const struct config_words *b)
{
	size_t i;

	if (!a->word != !b->word || a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (!same(a->word[i], b->word[i]))
			return false;
	return true;
}

static bool same_http(const struct config_http *a, const struct config_http *b)
{
	size_t i;

	if (a->nr_listen != b->nr_listen || !same(a->token_file, b->token_file))
		return false;
	for (i = 0; i < a->nr_listen; i++)
		if (!same(a->listen[i].text, b->listen[i].text))
			return false;
	return true;
}

static bool same_target(const struct config_push *a, const struct config_push *b)
{
	return same(a->name, b->name) && a->type == b->type && same(a->url, b->url) &&
	       same(a->token_file, b->token_file) && same(a->user, b->user) &&
	       same(a->password_file, b->password_file) && same_pairs(&a->headers, &b->headers) &&
	       same(a->ca_file, b->ca_file) && a->timeout_ns == b->timeout_ns &&
	       a->batch == b->batch && same(a->database, b->database) &&
	       same(a->proxy, b->proxy) && same_words(&a->services, &b->services) &&
	       same_words(&a->keep, &b->keep);
}

static bool same_push(const struct daemon_config *a, const struct daemon_config *b)
{
	size_t i;

	if (a->nr_push != b->nr_push)
		return false;
	for (i = 0; i < a->nr_push; i++)
		if (!same_target(&a->push[i], &b->push[i]))
			return false;
	return true;
}

unsigned int config_changes(const struct daemon_config *a, const struct daemon_config *b)
{
	unsigned int parts = 0;

	if (!same_sampling(&a->sampling, &b->sampling))
		parts |= CONFIG_SAMPLING;
	if (!same_thinning(&a->sampling.samples_per_hour, &b->sampling.samples_per_hour))
		parts |= CONFIG_THINNING;
	if (!same_pairs(&a->labels, &b->labels))
		parts |= CONFIG_LABELS;
	if (!relabel_equal(a->relabel, b->relabel))
		parts |= CONFIG_RELABEL;
	if (a->symbols.never != b->symbols.never ||
	    !same(a->symbols.servers, b->symbols.servers))
		parts |= CONFIG_SYMBOLS;
	if (a->supply != b->supply)
		parts |= CONFIG_SUPPLY;
	if (!same(a->store.path, b->store.path) || !same(a->store.group, b->store.group))
		parts |= CONFIG_STORE_PATH;
	if (a->store.max_size != b->store.max_size || a->store.max_age_ns != b->store.max_age_ns)
		parts |= CONFIG_STORE_LIMITS;
	if (!same_http(&a->http, &b->http))
		parts |= CONFIG_HTTP;
	if (!same(a->user, b->user))
		parts |= CONFIG_USER;
	if (!same_push(a, b))
		parts |= CONFIG_PUSH;
	if (a->kubernetes.names != b->kubernetes.names ||
	    !same(a->kubernetes.logs, b->kubernetes.logs) ||
	    !same(a->kubernetes.node, b->kubernetes.node))
		parts |= CONFIG_KUBERNETES;
	return parts;
}

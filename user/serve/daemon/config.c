// SPDX-License-Identifier: GPL-2.0-only
/*
 * The top of the configuration: tables of its keys, defaults, and checks between keys.
 * config_read.h has the steps to add a key.
 */
#include "serve/daemon/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/daemon/config_read.h"
#include "serve/daemon/config_value.h"
#include "serve/daemon/labels.h"
#include "serve/daemon/relabel.h"

#include "util/poison.h"

#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_HOUR (3600 * NSEC_PER_SEC)
#define NSEC_PER_DAY (24 * NSEC_PER_HOUR)

static int take_off_cpu(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	struct config_sampling *s = config_struct(field, struct config_sampling, off_cpu);

	s->off_cpu_min_ns = 0;
	if (value->kind == YAML_SCALAR && value->plain && !strcmp(value->text, "false")) {
		s->off_cpu = false;
		return 0;
	}
	s->off_cpu = true;
	if (value->kind == YAML_SCALAR && !config_value_duration(value->text,
								 &s->off_cpu_min_ns))
		return config_wants(r, value, key, "false, or the least time such as 10ms");
	return config_take_duration(r, value, &s->off_cpu_min_ns, key);
}

static int take_sampling(struct config_reader *r, const struct yaml_node *value, void *field,
			 const struct config_key *key)
{
	/* in the order of enum record_mode */
	static const char *const modes[] = { "auto", "bpf", "copy", "tables", NULL };
	static const struct config_key keys[] = {
		CONFIG_KEY("frequency", config_take_u32, struct config_sampling, frequency,
			   .min = 1, .max = 100000, .range = "1 to 100000"),
		CONFIG_KEY("off_cpu", take_off_cpu, struct config_sampling, off_cpu,
			   .min = 0, .max = NSEC_PER_HOUR, .range = "at most 1h"),
		CONFIG_KEY("mode", config_take_enum, struct config_sampling, mode,
			   .words = modes),
		CONFIG_KEY("window", config_take_duration, struct config_sampling, window_ns,
			   .min = 100 * NSEC_PER_MSEC, .max = NSEC_PER_HOUR, .range = "100ms to 1h"),
		CONFIG_KEY("cpu_budget", config_take_share, struct config_sampling, cpu_budget),
		CONFIG_KEY("min_frequency", config_take_u32, struct config_sampling, min_frequency,
			   .min = 1, .max = 100000, .range = "1 to 100000"),
		CONFIG_KEY("samples_per_hour", config_take_thinning, struct config_sampling,
			   samples_per_hour),
		CONFIG_END,
	};
	struct config_sampling *s = field;
	const struct yaml_node *least;
	int err;

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	err = config_take_keys(r, value, keys, field);
	if (!err && s->off_cpu && s->mode == RECORD_COPY)
		return yaml_tree_refuse(yaml_tree_get(value, "off_cpu"), r->diag,
				   "'off_cpu' is not for 'mode: copy': stacks are not copied where "
				   "threads wait");
	if (err || s->min_frequency <= s->frequency)
		return err;
	least = yaml_tree_get(value, "min_frequency");
	return yaml_tree_refuse(least ?: value, r->diag,
			   "'min_frequency' (%u) is more than 'frequency' (%u)",
			   s->min_frequency, s->frequency);
}

static int take_symbols_mode(struct config_reader *r, const struct yaml_node *value,
			     void *field, const struct config_key *key)
{
	static const char *const words[] = { "background", "never", NULL };
	struct config_key k = *key;
	int mode = 0, err;

	k.words = words;
	err = config_take_enum(r, value, &mode, &k);
	*(bool *)field = mode;
	return err;
}

/* Joins words with blanks between them. *@ret is freed before. */
static int join(const struct config_words *w, char **ret)
{
	size_t len = 1, i;
	char *to;

	for (i = 0; i < w->nr; i++)
		len += strlen(w->word[i]) + 1;
	free(*ret);
	to = *ret = malloc(len);
	if (!to)
		return -ENOMEM;
	*to = '\0';
	for (i = 0; i < w->nr; i++) {
		if (i)
			*to++ = ' ';
		to = stpcpy(to, w->word[i]);
	}
	return 0;
}

static int take_symbols(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("mode", take_symbols_mode, struct config_symbols, never),
		CONFIG_KEY("debuginfod", config_take_urls, struct config_symbols, debuginfod),
		CONFIG_END,
	};
	struct config_symbols *s = field;

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, keys, field) ?: join(&s->debuginfod, &s->servers);
}

static int take_store(struct config_reader *r, const struct yaml_node *value, void *field,
		      const struct config_key *key)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("path", config_take_path, struct config_store, path),
		CONFIG_KEY("group", config_take_name, struct config_store, group),
		CONFIG_KEY("max_size", config_take_size, struct config_store, max_size,
			   .min = 1 << 20, .zero = true, .range = "0 or at least 1MiB"),
		CONFIG_KEY("max_age", config_take_duration, struct config_store, max_age_ns,
			   .min = 60 * NSEC_PER_SEC, .zero = true, .range = "0 or at least 1m"),
		CONFIG_END,
	};

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, keys, field);
}

static int take_kubernetes(struct config_reader *r, const struct yaml_node *value, void *field,
			   const struct config_key *key)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("names", config_take_bool, struct config_kubernetes, names),
		CONFIG_KEY("logs", config_take_path, struct config_kubernetes, logs),
		CONFIG_KEY("node", config_take_text, struct config_kubernetes, node),
		CONFIG_END,
	};

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, keys, field);
}

/* An address that other machines can reach needs a token. */
static int check_http(struct config_reader *r, const struct yaml_node *value,
		      const struct config_http *h)
{
	const struct yaml_node *at = yaml_tree_get(value, "listen");
	size_t i;

	if (h->token_file || !at)
		return 0;
	if (at->kind == YAML_SEQUENCE)
		at = at->first;
	for (i = 0; i < h->nr_listen; i++, at = at->next)
		if (!h->listen[i].loopback)
			return yaml_tree_refuse(at, r->diag,
					   "other machines can reach %s: it needs a "
					   "'token_file'", h->listen[i].text);
	return 0;
}

static int take_http(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("listen", config_take_listen, struct config_http, listen),
		CONFIG_KEY("token_file", config_take_path, struct config_http, token_file),
		CONFIG_END,
	};

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, keys, field) ?: check_http(r, value, field);
}

static int take_all(struct config_reader *r, const struct yaml_node *root,
		    struct daemon_config *cfg)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("sampling", take_sampling, struct daemon_config, sampling),
		CONFIG_KEY("labels", config_take_labels, struct daemon_config, labels),
		CONFIG_KEY("relabel", config_take_relabel, struct daemon_config, relabel),
		CONFIG_KEY("symbols", take_symbols, struct daemon_config, symbols),
		CONFIG_KEY("kubernetes", take_kubernetes, struct daemon_config, kubernetes),
		CONFIG_KEY("supply", config_take_bool, struct daemon_config, supply),
		CONFIG_KEY("store", take_store, struct daemon_config, store),
		CONFIG_KEY("http", take_http, struct daemon_config, http),
		CONFIG_KEY("user", config_take_name, struct daemon_config, user),
		CONFIG_KEY("push", config_take_push, struct daemon_config, push),
		CONFIG_END,
	};

	return config_take_keys(r, root, keys, cfg);
}

/* Takes the node's name from NODE_NAME, which a DaemonSet sets by the downward API. */
static int node_of_environment(struct daemon_config *cfg, struct diag *diag)
{
	const char *node = getenv("NODE_NAME");
	char clean[LABELS_MAX_VALUE + 1];

	if (!node || !*node)
		return 0;
	labels_clean(node, strlen(node), clean);
	if (strcmp(node, clean))
		return diag_set(diag, EINVAL, "NODE_NAME", "the environment variable is not a "
				"valid node name");
	return config_text(&cfg->kubernetes.node, node);
}

static int defaults(struct daemon_config *cfg, struct diag *diag)
{
	struct yaml_node local = { .kind = YAML_SCALAR, .text = (char *)"127.0.0.1:7071" };
	const struct config_key key = { .name = "listen" };
	struct config_reader r = { 0 };

	*cfg = (struct daemon_config){
		.sampling = {
			.frequency = 19, .mode = RECORD_AUTO, .window_ns = 10 * NSEC_PER_SEC,
			.cpu_budget = CONFIG_WHOLE / 100, .min_frequency = 1,
		},
		.supply = true, .kubernetes = { .names = true },
		.store = { .max_size = 1 << 30, .max_age_ns = 14 * NSEC_PER_DAY },
	};
	if (relabel_default(&cfg->relabel) ||
	    config_text(&cfg->sampling.samples_per_hour.label, "unit") ||
	    config_text(&cfg->symbols.servers, "") ||
	    config_text(&cfg->store.path, "/var/lib/ustack") ||
	    config_text(&cfg->kubernetes.logs, "/var/log") ||
	    config_text(&cfg->user, "ustack") ||
	    config_take_listen(&r, &local, &cfg->http.listen, &key))
		return -ENOMEM;
	return node_of_environment(cfg, diag);
}

static bool has_label(const struct config_pairs *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->pair[i].name, name))
			return true;
	return false;
}

static int add_label(struct config_pairs *l, const char *name, const char *value)
{
	struct config_pair *more;

	if (has_label(l, name))
		return 0;
	more = reallocarray(l->pair, l->nr + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	l->pair = more;
	more[l->nr++] = (struct config_pair){ 0 };
	return config_text(&more[l->nr - 1].name, name) ?:
	       config_text(&more[l->nr - 1].value, value);
}

/*
 * Adds the labels "host" and "node" unless the configuration has them. In a pod the host name is
 * the pod's, which changes with each restart, so the node's name is used there.
 */
static int add_machine(struct daemon_config *cfg)
{
	const char *node = cfg->kubernetes.node;
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) || !*host)
		strcpy(host, "localhost");
	return add_label(&cfg->labels, "host", node ?: host) ?:
	       (node ? add_label(&cfg->labels, "node", node) : 0);
}

static int is_mapping(const struct yaml_node *root, struct diag *diag)
{
	if (root->kind == YAML_MAPPING)
		return 0;
	return yaml_tree_refuse(root, diag, "the configuration has to be a mapping, not %s",
				yaml_tree_kind(root));
}

/* Merges a file into the tree of the files before it. */
static int merge_file(const struct config_file *file, struct yaml_node **tree, struct diag *diag)
{
	struct yaml_node *root = NULL;
	int err = yaml_tree_parse(file->bytes, file->len, file->name, &root, diag);

	if (err || !root)
		return err;
	if (yaml_tree_is_null(root)) {
		yaml_tree_free(root);
		return 0;
	}
	err = is_mapping(root, diag) ?: config_expand(root, diag);
	if (err)
		yaml_tree_free(root);
	else if (*tree)
		yaml_tree_merge(*tree, root);
	else
		*tree = root;
	return err;
}

static int merge_files(const struct config_file *files, size_t nr, struct yaml_node **tree,
		       struct diag *diag)
{
	size_t left = CONFIG_MAX_BYTES, i;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		if (files[i].len > left)
			return diag_set(diag, EFBIG, files[i].name, "more than %u bytes",
					CONFIG_MAX_BYTES);
		left -= files[i].len;
		err = merge_file(&files[i], tree, diag);
	}
	return err;
}

int config_parse_files(const struct config_file *files, size_t nr, struct daemon_config *ret,
		       struct diag *diag)
{
	const char *name = nr ? files[0].name : NULL;
	struct config_reader r = { diag };
	struct daemon_config cfg = { 0 };
	struct yaml_node *root = NULL;
	int err;

	err = merge_files(files, nr, &root, diag);
	if (!err)
		err = defaults(&cfg, diag);
	if (!err && root)
		err = take_all(&r, root, &cfg);
	if (!err)
		err = add_machine(&cfg) ?: config_pack(files, nr, &cfg);
	yaml_tree_free(root);
	if (err) {
		config_free(&cfg);
		return err == -ENOMEM ? diag_errno(diag, ENOMEM, name) : err;
	}
	*ret = cfg;
	return 0;
}

static void free_http(struct config_http *h)
{
	size_t i;

	for (i = 0; i < h->nr_listen; i++)
		free(h->listen[i].text);
	free(h->listen);
	free(h->token_file);
}

static void free_thinning(struct config_thinning *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->target[i].name);
	free(t->target);
	free(t->label);
}

void config_free(struct daemon_config *cfg)
{
	size_t i;

	free_thinning(&cfg->sampling.samples_per_hour);
	config_free_pairs(&cfg->labels);
	relabel_free(cfg->relabel);
	config_free_words(&cfg->symbols.debuginfod);
	free(cfg->symbols.servers);
	free(cfg->kubernetes.logs);
	free(cfg->kubernetes.node);
	free(cfg->store.path);
	free(cfg->store.group);
	free_http(&cfg->http);
	free(cfg->user);
	for (i = 0; i < cfg->nr_push; i++)
		config_free_push(&cfg->push[i]);
	free(cfg->push);
	free(cfg->bytes);
	*cfg = (struct daemon_config){ 0 };
}

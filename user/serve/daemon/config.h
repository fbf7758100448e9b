/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's configuration: a file of YAML, strictly read. What every key means, and what
 * it is if nothing is said, is in Documentation/configuration.md and dist/ustackd.yaml.
 *
 *	struct daemon_config cfg = { 0 };
 *
 *	err = config_load("/etc/ustack/ustackd.yaml", &cfg, &diag);
 *	...
 *	config_free(&cfg);
 *
 * An unknown key, a key twice, a value of the wrong kind or out of its range, a rule of
 * relabelling that does not hold: nothing is loaded, and diag says line, column and reason.
 * A key without a value (null) is as if it were not there.
 *
 * Nothing in it is secret: tokens and passwords are in files that it names, which are read
 * when they are needed (config_secret_read()), so that they may change.
 *
 * Context: a loaded configuration is changed by nobody, and may be read by any thread; the
 * rules in @relabel are for one thread at a time.
 */
#ifndef USTACK_USER_DAEMON_CONFIG_H
#define USTACK_USER_DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "serve/push/push.h"
#include "capture/record/session.h"
#include "util/diag.h"

struct relabel;

/* Bytes of all files of a configuration together, of which 64 KiB are a long one; and bytes
 * of values that have references to the environment.
 */
#define CONFIG_MAX_BYTES (1u << 20)
/* The main file and those of conf.d. */
#define CONFIG_MAX_FILES 256u
/* Bytes of a file with a token or a password. */
#define CONFIG_MAX_SECRET (64u << 10)

/* What a share of CPU time is counted in: 1 % is 10,000. */
#define CONFIG_WHOLE 1000000u

/* Two words. */
struct config_pair {
	char *name;
	char *value;
};

/**
 * struct config_pairs - a map from words to words
 * @pair: in the order of the file; no name twice
 * @nr: of them
 */
struct config_pairs {
	struct config_pair *pair;
	size_t nr;
};

/**
 * struct config_words - a list of words
 * @word: in the order of the file, and NULL; NULL if the key is not there
 * @nr: of them
 */
struct config_words {
	char **word;
	size_t nr;
};

/* @name may have so many samples in an hour; 0 is no limit. */
struct config_target {
	char *name;
	uint64_t samples;
};

/**
 * struct config_thinning - samples_per_hour
 * @label: whose value names a service; after relabelling
 * @by_default: samples in an hour of a service that @target does not have; 0 is no limit
 * @target: no name twice
 * @nr: of @target
 */
struct config_thinning {
	char *label;
	uint64_t by_default;
	struct config_target *target;
	size_t nr;
};

/**
 * struct config_sampling - sampling
 * @frequency: Hz
 * @off_cpu: sample waits, too
 * @off_cpu_min_ns: shorter ones are left out
 * @mode: of taking stacks
 * @window_ns: length of a window
 * @cpu_budget: of the time of all CPUs together, in parts of CONFIG_WHOLE; 0 is no budget
 * @min_frequency: the budget lowers the rate no further; at most @frequency
 * @samples_per_hour: thinning
 */
struct config_sampling {
	uint32_t frequency;
	bool off_cpu;
	uint64_t off_cpu_min_ns;
	enum record_mode mode;
	uint64_t window_ns;
	uint32_t cpu_budget;
	uint32_t min_frequency;
	struct config_thinning samples_per_hour;
};

/**
 * struct config_symbols - symbols
 * @never: profiles stay raw
 * @debuginfod: URLs
 * @servers: the same in one text, as struct record_options has it
 */
struct config_symbols {
	bool never;
	struct config_words debuginfod;
	char *servers;
};

/**
 * struct config_store - store
 * @path: absolute
 * @group: who may read it; NULL: nobody else
 * @max_size: bytes; 0 is no limit
 * @max_age_ns: 0 is no limit
 */
struct config_store {
	char *path;
	char *group;
	uint64_t max_size;
	uint64_t max_age_ns;
};

/**
 * struct config_kubernetes - kubernetes
 * @names: pods and containers have names
 * @logs: folder in which a kubelet keeps its folders, absolute
 * @node: name of this node; NULL if it is none, or not known
 */
struct config_kubernetes {
	bool names;
	char *logs;
	char *node;
};

/**
 * struct config_address - where to listen
 * @text: as it is in the file
 * @loopback: nobody outside of the machine can reach it
 * @addr: for bind(2)
 * @len: of @addr
 */
struct config_address {
	char *text;
	bool loopback;
	struct sockaddr_storage addr;
	socklen_t len;
};

/**
 * struct config_http - http
 * @listen: no address twice
 * @nr_listen: 0 is no server
 * @token_file: absolute; NULL only if all of @listen are loopback
 */
struct config_http {
	struct config_address *listen;
	size_t nr_listen;
	char *token_file;
};

/**
 * struct config_push - a target
 * @name: as push_check() has it; begins with a letter or digit. No two targets have the same
 * @type: the protocol
 * @url: http:// or https://, without a user or password
 * @token_file: absolute, or NULL; excludes the next two
 * @user: or NULL
 * @password_file: absolute; NULL only without @user
 * @headers: of each request; names and values as RFC 9110 has them, and none that would
 *           carry a secret or that the protocol sets
 * @ca_file: certificates of who may have signed the server's, absolute; NULL is the
 *           machine's
 * @timeout_ns: of a request
 * @batch: windows in a request, at most
 * @database: of ClickHouse; NULL is %CLICKHOUSE_DEFAULT_DATABASE
 * @proxy: http://HOST:PORT, or NULL for none
 * @services: labels of which the first that a sample has names its service; word is NULL
 *            for the protocol's default
 * @keep: labels that stay on samples; word is NULL for the protocol's default
 */
struct config_push {
	char *name;
	enum push_type type;
	char *url;
	char *token_file;
	char *user;
	char *password_file;
	struct config_pairs headers;
	char *ca_file;
	uint64_t timeout_ns;
	uint32_t batch;
	char *database;
	char *proxy;
	struct config_words services;
	struct config_words keep;
};

#define CONFIG_MAX_NAME 64u
#define CONFIG_MAX_LISTEN 8u

/**
 * struct daemon_config - all of it
 * @sampling: how
 * @labels: of the machine, "host" always among them, and "node" if there is one; names as
 *          relabel.h has them
 * @relabel: rules, those of relabel_default() if the file has none
 * @symbols: whether and from where
 * @kubernetes: names of pods
 * @supply: the module gets tables
 * @store: on disk
 * @http: the page, the API and the metrics
 * @user: whom to become
 * @push: targets
 * @nr_push: of them
 * @bytes: the files that it was read from, @len bytes, for config_load_packed()
 * @len: 0 if there are none
 */
struct daemon_config {
	struct config_sampling sampling;
	struct config_pairs labels;
	struct relabel *relabel;
	struct config_symbols symbols;
	struct config_kubernetes kubernetes;
	bool supply;
	struct config_store store;
	struct config_http http;
	char *user;
	struct config_push *push;
	size_t nr_push;
	char *bytes;
	size_t len;
};

/**
 * config_load() - read a file, and those that override it
 * @path: the file; NULL for what is if nothing is said
 * @ret: written on success only; released by config_free()
 * @diag: its file is @path, or its text begins with the name of another file; then "line L,
 *        column C: " where there is such a place, or "offset N: " where bytes are no UTF-8; may
 *        be NULL
 *
 * The files *.yaml of the folder conf.d beside @path are read after it, in the order of the
 * bytes of their names. Each overrides those before it as yaml_tree_merge() does.
 *
 * Return: 0; -EINVAL: what it says does not hold; -EFBIG; -E2BIG: too many files; -EPERM: files
 * of conf.d of another user; -ENOMEM; a negative errno of reading.
 */
int config_load(const char *path, struct daemon_config *ret, struct diag *diag);

/* The folder conf.d beside a file. Return: freed by the caller; NULL without memory. */
char *config_folder(const char *path);

/* The same of the bytes of an earlier struct daemon_config, which are in a file. */
int config_load_packed(const char *path, struct daemon_config *ret, struct diag *diag);

/**
 * struct config_file - a file of a configuration, in memory
 * @name: for diag
 * @bytes: UTF-8
 * @len: of @bytes
 */
struct config_file {
	const char *name;
	const char *bytes;
	size_t len;
};

/**
 * config_parse_files() - the same of files in memory
 * @files: the main one first; each overrides those before it
 * @nr: of them; 0 for what is if nothing is said
 * @ret: as above
 * @diag: its file is the name of one of @files; may be NULL
 *
 * Return: as above.
 */
int config_parse_files(const struct config_file *files, size_t nr, struct daemon_config *ret,
		       struct diag *diag);

/* The same of one file. */
int config_parse(const char *bytes, size_t len, const char *name,
		 struct daemon_config *ret, struct diag *diag);

/* Releases what it holds. One of zeros is fine, and so is one that was freed. */
void config_free(struct daemon_config *cfg);

/**
 * config_push_options() - a target for push_start()
 * @p: push_check() takes it
 * @ret: borrows what @p has; released by config_push_release()
 *
 * Return: 0 or -ENOMEM.
 */
int config_push_options(const struct config_push *p, struct push_options *ret);
void config_push_release(struct push_options *o);

/* Parts of a configuration. */
#define CONFIG_SAMPLING 1u	/* but for samples_per_hour */
#define CONFIG_THINNING 2u
#define CONFIG_LABELS 4u
#define CONFIG_RELABEL 8u
#define CONFIG_SYMBOLS 16u
#define CONFIG_SUPPLY 32u
#define CONFIG_STORE_PATH 64u
#define CONFIG_STORE_LIMITS 128u
#define CONFIG_HTTP 256u
#define CONFIG_USER 512u
#define CONFIG_PUSH 1024u
#define CONFIG_KUBERNETES 2048u

/* Which parts differ. Return: CONFIG_*; 0: @a is as good as @b. */
unsigned int config_changes(const struct daemon_config *a, const struct daemon_config *b);

/**
 * config_secret_read() - a token or a password
 * @path: regular file with one line of text
 * @ret: the line without its end; released by config_secret_free()
 * @others: set to whether users who are neither the file's owner nor of its group may read
 *          it, on which people want to be warned; may be NULL
 * @diag: its file is @path; may be NULL
 *
 * Return: 0; -EINVAL if it is not a regular file, empty, or has control characters or
 * several lines; -EFBIG; -ENOMEM; a negative errno of reading.
 */
int config_secret_read(const char *path, char **ret, bool *others, struct diag *diag);
/* Overwrites it first. NULL is fine. */
void config_secret_free(char *secret);

#endif /* USTACK_USER_DAEMON_CONFIG_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's configuration, read from YAML files and strictly checked.
 * Documentation/configuration.md and dist/ustackd.yaml explain every key and its default.
 *
 *	struct daemon_config cfg = { 0 };
 *
 *	err = config_load("/etc/ustack/ustackd.yaml", &cfg, &diag);
 *	...
 *	config_free(&cfg);
 *
 * Nothing is loaded if there is an unknown key, a key twice, a value of the wrong kind or out of
 * its range, or an invalid relabelling rule. The diag then says line, column and reason. A key
 * without a value (null) counts as absent.
 *
 * The configuration holds no secrets. Tokens and passwords are in files that it names. They are
 * read when they are needed (config_secret_read()), so they may change.
 *
 * Context: a loaded configuration does not change, and any thread may read it. The rules in
 * @relabel are for one thread at a time.
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

/* Limit for the bytes of all files of a configuration together (64 KiB is a long one), and for the
 * bytes of values after environment variables have been replaced.
 */
#define CONFIG_MAX_BYTES (1u << 20)
/* Number of files: the main one and those of conf.d. */
#define CONFIG_MAX_FILES 256u
/* Bytes of a file with a token or a password. */
#define CONFIG_MAX_SECRET (64u << 10)

/* Shares of CPU time are counted in parts of this: 1 % is 10,000. */
#define CONFIG_WHOLE 1000000u

/* A name and its value. */
struct config_pair {
	char *name;
	char *value;
};

/**
 * struct config_pairs - a map from names to values
 * @pair: the entries in the order of the file; no name occurs twice
 * @nr: number of entries in @pair
 */
struct config_pairs {
	struct config_pair *pair;
	size_t nr;
};

/**
 * struct config_words - a list of words
 * @word: the words in the order of the file, ended by NULL; NULL if the key is absent
 * @nr: number of words
 */
struct config_words {
	char **word;
	size_t nr;
};

/* A service, @name, and how many of its samples are kept in an hour; 0 means no limit. */
struct config_target {
	char *name;
	uint64_t samples;
};

/**
 * struct config_thinning - the key samples_per_hour
 * @label: key of the label whose value is the service's name, after relabelling
 * @by_default: samples in an hour for services that are not in @target; 0 means no limit
 * @target: limits of single services; no name occurs twice
 * @nr: number of entries in @target
 */
struct config_thinning {
	char *label;
	uint64_t by_default;
	struct config_target *target;
	size_t nr;
};

/**
 * struct config_sampling - the key sampling
 * @frequency: sampling rate in Hz
 * @off_cpu: also sample threads that wait
 * @off_cpu_min_ns: shorter waits are left out
 * @mode: how stacks are taken
 * @window_ns: length of a window
 * @cpu_budget: limit for the time of all CPUs together, in parts of CONFIG_WHOLE; 0 means none
 * @min_frequency: lowest rate that the budget may set, in Hz; at most @frequency
 * @samples_per_hour: limits for the samples of each service
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
 * struct config_symbols - the key symbols
 * @never: do not look up names of functions
 * @debuginfod: URLs of debuginfod servers
 * @servers: the same URLs in one text, as struct record_options needs them
 */
struct config_symbols {
	bool never;
	struct config_words debuginfod;
	char *servers;
};

/**
 * struct config_store - the key store
 * @path: absolute path of the folder
 * @group: name of the group that may read it; NULL: only the owner may
 * @max_size: limit in bytes; 0 means no limit
 * @max_age_ns: limit for the age of windows; 0 means no limit
 */
struct config_store {
	char *path;
	char *group;
	uint64_t max_size;
	uint64_t max_age_ns;
};

/**
 * struct config_kubernetes - the key kubernetes
 * @names: look up names of pods and containers
 * @logs: absolute path of the folder that has the kubelet's folders "pods" and "containers"
 * @node: name of this node; NULL if it is unknown, or this machine is not a node
 */
struct config_kubernetes {
	bool names;
	char *logs;
	char *node;
};

/**
 * struct config_address - an address to listen on
 * @text: the address as it is in the file
 * @loopback: only this machine can reach it
 * @addr: the address for bind(2)
 * @len: length of @addr
 */
struct config_address {
	char *text;
	bool loopback;
	struct sockaddr_storage addr;
	socklen_t len;
};

/**
 * struct config_http - the key http
 * @listen: addresses to listen on; none occurs twice
 * @nr_listen: number of entries in @listen; 0 means no server
 * @token_file: absolute path of the file with the token; NULL only if all of @listen are loopback
 */
struct config_http {
	struct config_address *listen;
	size_t nr_listen;
	char *token_file;
};

/**
 * struct config_push - an upload target
 * @name: name that push_check() accepts; begins with a letter or digit. Names are unique
 * @type: the protocol
 * @url: http:// or https://, without a user or password
 * @token_file: absolute path of the file with the token, or NULL; excludes @user
 * @user: user name, or NULL
 * @password_file: absolute path of the file with the password; NULL only without @user
 * @headers: additional headers of each request, valid by RFC 9110; none may carry a secret or be
 *           one that the protocol sets
 * @ca_file: absolute path of the certificates that may sign the server's; NULL for the machine's
 * @timeout_ns: time limit of a request
 * @batch: largest number of windows in a request
 * @database: database of ClickHouse; NULL for %CLICKHOUSE_DEFAULT_DATABASE
 * @proxy: http://HOST:PORT, or NULL for none
 * @services: label keys; the first one that a sample has names its service. Its word is NULL for
 *            the protocol's default
 * @keep: keys of labels that stay on samples; its word is NULL for the protocol's default
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
 * struct daemon_config - the whole configuration
 * @sampling: how samples are taken
 * @labels: labels of the machine; always has "host", and "node" if it is known; keys are valid by
 *          relabel.h
 * @relabel: relabelling rules, those of relabel_default() if the file has none
 * @symbols: whether and from where names of functions are looked up
 * @kubernetes: how names of pods are looked up
 * @supply: whether the module gets tables
 * @store: the store on disk
 * @http: the server of the page, the API and the metrics
 * @user: name of the user to run as
 * @push: upload targets
 * @nr_push: number of entries in @push
 * @bytes: the files that it was read from, packed for config_load_packed()
 * @len: length of @bytes; 0 if there were no files
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
 * config_load() - read a configuration file, and those that override it
 * @path: path of the file; NULL for the defaults
 * @ret: written on success only; released by config_free()
 * @diag: names @path as its file, or begins its text with the name of another file. Then follows
 *        "line L, column C: " if the place is known, or "offset N: " for bytes that are not UTF-8;
 *        may be NULL
 *
 * The files *.yaml of the folder conf.d beside @path are read after it, in the order of the
 * bytes of their names. Each overrides those before it as yaml_tree_merge() does.
 *
 * Return: 0; -EINVAL for an invalid configuration; -EFBIG; -E2BIG for too many files; -EPERM if a
 * file of conf.d belongs to another user; -ENOMEM; a negative errno of reading.
 */
int config_load(const char *path, struct daemon_config *ret, struct diag *diag);

/* Return: path of the folder conf.d beside a file, freed by the caller; NULL without memory. */
char *config_folder(const char *path);

/* Does the same for a file that holds the @bytes of an earlier struct daemon_config. */
int config_load_packed(const char *path, struct daemon_config *ret, struct diag *diag);

/**
 * struct config_file - a file of a configuration, in memory
 * @name: name of the file, for diag
 * @bytes: content of the file, UTF-8
 * @len: length of @bytes
 */
struct config_file {
	const char *name;
	const char *bytes;
	size_t len;
};

/**
 * config_parse_files() - parse a configuration from files in memory
 * @files: the files, the main one first; each overrides those before it
 * @nr: number of entries in @files; 0 for the defaults
 * @ret: written on success only; released by config_free()
 * @diag: names one of @files as its file; may be NULL
 *
 * Return: as config_load().
 */
int config_parse_files(const struct config_file *files, size_t nr, struct daemon_config *ret,
		       struct diag *diag);

/* Releases what @cfg holds, and clears it. It may be all zero, or freed already. */
void config_free(struct daemon_config *cfg);

/**
 * config_push_options() - make the options for push_start() from a target
 * @p: the target, valid by push_check()
 * @ret: borrows texts of @p; released by config_push_release()
 *
 * Return: 0 or -ENOMEM.
 */
int config_push_options(const struct config_push *p, struct push_options *ret);
void config_push_release(struct push_options *o);

/* Parts of a configuration. */
#define CONFIG_SAMPLING 1u	/* without samples_per_hour */
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

/* Compares two configurations. Return: the parts that differ, CONFIG_*; 0 if none does. */
unsigned int config_changes(const struct daemon_config *a, const struct daemon_config *b);

/**
 * config_secret_read() - read a token or a password from a file
 * @path: path of a regular file with one line of text
 * @ret: the line without its end; released by config_secret_free()
 * @others: set to whether users other than the owner and the group may read the file, so that the
 *          caller can warn; may be NULL
 * @diag: names @path as its file; may be NULL
 *
 * Return: 0; -EINVAL if it is not a regular file, empty, or has control characters or
 * several lines; -EFBIG; -ENOMEM; a negative errno of reading.
 */
int config_secret_read(const char *path, char **ret, bool *others, struct diag *diag);
/* Overwrites a secret and frees it. It may be NULL. */
void config_secret_free(char *secret);

#endif /* USTACK_USER_DAEMON_CONFIG_H */

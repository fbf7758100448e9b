// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of the sampling process: it loads the configuration, drops privileges, opens the store,
 * starts the serving process, and runs sessions (daemon_windows.c) until a signal ends it. SIGHUP
 * loads the configuration again.
 */
#include "serve/daemon/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "serve/daemon/daemon_private.h"
#include "serve/daemon/log.h"
#include "serve/daemon/notify.h"
#include "host/jail/privilege.h"
#include "capture/sampler/tracefs.h"
#include "util/clock.h"
#include "util/file.h"

#include "util/poison.h"

#define CAP(c) (1ull << CAP_##c)
/* Capabilities that stay, for sampling, other processes' mappings and files, the kernel's
 * addresses and tables. SETUID and SETGID let the workers that parse files change their user.
 */
#define KEPT (CAP(BPF) | CAP(PERFMON) | CAP(IPC_LOCK) | CAP(SYS_PTRACE) | \
	      CAP(CHECKPOINT_RESTORE) | CAP(DAC_READ_SEARCH) | CAP(SYSLOG) | \
	      CAP(SETUID) | CAP(SETGID))

/* Bytes of definitions of a segment. They stay in memory until the segment ends, and take two to
 * three times as many bytes there. A machine with many CPUs has more definitions in each window,
 * and more memory.
 */
#define SEGMENT_DEFINITIONS_A_CPU (512u << 10)
#define SEGMENT_DEFINITIONS_LEAST (1u << 20)

const char *daemon_config_path(const char *config)
{
	if (config)
		return config;
	/* A file that exists but cannot be read is an error, not the same as no file. Files in
	 * conf.d without the file that they override are an error, too.
	 */
	return access(DAEMON_CONFIG, F_OK) && errno == ENOENT &&
	       access(DAEMON_CONFIG_FOLDER, F_OK) && errno == ENOENT ? NULL : DAEMON_CONFIG;
}

static uint64_t segment_definitions(void)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_NPROCESSORS_CONF) * SEGMENT_DEFINITIONS_A_CPU;

	if (bytes < SEGMENT_DEFINITIONS_LEAST)
		return SEGMENT_DEFINITIONS_LEAST;
	return bytes < STORE_DEFAULT_SEGMENT_DEFINITIONS ? bytes :
							   STORE_DEFAULT_SEGMENT_DEFINITIONS;
}

static struct store_options limits_of(const struct daemon *d)
{
	return (struct store_options){
		.max_bytes = d->cfg.store.max_size, .max_age_ns = d->cfg.store.max_age_ns,
		.segment_definitions = segment_definitions(),
		.shared = d->shared_store, .group = d->store_group,
		.note = daemon_note, .arg = (void *)d,
	};
}

/* Takes the budget from the configuration. A new frequency also becomes the current rate. */
static void budget_of(struct daemon *d)
{
	const struct config_sampling *s = &d->cfg.sampling;
	bool new = d->budget.most != s->frequency;

	d->budget.share = s->cpu_budget;
	d->budget.least = s->min_frequency;
	d->budget.most = s->frequency;
	if (new)
		d->budget.hz = s->frequency;
}

/* Makes the store's folder. One that root owns, as systemd makes it, is given to the user. */
static int make_folder(const char *dir, const struct privilege_user *user, struct diag *diag)
{
	struct stat st;
	int fd, err = 0;

	if (mkdir(dir, 0700) && errno != EEXIST)
		return diag_errno(diag, errno, dir);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) ||
	    (!st.st_uid && !geteuid() && fchown(fd, user->uid, user->gid)))
		err = diag_errno(diag, errno, dir);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Finds the user to run as, and the group that may read the store. */
static int find_user(struct daemon *d, struct privilege_user *user, struct diag *diag)
{
	const char *name = d->options->user ? d->options->user : d->cfg.user;
	int err = 0;

	if (name && *name && !geteuid())
		err = privilege_find(name, user, diag);
	if (err || !d->cfg.store.group)
		return err;
	err = privilege_find_group(d->cfg.store.group, &d->store_group, diag);
	d->shared_store = user->has_group = !err;
	user->group = d->store_group;
	return err;
}

/* Becomes the configured user, who owns the files that are made from here on. */
static int become(struct daemon *d, struct diag *diag)
{
	struct privilege_user user = { .uid = getuid(), .gid = getgid() };
	int err = find_user(d, &user, diag);

	if (err)
		return err;
	umask(077);
	file_raise_limit();
	err = make_folder(d->dir, &user, diag);
	if (err || geteuid())
		return err;
	/* always, because a later reload may need tracefs and can no longer mount it */
	tracefs_find();
	privilege_lock();
	return privilege_drop_to(&user, KEPT, diag);
}

/* Applies changes that need no new session. Return: whether others do. */
static bool apply(struct daemon *d, unsigned int changes, const struct config_sampling *before)
{
	const struct config_sampling *now = &d->cfg.sampling;
	struct store_options limits = limits_of(d);

	store_limits(d->store, &limits);
	budget_of(d);
	if (changes & (CONFIG_STORE_PATH | CONFIG_USER))
		daemon_log(LOG_IS_WARNING,
			   "store.path, store.group and user change when the daemon is restarted");
	if (changes & (CONFIG_HTTP | CONFIG_PUSH | CONFIG_LABELS | CONFIG_STORE_PATH))
		serving_restart(&d->serving);
	return changes & (CONFIG_SYMBOLS | CONFIG_SUPPLY) ||
	       (changes & CONFIG_SAMPLING &&
		(now->mode != before->mode || now->off_cpu != before->off_cpu ||
		 now->off_cpu_min_ns != before->off_cpu_min_ns));
}

/*
 * Replaces @d->cfg by @new, and puts the old one into @new. After an error @d->cfg is as before.
 * @again: whether a new session is needed.
 */
static int take_config(struct daemon *d, struct daemon_config *new, unsigned int *changes,
		       bool *again, struct diag *diag)
{
	struct daemon_config old = d->cfg;
	int err = serving_configure(&d->serving, new->bytes, new->len, diag);

	if (err)
		return err;
	err = daemon_rules(d, new, diag);
	if (err) {
		serving_configure(&d->serving, old.bytes, old.len, NULL);
		return err;
	}
	*changes = config_changes(&old, new);
	d->cfg = *new;
	*again = apply(d, *changes, &old.sampling);
	*new = old;
	return 0;
}

bool daemon_reload(struct daemon *d)
{
	struct daemon_config cfg = { 0 };
	unsigned int changes;
	struct diag diag;
	bool again;

	notify_send(NULL, "RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)(clock_ns(CLOCK_MONOTONIC) / 1000));
	if (config_load(daemon_config_path(d->options->config), &cfg, &diag) ||
	    take_config(d, &cfg, &changes, &again, &diag)) {
		daemon_log(LOG_IS_ERROR, "%s: %s: the previous configuration stays in use",
			   diag.file ? diag.file : "the configuration", diag.text);
		config_free(&cfg);
		notify_send(NULL, "READY=1");
		return false;
	}
	/* keep the old one to go back to: the next session may fail on this machine */
	if (again && !d->earlier.bytes)
		d->earlier = cfg;
	else
		config_free(&cfg);
	daemon_log(LOG_IS_NOTE, "the configuration was read again: %s",
		   again ? "another session begins" : changes ? "it is in use from now on" :
							       "nothing has changed");
	notify_send(NULL, "READY=1");
	return again;
}

/*
 * Goes back to the previous configuration. A valid configuration may ask for something that this
 * machine cannot do; a daemon that has sampled before goes on as before. Return: 0; @err if there
 * is nothing to go back to.
 */
static int go_back(struct daemon *d, int err, struct diag *diag)
{
	struct daemon_config cfg = d->earlier;
	unsigned int changes;
	char why[512];
	bool again;

	if (d->started || !cfg.bytes)
		return err;
	diag_format(diag, why, sizeof(why));
	d->earlier = (struct daemon_config){ 0 };
	err = take_config(d, &cfg, &changes, &again, diag);
	if (!err)
		daemon_log(LOG_IS_ERROR, "%s: the previous configuration is in use again", why);
	config_free(&cfg);
	return err;
}

/*
 * Opens a descriptor that SIGHUP is read from. Child processes get the old signal mask, @d->mask.
 */
static int take_hup(struct daemon *d, struct diag *diag)
{
	sigset_t hup;

	sigemptyset(&hup);
	sigaddset(&hup, SIGHUP);
	sigprocmask(SIG_BLOCK, &hup, &d->mask);
	d->hup = signalfd(-1, &hup, SFD_NONBLOCK | SFD_CLOEXEC);
	return d->hup < 0 ? diag_errno(diag, errno, "signalfd") : 0;
}

static int set_up(struct daemon *d, struct diag *diag)
{
	struct store_options limits;
	int err;

	err = config_load(daemon_config_path(d->options->config), &d->cfg, diag);
	if (err)
		return err;
	/* fixed from here on: a new path in a reloaded configuration waits for the next start */
	d->dir = strdup(d->options->store ? d->options->store : d->cfg.store.path);
	err = d->dir ? daemon_rules(d, &d->cfg, diag) : diag_errno(diag, ENOMEM, NULL);
	if (!err)
		err = become(d, diag);
	if (!err)
		err = take_hup(d, diag);
	if (!err)
		err = shared_new(&d->shared, diag);
	if (err)
		return err;
	limits = limits_of(d);
	err = store_open(d->dir, &limits, &d->store, diag);
	if (err)
		return err;
	d->queue.store = d->store;
	store_end(d->store, &d->queue.end);
	budget_of(d);
	d->state = (struct shared_state){
		.pid = (uint32_t)getpid(), .began_ns = clock_ns(CLOCK_REALTIME),
		.end = d->queue.end,
	};
	shared_write(d->shared, &d->state);
	if (d->options->no_front)
		return 0;
	d->serving.verbose = d->options->verbose;
	return serving_configure(&d->serving, d->cfg.bytes, d->cfg.len, diag) ?:
	       serving_start(&d->serving, d->dir, d->shared, diag);
}

static void tear_down(struct daemon *d)
{
	serving_stop(&d->serving);
	window_queue_release(&d->queue);
	if (d->queue.dropped)
		daemon_log(LOG_IS_ERROR, "%llu windows could not be stored",
			   (unsigned long long)d->queue.dropped);
	store_close(d->store);
	daemon_windows_free(d);
	shared_free(d->shared);
	config_free(&d->cfg);
	config_free(&d->earlier);
	free(d->dir);
	if (d->hup >= 0)
		close(d->hup);
}

int daemon_run(const struct daemon_options *options, struct diag *diag)
{
	struct daemon d = { .options = options, .hup = -1, .serving = SERVING_INIT };
	struct diag own;
	int err;

	diag = diag ?: &own;
	prctl(PR_SET_NAME, "ustackd");
	err = set_up(&d, diag);

	while (!err) {
		err = daemon_session(&d, diag);
		if (err)
			err = go_back(&d, err, diag);
		else if (!d.again)
			break;
	}
	notify_send(NULL, "STOPPING=1");
	/* the file's name may be a text of the configuration, which is freed below */
	if (err)
		diag_copy_name(diag);
	tear_down(&d);
	return err;
}

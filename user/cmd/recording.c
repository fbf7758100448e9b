// SPDX-License-Identifier: GPL-2.0-only
/* Turns the options of record and top into the options of a recording session. */
#include "recording.h"

#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/array.h"
#include "util/cleanup.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define MAX_RATE 100000u
/*
 * Rate for "-F max". A sample takes some microseconds: at the kernel's own limit, 100,000, a
 * program would have almost nothing of its CPU, and take minutes for half a second of work.
 */
#define MAX_WORD_RATE 20000

void recording_release(struct recording *r)
{
	free(r->pid.id);
	free(r->tid.id);
	free(r->event_words);
}

static bool parse_ids(const char *list, struct recording_ids *ret)
{
	_cleanup_(cleanup_free) char *words = list ? strdup(list) : NULL;
	char *word, *at = words;
	uint64_t v;

	while (at && (word = strsep(&at, ","))) {
		if (!option_parse_u64(word, &v) || !v || v > INT32_MAX ||
		    !array_has_room(ret->id, ret->nr, ret->room))
			return false;
		ret->id[ret->nr++] = (uint32_t)v;
	}
	return !list || ret->nr;
}

static bool parse_rate(const char *text, uint32_t *ret)
{
	int64_t allowed;
	uint64_t v;

	if (!strcmp(text, "max"))
		v = sysctl_kernel("perf_event_max_sample_rate", &allowed) && allowed > 0 &&
		    allowed < MAX_WORD_RATE ? (uint64_t)allowed : MAX_WORD_RATE;
	else if (!option_parse_u64(text, &v) || !v || v > MAX_RATE)
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* Finds a user by name or number. */
static bool parse_user(const char *text, uid_t *ret)
{
	const struct passwd *user = getpwnam(text);
	uint64_t v;

	if (!user && (!option_parse_u64(text, &v) || v > UINT32_MAX))
		return false;
	*ret = user ? user->pw_uid : (uid_t)v;
	return true;
}

/* Finds all processes of a user except this one. Return: false without memory or /proc. */
static bool find_processes(uid_t user, struct recording_ids *ret)
{
	_cleanup_(cleanup_dir) DIR *dir = opendir("/proc");
	const struct dirent *d;
	struct stat st;
	uint64_t pid;

	while (dir && (d = readdir(dir))) {
		if (!option_parse_u64(d->d_name, &pid) || pid == (uint64_t)getpid() ||
		    fstatat(dirfd(dir), d->d_name, &st, 0) || st.st_uid != user)
			continue;
		if (!array_has_room(ret->id, ret->nr, ret->room))
			return false;
		ret->id[ret->nr++] = (uint32_t)pid;
	}
	return dir;
}

static int check_user(const struct cmd_usage *usage, struct recording *r)
{
	uid_t user;

	if (!r->owner)
		return CMD_RUN;
	if (!parse_user(r->owner, &user))
		return cmd_bad_usage(usage, "-u: there is no user '%s'", r->owner);
	if (!find_processes(user, &r->pid) || !r->pid.nr)
		return cmd_bad_usage(usage, "-u: '%s' has no process", r->owner);
	return CMD_RUN;
}

/* Finds the comma that ends an event; commas between slashes belong to the event. */
static char *event_end(char *s)
{
	bool inside = false;

	for (; *s; s++) {
		inside ^= *s == '/';
		if (*s == ',' && !inside)
			return s;
	}
	return NULL;
}

static bool add_event(struct recording *r, const char *name)
{
	bool rate = sampler_event_has_rate(name);

	if (!name[0] || r->nr_events == SAMPLER_MAX_EVENTS)
		return false;
	r->event[r->nr_events++] = (struct sampler_event){
		.name = name,
		.frequency = rate && !r->period.set ? r->frequency : 0,
		.period = rate ? r->period.value : 0,
	};
	return true;
}

static bool parse_events(struct recording *r)
{
	char *at, *end;
	bool good = true;

	r->event_words = strdup(r->events ? r->events : r->off_cpu ? "" : "cpu-clock");
	at = r->event_words;
	while (good && at && *at) {
		end = event_end(at);
		if (end)
			*end++ = '\0';
		good = add_event(r, at);
		at = end;
	}
	if (good && r->off_cpu && r->nr_events < SAMPLER_MAX_EVENTS)
		r->event[r->nr_events++] = (struct sampler_event){ .name = "off-cpu" };
	return good && r->nr_events;
}

const char *recording_mode_word(unsigned int i)
{
	static const char *const names[] = {
		[RECORD_AUTO] = "auto", [RECORD_BPF] = "bpf", [RECORD_COPY] = "copy",
		[RECORD_TABLES] = "tables",
	};

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

static bool parse_mode(const char *s, enum record_mode *ret)
{
	const char *word;
	unsigned int i;

	for (i = 0; (word = recording_mode_word(i)); i++)
		if (!strcmp(s, word)) {
			*ret = i;
			return true;
		}
	return false;
}

int recording_check(const struct cmd_usage *usage, struct recording *r, int argc)
{
	int targets = r->all + !!r->pids + !!r->tids + !!r->owner + !!argc;

	if (targets != 1 && !(targets == 2 && r->pids && r->tids))
		return cmd_bad_usage(usage, "takes one of -a, -p, -t, -u or a command");
	if (!parse_ids(r->pids, &r->pid))
		return cmd_bad_usage(usage, "-p: '%s' is no list of processes", r->pids);
	if (!parse_ids(r->tids, &r->tid))
		return cmd_bad_usage(usage, "-t: '%s' is no list of threads", r->tids);
	if (!parse_rate(r->rate, &r->frequency))
		return cmd_bad_usage(usage, "-F: 1 to %u samples a second, or max", MAX_RATE);
	if (r->period.set && !r->period.value)
		return cmd_bad_usage(usage, "-c: at least 1");
	if (!parse_events(r))
		return cmd_bad_usage(usage, "-e: '%s' is no list of events",
				     r->events ? r->events : "");
	if (r->user && r->kernel)
		return cmd_bad_usage(usage, "takes one of --all-user and --all-kernel");
	if (!parse_mode(r->mode_name, &r->mode))
		return cmd_bad_usage(usage, "--mode: '%s' is not auto, bpf, tables or copy", r->mode_name);
	if (r->max_stack.value > SAMPLER_MAX_FRAMES)
		return cmd_bad_usage(usage, "--max-stack: up to %u", SAMPLER_MAX_FRAMES);
	if (r->stack_size.value > 65528)
		return cmd_bad_usage(usage, "--stack-size: up to 65528");
	return check_user(usage, r);
}

struct record_options recording_options(const struct recording *r, char **argv)
{
	return (struct record_options){
		.sampler = {
			.events = r->event, .nr_events = r->nr_events,
			.pids = r->pid.id, .nr_pids = r->pid.nr,
			.tids = r->tid.id, .nr_tids = r->tid.nr,
			.children = true, .cgroup = r->cgroup, .cpus = r->cpus,
			.comm = r->comm, .by_thread = r->per_thread,
			.no_user = r->kernel, .no_kernel = r->user,
			.offcpu_min_ns = r->min_wait.value * 1000,
			.max_frames = (uint32_t)r->max_stack.value,
		},
		.argv = argv, .mode = r->mode, .no_supply = r->no_supply, .native = r->native,
		.stack_bytes = (uint32_t)r->stack_size.value,
	};
}

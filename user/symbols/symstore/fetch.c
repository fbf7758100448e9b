// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetches a debug file from debuginfod servers in a jail with network access, and hands
 * the caller a descriptor of it. Called by provider_servers.c, see fetch.h.
 */
#include "symbols/symstore/fetch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/jail/jail.h"

#include "util/poison.h"

/*
 * Declared in elfutils/debuginfod.h. The library is loaded when it is needed, so that a
 * program that never fetches does not load it and libcurl.
 */
#define CLIENT "libdebuginfod.so.1"

/* Memory beyond that of the caller's process; a file is written to disk as it arrives. */
#define MEMORY (1ull << 30)

/* Functions of the library. */
struct client {
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *build_id, int len, char **path);
	void (*set_verbose_fd)(void *client, int fd);
};

static bool load(struct client *ret)
{
	void *library = dlopen(CLIENT, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return false;
	/* POSIX's way to turn the result of dlsym() into a function */
	*(void **)&ret->begin = dlsym(library, "debuginfod_begin");
	*(void **)&ret->find = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&ret->set_verbose_fd = dlsym(library, "debuginfod_set_verbose_fd");
	return ret->begin && ret->find && ret->set_verbose_fd;
}

static void set_number(const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	setenv(name, text, 1);
}

/* The client takes its settings from the environment. */
static void prepare(const struct fetch_order *order, const char *folder)
{
	setenv("DEBUGINFOD_URLS", order->urls, 1);
	setenv("DEBUGINFOD_CACHE_PATH", folder, 1);
	set_number("DEBUGINFOD_TIMEOUT", order->seconds);
	set_number("DEBUGINFOD_MAXTIME", order->seconds);
	/* limit for the size that the server announces */
	set_number("DEBUGINFOD_MAXSIZE", order->bytes);
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("DEBUGINFOD_VERBOSE");
	unsetenv("DEBUGINFOD_HEADERS_FILE");
	/* writing more than the limit must fail with an error, not end the process */
	signal(SIGXFSZ, SIG_IGN);
}

/* Sends the result to the caller: an errno, and the descriptor if that is 0. */
static int answer(int to, int err, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .room = { 0 } };
	struct iovec word = { &err, sizeof(err) };
	struct msghdr m = { .msg_iov = &word, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (!err) {
		m.msg_control = control.room;
		m.msg_controllen = sizeof(control.room);
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(to, &m, MSG_NOSIGNAL) < 0;
}

/*
 * The client returns ENOENT also for a server that fails. Its verbose output tells the
 * difference, with one line for each server: "url 0 The requested URL returned error:
 * 404". Return: whether a server failed in another way than 404.
 */
static bool has_failed(int words)
{
	char line[512], *text;
	FILE *f = fdopen(words, "r");
	bool failed = false;

	if (!f)
		return false;
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		text = line + 4 + strspn(line + 4, "0123456789");
		if (!strncmp(line, "url ", 4) && text > line + 4 && *text == ' ' &&
		    strncmp(text, " http", 5) && !strstr(text, " error: 404"))
			failed = true;
	}
	fclose(f);
	return failed;
}

static int try_it(const struct fetch_order *order, int *ret)
{
	struct client client;
	int fd, words = memfd_create("words", MFD_CLOEXEC);
	struct stat st;
	void *c;

	if (!load(&client))
		return ENOPKG;
	c = client.begin();
	if (!c || words < 0)
		return ENOMEM;
	client.set_verbose_fd(c, words);
	fd = client.find(c, order->build_id, (int)order->build_id_len, NULL);
	if (fd == -ENOENT && has_failed(words))
		return EPROTO;
	if (fd < 0)
		return -fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return EIO;
	if ((uint64_t)st.st_size >= order->bytes)
		return EFBIG;
	*ret = fd;
	return 0;
}

/* Argument of work(). @to: socket to the caller. */
struct task {
	const struct fetch_order *order;
	const char *folder;
	int to;
};

static int work(void *arg)
{
	const struct task *t = arg;
	int fd = -1, err;

	err = mkdir(t->folder, 0700) ? errno : 0;
	if (!err) {
		prepare(t->order, t->folder);
		err = try_it(t->order, &fd);
	}
	return answer(t->to, err, fd);
}

/*
 * Return: $TMPDIR if every user may create files there, else /var/tmp. The jail runs as
 * nobody, who cannot use a user's private folder.
 */
static const char *temporary(void)
{
	const char *dir = getenv("TMPDIR");
	struct stat st;

	if (dir && *dir == '/' && strlen(dir) < FETCH_DIR_BYTES && !stat(dir, &st) &&
	    S_ISDIR(st.st_mode) && (st.st_mode & 01777) == 01777)
		return dir;
	return "/var/tmp";
}

/*
 * Makes up the path of the folder. The jail creates it, running as nobody, so that it may
 * write to it.
 */
static int name_folder(char ret[FETCH_DIR_BYTES + 32])
{
	uint64_t any;

	if (getrandom(&any, sizeof(any), 0) != sizeof(any))
		return -EIO;
	snprintf(ret, FETCH_DIR_BYTES + 32, "%s/ustack-fetch-%016" PRIx64, temporary(), any);
	return 0;
}

/* Limit for removing the folder, in seconds. */
#define REMOVE_SECONDS 10u

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	remove(path);
	return 0;
}

/*
 * Opens the folder that contains @folder; the jail may write there. Return: a descriptor;
 * 0 if it does not exist.
 */
static int open_above(const char *folder)
{
	char above[FETCH_DIR_BYTES + 32];
	int fd;

	snprintf(above, sizeof(above), "%.*s", (int)(strrchr(folder, '/') - folder), folder);
	fd = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : fd;
}

static int start(struct jail *jail, const char *folder, struct jail_limits *limits,
		 int (*work_there)(void *arg), void *arg)
{
	int err;

	limits->paths = JAIL_WRITE_PATHS;
	limits->folder = open_above(folder);
	err = jail_start(jail, limits, work_there, arg);
	if (limits->folder)
		close(limits->folder);
	return err;
}

int fetch_start(struct fetch *f, const struct fetch_order *order)
{
	int pair[2], err = name_folder(f->folder);

	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	err = start(&f->jail, f->folder, &(struct jail_limits){
			.network = true, .memory = MEMORY, .file_bytes = order->bytes,
			.cpu_seconds = order->seconds + 1, .seconds = order->seconds,
			.keep = { pair[1] } },
		    work, &(struct task){ order, f->folder, pair[1] });
	close(pair[1]);
	f->answer = pair[0];
	if (err)
		close(pair[0]);
	return err;
}

static int remove_all(void *folder)
{
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/*
 * Removes the folder in a jail, as the user nobody who made its content: other processes
 * of nobody could trick root into removing other files.
 */
static void remove_folder(char *folder)
{
	struct jail_limits limits = { .seconds = REMOVE_SECONDS };
	struct jail jail = JAIL_INIT;
	struct jail_end end;

	if (!start(&jail, folder, &limits, remove_all, folder))
		jail_end(&jail, true, &end);
}

void fetch_kill(struct fetch *f)
{
	if (!f->jail.pid)
		return;
	jail_kill(&f->jail);
	close(f->answer);
	remove_folder(f->folder);
}

/* Checks the descriptor: the jail has talked to a server, and may send anything. */
static bool is_file(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/* Takes the jail's answer. Return: false if there is none yet. */
static bool take(int from, int *fd, int *err)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec word = { err, sizeof(*err) };
	struct msghdr m = {
		.msg_iov = &word, .msg_iovlen = 1,
		.msg_control = control.room, .msg_controllen = sizeof(control.room),
	};
	ssize_t n = recvmsg(from, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *c;

	*fd = -1;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(*fd)))
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	/* the jail ended without an answer, or reported success without a file */
	if (n != (ssize_t)sizeof(*err) || (!*err && !is_file(*fd)) || *err < 0)
		*err = ECONNABORTED;
	if (*err && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return true;
}

bool fetch_end(struct fetch *f, int *fd, int *err)
{
	if (!take(f->answer, fd, err)) {
		if (jail_time_left(&f->jail))
			return false;
		*err = ETIME;
	}
	fetch_kill(f);
	return true;
}

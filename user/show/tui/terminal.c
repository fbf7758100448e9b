// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens and closes the terminal, restores it when the program dies, and waits
 * for keys. See terminal.h.
 */
#include "show/tui/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <term.h>
#include <unistd.h>

#include "show/tui/internal.h"

/* after term.h, which defines a macro for each capability's name */
#include "util/poison.h"

/*
 * If the program crashes, a signal handler must restore the terminal. The same
 * holds for signals that nobody reads by signalfd.
 */
static struct {
	struct termios termios;
	int fd;
	char reset[128];
	size_t len;
} saved;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
			       SIGSYS, SIGHUP, SIGQUIT };

static void on_crash(int signal_number)
{
	ssize_t n = write(STDOUT_FILENO, saved.reset, saved.len);

	(void)n;
	tcsetattr(saved.fd, TCSANOW, &saved.termios);
	/*
	 * SA_RESETHAND has removed the handler, so this ends the program as
	 * without it
	 */
	raise(signal_number);
}

static void add_reset(const char *capability)
{
	const char *s = tigetstr(capability);
	size_t len;

	if (!s || s == (const char *)-1)
		return;
	len = strlen(s);
	if (len > sizeof(saved.reset) - saved.len)
		return;
	memcpy(saved.reset + saved.len, s, len);
	saved.len += len;
}

static void set_handlers(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = (int)SA_RESETHAND };
	size_t i;

	for (i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		sigaction(crashes[i], &action, NULL);
}

static void expect_crashes(void)
{
	saved.len = 0;
	add_reset("sgr0");
	add_reset("cnorm");
	add_reset("rmkx");
	add_reset("rmcup");
	set_handlers(on_crash);
}

/*
 * The background is the terminal's own, dark or light; the colours of texts can
 * be read on both.
 */
static void begin_colours(struct tui *t)
{
	const char *no = getenv("NO_COLOR");

	if ((no && no[0]) || !has_colors() || start_color() == ERR ||
	    use_default_colors() == ERR)
		return;
	init_pair(TUI_HOT, COLOR_RED, -1);
	init_pair(TUI_WARM, COLOR_GREEN, -1);
	init_pair(TUI_KERNEL, COLOR_MAGENTA, -1);
	t->colours = true;
}

static int open_keys(struct tui *t, struct diag *diag)
{
	t->fd = STDIN_FILENO;
	if (isatty(STDIN_FILENO))
		return 0;
	t->keys = fopen("/dev/tty", "re");
	if (!t->keys)
		return diag_set(diag, ENOTTY, "/dev/tty", "no terminal to read keys from");
	t->fd = fileno(t->keys);
	return 0;
}

static int begin_curses(struct tui *t, struct diag *diag)
{
	const char *cup;
	int err;

	if (setupterm(NULL, STDOUT_FILENO, &err) == ERR)
		return diag_set(diag, ENOTTY, NULL, "no such terminal is known (TERM)");
	cup = tigetstr("cup");
	if (!cup || cup == (const char *)-1)
		return diag_set(diag, ENOTTY, NULL, "the terminal's cursor cannot be moved");
	saved.fd = t->fd;
	if (tcgetattr(t->fd, &saved.termios))
		return diag_errno(diag, errno, "the terminal");
	t->curses = newterm(NULL, stdout, t->keys ? t->keys : stdin);
	if (!t->curses)
		return diag_set(diag, ENOTTY, NULL, "no such terminal is known (TERM)");
	expect_crashes();
	set_escdelay(50);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	begin_colours(t);
	return 0;
}

int tui_open(struct tui_model *m, const struct tui_screen *screen, struct tui **ret,
	     struct diag *diag)
{
	struct tui *t;
	int err;

	if (!isatty(STDOUT_FILENO))
		return diag_set(diag, ENOTTY, NULL, "standard output is no terminal");
	t = calloc(1, sizeof(*t));
	if (!t)
		return diag_errno(diag, ENOMEM, NULL);
	t->m = m;
	t->screen = screen;
	/* LC_CTYPE only: numbers keep their format */
	setlocale(LC_CTYPE, "");
	err = open_keys(t, diag);
	if (!err)
		err = begin_curses(t, diag);
	if (err) {
		tui_close(t);
		return err;
	}
	*ret = t;
	return 0;
}

void tui_close(struct tui *t)
{
	if (!t)
		return;
	if (t->curses) {
		endwin();
		delscreen(t->curses);
		set_handlers(SIG_DFL);
	}
	if (t->keys)
		fclose(t->keys);
	tui_listing_release(&t->listing);
	free(t);
}

int tui_fd(const struct tui *t)
{
	return t->fd;
}

int tui_input(struct tui *t)
{
	int status, result = 0;
	wint_t key;

	while (!result && (status = get_wch(&key)) != ERR)
		result = tui_key(t, key, status == KEY_CODE_YES);
	if (!result)
		tui_draw(t);
	return result;
}

/* Return: number of a signal that came, or 0. */
static int wait_for_keys(struct tui *t, int signals, int *result)
{
	struct pollfd fds[] = {
		{ .fd = t->fd, .events = POLLIN }, { .fd = signals, .events = POLLIN },
	};
	struct signalfd_siginfo info;

	if (poll(fds, 2, -1) < 0 && errno != EINTR) {
		*result = -errno;
		return 0;
	}
	if (fds[1].revents && read(signals, &info, sizeof(info)) == sizeof(info))
		return (int)info.ssi_signo;
	/* a terminal that hung up polls as readable for ever */
	if (fds[0].revents & (POLLHUP | POLLERR))
		*result = 1;
	else
		*result = tui_input(t);
	return 0;
}

int tui_run(struct tui *t)
{
	sigset_t mask, before;
	int signals, result = 0, came = 0;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGQUIT);
	sigprocmask(SIG_BLOCK, &mask, &before);
	signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals < 0)
		result = -errno;
	else
		tui_draw(t);
	while (!result && !came)
		came = wait_for_keys(t, signals, &result);
	if (signals >= 0)
		close(signals);
	if (came) {
		struct sigaction action = { .sa_handler = SIG_DFL };

		endwin();
		sigaction(came, &action, NULL);
		raise(came);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result < 0 ? result : 0;
}

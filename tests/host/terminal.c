/*
 * `nanoclaw start` on a real terminal: a person types, reads, and leaves in several ways.
 *
 *	terminal NANOCLAW
 *
 * A pseudo-terminal is the person's screen. The tests wait for text on it, or until the lock of
 * the store is free.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/bwrap.h"
#include "../harness/pseudo_terminal.h"
#include "../harness/tap.h"
#include "base/buf.h"
#include "base/error.h"
#include "fs/file.h"
#include "fs/scratch.h"

/* How long anything may take; not a measure of anything. */
#define PATIENCE_MS 120000

static char *program;
static const char *terminal_kind = "xterm";

struct terminal {
	const char *folder;
	struct scratch scratch;
	int screen;
	pid_t pid;
	struct buf seen; /* since the last thing that was waited for */
};

static void __attribute__((noreturn)) give_up(struct terminal *t, const char *what)
{
	printf("Bail out! %s; the screen shows: %s\n", what, t->seen.data);
	exit(1);
}

static void start(struct terminal *t)
{
	fflush(stdout);
	t->pid = forkpty(&t->screen, NULL, NULL, NULL);
	if (t->pid < 0)
		give_up(t, "no pseudo-terminal");
	if (!t->pid) {
		signal(SIGHUP, SIG_DFL); /* also below nohup */
		setenv("NO_COLOR", "1", 1);
		setenv("TERM", terminal_kind, 1);
		unsetenv("ASSISTANT_NAME");
		unsetenv("NANOCLAW_AGENT");
		if (!chdir(t->folder))
			execl(program, "nanoclaw", "start", (char *)NULL);
		_exit(127);
	}
}

/* Until the text is on the screen. */
static void expect(struct terminal *t, const char *text)
{
	const char *found;
	size_t rest;

	while (!(found = strstr(t->seen.data, text))) {
		struct pollfd fd = {t->screen, POLLIN, 0};
		ssize_t n;

		if (poll(&fd, 1, PATIENCE_MS) <= 0)
			give_up(t, text);
		buf_reserve(&t->seen, 4096);
		n = read(t->screen, t->seen.data + t->seen.len, 4096);
		if (n <= 0)
			give_up(t, text);
		buf_set_len(&t->seen, t->seen.len + (size_t)n);
	}
	rest = t->seen.len - (size_t)(found - t->seen.data) - strlen(text);
	memmove(t->seen.data, found + strlen(text), rest);
	buf_set_len(&t->seen, rest);
}

static void type(struct terminal *t, const char *text)
{
	if (write(t->screen, text, strlen(text)) != (ssize_t)strlen(text))
		give_up(t, "cannot type");
}

/* How it ended: the exit code, or 128 + N; what it still writes is read meanwhile. */
static int ended(struct terminal *t)
{
	char text[4096];
	int status;

	while (t->screen >= 0 && read(t->screen, text, sizeof(text)) > 0)
		;
	if (waitpid(t->pid, &status, 0) != t->pid)
		give_up(t, "cannot wait");
	closep(&t->screen);
	t->screen = -1;
	buf_clear(&t->seen);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Waits until no host is there. */
static bool host_is_gone(struct terminal *t)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/lock", t->folder);
	CLEANUP(closep) int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd >= 0 && !flock(fd, LOCK_EX);
}

static bool host_is_there(struct terminal *t)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/lock", t->folder);
	CLEANUP(closep) int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static bool env_says(struct terminal *t, const char *wanted)
{
	CLEANUP(freep) char *path = xasprintf("%s/.env", t->folder);
	char text[200] = "";
	FILE *file = fopen(path, "re");

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return !strcmp(text, wanted);
}

/* --- claims ------------------------------------------------------------------ */

static void open_folder(struct terminal *t)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	*t = (struct terminal){.screen = -1, .seen = BUF_INIT};
	if (scratch_make("nanoclaw-terminal-", &t->scratch, &err) < 0)
		give_up(t, err.message);
	t->folder = t->scratch.path;
}

static void close_folder(struct terminal *t)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (scratch_remove(&t->scratch, &err) < 0)
		printf("# %s\n", err.message);
	buf_release(&t->seen);
}

/* Up to the first prompt, with the usual name. */
static void start_afresh(struct terminal *t)
{
	open_folder(t);
	start(t);
	expect(t, "What should it be called? [Andy] ");
	type(t, "\n");
	expect(t, "Ctrl-D ends.");
	expect(t, "> ");
}

static bool the_first_start_asks_for_a_name_and_the_second_does_not(void)
{
	struct terminal t;
	bool ok;

	open_folder(&t);
	start(&t);
	expect(&t, "Welcome to NanoClaw");
	expect(&t, "What should it be called? [Andy] ");
	type(&t, "@\"x\n");
	expect(&t, "That does not work");
	expect(&t, "What should it be called? [Andy] ");
	type(&t, "Mia\n");
	expect(&t, "Hello, I am Mia.");
	expect(&t, "> ");
	type(&t, "remember milk\n");
	expect(&t, "Mia: Noted: milk");
	type(&t, "\004");
	ok = ended(&t) == 0 && env_says(&t, "ASSISTANT_NAME=Mia\n");
	start(&t);
	expect(&t, "This is 'main'. Ctrl-D ends.");
	type(&t, "notes\n");
	expect(&t, "Mia: 1. milk");
	type(&t, "\004");
	ok = ended(&t) == 0 && ok;
	close_folder(&t);
	return ok;
}

/* The same name for us and for a shell that reads the file. */
static bool a_name_that_a_shell_would_expand_is_quoted(void)
{
	struct terminal t;
	bool ok;

	open_folder(&t);
	start(&t);
	expect(&t, "What should it be called? [Andy] ");
	type(&t, "$HOME `id`\n");
	expect(&t, "Hello, I am $HOME `id`.");
	expect(&t, "> ");
	type(&t, "notes\n");
	expect(&t, "$HOME `id`: There are no notes yet.");
	type(&t, "\004");
	ok = ended(&t) == 0 && env_says(&t, "ASSISTANT_NAME='$HOME `id`'\n");
	close_folder(&t);
	return ok;
}

static bool ctrl_d_stops_the_host_before_it_returns(void)
{
	struct terminal t;
	bool ok;

	start_afresh(&t);
	ok = host_is_there(&t);
	type(&t, "\004");
	ok = ended(&t) == 0 && !host_is_there(&t) && ok;
	close_folder(&t);
	return ok;
}

static bool ctrl_c_clears_the_line_and_quit_ends_both(void)
{
	struct terminal t;
	bool ok;

	start_afresh(&t);
	type(&t, "remember nothing of this\003");
	expect(&t, "'quit' or Ctrl-D leaves");
	type(&t, "remember the bus\n");
	expect(&t, "Noted: the bus");
	type(&t, "notes\n");
	expect(&t, "Andy: 1. the bus");
	type(&t, "quit\n");
	ok = ended(&t) == 0 && host_is_gone(&t);
	close_folder(&t);
	return ok;
}

static bool a_terminal_that_cannot_move_its_cursor_is_typed_into_plainly(void)
{
	struct terminal t;
	bool ok;

	terminal_kind = "dumb";
	start_afresh(&t);
	type(&t, "remember the bus\n");
	expect(&t, "\rAndy: Noted: the bus");
	type(&t, "exit\n");
	ok = ended(&t) == 0 && host_is_gone(&t);
	close_folder(&t);
	terminal_kind = "xterm";
	return ok;
}

static bool ctrl_c_at_the_question_for_a_name_leaves_nothing(void)
{
	struct terminal t;
	CLEANUP(freep) char *store = NULL;
	bool ok;

	open_folder(&t);
	start(&t);
	expect(&t, "What should it be called? [Andy] ");
	type(&t, "\003");
	store = xasprintf("%s/store", t.folder);
	ok = ended(&t) == 128 + SIGINT && access(store, F_OK) < 0;
	close_folder(&t);
	return ok;
}

static bool a_closed_terminal_ends_both_and_loses_nothing(void)
{
	struct terminal t;
	int how;
	bool ok;

	start_afresh(&t);
	type(&t, "remember the bus\n");
	expect(&t, "Noted: the bus");
	closep(&t.screen);
	t.screen = -1;
	/* The signal comes, or what it is about to write fails before: either is an end. */
	how = ended(&t);
	ok = (how == 128 + SIGHUP || how == 0 || how == 1) && host_is_gone(&t);
	start(&t);
	expect(&t, "Ctrl-D ends.");
	type(&t, "notes\n");
	expect(&t, "1. the bus");
	type(&t, "\004");
	ok = ended(&t) == 0 && ok;
	close_folder(&t);
	return ok;
}

static bool a_second_start_uses_the_host_of_the_first(void)
{
	struct terminal first;
	struct terminal second;
	bool ok;

	start_afresh(&first);
	second = (struct terminal){.folder = first.folder, .screen = -1, .seen = BUF_INIT};
	start(&second);
	expect(&second, "Ctrl-D ends.");
	expect(&second, "> ");
	type(&second, "remember both\n");
	expect(&second, "Noted: both");
	type(&second, "\004");
	ok = ended(&second) == 0 && host_is_there(&first);
	type(&first, "notes\n");
	expect(&first, "1. both");
	type(&first, "\004");
	ok = ended(&first) == 0 && ok;
	buf_release(&second.seen);
	close_folder(&first);
	return ok;
}

static bool a_second_start_survives_the_end_of_the_first(void)
{
	struct terminal first;
	struct terminal second;
	bool ok;

	start_afresh(&first);
	second = (struct terminal){.folder = first.folder, .screen = -1, .seen = BUF_INIT};
	start(&second);
	expect(&second, "Ctrl-D ends.");
	expect(&second, "> ");
	type(&second, "remember both\n");
	expect(&second, "Noted: both");
	type(&second, "no"); /* the rest follows when its host is gone */
	type(&first, "\004");
	ok = ended(&first) == 0;
	expect(&second, "starting a new one");
	type(&second, "tes\n");
	expect(&second, "Andy: 1. both");
	type(&second, "\004");
	ok = ended(&second) == 0 && !host_is_there(&first) && ok;
	buf_release(&second.seen);
	close_folder(&first);
	return ok;
}

/* As the log of the host says it. */
static pid_t pid_of_host(struct terminal *t)
{
	CLEANUP(freep) char *path = xasprintf("%s/logs/host.log", t->folder);
	CLEANUP(buf_release) struct buf log = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *pid;

	if (file_read(path, 65536, &log, &err) < 0)
		give_up(t, err.message);
	pid = strstr(log.data, "(pid ");
	return pid ? (pid_t)strtol(pid + strlen("(pid "), NULL, 10) : 0;
}

static bool a_chat_whose_host_is_killed_says_so(void)
{
	struct terminal t;
	pid_t pid;
	bool ok;

	start_afresh(&t);
	pid = pid_of_host(&t);
	ok = pid > 1 && !kill(pid, SIGKILL);
	if (ok)
		expect(&t, "the host has ended");
	ok = ok && ended(&t) == 1 && host_is_gone(&t);
	close_folder(&t);
	return ok;
}

/* The host of the first is stopped before it can read what the second types. */
static bool a_message_that_the_host_never_read_is_sent_to_the_next(void)
{
	struct terminal first;
	struct terminal second;
	pid_t pid;
	bool ok;

	start_afresh(&first);
	pid = pid_of_host(&first);
	second = (struct terminal){.folder = first.folder, .screen = -1, .seen = BUF_INIT};
	start(&second);
	expect(&second, "Ctrl-D ends.");
	expect(&second, "> ");
	ok = pid > 1 && !kill(pid, SIGSTOP);
	type(&second, "remember unread\n");
	expect(&second, "\n");
	ok = ok && !kill(pid, SIGKILL);
	ok = ended(&first) == 1 && ok;
	expect(&second, "starting a new one");
	expect(&second, "Noted: unread");
	type(&second, "\004");
	ok = ended(&second) == 0 && ok;
	buf_release(&second.seen);
	close_folder(&first);
	return ok;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*holds)(void);
	} claims[] = {
		{"the first start asks for a name, and the second does not",
			the_first_start_asks_for_a_name_and_the_second_does_not},
		{"a name that a shell would expand is quoted",
			a_name_that_a_shell_would_expand_is_quoted},
		{"Ctrl-D stops the host before it returns",
			ctrl_d_stops_the_host_before_it_returns},
		{"Ctrl-C clears the line, and 'quit' ends both",
			ctrl_c_clears_the_line_and_quit_ends_both},
		{"a terminal that cannot move its cursor is typed into plainly",
			a_terminal_that_cannot_move_its_cursor_is_typed_into_plainly},
		{"a second start survives the end of the first",
			a_second_start_survives_the_end_of_the_first},
		{"Ctrl-C at the question for a name leaves nothing",
			ctrl_c_at_the_question_for_a_name_leaves_nothing},
		{"a closed terminal ends both, and loses nothing",
			a_closed_terminal_ends_both_and_loses_nothing},
		{"a second start uses the host of the first",
			a_second_start_uses_the_host_of_the_first},
		{"a chat whose host is killed says so", a_chat_whose_host_is_killed_says_so},
		{"a message that the host never read is sent to the next",
			a_message_that_the_host_never_read_is_sent_to_the_next},
	};

	struct tap tap = {0};

	/* Each start has a folder of its own. */
	program = argc == 2 ? realpath(argv[1], NULL) : NULL;
	if (!program)
		return 2;
	sandbox_or_skip();
	pseudo_terminal_or_skip();
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++)
		tap_result(&tap, claims[i].holds(), claims[i].name);
	free(program);
	return tap_end(&tap);
}

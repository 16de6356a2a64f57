#include "cli/chat/line_editor.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "proc/library.h"

/* The same for all versions since 2005. */
#define SONAME "libedit.so.2"

#define REMEMBERED 500

static struct {
	EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
	void (*end)(EditLine *);
	const char *(*read_line)(EditLine *, int *);
	int (*set)(EditLine *, int, ...);
	int (*get)(EditLine *, int, ...);
	void (*push)(EditLine *, const char *);
	void (*resize)(EditLine *);
	int (*cursor)(EditLine *, int);
	void (*deletestr)(EditLine *, int);
	const LineInfo *(*line)(EditLine *);
	const LineInfoW *(*wide_line)(EditLine *);
	History *(*history_init)(void);
	void (*history_end)(History *);
	int (*history)(History *, HistEvent *, int, ...);
} lib;

struct line_editor {
	EditLine *el;
	History *history;
	struct line_editor_handlers handlers;
	int fd;
	bool lost;
	char *prompt; /* as it is shown */
};

static struct termios usual; /* how the terminal was */
static volatile sig_atomic_t interrupted, resized, continued;
static sigset_t while_waiting; /* the signals above come only then: none is missed */

static bool libedit_load(void)
{
	static const struct library_symbol symbols[] = {
		{"el_cursor", &lib.cursor},
		{"el_deletestr", &lib.deletestr},
		{"el_end", &lib.end},
		{"el_get", &lib.get},
		{"el_gets", &lib.read_line},
		{"el_init", &lib.init},
		{"el_line", &lib.line},
		{"el_push", &lib.push},
		{"el_resize", &lib.resize},
		{"el_set", &lib.set},
		{"el_wline", &lib.wide_line},
		{"history", &lib.history},
		{"history_end", &lib.history_end},
		{"history_init", &lib.history_init},
		{0},
	};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return library_load(SONAME, symbols, &ignored) == 0;
}

/* --- signals ----------------------------------------------------------------- */

static void note_signal(int number)
{
	if (number == SIGINT)
		interrupted = 1;
	else if (number == SIGWINCH)
		resized = 1;
	else
		continued = 1;
}

/* The shell finds the terminal as it was. */
static void die_of_signal(int number)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &usual);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(bool on)
{
	static const int noted[] = {SIGINT, SIGWINCH, SIGCONT}, deadly[] = {SIGHUP, SIGTERM};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		sigaddset(&set, noted[i]);
	sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, on ? &while_waiting : NULL);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		sigaction(noted[i],
			&(struct sigaction){.sa_handler = on ? note_signal : SIG_DFL}, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		signal(deadly[i], on ? die_of_signal : SIG_DFL);
}

/* --- the line on the screen -------------------------------------------------- */

static struct line_editor *editor_of(EditLine *el)
{
	struct line_editor *editor = NULL;

	lib.get(el, EL_CLIENTDATA, &editor);
	return editor;
}

static char *prompt_text(EditLine *el)
{
	struct line_editor *editor = editor_of(el);

	free(editor->prompt);
	editor->prompt = xstrdup(editor->handlers.prompt(editor->handlers.data));
	return editor->prompt;
}

void line_editor_hide(struct line_editor *editor)
{
	const LineInfo *line = lib.line(editor->el);
	CLEANUP(freep)
	char *before = xmemdupz(line->buffer, (size_t)(line->cursor - line->buffer));
	struct winsize size = {0};
	int at = output_width(editor->prompt ? editor->prompt : "") + output_width(before);

	/* The cursor may be on a later row of a line that is longer than the screen is wide. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && at >= size.ws_col)
		printf("\033[%dA", at / size.ws_col);
	printf("\r\033[J");
	fflush(stdout);
}

void line_editor_show(struct line_editor *editor)
{
	fflush(stdout);
	lib.set(editor->el, EL_REFRESH);
}

static void follow_signals(struct line_editor *editor)
{
	if (continued) {
		lib.set(editor->el, EL_PREP_TERM, 1);
		lib.set(editor->el, EL_REFRESH);
	}
	if (resized)
		lib.resize(editor->el);
	if (interrupted) {
		const LineInfoW *line =
			lib.wide_line(editor->el); /* characters are counted here */

		line_editor_hide(editor);
		editor->handlers.cleared(editor->handlers.data);
		lib.cursor(editor->el, (int)(line->lastchar - line->cursor));
		lib.deletestr(editor->el, (int)(line->lastchar - line->buffer));
		line_editor_show(editor);
	}
	continued = resized = interrupted = 0;
}

/* --- reading ----------------------------------------------------------------- */

/* 1, or 0 at the end; a byte that is not UTF-8 is taken for '?'. */
static int read_character(wchar_t *ret_character)
{
	char bytes[4];
	uint32_t character;
	size_t len = 0, wanted = 1;

	while (len < wanted) {
		ssize_t got = read(STDIN_FILENO, bytes + len, 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return 0;
		if (!len++ && (unsigned char)bytes[0] >= 0xc0)
			wanted = (unsigned char)bytes[0] >= 0xf0   ? 4
				 : (unsigned char)bytes[0] >= 0xe0 ? 3
								   : 2;
	}
	*ret_character = utf8_decode((struct view){bytes, len}, &character) == len
				 ? (wchar_t)character
				 : L'?';
	return 1;
}

static int next_character(EditLine *el, wchar_t *ret_character)
{
	struct line_editor *editor = editor_of(el);
	const struct line_editor_handlers *h = &editor->handlers;

	for (;;) {
		struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {editor->fd, POLLIN, 0}};
		int tick = h->tick_ms(h->data);
		struct timespec wait = {tick / 1000, tick % 1000 * 1000000L};
		int ready = ppoll(fds, 2, tick < 0 ? NULL : &wait, &while_waiting);

		follow_signals(editor);
		if (ready < 0 && errno != EINTR)
			return -1;
		if (ready == 0) {
			line_editor_hide(editor);
			line_editor_show(editor);
		}
		if (ready <= 0)
			continue;
		/* Typed input first: it must not get lost with the connection. */
		if (fds[0].revents)
			return read_character(ret_character);
		if (fds[1].revents && h->heard(h->data) < 0) {
			editor->lost = true;
			return -1;
		}
	}
}

enum line_read line_editor_read(
	struct line_editor *editor, int fd, const char *typed, char **ret_line)
{
	const char *text;
	int len = 0;

	editor->fd = fd;
	editor->lost = false;
	if (typed && *typed)
		lib.push(editor->el, typed);
	catch_signals(true);
	/* Before the prompt: characters typed early are for the editor, not for the tty. */
	lib.set(editor->el, EL_PREP_TERM, 1);
	text = lib.read_line(editor->el, &len);
	catch_signals(false);
	if (editor->lost) {
		const LineInfo *line = lib.line(editor->el);

		*ret_line = xmemdupz(line->buffer, (size_t)(line->lastchar - line->buffer));
		return LINE_LOST;
	}
	if (!text || len <= 0)
		return LINE_END;
	*ret_line = xmemdupz(text, text[len - 1] == '\n' ? (size_t)len - 1 : (size_t)len);
	return LINE_TYPED;
}

/* --- the editor --------------------------------------------------------------- */

void line_editor_remember(struct line_editor *editor, const char *line)
{
	HistEvent event;

	if (!strchr(line, '\n'))
		lib.history(editor->history, &event, H_ENTER, line);
}

struct line_editor *line_editor_open(const struct line_editor_handlers *handlers)
{
	const char *term = getenv("TERM");
	struct line_editor *editor;
	HistEvent event;

	if (!term || !*term || !strcmp(term, "dumb") || !isatty(STDIN_FILENO) ||
		tcgetattr(STDIN_FILENO, &usual) < 0 || !libedit_load())
		return NULL;
	/* libedit writes in the locale's encoding, and ours is UTF-8. */
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	editor = xcalloc(1, sizeof(*editor));
	editor->handlers = *handlers;
	editor->el = lib.init("nanoclaw", stdin, stdout, stderr);
	if (!editor->el) {
		free(editor);
		return NULL;
	}
	editor->history = lib.history_init();
	lib.history(editor->history, &event, H_SETSIZE, REMEMBERED);
	lib.history(editor->history, &event, H_SETUNIQUE, 1);
	lib.set(editor->el, EL_CLIENTDATA, editor);
	lib.set(editor->el, EL_EDITOR, "emacs");
	lib.set(editor->el, EL_SIGNAL, 0);
	lib.set(editor->el, EL_PROMPT, prompt_text);
	lib.set(editor->el, EL_HIST, lib.history, editor->history);
	lib.set(editor->el, EL_GETCFN, next_character);
	lib.set(editor->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	lib.set(editor->el, EL_BIND, "\033[H", "ed-move-to-beg", NULL);
	lib.set(editor->el, EL_BIND, "\033[F", "ed-move-to-end", NULL);
	lib.set(editor->el, EL_BIND, "\033[3~", "ed-delete-next-char", NULL);
	return editor;
}

void line_editor_free(struct line_editor *editor)
{
	if (!editor)
		return;
	lib.end(editor->el);
	lib.history_end(editor->history);
	free(editor->prompt);
	free(editor);
}

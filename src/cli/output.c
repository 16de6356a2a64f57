#include "cli/output.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "cli/pager.h"
#include "format/json.h"
#include "proc/log.h"

#define USUAL_COLUMNS 80
#define LEAST_TO_WRAP 20

void output_json(json_t *document)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(document, true, &text);
	fwrite(text.data, 1, text.len, stdout);
	json_decref(document);
}

void output_success(const char *shape, ...)
{
	json_t *document = json_build("success:b", true);
	va_list values;

	va_start(values, shape);
	json_put_list(document, shape, values);
	va_end(values);
	output_json(document);
}

const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

char *output_path(const char *path)
{
	CLEANUP(freep) char *quoted = quote(view_of(path));

	return strlen(quoted) == strlen(path) + 2 ? xstrdup(path) : TAKE(quoted);
}

void output_error(const struct cli *cli, const struct error *err)
{
	bool full = err->errnum == ENOSPC || err->errnum == EDQUOT;
	CLEANUP(freep)
	char *hint = full ? xasprintf("%s%sfree some space on that disk ('df -h'), and try "
				      "again",
				    err->hint ? err->hint : "", err->hint ? "; " : "")
			  : NULL;
	const char *next = hint ? hint : err->hint;

	log_error("%s", err->message);
	if (next)
		log_hint("%s", next);
	if (cli->json) {
		json_t *document =
			json_build("success:b error:s hint:S", false, err->message, next);

		json_object_update(document, cli->failure);
		output_json(document);
	}
	json_decref(cli->failure);
}

const char *output_color(const struct cli *cli, const char *code)
{
	return cli->color ? code : "";
}

/* The text with '?' for control characters, except for the allowed ones. */
static char *text_made_harmless(struct view rest, const char *allowed)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	uint32_t character;

	while (rest.len) {
		size_t len = utf8_decode(rest, &character);

		if ((len && utf8_printable(character)) ||
			(len == 1 && strchr(allowed, rest.data[0])))
			buf_append(&text, rest.data, len);
		else
			buf_append_char(&text, '?');
		rest = view_slice(rest, len ? len : 1, rest.len);
	}
	return buf_take(&text);
}

char *output_text(const char *text)
{
	return shown_on_terminal() ? text_made_harmless(view_of(text), "\n\t") : xstrdup(text);
}

char *output_line(struct view line)
{
	return text_made_harmless(line, "");
}

char *output_first_line(const char *text)
{
	struct view whole = view_trim(view_of(text));
	struct view line = {0};

	view_next(&whole, '\n', &line);
	return text_made_harmless(view_trim(line), "");
}

bool shown_on_terminal(void)
{
	return isatty(STDOUT_FILENO) || pager_is_running();
}

/* Standard output is a pipe while a pager runs; standard input is the terminal even then. */
int output_columns(void)
{
	struct winsize size = {0};

	if ((ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col) &&
		(ioctl(STDIN_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col) &&
		(ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col))
		return USUAL_COLUMNS;
	return size.ws_col;
}

void output_progress(const char *what, long long duration_ms, unsigned seconds)
{
	static long long next;
	static bool drawn;
	bool terminal = isatty(STDERR_FILENO);
	CLEANUP(freep) char *text = NULL;

	if (drawn)
		fputs("\r\033[K", stderr);
	drawn = false;
	if (!what)
		next = 0;
	if (!what || duration_ms < (terminal ? 1000 : 10000) || duration_ms < next)
		return;
	text = xasprintf("%s: %lld s of at most %u; Ctrl-C stops it safely", what,
		duration_ms / 1000, seconds);
	if (!terminal) {
		next = duration_ms + 30000;
		log_note("%s", text);
		return;
	}
	drawn = true;
	fprintf(stderr, "%.*s", output_columns() - 1, text);
	fflush(stderr);
}

/*
 * The C library knows it, but asks the locale of the user, which may be none. Its own UTF-8
 * locale is only loaded for a text that is not ASCII.
 */
static int character_width(uint32_t character)
{
	static locale_t utf8;
	locale_t before;
	int width;

	if (character < 0x80)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	if (!utf8)
		return 1;
	before = uselocale(utf8);
	width = wcwidth((wchar_t)character);
	uselocale(before);
	return width < 0 ? 1 : width;
}

int output_width(const char *text)
{
	struct view rest = view_of(text);
	uint32_t character;
	int width = 0;
	size_t len;

	while ((len = utf8_decode(rest, &character))) {
		width += character_width(character);
		rest = view_slice(rest, len, rest.len);
	}
	return width + (int)rest.len;
}

void output_wrap(struct buf *out, const char *text, int used)
{
	int columns = output_columns();
	int at = used;

	if (!shown_on_terminal() || columns - used < LEAST_TO_WRAP) {
		buf_append_str(out, text);
		return;
	}
	for (;;) {
		size_t len = strcspn(text, " \n");
		CLEANUP(freep) char *word = xmemdupz(text, len);
		int width = output_width(word);

		if (at > used && at + 1 + width > columns) {
			buf_appendf(out, "\n%*s", used, "");
			at = used;
		} else if (at > used) {
			buf_append_char(out, ' ');
			at++;
		}
		buf_append_str(out, word);
		at += width;
		if (!text[len])
			return;
		text += len + 1;
	}
}

void shown_append(struct buf *out, struct view line)
{
	uint32_t character = 0;

	while (line.len) {
		size_t len = utf8_decode(line, &character);

		if (!len)
			buf_appendf(out, "<%02X>", (unsigned char)line.data[0]);
		else if (character == '\t' || utf8_printable(character))
			buf_append(out, line.data, len);
		else if (character < 0x80)
			buf_appendf(out, "^%c", (char)(character ^ 0x40));
		else
			buf_appendf(out, "<U+%04X>", (unsigned)character);
		line = view_slice(line, len ? len : 1, line.len);
	}
}

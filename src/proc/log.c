#include "proc/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "base/view.h"
#include "proc/log_file.h"

static enum log_level shown = LOG_LEVEL_NOTE;
static bool colored;
static bool to_journal;

void log_setup(enum log_level most_detailed, bool color)
{
	const char *stream = getenv("JOURNAL_STREAM");
	CLEANUP(freep) char *ours = NULL;
	struct stat st;

	shown = most_detailed;
	colored = color;
	to_journal = false;
	if (!stream || fstat(STDERR_FILENO, &st) < 0)
		return;
	/* systemd names the stream that it connected by device and inode: sd-daemon(3). */
	ours = xasprintf(
		"%llu:%llu", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	to_journal = !strcmp(stream, ours);
}

/* One write per line, so that lines of several processes do not mix. */
static void __attribute__((format(printf, 4, 0)))
log_line(char priority, const char *color, const char *prefix, const char *format, va_list args)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	CLEANUP(buf_release) struct buf marked = BUF_INIT;
	CLEANUP(freep) char *safe = NULL;
	struct view rest, part;

	/* It may have a text from outside, which must not steer the terminal. */
	buf_appendv(&text, format, args);
	safe = quote_text(view_of_buf(&text));
	buf_appendf(&line, "%s%s%s", prefix, *prefix ? ": " : "", safe);
	if (log_file_add(view_of_buf(&line)))
		return;
	buf_clear(&line);
	if (*prefix)
		buf_appendf(&line, "%s%s:%s ", colored ? color : "", prefix,
			colored ? "\033[0m" : "");
	buf_appendf(&line, "%s\n", safe);
	/* The journal treats each line as a message. */
	for (rest = view_of_buf(&line); to_journal && view_next(&rest, '\n', &part);)
		buf_appendf(&marked, "<%c>%.*s\n", priority, VIEW_ARGS(part));
	fwrite(to_journal ? marked.data : line.data, 1, to_journal ? marked.len : line.len,
		stderr);
}

#define DEFINE_LOG(name, level, priority, color, prefix)                                       \
	void name(const char *format, ...)                                                     \
	{                                                                                      \
		va_list args;                                                                  \
                                                                                               \
		if (shown < (level))                                                           \
			return;                                                                \
		va_start(args, format);                                                        \
		log_line(priority, color, prefix, format, args);                               \
		va_end(args);                                                                  \
	}

DEFINE_LOG(log_error, LOG_LEVEL_ERROR, '3', "\033[1;31m", "error")
DEFINE_LOG(log_warning, LOG_LEVEL_WARNING, '4', "\033[1;33m", "warning")
DEFINE_LOG(log_note, LOG_LEVEL_NOTE, '6', "", "")
DEFINE_LOG(log_hint, LOG_LEVEL_ERROR, '3', "\033[36m", "hint")
DEFINE_LOG(log_debug, LOG_LEVEL_DEBUG, '7', "\033[2m", "debug")

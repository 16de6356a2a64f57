#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/buf.h"

static enum log_level shown = LOG_LEVEL_NOTE;
static bool colored;

void log_setup(enum log_level most_detailed, bool color)
{
	shown = most_detailed;
	colored = color;
}

/* One write per line, so that lines of several processes do not mix. */
static void __attribute__((format(printf, 3, 0)))
log_line(const char *color, const char *prefix, const char *format, va_list args)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	if (*prefix)
		buf_appendf(&line, "%s%s:%s ", colored ? color : "", prefix,
			colored ? "\033[0m" : "");
	buf_appendv(&line, format, args);
	buf_append_char(&line, '\n');
	fwrite(line.data, 1, line.len, stderr);
}

#define DEFINE_LOG(name, level, color, prefix)                                                 \
	void name(const char *format, ...)                                                     \
	{                                                                                      \
		va_list args;                                                                  \
                                                                                               \
		if (shown < (level))                                                           \
			return;                                                                \
		va_start(args, format);                                                        \
		log_line(color, prefix, format, args);                                         \
		va_end(args);                                                                  \
	}

DEFINE_LOG(log_error, LOG_LEVEL_ERROR, "\033[1;31m", "error")
DEFINE_LOG(log_warning, LOG_LEVEL_WARNING, "\033[1;33m", "warning")
DEFINE_LOG(log_note, LOG_LEVEL_NOTE, "", "")
DEFINE_LOG(log_hint, LOG_LEVEL_ERROR, "\033[36m", "hint")
DEFINE_LOG(log_debug, LOG_LEVEL_DEBUG, "\033[2m", "debug")

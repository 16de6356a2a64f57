/*
 * Messages to the person at the terminal, on standard error.
 *
 * Library code (everything below src/cli and src/host) calls log_debug() only;
 * what it has to report goes into its error object or its result. Debug lines
 * are shown with -v, warnings and notes unless -q, errors always.
 *
 * Where standard error is a stream of the journal (JOURNAL_STREAM says which), each line
 * begins with its priority, "<3>" for an error, which the journal takes off again:
 * `journalctl -p warning` then shows what it should.
 */
#ifndef PROC_LOG_H
#define PROC_LOG_H

#include <stdbool.h>

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_NOTE,
	LOG_LEVEL_DEBUG,
};

/* What is shown; the default is LOG_LEVEL_NOTE without colour. */
void log_setup(enum log_level most_detailed, bool color);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

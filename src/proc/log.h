/*
 * Messages for the person at the terminal, on standard error.
 *
 * Library code (everything below src/cli and src/host) calls log_debug() only, and reports
 * through its error object or its result. Debug lines are shown with -v, warnings and notes
 * unless -q, errors always.
 *
 * If standard error is a journal stream (named by JOURNAL_STREAM), each line begins with its
 * priority, such as "<3>" for an error. The journal strips it, and `journalctl -p warning`
 * filters by it.
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

/* Sets what is shown; the default is LOG_LEVEL_NOTE without colour. */
void log_setup(enum log_level most_detailed, bool color);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

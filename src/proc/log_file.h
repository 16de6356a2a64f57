/*
 * A log in addition to standard error: every line of log.h with its time in UTC,
 *
 *	2026-11-17T08:30:00.123Z error: ...
 *
 * in logs/host.log. At 4 MiB it becomes logs/host.log.1, so that there are two files at most. If
 * standard error is that file itself, lines are written once, and lines from other sources (a
 * library, a crash) have no time.
 */
#ifndef PROC_LOG_FILE_H
#define PROC_LOG_FILE_H

#include "base/error.h"
#include "base/view.h"

#define LOG_FOLDER  "logs"
#define LOG_FILE    "host.log"
#define LOG_EARLIER "host.log.1"

/* From now on; `root` is the project. Nothing changes if it is open already. */
int log_file_open(int root, struct error *err);
bool log_file_is_open(void);

/* When it is opened, standard output and standard error become that file. */
void log_file_take_streams(void);

/* For log.c: add lines. False if they must still be written to standard error. */
bool log_file_add(struct view lines);

#endif

/*
 * The log of a session: an append-only file of records, one JSON object per line.
 *
 *	log_open(folder, "c1f0…", LOG_EXISTING, history_take, &history, &log, err)
 *	log_add(log, record, true, err)		on the disk when it returns
 *	log_close(log)
 *
 * The process can be killed at any byte. A record counts once its newline is written: log_open()
 * cuts off an incomplete last line. A damaged line is skipped. A failed write is undone, so that
 * the next record begins on a new line.
 *
 * One process has the log at a time; the lock ends with it.
 */
#ifndef AGENT_NATIVE_SESSION_LOG_H
#define AGENT_NATIVE_SESSION_LOG_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/string_array.h"

#define LOG_MAX_RECORD  ((size_t)32 * 1024 * 1024)
#define LOG_MAX_SESSION 64

struct log;

enum log_mode {
	LOG_EXISTING, /* ERROR_INVALID if it does not exist */
	LOG_NEW,      /* ERROR_INVALID if there is one */
	LOG_EITHER,
};

/* A record of the file; the function takes a reference if it keeps the record. */
typedef void (*log_function)(void *data, json_t *record);

/* ERROR_BUSY: another process has it. The folder is made if it is missing. */
int log_open(const char *folder, const char *session, enum log_mode mode, log_function function,
	void *data, struct log **ret_log, struct error *err);
void log_close(struct log *log);

/* The record is released. `durable`: not only written, but on the disk. */
int log_add(struct log *log, json_t *record, bool durable, struct error *err);

/* Letters, digits and '-' only: it is part of a file's name. */
bool log_is_session(const char *session);

/* A new random name; to be freed. NULL: no random numbers are available. */
char *log_new_session(void);

/* The sessions whose logs were changed last, the newest first. */
void log_recent(const char *folder, size_t max, struct string_array *ret_sessions);

#endif

/*
 * Actions that take longer than a request should: the answer is a number, the rest are events
 * (events.h):
 *
 *	{"type": "job", "job": 3, "line": "…"}				a message of the command
 *	{"type": "job", "job": 3, "exit": 0, "result": {…}}		its end, with its JSON
 *
 * A result that is too large for an event is left out there; jobs_result() has it.
 */
#ifndef WEB_JOBS_H
#define WEB_JOBS_H

#include "web/events.h"
#include "web/runs.h"

#define JOBS_KEPT 16 /* results of the latest ones, and the running ones */

struct jobs;

struct jobs *jobs_new(struct runs *runs, struct events *events);
void jobs_free(struct jobs *jobs);

/* ERROR_BUSY: too many are running. */
int job_start(struct jobs *jobs, const struct string_array *words, struct view input,
	int64_t *ret_job, struct error *err);

/* Interrupt it, as Ctrl-C would; false: it does not run. */
bool job_stop(struct jobs *jobs, int64_t job);

/* {job, running} or {job, exit, result}; NULL: unknown, or too long ago. */
json_t *jobs_result(const struct jobs *jobs, int64_t job);

#endif

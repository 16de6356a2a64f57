/*
 * The result of an operation on skills, for people and for programs.
 */
#ifndef CLI_REPORT_APPLY_OUTPUT_H
#define CLI_REPORT_APPLY_OUTPUT_H

#include "cli/command.h"
#include "engine/session/session.h"
#include "format/json.h"

/* Print it, and return the exit code. */
int apply_output(const struct cli *cli, const struct operation_result *result, bool dry_run);

/* The same for a custom patch. */
int apply_output_patch(
	const struct cli *cli, const struct operation_result *result, bool dry_run);

/* Which patch unrecorded changes became, if any. */
void apply_output_recorded(const struct operation_result *result, bool dry_run);

/* The files that had unrecorded changes, as an array. */
json_t *apply_output_untracked(const struct operation_result *result);

/* The files with conflicts, of one skill or (NULL) of all. */
json_t *apply_output_conflicts(const struct operation_result *result, const char *skill);

/* {path, outcome, from} */
json_t *apply_output_file(const struct file_result *file);

/* The commands that a dry run would run: lines, or [{skill, kind, command}]. */
void apply_output_commands(const struct operation_result *result);
json_t *apply_output_commands_json(const struct operation_result *result);

/* The install: a line, or {manager, ran, versions}. */
void apply_output_install(const struct install_result *install, bool dry_run);
json_t *apply_output_install_json(const struct install_result *install);

/* Of a failed operation: the warnings, and the fields of its JSON beside the error. */
void apply_output_failure(struct cli *cli, const struct operation_result *result);

/* The open conflicts, and the commands to type next. */
void apply_output_left(const struct conflict *conflicts, size_t count);

/* The warnings only, on standard error: for an operation that failed. */
void apply_output_warnings(const struct operation_result *result);
json_t *apply_output_warnings_json(const struct operation_result *result);

/* Does a conflict concern this skill? */
bool apply_output_has_conflict(const struct operation_result *result, const char *skill);

#endif

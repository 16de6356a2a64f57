/*
 * The result of an update of the core, or of its preview.
 */
#ifndef CLI_REPORT_UPDATE_OUTPUT_H
#define CLI_REPORT_UPDATE_OUTPUT_H

#include "cli/command.h"
#include "engine/update/core_update.h"

/* For people, or with --json for programs. */
void update_output(const struct cli *cli, const struct operation_result *result, bool preview);

/* Of a failed update: the fields of its JSON beside the error. */
void update_output_failure(struct cli *cli, const struct operation_result *result);

#endif

/*
 * The result of refreshing packages for another core, or of a dry run.
 */
#ifndef CLI_REPORT_REFRESH_OUTPUT_H
#define CLI_REPORT_REFRESH_OUTPUT_H

#include "cli/command.h"
#include "engine/author/refresh.h"
#include "format/json.h"

void refresh_output(const struct cli *cli, const struct operation_result *result, bool dry_run);

/* {skill, folder, version, fresh, worst, files: [{path, to, state, detail}], …} */
json_t *refresh_output_package(const struct refresh_package *package);

#endif

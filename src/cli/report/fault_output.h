/*
 * The faults of something that was checked, for people and for programs.
 */
#ifndef CLI_REPORT_FAULT_OUTPUT_H
#define CLI_REPORT_FAULT_OUTPUT_H

#include <jansson.h>

#include "cli/command.h"
#include "engine/package/faults.h"

/* Print the faults of a folder, the worst first; with -q only errors. */
void fault_output(const struct cli *cli, const char *folder, const struct faults *faults);

/* {success, folder, faults: [{severity, where, text}], error, leftOut} */
json_t *fault_output_json(const char *folder, const struct faults *faults);

#endif

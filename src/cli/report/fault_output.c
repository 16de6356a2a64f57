#include "cli/report/fault_output.h"

#include <stdio.h>

#include "cli/output.h"
#include "format/json.h"

/* --- for programs ------------------------------------------------------------ */

static json_t *faults_as_json(const struct faults *faults)
{
	json_t *list = json_array();

	for (size_t i = 0; i < faults->count; i++) {
		const struct fault *fault = &faults->list[i];

		json_add(list, "severity:s where:s text:s",
			fault_severity_name(fault->severity), fault->where, fault->text);
	}
	return list;
}

json_t *fault_output_json(const char *folder, const struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = json_build(
		"success:b folder:s faults:o", !faults->errors, folder, faults_as_json(faults));

	if (faults_as_error(faults, &err) < 0)
		json_put(json, "error:s", err.message);
	if (faults->left_out)
		json_put(json, "leftOut:I", faults->left_out);
	return json;
}

/* --- for people -------------------------------------------------------------- */

static const char *severity_color(enum fault_severity severity)
{
	switch (severity) {
	case FAULT_ERROR:
		return COLOR_RED;
	case FAULT_WARNING:
		return COLOR_YELLOW;
	case FAULT_NOTE:
		break;
	}
	return COLOR_DIM;
}

static void print_fault(const struct cli *cli, const char *folder, const struct fault *fault)
{
	printf("%s%s%s: %s%s%s: %s\n", folder, *fault->where ? "/" : "", fault->where,
		output_color(cli, severity_color(fault->severity)),
		fault_severity_name(fault->severity), output_color(cli, COLOR_RESET),
		fault->text);
}

void fault_output(const struct cli *cli, const char *folder, const struct faults *faults)
{
	for (int severity = FAULT_ERROR; severity >= FAULT_NOTE; severity--) {
		if (cli->quiet && severity != FAULT_ERROR)
			break;
		for (size_t i = 0; i < faults->count; i++)
			if ((int)faults->list[i].severity == severity)
				print_fault(cli, folder, &faults->list[i]);
	}
	if (faults->left_out)
		printf("%s: and %zu more\n", folder, faults->left_out);
	else if (cli->verbose && !faults->count)
		printf("%s: no faults\n", folder);
}

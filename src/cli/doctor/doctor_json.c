#include <string.h>

#include "cli/doctor/doctor.h"
#include "util/json.h"

static json_t *finding_json(const struct finding *finding)
{
	return json_pack("{s:s, s:s, s:o, s:o}", "name", finding->name, "status",
		finding_status_names[finding->status], "message",
		json_text(view_of(finding->message)), "fix",
		finding->fix ? json_text(view_of(finding->fix)) : json_null());
}

json_t *doctor_json(const struct doctor *doctor)
{
	json_t *findings = json_array();

	for (size_t i = 0; i < doctor->count; i++)
		json_array_append_new(findings, finding_json(&doctor->findings[i]));
	return findings;
}

static const char *text_in(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

void doctor_take(struct doctor *doctor, const json_t *findings)
{
	json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding)
	{
		const char *name = text_in(finding, "name");
		const char *status = text_in(finding, "status");
		const char *message = text_in(finding, "message");
		const char *fix = text_in(finding, "fix");

		if (!name || !status || !message)
			continue;
		if (!strcmp(status, finding_status_names[FINDING_OK]))
			doctor_ok(doctor, name, "%s", message);
		else if (!strcmp(status, finding_status_names[FINDING_WARNING]))
			doctor_warning(doctor, name, fix, "%s", message);
		else
			doctor_problem(doctor, name, fix, "%s", message);
	}
}

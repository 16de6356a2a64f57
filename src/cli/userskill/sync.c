#include <stdio.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "proc/log.h"

static long long reply_number(const json_t *reply, const char *name)
{
	return (long long)json_number_value(json_object_get(reply, name));
}

static void library_changes_print(const struct cli *cli, const json_t *changes)
{
	for (size_t i = 0; i < json_array_size(changes) && !cli->quiet; i++) {
		const json_t *change = json_array_get(changes, i);
		const char *kind = json_member(change, "change");
		CLEANUP(freep) char *path = output_first_line(json_member(change, "path"));

		printf("%s%-8s%s %s  %s\n",
			output_color(cli, *kind == 'g' ? COLOR_YELLOW : COLOR_GREEN), kind,
			output_color(cli, COLOR_RESET), json_member(change, "skill"), path);
	}
}

static int run_user_skill_sync(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	long long errors;
	const json_t *problems;

	(void)args;
	if (host_call(json_build("op:s", "sync_skills"), &reply, err) < 0)
		return -1;
	errors = reply_number(reply, "errors");
	problems = json_object_get(reply, "problems");
	for (size_t i = 0; i < json_array_size(problems); i++) {
		const json_t *problem = json_array_get(problems, i);
		CLEANUP(freep) char *text = output_first_line(json_member(problem, "text"));
		CLEANUP(freep) char *hint = output_first_line(json_member(problem, "hint"));

		if (*json_member(problem, "severity") == 'e')
			log_error("%s", text);
		else
			log_warning("%s", text);
		if (*hint)
			log_hint("%s", hint);
	}
	if (cli->json) {
		json_t *result = reply_json(reply);

		json_put(result, "success:b", !errors);
		if (errors)
			json_put(result, "error:o",
				json_sprintf("%lld file%s skipped", errors,
					errors == 1 ? " was" : "s were"));
		output_json(result);
	} else {
		library_changes_print(cli, json_object_get(reply, "changes"));
		printf("%lld added, %lld changed, %lld gone, %lld unchanged",
			reply_number(reply, "added"), reply_number(reply, "changed"),
			reply_number(reply, "gone"), reply_number(reply, "unchanged"));
		if (errors)
			printf(", %lld skipped", errors);
		printf("\n");
	}
	return errors ? EXIT_INVALID : EXIT_DONE;
}

COMMAND(user_skill_sync) = {
	.name = "user-skill sync",
	.summary = "load the library's files into the store",
	.description =
		"The library is 'skills/', or the setting SKILL_LIBRARY_PATH; its files are\n"
		"<category>/<id>/SKILL.md. Only changes are written. A skill whose file is missing\n"
		"is kept and marked until the file returns. A file with errors is skipped, and the\n"
		"stored version stays; the exit code is then 2, and everything else is loaded. The\n"
		"host does the same when it starts.",
	.section = SECTION_ASSISTANT,
	.run = run_user_skill_sync,
};

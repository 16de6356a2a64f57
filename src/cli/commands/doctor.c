#include <stdio.h>

#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "util/json.h"

static const struct option options[] = {
	{0, "fix", NULL, "mend what can be mended without losing or installing anything"},
	{0},
};

static void print_json(const struct doctor *doctor, size_t problems)
{
	json_t *findings = json_array();
	json_t *document = json_pack("{s:b, s:o}", "success", !problems, "findings", findings);

	for (size_t i = 0; i < doctor->count; i++) {
		const struct finding *finding = &doctor->findings[i];

		json_array_append_new(findings,
			json_pack("{s:s, s:s, s:o, s:o}", "name", finding->name, "status",
				finding_status_names[finding->status], "message",
				json_text(view_of(finding->message)), "fix",
				finding->fix ? json_text(view_of(finding->fix)) : json_null()));
	}
	if (problems)
		json_object_set_new(document, "error",
			json_sprintf("%zu problem%s found", problems, problems > 1 ? "s" : ""));
	output_json(document);
}

static void print_finding(const struct cli *cli, const struct finding *finding)
{
	static const char *const colors[] = {
		[FINDING_OK] = COLOR_GREEN,
		[FINDING_WARNING] = COLOR_YELLOW,
		[FINDING_PROBLEM] = COLOR_RED,
	};

	if (cli->quiet && finding->status == FINDING_OK)
		return;
	printf("%s%-7s%s  %-11s  %s\n", output_color(cli, colors[finding->status]),
		finding_status_names[finding->status], output_color(cli, COLOR_RESET),
		finding->name, finding->message);
	if (finding->fix)
		printf("%22stry: %s\n", "", finding->fix);
}

static void print_text(const struct cli *cli, const struct doctor *doctor)
{
	size_t problems = doctor_count(doctor, FINDING_PROBLEM);
	size_t warnings = doctor_count(doctor, FINDING_WARNING);

	for (size_t i = 0; i < doctor->count; i++)
		print_finding(cli, &doctor->findings[i]);
	if (cli->quiet)
		return;
	if (problems || warnings)
		printf("\nproblems: %zu, warnings: %zu\n", problems, warnings);
	else
		printf("\nnothing is broken\n");
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(doctor_release) struct doctor doctor = DOCTOR_INIT;
	size_t problems;

	doctor.fix = arguments_flag(args, "fix");
	doctor.ask = prompt_for(cli);
	if (doctor_run(&doctor, err) < 0)
		return -1;
	problems = doctor_count(&doctor, FINDING_PROBLEM);
	if (cli->json)
		print_json(&doctor, problems);
	else
		print_text(cli, &doctor);
	if (doctor.refused)
		return EXIT_INVALID;
	return problems ? EXIT_FAILED : EXIT_DONE;
}

COMMAND(doctor) = {
	.name = "doctor",
	.summary = "look for what is broken or missing, and how to mend it",
	.usage = "[--fix]",
	.description =
		"Tries out what everything else depends on: the libraries, the room on the disk,\n"
		"the clock and the time zones, what is kept in '.nanoclaw', and the packages of\n"
		"the distribution that skills need. Of the assistant: whether its store is sound,\n"
		"whether its channels are really connected, programs of agents and bridges, the\n"
		"sandbox, texts that were given up, tasks that failed, and processes and sockets\n"
		"that a killed host has left. For each it prints 'ok', 'warning' or 'problem', and\n"
		"with the last two, where there is one, the command that mends it. Settings are\n"
		"tried out and never shown.\n"
		"\n"
		"Works in any folder, and also when the assistant is not running. An operation that\n"
		"was interrupted is undone first, as by every command. With '--fix', temporary files\n"
		"that killed commands have left are removed, and sockets that nobody listens on;\n"
		"'.env' and 'store' are closed to other users. Packages are never installed, and\n"
		"processes never killed: the command for that is shown.\n"
		"\n"
		"What '.nanoclaw' has lost, '--fix' rebuilds from what is left: from hashes, packs,\n"
		"packages, patches and their notes, git and the tree. It says what it is sure of and\n"
		"what it guesses, keeps what it replaces in '.nanoclaw/kept', and changes none of\n"
		"your files. Files that are gone from the tree come back only if you say so, or with\n"
		"'--yes'.\n"
		"\n"
		"The exit code is 0 if there is no problem, and 1 otherwise; it is 2 if the state is\n"
		"from a newer NanoClaw, which is left alone.",
	.section = SECTION_START,
	.options = options,
	.run = run,
};

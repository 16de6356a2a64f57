#include "cli/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/prompt.h"
#include "engine/commit/recovery.h"
#include "format/json.h"
#include "proc/process.h"

ENTRY_SET(probes, probe)

static const char *const finding_status_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_WARNING] = "warning",
	[FINDING_PROBLEM] = "problem",
};

/* --- findings ------------------------------------------------------------------- */

void doctor_add(struct doctor *doctor, enum finding_status status, const char *name,
	const char *fix, const char *format, ...)
{
	struct buf message = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&message, format, args);
	va_end(args);
	GROW(doctor->findings, doctor->count, doctor->cap);
	doctor->findings[doctor->count++] = (struct finding){
		.name = xstrdup(name),
		.status = status,
		.message = buf_take(&message),
		.fix = fix ? xstrdup(fix) : NULL,
	};
}

static size_t doctor_count(const struct doctor *doctor, enum finding_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < doctor->count; i++)
		count += doctor->findings[i].status == status;
	return count;
}

static void doctor_release(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++) {
		free(doctor->findings[i].name);
		free(doctor->findings[i].message);
		free(doctor->findings[i].fix);
	}
	free(doctor->findings);
	doctor_close_assistant(doctor);
	project_release(&doctor->project);
	*doctor = DOCTOR_INIT;
}

/* --- shared by probes ----------------------------------------------------- */

bool doctor_can_run(const char *program, int folder)
{
	struct stat st;

	if (!strchr(program, '/')) {
		CLEANUP(freep) char *found = process_find(program);

		return found != NULL;
	}
	return fstatat(folder, program, &st, 0) == 0 && S_ISREG(st.st_mode) &&
	       faccessat(folder, program, X_OK, AT_EACCESS) == 0;
}

char *doctor_install(const char *package)
{
	CLEANUP(freep) char *apt = process_find("apt-get");

	if (!apt)
		return NULL;
	return xasprintf("%sapt-get install %s", geteuid() ? "sudo " : "", package);
}

/* --- an interrupted operation ------------------------------------------ */

/*
 * Every command begins with this. Here a failure must not end the command. The lock is kept:
 * files that an operation is changing would look damaged.
 */
static void doctor_recover(struct doctor *doctor)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT, busy = ERROR_INIT;

	if (project_lock(&doctor->project, &busy) < 0) {
		doctor->running = busy.kind == ERROR_BUSY;
		if (doctor->running)
			doctor_ok(doctor, "interrupted", "an operation is running");
		else
			doctor_problem(doctor, "interrupted", NULL, "%s", busy.message);
		return;
	}
	if (recovery_run(&doctor->project, &recovery, &err) == 0) {
		if (recovery.operation)
			doctor_ok(doctor, "interrupted",
				"'%s' was interrupted and has been rolled back",
				recovery.operation);
		project_report_kept(&recovery.kept);
	} else if ((doctor->running = err.kind == ERROR_BUSY)) {
		doctor_warning(doctor, "interrupted", NULL, "%s", err.message);
	} else if (err.errnum == EACCES) {
		doctor_problem(
			doctor, "interrupted", "chmod -R u+rwX .nanoclaw", "%s", err.message);
	} else {
		/* With `fix`, the probe "recovery" reports it. */
		doctor_add(doctor, doctor->fix ? FINDING_WARNING : FINDING_PROBLEM,
			"interrupted", doctor->fix ? NULL : "nanoclaw doctor --fix", "%s",
			err.message);
	}
}

/* --- all probes ----------------------------------------------------------------- */

/*
 * Open the project and run all probes in the order of their names, those of the assistant
 * last. An interrupted operation is undone first, as by every command; if it cannot be,
 * that is a finding. Fails only where there is no folder to work in.
 */
static int doctor_run(struct doctor *doctor, struct error *err)
{
	bool assistant;

	if (project_open(&doctor->project, err) < 0)
		return -1;
	doctor_recover(doctor);
	assistant = doctor_open_assistant(doctor);
	for (const struct probe *const *p = probes_sorted(); *p; p++)
		if (!(*p)->of_assistant)
			(*p)->run(doctor);
	project_unlock(&doctor->project);
	for (const struct probe *const *p = probes_sorted(); *p; p++)
		if (assistant && (*p)->of_assistant)
			(*p)->run(doctor);
	return 0;
}

static const struct option options[] = {
	{0, "fix", NULL, "fix what can be fixed without losing or installing anything"},
	{0},
};

static void print_finding(const struct cli *cli, const struct finding *finding)
{
	static const char *const colors[] = {
		[FINDING_OK] = COLOR_GREEN,
		[FINDING_WARNING] = COLOR_YELLOW,
		[FINDING_PROBLEM] = COLOR_RED,
	};
	CLEANUP(buf_release) struct buf message = BUF_INIT;

	if (cli->quiet && finding->status == FINDING_OK)
		return;
	output_wrap(&message, finding->message, 22);
	printf("%s%-7s%s  %-11s  %s\n", output_color(cli, colors[finding->status]),
		finding_status_names[finding->status], output_color(cli, COLOR_RESET),
		finding->name, message.data);
	if (finding->fix)
		printf("%22stry: %s\n", "", finding->fix);
}

static void print_findings(const struct cli *cli, const struct doctor *doctor)
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

static int run_doctor(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(doctor_release) struct doctor doctor = DOCTOR_INIT;
	size_t problems;

	doctor.fix = arguments_flag(args, "fix");
	doctor.ask = prompt_for(cli);
	if (doctor_run(&doctor, err) < 0)
		return -1;
	problems = doctor_count(&doctor, FINDING_PROBLEM);
	if (cli->json) {
		json_t *findings = json_array();
		json_t *document = json_build("success:b findings:o", !problems, findings);

		for (size_t i = 0; i < doctor.count; i++) {
			const struct finding *finding = &doctor.findings[i];

			json_add(findings, "name:s status:s message:s fix:s", finding->name,
				finding_status_names[finding->status], finding->message,
				finding->fix);
		}
		if (problems)
			json_put(document, "error:o",
				json_sprintf("%zu problem%s found", problems,
					problems > 1 ? "s" : ""));
		output_json(document);
	} else {
		print_findings(cli, &doctor);
	}
	if (doctor.refused)
		return EXIT_INVALID;
	return problems ? EXIT_FAILED : EXIT_DONE;
}

COMMAND(doctor) = {
	.name = "doctor",
	.summary = "find broken and missing things, and how to fix them",
	.description =
		"Checks the libraries, the disk, the clock and time zones, the data in '.nanoclaw',\n"
		"and the system packages that skills need. For the assistant it checks the store,\n"
		"the channels, the programs of agents and bridges, the sandbox, undelivered texts,\n"
		"failed tasks, and the remains of a killed host. Each finding is 'ok', a 'warning'\n"
		"or a 'problem', with the command that fixes it if there is one. The values of\n"
		"settings are never shown.\n"
		"\n"
		"The command works in any folder, with or without a running assistant. Like every\n"
		"command, it first rolls back an interrupted operation. '--fix' deletes temporary\n"
		"files of killed commands and sockets without a listener, and closes '.env' and\n"
		"'store' to other users. It never installs packages or kills processes, but shows\n"
		"the command for that.\n"
		"\n"
		"'--fix' also rebuilds lost data in '.nanoclaw' from hashes, packs, packages,\n"
		"patches and their notes, git and the tree. It reports what is certain and what is\n"
		"a guess, keeps replaced data in '.nanoclaw/kept', and changes none of your files.\n"
		"It restores files missing from the tree only if you agree, or with '--yes'.\n"
		"\n"
		"The exit code is 0 if there is no problem, 1 if there is one, and 2 if the state\n"
		"is from a newer NanoClaw, which is left alone.",
	.section = SECTION_START,
	.first = 6,
	.options = options,
	.run = run_doctor,
};

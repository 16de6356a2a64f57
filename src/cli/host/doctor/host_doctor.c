#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/helper.h"
#include "cli/host/doctor/host_probe.h"
#include "cli/output.h"
#include "util/process.h"

extern const struct host_probe *const __start_nanoclaw_host_probes[];
extern const struct host_probe *const __stop_nanoclaw_host_probes[];

bool host_probe_can_run(const char *program, int folder)
{
	struct stat st;

	if (!strchr(program, '/')) {
		CLEANUP(freep) char *found = process_find(program);

		return found != NULL;
	}
	return fstatat(folder, program, &st, 0) == 0 && S_ISREG(st.st_mode) &&
	       faccessat(folder, program, X_OK, AT_EACCESS) == 0;
}

bool host_probe_is_silent(const struct host_doctor *doctor)
{
	/* Only opened: doctor makes no lock where there is none. */
	CLEANUP(closep)
	int fd = openat(doctor->findings.project.root, STORE_FOLDER "/lock",
		O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return !doctor->status && fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0;
}

static void host_doctor_release(struct host_doctor *doctor)
{
	json_decref(doctor->status);
	client_release(&doctor->client);
	store_free(doctor->store);
	settings_release(&doctor->settings);
	error_release(&doctor->settings_error);
	error_release(&doctor->store_error);
	error_release(&doctor->host_error);
	doctor_release(&doctor->findings);
}

static void open_all(struct host_doctor *doctor)
{
	const struct project *project = &doctor->findings.project;

	settings_read(project->root, &doctor->settings, &doctor->settings_error);
	store_open(project->path, STORE_READ, &doctor->store, &doctor->store_error);
	if (client_connect(project->root, &doctor->client, &doctor->running,
		    &doctor->host_error) == 0 &&
		doctor->running)
		client_request(&doctor->client, json_pack("{s:s}", "op", "host_status"),
			&doctor->status, &doctor->host_error);
}

static int by_name(const void *a, const void *b)
{
	const struct host_probe *const *one = a, *const *two = b;

	return strcmp((*one)->name, (*two)->name);
}

static void run_probes(struct host_doctor *doctor)
{
	size_t count = (size_t)(__stop_nanoclaw_host_probes - __start_nanoclaw_host_probes);
	CLEANUP(freep) const struct host_probe **probes = xcalloc(count, sizeof(*probes));

	for (size_t i = 0; i < count; i++)
		probes[i] = __start_nanoclaw_host_probes[i];
	qsort(probes, count, sizeof(*probes), by_name);
	for (size_t i = 0; i < count; i++)
		probes[i]->run(doctor);
}

static void print_text(const struct doctor *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		printf("%-7s  %-11s  %s\n", finding_status_names[findings->findings[i].status],
			findings->findings[i].name, findings->findings[i].message);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(host_doctor_release)
	struct host_doctor doctor = {.findings = DOCTOR_INIT, .client = CLIENT_INIT};

	doctor.findings.fix = helper_flag(args, "fix");
	if (project_open(&doctor.findings.project, err) < 0)
		return -1;
	open_all(&doctor);
	run_probes(&doctor);
	if (cli->json)
		output_json(json_pack("{s:b, s:o}", "success", true, "findings",
			doctor_json(&doctor.findings)));
	else
		print_text(&doctor.findings);
	return EXIT_DONE;
}

COMMAND_RUN(host_doctor, "host-doctor", run);

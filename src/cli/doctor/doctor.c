#include "cli/doctor/doctor.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channels/bridge/config.h"
#include "cli/workplace.h"
#include "engine/commit/recovery.h"
#include "store/store.h"
#include "util/process.h"

extern const struct probe *const __start_nanoclaw_probes[];
extern const struct probe *const __stop_nanoclaw_probes[];

const char *const finding_status_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_WARNING] = "warning",
	[FINDING_PROBLEM] = "problem",
};

/* --- findings ------------------------------------------------------------------- */

static void __attribute__((format(printf, 5, 0))) add(struct doctor *doctor, const char *name,
	enum finding_status status, const char *fix, const char *format, va_list args)
{
	struct buf message = BUF_INIT;

	buf_appendv(&message, format, args);
	GROW(doctor->findings, doctor->count, doctor->cap);
	doctor->findings[doctor->count++] = (struct finding){
		.name = xstrdup(name),
		.status = status,
		.message = buf_take(&message),
		.fix = fix ? xstrdup(fix) : NULL,
	};
}

void doctor_ok(struct doctor *doctor, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(doctor, name, FINDING_OK, NULL, format, args);
	va_end(args);
}

void doctor_warning(
	struct doctor *doctor, const char *name, const char *fix, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(doctor, name, FINDING_WARNING, fix, format, args);
	va_end(args);
}

void doctor_problem(
	struct doctor *doctor, const char *name, const char *fix, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(doctor, name, FINDING_PROBLEM, fix, format, args);
	va_end(args);
}

size_t doctor_count(const struct doctor *doctor, enum finding_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < doctor->count; i++)
		count += doctor->findings[i].status == status;
	return count;
}

void doctor_release(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++) {
		free(doctor->findings[i].name);
		free(doctor->findings[i].message);
		free(doctor->findings[i].fix);
	}
	free(doctor->findings);
	json_decref(doctor->status);
	client_release(&doctor->client);
	store_free(doctor->store);
	settings_release(&doctor->settings);
	error_release(&doctor->settings_error);
	error_release(&doctor->store_error);
	error_release(&doctor->host_error);
	project_release(&doctor->project);
	*doctor = DOCTOR_INIT;
}

/* --- what several probes ask ----------------------------------------------------- */

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

bool doctor_is_silent(const struct doctor *doctor)
{
	/* Only opened: doctor makes no lock where there is none. */
	CLEANUP(closep)
	int fd = openat(
		doctor->project.root, STORE_FOLDER "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return !doctor->status && fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0;
}

char *doctor_install(const char *package)
{
	CLEANUP(freep) char *apt = process_find("apt-get");

	if (!apt)
		return NULL;
	return xasprintf("%sapt-get install %s", geteuid() ? "sudo " : "", package);
}

/* --- an operation that was interrupted ------------------------------------------ */

static void tell_recovered(struct doctor *doctor, const struct recovery *recovery)
{
	if (recovery->operation)
		doctor_ok(doctor, "interrupted",
			"'%s' was interrupted, and has been undone: everything is as it was "
			"before it",
			recovery->operation);
	workplace_tell_kept(&recovery->kept);
}

/* What every command does first. Here it must not be the end if it does not work. */
static void recover(struct doctor *doctor)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT, busy = ERROR_INIT;

	if (!recovery_needed(&doctor->project))
		return;
	if (project_lock(&doctor->project, &busy) < 0) {
		doctor->running = busy.kind == ERROR_BUSY;
		if (doctor->running)
			doctor_ok(doctor, "interrupted", "an operation is running");
		else
			doctor_problem(doctor, "interrupted", NULL, "%s", busy.message);
		return;
	}
	/* With `fix` the probe "recovery" has something to say about it. */
	if (recovery_run(&doctor->project, &recovery, &err) < 0)
		(doctor->fix ? doctor_warning : doctor_problem)(doctor, "interrupted",
			doctor->fix ? NULL : "nanoclaw doctor --fix", "%s", err.message);
	else
		tell_recovered(doctor, &recovery);
	project_unlock(&doctor->project);
}

/* --- the assistant --------------------------------------------------------------- */

/* It has a store or bridges where it is used. */
static bool has_assistant(const struct doctor *doctor)
{
	struct stat st;

	return fstatat(doctor->project.root, STORE_FOLDER "/" STORE_FILE, &st,
		       AT_SYMLINK_NOFOLLOW) == 0 ||
	       fstatat(doctor->project.root, BRIDGE_FOLDER, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void open_assistant(struct doctor *doctor)
{
	const struct project *project = &doctor->project;
	bool running;

	settings_read(project->root, &doctor->settings, &doctor->settings_error);
	store_open(project->path, STORE_READ, &doctor->store, &doctor->store_error);
	if (client_connect(project->root, &doctor->client, &running, &doctor->host_error) ==
			0 &&
		running)
		client_request(&doctor->client, json_pack("{s:s}", "op", "host_status"),
			&doctor->status, &doctor->host_error);
}

/* --- all probes ----------------------------------------------------------------- */

static int compare_probes(const void *a, const void *b)
{
	const struct probe *const *one = a, *const *two = b;

	if ((*one)->of_assistant != (*two)->of_assistant)
		return (*one)->of_assistant - (*two)->of_assistant;
	return strcmp((*one)->name, (*two)->name);
}

int doctor_run(struct doctor *doctor, struct error *err)
{
	size_t count = (size_t)(__stop_nanoclaw_probes - __start_nanoclaw_probes);
	CLEANUP(freep) const struct probe **probes = xcalloc(count + 1, sizeof(*probes));
	bool assistant;

	if (project_open(&doctor->project, err) < 0)
		return -1;
	recover(doctor);
	assistant = has_assistant(doctor);
	if (assistant)
		open_assistant(doctor);
	for (size_t i = 0; i < count; i++)
		probes[i] = __start_nanoclaw_probes[i];
	qsort(probes, count, sizeof(*probes), compare_probes);
	for (size_t i = 0; i < count; i++)
		if (assistant || !probes[i]->of_assistant)
			probes[i]->run(doctor);
	return 0;
}

/*
 * Are the packages of the distribution there that skills need? They are named in
 * system-packages.txt (engine/structured/system_packages.h); which of them are installed is known
 * by the package manager. It is asked once, and installs nothing.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "engine/structured/system_packages.h"
#include "fs/beneath.h"
#include "proc/process.h"

#define TIMEOUT_MS 60000
#define MAX_OUTPUT ((size_t)4 * 1024 * 1024)

/*
 * How to ask. For each package that is installed, there is a line in the answer that
 * begins with its name, and where `word` is given has this as its second word.
 */
struct manager {
	const char *argv[5]; /* the names follow */
	const char *word;
	const char *install; /* the names follow */
};

static const struct manager managers[] = {
	{{"dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\\n"}, "installed",
		"apt-get install"},
	{{"rpm", "-q", "--qf", "%{NAME} installed\\n"}, "installed", "dnf install"},
	{{"pacman", "-Q"}, NULL, "pacman -S"},
	{{"apk", "info", "-e"}, NULL, "apk add"},
};

/* `argv` has room for the question and all names. */
static int package_ask(const struct manager *manager, const char **argv,
	const struct buf *words, struct buf *ret_answer, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	size_t length = 0;

	for (; manager->argv[length]; length++)
		argv[length] = manager->argv[length];
	for (const char *word = words->data; word < words->data + words->len;
		word += strlen(word) + 1)
		argv[length++] = word;
	argv[length] = NULL;
	request.argv = argv;
	request.env = (const char *const[]){"LC_ALL=C", NULL};
	request.timeout_ms = TIMEOUT_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_DISCARD};
	if (process_run(&request, &result, err) < 0)
		return -1;
	/* The exit code is 1 if some packages are unknown; that is not a failure. */
	if (result.timed_out || result.signal)
		return error_set(err, ERROR_FAILED, "'%s' did not answer", argv[0]);
	buf_append(ret_answer, result.output.data, result.output.len);
	return 0;
}

/* The answer of the first installed manager; NULL with an error if none gave one. */
static const struct manager *manager_ask(
	const struct view *names, size_t count, struct buf *ret_answer, struct error *err)
{
	CLEANUP(freep)
	const char **argv = xcalloc(count + ARRAY_SIZE(managers[0].argv) + 1, sizeof(*argv));
	CLEANUP(buf_release) struct buf words = BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		buf_append(&words, names[i].data, names[i].len);
		buf_append_char(&words, '\0');
	}
	for (size_t i = 0; i < ARRAY_SIZE(managers); i++) {
		if (package_ask(&managers[i], argv, &words, ret_answer, err) == 0)
			return &managers[i];
		if (err->errnum != ENOENT)
			return NULL;
		error_clear(err);
	}
	error_set(err, ERROR_FAILED, "no known package manager was found");
	return NULL;
}

static bool package_is_installed(
	const struct manager *manager, struct view answer, struct view name)
{
	struct view line, word;

	while (view_next(&answer, '\n', &line)) {
		if (!view_next(&line, ' ', &word) || !view_equal(word, name))
			continue;
		if (!manager->word)
			return true;
		if (view_next(&line, ' ', &word) && view_equal_str(word, manager->word))
			return true;
	}
	return false;
}

static void packages_report(struct doctor *doctor, const struct manager *manager,
	struct view answer, const struct view *names, size_t count)
{
	CLEANUP(buf_release) struct buf missing = BUF_INIT;
	CLEANUP(buf_release) struct buf fix = BUF_INIT;

	buf_appendf(&fix, "%s%s", geteuid() ? "sudo " : "", manager->install);
	for (size_t i = 0; i < count; i++) {
		if (package_is_installed(manager, answer, names[i]))
			continue;
		buf_appendf(&missing, "%s%.*s", missing.len ? ", " : "", VIEW_ARGS(names[i]));
		buf_appendf(&fix, " %.*s", VIEW_ARGS(names[i]));
	}
	if (missing.len)
		doctor_problem(doctor, "packages", fix.data,
			"packages required by skills are not installed: %s", missing.data);
	else
		doctor_ok(
			doctor, "packages", "all required packages are installed: %zu", count);
}

static void packages_probe(struct doctor *doctor, struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) struct view *names = NULL;
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	size_t count = system_packages_read(text, &names);
	const struct manager *manager;

	if (!count) {
		doctor_ok(doctor, "packages", "none required");
		return;
	}
	manager = manager_ask(names, count, &answer, &err);
	if (manager)
		packages_report(doctor, manager, view_of_buf(&answer), names, count);
	else
		doctor_warning(doctor, "packages", NULL,
			"cannot check which packages in '" SYSTEM_PACKAGES_FILE
			"' are installed: %s",
			err.message);
}

static void run_packages(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (beneath_path_read(doctor->project.root, SYSTEM_PACKAGES_FILE,
		    SYSTEM_PACKAGES_MAX_SIZE, &text, &err) == 0)
		packages_probe(doctor, view_of_buf(&text));
	else if (err.errnum == ENOENT)
		doctor_ok(doctor, "packages", "none required");
	else
		doctor_warning(doctor, "packages", err.hint, "%s", err.message);
}

PROBE(packages) = {
	.name = "packages",
	.run = run_packages,
};

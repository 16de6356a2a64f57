#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/json.h"
#include "format/json_span.h"
#include "fs/file.h"
#include "proc/process.h"
#include "programs/remote/remote.h"
#include "sandbox/sandbox.h"

#define MAX_SETTINGS  ((size_t)64 * 1024)
#define MAX_SPEC      ((size_t)4 * 1024 * 1024)
#define MAX_LIST      ((size_t)1024 * 1024)
#define DRIVER_MS     30000
#define LEASE_SECONDS 30
#define MAX_LEASE     3600

/* --- settings ---------------------------------------------------------------- */

static int settings_fault(
	struct view text, const char *name, const char *what, struct error *err)
{
	size_t line, column;

	json_place(text, (const char *const[]){name, NULL}, &line, &column);
	return error_set(err, ERROR_INVALID, REMOTE_SETTINGS ":%zu:%zu: '%s' %s", line, column,
		name, what);
}

static int settings_take(struct view text, const json_t *json, struct remote_settings *settings,
	struct error *err)
{
	const char *name;
	json_t *value, *word;
	size_t i;

	if (!json_is_object(json))
		return error_set(err, ERROR_INVALID, REMOTE_SETTINGS ": it is not an object");
	json_object_foreach((json_t *)(uintptr_t)json, name, value) {
		if (!strcmp(name, "driver")) {
			json_array_foreach(value, i, word)
				string_array_add(&settings->driver,
					json_is_string(word) ? json_string_value(word) : "");
			if (!json_array_size(value) || string_array_has(&settings->driver, ""))
				return settings_fault(
					text, name, "must be a program and its arguments", err);
		} else if (!strcmp(name, "image")) {
			if (!json_is_string(value))
				return settings_fault(text, name, "must be a text", err);
			settings->image = xstrdup(json_string_value(value));
		} else if (!strcmp(name, "lease_seconds")) {
			double seconds = json_number_value(value);

			if (seconds < 1 || seconds > MAX_LEASE)
				return settings_fault(
					text, name, "must be a number from 1 to 3600", err);
			settings->lease_ms = (int64_t)(seconds * 1000);
		} else {
			return settings_fault(text, name, "is unknown", err);
		}
	}
	if (!settings->driver.count)
		return error_set(err, ERROR_INVALID, REMOTE_SETTINGS ": 'driver' is missing");
	return 0;
}

int remote_settings_read(struct remote_settings *ret_settings, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	*ret_settings = (struct remote_settings){.lease_ms = LEASE_SECONDS * 1000};
	if (file_read(REMOTE_SETTINGS, MAX_SETTINGS, &text, err) < 0 ||
		json_read(view_of_buf(&text), REMOTE_SETTINGS, MAX_SETTINGS, &json, err) < 0)
		return -1;
	return settings_take(view_of_buf(&text), json, ret_settings, err);
}

/* --- verbs ------------------------------------------------------------------- */

int remote_drive(const struct remote_settings *settings, const char *verb, const char *argument,
	struct buf *ret_output, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(string_array_release) struct string_array words = {0};
	struct process_request request = PROCESS_REQUEST_INIT;

	string_array_add_all(&words, (const char *const *)settings->driver.list);
	string_array_add(&words, verb);
	if (argument)
		string_array_add(&words, argument);
	request.argv = (const char *const *)words.list;
	request.timeout_ms = DRIVER_MS;
	request.dies_with_us = true;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_LIST};
	if (process_run(&request, &result, err) < 0)
		return -1;
	if (result.timed_out)
		return error_set(err, ERROR_FAILED, "the driver did not answer '%s'", verb);
	if (ret_output)
		buf_append(ret_output, result.output.data, result.output.len);
	return result.exit_code;
}

/* With a driver that does not answer it counts as gone: its lease ends it. */
static int run_inspect(
	const struct remote_settings *settings, const char *name, struct error *err)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	struct view rest, line;
	int code = remote_drive(settings, "list", NULL, &names, err);

	rest = view_of_buf(&names);
	while (code == 0 && view_next(&rest, '\n', &line))
		if (view_equal_str(line, name))
			return 0;
	return code < 0 ? -1 : 1;
}

static int run_check(const struct remote_settings *settings, struct error *err)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	int code = remote_drive(settings, "list", NULL, &names, err);

	if (code > 0)
		return error_set(
			err, ERROR_FAILED, "the driver's 'list' ended with exit code %d", code);
	return code;
}

static int run_agent(
	const struct remote_settings *settings, const char *word, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *spec = NULL;
	CLEANUP(closep) int fd = -1;

	if (strncmp(word, "spec=", 5) != 0)
		return error_set(err, ERROR_INVALID, "this program is for nanoclaw's host");
	fd = (int)strtol(word + 5, NULL, 10);
	if (file_read_fd(fd, "spec", MAX_SPEC, &text, err) < 0 ||
		json_read(view_of_buf(&text), "spec", MAX_SPEC, &spec, err) < 0)
		return -1;
	return remote_run(settings, spec, err);
}

static int remote_main(int argc, char **argv, struct error *err)
{
	struct remote_settings settings;

	if (argc < 2)
		return error_set(err, ERROR_INVALID, "this program is for nanoclaw's host");
	if (remote_settings_read(&settings, err) < 0)
		return -1;
	if (!strcmp(argv[1], "run"))
		return run_agent(&settings, argv[argc - 1], err);
	if (!strcmp(argv[1], "inspect"))
		return run_inspect(&settings, argv[argc - 1], err);
	if (!strcmp(argv[1], "rm"))
		return remote_drive(&settings, "remove", argv[argc - 1], NULL, err);
	if (!strcmp(argv[1], "check"))
		return run_check(&settings, err);
	return error_set(err, ERROR_INVALID, "unexpected verb '%s'", argv[1]);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int code;

	signal(SIGPIPE, SIG_IGN);
	umask(077);
	code = remote_main(argc, argv, &err);
	if (code < 0)
		fprintf(stderr, "nanoclaw-remote: %s\n", err.message);
	return code < 0 ? 1 : code;
}

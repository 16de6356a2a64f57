/*
 * Do the readers of files (host/reading/reader.h) work: does the program exist, or the server
 * answer?
 */
#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "host/agent/agent_program.h"
#include "host/reading/reader.h"
#include "net/network.h"
#include "proc/child.h"

/* A person is waiting. */
#define ANSWER_MS 10000

struct reader_asking {
	struct doctor *doctor;
	const struct reader *reader;
	struct reader_server server;
	struct network *network;
};

static void check_command(
	struct doctor *doctor, const struct reader *reader, const char *command)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(freep) char *path = NULL;

	if (child_split(command, &argv, &err) < 0) {
		doctor_problem(
			doctor, reader->name, NULL, "%s: %s", reader->setting, err.message);
		return;
	}
	if (!strchr(argv[0], '/'))
		path = agent_program_in_path(argv[0]);
	else
		path = argv[0][0] == '/' ? xstrdup(argv[0])
					 : xasprintf("%s/%s", doctor->project.path, argv[0]);
	if (path && !access(path, X_OK))
		doctor_ok(doctor, reader->name, "files are read by '%s'", argv[0]);
	else
		doctor_problem(doctor, reader->name, NULL,
			"the program '%s' is missing: install it, or set %s to another one",
			argv[0], reader->setting);
}

static void take_models(void *data, const struct http_reply *reply, const char *why)
{
	struct reader_asking *asking = data;
	const char *name = asking->reader->name;
	const char *setting = asking->reader->setting;

	if (!reply)
		doctor_warning(
			asking->doctor, name, NULL, "%s_URL: no answer: %s", setting, why);
	else if (reply->status == 401 || reply->status == 403)
		doctor_problem(asking->doctor, name, NULL,
			"%s_KEY: the server refuses it (status %d)", setting, reply->status);
	else if (reply->status >= 500)
		doctor_warning(asking->doctor, name, NULL,
			"%s_URL: the server answers with status %d", setting, reply->status);
	else
		doctor_ok(asking->doctor, name, "the server answers");
	network_close(asking->network);
}

/* Servers of this kind list their models. */
static void check_server(struct reader_asking *asking)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *url = reader_address(&asking->server, "/models");
	CLEANUP(freep)
	char *key = asking->server.key
			    ? xasprintf("Authorization: Bearer %s", asking->server.key)
			    : NULL;
	const char *const headers[] = {key, NULL};
	struct http_call *call;
	uv_loop_t loop;

	uv_loop_init(&loop);
	network_new(
		&(struct network_options){&loop, settings_ca_file(&asking->doctor->settings)},
		&asking->network);
	if (http_call(asking->network,
		    &(struct http_call_request){.http = {.method = "GET",
							.url = url,
							.headers = headers,
							.total_ms = ANSWER_MS}},
		    take_models, asking, &call, &err) < 0) {
		doctor_problem(asking->doctor, asking->reader->name, err.hint, "%s_URL: %s",
			asking->reader->setting, err.message);
		network_close(asking->network);
	}
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
}

static void check_reader(struct doctor *doctor, const struct reader *reader)
{
	const char *command = reader_command(reader, &doctor->settings);
	struct reader_asking asking = {
		doctor, reader, reader_server(reader, &doctor->settings), NULL};

	if (command)
		check_command(doctor, reader, command);
	else if (asking.server.url)
		check_server(&asking);
	else
		doctor_warning(doctor, reader->name, NULL,
			"neither %s nor %s_URL is set, so it reads nothing", reader->setting,
			reader->setting);
}

static void run_readers(struct doctor *doctor)
{
	for (const struct reader *const *r = reader_list(); *r; r++)
		check_reader(doctor, *r);
}

PROBE(readers) = {
	.name = "readers",
	.of_assistant = true,
	.run = run_readers,
};

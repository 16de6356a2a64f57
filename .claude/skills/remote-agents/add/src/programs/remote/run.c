/* An agent on another machine, seen from the host. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"
#include "format/json.h"
#include "proc/process.h"
#include "programs/remote/remote.h"
#include "programs/remote_link/files.h"
#include "programs/remote_link/link.h"
#include "sandbox/sandbox.h"

/* Until a machine is found and answers, and until a driver ends that has closed its stream. */
#define PLACE_MS ((int64_t)10 * 60 * 1000)
#define END_MS   5000

struct run {
	const struct remote_settings *settings;
	const json_t *spec;
	struct link link;
	struct files *files;
	pid_t driver;
	bool greeted;
	bool ended; /* with this code: */
	int exit_code;
};

/* --- the driver -------------------------------------------------------------- */

static json_t *place_spec(const struct run *run)
{
	const json_t *spec = run->spec;
	const char *image = run->settings->image
				    ? run->settings->image
				    : json_string_value(json_object_get(spec, "image"));

	return json_build("name:s run:s installation:s group:s image:s memory:I cpu:I "
			  "processes:I disk:I",
		json_member(spec, "name"), json_member(spec, "run"),
		json_member(spec, "installation"), json_member(spec, "group"),
		image ? image : SANDBOX_IMAGE, link_number(spec, "memory"),
		link_number(spec, "cpu"), link_number(spec, "processes"),
		link_number(spec, "disk"));
}

static int driver_start(struct run *run, int *ret_in, int *ret_out, struct error *err)
{
	extern char **environ;
	CLEANUP(string_array_release) struct string_array words = {0};
	CLEANUP(json_decrefp) json_t *spec = place_spec(run);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *program = NULL;
	int to[2] = {-1, -1}, from[2] = {-1, -1};

	json_write_ours(spec, false, &text);
	string_array_add_all(&words, (const char *const *)run->settings->driver.list);
	STRING_ARRAY_ADD(&words, "place", text.data);
	program = strchr(words.list[0], '/') ? xstrdup(words.list[0])
					     : process_find(words.list[0]);
	if (!program)
		return error_set(
			err, ERROR_INVALID, "the driver '%s' is not installed", words.list[0]);
	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		return error_errno(err, "cannot start the driver");
	run->driver = bound_start(&(struct bound_request){
		.path = program,
		.argv = (const char *const *)words.list,
		.env = (const char *const *)environ,
		.in = to[0],
		.out = from[1],
		.errors = -1,
		.cwd = -1,
	});
	if (run->driver < 0)
		return error_errno(err, "cannot run the driver '%s'", program);
	close(to[0]);
	close(from[1]);
	*ret_in = from[0];
	*ret_out = to[1];
	return 0;
}

/* Its exit code, if it ends within this time; else it is killed. */
static int driver_end(struct run *run, int64_t timeout_ms)
{
	int64_t until = link_now_ms() + timeout_ms;
	int status = 0;

	while (waitpid(run->driver, &status, WNOHANG) == 0) {
		if (link_now_ms() > until)
			kill(-run->driver, SIGKILL);
		poll(NULL, 0, 5);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- what the node says ------------------------------------------------------ */

static json_t *hello(const struct run *run)
{
	static const char *const names[] = {
		"argv", "env", "workdir", "mounts", "links", "processes", "disk"};
	json_t *message =
		json_build("version:i lease:I", LINK_VERSION, run->settings->lease_ms);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		json_object_set(message, names[i], json_object_get(run->spec, names[i]));
	return message;
}

static int take_message(json_t *taken, void *data, struct error *err)
{
	CLEANUP(json_decrefp) json_t *message = taken;
	struct run *run = data;
	int64_t number;

	if ((number = link_number(message, "version")) >= 0) {
		if (number != LINK_VERSION)
			return error_set(err, ERROR_INVALID,
				"is of another version: its image needs the nanoclaw-node of this "
				"NanoClaw");
		if (run->greeted)
			return error_set(err, ERROR_INVALID, "sent its greeting twice");
		run->greeted = true;
		link_message(&run->link, hello(run));
		files_ask(run->files);
	} else if ((number = link_number(message, "ping")) >= 0) {
		link_message(&run->link, json_build("pong:I", number));
	} else if ((number = link_number(message, "stored")) >= 0) {
		return files_stored(run->files, (uint64_t)number, err);
	} else if ((number = link_number(message, "exit")) >= 0) {
		run->ended = true;
		run->exit_code =
			number > 255 || number == SANDBOX_NO_PLACE || number == SANDBOX_LOST
				? 1
				: (int)number;
	} else {
		return error_set(err, ERROR_INVALID, "sent a message that is unknown");
	}
	return 0;
}

/* Only to a socket of its own. */
static int take_connection(unsigned id, unsigned number, void *data, struct error *err)
{
	struct run *run = data;
	const struct files_mount *mount = files_mount(run->files, number);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	CLEANUP(closep) int fd = -1;
	struct stream *stream;

	if (!mount || mount->kind != MOUNT_SOCKET)
		return error_set(err, ERROR_INVALID, "connects to a socket of others");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", mount->fd);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		stream = link_add(&run->link, id, -1, -1);
		stream->in_ended = true;
		return 0;
	}
	stream = link_add(&run->link, id, fd, fcntl(fd, F_DUPFD_CLOEXEC, 3));
	TAKE_FD(fd);
	stream->gate = GATE_ANSWERS;
	return 0;
}

static int take_files(struct view bytes, void *data, struct error *err)
{
	struct run *run = data;

	return files_take(run->files, bytes, err);
}

static size_t may_pass(struct stream *stream, struct view bytes, void *data)
{
	struct run *run = data;

	return files_may_pass(run->files, stream, bytes);
}

static const struct link_handlers handlers = {
	take_message, take_connection, take_files, may_pass};

/* --- the start --------------------------------------------------------------- */

static int add_mounts(struct run *run, struct error *err)
{
	const json_t *mounts = json_object_get(run->spec, "mounts");
	json_t *mount;
	size_t i;

	json_array_foreach(mounts, i, mount) {
		const char *kind = json_member(mount, "kind");
		CLEANUP(freep)
		char *own = xasprintf("/proc/self/fd/%d", (int)link_number(mount, "fd"));
		struct files_mount added = {
			.target = xstrdup(json_member(mount, "target")),
			.kind = !strcmp(kind, "folder")   ? MOUNT_FOLDER
				: !strcmp(kind, "socket") ? MOUNT_SOCKET
							  : MOUNT_FILE,
			.writable = json_is_true(json_object_get(mount, "writable")),
			.counted = json_is_true(json_object_get(mount, "counted")),
			.fd = (int)link_number(mount, "fd"),
		};

		/* The descriptor may be one that only names the file. */
		if (added.kind != MOUNT_SOCKET)
			added.fd = open(own, O_RDONLY | O_CLOEXEC);
		if (added.fd < 0)
			return error_errno(err, "cannot read '%s'", added.target);
		fcntl(added.fd, F_SETFD, FD_CLOEXEC);
		files_add_mount(run->files, added);
	}
	return 0;
}

/* --- its life ---------------------------------------------------------------- */

static bool run_is_lost(const struct run *run)
{
	int64_t patience = run->greeted ? run->settings->lease_ms : PLACE_MS;

	return run->link.ended || link_now_ms() - run->link.heard_ms > patience;
}

static bool is_all_written(const struct run *run)
{
	return !run->link.streams[LINK_STDOUT]->held.len &&
	       !run->link.streams[LINK_STDERR]->held.len;
}

static int run_loop(struct run *run, struct error *err)
{
	int tick = (int)(run->settings->lease_ms / 4);

	for (;;) {
		if (link_settle(&run->link, err) < 0 ||
			(run->greeted && files_work(run->files, err) < 0))
			return -1;
		if (run->ended ? is_all_written(run) : run_is_lost(run))
			return 0;
		if (link_wait(&run->link, NULL, 0, tick, err) < 0)
			return -1;
	}
}

/* The other half exits when its lease ends, which began before it was last heard. */
static int run_lost(struct run *run, bool is_silent)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t lease = run->settings->lease_ms;
	int64_t over = run->link.heard_ms + lease + lease / 4 + 250;

	while (link_now_ms() < over)
		poll(NULL, 0, (int)(over - link_now_ms()) + 1);
	remote_drive(run->settings, "remove", json_member(run->spec, "name"), NULL, &ignored);
	if (is_silent)
		fprintf(stderr,
			"the machine of the agent was lost: it was silent for %lld seconds\n",
			(long long)(lease / 1000));
	else
		fprintf(stderr, "the machine of the agent was lost: its stream has ended\n");
	return SANDBOX_LOST;
}

static int run_without_place(int code, struct error *err)
{
	if (code == SANDBOX_NO_PLACE)
		return code;
	if (code == 128 + SIGKILL) {
		fprintf(stderr, "no machine answered within %lld seconds\n",
			(long long)(PLACE_MS / 1000));
		return SANDBOX_NO_PLACE;
	}
	return error_set(err, ERROR_FAILED,
		"the driver ended with exit code %d before the agent was started", code);
}

static int run_end(struct run *run, struct error *err)
{
	bool is_silent = !run->link.ended;
	int code;

	closep(&run->link.in);
	closep(&run->link.out);
	if (run->ended) {
		driver_end(run, END_MS);
		return run->exit_code;
	}
	code = driver_end(run, is_silent || run->greeted ? -1 : END_MS);
	return run->greeted ? run_lost(run, is_silent) : run_without_place(code, err);
}

int remote_run(const struct remote_settings *settings, json_t *spec, struct error *err)
{
	static struct run run;
	int in = -1, out = -1, result;

	run = (struct run){.settings = settings, .spec = spec};
	if (driver_start(&run, &in, &out, err) < 0)
		return -1;
	link_init(&run.link, in, out, &handlers, &run);
	run.files = files_new(
		&run.link, FILES_HOST, (uint64_t)link_number(spec, "disk") * 1024 * 1024);
	link_add(&run.link, LINK_STDIN, STDIN_FILENO, -1)->gate = GATE_ALWAYS;
	link_add(&run.link, LINK_STDOUT, -1, STDOUT_FILENO);
	link_add(&run.link, LINK_STDERR, -1, STDERR_FILENO);
	link_add(&run.link, LINK_FILES, -1, -1);
	if (add_mounts(&run, err) < 0)
		return -1;
	result = run_loop(&run, err);
	files_end(run.files);
	if (result < 0)
		return error_prefix(err, "the agent's machine");
	return run_end(&run, err);
}

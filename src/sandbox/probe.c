/* Can sandboxes be made here? sandbox_probe() */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fs/scratch.h"
#include "sandbox/internal.h"
#include "sandbox/trial.h"

#define PROBE_MS 60000
#define CLEAN_MS 10000
#define PAUSE_MS 5

/* Targets for the probe, which are in reach only if the walls have holes. */
struct bait {
	int abstract;
	int loopback;
	struct string_array env;
};

static void bait_release(struct bait *bait)
{
	closep(&bait->abstract);
	closep(&bait->loopback);
	string_array_release(&bait->env);
}

static int listen_on_loopback(in_port_t *ret_port)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, 1) < 0 ||
		getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		return -1;
	*ret_port = ntohs(address.sin_port);
	return TAKE_FD(fd);
}

static int listen_abstract(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", name);
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
		bind(fd, (struct sockaddr *)&address,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)) <
			0 ||
		listen(fd, 1) < 0)
		return -1;
	return TAKE_FD(fd);
}

static void put_bait(const char *folder, struct bait *bait)
{
	in_port_t port = 1;

	bait->loopback = listen_on_loopback(&port);
	bait->abstract = listen_abstract(folder);
	string_array_addf(&bait->env, "NANOCLAW_PROBE_FILE=%s", folder);
	string_array_addf(&bait->env, "NANOCLAW_PROBE_PID=%d", (int)getpid());
	string_array_addf(&bait->env, "NANOCLAW_PROBE_PORT=%u", (unsigned)port);
	string_array_addf(&bait->env, "NANOCLAW_PROBE_SOCKET=%s", folder);
}

/* --- the result -------------------------------------------------------------- */

/* The first line with an error: engines warn of this and that before it. */
static struct view first_complaint(const struct trial *trial)
{
	struct view rest = view_of_buf(&trial->errors);
	struct view first = view_of("it ended without a message");
	struct view line;

	for (size_t i = 0; view_next(&rest, '\n', &line); i++) {
		if (memmem(line.data, line.len, "Error", strlen("Error")) ||
			memmem(line.data, line.len, SANDBOX_PROGRAM, strlen(SANDBOX_PROGRAM)))
			return line;
		if (i == 0)
			first = line;
	}
	return first;
}

static int does_not_work(
	const struct sandbox_kind *kind, const struct trial *trial, struct error *err)
{
	struct view line = trial->timed_out ? view_of("it hangs") : first_complaint(trial);

	error_set(err, ERROR_FAILED, "'%s' does not work here: %.*s", kind->name,
		VIEW_ARGS(line));
	kind->hint(err);
	return -1;
}

/* "refused 14 of 14", somewhere in it. */
static bool read_verdict(const char *text, size_t *ret_refused, size_t *ret_tried)
{
	const char *at = strstr(text, "refused ");
	char *end;

	if (!at)
		return false;
	*ret_refused = strtoul(at + strlen("refused "), &end, 10);
	if (strncmp(end, " of ", 4) != 0)
		return false;
	*ret_tried = strtoul(end + 4, NULL, 10);
	return true;
}

static int probe_judge(const struct sandbox_kind *kind, const struct trial *trial,
	size_t *ret_ways, struct error *err)
{
	size_t refused;
	size_t tried;

	if (trial->exit_code || !read_verdict(trial->output.data, &refused, &tried))
		return does_not_work(kind, trial, err);
	if (refused != tried) {
		struct view rest = view_of_buf(&trial->output);
		struct view first = {0};

		view_next(&rest, '\n', &first);
		return error_set(err, ERROR_FAILED,
			"'%s' is not secure here: %zu of %zu escape attempts succeeded; %.*s",
			kind->name, tried - refused, tried, VIEW_ARGS(first));
	}
	if (ret_ways)
		*ret_ways = tried;
	return 0;
}

static int probe_try(const struct scratch *scratch, struct sandbox_spec *spec, size_t *ret_ways,
	struct error *err)
{
	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
	CLEANUP(bait_release) struct bait bait = {-1, -1, {0}};
	struct ownership *owner = NULL;
	int result;

	if (ownership_open_probe(scratch->fd, &owner, err) < 0)
		return -1;
	put_bait(scratch->path, &bait);
	spec->env = (const char *const *)bait.env.list;
	result = trial_run(owner, spec, PROBE_MS, &trial, err);
	/* This installation is about to vanish, and no other one would clean up after it. */
	for (int waited = 0; ownership_sweep(owner) && waited < CLEAN_MS; waited += PAUSE_MS)
		poll(NULL, 0, PAUSE_MS);
	ownership_free(owner);
	return result < 0 ? -1 : probe_judge(spec->kind, &trial, ret_ways, err);
}

int sandbox_probe(
	const struct sandbox_kind *kind, const char *image, size_t *ret_ways, struct error *err)
{
	static const char *const breakout[] = {SANDBOX_INSIDE, "breakout", NULL};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct scratch scratch;
	int result;

	if (scratch_make("nanoclaw-sandbox-", &scratch, err) < 0)
		return -1;
	spec.kind = kind;
	spec.argv = breakout;
	spec.workdir = "/tmp";
	spec.image = image;
	result = probe_try(&scratch, &spec, ret_ways, err);
	scratch_remove(&scratch, &ignored);
	return result;
}

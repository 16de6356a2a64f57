/*
 * Run a program in a sandbox, for scripts and by hand:
 *
 *	enter KIND FOLDER [SOURCE:TARGET[:rw]...] -- PROGRAM ARGUMENT...
 *
 * FOLDER is the installation, and is mounted at /workspace/agent. The exit code is that of
 * the program, 125 if it could not be started, 77 if sandboxes of that kind cannot be made.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/trial.h"

static void add(struct sandbox_spec *spec, const char *mount)
{
	CLEANUP(freep) char *text = xstrdup(mount);
	char *target = strchr(text, ':');
	char *mode;
	int fd;

	if (!target)
		exit(2);
	*target++ = '\0';
	mode = strchr(target, ':');
	if (mode)
		*mode = '\0';
	fd = open(text, O_PATH | O_CLOEXEC);
	if (fd < 0)
		exit(2);
	sandbox_add_mount(spec, fd, target, mode ? SANDBOX_WRITABLE : 0);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	CLEANUP(closep) int root = -1;
	struct ownership *owner;
	int at = 3;

	if (argc < 5 || sandbox_kind_find(argv[1], &spec.kind, &err) < 0)
		return 2;
	root = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || ownership_open(root, &owner, &err) < 0)
		return 2;
	sandbox_add_mount(
		&spec, fcntl(root, F_DUPFD_CLOEXEC, 0), SANDBOX_WORKDIR, SANDBOX_WRITABLE);
	for (; at < argc && strcmp(argv[at], "--") != 0; at++)
		add(&spec, argv[at]);
	spec.argv = (const char *const *)argv + at + 1;
	spec.image = getenv("NANOCLAW_SANDBOX_IMAGE");
	if (trial_run(owner, &spec, 600000, &trial, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 77;
	}
	fwrite(trial.output.data, 1, trial.output.len, stdout);
	fwrite(trial.errors.data, 1, trial.errors.len, stderr);
	if (trial.killed)
		fprintf(stderr, "killed: %s\n", trial.killed);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	ownership_free(owner);
	return trial.exit_code;
}

/*
 * Can others read '.env'? Keys are in it. If they can write it, the host does not start: they
 * could have the key sent to themselves.
 */
#include <errno.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "fs/beneath.h"
#include "fs/sys.h"

#define PRIVATE 0600

/* As gate/credentials.h has it. */
static bool others_write(const struct stat *st)
{
	return (st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && st->st_gid != st->st_uid);
}

static void env_file_probe(struct doctor *doctor, int fd, const struct stat *st)
{
	if (!(st->st_mode & 077))
		doctor_ok(doctor, "env", "nobody else can read '.env'");
	else if (!doctor->fix && others_write(st))
		doctor_problem(doctor, "env", "nanoclaw doctor --fix",
			"others can write '.env' (its mode is %03o), so the host does "
			"not use it",
			(unsigned)(st->st_mode & 07777));
	else if (!doctor->fix)
		doctor_warning(doctor, "env", "nanoclaw doctor --fix",
			"others can read '.env' (its mode is %03o)",
			(unsigned)(st->st_mode & 07777));
	else if (sys.chmod(fd, PRIVATE) < 0)
		doctor_problem(doctor, "env", "chmod 600 .env",
			"others can read or write '.env', and its mode cannot be changed: %s",
			error_text(errno));
	else
		doctor_ok(doctor, "env", "others could read or write '.env'; fixed");
}

static void run_env(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(".env");
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (beneath_open_file(doctor->project.root, &path, &fd, &st, &err) == 0)
		env_file_probe(doctor, fd, &st);
	else if (err.errnum != ENOENT)
		doctor_add(doctor,
			doctor->fix && !beneath_is_absent(&err) ? FINDING_PROBLEM
								: FINDING_WARNING,
			"env", err.hint, "%s", err.message);
}

PROBE(env) = {
	.name = "env",
	.run = run_env,
};

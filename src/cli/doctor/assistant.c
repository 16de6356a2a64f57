#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "channels/bridge/config.h"
#include "cli/doctor/doctor.h"
#include "db/store.h"

bool doctor_open_assistant(struct doctor *doctor)
{
	const struct project *project = &doctor->project;
	CLEANUP(error_release) struct error unreadable = ERROR_INIT;
	struct stat st;
	bool running;

	/* It has a store or bridges where it is used. */
	if (fstatat(project->root, STORE_FOLDER "/" STORE_FILE, &st, AT_SYMLINK_NOFOLLOW) !=
			0 &&
		fstatat(project->root, BRIDGE_FOLDER, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	settings_read(project->root, &doctor->settings, &doctor->settings_error);
	store_open(project->path, STORE_READ, &doctor->store, &doctor->store_error);
	doctor->groups_known = doctor->store && store_group_list(doctor->store, &doctor->groups,
							&unreadable) == 0;
	if (doctor->store && !doctor->groups_known)
		doctor_problem(doctor, "groups", unreadable.hint, "%s", unreadable.message);
	if (client_connect(project->root, &doctor->client, &running, &doctor->host_error) ==
			0 &&
		running)
		client_request(&doctor->client, json_build("op:s", "host_status"),
			&doctor->status, &doctor->host_error);
	return true;
}

void doctor_close_assistant(struct doctor *doctor)
{
	json_decref(doctor->status);
	client_release(&doctor->client);
	group_list_release(&doctor->groups);
	store_free(doctor->store);
	settings_release(&doctor->settings);
	error_release(&doctor->settings_error);
	error_release(&doctor->store_error);
	error_release(&doctor->host_error);
}

bool doctor_is_silent(const struct doctor *doctor)
{
	/* Only opened: doctor never creates a lock. */
	CLEANUP(closep)
	int fd = openat(
		doctor->project.root, STORE_FOLDER "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return !doctor->status && fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0;
}

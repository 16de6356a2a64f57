/* Sockets in data/run that nobody listens on: a host that was killed leaves them. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "channels/local/local.h"
#include "cli/doctor/doctor.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "host/base/lock.h"
#include "proc/local_socket.h"

static bool socket_is_dead(int folder, const char *name)
{
	CLEANUP(closep) int fd = -1;
	struct stat st;

	return view_ends_with(view_of(name), ".sock") &&
	       fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode) &&
	       local_socket_connect(folder, name, &fd) < 0 && errno == ECONNREFUSED;
}

struct count {
	size_t dead;
	size_t removed;
};

static struct count sockets_count(int folder, bool remove)
{
	struct count count = {0};
	CLEANUP(string_array_release) struct string_array names = {0};

	file_names(folder, ".", &names);
	for (size_t i = 0; i < names.count; i++) {
		if (!socket_is_dead(folder, names.list[i]))
			continue;
		count.dead++;
		if (remove && sys.unlink(folder, names.list[i], 0) == 0)
			count.removed++;
	}
	return count;
}

static void run_sockets(struct doctor *doctor)
{
	CLEANUP(error_release) struct error busy = ERROR_INIT;
	CLEANUP(closep)
	int folder = openat(doctor->project.root, LOCAL_FOLDER,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(closep) int lock = -1;
	struct count count;

	if (folder < 0)
		return;
	/* Not while a host might be making its own. */
	count = sockets_count(
		folder, doctor->fix && lock_take(doctor->project.root, &lock, &busy) == 0);
	if (count.dead > count.removed)
		doctor_warning(doctor, "sockets", doctor->fix ? NULL : "nanoclaw doctor --fix",
			"sockets in '" LOCAL_FOLDER "' without a listener: %zu",
			count.dead - count.removed);
	else if (count.removed)
		doctor_ok(doctor, "sockets", "removed sockets without a listener: %zu",
			count.removed);
	else
		doctor_ok(doctor, "sockets", "none left by a killed host");
}

PROBE(sockets) = {
	.name = "sockets",
	.of_assistant = true,
	.run = run_sockets,
};

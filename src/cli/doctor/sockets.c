/* Sockets in data/run that nobody listens on: a host that was killed leaves them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "cli/doctor/doctor.h"
#include "fs/sys.h"
#include "host/base/lock.h"

#define ENDING ".sock"

static bool entry_is_socket(int folder, const char *name)
{
	size_t len = strlen(name);
	struct stat st;

	return len > strlen(ENDING) && !strcmp(name + len - strlen(ENDING), ENDING) &&
	       fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode);
}

static bool socket_is_dead(int folder, const char *name)
{
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s",
		folder, name);

	if (fd < 0 || len < 0 || (size_t)len >= sizeof(address.sun_path))
		return false;
	return connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 &&
	       errno == ECONNREFUSED;
}

struct count {
	size_t dead;
	size_t removed;
};

static struct count sockets_count(int folder, bool remove)
{
	struct count count = {0};
	DIR *names = fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0));
	struct dirent *entry;

	while (names && (entry = readdir(names))) {
		if (!entry_is_socket(folder, entry->d_name) ||
			!socket_is_dead(folder, entry->d_name))
			continue;
		count.dead++;
		if (remove && sys.unlink(folder, entry->d_name, 0) == 0)
			count.removed++;
	}
	if (names)
		closedir(names);
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

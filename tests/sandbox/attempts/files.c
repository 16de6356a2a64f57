/* Files of the host, of other groups, and those that only the host may write. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../attempt.h"

ATTEMPT(read_other_group, "read a file of another group")
{
	return opens(place("ROOT", "groups/other/secret"), O_RDONLY);
}

ATTEMPT(read_other_group_relative, "read a file of another group by '..'")
{
	return opens(place("AGENT", "../other/secret"), O_RDONLY);
}

ATTEMPT(list_groups, "list the groups")
{
	DIR *folder = opendir(place("ROOT", "groups"));

	return folder ? GOT_THROUGH : REFUSED;
}

ATTEMPT(read_other_session, "read another group's session")
{
	return opens(place("ROOT", "data/sessions/other/.claude/history"), O_RDONLY);
}

ATTEMPT(read_store, "read the database")
{
	return opens(place("ROOT", "store/nanoclaw.db"), O_RDONLY);
}

ATTEMPT(read_env, "read .env")
{
	return opens(place("ROOT", ".env"), O_RDONLY);
}

ATTEMPT(read_env_in_project, "read .env through the project of the main group")
{
	return opens(place("PROJECT", ".env"), O_RDONLY);
}

ATTEMPT(read_store_in_project, "read the database through the project of the main group")
{
	return opens(place("PROJECT", "store/nanoclaw.db"), O_RDONLY);
}

ATTEMPT(read_other_in_project, "read another group through the project of the main group")
{
	return opens(place("PROJECT", "groups/other/secret"), O_RDONLY);
}

ATTEMPT(write_project, "write to the project of the main group")
{
	return opens(place("PROJECT", "README.md"), O_WRONLY);
}

ATTEMPT(read_host_file, "read a file of the host")
{
	return opens(place("HOST", "secret"), O_RDONLY);
}

ATTEMPT(read_key_of_user, "read the user's key for SSH")
{
	return opens(place("HOST", "home/.ssh/id_rsa"), O_RDONLY);
}

ATTEMPT(read_shadow, "read /etc/shadow")
{
	return opens("/etc/shadow", O_RDONLY);
}

ATTEMPT(read_through_link, "read a file of the host through a link in the own folder")
{
	const char *link = place("AGENT", "to-the-host");

	unlink(link);
	if (symlink(place("HOST", "secret"), link) < 0)
		return CANNOT_TRY;
	return opens(link, O_RDONLY);
}

ATTEMPT(read_through_cwd, "climb out of the folder")
{
	char path[4096];

	if (chdir(world("AGENT")) < 0)
		return CANNOT_TRY;
	snprintf(path, sizeof(path), "../../../../../../../../../../../../../../../..%s",
		place("HOST", "secret"));
	return opens(path, O_RDONLY);
}

ATTEMPT(read_from_cwd, "read a file of another group from the folder that it starts in")
{
	int folder;

	if (chdir(world("AGENT")) < 0)
		return CANNOT_TRY;
	folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return got(openat(folder, "../other/secret", O_RDONLY | O_CLOEXEC));
}

ATTEMPT(take_host_file, "move a file of the host into the own folder")
{
	return got(rename(place("HOST", "secret"), place("AGENT", "taken")));
}

ATTEMPT(give_to_host, "move a file of its own into a folder of the host")
{
	const char *mine = place("AGENT", "given-away");

	if (opens(mine, O_WRONLY | O_CREAT) != GOT_THROUGH)
		return CANNOT_TRY;
	return got(rename(mine, place("HOST", "home/given")));
}

ATTEMPT(link_to_host, "get a second name for a file of its own in a folder of the host")
{
	const char *mine = place("AGENT", "linked");

	if (opens(mine, O_WRONLY | O_CREAT) != GOT_THROUGH)
		return CANNOT_TRY;
	unlink(place("HOST", "home/linked"));
	return got(link(mine, place("HOST", "home/linked")));
}

ATTEMPT(make_folder_in_host, "make a folder in a folder of the host")
{
	const char *path = place("HOST", "home/folder");
	int result = mkdir(path, 0700);

	rmdir(path);
	return got(result);
}

ATTEMPT(make_link_in_host, "make a link in a folder of the host")
{
	const char *path = place("HOST", "home/link");
	int result = symlink("x", path);

	unlink(path);
	return got(result);
}

ATTEMPT(make_pipe_in_host, "make a pipe in a folder of the host")
{
	const char *path = place("HOST", "home/pipe");
	int result = mkfifo(path, 0600);

	unlink(path);
	return got(result);
}

ATTEMPT(remove_host_file, "remove a file of the host")
{
	return got(unlink(place("HOST", "secret")));
}

ATTEMPT(write_host_file, "write a file of the host")
{
	return opens(place("HOST", "secret"), O_WRONLY);
}

ATTEMPT(write_shared, "write to the shared CLAUDE.md")
{
	return opens(place("APP", "CLAUDE.md"), O_WRONLY);
}

ATTEMPT(write_shared_skill, "add a file to the shared skills")
{
	const char *path = place("APP", "skills/new");
	enum outcome result = opens(path, O_WRONLY | O_CREAT);

	unlink(path);
	return result;
}

ATTEMPT(chmod_shared, "change the rights of the shared CLAUDE.md")
{
	return got(chmod(place("APP", "CLAUDE.md"), 0666));
}

ATTEMPT(write_container_json, "write container.json")
{
	return opens(place("AGENT", "container.json"), O_WRONLY);
}

ATTEMPT(rewrite_container_json, "change what container.json says")
{
	int fd = open(place("AGENT", "container.json"), O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 ? REFUSED : got(write(fd, "{}", 2));
}

ATTEMPT(folder_for_container_json, "put a folder in the place of container.json")
{
	const char *path = place("AGENT", "container.json");

	return unlink(path) < 0 ? REFUSED : got(mkdir(path, 0700));
}

ATTEMPT(link_for_container_json, "put a link in the place of container.json")
{
	const char *path = place("AGENT", "container.json");

	return unlink(path) < 0 ? REFUSED : got(symlink(place("HOST", "secret"), path));
}

ATTEMPT(truncate_container_json, "empty container.json")
{
	return got(truncate(place("AGENT", "container.json"), 0));
}

ATTEMPT(replace_container_json, "put another file in the place of container.json")
{
	const char *mine = place("AGENT", "mine");
	int fd = open(mine, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return CANNOT_TRY;
	close(fd);
	return got(rename(mine, place("AGENT", "container.json")));
}

ATTEMPT(move_container_json, "move container.json away")
{
	return got(rename(place("AGENT", "container.json"), place("AGENT", "moved")));
}

ATTEMPT(remove_container_json, "remove container.json")
{
	return got(unlink(place("AGENT", "container.json")));
}

ATTEMPT(link_container_json, "get a second name for container.json that can be written")
{
	const char *name = place("AGENT", "second");

	unlink(name);
	return got(link(place("AGENT", "container.json"), name));
}

ATTEMPT(link_shared, "get a second name for the shared CLAUDE.md in the own folder")
{
	const char *name = place("AGENT", "second-shared");

	unlink(name);
	return got(link(place("APP", "CLAUDE.md"), name));
}

ATTEMPT(link_other_group, "get a second name for a file of another group")
{
	const char *name = place("AGENT", "second-other");

	unlink(name);
	return got(link(place("ROOT", "groups/other/secret"), name));
}

ATTEMPT(move_own_folder, "move the own folder away, to put another one in its place")
{
	return got(rename(world("AGENT"), place("AGENT_PARENT", "moved-away")));
}

ATTEMPT(write_system, "put a file into the system")
{
	char path[] = "/usr/local/.nanoclaw-escape";
	enum outcome result = opens(path, O_WRONLY | O_CREAT);

	unlink(path);
	return result;
}

ATTEMPT(write_etc, "write into /etc")
{
	char path[] = "/etc/.nanoclaw-escape";
	enum outcome result = opens(path, O_WRONLY | O_CREAT);

	unlink(path);
	return result;
}

ATTEMPT(write_root, "put a file into /")
{
	char path[] = "/.nanoclaw-escape";
	enum outcome result = opens(path, O_WRONLY | O_CREAT);

	unlink(path);
	return result;
}

ATTEMPT(write_launcher, "overwrite the program that makes sandboxes")
{
	return opens(world("LAUNCHER"), O_WRONLY);
}

ATTEMPT(write_running_program, "overwrite this program, which is mounted")
{
	return got(truncate(place("PROGRAMS", "victim"), 0));
}

ATTEMPT(open_by_handle, "open a file by its handle, past all mounts")
{
	struct {
		struct file_handle head;
		unsigned char bytes[128];
	} handle = {.head.handle_bytes = 128};
	int mount;
	int folder = open(world("AGENT"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long fd;

	if (syscall(SYS_name_to_handle_at, AT_FDCWD, world("AGENT"), &handle, &mount, 0) < 0)
		return errno == EOPNOTSUPP ? CANNOT_TRY : REFUSED;
	fd = syscall(SYS_open_by_handle_at, folder, &handle, O_RDONLY);
	return got(fd);
}

ATTEMPT(file_of_host_in_shm, "read what a program of the host has in /dev/shm")
{
	return opens(place("SHM", "secret"), O_RDONLY);
}

#include "world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fs/file.h"
#include "fs/tree.h"
#include "tempdir.h"

#define GIVEN  "/run/nanoclaw/given"
#define SECRET "for nobody but the host"

static void __attribute__((noreturn)) fail(const char *what)
{
	printf("Bail out! cannot make the world: %s: %s\n", what, strerror(errno));
	exit(1);
}

static char *below(const struct world *world, const char *name)
{
	return xasprintf("%s/%s", world->folder, name);
}

static void put(const struct world *world, const char *name, const char *content)
{
	CLEANUP(freep) char *path = below(world, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, content, strlen(content)) < 0)
		fail(path);
	close(fd);
}

static void make_folders(const struct world *world)
{
	static const char *const folders[] = {"host", "host/home", "host/home/.ssh", "root",
		"root/groups", "root/groups/own", "root/groups/other", "root/container",
		"root/container/skills", "root/data", "root/data/sessions",
		"root/data/sessions/other", "root/data/sessions/other/.claude",
		"root/data/sessions/own", "root/data/sessions/own/.claude", "root/store",
		"programs"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(freep) char *path = below(world, folders[i]);

		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			fail(path);
	}
}

void world_restore(struct world *world)
{
	static const char *const files[] = {"host/secret", "host/home/.ssh/id_rsa",
		"root/groups/other/secret", "root/.env", "root/store/nanoclaw.db",
		"root/data/sessions/other/.claude/history", "root/README.md",
		"root/container/CLAUDE.md", "root/groups/own/container.json",
		"root/container/skills/skill", "programs/victim"};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *own = below(world, "root/groups/own");
	CLEANUP(freep) char *moved = below(world, "root/groups/moved-away");
	CLEANUP(freep) char *secret = below(world, "host/secret");
	CLEANUP(freep) char *program = below(world, "host/program");

	tree_remove(AT_FDCWD, own, &err);
	tree_remove(AT_FDCWD, moved, &err);
	make_folders(world);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		put(world, files[i], SECRET);
	/* Not every file system has attributes. */
	setxattr(secret, "user.secret", SECRET, strlen(SECRET), 0);
	put(world, "host/program", "#!/bin/sh\nexit 0\n");
	if (chmod(program, 0755) < 0)
		fail(program);
}

bool world_is_guarded(const struct world *world, bool kept)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = below(world, "root/groups/own/container.json");
	CLEANUP(freep)
	char *pattern = below(world, "root/groups/own/container.json.rejected-*");
	glob_t found;
	struct stat st;
	size_t count;

	count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	       file_read(path, 1000, &text, &err) == 0 && !strcmp(text.data, SECRET) &&
	       count == (kept ? 1 : 0);
}

/* --- sockets ----------------------------------------------------------------- */

static int listen_at(const void *address, socklen_t len)
{
	int fd = socket(
		((const struct sockaddr *)address)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, address, len) < 0 || listen(fd, 100) < 0) {
		closep(&fd);
		return -1;
	}
	return fd;
}

/* The port, or 0. */
static int listen_on(const char *host)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);
	int fd;

	inet_pton(AF_INET, host, &address.sin_addr);
	fd = listen_at(&address, sizeof(address));
	if (fd < 0 || getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		return 0;
	return ntohs(address.sin_port);
}

static int listen_on_v6(void)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	socklen_t len = sizeof(address);
	int fd = listen_at(&address, sizeof(address));

	if (fd < 0 || getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		return 0;
	return ntohs(address.sin6_port);
}

static void listen_at_path(const struct world *world)
{
	CLEANUP(freep) char *path = below(world, "host/socket");
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (listen_at(&address, sizeof(address)) < 0)
		fail(path);
}

/* Nobody reads what is sent there. */
static void take_datagrams(const struct world *world)
{
	CLEANUP(freep) char *path = below(world, "host/datagrams");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		fail(path);
}

/* The socket that sandboxes are given: answers every byte with the next one. */
static pid_t serve(const struct world *world)
{
	CLEANUP(freep) char *path = below(world, "given");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int server;
	pid_t pid;
	char byte;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	server = listen_at(&address, sizeof(address));
	if (server < 0)
		fail(path);
	pid = fork();
	if (pid) {
		close(server);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (;;) {
		int client = accept4(server, NULL, NULL, SOCK_CLOEXEC);

		while (read(client, &byte, 1) == 1) {
			byte++;
			(void)!write(client, &byte, 1);
		}
		close(client);
	}
}

static void listen_abstract(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", name);

	if (listen_at(&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)) < 0)
		fail(name);
}

/*
 * A network of our own, in which the metadata address can be had without touching that of the
 * machine. Needs root; the port is 0 without.
 */
static void set_address(int fd, const char *device, const char *address_text)
{
	struct ifreq request = {0};
	struct sockaddr_in address = {.sin_family = AF_INET};

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", device);
	inet_pton(AF_INET, address_text, &address.sin_addr);
	memcpy(&request.ifr_addr, &address, sizeof(address));
	ioctl(fd, SIOCSIFADDR, &request);
	request.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
	ioctl(fd, SIOCSIFFLAGS, &request);
}

static int make_network(void)
{
	int fd;

	if (unshare(CLONE_NEWNET) < 0)
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	set_address(fd, "lo", "127.0.0.1");
	set_address(fd, "lo:1", "169.254.169.254");
	set_address(fd, "lo:2", "192.0.2.1");
	close(fd);
	return listen_on("169.254.169.254");
}

/* --- processes --------------------------------------------------------------- */

static pid_t start_victim(const struct world *world)
{
	CLEANUP(freep) char *folder = below(world, "host");
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	if (chdir(folder) < 0)
		_exit(1);
	/* It must not hold our output open if we die before it. */
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	execl("/bin/sleep", world->marker, "100000", (char *)NULL);
	_exit(1);
}

/* --- variables --------------------------------------------------------------- */

static void tell(struct world *world, const char *name, const char *value)
{
	string_array_addf(&world->bare, "%s=%s", name, value);
	string_array_addf(&world->inside, "%s=%s", name, value);
	string_array_addf(&world->without_mounts, "%s=%s", name, value);
}

static void tell_number(struct world *world, const char *name, long number)
{
	CLEANUP(freep) char *text = xasprintf("%ld", number);

	tell(world, name, text);
}

static void tell_place(
	struct world *world, const char *name, const char *outside, const char *inside)
{
	string_array_addf(&world->bare, "%s=%s/%s", name, world->folder, outside);
	string_array_addf(&world->inside, "%s=%s", name, inside);
	string_array_addf(&world->without_mounts, "%s=%s/%s", name, world->folder, outside);
}

static void tell_places(struct world *world)
{
	CLEANUP(freep) char *root = below(world, "root");
	CLEANUP(freep) char *host = below(world, "host");

	tell(world, "ROOT", root);
	tell(world, "HOST", host);
	tell_place(world, "AGENT", "root/groups/own", "/workspace/agent");
	tell_place(world, "AGENT_PARENT", "root/groups", "/workspace");
	tell_place(world, "APP", "root/container", "/app");
	tell_place(world, "PROJECT", "root", "/workspace/project");
	tell_place(world, "SESSION", "root/data/sessions/own/.claude", "/home/node/.claude");
	tell_place(world, "PROGRAMS", "programs", "/programs");
	tell_place(world, "LAUNCHER", "programs/victim", "/run/nanoclaw/sandbox");
}

static void make_shared_things(struct world *world)
{
	CLEANUP(freep) char *shm = xasprintf("/dev/shm/%s", world->marker);
	CLEANUP(freep) char *file = xasprintf("%s/secret", shm);
	CLEANUP(freep) char *queue = xasprintf("/%s", world->marker);
	key_t key = (key_t)getpid();
	int fd;

	mkdir(shm, 0700);
	fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	closep(&fd);
	tell(world, "SHM", shm);
	shmget(key, 4096, IPC_CREAT | 0600);
	semget(key, 1, IPC_CREAT | 0600);
	msgget(key, IPC_CREAT | 0600);
	tell_number(world, "SHM_KEY", key);
	mq_open(queue, O_RDWR | O_CREAT, 0600, NULL);
	tell(world, "QUEUE", queue);
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	syscall(SYS_add_key, "user", "nanoclaw-escape", SECRET, sizeof(SECRET),
		KEY_SPEC_SESSION_KEYRING);
}

void world_make(struct world *world, const char *attempt)
{
	char template[] = "/tmp/nanoclaw-escape-XXXXXX";
	CLEANUP(freep) char *root = NULL;
	int metadata;

	if (!mkdtemp(template))
		fail(template);
	*world = (struct world){.folder = xstrdup(template), .program = xstrdup(attempt)};
	world->marker = xstrdup(strrchr(template, '/') + 1);
	world_restore(world);
	root = below(world, "root");
	world->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	metadata = make_network();
	tell_places(world);
	make_shared_things(world);
	tell_number(world, "PORT", listen_on("127.0.0.1"));
	tell_number(world, "PORT_V6", listen_on_v6());
	tell_number(world, "METADATA_PORT", metadata);
	tell(world, "ABSTRACT", world->marker);
	listen_abstract(world->marker);
	listen_at_path(world);
	take_datagrams(world);
	world->server = serve(world);
	string_array_addf(&world->bare, "NANOCLAW_SOCKET=%s/given", world->folder);
	string_array_add(&world->inside, "NANOCLAW_SOCKET=" GIVEN);
	string_array_add(&world->without_mounts, "NANOCLAW_SOCKET=" GIVEN);
	world->victim = start_victim(world);
	tell_number(world, "VICTIM", world->victim);
	tell(world, "MARKER", world->marker);
	world->descriptor = open(root, O_RDONLY | O_DIRECTORY); /* without O_CLOEXEC */
	tell_number(world, "DESCRIPTOR", world->descriptor);
	string_array_add(&world->bare, "HOST_SECRET=" SECRET);
	string_array_add(&world->bare, "NO_WATCHDOG=1");
	tell(world, "ASAN_OPTIONS", "detect_leaks=0");
}

static void add(const struct world *world, struct sandbox_spec *spec, const char *name,
	const char *target, unsigned flags)
{
	CLEANUP(freep) char *path = below(world, name);
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		fail(path);
	sandbox_add_mount(spec, fd, target, flags);
}

void world_fill(const struct world *world, struct sandbox_spec *spec)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	spec->env = (const char *const *)(spec->kind && spec->kind->host_paths
						  ? world->without_mounts.list
						  : world->inside.list);
	add(world, spec, "given", GIVEN, SANDBOX_WRITABLE);
	add(world, spec, "root/groups/own", "/workspace/agent", SANDBOX_WRITABLE);
	add(world, spec, "root/groups/own/container.json", "/workspace/agent/container.json",
		0);
	add(world, spec, "root/container/CLAUDE.md", "/app/CLAUDE.md", 0);
	add(world, spec, "root/container/skills", "/app/skills", 0);
	add(world, spec, "root/data/sessions/own/.claude", "/home/node/.claude",
		SANDBOX_WRITABLE);
	add(world, spec, "programs", "/programs", 0);
	sandbox_add_mount(spec, open(world->program, O_PATH | O_CLOEXEC), "/attempt", 0);
	if (sandbox_add_project(spec, world->root, "own", "/workspace/project", &err) < 0)
		fail(err.message);
}

void world_release(struct world *world)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shm = xasprintf("/dev/shm/%s", world->marker);
	CLEANUP(freep) char *queue = xasprintf("/%s", world->marker);

	kill(world->victim, SIGKILL);
	waitpid(world->victim, NULL, 0);
	kill(world->server, SIGKILL);
	waitpid(world->server, NULL, 0);
	tree_remove(AT_FDCWD, shm, &err);
	mq_unlink(queue);
	shmctl(shmget((key_t)getpid(), 0, 0), IPC_RMID, NULL);
	semctl(semget((key_t)getpid(), 0, 0), 0, IPC_RMID);
	msgctl(msgget((key_t)getpid(), 0), IPC_RMID, NULL);
	tree_remove(AT_FDCWD, world->folder, &err);
	closep(&world->root);
	close(world->descriptor);
	string_array_release(&world->bare);
	string_array_release(&world->inside);
	string_array_release(&world->without_mounts);
	free(world->folder);
	free(world->marker);
	free(world->program);
}

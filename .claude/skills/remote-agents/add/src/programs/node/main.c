/*
 * nanoclaw-node: the first process of an agent on another machine. It speaks to nanoclaw-remote on
 * the host through its standard input and output, and ends when that is gone: at the end of its
 * input, or when for the time of a lease no ping was answered that it sent within that time. The
 * machine ends everything with it.
 *
 *	[greets] --hello--> [takes files] --all of them--> [agent runs] --ends--> [sends files]
 *	                                                                               |
 *	                                        [waits for the end of input] <--exit---+
 *
 * The host trusts nothing that comes from here; what this program checks (no network, only its own
 * sockets) protects others from the agent.
 */
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/capability.h>
#include <linux/if.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/json.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "proc/process.h"
#include "programs/remote_link/files.h"
#include "programs/remote_link/link.h"

#define LAUNCHER       "nanoclaw-sandbox"
#define MOST_SOCKETS   64
#define FIRST_LEASE_MS ((int64_t)60 * 1000) /* until the host says how long it is */

static struct node {
	struct link link;
	struct files *files;
	json_t *hello;
	int64_t lease_ms, alive_ms, pinged_ms;
	bool is_answered; /* a ping was: without that, the lease of an agent would begin too late */
	int signals;
	int listeners[MOST_SOCKETS];
	unsigned numbers[MOST_SOCKETS]; /* of their mounts */
	size_t listening;
	pid_t agent;
	bool is_over;
	int exit_code;
	uint64_t last; /* the files after its end */
	bool told;
} node = {.signals = -1, .lease_ms = FIRST_LEASE_MS, .agent = 0};

/* --- walls ------------------------------------------------------------------- */

/* Only the host reaches the agent, and the agent only the host. */
static int check_network(struct error *err)
{
	struct ifaddrs *all;
	int result = 0;

	if (getifaddrs(&all) < 0)
		return error_errno(err, "cannot see which networks this machine has");
	for (struct ifaddrs *each = all; each && result == 0; each = each->ifa_next)
		if (each->ifa_flags & IFF_UP && !(each->ifa_flags & IFF_LOOPBACK))
			result = error_set(err, ERROR_INVALID,
				"the agent would have the network '%s' here: the driver must "
				"start it without any",
				each->ifa_name);
	freeifaddrs(all);
	return result;
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

	prctl(PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS);
	for (int i = 0; i < 64; i++)
		prctl(PR_CAPBSET_DROP, i);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, none) < 0 ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(125);
}

/* --- mounts ------------------------------------------------------------------ */

/* With the folders above it. */
static int make_folder(const char *path, struct error *err)
{
	CLEANUP(freep) char *text = xstrdup(path);

	for (char *slash = strchr(text + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (sys.mkdir(AT_FDCWD, text, 0755) < 0 && errno != EEXIST)
			return error_errno(err, "cannot make the folder '%s'", text);
		if (!slash)
			return 0;
		*slash = '/';
	}
}

static int listen_at(const char *path, struct error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	CLEANUP(closep)
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(err, ERROR_INVALID, "the path '%s' is too long", path);
	memcpy(address.sun_path, path, strlen(path));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		listen(fd, 64) < 0)
		return error_errno(err, "cannot make the socket '%s'", path);
	return TAKE_FD(fd);
}

static int add_folder(struct files_mount *mount, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	if (make_folder(mount->target, err) < 0)
		return -1;
	mount->fd = open(mount->target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount->fd < 0 || file_names(mount->fd, ".", &names) < 0)
		return error_errno(err, "cannot use the folder '%s'", mount->target);
	if (names.count)
		return error_set(err, ERROR_INVALID,
			"the image has files at '%s', where those of the group go",
			mount->target);
	return 0;
}

static int add_mount(unsigned number, const json_t *json, struct error *err)
{
	const char *target = json_member(json, "target"), *kind = json_member(json, "kind");
	struct files_mount mount = {
		.target = xstrdup(target),
		.kind = !strcmp(kind, "folder")   ? MOUNT_FOLDER
			: !strcmp(kind, "socket") ? MOUNT_SOCKET
						  : MOUNT_FILE,
		.writable = json_is_true(json_object_get(json, "writable")),
		.fd = -1,
	};
	const char *slash = strrchr(target, '/');
	CLEANUP(freep) char *parent = slash ? xmemdupz(target, (size_t)(slash - target)) : NULL;

	if (!slash || target[0] != '/')
		return error_set(err, ERROR_INVALID, "a mount has no path");
	mount.name = xstrdup(slash + 1);
	if (mount.kind == MOUNT_FOLDER) {
		if (add_folder(&mount, err) < 0)
			return -1;
	} else {
		if (*parent && make_folder(parent, err) < 0)
			return -1;
		mount.fd = open(*parent ? parent : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (mount.fd < 0)
			return error_errno(err, "cannot open '%s'", parent);
	}
	if (mount.kind == MOUNT_SOCKET) {
		if (node.listening == MOST_SOCKETS)
			return error_set(err, ERROR_INVALID, "there are too many sockets");
		node.listeners[node.listening] = listen_at(target, err);
		if (node.listeners[node.listening] < 0)
			return -1;
		node.numbers[node.listening++] = number;
	}
	files_add_mount(node.files, mount);
	return 0;
}

static int take_hello(struct error *err)
{
	const json_t *mounts = json_object_get(node.hello, "mounts");
	json_t *each;
	size_t i;

	if (link_number(node.hello, "version") != LINK_VERSION)
		return error_set(err, ERROR_INVALID, "the host is of another version");
	node.lease_ms = link_number(node.hello, "lease");
	json_array_foreach(mounts, i, each)
		if (add_mount((unsigned)i, each, err) < 0)
			return -1;
	json_array_foreach(json_object_get(node.hello, "links"), i, each) {
		CLEANUP(freep) char *parent = xstrdup(json_member(each, "target"));
		char *slash = strrchr(parent, '/');

		if (slash)
			*slash = '\0';
		if ((*parent && make_folder(parent, err) < 0) ||
			sys.symlink(json_member(each, "to"), AT_FDCWD,
				json_member(each, "target")) < 0)
			return error_errno(
				err, "cannot make the link '%s'", json_member(each, "target"));
	}
	return make_folder(json_member(node.hello, "workdir"), err);
}

/* --- the agent --------------------------------------------------------------- */

static char **texts_of(const json_t *list, struct string_array *texts)
{
	json_t *text;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, text)
		string_array_add(texts, json_string_value(text));
	return texts->list;
}

static void __attribute__((noreturn)) become_agent(int in, int out, int errors)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *launcher = process_find_own(LAUNCHER, &ignored);
	struct string_array words = {0}, env = {0};
	const char *workdir = json_member(node.hello, "workdir");
	sigset_t none;

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	drop_capabilities();
	if (chdir(workdir) < 0) {
		fprintf(stderr, "nanoclaw-node: cannot enter '%s'\n", workdir);
		_exit(125);
	}
	if (launcher) {
		STRING_ARRAY_ADD(&words, launcher, "inside", "filter=1");
		string_array_addf(&words, "file-size=%lld",
			(long long)link_number(node.hello, "disk") * 1024 * 1024);
		string_array_add(&words, "--");
	} else {
		fprintf(stderr, "nanoclaw-node: there is no " LAUNCHER
				" here, so the agent has no filter of system calls\n");
	}
	environ = texts_of(json_object_get(node.hello, "env"), &env);
	texts_of(json_object_get(node.hello, "argv"), &words);
	execvp(words.list[0], words.list);
	fprintf(stderr, "nanoclaw-node: cannot run '%s': %s\n", words.list[0], strerror(errno));
	_exit(125);
}

static int start_agent(struct error *err)
{
	int in[2], out[2], errors[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 ||
		pipe2(errors, O_CLOEXEC) < 0)
		return error_errno(err, "cannot start the agent");
	node.agent = fork();
	if (node.agent < 0)
		return error_errno(err, "cannot start the agent");
	if (!node.agent)
		become_agent(in[0], out[1], errors[1]);
	close(in[0]);
	close(out[1]);
	close(errors[1]);
	node.link.streams[LINK_STDIN]->out = in[1];
	node.link.streams[LINK_STDIN]->waits = false;
	node.link.streams[LINK_STDOUT]->in = out[0];
	node.link.streams[LINK_STDERR]->in = errors[0];
	return 0;
}

/* Reaps orphans, too. With the agent, all that it started ends. */
static void reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != node.agent)
			continue;
		node.is_over = true;
		node.exit_code =
			WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		kill(-1, SIGKILL);
	}
}

/* --- what the host says ------------------------------------------------------ */

static int take_message(json_t *taken, void *data, struct error *err)
{
	CLEANUP(json_decrefp) json_t *message = taken;
	int64_t number;

	(void)data;
	if (!node.hello) {
		node.hello = TAKE(message);
		node.alive_ms = link_now_ms();
		return take_hello(err);
	}
	if ((number = link_number(message, "pong")) >= 0) {
		node.alive_ms = number;
		node.is_answered = true;
	} else if ((number = link_number(message, "stored")) >= 0) {
		return files_stored(node.files, (uint64_t)number, err);
	}
	return 0;
}

static int take_files(struct view bytes, void *data, struct error *err)
{
	(void)data;
	return files_take(node.files, bytes, err);
}

static size_t may_pass(struct stream *stream, struct view bytes, void *data)
{
	(void)data;
	return files_may_pass(node.files, stream, bytes);
}

static const struct link_handlers handlers = {take_message, NULL, take_files, may_pass};

static void take_connection(size_t listener)
{
	unsigned id = link_unused(&node.link);
	int fd = accept4(node.listeners[listener], NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	frame_write_number(&node.link.unsent, id, FRAME_OPEN, node.numbers[listener]);
	link_add(&node.link, id, fd, fcntl(fd, F_DUPFD_CLOEXEC, 3))->gate = GATE_ANSWERS;
}

/* --- its life ---------------------------------------------------------------- */

/* The time of a ping comes back, so the host has heard us later than that. */
static bool lease_is_over(void)
{
	int64_t now = link_now_ms();

	if (node.hello && now - node.pinged_ms >= node.lease_ms / 3) {
		node.pinged_ms = now;
		link_message(&node.link, json_build("ping:I", now));
	}
	return now - node.alive_ms > node.lease_ms;
}

/* When all that it wrote is on its way, its files are stored, and then the host may know. */
static void tell_end(void)
{
	if (!node.is_over || node.told || !node.link.streams[LINK_STDOUT]->end_sent ||
		!node.link.streams[LINK_STDERR]->end_sent)
		return;
	if (!node.last)
		node.last = files_ask(node.files);
	if (!files_is_stored(node.files, node.last))
		return;
	node.told = true;
	link_message(&node.link, json_build("exit:i", node.exit_code));
}

static int wait_for_events(struct error *err)
{
	struct pollfd others[MOST_SOCKETS + 1];
	struct signalfd_siginfo info;
	bool is_full = !link_unused(&node.link);

	for (size_t i = 0; i < node.listening; i++)
		others[i] = (struct pollfd){is_full ? -1 : node.listeners[i], POLLIN, 0};
	others[node.listening] = (struct pollfd){node.signals, POLLIN, 0};
	if (link_wait(&node.link, others, node.listening + 1, (int)(node.lease_ms / 6), err) <
		0)
		return -1;
	if (others[node.listening].revents) {
		while (read(node.signals, &info, sizeof(info)) > 0)
			if (info.ssi_signo != SIGCHLD)
				_exit(128 + (int)info.ssi_signo);
		reap();
	}
	for (size_t i = 0; i < node.listening; i++)
		if (others[i].revents && link_unused(&node.link))
			take_connection(i);
	return 0;
}

static int node_run(struct error *err)
{
	for (;;) {
		if (link_settle(&node.link, err) < 0 ||
			(node.hello && files_work(node.files, err) < 0))
			return -1;
		if (node.link.ended || lease_is_over())
			return 0;
		if (files_have_come(node.files) && node.is_answered && !node.agent &&
			start_agent(err) < 0)
			return -1;
		tell_end();
		if (wait_for_events(err) < 0)
			return -1;
	}
}

static int node_start(struct error *err)
{
	sigset_t held;

	if (getpid() != 1)
		return error_set(err, ERROR_INVALID,
			"it must be the first process of a container, which ends with it");
	if (check_network(err) < 0)
		return -1;
	signal(SIGPIPE, SIG_IGN);
	umask(022);
	sigemptyset(&held);
	sigaddset(&held, SIGCHLD);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGINT);
	sigprocmask(SIG_BLOCK, &held, NULL);
	node.signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (node.signals < 0)
		return error_errno(err, "cannot wait for signals");
	node.alive_ms = link_now_ms();
	link_init(&node.link, STDIN_FILENO, STDOUT_FILENO, &handlers, NULL);
	node.files = files_new(&node.link, FILES_NODE, 0);
	link_add(&node.link, LINK_STDIN, -1, -1);
	link_add(&node.link, LINK_STDOUT, -1, -1)->gate = GATE_RESULTS;
	link_add(&node.link, LINK_STDERR, -1, -1);
	link_add(&node.link, LINK_FILES, -1, -1);
	/* Input comes before the agent is there. */
	node.link.streams[LINK_STDIN]->waits = true;
	link_message(&node.link, json_build("version:i", LINK_VERSION));
	return node_run(err);
}

/* The words of its command line are labels, by which a driver finds it. */
int main(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (node_start(&err) == 0)
		return 0;
	fprintf(stderr, "nanoclaw-node: %s\n", err.message);
	return 1;
}

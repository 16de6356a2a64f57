#include "internet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOPBACK_INDEX 1

static void __attribute__((noreturn)) fail(const char *what)
{
	printf("Bail out! cannot make the internet: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- the network ------------------------------------------------------------- */

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* As root at once, else by a user namespace, in which we are who we were. */
static bool leave_network(void)
{
	char map[64];
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (!unshare(CLONE_NEWNET | CLONE_NEWNS))
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS))
		return false;
	snprintf(map, sizeof(map), "%u %u 1", uid, uid);
	if (!put("/proc/self/setgroups", "deny") || !put("/proc/self/uid_map", map))
		return false;
	snprintf(map, sizeof(map), "%u %u 1", gid, gid);
	return put("/proc/self/gid_map", map);
}

static void set_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo"};
	struct sockaddr_in own = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	request.ifr_flags = IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		fail("lo");
	inet_pton(AF_INET, OWN_PUBLIC, &own.sin_addr);
	memcpy(request.ifr_name, "lo:1", sizeof("lo:1"));
	memcpy(&request.ifr_addr, &own, sizeof(own));
	if (ioctl(fd, SIOCSIFADDR, &request) < 0)
		fail("an address of lo");
	/* Alone, and not with a network, which would say in which order addresses are tried. */
	memset(&own.sin_addr, 0xff, sizeof(own.sin_addr));
	memcpy(&request.ifr_netmask, &own, sizeof(own));
	if (ioctl(fd, SIOCSIFNETMASK, &request) < 0)
		fail("the mask of an address of lo");
	close(fd);
}

/* All addresses of the family are local. False: the kernel has no such family. */
static bool add_route(int family)
{
	struct {
		struct nlmsghdr head;
		struct rtmsg route;
		struct rtattr device;
		unsigned index;
	} request = {
		.head = {.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_NEWROUTE,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE},
		.route = {.rtm_family = (unsigned char)family,
			.rtm_table = RT_TABLE_LOCAL,
			.rtm_protocol = RTPROT_BOOT,
			.rtm_scope = RT_SCOPE_HOST,
			.rtm_type = RTN_LOCAL},
		.device = {.rta_len = RTA_LENGTH(sizeof(unsigned)), .rta_type = RTA_OIF},
		.index = LOOPBACK_INDEX,
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[256];
	} reply = {0};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	bool ok = send(fd, &request, sizeof(request), 0) == (ssize_t)sizeof(request) &&
		  recv(fd, &reply, sizeof(reply), 0) > 0 && reply.error.error == 0;

	close(fd);
	return ok;
}

/* --- names ------------------------------------------------------------------- */

/* Mount our own file over the machine's; a missing file needs no cover. */
static void cover(const char *path, const char *text)
{
	char mine[] = "/tmp/egress-XXXXXX";
	char real[4096];
	int fd;

	if (!realpath(path, real))
		return;
	fd = mkstemp(mine);
	if (fd < 0 || fchmod(fd, 0644) < 0 || !put(mine, text) ||
		mount(mine, real, NULL, MS_BIND, NULL) < 0)
		fail(path);
	close(fd);
	unlink(mine);
}

static void set_names(void)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		fail("mounts");
	cover("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:2\n");
	cover("/etc/nsswitch.conf", "hosts: files dns\n");
	cover("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n");
	if (!access("/var/run/nscd", F_OK))
		mount("egress", "/var/run/nscd", "tmpfs", 0, NULL);
}

void internet_wait_for_names(void)
{
	static const char text[] = "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n";
	/* It is our own: if the machine has one, cover() has put ours over it. */
	int fd = open("/etc/resolv.conf", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0 || write(fd, text, sizeof(text) - 1) != (ssize_t)sizeof(text) - 1)
		fail("/etc/resolv.conf");
	close(fd);
}

bool internet_enter(void)
{
	if (!leave_network())
		return false;
	set_loopback();
	if (!add_route(AF_INET))
		fail("the route");
	add_route(AF_INET6); /* without it, attempts by IPv6 show nothing */
	set_names();
	return true;
}

/* --- servers ----------------------------------------------------------------- */

/* At all addresses. */
static int listen_at(unsigned short port, int type)
{
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	int yes = 1;
	int no = 0;
	int fd = socket(AF_INET6, type | SOCK_CLOEXEC, 0);
	int bound = -1;

	if (fd >= 0) {
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		bound = bind(fd, (struct sockaddr *)&v6, sizeof(v6));
	} else {
		fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		bound = bind(fd, (struct sockaddr *)&v4, sizeof(v4));
	}
	if (bound < 0 || (type == SOCK_STREAM && listen(fd, 512) < 0))
		fail("a server");
	return fd;
}

static int listen_at_abstract(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + 1, ABSTRACT_NAME, strlen(ABSTRACT_NAME));
	if (bind(fd, (struct sockaddr *)&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				strlen(ABSTRACT_NAME))) < 0 ||
		listen(fd, 16) < 0)
		fail("an abstract socket");
	return fd;
}

/* It ends with us. */
static bool is_child(struct internet *net)
{
	pid_t parent = getpid();
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid) {
		net->pids[net->count++] = pid;
		return false;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	return true;
}

static void serve_web(struct internet *net, int fd)
{
	if (is_child(net)) {
		web_serve(fd, net->facts);
		_exit(0);
	}
	close(fd);
}

void internet_open(struct internet *net)
{
	static const unsigned short ports[] = {80, 443, 22, 8443};
	int dns = listen_at(53, SOCK_DGRAM);
	int naive = listen_at(NAIVE_PORT, SOCK_STREAM);

	*net = (struct internet){0};
	net->facts = mmap(NULL, sizeof(*net->facts), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (net->facts == MAP_FAILED)
		fail("memory");
	if (is_child(net))
		dns_serve(dns, net->facts);
	if (is_child(net))
		naive_serve(naive);
	close(dns);
	close(naive);
	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++)
		serve_web(net, listen_at(ports[i], SOCK_STREAM));
	serve_web(net, listen_at_abstract());
}

void internet_close(struct internet *net)
{
	for (int i = 0; i < net->count; i++)
		kill(net->pids[i], SIGKILL);
	for (int i = 0; i < net->count; i++)
		waitpid(net->pids[i], NULL, 0);
}

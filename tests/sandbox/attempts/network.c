/* Sockets of the host and of the machine, and what lies behind its network. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../attempt.h"

static enum outcome connects(const void *address, socklen_t len, int type)
{
	int family = ((const struct sockaddr *)address)->sa_family;
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	return fd < 0 ? REFUSED : got(connect(fd, address, len));
}

static enum outcome connects_to(const char *host, const char *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((in_port_t)world_number(port)),
	};

	inet_pton(AF_INET, host, &address.sin_addr);
	return connects(&address, sizeof(address), SOCK_STREAM);
}

ATTEMPT(loopback, "reach a service on the host's loopback")
{
	return connects_to("127.0.0.1", "PORT");
}

ATTEMPT(loopback_v6, "reach a service on the host's loopback by IPv6")
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons((in_port_t)world_number("PORT_V6")),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};

	if (!world_number("PORT_V6"))
		return CANNOT_TRY;
	return connects(&address, sizeof(address), SOCK_STREAM);
}

ATTEMPT(metadata_address, "reach the address of cloud metadata")
{
	if (!world_number("METADATA_PORT"))
		return CANNOT_TRY;
	return connects_to("169.254.169.254", "METADATA_PORT");
}

ATTEMPT(route_out, "have a route to the network")
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)};

	/* For documentation; nothing is sent. */
	inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
	return connects(&address, sizeof(address), SOCK_DGRAM);
}

ATTEMPT(abstract_socket, "reach an abstract socket of the host")
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(
		address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", world("ABSTRACT"));

	return connects(&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len),
		SOCK_STREAM);
}

ATTEMPT(socket_of_host, "reach the host's own socket by its path")
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", place("HOST", "socket"));
	return connects(&address, sizeof(address), SOCK_STREAM);
}

/* Without connect(), which a filter may refuse. */
static enum outcome sends_datagram(int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int pair[2];

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", place("HOST", "datagrams"));
	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) < 0)
		return REFUSED;
	return got(sendto(
		pair[0], "x", 1, MSG_DONTWAIT, (struct sockaddr *)&address, sizeof(address)));
}

ATTEMPT(datagram_to_host, "send a datagram to a socket of the host")
{
	return sends_datagram(SOCK_DGRAM);
}

/* Unix sockets of this type are of the other one. */
ATTEMPT(raw_datagram_to_host, "send one by a pair of raw sockets")
{
	return sends_datagram(SOCK_RAW);
}

static enum outcome makes(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd >= 0)
		close(fd);
	return got(fd);
}

ATTEMPT(raw_socket, "send raw packets")
{
	return makes(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}

ATTEMPT(raw_socket_v6, "send raw packets by IPv6")
{
	return makes(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
}

ATTEMPT(packet_socket, "listen to all packets")
{
	return makes(AF_PACKET, SOCK_RAW, 0);
}

ATTEMPT(vsock_socket, "talk to the machine's hypervisor")
{
	return makes(AF_VSOCK, SOCK_STREAM, 0);
}

ATTEMPT(crypto_socket, "use the kernel's cryptography")
{
	return makes(AF_ALG, SOCK_SEQPACKET, 0);
}

ATTEMPT(netlink_events, "listen to events of the kernel")
{
	return makes(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
}

ATTEMPT(netlink_generic, "ask other parts of the kernel by netlink")
{
	return makes(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
}

ATTEMPT(interface_addresses, "list the addresses of the host by any socket")
{
	struct ifreq found[8];
	struct ifconf request = {.ifc_len = sizeof(found), .ifc_req = found};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return CANNOT_TRY;
	if (ioctl(ends[0], SIOCGIFCONF, &request) < 0)
		return REFUSED;
	/* In a network of its own there is nothing but the loopback device. */
	for (size_t i = 0; i < (size_t)request.ifc_len / sizeof(found[0]); i++)
		if (strcmp(found[i].ifr_name, "lo:1") == 0)
			return GOT_THROUGH;
	return REFUSED;
}

#include "net/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* The first `bits` of `prefix` are those of the address. The first entry that fits counts. */
struct net {
	uint8_t prefix[16];
	unsigned bits;
	const char *what;
};

#define METADATA  "an address of cloud metadata"
#define DOCUMENTS "an address for documents"
#define BENCHMARK "an address for benchmarks"
#define RESERVED  "a reserved address"
#define PRIVATE   "a private address"
#define LINK      "a link-local address"
#define LOOPBACK  "a loopback address"
#define MULTICAST "a multicast address"

static const struct net nets_v4[] = {
	{{169, 254, 169, 254}, 32, METADATA},
	{{169, 254, 170, 2}, 32, METADATA},
	{{100, 100, 100, 200}, 32, METADATA},
	{{168, 63, 129, 16}, 32, METADATA}, /* public, but within one cloud the cloud itself */
	{{192, 0, 0, 192}, 32, METADATA},
	{{0}, 8, "an address of this network"},
	{{10}, 8, PRIVATE},
	{{100, 64}, 10, "an address behind a carrier's NAT"},
	{{127}, 8, LOOPBACK},
	{{169, 254}, 16, LINK},
	{{172, 16}, 12, PRIVATE},
	{{192, 0, 0}, 24, RESERVED},
	{{192, 0, 2}, 24, DOCUMENTS},
	{{192, 88, 99}, 24, "an address of 6to4 relays"},
	{{192, 168}, 16, PRIVATE},
	{{198, 18}, 15, BENCHMARK},
	{{198, 51, 100}, 24, DOCUMENTS},
	{{203, 0, 113}, 24, DOCUMENTS},
	{{224}, 4, MULTICAST},
	{{255, 255, 255, 255}, 32, "the broadcast address"},
	{{240}, 4, RESERVED},
};

static const struct net nets_v6[] = {
	{{0xfd, 0x00, 0x0e, 0xc2, [14] = 0x02, 0x54}, 128, METADATA},
	{{0xfd, 0x20, 0x00, 0xce, [14] = 0x02, 0x54}, 128, METADATA},
	{{0}, 128, "the unspecified address"},
	{{[15] = 1}, 128, LOOPBACK},
	{{[10] = 0xff, 0xff}, 96, "an IPv4 address in IPv6"},
	{{0}, 96, "an IPv4 address in IPv6"},
	{{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, "an address of a local NAT64"},
	{{0x01}, 64, "an address that leads nowhere"},
	{{0x20, 0x01}, 32, "an IPv4 address in IPv6 (Teredo)"},
	{{0x20, 0x01, 0x00, 0x02}, 48, BENCHMARK},
	{{0x20, 0x01, 0x0d, 0xb8}, 32, DOCUMENTS},
	{{0x20, 0x01}, 23, RESERVED},
	{{0x20, 0x02}, 16, "an IPv4 address in IPv6 (6to4)"},
	{{0x3f, 0xff}, 20, DOCUMENTS},
	{{0xfc}, 7, PRIVATE},
	{{0xfe, 0x80}, 10, LINK},
	{{0xfe, 0xc0}, 10, "a site-local address"},
	{{0xff}, 8, MULTICAST},
};

static const struct net global_v6 = {{0x20}, 3, NULL};
static const struct net nat64 = {{0x00, 0x64, 0xff, 0x9b}, 96, NULL};

static bool is_in(const uint8_t *bytes, const struct net *net)
{
	unsigned whole = net->bits / 8;
	unsigned rest = net->bits % 8;
	uint8_t mask = (uint8_t)(0xff << (8 - rest));

	if (memcmp(bytes, net->prefix, whole) != 0)
		return false;
	return !rest || (bytes[whole] & mask) == net->prefix[whole];
}

static const char *net_find(const uint8_t *bytes, const struct net *nets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_in(bytes, &nets[i]))
			return nets[i].what;
	return NULL;
}

static const char *refused_v4(const uint8_t *bytes)
{
	return net_find(bytes, nets_v4, ARRAY_SIZE(nets_v4));
}

static const char *refused_v6(const uint8_t *bytes)
{
	const char *what = net_find(bytes, nets_v6, ARRAY_SIZE(nets_v6));

	if (what)
		return what;
	if (is_in(bytes, &nat64))
		return refused_v4(bytes + 12);
	return is_in(bytes, &global_v6) ? NULL : RESERVED;
}

/* 4 or 16 of them; NULL if it is of another family. */
static const uint8_t *bytes_of(const struct sockaddr *address, size_t *ret_len)
{
	if (address->sa_family == AF_INET) {
		*ret_len = sizeof(struct in_addr);
		return (const uint8_t *)&((const struct sockaddr_in *)(const void *)address)
			->sin_addr;
	}
	if (address->sa_family == AF_INET6) {
		*ret_len = sizeof(struct in6_addr);
		return (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)address)
			->sin6_addr;
	}
	return NULL;
}

const char *address_refused(const struct sockaddr *address)
{
	size_t len;
	const uint8_t *bytes = bytes_of(address, &len);

	if (!bytes)
		return "of an unknown kind";
	return len == sizeof(struct in_addr) ? refused_v4(bytes) : refused_v6(bytes);
}

/* The same; of NAT64 those of the address inside. */
static const uint8_t *bytes_reached(const struct sockaddr *address, size_t *ret_len)
{
	const uint8_t *bytes = bytes_of(address, ret_len);

	if (!bytes || *ret_len == sizeof(struct in_addr) || !is_in(bytes, &nat64))
		return bytes;
	*ret_len = sizeof(struct in_addr);
	return bytes + 12;
}

static bool is_same(const struct sockaddr *a, const struct sockaddr *b)
{
	size_t len_a = 0;
	size_t len_b = 0;
	const uint8_t *bytes_a = bytes_reached(a, &len_a);
	const uint8_t *bytes_b = bytes_reached(b, &len_b);

	return bytes_a && bytes_b && len_a == len_b && !memcmp(bytes_a, bytes_b, len_a);
}

bool address_is_own(const struct sockaddr *address)
{
	struct ifaddrs *all;
	bool own = false;

	if (getifaddrs(&all) < 0)
		return true; /* as when there are too many open files: it might be */
	for (const struct ifaddrs *a = all; a && !own; a = a->ifa_next)
		own = a->ifa_addr && is_same(a->ifa_addr, address);
	freeifaddrs(all);
	return own;
}

void address_text(const struct sockaddr *address, char *ret_text)
{
	size_t len;
	const uint8_t *bytes = bytes_of(address, &len);

	if (!bytes || !inet_ntop(address->sa_family, bytes, ret_text, ADDRESS_TEXT_MAX))
		snprintf(ret_text, ADDRESS_TEXT_MAX, "?");
}

bool address_parse(const char *text, in_port_t port, struct sockaddr_storage *ret_address)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	*ret_address = (struct sockaddr_storage){0};
	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
		memcpy(ret_address, &v4, sizeof(v4));
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
		memcpy(ret_address, &v6, sizeof(v6));
		return true;
	}
	return false;
}

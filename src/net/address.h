/*
 * Is an address public? An agent may reach only public addresses through the host.
 *
 * A name can resolve to anything: the machine itself, the private network behind it, the address
 * at which a cloud hands out keys. So the resolved address is checked, and the connection is
 * made to exactly this address (egress.h). This table lists the refused ranges with their names;
 * any IPv6 address outside global unicast (2000::/3) is refused, named or not.
 *
 *	const char *why = address_refused(address);
 *
 *	if (why)
 *		... "'%s' is %s", text, why: "'10.0.0.1' is a private address"
 *
 * IPv6 addresses that contain an IPv4 address are refused, because it is unknown where the
 * network routes them: ::ffff:0:0/96, ::/96, 2002::/16, 2001::/32. The exception is the
 * well-known NAT64 prefix (64:ff9b::/96), which machines with only IPv6 use to reach IPv4: there
 * the embedded address decides.
 */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

/* "93.184.216.34", "2606:2800:220:1::1": room for the text of any address. */
#define ADDRESS_TEXT_MAX INET6_ADDRSTRLEN

/*
 * The kind of an address that is not public, with an article; NULL: it is public. An address
 * that is neither IPv4 nor IPv6 is refused.
 */
const char *address_refused(const struct sockaddr *address);

/*
 * Is it an address of this machine, on any of its networks? Looked up again each time. True if the
 * lookup fails.
 */
bool address_is_own(const struct sockaddr *address);

/* As text, without a port. */
void address_text(const struct sockaddr *address, char *ret_text);

/*
 * Parses the usual form of an address: four decimal numbers without leading zeros, or IPv6
 * without brackets and zone. Refuses anything else, such as "127.1" or "0x7f.1".
 */
bool address_parse(const char *text, in_port_t port, struct sockaddr_storage *ret_address);

#endif

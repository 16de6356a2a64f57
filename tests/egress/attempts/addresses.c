/* Addresses that are written down, in all the ways that some program understands. */
#include "../attempt.h"

CONNECT_TO(private_10, "connect to a private address", "10.0.0.1:80");
CONNECT_TO(private_172, "connect to another private address", "172.31.255.254:80");
CONNECT_TO(private_192, "connect to one more private address", "192.168.0.1:80");
CONNECT_TO(loopback, "connect to the host's loopback", "127.0.0.1:80");
CONNECT_TO(loopback_other, "connect to the host's loopback by another number", "127.8.8.8:80");
CONNECT_TO(metadata, "connect to the metadata of a cloud", "169.254.169.254:80");
CONNECT_TO(
	metadata_elsewhere, "connect to the metadata of another cloud", "100.100.100.200:80");
CONNECT_TO(metadata_public, "connect to a cloud's own address", "168.63.129.16:80");
CONNECT_TO(this_network, "connect to 0.0.0.0", "0.0.0.0:80");
CONNECT_TO(
	not_listed, "connect to a public address that is not in the list", "93.184.216.35:80");
CONNECT_TO(own_address, "connect to the machine's own public address", "93.184.216.99:80");
CONNECT_TO(other_port, "connect to a listed address at another port", "93.184.216.34:22");

/* No names, so they are in the log as they were written. */
CONNECT_TO(decimal, "connect to an address in one number", "2130706433:80");
CONNECT_TO(hexadecimal, "connect to an address in hexadecimal", "0x7f000001:80");
CONNECT_TO(hexadecimal_parts, "connect to an address with hexadecimal parts", "0x7f.0.0.1:80");
CONNECT_TO(octal, "connect to an address in octal", "0177.0.0.1:80");
CONNECT_TO(short_form, "connect to an address of two parts", "127.1:80");
CONNECT_TO(zeros, "connect to an address with zeros in front", "010.0.0.1:80");

CONNECT_TO(loopback_v6, "connect to the host's loopback by IPv6", "[::1]:80");
CONNECT_TO(unspecified_v6, "connect to [::]", "[::]:80");
CONNECT_TO(mapped, "connect to a private address within IPv6", "[::ffff:10.0.0.1]:80");
REQUEST(mapped_hexadecimal, "connect to a private address within IPv6, in hexadecimal",
	"[::ffff:10.0.0.1]:80",
	"CONNECT [::ffff:a00:1]:80 HTTP/1.1\r\nHost: [::FFFF:A00:1]:80\r\n\r\n");
CONNECT_TO(
	mapped_public, "connect to a listed address within IPv6", "[::ffff:93.184.216.34]:22");
CONNECT_TO(
	compatible, "connect to a private address in the old form of IPv6", "[::10.0.0.1]:80");
CONNECT_TO(nat64, "connect to a private address by NAT64", "[64:ff9b::a00:1]:80");
CONNECT_TO(nat64_local, "connect by a local NAT64", "[64:ff9b:1::a00:1]:80");
CONNECT_TO(six_to_four, "connect to a private address by 6to4", "[2002:a00:1::1]:80");
CONNECT_TO(teredo, "connect by Teredo", "[2001:0:a00:1::1]:80");
CONNECT_TO(unique_local, "connect to a private address of IPv6", "[fc00::1]:80");
CONNECT_TO(site_local, "connect to a site-local address", "[fec0::1]:80");
CONNECT_TO(metadata_v6, "connect to the metadata of a cloud by IPv6", "[fd00:ec2::254]:80");
CONNECT_TO(zone, "connect to an address with a device of the host", "[fe80::1%lo]:80");

CONNECT_TO(localhost, "connect to localhost", "localhost:80");
CONNECT_TO(localhost_dot, "connect to localhost with a dot", "localhost.:80");
REQUEST(plain_private, "ask a private address for a page", "10.0.0.1:80",
	"GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n");
REQUEST(plain_decimal, "ask an address in one number for a page", "http://167772161/",
	"GET http://167772161/ HTTP/1.1\r\nHost: 167772161\r\n\r\n");
REQUEST(plain_loopback_v6, "ask the host's loopback for a page by IPv6", "[::1]:80",
	"GET http://[::1]/ HTTP/1.1\r\nHost: [::1]\r\n\r\n");

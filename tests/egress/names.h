/*
 * The names of the test's internet, and what they lead to. "t.example" is a zone that the
 * owner has allowed, and whose DNS is in the wrong hands.
 *
 * Of a name in "rebind.t.example" the first look-up gives the public address, and every later
 * one a private address. One that begins with "silent." is not answered at all, and one that
 * begins with "held." not until somebody asks for "release.t.example".
 */
#ifndef EGRESS_NAMES_H
#define EGRESS_NAMES_H

#include "internet.h"

struct dns_name {
	const char *name;
	const char *alias;         /* another name, or NULL */
	const char *addresses[24]; /* of both families */
};

static const struct dns_name dns_names[] = {
	{"allowed.example", NULL, {PUBLIC_V4, PUBLIC_V6}},
	{"www.allowed.example", NULL, {PUBLIC_V4}},
	{"other.example", NULL, {PUBLIC_V4}},
	{"evil.example", NULL, {"93.184.216.35"}},
	{"allowed.example.evil.example", NULL, {"93.184.216.35"}},
	{"localhost", NULL, {"127.0.0.1"}},
	{"public.t.example", NULL, {PUBLIC_V4}},
	{"private.t.example", NULL, {"10.0.0.1"}},
	{"private2.t.example", NULL, {"172.16.0.1"}},
	{"loopback.t.example", NULL, {"127.0.0.1"}},
	{"loopback6.t.example", NULL, {"::1"}},
	{"metadata.t.example", NULL, {"169.254.169.254"}},
	{"metadata6.t.example", NULL, {"fd00:ec2::254"}},
	{"cloud.t.example", NULL, {"168.63.129.16"}},
	{"carrier.t.example", NULL, {"100.64.0.1"}},
	{"zero.t.example", NULL, {"0.0.0.0"}},
	{"reserved.t.example", NULL, {"240.0.0.1"}},
	{"own.t.example", NULL, {OWN_PUBLIC}},
	{"mapped.t.example", NULL, {"::ffff:10.0.0.1"}},
	{"compatible.t.example", NULL, {"::10.0.0.1"}},
	{"nat64.t.example", NULL, {"64:ff9b::a00:1"}},
	{"sixtofour.t.example", NULL, {"2002:a00:1::1"}},
	{"teredo.t.example", NULL, {"2001:0:a00:1::1"}},
	{"unique.t.example", NULL, {"fc00::1"}},
	{"sitelocal.t.example", NULL, {"fec0::1"}},
	{"mixed.t.example", NULL, {PUBLIC_V4, "10.0.0.1"}},
	{"mixed6.t.example", NULL, {PUBLIC_V4, "fc00::1"}},
	/* In both orders: the C library may turn one around. */
	{"first.t.example", NULL, {"168.63.129.16", PUBLIC_V4}},
	{"last.t.example", NULL, {PUBLIC_V4, "168.63.129.16"}},
	{"last-own.t.example", NULL, {PUBLIC_V4, OWN_PUBLIC}},
	{"many.t.example", NULL,
		{"93.184.216.34", "10.0.0.1", "93.184.216.36", "93.184.216.37", "93.184.216.38",
			"93.184.216.39", "93.184.216.40", "93.184.216.41", "93.184.216.42",
			"93.184.216.43", "93.184.216.44", "93.184.216.45", "93.184.216.46"}},
	{"alias.t.example", "alias2.t.example", {NULL}},
	{"alias2.t.example", "hidden.inside.example", {NULL}},
	{"hidden.inside.example", NULL, {"192.168.1.1"}},
	{"noport.t.example", NULL, {PUBLIC_V4}},
	{"release.t.example", NULL, {PUBLIC_V4}},
};

#define REBIND_ZONE ".rebind.t.example"

#endif

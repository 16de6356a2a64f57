/*
 * The ports of a compose service, and the ports of the host that it binds.
 *
 *	struct compose_port port;
 *
 *	if (compose_port_item_parse(item, &port, err) < 0)	// an item of `ports`
 *		return -1;
 *	if (port.known && compose_ports_collide(&port, &other))
 *		...
 *
 * The short form is [[ADDRESS:]HOST:]CONTAINER[/PROTOCOL], where HOST and CONTAINER
 * are ports or ranges, and an IPv6 address may be in brackets; the long form is a
 * mapping. Variables are taken at their default, `${PORT:-6380}`. A port with a variable
 * without one, or one that the system chooses, is not known: it collides with nothing.
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_PORTS_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"
#include "format/yaml_build.h"

#define COMPOSE_PORT_MAX 65535

struct port_range {
	unsigned first;
	unsigned last;
};

struct compose_port {
	bool known;             /* it binds `host`; else only `target` may be known */
	char address[64];       /* as inet_ntop() writes it; "": all, of both families */
	char protocol[16];      /* "tcp" */
	struct port_range host; /* as many as `target`, or several for one */
	struct port_range target;
};

/* ERROR_INVALID, with the place of the item, if compose would reject it. */
int compose_port_item_parse(
	const struct yaml_node *item, struct compose_port *ret_port, struct error *err);

/* A list in an arena. */
struct compose_ports {
	struct compose_port *list;
	size_t count;
	size_t cap;
};

/*
 * Add the host ports that a service binds, if they are known; none if it uses the host's
 * network. An unreadable item binds nothing: a newer compose may understand it.
 */
void compose_ports_add(
	const struct yaml_node *service, struct arena *arena, struct compose_ports *ports);

/* The items of `ports`, or an empty node: a service on the host's network has none. */
const struct yaml_node *compose_port_items(const struct yaml_node *service);

/*
 * The same protocol, a port in common, and an address in common. All addresses of IPv4
 * and all of IPv6 have none in common, so that both can be bound by two lines.
 */
bool compose_ports_collide(const struct compose_port *a, const struct compose_port *b);

/* "6380", or "9090-9091"; false if a text is neither. */
void port_range_append(struct buf *out, struct port_range range);
bool port_range_parse(struct view text, struct port_range *ret_range);

/* "127.0.0.1:6380:6379/tcp": the same for all spellings of a binding. */
void compose_port_append(struct buf *out, const struct compose_port *port);

/* The reverse; false if the text is not a binding. */
bool compose_port_parse(struct view text, struct compose_port *ret_port);

/* A copy of an item of `ports`, in `doc`, which binds `host` instead. */
struct yaml_node *compose_port_move(
	struct yaml_doc *doc, const struct yaml_node *item, struct port_range host);

#endif

/*
 * What skills contribute to a compose file, once all of them are put together: the
 * services with their ports, and the volumes and networks that those need.
 *
 * A service that several declare alike is written once. What is declared differently,
 * or binds a port of the host that another service has, is a clash:
 *
 *	service redis		two definitions of one name
 *	redis:6380:6379/tcp	a port; of two services the one later in the alphabet
 *				has to give way
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_PLAN_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_PLAN_H

#include "engine/package/structured_format.h"
#include "engine/structured/compose/compose_file.h"

#define COMPOSE_SERVICE_KEY "service "

struct compose_item {
	struct view name;
	struct yaml_node *skills;           /* that want it: a sequence of names */
	const struct yaml_node *definition; /* NULL: it is left out */
	const struct yaml_entry *own;       /* of that name in the own content, or NULL */
	bool stays;                         /* the own one is the one that is wanted */
	bool used_by_own;                   /* a volume or network that own services use */
};

struct compose_items {
	struct compose_item *list; /* sorted by name */
	size_t count;
	size_t cap;
};

struct compose_plan {
	struct compose_items kinds[COMPOSE_KINDS];
};

#define COMPOSE_PLAN_INIT ((struct compose_plan){0})

/* Nodes are made in `doc`; clashes, warnings and what is unwanted go to `output`. */
int compose_plan_make(const struct structured_input *input, const struct compose_file *own,
	struct yaml_doc *doc, struct compose_plan *ret_plan, struct structured_output *output,
	struct error *err);
void compose_plan_release(struct compose_plan *plan);

/* Find an item, or add it. */
struct compose_item *compose_items_need(
	struct compose_items *items, struct view name, struct yaml_doc *doc);

/* Ports: compose_plan_ports.c. */
void compose_plan_ports(const struct structured_input *input, const struct compose_file *own,
	struct yaml_doc *doc, struct compose_items *services, struct structured_output *output);

/* A service without ports of its own: it has those of the host. */
bool compose_on_host_network(const struct yaml_node *service);

/* `what` a claim says of a definition: it on one line, of bounded length. */
int compose_describe(const struct yaml_node *definition, struct buf *out, struct error *err);

#endif

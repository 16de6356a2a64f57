/*
 * The volumes and networks of the file that a service uses by their names. Not those
 * that compose makes by itself (the network `default`, volumes without a name), not
 * folders of the host, and no name with a variable in it.
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_NEEDS_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_NEEDS_H

#include "engine/structured/compose/compose_file.h"

/* Calls `visit` for each; a name may come more than once. */
typedef void compose_need_visitor(enum compose_kind kind, struct view name, void *data);
void compose_needs(const struct yaml_node *service, compose_need_visitor *visit, void *data);

/* Whether a service uses this volume or network. */
bool compose_needs_one(
	const struct yaml_node *service, enum compose_kind kind, struct view name);

/* Names of services, volumes and networks are of letters, digits, '.', '_' and '-'. */
bool compose_name_valid(struct view name);

#endif

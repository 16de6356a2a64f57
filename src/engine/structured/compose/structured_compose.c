/*
 * docker_compose_services: services of skills in the compose file of the project.
 *
 *	compose_file	where things are in the text
 *	compose_plan	what is to be in it, and what clashes
 *	compose_render	own content and plan → the file
 *	compose_strip	the file → its own content
 */
#include "engine/structured/compose/compose_parts.h"

/* In the order in which compose looks for them. */
static const char *const names[] = {
	"compose.yaml",
	"compose.yml",
	"docker-compose.yml",
	"docker-compose.yaml",
	NULL,
};

const struct structured_format structured_compose = {
	.member = "docker_compose_services",
	.names = names,
	.made_as = "docker-compose.yml",
	.check = compose_check,
	.render = compose_render,
	.strip = compose_strip,
	.settled = compose_settled,
};

/* The functions behind structured_compose, each in a file of its own. */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_PARTS_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_PARTS_H

#include "engine/package/structured_format.h"

/*
 * The record of a rendering, for compose_strip():
 *
 *	services:		and volumes, networks, by name
 *	  redis:
 *	    text: |		what was written for it, lines ending in LF
 *	    was: |		the own text that had to make room for it, if any
 *	    own: true		a volume or network that own services use all the same
 *	made:			sections that were not there, with what was written
 *	  volumes: "\nvolumes:\n"
 *	instead:		sections that had an empty value, and how that was spelled
 *	  services: " {}"
 *	newline: true		the last line had no line end
 *	unwanted:		what a person took out, or made their own by changing it
 *	  services: [redis]
 */
int compose_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err);
int compose_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);
int compose_settled(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err);
void compose_check(const struct yaml_node *declared, struct faults *faults);

#endif

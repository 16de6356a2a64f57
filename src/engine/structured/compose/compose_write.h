/*
 * What is written into a compose file: the entry of a service, a volume or a network.
 *
 * In block style, keys sorted, indented as the file is:
 *
 *	  # skill: telegram
 *	  telegram-redis:
 *	    image: redis:alpine
 *	    ports:
 *	      - "6380:6379"
 *
 * and in flow style, for a file that has its services in braces, on one line. Strings
 * are written so that every reader takes them for strings; those in `ports` always have
 * quotes, because `22:22` is the number 1342 to some.
 */
#ifndef ENGINE_STRUCTURED_COMPOSE_COMPOSE_WRITE_H
#define ENGINE_STRUCTURED_COMPOSE_COMPOSE_WRITE_H

#include "util/buf.h"
#include "util/error.h"
#include "util/view.h"
#include "util/yaml.h"

struct compose_layout {
	size_t indent; /* of the entry */
	size_t step;   /* by which each level is indented further */
};

/* Lines end in LF. `skills` are named in the comment. */
int compose_write_block(struct view key, const struct yaml_node *value,
	const struct yaml_node *skills, const struct compose_layout *layout, struct buf *out,
	struct error *err);

/* `"key": {…}`, and the value alone. */
int compose_write_flow(
	struct view key, const struct yaml_node *value, struct buf *out, struct error *err);
int compose_write_flow_value(const struct yaml_node *value, struct buf *out, struct error *err);

#endif

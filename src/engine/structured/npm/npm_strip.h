/* The `strip` of structured_npm.c: the file → its own content. */
#ifndef ENGINE_STRUCTURED_NPM_NPM_STRIP_H
#define ENGINE_STRUCTURED_NPM_NPM_STRIP_H

#include "engine/package/structured_format.h"

int npm_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

#endif

/* The `render` of structured_npm.c: own content and contributions → the file. */
#ifndef ENGINE_STRUCTURED_NPM_NPM_RENDER_H
#define ENGINE_STRUCTURED_NPM_NPM_RENDER_H

#include "engine/package/structured_format.h"

int npm_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err);

#endif

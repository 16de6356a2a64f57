/*
 * Rewrite a custom patch (custom.h) because the core below it has changed.
 */
#ifndef ENGINE_CUSTOM_CUSTOM_REWRITE_H
#define ENGINE_CUSTOM_CUSTOM_REWRITE_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

/*
 * From now on the patch makes `after` of `before` in the file that is at `path`, under
 * whatever name the patch knows it; its other files stay as they are. Where that leaves no
 * change in it, it is taken out of the state, with a warning. A patch of v0.1,
 * which kept no contents, is left alone.
 */
int custom_rewrite(struct session *s, const struct layer *patch, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err);

#endif

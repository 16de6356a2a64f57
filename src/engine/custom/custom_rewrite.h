/*
 * Rewrite a custom patch (custom.h) because the core below it has changed.
 */
#ifndef ENGINE_CUSTOM_CUSTOM_REWRITE_H
#define ENGINE_CUSTOM_CUSTOM_REWRITE_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

/*
 * From now on the patch changes `before` into `after` in the file at `path`, whatever name the
 * patch has for it; its other files stay unchanged. A patch without any changes left is removed
 * from the state, with a warning. A patch of v0.1, which kept no contents, is left alone.
 */
int custom_rewrite(struct session *s, const struct layer *patch, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err);

#endif

#include "engine/session/depends.h"

#include <string.h>

#include "engine/session/origin.h"

/* A cycle cannot be applied, but a hand-made state may have one. */
#define MAX_DEPTH 64

/* The manifest of an applied skill, be it still staged. */
static bool load_manifest(struct session *s, const char *skill, struct manifest *ret_manifest)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;

	return origin_load_pack(s, skill, &pack, &ignored) == 0 &&
	       pack_read_manifest(&pack, ret_manifest, &ignored) == 0;
}

static bool search(
	struct session *s, const struct manifest *manifest, const char *skill, unsigned depth)
{
	if (manifest_depends_on(manifest, skill))
		return true;
	for (size_t i = 0; i < manifest->depends.count && depth < MAX_DEPTH; i++) {
		CLEANUP(manifest_release) struct manifest next = MANIFEST_INIT;

		if (load_manifest(s, manifest->depends.list[i].skill, &next) &&
			search(s, &next, skill, depth + 1))
			return true;
	}
	return false;
}

bool depends_on(struct session *s, const struct manifest *manifest, const char *skill)
{
	return search(s, manifest, skill, 0);
}

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "sandbox/sandbox.h"

static const char *const names[] = {
	[SANDBOX_BWRAP] = "bwrap",
	[SANDBOX_PODMAN] = "podman",
	[SANDBOX_DOCKER] = "docker",
	[SANDBOX_LANDLOCK] = "landlock",
};

const char *sandbox_kind_name(enum sandbox_kind kind)
{
	return names[kind];
}

int sandbox_kind_parse(const char *text, enum sandbox_kind *ret_kind, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(text));

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		*ret_kind = (enum sandbox_kind)i;
		return 0;
	}
	error_set(err, ERROR_INVALID, "there is no sandbox %s", shown);
	return error_hint(err, "choose 'bwrap', 'podman', 'docker' or 'landlock'");
}

void sandbox_add_mount(
	struct sandbox_spec *spec, int source, const char *target, unsigned flags)
{
	GROW(spec->mounts, spec->mount_count, spec->mount_cap);
	spec->mounts[spec->mount_count++] =
		(struct sandbox_mount){source, xstrdup(target), flags};
}

void sandbox_add_link(struct sandbox_spec *spec, const char *target, const char *to)
{
	GROW(spec->links, spec->link_count, spec->link_cap);
	spec->links[spec->link_count++] = (struct sandbox_link){xstrdup(target), xstrdup(to)};
}

void sandbox_spec_release(struct sandbox_spec *spec)
{
	for (size_t i = 0; i < spec->mount_count; i++) {
		closep(&spec->mounts[i].source);
		free(spec->mounts[i].target);
	}
	for (size_t i = 0; i < spec->link_count; i++) {
		free(spec->links[i].target);
		free(spec->links[i].to);
	}
	free(spec->mounts);
	free(spec->links);
	*spec = SANDBOX_SPEC_INIT;
}

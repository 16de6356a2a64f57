#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "sandbox/sandbox.h"

ENTRY_SET(sandboxes, sandbox_kind)

const struct sandbox_kind *const *sandbox_kinds(void)
{
	return sandboxes_sorted();
}

int sandbox_kind_find(const char *name, const struct sandbox_kind **ret_kind, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	for (const struct sandbox_kind *const *kind = sandboxes_sorted(); *kind; kind++) {
		if (!strcmp(name, (*kind)->name)) {
			*ret_kind = *kind;
			return 0;
		}
		buf_appendf(&names, "%s'%s'",
			!names.len ? ""
			: kind[1]  ? ", "
				   : " or ",
			(*kind)->name);
	}
	error_set(err, ERROR_INVALID, "there is no sandbox %s", shown);
	return error_hint(err, "choose %s", names.data);
}

const struct sandbox_kind *sandbox_kind_of(const char *name)
{
	CLEANUP(error_release) struct error bug = ERROR_INIT;
	const struct sandbox_kind *kind = NULL;

	sandbox_kind_find(name, &kind, &bug);
	assert(kind);
	return kind;
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

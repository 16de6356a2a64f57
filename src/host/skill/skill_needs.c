#include "host/skill/skill_needs.h"

#include <string.h>

#include "fs/beneath.h"
#include "group/container_file.h"

struct look {
	struct installation *inst;
	const char *folder;
	struct container container;
	struct view words;
	struct buf *lines;
};

static void look_release(struct look *look)
{
	container_release(&look->container);
}

static void add_missing(struct look *look, const char *what, const char *text)
{
	buf_appendf(look->lines, "- %s: %s\n", what, text);
}

/* An invalid path counts as a missing file. */
static bool has_file(const struct look *look, const char *name)
{
	CLEANUP(relpath_release) struct relpath own = RELPATH_INIT; /* of the group alone */
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *below = xasprintf("groups/%s/%s", look->folder, name);
	struct stat st;

	return relpath_parse(view_of(name), &own, &ignored) == 0 &&
	       relpath_parse(view_of(below), &path, &ignored) == 0 &&
	       beneath_stat(look->inst->root, &path, &st, &ignored) == 0 && S_ISREG(st.st_mode);
}

static bool has_server(const struct look *look, const char *name)
{
	for (size_t i = 0; i < look->container.server_count; i++)
		if (!strcmp(look->container.servers[i].name, name))
			return true;
	return !strcmp(name, CONTAINER_OWN_SERVER);
}

static void check_context(struct look *look, const struct skill_context *context)
{
	if (context->optional)
		return;
	if (context->kind == CONTEXT_INPUT && !look->words.len)
		add_missing(look, "text after the command", context->text);
	else if (context->kind == CONTEXT_FILE && !has_file(look, context->value))
		add_missing(look, "a file in the folder of this group", context->text);
	else if (context->kind == CONTEXT_CONNECTOR && !has_server(look, context->value))
		add_missing(look, "a connector of this group", context->text);
}

int skill_needs_missing(struct installation *inst, const char *folder,
	const struct skill_found *found, struct view words, struct buf *ret_lines,
	struct error *err)
{
	CLEANUP(look_release)
	struct look look = {inst, folder, CONTAINER_INIT, words, ret_lines};
	const struct user_skill *skill = &found->skill;

	if (container_look(inst->root, folder, &look.container, NULL, err) < 0) {
		err->kind = ERROR_INVALID; /* it does not get better by trying again */
		return -1;
	}
	for (size_t i = 0; i < skill->context_count; i++)
		check_context(&look, &skill->contexts[i]);
	for (size_t i = 0; i < skill->connector_count; i++)
		if (!skill->connectors[i].optional &&
			!has_server(&look, skill->connectors[i].name))
			add_missing(
				&look, "a connector of this group", skill->connectors[i].text);
	for (size_t i = 0; i < skill->dependency_count; i++) {
		CLEANUP(skill_found_release) struct skill_found other = SKILL_FOUND_INIT;

		if (!skill->dependencies[i].skill)
			continue;
		if (skill_lookup(
			    inst->store, folder, skill->dependencies[i].skill, &other, err) < 0)
			return -1;
		if (!other.content || !other.assigned || !skill_found_usable(&other))
			add_missing(&look, "another skill in this group",
				skill->dependencies[i].text);
	}
	return 0;
}

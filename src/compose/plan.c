#include "compose/plan.h"

#include <stdlib.h>
#include <string.h>

static void list_release(struct plan_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->list[i].name);
		free(list->list[i].owner);
		free(list->list[i].text);
	}
	free(list->list);
}

void plan_release(struct plan *plan)
{
	list_release(&plan->skills);
	list_release(&plan->fragments);
	buf_release(&plan->entry);
	string_array_release(&plan->warnings);
	*plan = PLAN_INIT;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct plan_part *)a)->name, ((const struct plan_part *)b)->name);
}

const struct plan_part *plan_find(const struct plan_list *list, const char *name)
{
	struct plan_part wanted = {.name = (char *)(uintptr_t)name};

	if (!list->count)
		return NULL;
	return bsearch(&wanted, list->list, list->count, sizeof(*list->list), by_name);
}

/* `name` and `text` are taken. */
static void plan_add(
	struct plan_list *list, char *name, const char *owner, bool is_link, char *text)
{
	GROW(list->list, list->count, list->cap);
	list->list[list->count++] = (struct plan_part){
		.name = name, .owner = xstrdup(owner), .is_link = is_link, .text = text};
}

static void entry_import(struct plan *plan, const char *path)
{
	buf_appendf(&plan->entry, "@./%s\n", path);
}

static void import_fragment(struct plan *plan, const char *name)
{
	buf_appendf(&plan->entry, "@./" COMPOSE_FRAGMENTS "/%s\n", name);
}

/* --- skills ------------------------------------------------------------------ */

static bool has_fragment(const struct container_server *server)
{
	return server->instructions && view_trim(view_of(server->instructions)).len;
}

static void plan_skill(
	struct plan *plan, const struct container *container, const struct shared_skill *skill)
{
	bool taken = false;
	char *name;

	plan_add(&plan->skills, xstrdup(skill->name), skill->name, true,
		xasprintf(SEEN_SKILLS "/%s", skill->name));
	if (!skill->has_instructions)
		return;
	/* A skill "mcp-x" and a server "x" need the same file; the server gets it. */
	for (size_t i = 0; i < container->server_count && !taken; i++)
		taken = has_fragment(&container->servers[i]) &&
			!strncmp(skill->name, "mcp-", 4) &&
			!strcmp(container->servers[i].name, skill->name + 4);
	if (taken) {
		string_array_addf(&plan->warnings,
			"the instructions of the skill '%s' are left out: their file would be "
			"that of the MCP server '%s'; rename one of them",
			skill->name, skill->name + 4);
		return;
	}
	name = xasprintf("%s.md", skill->name);
	import_fragment(plan, name);
	plan_add(&plan->fragments, name, skill->name, true,
		xasprintf(SEEN_SKILLS "/%s/" SHARED_INSTRUCTIONS, skill->name));
}

/* --- servers ----------------------------------------------------------------- */

static void plan_server(struct plan *plan, const struct container_server *server)
{
	char *name;

	if (!has_fragment(server))
		return;
	name = xasprintf("mcp-%s.md", server->name);
	import_fragment(plan, name);
	plan_add(&plan->fragments, name, server->name, false,
		xasprintf("%s%s", server->instructions,
			view_ends_with(view_of(server->instructions), "\n") ? "" : "\n"));
}

/* --- inputs ------------------------------------------------------------------ */

static void add_text(struct hasher *hasher, struct view text)
{
	struct hash hash = hash_of(text);

	hasher_add(hasher, hash.bytes, sizeof(hash.bytes));
}

/*
 * Everything that changes what an agent sees, except for its memory and SKILL.md, which agents
 * read again.
 */
static struct hash hash_inputs(const struct plan *plan, const struct shared *shared,
	const struct container *container, struct view container_text)
{
	struct hasher *hasher = hasher_new();

	hasher_add(hasher, shared->base.bytes, sizeof(shared->base.bytes));
	add_text(hasher, view_of_buf(&shared->global));
	add_text(hasher, container_text);
	add_text(hasher, view_of_buf(&plan->entry));
	for (size_t i = 0; i < shared->skill_count; i++) {
		const struct shared_skill *skill = &shared->skills[i];

		if (skill->has_instructions && container_has_skill(container, skill->name))
			hasher_add(hasher, skill->instructions.bytes,
				sizeof(skill->instructions.bytes));
	}
	return hasher_end(&hasher);
}

void plan_make(const struct shared *shared, const struct container *container,
	struct view container_text, struct plan *ret_plan)
{
	struct plan plan = PLAN_INIT;

	buf_append_str(&plan.entry, COMPOSE_HEADER "\n");
	entry_import(&plan, COMPOSE_SHARED);
	if (shared->global.len) {
		plan.global = &shared->global;
		entry_import(&plan, COMPOSE_GLOBAL);
	}
	for (size_t i = 0; i < shared->skill_count; i++)
		if (container_has_skill(container, shared->skills[i].name))
			plan_skill(&plan, container, &shared->skills[i]);
	for (size_t i = 0; !container->all_skills && i < container->skills.count; i++)
		if (!shared_find(shared, container->skills.list[i]))
			string_array_addf(&plan.warnings,
				"there is no skill '%s' in '" SHARED_SKILLS "'",
				container->skills.list[i]);
	for (size_t i = 0; i < container->server_count; i++)
		plan_server(&plan, &container->servers[i]);
	plan.inputs = hash_inputs(&plan, shared, container, container_text);
	if (plan.skills.count)
		qsort(plan.skills.list, plan.skills.count, sizeof(*plan.skills.list), by_name);
	if (plan.fragments.count)
		qsort(plan.fragments.list, plan.fragments.count, sizeof(*plan.fragments.list),
			by_name);
	*ret_plan = plan;
}

bool plan_is_entry(struct view text)
{
	struct view line;

	if (!view_next(&text, '\n', &line) || !view_equal_str(line, COMPOSE_HEADER))
		return false;
	while (view_next(&text, '\n', &line))
		if (view_trim(line).len && !view_starts_with(line, "@./.claude-"))
			return false;
	return true;
}

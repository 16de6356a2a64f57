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
	for (size_t i = 0; i < plan->warning_count; i++)
		free(plan->warnings[i]);
	free(plan->warnings);
	*plan = PLAN_INIT;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct plan_part *)a)->name, ((const struct plan_part *)b)->name);
}

static void sort(struct plan_list *list)
{
	if (list->count)
		qsort(list->list, list->count, sizeof(*list->list), by_name);
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

/* `text` is taken. */
static void warn(struct plan *plan, char *text)
{
	GROW(plan->warnings, plan->warning_count, plan->warning_cap);
	plan->warnings[plan->warning_count++] = text;
}

static void import(struct plan *plan, const char *path)
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

/* A skill "mcp-x" and a server "x" need the same file; the server gets it. */
static bool is_taken_by_server(const struct container *container, const char *skill)
{
	if (strncmp(skill, "mcp-", 4) != 0)
		return false;
	for (size_t i = 0; i < container->server_count; i++)
		if (has_fragment(&container->servers[i]) &&
			!strcmp(container->servers[i].name, skill + 4))
			return true;
	return false;
}

static void plan_skill(
	struct plan *plan, const struct container *container, const struct shared_skill *skill)
{
	char *name;

	plan_add(&plan->skills, xstrdup(skill->name), skill->name, true,
		xasprintf(SEEN_SKILLS "/%s", skill->name));
	if (!skill->has_instructions)
		return;
	if (is_taken_by_server(container, skill->name)) {
		warn(plan,
			xasprintf("the instructions of the skill '%s' are left out: their file "
				  "would be that of the MCP server '%s'; rename one of them",
				skill->name, skill->name + 4));
		return;
	}
	name = xasprintf("%s.md", skill->name);
	import_fragment(plan, name);
	plan_add(&plan->fragments, name, skill->name, true,
		xasprintf(SEEN_SKILLS "/%s/" SHARED_INSTRUCTIONS, skill->name));
}

static void plan_skills(
	struct plan *plan, const struct shared *shared, const struct container *container)
{
	for (size_t i = 0; i < shared->skill_count; i++)
		if (container_has_skill(container, shared->skills[i].name))
			plan_skill(plan, container, &shared->skills[i]);
	for (size_t i = 0; !container->all_skills && i < container->skill_count; i++)
		if (!shared_find(shared, container->skills[i]))
			warn(plan, xasprintf("there is no skill '%s' in '" SHARED_SKILLS "'",
					   container->skills[i]));
}

/* --- servers ----------------------------------------------------------------- */

static bool ends_line(const char *text)
{
	size_t len = strlen(text);

	return len && text[len - 1] == '\n';
}

static void plan_servers(struct plan *plan, const struct container *container)
{
	for (size_t i = 0; i < container->server_count; i++) {
		const struct container_server *server = &container->servers[i];
		char *name;

		if (!has_fragment(server))
			continue;
		name = xasprintf("mcp-%s.md", server->name);
		import_fragment(plan, name);
		plan_add(&plan->fragments, name, server->name, false,
			xasprintf("%s%s", server->instructions,
				ends_line(server->instructions) ? "" : "\n"));
	}
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
	import(&plan, COMPOSE_SHARED);
	if (shared->global.len) {
		plan.global = &shared->global;
		import(&plan, COMPOSE_GLOBAL);
	}
	plan_skills(&plan, shared, container);
	plan_servers(&plan, container);
	plan.inputs = hash_inputs(&plan, shared, container, container_text);
	sort(&plan.skills);
	sort(&plan.fragments);
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

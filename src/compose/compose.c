#include "compose/compose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compose/approval.h"
#include "compose/folder.h"
#include "compose/migrate.h"
#include "compose/plan.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "group/container_file.h"

/*
 * Files that are not ours, in a folder of ours. They are looked at and moved aside one by one,
 * for which the host has no time if an agent has made a million of them.
 */
#define MAX_STRANGERS 1000

void composition_release(struct composition *composition)
{
	changes_release(&composition->changes);
	string_array_release(&composition->warnings);
	*composition = COMPOSITION_INIT;
}

/* --- inputs ------------------------------------------------------------------ */

static int open_group(int root, const char *folder, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *text = xasprintf("groups/%s", folder);

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	return beneath_open_dir(root, &path, ret_fd, err);
}

static int make_plan(int root, const char *folder, const struct shared *shared,
	struct plan *ret_plan, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf normal = BUF_INIT;

	if (container_look(root, folder, &container, &text, err) < 0 ||
		json_read(view_of_buf(&text), folder, CONTAINER_MAX_FILE, &json, err) < 0)
		return -1;
	/* Sorted and on one line: another layout of the same settings is not a change. */
	json_write_ours(json, false, &normal);
	plan_make(shared, &container, view_of_buf(&normal), ret_plan);
	return 0;
}

int compose_inputs(int root, const char *folder, const struct shared *shared,
	struct hash *ret_inputs, struct error *err)
{
	CLEANUP(plan_release) struct plan plan = PLAN_INIT;

	if (make_plan(root, folder, shared, &plan, err) < 0)
		return -1;
	*ret_inputs = plan.inputs;
	return 0;
}

/* --- the folders ------------------------------------------------------------- */

static int open_settings(int root, const char *folder, unsigned flags, struct changes *changes,
	struct folder *ret_settings, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(freep) char *text = xasprintf("data/sessions/%s/.claude", folder);
	CLEANUP(freep) char *below = xasprintf("%s/" APPROVAL_FILE, text);
	bool dry_run = flags & COMPOSE_DRY_RUN;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(below), &path, err) < 0)
		return -1;
	if (beneath_open_parent(root, &path, dry_run ? 0 : BENEATH_CREATE, &fd, &missing) < 0 &&
		!(dry_run && missing.errnum == ENOENT))
		return error_set(err, ERROR_FAILED, "%s", missing.message);
	*ret_settings = (struct folder){
		.fd = TAKE_FD(fd),
		.path = TAKE(text),
		.dry_run = dry_run,
		.changes = changes,
	};
	ret_settings->aside = ret_settings->fd;
	ret_settings->aside_path = ret_settings->path;
	return 0;
}

/* --- the steps --------------------------------------------------------------- */

static int plan_put(struct folder *folder, const struct plan_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct plan_part *part = &list->list[i];

		if ((part->is_link ? folder_link(folder, part->name, part->text, err)
				   : folder_file(folder, part->name, view_of(part->text), NULL,
					     err)) < 0)
			return -1;
	}
	return 0;
}

static bool is_stale_fragment(int dir, const char *name, const void *data)
{
	const struct plan *plan = data;

	(void)dir;
	return !plan_find(&plan->fragments, name);
}

/* Only what steps 3 and 4 make: links are removed anyway. */
static bool is_our_fragment(const char *name)
{
	return !strncmp(name, "mcp-", 4) && view_ends_with(view_of(name), ".md");
}

/* An agent may have skills of its own there: only what leads where ours do. */
static bool is_stale_skill(int dir, const char *name, const void *data)
{
	const struct plan *plan = data;
	char target[sizeof(SEEN_SKILLS "/")];
	ssize_t len;

	if (replace_is_temporary(name))
		return true;
	if (plan_find(&plan->skills, name))
		return false;
	len = readlinkat(dir, name, target, sizeof(target) - 1);
	return len == sizeof(target) - 1 && !memcmp(target, SEEN_SKILLS "/", (size_t)len);
}

static bool is_our_skill(const char *name)
{
	(void)name;
	return false;
}

static int compose_all(struct folder *group, struct folder *settings, const struct plan *plan,
	struct error *err)
{
	CLEANUP(folder_release) struct folder skills = FOLDER_INIT;
	CLEANUP(folder_release) struct folder fragments = FOLDER_INIT;
	const struct folder_pruning stale_fragments = {
		is_stale_fragment, is_our_fragment, plan, "no enabled skill or server has it"};
	const struct folder_pruning stale_skills = {
		is_stale_skill, is_our_skill, plan, "the skill is not enabled"};

	if (migrate_group(group, err) < 0 ||
		folder_enter_small(settings, "skills", plan->skills.count + MAX_STRANGERS,
			&skills, err) < 0 ||
		plan_put(&skills, &plan->skills, err) < 0 ||
		folder_link(group, COMPOSE_SHARED, SEEN_BASE, err) < 0 ||
		folder_enter_small(group, COMPOSE_FRAGMENTS,
			plan->fragments.count + MAX_STRANGERS, &fragments, err) < 0 ||
		plan_put(&fragments, &plan->fragments, err) < 0)
		return -1;
	if (plan->global &&
		folder_file(group, COMPOSE_GLOBAL, view_of_buf(plan->global), NULL, err) < 0)
		return -1;
	if (folder_file(group, COMPOSE_ENTRY, view_of_buf(&plan->entry), plan_is_entry, err) <
		0)
		return -1;
	if (!plan->global &&
		folder_remove(group, COMPOSE_GLOBAL, "the global memory is empty", err) < 0)
		return -1;
	if (folder_prune(&fragments, &stale_fragments, err) < 0 ||
		folder_prune(&skills, &stale_skills, err) < 0)
		return -1;
	return approval_write(settings, SEEN_FOLDER, err);
}

int compose_group(int root, const char *folder, const struct shared *shared, unsigned flags,
	struct composition *ret_composition, struct error *err)
{
	CLEANUP(composition_release) struct composition result = COMPOSITION_INIT;
	CLEANUP(plan_release) struct plan plan = PLAN_INIT;
	CLEANUP(folder_release) struct folder settings = FOLDER_INIT;
	CLEANUP(folder_release) struct folder group = FOLDER_INIT;

	group.path = xasprintf("groups/%s", folder);
	group.aside_path = group.path;
	group.dry_run = flags & COMPOSE_DRY_RUN;
	group.changes = &result.changes;
	if (open_group(root, folder, &group.fd, err) < 0 ||
		make_plan(root, folder, shared, &plan, err) < 0 ||
		open_settings(root, folder, flags, &result.changes, &settings, err) < 0)
		return -1;
	group.aside = group.fd;
	if (compose_all(&group, &settings, &plan, err) < 0)
		return error_prefix(err, "composing '%s'", folder);
	result.inputs = plan.inputs;
	result.warnings = plan.warnings;
	plan.warnings = (struct string_array){0};
	*ret_composition = result;
	result = COMPOSITION_INIT;
	return 0;
}

/* --- the text ---------------------------------------------------------------- */

struct reading {
	int root;
	struct buf *text;
};

static int append_file(
	struct reading *r, const char *title, int dir, const char *path, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *why = NULL;
	bool there;

	if (shared_read_file(dir, path, &content, &there, &why, err) < 0)
		return -1;
	buf_appendf(r->text, "--- %s%s%s\n", title, why ? ": not read: " : "",
		why     ? why
		: there ? ""
			: ": not there");
	buf_append(r->text, content.data, content.len);
	if (content.len && content.data[content.len - 1] != '\n')
		buf_append_char(r->text, '\n');
	return 0;
}

static int append_import(
	struct reading *r, const struct plan *plan, struct view path, struct error *err)
{
	CLEANUP(freep) char *title = xmemdupz(path.data, path.len);
	CLEANUP(freep) char *source = NULL;
	const struct plan_part *part;

	if (view_equal_str(path, COMPOSE_SHARED))
		return append_file(r, COMPOSE_SHARED, r->root, SHARED_BASE, err);
	if (view_equal_str(path, COMPOSE_GLOBAL))
		return append_file(r, COMPOSE_GLOBAL, r->root, SHARED_GLOBAL, err);
	part = plan_find(&plan->fragments, title + strlen(COMPOSE_FRAGMENTS "/"));
	if (!part->is_link) {
		buf_appendf(r->text, "--- %s\n%s", title, part->text);
		return 0;
	}
	source = xasprintf(SHARED_SKILLS "/%s/" SHARED_INSTRUCTIONS, part->owner);
	return append_file(r, title, r->root, source, err);
}

int compose_text(int root, const char *folder, const struct shared *shared, size_t max,
	struct buf *ret_text, bool *ret_cut, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(max);
	CLEANUP(plan_release) struct plan plan = PLAN_INIT;
	struct reading r = {root, &text};
	CLEANUP(closep) int group = -1;
	struct view rest;
	struct view line;

	if (open_group(root, folder, &group, err) < 0 ||
		make_plan(root, folder, shared, &plan, err) < 0)
		return -1;
	rest = view_of_buf(&plan.entry);
	while (view_next(&rest, '\n', &line))
		if (view_starts_with(line, "@./") &&
			append_import(&r, &plan, view_slice(line, 3, line.len), err) < 0)
			return -1;
	if (append_file(&r, COMPOSE_MEMORY, group, COMPOSE_MEMORY, err) < 0)
		return -1;
	*ret_cut = text.overflow;
	buf_release(ret_text);
	*ret_text = text;
	text = BUF_INIT;
	return 0;
}

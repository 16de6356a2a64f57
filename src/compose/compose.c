#include "compose/compose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compose/folder.h"
#include "compose/migrate.h"
#include "compose/plan.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "group/container_file.h"

/*
 * Claude Code reads files that a CLAUDE.md imports from outside its folder only where somebody has
 * approved this; otherwise it silently ignores them. The composed file imports from /app, so the
 * approval is written for it, in its own file of settings:
 *
 *	{"projects": {"/workspace/agent": {"hasClaudeMdExternalIncludesApproved": true}}}
 *
 * It is .claude.json in the folder that is its CLAUDE_CONFIG_DIR. Everything else in the file keeps
 * its order and layout. A file that is not JSON is moved aside.
 */

#define APPROVAL_FILE ".claude.json"

#define APPROVED "hasClaudeMdExternalIncludesApproved"

/* The object of that name; created if it is missing, replaced if it is not an object. */
static json_t *object_in(json_t *parent, const char *name)
{
	json_t *object = json_object_get(parent, name);

	if (json_is_object(object))
		return object;
	object = json_object();
	json_object_set_new(parent, name, object);
	return object;
}

/* The existing document; NULL if it is missing or not worth keeping. */
static int read_settings(
	struct folder *folder, struct buf *text, json_t **ret_settings, struct error *err)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *settings = NULL;

	*ret_settings = NULL;
	if (folder->fd < 0)
		return 0;
	if (beneath_path_read(folder->fd, APPROVAL_FILE, JSON_MAX_SIZE, text, &wrong) < 0)
		return wrong.kind == ERROR_FAILED && wrong.errnum != ENOENT
			       ? error_set(err, ERROR_FAILED, "%s/%s", folder->path,
					 wrong.message)
			       : 0;
	if (json_read(view_of_buf(text), APPROVAL_FILE, JSON_MAX_SIZE, &settings, &wrong) ==
			0 &&
		json_is_object(settings))
		*ret_settings = TAKE(settings);
	return 0;
}

/* Links and pipes disappear when the new file replaces them. */
static int keep_other(struct folder *folder, struct error *err)
{
	struct stat st;

	if (folder->fd < 0 ||
		fstatat(folder->fd, APPROVAL_FILE, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		(S_ISREG(st.st_mode) && !st.st_size))
		return 0;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	return folder_keep(folder, APPROVAL_FILE, "it is not a file of settings", err);
}

static int write_settings(struct folder *folder, json_t *settings, bool is_new,
	const struct json_style *style, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	changes_add(folder->changes, is_new ? CHANGE_MADE : CHANGE_CHANGED,
		"Claude Code needs an approval to read imports", "%s/%s", folder->path,
		APPROVAL_FILE);
	if (folder->dry_run)
		return 0;
	json_write_npm(settings, style, &text);
	/* One that holds more than we could make again is synced. */
	return replace_file(folder->fd, APPROVAL_FILE, view_of_buf(&text), 0600, NULL,
		is_new ? REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC : 0, err);
}

/* `settings` is the folder of Claude Code's settings. */
static int approval_write(struct folder *folder, const char *cwd, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *settings = NULL;
	struct json_style style = JSON_STYLE_DEFAULT;
	json_t *project;
	bool is_new;

	if (read_settings(folder, &text, &settings, err) < 0)
		return -1;
	is_new = !settings;
	if (settings) {
		style = json_style_detect(view_of_buf(&text));
	} else {
		if (keep_other(folder, err) < 0)
			return -1;
		settings = json_object();
	}
	project = object_in(object_in(settings, "projects"), cwd);
	if (json_is_true(json_object_get(project, APPROVED)))
		return 0;
	json_object_set_new(project, APPROVED, json_true());
	return write_settings(folder, settings, is_new, &style, err);
}

/*
 * Files that are not ours, in a folder of ours. They are checked and moved aside one by one,
 * which would take too long if an agent had created a million of them.
 */
#define MAX_STRANGERS 1000

void composition_release(struct composition *composition)
{
	changes_release(&composition->changes);
	string_array_release(&composition->warnings);
	*composition = COMPOSITION_INIT;
}

/* --- inputs ------------------------------------------------------------------ */

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
	bool dry_run = flags & COMPOSE_DRY_RUN;
	CLEANUP(closep) int fd = -1;

	if (relpath_printf(&path, err, "data/sessions/%s/.claude/" APPROVAL_FILE, folder) < 0)
		return -1;
	if (beneath_open_parent(root, &path, dry_run ? 0 : BENEATH_CREATE, &fd, &missing) < 0 &&
		!(dry_run && missing.errnum == ENOENT))
		return error_set(err, ERROR_FAILED, "%s", missing.message);
	*ret_settings = (struct folder){
		.fd = TAKE_FD(fd),
		.path = xasprintf("data/sessions/%s/.claude", folder),
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

static int compose_all(struct folder *group, struct folder *settings, const struct plan *plan,
	struct error *err)
{
	CLEANUP(folder_release) struct folder skills = FOLDER_INIT;
	CLEANUP(folder_release) struct folder fragments = FOLDER_INIT;
	const struct folder_pruning stale_fragments = {
		is_stale_fragment, is_our_fragment, plan, "no enabled skill or server has it"};
	const struct folder_pruning stale_skills = {
		is_stale_skill, NULL, plan, "the skill is not enabled"};

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
	if (beneath_path_open_dir(root, group.path, &group.fd, err) < 0 ||
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

static void append_file(struct buf *text, const char *title, int root, const char *path)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *why = NULL;
	bool there;

	shared_read_file(root, path, &content, &there, &why);
	buf_appendf(text, "--- %s%s%s\n", title, why ? ": not read: " : "",
		why     ? why
		: there ? ""
			: ": not there");
	buf_append(text, content.data, content.len);
	if (content.len && content.data[content.len - 1] != '\n')
		buf_append_char(text, '\n');
}

static void append_import(struct buf *text, int root, const struct plan *plan, struct view path)
{
	CLEANUP(freep) char *title = xmemdupz(path.data, path.len);
	CLEANUP(freep) char *source = NULL;
	const struct plan_part *part;

	if (view_equal_str(path, COMPOSE_SHARED)) {
		append_file(text, COMPOSE_SHARED, root, SHARED_BASE);
		return;
	}
	if (view_equal_str(path, COMPOSE_GLOBAL)) {
		append_file(text, COMPOSE_GLOBAL, root, SHARED_GLOBAL);
		return;
	}
	part = plan_find(&plan->fragments, title + strlen(COMPOSE_FRAGMENTS "/"));
	if (!part->is_link) {
		buf_appendf(text, "--- %s\n%s", title, part->text);
		return;
	}
	source = xasprintf(SHARED_SKILLS "/%s/" SHARED_INSTRUCTIONS, part->owner);
	append_file(text, title, root, source);
}

int compose_text(int root, const char *folder, const struct shared *shared, size_t max,
	struct buf *ret_text, bool *ret_cut, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(max);
	CLEANUP(plan_release) struct plan plan = PLAN_INIT;
	CLEANUP(freep) char *memory = xasprintf("groups/%s/" COMPOSE_MEMORY, folder);
	struct view rest;
	struct view line;

	if (make_plan(root, folder, shared, &plan, err) < 0)
		return -1;
	rest = view_of_buf(&plan.entry);
	while (view_next(&rest, '\n', &line))
		if (view_starts_with(line, "@./"))
			append_import(&text, root, &plan, view_slice(line, 3, line.len));
	append_file(&text, COMPOSE_MEMORY, root, memory);
	*ret_cut = text.overflow;
	buf_release(ret_text);
	*ret_text = text;
	text = BUF_INIT;
	return 0;
}

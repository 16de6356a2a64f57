#include "compose/approval.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"

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

/* Returns whether something had to be changed. */
static bool approve(json_t *settings, const char *cwd)
{
	json_t *project = object_in(object_in(settings, "projects"), cwd);

	if (json_is_true(json_object_get(project, APPROVED)))
		return false;
	json_object_set_new(project, APPROVED, json_true());
	return true;
}

/* The existing document; NULL if it is missing or not worth keeping. */
static int read_settings(
	struct folder *folder, struct buf *text, json_t **ret_settings, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *settings = NULL;

	*ret_settings = NULL;
	if (folder->fd < 0)
		return 0;
	if (relpath_parse(view_of(APPROVAL_FILE), &path, err) < 0)
		return -1;
	if (beneath_read(folder->fd, &path, JSON_MAX_SIZE, text, &wrong) < 0)
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

int approval_write(struct folder *folder, const char *cwd, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *settings = NULL;
	struct json_style style = JSON_STYLE_DEFAULT;
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
	return approve(settings, cwd) ? write_settings(folder, settings, is_new, &style, err)
				      : 0;
}

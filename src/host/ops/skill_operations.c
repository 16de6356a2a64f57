#include "host/ops/operation_table.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json.h"
#include "fs/file.h"
#include "host/skill/skill_tasks.h"
#include "proc/log.h"
#include "time/timestamp.h"
#include "userskill/library.h"
#include "userskill/manage.h"
#include "userskill/sync.h"

/* --- arguments --------------------------------------------------------------- */

/* Nothing that a host would wait for, such as a FIFO. */
static int read_regular(const char *path, struct buf *ret_text, struct error *err)
{
	CLEANUP(closep)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	CLEANUP(freep) char *shown = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		int saved = errno;

		shown = quote(view_of(path));
		errno = saved;
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		shown = quote(view_of(path));
		return error_set(err, ERROR_INVALID, "%s is not a regular file", shown);
	}
	return file_read_fd(fd, path, USER_SKILL_MAX, ret_text, err);
}

/* The content of the file, which the person can read: a host runs as this person. */
static int read_file(
	const struct call *call, const char **ret_path, struct buf *ret_text, struct error *err)
{
	*ret_path = call_text(call, "file");
	if (**ret_path != '/')
		return error_set(err, ERROR_INVALID, "'file' must be an absolute path");
	return read_regular(*ret_path, ret_text, err);
}

/* Who it was, for the record: a group, or the person by the name of the account. */
static const char *caller_name(const struct call *call)
{
	const struct passwd *account;

	if (call->actor->kind == ACTOR_GROUP)
		return call->actor->folder;
	account = getpwuid(geteuid());
	return account ? account->pw_name : "person";
}

/* The scheduled tasks of the skill; `assigned`: the group that it was given to just now. */
static int tasks_follow_skill(
	const struct call *call, const char *skill, const char *assigned, struct error *err)
{
	struct skill_clock clock = {
		settings_get(call->settings, "TZ"), call->host ? call->host->scheduler : NULL};

	return skill_tasks_follow(call->store, skill, assigned, &clock, call->now, err);
}

/* --- sync -------------------------------------------------------------------- */

static json_t *changes_json(const struct sync_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->change_count; i++)
		json_add(list, "change:s skill:s path:s",
			sync_kind_name(report->changes[i].kind), report->changes[i].skill,
			report->changes[i].path);
	return list;
}

static json_t *problems_json(const struct sync_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->problem_count; i++) {
		const struct sync_problem *problem = &report->problems[i];

		json_add(list, "severity:s text:s hint:S", problem->error ? "error" : "warning",
			problem->text, problem->hint);
	}
	return list;
}

int op_sync_skills(struct call *call, struct error *err)
{
	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;

	if (skill_sync(call->store, call->registry->root,
		    settings_get(call->settings, LIBRARY_SETTING), &report, err) < 0)
		return -1;
	for (size_t i = 0; i < report.change_count; i++)
		if (tasks_follow_skill(call, report.changes[i].skill, NULL, err) < 0)
			return -1;
	json_put(call->reply,
		"added:I changed:I gone:I unchanged:I errors:I read:I wrote:b changes:o problems:o",
		report.counts[SYNC_ADDED], report.counts[SYNC_CHANGED],
		report.counts[SYNC_GONE], report.unchanged, report.errors, report.read,
		report.wrote, changes_json(&report), problems_json(&report));
	return 0;
}

/* --- groups ------------------------------------------------------------------ */

static json_t *commands_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->command_count; i++)
		json_array_append_new(list, json_string(skill->commands[i].name));
	return list;
}

static int skill_changed(struct call *call, const char *skill, const struct group *group,
	bool changed, bool assigned, struct error *err)
{
	json_put(call->reply, "skill:s group:s changed:b", skill, group->folder, changed);
	return tasks_follow_skill(call, skill, assigned ? group->folder : NULL, err);
}

int op_assign_skill(struct call *call, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill = call_text(call, "skill");
	bool changed;

	if (call_group(call, &group, err) < 0 ||
		skill_assign(call->store, skill, group.folder, caller_name(call), &found,
			&changed, err) < 0)
		return -1;
	json_put(call->reply, "status:s commands:o", skill_status_name(found.status),
		commands_json(&found.skill));
	return skill_changed(call, skill, &group, changed, true, err);
}

int op_unassign_skill(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill = call_text(call, "skill");
	bool changed;

	if (call_group(call, &group, err) < 0 ||
		skill_unassign(call->store, skill, group.folder, &changed, err) < 0)
		return -1;
	return skill_changed(call, skill, &group, changed, false, err);
}

int op_override_skill(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *id = NULL;
	const char *path;
	bool changed;

	if (call_group(call, &group, err) < 0 || read_file(call, &path, &text, err) < 0 ||
		skill_override_set(call->store, group.folder, call_text(call, "skill"),
			view_of_buf(&text), path, caller_name(call), &id, &changed, err) < 0)
		return -1;
	return skill_changed(call, id, &group, changed, false, err);
}

int op_drop_skill_override(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill = call_text(call, "skill");

	if (call_group(call, &group, err) < 0 ||
		skill_override_drop(call->store, group.folder, skill, err) < 0)
		return -1;
	return skill_changed(call, skill, &group, true, false, err);
}

/* --- definitions ------------------------------------------------------------- */

int op_set_skill_status(struct call *call, struct error *err)
{
	const char *skill = call_text(call, "skill");
	enum skill_status status = skill_status_parse(call_text(call, "status"));
	enum skill_status before;

	if (!status) {
		CLEANUP(freep) char *shown = quote(view_of(call_text(call, "status")));

		error_set(err, ERROR_INVALID, "there is no status %s", shown);
		return error_hint(err,
			"a status is one of observed, proposed, approved, active, refined, retired");
	}
	if (skill_change_status(call->store, skill, status, caller_name(call), &before, err) <
		0)
		return -1;
	json_put(call->reply, "skill:s from:s to:s", skill, skill_status_name(before),
		skill_status_name(status));
	return tasks_follow_skill(call, skill, NULL, err);
}

int op_import_skill(struct call *call, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *id = NULL;
	struct skill_imported imported = {0};
	const char *source = call_text(call, "source");
	const char *path;

	if (read_file(call, &path, &text, err) < 0)
		return -1;
	if (source && !skill_source_guess(source)) {
		CLEANUP(freep) char *shown = quote(view_of(source));

		error_set(err, ERROR_INVALID, "there is no source %s", shown);
		return error_hint(err,
			"a source is one of Pre-built, Advisor-created, Auto-generated, "
			"User-created, Marketplace");
	}
	/* In the usual case, except for the words after Auto-generated. */
	if (source && skill_source_parse(source) != SOURCE_AUTO)
		source = skill_source_name(skill_source_guess(source));
	if (skill_import(call->store, view_of_buf(&text), path, source, caller_name(call),
		    &imported, err) < 0)
		return -1;
	id = imported.id;
	json_put(call->reply, "skill:s added:b changed:b status:s", id, imported.added,
		imported.changed, skill_status_name(imported.status));
	return tasks_follow_skill(call, id, NULL, err);
}

int op_remove_skill(struct call *call, struct error *err)
{
	const char *skill = call_text(call, "skill");

	if (skill_remove(call->store, skill, err) < 0)
		return -1;
	json_put(call->reply, "skill:s", skill);
	return tasks_follow_skill(call, skill, NULL, err);
}

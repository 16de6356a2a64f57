#include "host/skill_operations.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/request_text.h"
#include "userskill/manage.h"
#include "util/file.h"
#include "util/json.h"
#include "util/log.h"
#include "util/quote.h"
#include "util/timestamp.h"

struct call {
	const struct skill_desk *desk;
	const struct actor *actor;
	const json_t *request;
	json_t *reply;
	struct store *store;
};

/* --- arguments --------------------------------------------------------------- */

static int find_group(struct call *call, struct group *ret_group, struct error *err)
{
	const char *word;

	if (request_text(call->request, "group", true, &word, err) < 0 ||
		store_group_find(call->store, word, ret_group, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(call->desk->registry, word, err);
}

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
		return error_set(err, ERROR_INVALID, "%s is no regular file", shown);
	}
	return file_read_fd(fd, path, USER_SKILL_MAX, ret_text, err);
}

/* The content of the file, which the person can read: a host runs as this person. */
static int read_file(
	const struct call *call, const char **ret_path, struct buf *ret_text, struct error *err)
{
	if (request_text(call->request, "file", true, ret_path, err) < 0)
		return -1;
	if (!*ret_path || **ret_path != '/')
		return error_set(err, ERROR_INVALID, "'file' must be an absolute path");
	return read_regular(*ret_path, ret_text, err);
}

/* Who it was, for the record: a group, or the person by the name of the account. */
static const char *who(const struct call *call)
{
	const struct passwd *account;

	if (call->actor->kind == ACTOR_GROUP)
		return call->actor->folder;
	account = getpwuid(geteuid());
	return account ? account->pw_name : "person";
}

static int manage(const struct call *call, struct error *err)
{
	return rights_require(call->store, call->actor, RIGHT_MANAGE_SKILLS, err);
}

/* --- sync -------------------------------------------------------------------- */

static json_t *changes_json(const struct sync_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->change_count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:o}", "change",
				      sync_kind_name(report->changes[i].kind), "skill",
				      report->changes[i].skill, "path",
				      json_text(view_of(report->changes[i].path))));
	return list;
}

static json_t *problems_json(const struct sync_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->problem_count; i++) {
		const struct sync_problem *problem = &report->problems[i];

		json_array_append_new(list,
			json_pack("{s:s, s:o, s:o*}", "severity",
				problem->error ? "error" : "warning", "text",
				json_text(view_of(problem->text)), "hint",
				problem->hint ? json_text(view_of(problem->hint)) : NULL));
	}
	return list;
}

static int sync_skills(struct call *call, struct error *err)
{
	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;

	if (manage(call, err) < 0 || skill_sync(call->store, call->desk->registry->root,
					     call->desk->library, &report, err) < 0)
		return -1;
	json_object_update_new(call->reply,
		json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o}", "added",
			(json_int_t)report.counts[SYNC_ADDED], "changed",
			(json_int_t)report.counts[SYNC_CHANGED], "gone",
			(json_int_t)report.counts[SYNC_GONE], "unchanged",
			(json_int_t)report.unchanged, "errors", (json_int_t)report.errors,
			"read", (json_int_t)report.read, "wrote", report.wrote, "changes",
			changes_json(&report), "problems", problems_json(&report)));
	return 0;
}

/* The files and the tasks that follow from them, in one: nothing of it is done twice. */
static int sync_at_start(
	const struct skill_desk *desk, struct sync_report *report, struct error *err)
{
	struct store *store = desk->registry->store;

	if (store_begin(store, err) < 0)
		return -1;
	if (skill_sync(store, desk->registry->root, desk->library, report, err) < 0) {
		store_rollback(store);
		return -1;
	}
	for (size_t i = 0; i < report->change_count; i++)
		if (skill_tasks_follow(store, report->changes[i].skill, NULL, &desk->clock,
			    timestamp_clock(), err) < 0) {
			store_rollback(store);
			return -1;
		}
	return store_commit(store, "skills", err);
}

void skill_operations_sync_at_start(const struct skill_desk *desk)
{
	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (sync_at_start(desk, &report, &err) < 0) {
		log_warning("user skills were not read: %s", err.message);
		return;
	}
	for (size_t i = 0; i < report.problem_count; i++)
		log_warning("%s", report.problems[i].text);
	for (size_t i = 0; i < report.change_count; i++)
		log_note("user skill '%s' is %s", report.changes[i].skill,
			sync_kind_name(report.changes[i].kind));
}

/* --- groups ------------------------------------------------------------------ */

static json_t *commands_json(const struct user_skill *skill)
{
	json_t *list = json_array();

	for (size_t i = 0; i < skill->command_count; i++)
		json_array_append_new(list, json_string(skill->commands[i].name));
	return list;
}

static void tell(struct call *call, const char *skill, const char *group, bool changed)
{
	json_object_update_new(call->reply, json_pack("{s:s, s:s, s:b}", "skill", skill,
						    "group", group, "changed", changed));
}

static int assign_skill(struct call *call, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill;
	bool changed;

	if (rights_require(call->store, call->actor, RIGHT_ASSIGN_SKILLS, err) < 0 ||
		request_text(call->request, "skill", true, &skill, err) < 0 ||
		find_group(call, &group, err) < 0 ||
		skill_assign(
			call->store, skill, group.folder, who(call), &found, &changed, err) < 0)
		return -1;
	tell(call, skill, group.folder, changed);
	json_object_set_new(
		call->reply, "status", json_string(skill_status_name(found.status)));
	json_object_set_new(call->reply, "commands", commands_json(&found.skill));
	return 0;
}

static int unassign_skill(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill;
	bool changed;

	if (rights_require(call->store, call->actor, RIGHT_ASSIGN_SKILLS, err) < 0 ||
		request_text(call->request, "skill", true, &skill, err) < 0 ||
		find_group(call, &group, err) < 0 ||
		skill_unassign(call->store, skill, group.folder, &changed, err) < 0)
		return -1;
	tell(call, skill, group.folder, changed);
	return 0;
}

static int override_skill(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *id = NULL;
	const char *skill, *path;
	bool changed;

	if (manage(call, err) < 0 ||
		request_text(call->request, "skill", false, &skill, err) < 0 ||
		find_group(call, &group, err) < 0 || read_file(call, &path, &text, err) < 0 ||
		skill_override_set(call->store, group.folder, skill, view_of_buf(&text), path,
			who(call), &id, &changed, err) < 0)
		return -1;
	tell(call, id, group.folder, changed);
	return 0;
}

static int drop_override(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const char *skill;

	if (manage(call, err) < 0 ||
		request_text(call->request, "skill", true, &skill, err) < 0 ||
		find_group(call, &group, err) < 0 ||
		skill_override_drop(call->store, group.folder, skill, err) < 0)
		return -1;
	tell(call, skill, group.folder, true);
	return 0;
}

/* --- definitions ------------------------------------------------------------- */

static int set_status(struct call *call, struct error *err)
{
	enum skill_status status, before;
	const char *skill, *word;

	if (manage(call, err) < 0 ||
		request_text(call->request, "skill", true, &skill, err) < 0 ||
		request_text(call->request, "status", true, &word, err) < 0)
		return -1;
	status = skill_status_parse(word);
	if (!status) {
		error_set(err, ERROR_INVALID, "there is no such status");
		return error_hint(err,
			"it is one of observed, proposed, approved, active, refined, retired");
	}
	if (skill_change_status(call->store, skill, status, who(call), &before, err) < 0)
		return -1;
	json_object_update_new(call->reply,
		json_pack("{s:s, s:s, s:s}", "skill", skill, "from", skill_status_name(before),
			"to", skill_status_name(status)));
	return 0;
}

static int import_skill(struct call *call, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct skill_imported imported = {0};
	const char *source, *path;

	if (manage(call, err) < 0 ||
		request_text(call->request, "source", false, &source, err) < 0 ||
		read_file(call, &path, &text, err) < 0)
		return -1;
	if (source && !skill_source_guess(source)) {
		error_set(err, ERROR_INVALID, "there is no such source");
		return error_hint(err,
			"it is one of Pre-built, Advisor-created, Auto-generated, "
			"User-created, Marketplace");
	}
	/* In the usual letters, but for the words behind Auto-generated. */
	if (source && skill_source_parse(source) != SOURCE_AUTO)
		source = skill_source_name(skill_source_guess(source));
	if (skill_import(call->store, view_of_buf(&text), path, source, who(call), &imported,
		    err) < 0)
		return -1;
	json_object_update_new(
		call->reply, json_pack("{s:s, s:b, s:b}", "skill", imported.id, "added",
				     imported.added, "changed", imported.changed));
	free(imported.id);
	return 0;
}

static int remove_skill(struct call *call, struct error *err)
{
	const char *skill;

	if (manage(call, err) < 0 ||
		request_text(call->request, "skill", true, &skill, err) < 0 ||
		skill_remove(call->store, skill, err) < 0)
		return -1;
	json_object_set_new(call->reply, "skill", json_string(skill));
	return 0;
}

/* --- the table --------------------------------------------------------------- */

static const struct {
	const char *name;
	int (*run)(struct call *call, struct error *err);
} operations[] = {
	{"assign_skill", assign_skill},
	{"drop_skill_override", drop_override},
	{"import_skill", import_skill},
	{"override_skill", override_skill},
	{"remove_skill", remove_skill},
	{"set_skill_status", set_status},
	{"sync_skills", sync_skills},
	{"unassign_skill", unassign_skill},
};

bool skill_operations_know(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return true;
	return false;
}

static int run(struct call *call, struct error *err)
{
	const char *name = json_string_value(json_object_get(call->request, "op"));

	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return operations[i].run(call, err);
	return error_set(err, ERROR_INVALID, "this operation is not known");
}

/* The tasks of every skill that the reply names. */
static int follow(const struct call *call, struct error *err)
{
	const json_t *changes = json_object_get(call->reply, "changes");
	const char *skill = json_string_value(json_object_get(call->reply, "skill"));
	const char *group = json_string_value(json_object_get(call->reply, "group"));
	const char *op = json_string_value(json_object_get(call->request, "op"));
	bool assigns = !strcmp(op, "assign_skill");
	int64_t now = timestamp_clock();

	if (skill && skill_tasks_follow(call->store, skill, assigns ? group : NULL,
			     &call->desk->clock, now, err) < 0)
		return -1;
	for (size_t i = 0; i < json_array_size(changes); i++) {
		skill = json_string_value(json_object_get(json_array_get(changes, i), "skill"));
		if (skill_tasks_follow(call->store, skill, NULL, &call->desk->clock, now, err) <
			0)
			return -1;
	}
	return 0;
}

int skill_operations_run(const struct skill_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err)
{
	struct call call = {desk, actor, request, reply, desk->registry->store};

	if (store_begin(call.store, err) < 0)
		return -1;
	if (run(&call, err) < 0 || follow(&call, err) < 0) {
		store_rollback(call.store);
		return -1;
	}
	return store_commit(call.store, "skills", err);
}

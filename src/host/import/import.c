#include "host/import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "channels/local/local.h"
#include "fs/beneath.h"
#include "fs/scratch.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "host/base/registry.h"
#include "host/base/trigger.h"
#include "time/timestamp.h"
#include "time/zone.h"

/* The database may change while it is copied; then it is copied again. */
#define COPY_TRIES 3

static const char *const database_files[] = {"messages.db", "messages.db-wal"};

void import_result_clear(struct import_result *result)
{
	v1_report_release(&result->report);
	string_array_release(&result->missing);
	*result = IMPORT_RESULT_EMPTY;
}

/* --- groups ------------------------------------------------------------------ */

static void replace_text(char **text, const char *by)
{
	free(*text);
	*text = xstrdup(by);
}

/* The one in the folder "main"; without that, the first that is marked as main. */
static void choose_main(struct v1_group_list *groups, struct v1_report *report)
{
	const struct v1_group *chosen = NULL;

	for (size_t i = 0; i < groups->count; i++)
		if (!strcmp(groups->list[i].from, GROUP_MAIN) ||
			(!chosen && groups->list[i].group.is_main))
			chosen = &groups->list[i];
	for (size_t i = 0; i < groups->count; i++) {
		struct v1_group *group = &groups->list[i];

		if (group == chosen)
			replace_text(&group->group.folder, GROUP_MAIN);
		else if (group->group.is_main)
			v1_leave_out(report,
				"there is already a main group here; this one becomes an ordinary group",
				"the rights of group '%s'", group->from);
		group->group.is_main = group == chosen;
	}
}

/* The old program was less strict about these. */
static void mend_group(struct v1_group *group, const char *assistant)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *usual = xasprintf("@%s", assistant);
	const char *name = group->group.name;
	char time[TIMESTAMP_SIZE];
	int64_t ms;

	if (strlen(name) > GROUP_NAME_MAX || strpbrk(name, "\n\r\t") ||
		!view_trim(view_of(name)).len)
		replace_text(&group->group.name, group->from);
	if (trigger_check(group->group.trigger, &ignored) < 0)
		replace_text(&group->group.trigger, usual);
	error_clear(&ignored);
	if (timestamp_parse(view_of(group->group.added_at), &ms, &ignored) < 0)
		ms = timestamp_now();
	timestamp_format(ms, time);
	replace_text(&group->group.added_at, time);
}

static int read_groups(struct v1 *v1, const char *assistant, struct v1_report *report,
	struct v1_group_list *ret_groups, struct error *err)
{
	struct v1_group_list groups = {0};
	size_t kept = 0;

	if (v1_groups(v1, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++) {
		struct v1_group *group = &groups.list[i];
		CLEANUP(error_release) struct error wrong = ERROR_INIT;

		if (group_check_folder(group->from, &wrong) < 0 ||
			group_check_jid(group->group.jid, &wrong) < 0) {
			v1_leave_out(report, wrong.message, "group '%s'", group->group.name);
			free(group->from);
			group_release(&group->group);
			continue;
		}
		mend_group(group, assistant);
		if (group->has_config)
			v1_leave_out(report, "what the old container had, such as folders",
				"the container settings of group '%s'", group->from);
		groups.list[kept++] = *group;
	}
	groups.count = kept;
	choose_main(&groups, report);
	*ret_groups = groups;
	return 0;
}

/* Each group must be new here, or the same; main may have the terminal's chat here. */
static int check_groups(
	struct store *store, const struct v1_group_list *groups, struct error *err)
{
	CLEANUP(buf_release) struct buf conflicts = BUF_INIT;

	for (size_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->list[i].group;
		CLEANUP(group_release) struct group by_jid = GROUP_INIT;
		CLEANUP(group_release) struct group by_folder = GROUP_INIT;

		if (store_group_owner(store, group->jid, &by_jid, err) < 0 ||
			store_group_by_folder(store, group->folder, &by_folder, err) < 0)
			return -1;
		if (by_jid.folder && strcmp(by_jid.folder, group->folder) != 0)
			buf_appendf(&conflicts, "; '%s' is '%s' here and '%s' there",
				group->jid, by_jid.folder, group->folder);
		else if (by_folder.folder && !by_jid.folder &&
			 !(by_folder.is_main && local_group(by_folder.jid)))
			buf_appendf(&conflicts,
				"; the folder '%s' belongs to '%s' here and to '%s' there",
				group->folder, by_folder.jid, group->jid);
	}
	if (!conflicts.len)
		return 0;
	error_set(err, ERROR_INVALID,
		"the groups of the two installations do not fit together: %s",
		conflicts.data + 2);
	return error_hint(err, "'nanoclaw group remove' removes a group here");
}

/* --- settings ---------------------------------------------------------------- */

static int append_env(const struct import_request *request, const struct settings *theirs,
	struct import_result *result, struct error *err)
{
	CLEANUP(freep)
	struct new_setting *list = xcalloc(result->missing.count + 1, sizeof(*list));
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < result->missing.count; i++) {
		const struct setting *setting = settings_find(theirs, result->missing.list[i]);

		if (settings_write(&line, setting->name, setting->value))
			list[count++] = (struct new_setting){setting->name, setting->value};
		else
			v1_leave_out(&result->report, "its value has both kinds of quotes",
				"the setting %s", setting->name);
	}
	result->report.settings = count;
	return request->dry_run ? 0 : settings_set(request->root, list, count, err);
}

/* The time zone of the old installation: TZ in its .env, else that of this machine. */
static char *zone_of(const struct settings *theirs)
{
	const struct setting *setting = settings_find(theirs, "TZ");
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;

	if (setting && zone_open(setting->value, &zone, &ignored) == 0)
		return xstrdup(setting->value);
	return zone_default_name(getenv("TZ"));
}

/* --- the database ------------------------------------------------------------ */

/* Size and time of a file; zeros if it does not exist. */
static void stat_or_zero(int dir, const char *name, struct stat *ret_stat)
{
	if (fstatat(dir, name, ret_stat, AT_SYMLINK_NOFOLLOW) < 0)
		*ret_stat = (struct stat){0};
}

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int copy_database_once(int store, int to, bool *ret_whole, struct error *err)
{
	struct stat before[ARRAY_SIZE(database_files)];

	for (size_t i = 0; i < ARRAY_SIZE(database_files); i++)
		stat_or_zero(store, database_files[i], &before[i]);
	for (size_t i = 0; i < ARRAY_SIZE(database_files); i++) {
		if (sys.unlink(to, database_files[i], 0) < 0 && errno != ENOENT)
			return error_errno(err, "cannot remove '%s'", database_files[i]);
		if (before[i].st_ino && tree_copy_file(store, database_files[i], to,
						database_files[i], err) < 0)
			return -1;
	}
	*ret_whole = true;
	for (size_t i = 0; i < ARRAY_SIZE(database_files); i++) {
		struct stat after;

		stat_or_zero(store, database_files[i], &after);
		*ret_whole = *ret_whole && is_unchanged(&before[i], &after);
	}
	return 0;
}

int import_check_source(const char *from, struct error *err)
{
	CLEANUP(freep) char *database = xasprintf("%s/store/%s", from, database_files[0]);
	CLEANUP(freep) char *shown = quote(view_of(from));

	if (access(database, F_OK) == 0)
		return 0;
	if (access(from, F_OK) < 0) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	error_set(err, ERROR_INVALID, "%s is not a NanoClaw v1: it has no 'store/%s'", shown,
		database_files[0]);
	return error_hint(err, "name the folder that holds 'store' and 'groups'");
}

static int copy_database(int from, int to, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int store = -1;
	bool whole = false;

	if (relpath_parse(view_of("store"), &path, err) < 0)
		return -1;
	if (beneath_open_dir(from, &path, &store, err) < 0)
		return -1;
	for (int i = 0; i < COPY_TRIES && !whole; i++)
		if (copy_database_once(store, to, &whole, err) < 0)
			return -1;
	if (whole)
		return 0;
	error_set(err, ERROR_BUSY, "its database keeps changing");
	return error_hint(err, "stop the old NanoClaw first");
}

/* --- all of it --------------------------------------------------------------- */

static int import_all(const struct import_request *request, struct v1 *v1,
	struct import_files *files, struct import_result *result, struct error *err)
{
	CLEANUP(v1_group_list_release) struct v1_group_list groups = {0};
	CLEANUP(settings_release) struct settings theirs = SETTINGS_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(freep) char *zone = NULL;

	if (settings_read(files->from, &theirs, &wrong) < 0)
		v1_leave_out(&result->report, wrong.message, "'.env'");
	zone = zone_of(&theirs);
	if (read_groups(v1, settings_assistant(request->settings), &result->report, &groups,
		    err) < 0 ||
		check_groups(request->store, &groups, err) < 0)
		return -1;
	if (import_files_take(files, &groups, err) < 0 ||
		v1_take_rows(v1, request->store, &groups, zone, &result->report, err) < 0) {
		import_files_undo(files);
		return -1;
	}
	/* The rows are stored by now: an error here is reported, and the import succeeds. */
	for (size_t i = 0; i < theirs.count; i++)
		if (!settings_find(request->settings, theirs.list[i].name))
			string_array_add_new(&result->missing, theirs.list[i].name);
	error_clear(&wrong);
	if (request->with_secrets && append_env(request, &theirs, result, &wrong) < 0) {
		result->report.settings = 0;
		v1_leave_out(&result->report, wrong.message, "the values in '.env'");
	}
	return 0;
}

int import_v1(const struct import_request *request, struct import_result *ret_result,
	struct error *err)
{
	CLEANUP(import_result_clear) struct import_result result = IMPORT_RESULT_EMPTY;
	CLEANUP(freep) char *shown = quote(view_of(request->from));
	CLEANUP(import_files_release)
	struct import_files files = {
		.from = open(request->from, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.root = request->root,
		.dry_run = request->dry_run,
		.report = &result.report,
	};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *copy = NULL;
	CLEANUP(v1_freep) struct v1 *v1 = NULL;
	struct scratch scratch;
	int done;

	if (files.from < 0)
		return error_errno(err, "cannot open %s", shown);
	if (scratch_make("nanoclaw-import-", &scratch, err) < 0)
		return -1;
	copy = xasprintf("%s/%s", scratch.path, database_files[0]);
	done = copy_database(files.from, scratch.fd, err) < 0 || v1_open(copy, &v1, err) < 0 ||
			       import_all(request, v1, &files, &result, err) < 0
		       ? -1
		       : 0;
	v1_freep(&v1);
	scratch_remove(&scratch, &ignored);
	if (done < 0)
		return -1;
	*ret_result = result;
	result = IMPORT_RESULT_EMPTY;
	return 0;
}

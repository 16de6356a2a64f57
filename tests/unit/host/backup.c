#include "../test.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/migrate.h"
#include "db/store.h"
#include "host/backup/backup.h"
#include "host/backup/restore.h"
#include "host/base/settings.h"
#include "ledger/groups.h"
#include "tempdir.h"

/* A store as an older program has left it: of the first version. */
static void put_first_store(struct tempdir *temp)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);
	sqlite3 *db = NULL;

	tempdir_mkdir(temp->fd, "store");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db, store_migrations[0].sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			"INSERT INTO registered_groups VALUES ('local:main', 'Main', 'main',"
			" '@Andy', '2026-01-01T00:00:00.000Z', 0, 1, NULL);"
			"PRAGMA user_version = 1",
			NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
}

static void set_version(struct tempdir *temp, const char *pragma)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, pragma, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static int make(struct tempdir *temp, struct backup_result *result, struct error *err)
{
	CLEANUP(freep) char *file = xasprintf("%s/b.tar.gz", temp->path);
	struct backup_request request = {
		.root = temp->fd, .root_path = temp->path, .file = file, .replace = true};

	return backup_make(&request, result, err);
}

static int restore(struct tempdir *temp, struct error *err)
{
	CLEANUP(backup_manifest_release)
	struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(freep) char *file = xasprintf("%s/b.tar.gz", temp->path);
	struct restore_request request = {
		.root = temp->fd, .root_path = temp->path, .file = file};

	return restore_file(&request, &manifest, err);
}

static void a_store_of_an_older_version_is_brought_forward(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(group_release) struct group group = GROUP_INIT;

	put_first_store(temp);
	assert_int_equal(make(temp, &result, &err), 0);
	assert_int_equal(result.manifest.schema, 1);
	assert_int_equal(restore(temp, &err), 0);
	/* For reading it must be of the present version. */
	assert_int_equal(store_open(temp->path, STORE_READ, &store, &err), 0);
	assert_int_equal(store_group_by_folder(store, "main", &group, &err), 0);
	assert_string_equal(group.jid, "local:main");
	assert_null(tempdir_get(temp->fd, "store/nanoclaw.db.before-2"));
}

static void a_store_of_a_newer_version_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;

	put_first_store(temp);
	set_version(temp, "PRAGMA user_version = 99");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_int_equal(restore(temp, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(faccessat(temp->fd, "store/restore", F_OK, 0), -1);
}

static void a_store_that_cannot_be_brought_forward_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;

	put_first_store(temp);
	set_version(temp, "CREATE TABLE task_runs (x)");
	assert_int_equal(make(temp, &result, &err), 0);
	tempdir_mkdir(temp->fd, "groups");
	tempdir_put(temp->fd, "groups/mine", "mine");
	assert_int_equal(restore(temp, &err), -1);
	assert_int_equal(faccessat(temp->fd, "groups/mine", F_OK, 0), 0);
	assert_int_equal(faccessat(temp->fd, "store/restore", F_OK, 0), -1);
}

static void rows_that_point_to_nothing_are_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;

	put_first_store(temp);
	set_version(temp, "INSERT INTO allowed_senders VALUES ('nobody', 'x')");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_int_equal(restore(temp, &err), -1);
	assert_string_equal(err.message,
		"the backup: the store has rows that refer to missing rows: "
		"'allowed_senders'");
}

static void a_name_that_leads_elsewhere_is_told_and_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(store_freep) struct store *store = NULL;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	set_version(temp,
		"INSERT INTO registered_groups (jid, name, folder, trigger_pattern, added_at)"
		" VALUES ('x:1', 'g', 'g', '@A', 'x');"
		"INSERT INTO attachments (group_folder, state, file, added_at)"
		" VALUES ('g', 'stored', '../../x', 'x')");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_string_equal(result.fault,
		"the store has a value of attachments.file that leads elsewhere: '../../x'");
	assert_int_equal(restore(temp, &err), -1);
	assert_non_null(strstr(err.message, result.fault));
}

/* As older versions stored them. The host sets it aside when it starts. */
static void any_id_of_a_session_is_restored(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(store_freep) struct store *store = NULL;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	set_version(temp,
		"INSERT INTO registered_groups (jid, name, folder, trigger_pattern, added_at)"
		" VALUES ('x:1', 'g', 'g', '@A', 'x');"
		"INSERT INTO sessions VALUES ('g', 'a/b', 'x', 'x', 1)");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_null(result.fault);
	assert_int_equal(restore(temp, &err), 0);
}

static void a_view_of_others_is_told_with_the_backup(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result good = BACKUP_RESULT_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(store_freep) struct store *store = NULL;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(make(temp, &good, &err), 0);
	assert_null(good.fault);
	set_version(temp, "CREATE VIEW mine AS SELECT jid FROM chats");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_string_equal(
		result.fault, "the store has a different schema than nanoclaw's: 'view mine'");
	assert_int_equal(restore(temp, &err), -1);
}

static void sockets_and_links_that_lead_out_are_left_out_and_told(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;

	put_first_store(temp);
	tempdir_mkdir(temp->fd, "groups");
	tempdir_fifo(temp->fd, "groups/a");
	tempdir_symlink("/etc/passwd", temp->fd, "groups/b");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_int_equal(result.omission_count, 2);
	assert_string_equal(result.omissions[0].path, "groups/a");
	assert_string_equal(result.omissions[1].path, "groups/b");
	assert_int_equal(result.manifest.count, 2);
}

static void a_setting_counts_as_secret_unless_it_is_known(void **state)
{
	static const char long_value[] =
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0";
	static const struct {
		const char *name, *value;
		bool plain;
	} cases[] = {
		{"ASSISTANT_NAME", "Ann", true},
		{"TZ", "Europe/Berlin", true},
		{"NANOCLAW_AGENT", "claude", true},
		{"NANOCLAW_AGENT", "agent --key sk-1", false},
		{"NANOCLAW_TURN_SECONDS", "600", true},
		{"NANOCLAW_DAILY_DOLLARS", "2.5", true},
		{"NANOCLAW_DAILY_TOKENS", "sk-1", false},
		{"NANOCLAW_MODEL_KEY", "1234", false},
		{"NANOCLAW_MODEL_URL", "https://ann:pass@example.org/", false},
		{"NANOCLAW_PIN", "1234", false},
		{"PIN_SECONDS", "1234", false},
		{"ANTHROPIC_API_KEY", "", false},
		{"assistant_name", "Ann", false},
		{"ASSISTANT_NAME", "Andy\nANTHROPIC_API_KEY=sk-1\nTZ=", false},
		{"NANOCLAW_PROVIDER", "open ai", false},
		{"NANOCLAW_SANDBOX", "$(id)", false},
		{"TZ", "Etc/GMT+1", true},
		{"TZ", long_value, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct setting setting = {
			(char *)(uintptr_t)cases[i].name, (char *)(uintptr_t)cases[i].value};

		if (settings_is_plain(&SETTINGS_INIT, &setting) != cases[i].plain)
			fail_msg("%s=%s", cases[i].name, cases[i].value);
	}
}

/* The restore is done, whatever becomes of '.env'. */
static void settings_of_a_backup_change_no_file_that_they_do_not_understand(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	CLEANUP(freep) char *text = NULL;

	put_first_store(temp);
	tempdir_put(temp->fd, ".env", "ASSISTANT_NAME=Ann\nKEY=sk-1\n");
	assert_int_equal(make(temp, &result, &err), 0);
	assert_int_equal(result.withheld, 1);
	tempdir_put(temp->fd, ".env", "no setting\n");
	assert_int_equal(restore(temp, &err), 0);
	text = tempdir_get(temp->fd, ".env");
	assert_string_equal(text, "no setting\n");
	assert_int_equal(faccessat(temp->fd, "store/restore/before/.env", F_OK, 0), -1);
}

TESTS(IN_TEMPDIR(a_store_of_an_older_version_is_brought_forward),
	IN_TEMPDIR(a_store_of_a_newer_version_is_refused),
	IN_TEMPDIR(a_store_that_cannot_be_brought_forward_changes_nothing),
	IN_TEMPDIR(rows_that_point_to_nothing_are_refused),
	IN_TEMPDIR(a_name_that_leads_elsewhere_is_told_and_refused),
	IN_TEMPDIR(any_id_of_a_session_is_restored),
	IN_TEMPDIR(a_view_of_others_is_told_with_the_backup),
	IN_TEMPDIR(sockets_and_links_that_lead_out_are_left_out_and_told),
	cmocka_unit_test(a_setting_counts_as_secret_unless_it_is_known),
	IN_TEMPDIR(settings_of_a_backup_change_no_file_that_they_do_not_understand))

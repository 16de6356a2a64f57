#include "../test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/query.h"
#include "host/base/media_file.h"
#include "ledger/attachments.h"
#include "ledger/turns.h"
#include "tempdir.h"
#include "time/timestamp.h"

#define HOUR_MS ((int64_t)60 * 60 * 1000)

struct desk {
	struct tempdir *temp;
	struct store *store;
	struct error err;
	int64_t now;
};

static struct desk desk_open(void **state)
{
	struct desk desk = {.temp = *state, .now = timestamp_clock()};

	assert_int_equal(store_open(desk.temp->path, STORE_WRITE, &desk.store, &desk.err), 0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO registered_groups (jid, name, folder,"
			" trigger_pattern, added_at) VALUES ('x:1', 'g', 'g', '@A', 'x')",
			""),
		0);
	assert_int_equal(query_run(desk.store, &desk.err,
				 "INSERT INTO chats (jid, channel) VALUES ('x:1', 'x')", ""),
		0);
	return desk;
}

static void desk_close(struct desk *desk)
{
	store_free(desk->store);
	error_release(&desk->err);
}

/* A message that wants an answer, in the state. */
static int64_t message(struct desk *desk, const char *id, const char *state)
{
	int64_t seq;

	assert_int_equal(
		query_run(desk->store, &desk->err,
			"INSERT INTO messages (id, chat_jid, sender, sender_name, content,"
			" timestamp, channel, group_folder, received_at, wants_answer, state)"
			" VALUES (?, 'x:1', 's', 's', 'c', 't', 'x', 'g', 't', 1, ?)",
			"ss", id, state),
		0);
	assert_int_equal(query_number(desk->store, 0, &seq, &desk->err,
				 "SELECT seq FROM messages WHERE id = ?", "s", id),
		0);
	return seq;
}

static void attach(
	struct desk *desk, int64_t seq, const char *file, const char *source, int64_t at)
{
	assert_int_equal(
		attachment_add(desk->store,
			&(struct attachment_row){
				.message = seq,
				.group_folder = "g",
				.about = &(struct attachment_arrival){.source = source},
				.size = 10,
				.file = file,
			},
			at, &desk->err),
		0);
}

static bool is_there(struct desk *desk, const char *name)
{
	CLEANUP(freep) char *path = attachment_path("g", name);

	return faccessat(desk->temp->fd, path, F_OK, 0) == 0;
}

/* --- files ---------------------------------------------------------------------- */

static char *stored_name(struct desk *desk, const char *name, const char *type)
{
	struct media_stored stored;

	assert_int_equal(media_file_store(desk->temp->fd, "g", view_of("content"), name, type,
				 &stored, &desk->err),
		0);
	assert_int_equal(stored.size, 7);
	assert_true(is_there(desk, stored.name));
	return stored.name;
}

#define HASH "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"

static void a_file_is_named_by_its_content(void **state)
{
	static const struct {
		const char *name, *type, *stored;
	} files[] = {
		{"a.PDF", NULL, HASH ".pdf"},
		{NULL, "image/jpeg", HASH ".jpg"},
		{"a.b/../../c", "text/plain; charset=utf-8", HASH ".txt"},
		{"no.extension of it", NULL, HASH},
		{NULL, NULL, HASH},
	};
	struct desk desk = desk_open(state);

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		CLEANUP(freep) char *stored = stored_name(&desk, files[i].name, files[i].type);

		assert_string_equal(stored, files[i].stored);
	}
	desk_close(&desk);
}

static void a_file_above_the_limit_leaves_nothing(void **state)
{
	struct desk desk = desk_open(state);
	struct media_file *file;

	assert_int_equal(media_file_begin(desk.temp->fd, "g", 10, &file, &desk.err), 0);
	assert_int_equal(media_file_add(file, view_of("1234567890"), &desk.err), 0);
	assert_int_equal(media_file_add(file, view_of("1"), &desk.err), -1);
	assert_int_equal(desk.err.kind, ERROR_INVALID);
	media_file_discard(&file);
	assert_null(file);
	/* An empty folder can be removed. */
	assert_int_equal(unlinkat(desk.temp->fd, ATTACHMENT_FOLDER "/g", AT_REMOVEDIR), 0);
	desk_close(&desk);
}

static void what_nobody_knows_is_swept(void **state)
{
	struct desk desk = desk_open(state);
	CLEANUP(freep) char *known = stored_name(&desk, "a.txt", NULL);
	CLEANUP(freep) char *unknown = stored_name(&desk, "a.pdf", NULL);
	struct media_file *half;

	attach(&desk, message(&desk, "1", "delivered"), known, NULL, desk.now);
	assert_int_equal(media_file_begin(desk.temp->fd, "g", 10, &half, &desk.err), 0);
	assert_int_equal(media_file_sweep(desk.temp->fd, desk.store, &desk.err), 0);
	assert_true(is_there(&desk, known));
	assert_false(is_there(&desk, unknown));
	media_file_discard(&half);
	assert_int_equal(media_file_remove(desk.temp->fd, "g", known, &desk.err), 0);
	assert_int_equal(media_file_remove(desk.temp->fd, "g", known, &desk.err), 0);
	desk_close(&desk);
}

/* --- rows ----------------------------------------------------------------------- */

static size_t to_drop(struct desk *desk, int64_t before, int64_t bytes, const char *first)
{
	CLEANUP(attachment_list_release) struct attachment_list old = {0};

	assert_int_equal(
		attachments_to_drop(desk->store, before, bytes, 100, &old, &desk->err), 0);
	if (first)
		assert_string_equal(old.list[0].file, first);
	return old.count;
}

static void the_oldest_files_that_nobody_needs_go(void **state)
{
	struct desk desk = desk_open(state);
	int64_t bytes;

	attach(&desk, message(&desk, "1", "delivered"), "old", NULL, desk.now - 4 * HOUR_MS);
	attach(&desk, message(&desk, "2", "claimed"), "needed", NULL, desk.now - 3 * HOUR_MS);
	attach(&desk, message(&desk, "3", "received"), "shared", NULL, desk.now - 2 * HOUR_MS);
	attach(&desk, message(&desk, "4", "delivered"), "shared", NULL, desk.now - HOUR_MS);
	attach(&desk, message(&desk, "5", "delivered"), "new", NULL, desk.now);
	assert_int_equal(attachment_bytes(desk.store, "g", false, &bytes, &desk.err), 0);
	assert_int_equal(bytes, 40);
	assert_int_equal(attachment_bytes(desk.store, "g", true, &bytes, &desk.err), 0);
	assert_int_equal(bytes, 20);
	assert_int_equal(to_drop(&desk, desk.now - 5 * HOUR_MS, 1000, NULL), 0);
	assert_int_equal(to_drop(&desk, desk.now - 3 * HOUR_MS, 1000, "old"), 1);
	assert_int_equal(to_drop(&desk, desk.now + HOUR_MS, 1000, NULL), 2);
	assert_int_equal(to_drop(&desk, 0, 39, "old"), 1);
	assert_int_equal(to_drop(&desk, 0, 0, NULL), 2);
	assert_int_equal(attachment_drop(desk.store, "g", "old", &desk.err), 0);
	assert_int_equal(to_drop(&desk, desk.now - HOUR_MS, 1000, NULL), 0);
	desk_close(&desk);
}

static bool has_work(struct desk *desk)
{
	bool work;

	assert_int_equal(turn_has_work(desk->store, "g", NULL, &work, &desk->err), 0);
	return work;
}

static void a_message_waits_for_its_files_but_not_for_ever(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	CLEANUP(buf_release) struct buf folders = BUF_INIT;
	struct desk desk = desk_open(state);
	int64_t seq = message(&desk, "1", "received");

	attach(&desk, seq, NULL, "source", desk.now);
	assert_int_equal(message_hold(desk.store, seq, desk.now + HOUR_MS, &desk.err), 0);
	message(&desk, "2", "received"); /* behind it, and in its chat */
	assert_false(has_work(&desk));
	assert_int_equal(messages_unhold(desk.store, desk.now, &folders, &desk.err), 0);
	assert_int_equal(folders.len, 0);
	assert_int_equal(attachments_to_fetch(desk.store, desk.now, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 1);
	assert_int_equal(
		attachment_missing(desk.store, files.list[0].id, "gone", &desk.err), 0);
	assert_int_equal(messages_unhold(desk.store, desk.now, &folders, &desk.err), 0);
	assert_string_equal(folders.data, "g\n");
	assert_true(has_work(&desk));

	seq = message(&desk, "0", "received");
	attach(&desk, seq, NULL, "source", desk.now);
	assert_int_equal(message_hold(desk.store, seq, desk.now, &desk.err), 0);
	buf_clear(&folders);
	assert_int_equal(messages_unhold(desk.store, desk.now, &folders, &desk.err), 0);
	assert_string_equal(folders.data, "g\n");
	desk_close(&desk);
}

/* One of each group, and not before its time. */
static void a_file_is_fetched_when_its_time_has_come(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct desk desk = desk_open(state);
	int64_t seq = message(&desk, "1", "received");
	int64_t next;

	attach(&desk, seq, NULL, "a", desk.now);
	attach(&desk, seq, NULL, "b", desk.now);
	assert_int_equal(attachments_of_message(desk.store, seq, &files, &desk.err), 0);
	assert_int_equal(files.count, 2);
	assert_int_equal(attachment_later(desk.store, files.list[0].id, true, "not now",
				 desk.now + HOUR_MS, &desk.err),
		0);
	attachment_list_release(&files);
	assert_int_equal(attachments_to_fetch(desk.store, desk.now, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 1);
	assert_string_equal(files.list[0].source, "b");
	assert_int_equal(
		attachment_stored(desk.store, files.list[0].id, "file", 5, &desk.err), 0);
	assert_int_equal(attachments_next_time(desk.store, &next, &desk.err), 0);
	assert_int_equal(next, desk.now + HOUR_MS);
	attachment_list_release(&files);
	assert_int_equal(attachments_to_fetch(desk.store, next, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 1);
	assert_int_equal(files.list[0].failures, 1);
	assert_string_equal(files.list[0].error, "not now");
	desk_close(&desk);
}

static void a_name_that_leads_out_removes_and_sends_nothing(void **state)
{
	struct desk desk = desk_open(state);
	struct attachment_list list = {0};

	tempdir_put(desk.temp->fd, "precious", "x");
	assert_int_equal(
		media_file_remove(desk.temp->fd, "g", "../../../precious", &desk.err), -1);
	assert_int_equal(faccessat(desk.temp->fd, "precious", F_OK, 0), 0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO outbox (id, key, group_folder, chat_jid, kind, part,"
			" parts, content, created_at)"
			" VALUES (7, 'k', 'g', 'x:1', 'message', 1, 1, '', 'x')",
			""),
		0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO attachments (outbox, group_folder, state, file, added_at)"
			" VALUES (7, 'g', 'stored', '../../../precious', 'x')",
			""),
		0);
	assert_int_equal(attachments_of_text(desk.store, 7, &list, &desk.err), 0);
	assert_int_equal(list.count, 1);
	assert_null(list.list[0].file);
	attachment_list_release(&list);
	desk_close(&desk);
}

TESTS(IN_TEMPDIR(a_name_that_leads_out_removes_and_sends_nothing),
	IN_TEMPDIR(a_file_is_named_by_its_content),
	IN_TEMPDIR(a_file_above_the_limit_leaves_nothing),
	IN_TEMPDIR(what_nobody_knows_is_swept),
	IN_TEMPDIR(the_oldest_files_that_nobody_needs_go),
	IN_TEMPDIR(a_message_waits_for_its_files_but_not_for_ever),
	IN_TEMPDIR(a_file_is_fetched_when_its_time_has_come))

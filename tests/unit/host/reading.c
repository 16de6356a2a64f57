#include "../test.h"

#include <string.h>

#include "db/query.h"
#include "host/chat/context.h"
#include "host/reading/reader.h"
#include "ledger/attachments.h"
#include "ledger/turns.h"
#include "tempdir.h"
#include "time/timestamp.h"

struct desk {
	struct store *store;
	struct error err;
	int64_t now;
	int64_t seq;
};

static struct desk desk_open(void **state, const char *content)
{
	struct tempdir *temp = *state;
	struct desk desk = {.now = timestamp_clock(), .seq = 1};

	assert_int_equal(store_open(temp->path, STORE_WRITE, &desk.store, &desk.err), 0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO registered_groups (jid, name, folder,"
			" trigger_pattern, added_at) VALUES ('x:1', 'g', 'g', '@A', 'x')",
			""),
		0);
	assert_int_equal(query_run(desk.store, &desk.err,
				 "INSERT INTO chats (jid, channel) VALUES ('x:1', 'x')", ""),
		0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO messages (seq, id, chat_jid, sender, sender_name, content,"
			" timestamp, channel, group_folder, received_at, wants_answer, state)"
			" VALUES (1, '1', 'x:1', 's', 'S', ?, 't', 'x', 'g', 't', 1, 'received')",
			"s", content),
		0);
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO turns (id, group_folder, chat_jid, first_seq, last_seq, state,"
			" created_at) VALUES (7, 'g', 'x:1', 1, 1, 'claimed', 't')",
			""),
		0);
	assert_int_equal(
		query_run(desk.store, &desk.err, "UPDATE messages SET turn = 7", ""), 0);
	return desk;
}

static void desk_close(struct desk *desk)
{
	store_free(desk->store);
	error_release(&desk->err);
}

/* A file of the message that a reader takes; its id. */
static int64_t attach(struct desk *desk, const char *kind, const char *file)
{
	int64_t id;

	assert_int_equal(attachment_add(desk->store,
				 &(struct attachment_row){
					 .message = desk->seq,
					 .group_folder = "g",
					 .about = &(struct attachment_arrival){.kind = kind,
						 .source = file ? NULL : "somewhere"},
					 .file = file,
					 .reader = "ears",
				 },
				 desk->now, &desk->err),
		0);
	assert_int_equal(query_number(desk->store, 0, &id, &desk->err,
				 "SELECT max(id) FROM attachments", ""),
		0);
	return id;
}

static void read_as(struct desk *desk, int64_t id, const char *text)
{
	struct attachment about = {.id = id, .group_folder = xstrdup("g")};

	assert_int_equal(attachment_read(desk->store, &about, text, &desk->err), 0);
	attachment_release(&about);
}

static bool is_released(struct desk *desk, int64_t now)
{
	CLEANUP(buf_release) struct buf folders = BUF_INIT;

	assert_int_equal(messages_unhold(desk->store, now, &folders, &desk->err), 0);
	return folders.len > 0;
}

static void check_prompt(struct desk *desk, const char *wanted)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct turn turn = {.id = 7};

	assert_int_equal(context_format(desk->store, &turn, &text, &desk->err), 0);
	if (!strstr(text.data, wanted))
		fail_msg("'%s' is not in '%s'", wanted, text.data);
}

static void a_message_waits_for_the_text_of_its_file(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct desk desk = desk_open(state, "");
	int64_t id = attach(&desk, "voice", NULL);

	assert_int_equal(message_hold(desk.store, 1, desk.now + 1000, &desk.err), 0);
	assert_int_equal(
		attachments_to_read(desk.store, desk.now, NULL, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 0);
	assert_int_equal(attachment_stored(desk.store, id, "f.ogg", 5, &desk.err), 0);
	assert_false(is_released(&desk, desk.now));
	assert_int_equal(
		attachments_to_read(desk.store, desk.now, NULL, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 1);
	assert_string_equal(files.list[0].reader, "ears");
	read_as(&desk, id, "hello");
	assert_true(is_released(&desk, desk.now));
	check_prompt(&desk, ">hello\n<attachment kind=\"voice\" size=\"5\""
			    " path=\"/workspace/media/f.ogg\" transcribed=\"yes\"/></message>");
	desk_close(&desk);
}

static void but_not_for_ever(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct desk desk = desk_open(state, "see");
	int64_t id = attach(&desk, "image", "f.png");

	assert_int_equal(message_hold(desk.store, 1, desk.now + 1000, &desk.err), 0);
	check_prompt(&desk, " text_missing=\"not read yet\"/>");
	assert_true(is_released(&desk, desk.now + 1000));
	check_prompt(&desk, " text_missing=\"it was not read in time\"/>");
	assert_int_equal(
		attachments_to_read(desk.store, desk.now + 1000, NULL, 10, &files, &desk.err),
		0);
	assert_int_equal(files.count, 0);
	read_as(&desk, id, "a late <text>");
	check_prompt(&desk,
		"\">see\n<attachment kind=\"image\" path=\"/workspace/media/f.png\">"
		"a late &lt;text&gt;</attachment></message>");
	desk_close(&desk);
}

static void a_reader_that_fails_is_asked_again_later(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct desk desk = desk_open(state, "");
	int64_t id = attach(&desk, "image", "f.png");
	int64_t next;

	assert_int_equal(message_hold(desk.store, 1, desk.now + 9000, &desk.err), 0);
	assert_int_equal(attachment_read_later(desk.store, id, desk.now + 1000, &desk.err), 0);
	assert_int_equal(
		attachments_to_read(desk.store, desk.now, NULL, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 0);
	assert_int_equal(attachments_next_time(desk.store, &next, &desk.err), 0);
	assert_int_equal(next, desk.now + 1000);
	assert_int_equal(attachments_to_read(desk.store, next, NULL, 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 1);
	assert_int_equal(files.list[0].failures, 1);
	assert_int_equal(attachment_unreadable(desk.store, id, "no eyes", &desk.err), 0);
	assert_true(is_released(&desk, desk.now));
	check_prompt(&desk, " text_missing=\"no eyes\"/>");
	desk_close(&desk);
}

static void groups_take_turns(void **state)
{
	CLEANUP(attachment_list_release) struct attachment_list files = {0};
	struct desk desk = desk_open(state, "");

	assert_int_equal(
		query_run(desk.store, &desk.err,
			"INSERT INTO registered_groups (jid, name, folder,"
			" trigger_pattern, added_at) VALUES ('x:2', 'h', 'h', '@A', 'x')",
			""),
		0);
	attach(&desk, "image", "f.png");
	attach(&desk, "image", "g.png");
	assert_int_equal(
		query_run(desk.store, &desk.err,
			"UPDATE attachments SET group_folder = 'h' WHERE file = 'g.png'", ""),
		0);
	assert_int_equal(
		attachments_to_read(desk.store, desk.now, "g", 10, &files, &desk.err), 0);
	assert_int_equal(files.count, 2);
	assert_string_equal(files.list[0].group_folder, "h");
	attachment_list_release(&files);
	assert_int_equal(
		attachments_to_read(desk.store, desk.now, "h", 10, &files, &desk.err), 0);
	assert_string_equal(files.list[0].group_folder, "g");
	desk_close(&desk);
}

static void the_texts_of_a_turn_have_a_limit(void **state)
{
	struct desk desk = desk_open(state, "");
	CLEANUP(freep) char *long_text = xmalloc(ATTACHMENT_MAX_TEXT + 1);

	memset(long_text, 'x', ATTACHMENT_MAX_TEXT);
	long_text[ATTACHMENT_MAX_TEXT] = '\0';
	for (int i = 0; i < 8; i++)
		read_as(&desk, attach(&desk, "document", "f.pdf"), long_text);
	read_as(&desk, attach(&desk, "document", "last.pdf"), "one more");
	check_prompt(
		&desk, "last.pdf\" text_missing=\"the files of this turn have too much text\"");
	desk_close(&desk);
}

static void the_oldest_texts_of_a_group_go(void **state)
{
	struct desk desk = desk_open(state, "");
	int64_t first = attach(&desk, "document", "f.pdf");
	int64_t left;

	read_as(&desk, first, "first");
	for (int i = 0; i < ATTACHMENT_MAX_TEXTS; i++)
		read_as(&desk, attach(&desk, "document", "f.pdf"), "more");
	assert_int_equal(query_number(desk.store, 0, &left, &desk.err,
				 "SELECT count(text) FROM attachments", ""),
		0);
	assert_int_equal(left, ATTACHMENT_MAX_TEXTS);
	assert_int_equal(
		query_number(desk.store, 0, &left, &desk.err,
			"SELECT count(text) FROM attachments WHERE id = ?", "i", first),
		0);
	assert_int_equal(left, 0);
	desk_close(&desk);
}

/* --- readers --------------------------------------------------------------------- */

static bool ears_take(const struct attachment_arrival *about)
{
	return reader_is_type(about, "audio/");
}

static int ears_ask(struct reading *reading, const struct reader_server *server,
	const struct reading_file *file, struct error *err)
{
	(void)reading;
	(void)server;
	(void)file;
	return error_set(err, ERROR_FAILED, "not here");
}

READER(ears) = {.name = "ears", .setting = "EARS", .takes = ears_take, .ask = ears_ask};

READER(better_ears) = {.name = "better", .setting = "BETTER", .takes = ears_take};

static void a_reader_takes_files_if_its_settings_name_a_program_or_a_server(void **state)
{
	struct attachment_arrival sound = {.type = "Audio/Ogg"};
	struct attachment_arrival paper = {.type = "application/pdf"};
	struct settings settings = SETTINGS_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	assert_null(reader_for(&settings, &sound));
	assert_int_equal(settings_parse(view_of("EARS_URL=http://x/v1\nBETTER_URL=http://y\n"),
				 "t", &settings, &err),
		0);
	assert_string_equal(reader_for(&settings, &sound)->name, "ears");
	assert_null(reader_for(&settings, &paper));
	assert_null(reader_command(reader_named("ears"), &settings));
	assert_string_equal(reader_server(reader_named("ears"), &settings).url, "http://x/v1");
	settings_release(&settings);
	settings = SETTINGS_INIT;
	assert_int_equal(settings_parse(view_of("EARS=hear\nEARS_URL=http://x\nBETTER=b\n"),
				 "t", &settings, &err),
		0);
	assert_string_equal(reader_for(&settings, &sound)->name, "better");
	assert_string_equal(reader_command(reader_named("ears"), &settings), "hear");
	assert_null(reader_server(reader_named("ears"), &settings).url);
	assert_null(reader_named("nose"));
	settings_release(&settings);
}

TESTS(IN_TEMPDIR(a_message_waits_for_the_text_of_its_file), IN_TEMPDIR(but_not_for_ever),
	IN_TEMPDIR(a_reader_that_fails_is_asked_again_later), IN_TEMPDIR(groups_take_turns),
	IN_TEMPDIR(the_texts_of_a_turn_have_a_limit),
	IN_TEMPDIR(the_oldest_texts_of_a_group_go),
	cmocka_unit_test(a_reader_takes_files_if_its_settings_name_a_program_or_a_server))

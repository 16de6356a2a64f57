#include "../test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/query.h"
#include "host/base/registry.h"
#include "ledger/chats.h"
#include "ledger/messages.h"
#include "ledger/tasks.h"
#include "ledger/trace.h"
#include "ledger/turns.h"
#include "tempdir.h"

#define NOW INT64_C(1770000000000)

struct ledger {
	struct tempdir *temp;
	struct store *store;
	struct error err;
};

static void close_ledger(struct ledger *l)
{
	store_free(l->store);
	error_release(&l->err);
}

static struct ledger open_ledger(void **state)
{
	struct ledger l = {.temp = *state};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {NULL, l.temp->fd, "Andy"};
	struct registration r = {.jid = "x:1", .name = "One"};

	assert_int_equal(store_open(l.temp->path, STORE_WRITE, &l.store, &l.err), 0);
	registry.store = l.store;
	assert_int_equal(registry_ensure_main(&registry, &l.err), 0);
	assert_int_equal(registry_add(&registry, &r, &group, &l.err), 0);
	return l;
}

static int64_t receive_as(
	struct ledger *l, const char *id, bool wants, bool alone, bool *ret_new)
{
	struct arrival arrival = {
		.channel = "x",
		.chat_jid = "x:1",
		.id = id,
		.sender = "s",
		.sender_name = "Sam",
		.content = view_of(id),
		.time = NOW,
		.group_folder = "one",
		.wants_answer = wants,
		.alone = alone,
	};
	int64_t seq;
	bool is_new;

	assert_int_equal(message_receive(l->store, &arrival, NOW, &seq, &is_new, &l->err), 0);
	if (ret_new)
		*ret_new = is_new;
	return seq;
}

static int64_t receive(struct ledger *l, const char *id, bool wants, bool *ret_new)
{
	return receive_as(l, id, wants, false, ret_new);
}

static struct turn next_turn(struct ledger *l)
{
	struct turn turn;

	assert_int_equal(turn_next(l->store, "one", NULL, NOW, &turn, &l->err), 0);
	return turn;
}

static void append(const struct turn_message *message, void *data)
{
	buf_appendf(data, "%s ", message->content);
}

static char *texts(struct ledger *l, const struct turn *turn)
{
	struct buf text = BUF_INIT;

	assert_int_equal(turn_messages(l->store, turn, append, &text, &l->err), 0);
	return buf_take(&text);
}

static void answer(struct ledger *l, const struct turn *turn, const char *text)
{
	assert_int_equal(turn_attempt_begin(l->store, turn, NULL, NOW, &l->err), 0);
	assert_int_equal(turn_answer(l->store, turn,
				 &(struct answer){
					 .kind = OUTBOX_ANSWER,
					 .parts = (const char *const[]){text},
					 .part_count = text ? 1 : 0,
					 .session_id = "s1",
				 },
				 NOW, &l->err),
		0);
}

static int64_t number(struct ledger *l, const char *sql)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	assert_int_equal(query_start(l->store, &q, &l->err, sql, ""), 0);
	assert_int_equal(query_next(&q, &l->err), 1);
	return query_int(&q, 0);
}

/* L2 */
static void a_message_that_comes_twice_is_stored_once(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	bool first, second;
	int64_t seq = receive(&l, "a", true, &first);

	assert_int_equal(receive(&l, "a", true, &second), seq);
	assert_true(first);
	assert_false(second);
}

static void a_turn_has_what_came_since_the_last_answer(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn first = TURN_INIT;
	CLEANUP(turn_release) struct turn second = TURN_INIT;
	CLEANUP(freep) char *text = NULL;

	receive(&l, "a", true, NULL);
	first = next_turn(&l);
	receive(&l, "b", false, NULL);
	answer(&l, &first, "A");
	receive(&l, "c", true, NULL);
	receive(&l, "d", false, NULL);
	second = next_turn(&l);
	text = texts(&l, &second);
	assert_string_equal(text, "b c ");
}

/* L3 */
static void what_stands_alone_has_a_turn_to_itself(void **state)
{
	static const char *const turns[] = {"a b ", "context /c ", "/d ", "e "};
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);

	receive(&l, "a", true, NULL);
	receive(&l, "b", true, NULL);
	receive(&l, "context", false, NULL);
	receive_as(&l, "/c", true, true, NULL);
	receive_as(&l, "/d", true, true, NULL);
	receive(&l, "e", true, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(turns); i++) {
		CLEANUP(turn_release) struct turn turn = next_turn(&l);
		CLEANUP(freep) char *shown = texts(&l, &turn);

		assert_string_equal(shown, turns[i]);
		answer(&l, &turn, "yes");
	}
}

static void an_open_turn_comes_before_new_messages(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn first = TURN_INIT;
	CLEANUP(turn_release) struct turn again = TURN_INIT;

	receive(&l, "a", true, NULL);
	first = next_turn(&l);
	receive(&l, "b", true, NULL);
	again = next_turn(&l);
	assert_int_equal(first.id, again.id);
	assert_int_equal(again.last_seq, first.last_seq);
}

static void messages_without_a_wish_make_no_turn(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	receive(&l, "a", false, NULL);
	turn = next_turn(&l);
	assert_int_equal(turn.id, 0);
}

static void a_turn_is_bounded_and_the_rest_is_the_next(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn first = TURN_INIT;
	CLEANUP(turn_release) struct turn second = TURN_INIT;

	for (int i = 0; i < TURN_MAX_MESSAGES + 5; i++) {
		CLEANUP(freep) char *id = xasprintf("%d", i);

		receive(&l, id, true, NULL);
	}
	first = next_turn(&l);
	assert_int_equal(first.last_seq - first.first_seq + 1, TURN_MAX_MESSAGES);
	answer(&l, &first, "A");
	second = next_turn(&l);
	assert_int_equal(second.last_seq - second.first_seq + 1, 5);
}

static void old_context_is_left_out_but_answered(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	for (int i = 0; i < TURN_MAX_CONTEXT + 30; i++) {
		CLEANUP(freep) char *id = xasprintf("%d", i);

		receive(&l, id, false, NULL);
	}
	receive(&l, "now", true, NULL);
	turn = next_turn(&l);
	assert_int_equal(turn.last_seq - turn.first_seq, TURN_MAX_CONTEXT);
	answer(&l, &turn, "A");
	assert_int_equal(
		number(&l, "SELECT count(*) FROM messages WHERE state <> 'answered'"), 0);
}

/* L4 */
static void an_answer_moves_everything_together(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	int64_t seq = receive(&l, "a", true, NULL);

	turn = next_turn(&l);
	assert_int_equal(number(&l, "SELECT count(*) FROM cursors"), 0);
	answer(&l, &turn, "A");
	assert_int_equal(number(&l, "SELECT seq FROM cursors"), seq);
	assert_int_equal(number(&l, "SELECT count(*) FROM outbox WHERE state = 'waiting'"), 1);
	assert_int_equal(
		number(&l, "SELECT count(*) FROM messages WHERE state = 'answered'"), 1);
	assert_int_equal(number(&l, "SELECT turns FROM sessions WHERE session_id = 's1'"), 1);
}

static void nothing_to_say_is_delivered_at_once(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	answer(&l, &turn, NULL);
	assert_int_equal(
		number(&l, "SELECT count(*) FROM messages WHERE state = 'delivered'"), 1);
}

static void a_receipt_for_every_part_delivers_the_messages(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(outbox_row_release) struct outbox_row one = OUTBOX_ROW_INIT;
	CLEANUP(outbox_row_release) struct outbox_row two = OUTBOX_ROW_INIT;

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	assert_int_equal(turn_answer(l.store, &turn,
				 &(struct answer){
					 .kind = OUTBOX_ANSWER,
					 .parts = (const char *const[]){"A", "B"},
					 .part_count = 2,
				 },
				 NOW, &l.err),
		0);
	assert_int_equal(outbox_next(l.store, "x:1", NOW, &one, &l.err), 0);
	assert_string_equal(one.content, "A");
	assert_int_equal(outbox_sent(l.store, &one, NULL, NOW, &l.err), 0);
	assert_int_equal(
		number(&l, "SELECT count(*) FROM messages WHERE state = 'delivered'"), 0);
	assert_int_equal(outbox_next(l.store, "x:1", NOW, &two, &l.err), 0);
	assert_string_equal(two.content, "B");
	assert_int_equal(outbox_sent(l.store, &two, NULL, NOW, &l.err), 0);
	assert_int_equal(
		number(&l, "SELECT count(*) FROM messages WHERE state = 'delivered'"), 1);
}

/* L8 */
static void a_key_that_is_there_adds_nothing(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	char key[] = "k", folder[] = "one", chat[] = "x:1", text[] = "t";
	struct outbox_row row = {
		.key = key,
		.group_folder = folder,
		.chat_jid = chat,
		.kind = OUTBOX_MESSAGE,
		.part = 1,
		.parts = 1,
		.content = text,
	};
	bool added;

	assert_int_equal(outbox_add(l.store, &row, NOW, &added, &l.err), 0);
	assert_true(added);
	assert_int_equal(outbox_add(l.store, &row, NOW, &added, &l.err), 0);
	assert_false(added);
	assert_int_equal(number(&l, "SELECT count(*) FROM outbox"), 1);
}

static void a_failed_attempt_waits_and_a_killed_one_does_not(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(turn_release) struct turn failed = TURN_INIT;
	CLEANUP(turn_release) struct turn killed = TURN_INIT;
	int count;

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	assert_int_equal(turn_attempt_begin(l.store, &turn, NULL, NOW, &l.err), 0);
	assert_int_equal(
		turn_attempt_end(l.store, &turn, ATTEMPT_FAILED, "why", NOW + 500, NOW, &l.err),
		0);
	failed = next_turn(&l);
	assert_int_equal(failed.failures, 1);
	assert_int_equal(failed.not_before, NOW + 500);
	assert_int_equal(turn_attempt_begin(l.store, &turn, NULL, NOW, &l.err), 0);
	assert_int_equal(turn_recover(l.store, NOW, &count, &l.err), 0);
	assert_int_equal(count, 1);
	killed = next_turn(&l);
	assert_int_equal(killed.failures, 1);
	assert_int_equal(killed.interruptions, 1);
}

static void without_a_place_a_turn_waits_and_fails_not(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(turn_release) struct turn waiting = TURN_INIT;
	CLEANUP(turn_release) struct turn lost = TURN_INIT;
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	CLEANUP(buf_release) struct buf none = BUF_INIT;
	int64_t tries, since;

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(turn_attempt_begin(l.store, &turn, NULL, NOW + i, &l.err), 0);
		assert_int_equal(turn_place_tries(l.store, turn.id, &tries, &since, &l.err), 0);
		assert_int_equal(tries, i);
		assert_int_equal(since, i ? NOW : 0);
		assert_int_equal(turn_attempt_end(l.store, &turn, ATTEMPT_STOPPED,
					 TURN_NO_PLACE "all are busy", NOW + 500, NOW, &l.err),
			0);
	}
	waiting = next_turn(&l);
	assert_int_equal(waiting.failures + waiting.interruptions, 0);
	assert_int_equal(waiting.not_before, NOW + 500);
	assert_int_equal(turns_without_place(l.store, &lines, &l.err), 0);
	assert_string_equal(lines.data, "t1 of 'one': no place: all are busy\n");
	assert_int_equal(turn_attempt_begin(l.store, &turn, NULL, NOW, &l.err), 0);
	assert_int_equal(
		turn_attempt_end(l.store, &turn, ATTEMPT_LOST, "it is lost", 0, NOW, &l.err),
		0);
	lost = next_turn(&l);
	assert_int_equal(lost.interruptions, 1);
	assert_int_equal(lost.not_before, 0);
	assert_int_equal(turn_place_tries(l.store, turn.id, &tries, &since, &l.err), 0);
	assert_int_equal(tries, 0);
	assert_int_equal(turns_without_place(l.store, &none, &l.err), 0);
	assert_string_equal(none.data, "");
}

static void a_trace_tells_the_steps_in_order(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;
	static const char *const steps[] = {
		"received", "claimed", "attempt", "answered", "waiting"};

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	answer(&l, &turn, "A");
	assert_int_equal(trace_find(l.store, "a", &trace, &l.err), 0);
	assert_int_equal(trace.count, ARRAY_SIZE(steps));
	for (size_t i = 0; i < trace.count; i++)
		assert_string_equal(trace.steps[i].what, steps[i]);
	assert_int_equal(trace_find(l.store, "nothing", &trace, &l.err), -1);
	assert_int_equal(l.err.kind, ERROR_INVALID);
}

static void removing_a_group_leaves_nothing_of_it(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};

	receive(&l, "a", true, NULL);
	turn = next_turn(&l);
	answer(&l, &turn, "A");
	receive(&l, "b", true, NULL);
	assert_true(tempdir_exists(l.temp->fd, "groups/one/logs"));
	assert_int_equal(store_group_by_folder(l.store, "one", &group, &l.err), 0);
	assert_int_equal(registry_remove(&registry, &group, &l.err), 0);
	assert_false(tempdir_exists(l.temp->fd, "groups/one"));
	assert_int_equal(number(&l, "SELECT (SELECT count(*) FROM messages)"
				    " + (SELECT count(*) FROM turns)"
				    " + (SELECT count(*) FROM attempts)"
				    " + (SELECT count(*) FROM outbox)"
				    " + (SELECT count(*) FROM sessions)"
				    " + (SELECT count(*) FROM cursors)"
				    " + (SELECT count(*) FROM removals)"),
		0);
}

static void a_removal_that_was_interrupted_is_finished(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};

	assert_int_equal(store_group_by_folder(l.store, "one", &group, &l.err), 0);
	assert_int_equal(store_group_remove(l.store, &group, &l.err), 0);
	assert_true(tempdir_exists(l.temp->fd, "groups/one"));
	assert_int_equal(registry_finish_removals(&registry, &l.err), 0);
	assert_false(tempdir_exists(l.temp->fd, "groups/one"));
}

static void a_group_in_the_bin_waits_and_goes_after_thirty_days(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};
	struct task_list due = {0};
	bool has_work;

	receive(&l, "a", true, NULL);
	number(&l,
		"INSERT INTO scheduled_tasks (id, group_folder, chat_jid, prompt,"
		" schedule_type, schedule_value, tz, missed, context_mode, next_run, anchor, created_at) VALUES"
		" ('1', 'one', 'x:1', 'look', 'interval', '2h', 'UTC', 'once', 'group',"
		" '2020-01-01T00:00:00.000Z', '', '') RETURNING 1");
	assert_int_equal(store_group_by_folder(l.store, "one", &group, &l.err), 0);
	assert_int_equal(registry_bin(&registry, &group, &l.err), 0);
	assert_int_equal(turn_has_work(l.store, "one", NULL, &has_work, &l.err), 0);
	assert_false(has_work);
	assert_int_equal(store_task_due(l.store, NOW, 9, &due, &l.err), 0);
	assert_int_equal(due.count, 0);
	assert_int_equal(store_group_unbin(l.store, "one", &l.err), 0);
	assert_int_equal(turn_has_work(l.store, "one", NULL, &has_work, &l.err), 0);
	assert_true(has_work);
	assert_int_equal(store_task_due(l.store, NOW, 9, &due, &l.err), 0);
	assert_int_equal(due.count, 1);
	task_list_release(&due);
	assert_int_equal(registry_bin(&registry, &group, &l.err), 0);
	assert_int_equal(registry_finish_removals(&registry, &l.err), 0);
	assert_true(tempdir_exists(l.temp->fd, "groups/one"));
	number(&l, "UPDATE registered_groups SET removed_at = '2020-01-01T00:00:00.000Z'"
		   " WHERE folder = 'one' RETURNING 1");
	assert_int_equal(registry_finish_removals(&registry, &l.err), 0);
	assert_false(tempdir_exists(l.temp->fd, "groups/one"));
	assert_int_equal(number(&l, "SELECT count(*) FROM messages"), 0);
}

/* A link in the way stands for all that cannot be deleted. */
static void what_cannot_be_deleted_stops_nobody_else(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(group_release) struct group new = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};
	struct registration other = {.jid = "x:9", .name = "Nine"};
	struct registration again = {.jid = "x:8", .name = "One"};

	assert_int_equal(mkdirat(l.temp->fd, "data", 0755), 0);
	assert_int_equal(symlinkat("/", l.temp->fd, "data/sessions"), 0);
	assert_int_equal(store_group_by_folder(l.store, "one", &group, &l.err), 0);
	assert_int_equal(registry_remove(&registry, &group, &l.err), -1);
	error_clear(&l.err);
	assert_int_equal(registry_finish_removals(&registry, &l.err), 0);
	assert_int_equal(number(&l, "SELECT count(*) FROM removals"), 1);
	assert_int_equal(registry_add(&registry, &other, &new, &l.err), 0);
	group_release(&new);
	assert_int_equal(registry_add(&registry, &again, &new, &l.err), -1);
	error_clear(&l.err);
	assert_int_equal(unlinkat(l.temp->fd, "data/sessions", 0), 0);
	assert_int_equal(registry_add(&registry, &again, &new, &l.err), 0);
	assert_int_equal(number(&l, "SELECT count(*) FROM removals"), 0);
}

static void main_takes_a_jid_and_stays_main(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(group_release) struct group main = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};
	struct registration r = {
		.jid = "x:me", .name = "Me", .folder = "main", .by_person = true};
	struct registration other = {.jid = "x:you", .name = "You", .folder = "main"};

	assert_int_equal(registry_add(&registry, &r, &main, &l.err), 0);
	assert_true(main.is_main);
	assert_int_equal(number(&l, "SELECT count(*) FROM registered_groups WHERE is_main"
				    " AND jid = 'x:me'"),
		1);
	group_release(&main);
	assert_int_equal(registry_add(&registry, &other, &main, &l.err), -1);
	assert_int_equal(l.err.kind, ERROR_INVALID);
}

static void a_registered_jid_or_folder_is_refused(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = {l.store, l.temp->fd, "Andy"};
	struct registration same_jid = {.jid = "x:1", .name = "Two"};
	struct registration same_folder = {.jid = "x:2", .name = "One"};

	assert_int_equal(registry_add(&registry, &same_jid, &group, &l.err), -1);
	assert_int_equal(l.err.kind, ERROR_INVALID);
	error_clear(&l.err);
	assert_int_equal(registry_add(&registry, &same_folder, &group, &l.err), -1);
	assert_int_equal(l.err.kind, ERROR_INVALID);
}

static void a_list_of_senders_keeps_others_out(void **state)
{
	CLEANUP(close_ledger) struct ledger l = open_ledger(state);
	bool allowed;

	assert_int_equal(store_sender_allowed(l.store, "one", "bob", &allowed, &l.err), 0);
	assert_true(allowed);
	assert_int_equal(store_sender_allow(l.store, "one", "alice", &l.err), 0);
	assert_int_equal(store_sender_allowed(l.store, "one", "bob", &allowed, &l.err), 0);
	assert_false(allowed);
	assert_int_equal(store_sender_allowed(l.store, "one", "alice", &allowed, &l.err), 0);
	assert_true(allowed);
}

TESTS(IN_TEMPDIR(a_message_that_comes_twice_is_stored_once),
	IN_TEMPDIR(a_turn_has_what_came_since_the_last_answer),
	IN_TEMPDIR(what_stands_alone_has_a_turn_to_itself),
	IN_TEMPDIR(an_open_turn_comes_before_new_messages),
	IN_TEMPDIR(messages_without_a_wish_make_no_turn),
	IN_TEMPDIR(a_turn_is_bounded_and_the_rest_is_the_next),
	IN_TEMPDIR(old_context_is_left_out_but_answered),
	IN_TEMPDIR(an_answer_moves_everything_together),
	IN_TEMPDIR(nothing_to_say_is_delivered_at_once),
	IN_TEMPDIR(a_receipt_for_every_part_delivers_the_messages),
	IN_TEMPDIR(a_key_that_is_there_adds_nothing),
	IN_TEMPDIR(a_failed_attempt_waits_and_a_killed_one_does_not),
	IN_TEMPDIR(without_a_place_a_turn_waits_and_fails_not),
	IN_TEMPDIR(a_trace_tells_the_steps_in_order),
	IN_TEMPDIR(removing_a_group_leaves_nothing_of_it),
	IN_TEMPDIR(a_removal_that_was_interrupted_is_finished),
	IN_TEMPDIR(a_group_in_the_bin_waits_and_goes_after_thirty_days),
	IN_TEMPDIR(what_cannot_be_deleted_stops_nobody_else),
	IN_TEMPDIR(main_takes_a_jid_and_stays_main),
	IN_TEMPDIR(a_registered_jid_or_folder_is_refused),
	IN_TEMPDIR(a_list_of_senders_keeps_others_out))

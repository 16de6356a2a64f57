#include "../test.h"

#include <string.h>

#include "db/query.h"
#include "host/base/registry.h"
#include "host/schedule/due.h"
#include "ledger/task_runs.h"
#include "ledger/tasks.h"
#include "ledger/turns.h"
#include "tempdir.h"

#define MINUTE ((int64_t)60 * 1000)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* 2026-02-02T02:40:00Z */
#define NOW INT64_C(1770000000000)

struct desk {
	struct tempdir *temp;
	struct store *store;
	struct error err;
};

static void desk_close(struct desk *desk)
{
	store_free(desk->store);
	error_release(&desk->err);
}

static struct desk desk_open(void **state)
{
	struct desk desk = {.temp = *state};
	struct registry registry = {NULL, desk.temp->fd, "Andy"};

	assert_int_equal(store_open(desk.temp->path, STORE_WRITE, &desk.store, &desk.err), 0);
	registry.store = desk.store;
	assert_int_equal(registry_ensure_main(&registry, &desk.err), 0);
	return desk;
}

static void add(struct desk *desk, enum schedule_type type, const char *value,
	enum task_missed missed, int64_t next_run)
{
	CLEANUP(task_release)
	struct task task = {
		.group_folder = xstrdup("main"),
		.chat_jid = xstrdup("local:main"),
		.prompt = xstrdup("p"),
		.type = type,
		.value = xstrdup(value),
		.tz = xstrdup("UTC"),
		.missed = missed,
		.next_run = next_run,
		.anchor = next_run,
		.created_at = xstrdup("2026-01-01T00:00:00.000Z"),
	};

	assert_int_equal(store_task_add(desk->store, &task, &desk->err), 0);
}

static size_t take(struct desk *desk, int64_t now, int64_t since)
{
	size_t count;

	assert_int_equal(due_add_runs(desk->store, now, since, &count, &desk->err), 0);
	return count;
}

static int64_t number(struct desk *desk, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t value;

	assert_int_equal(
		sqlite3_prepare_v2(store_database(desk->store), sql, -1, &statement, NULL), 0);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return value;
}

static int64_t waiting(struct desk *desk)
{
	return number(desk, "SELECT count(*) FROM task_runs WHERE outcome = 'waiting'");
}

static int64_t skipped(struct desk *desk)
{
	return number(desk, "SELECT count(*) FROM task_runs WHERE outcome = 'skipped'");
}

static void assert_next(struct desk *desk, int64_t time)
{
	int64_t next;

	assert_int_equal(store_task_nearest(desk->store, &next, &desk->err), 0);
	assert_true(next == time);
}

static void a_task_that_is_due_runs_once_and_is_advanced(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	assert_int_equal(take(&desk, NOW - 1, NOW - DAY), 0);
	assert_int_equal(take(&desk, NOW, NOW - DAY), 1);
	assert_int_equal(waiting(&desk), 1);
	assert_next(&desk, NOW + HOUR);
	assert_int_equal(take(&desk, NOW, NOW - DAY), 0);
	assert_int_equal(waiting(&desk), 1);
}

static void what_is_due_once_is_completed(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_ONCE, "2026-02-02T02:40", MISSED_ONCE, NOW);
	take(&desk, NOW + 5, NOW - DAY);
	assert_int_equal(waiting(&desk), 1);
	assert_next(&desk, INT64_MAX);
	assert_int_equal(
		number(&desk,
			"SELECT count(*) FROM scheduled_tasks WHERE status = 'completed'"),
		1);
}

static void once_makes_one_run_of_all_that_were_missed(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW - 10 * HOUR);
	take(&desk, NOW + MINUTE, NOW);
	assert_int_equal(waiting(&desk), 1);
	assert_int_equal(number(&desk, "SELECT count(*) FROM task_runs"
				       " WHERE scheduled_for = '2026-02-02T02:40:00.000Z'"),
		1);
	assert_next(&desk, NOW + HOUR);
}

static void a_task_that_was_advanced_by_a_wrong_clock_comes_back(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_CRON, "40 2 * * *", MISSED_ONCE, NOW);
	take(&desk, NOW + 3650 * DAY, NOW);
	assert_next(&desk, NOW + 3651 * DAY);
	assert_int_equal(due_plan_again(desk.store, NOW - HOUR, &desk.err), 0);
	assert_next(&desk, NOW);
	take(&desk, NOW, NOW - DAY);
	assert_next(&desk, NOW + DAY);
}

static void a_clock_that_is_put_back_a_little_repeats_nothing(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_CRON, "40 2 * * *", MISSED_ONCE, NOW);
	take(&desk, NOW, NOW - DAY);
	assert_int_equal(due_plan_again(desk.store, NOW - HOUR, &desk.err), 0);
	assert_next(&desk, NOW + DAY);
}

/* The run of this week is there, and is known by its time. */
static void what_ran_early_by_a_wrong_clock_does_not_run_again(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_CRON, "40 2 * * MON", MISSED_ALL, NOW);
	take(&desk, NOW + HOUR, NOW - DAY);
	assert_int_equal(due_plan_again(desk.store, NOW - 3 * DAY, &desk.err), 0);
	assert_next(&desk, NOW);
	take(&desk, NOW, NOW - DAY);
	assert_int_equal(number(&desk, "SELECT count(*) FROM task_runs"), 1);
	assert_next(&desk, NOW + 7 * DAY);
}

static void once_does_not_pile_up_behind_a_run_that_waits(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	take(&desk, NOW, NOW - DAY);
	take(&desk, NOW + HOUR, NOW - DAY);
	assert_int_equal(waiting(&desk), 1);
	assert_next(&desk, NOW + 2 * HOUR);
}

static void skip_leaves_out_what_was_due_while_no_host_ran(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_SKIP, NOW - 1);
	take(&desk, NOW, NOW);
	assert_int_equal(waiting(&desk), 0);
	assert_int_equal(skipped(&desk), 1);
	assert_next(&desk, NOW - 1 + HOUR);
}

static void skip_runs_what_is_on_time(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_SKIP, NOW);
	take(&desk, NOW + DUE_LATE_MS, NOW);
	assert_int_equal(waiting(&desk), 1);
	assert_int_equal(skipped(&desk), 0);
}

static void skip_leaves_out_what_the_machine_has_slept_over(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_SKIP, NOW);
	take(&desk, NOW + DUE_LATE_MS + 1, NOW - DAY);
	assert_int_equal(waiting(&desk), 0);
	assert_int_equal(skipped(&desk), 1);
}

static void skip_does_not_run_beside_a_run_that_is_under_way(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_SKIP, NOW);
	take(&desk, NOW, NOW - DAY);
	take(&desk, NOW + HOUR, NOW - DAY);
	assert_int_equal(waiting(&desk), 1);
	assert_int_equal(skipped(&desk), 1);
}

static void all_makes_a_run_for_each_up_to_a_limit(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ALL, NOW - 3 * HOUR);
	take(&desk, NOW + 1, NOW);
	assert_int_equal(waiting(&desk), 4);
	take(&desk, NOW + 1000 * HOUR, NOW);
	assert_int_equal(waiting(&desk), TASK_RUNS_MAX_MISSED);
	assert_int_equal(number(&desk, "SELECT count(*) FROM task_runs WHERE scheduled_for >="
				       " '2026-03-15'"),
		19);
	assert_next(&desk, NOW + 1001 * HOUR);
}

static void a_clock_that_is_set_back_repeats_nothing(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ALL, NOW);
	take(&desk, NOW, NOW - DAY);
	assert_int_equal(take(&desk, NOW - 30 * MINUTE, NOW - DAY), 0);
	/* Even if somebody puts the task back as well. */
	assert_int_equal(
		query_run(desk.store, &desk.err, "UPDATE scheduled_tasks SET next_run = ?", "s",
			"2026-02-02T02:40:00.000Z"),
		0);
	take(&desk, NOW, NOW - DAY);
	assert_int_equal(number(&desk, "SELECT count(*) FROM task_runs"), 1);
}

static void a_task_whose_zone_is_gone_is_paused(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_CRON, "0 9 * * *", MISSED_ONCE, NOW);
	assert_int_equal(query_run(desk.store, &desk.err,
				 "UPDATE scheduled_tasks SET tz = 'Moon/Base'", ""),
		0);
	take(&desk, NOW, NOW - DAY);
	assert_int_equal(waiting(&desk), 0);
	assert_int_equal(
		number(&desk, "SELECT count(*) FROM scheduled_tasks WHERE status = 'paused'"),
		1);
}

static void ten_years_of_minutes_are_no_burden(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	int64_t times[TASK_RUNS_MAX_MISSED];
	size_t count;
	bool more;

	(void)state;
	assert_int_equal(
		schedule_parse(SCHEDULE_CRON, "* * * * *", "UTC", 0, &schedule, &err), 0);
	count = due_times(&schedule, NOW - 3650 * DAY, NOW, times, TASK_RUNS_MAX_MISSED, &more);
	assert_int_equal(count, TASK_RUNS_MAX_MISSED);
	assert_true(more);
	for (size_t i = 0; i < count; i++)
		assert_true(times[i] == NOW - (int64_t)(count - 1 - i) * MINUTE);
}

/* --- runs as turns ------------------------------------------------------------ */

static struct turn claim(struct desk *desk, int64_t now)
{
	struct turn turn;

	assert_int_equal(turn_next(desk->store, "main", NULL, now, &turn, &desk->err), 0);
	return turn;
}

static void answer(struct desk *desk, const struct turn *turn, const char *text)
{
	struct answer a = {
		.kind = OUTBOX_ANSWER,
		.parts = &text,
		.part_count = text ? 1 : 0,
	};

	assert_int_equal(turn_answer(desk->store, turn, &a, NOW, &desk->err), 0);
}

static void a_run_ends_with_the_answer_of_its_turn(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	take(&desk, NOW, NOW - DAY);
	turn = claim(&desk, NOW);
	assert_true(turn.id && turn.run && !strcmp(turn.chat_jid, "local:main"));
	assert_int_equal(waiting(&desk), 0);
	answer(&desk, &turn, "done");
	assert_int_equal(
		number(&desk, "SELECT count(*) FROM task_runs WHERE outcome = 'answered'"
			      " AND result = 'done' AND ended_at IS NOT NULL"),
		1);
	assert_int_equal(number(&desk, "SELECT count(*) FROM scheduled_tasks"
				       " WHERE last_result = 'done'"),
		1);
	/* It answers no messages: the cursor of the chat stays where it is. */
	assert_int_equal(number(&desk, "SELECT count(*) FROM cursors"), 0);
}

static void a_run_with_nothing_to_say_is_silent(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(turn_release) struct turn turn = TURN_INIT;

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	take(&desk, NOW, NOW - DAY);
	turn = claim(&desk, NOW);
	answer(&desk, &turn, NULL);
	assert_int_equal(
		number(&desk, "SELECT count(*) FROM task_runs WHERE outcome = 'silent'"), 1);
	assert_int_equal(number(&desk, "SELECT count(*) FROM outbox"), 0);
}

static void the_history_of_a_task_is_bounded(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	for (int i = 0; i < TASK_RUNS_MAX + 5; i++) {
		CLEANUP(turn_release) struct turn turn = TURN_INIT;

		take(&desk, NOW + i * HOUR, NOW - DAY);
		turn = claim(&desk, NOW + i * HOUR);
		answer(&desk, &turn, "done");
	}
	assert_int_equal(number(&desk, "SELECT count(*) FROM task_runs"), TASK_RUNS_MAX);
}

static void ended_tasks_are_forgotten_after_a_while(void **state)
{
	struct txn txn = TXN_INIT;
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	assert_int_equal(txn_begin(&txn, desk.store, &desk.err), 0);
	for (int i = 0; i < TASKS_MAX_ENDED + 20; i++) {
		add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
		assert_int_equal(query_run(desk.store, &desk.err,
					 "UPDATE scheduled_tasks SET status = 'cancelled',"
					 " next_run = NULL",
					 ""),
			0);
	}
	add(&desk, SCHEDULE_INTERVAL, "1h", MISSED_ONCE, NOW);
	assert_int_equal(txn_commit(&txn, "test", &desk.err), 0);
	assert_int_equal(
		number(&desk, "SELECT count(*) FROM scheduled_tasks"), TASKS_MAX_ENDED + 1);
	/* A number is not used again. */
	assert_int_equal(number(&desk, "SELECT max(CAST(id AS INTEGER)) FROM scheduled_tasks"),
		TASKS_MAX_ENDED + 21);
}

TESTS(IN_TEMPDIR(a_task_that_is_due_runs_once_and_is_advanced),
	IN_TEMPDIR(what_is_due_once_is_completed),
	IN_TEMPDIR(once_makes_one_run_of_all_that_were_missed),
	IN_TEMPDIR(once_does_not_pile_up_behind_a_run_that_waits),
	IN_TEMPDIR(skip_leaves_out_what_was_due_while_no_host_ran),
	IN_TEMPDIR(skip_runs_what_is_on_time),
	IN_TEMPDIR(skip_leaves_out_what_the_machine_has_slept_over),
	IN_TEMPDIR(skip_does_not_run_beside_a_run_that_is_under_way),
	IN_TEMPDIR(all_makes_a_run_for_each_up_to_a_limit),
	IN_TEMPDIR(a_clock_that_is_set_back_repeats_nothing),
	IN_TEMPDIR(a_task_that_was_advanced_by_a_wrong_clock_comes_back),
	IN_TEMPDIR(a_clock_that_is_put_back_a_little_repeats_nothing),
	IN_TEMPDIR(what_ran_early_by_a_wrong_clock_does_not_run_again),
	IN_TEMPDIR(a_task_whose_zone_is_gone_is_paused),
	cmocka_unit_test(ten_years_of_minutes_are_no_burden),
	IN_TEMPDIR(a_run_ends_with_the_answer_of_its_turn),
	IN_TEMPDIR(a_run_with_nothing_to_say_is_silent),
	IN_TEMPDIR(the_history_of_a_task_is_bounded),
	IN_TEMPDIR(ended_tasks_are_forgotten_after_a_while))

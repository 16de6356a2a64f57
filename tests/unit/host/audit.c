#include "../test.h"

#include <string.h>

#include "db/query.h"
#include "host/base/registry.h"
#include "ledger/audit.h"
#include "tempdir.h"
#include "time/timestamp.h"

struct desk {
	struct tempdir *temp;
	struct store *store;
	struct audit *audit;
	struct error err;
};

static struct desk desk_open(void **state)
{
	struct desk desk = {.temp = *state};

	assert_int_equal(store_open(desk.temp->path, STORE_WRITE, &desk.store, &desk.err), 0);
	desk.audit = audit_new(desk.store);
	return desk;
}

static void desk_close(struct desk *desk)
{
	audit_free(desk->audit);
	store_free(desk->store);
	error_release(&desk->err);
}

static void add(struct desk *desk, const char *group, enum audit_kind kind, const char *what)
{
	audit_add(desk->audit, &(struct audit_entry){.group = group,
				       .kind = kind,
				       .what = what,
				       .outcome = AUDIT_DONE,
				       .detail = "x"});
}

static void fill(
	struct desk *desk, const char *group, enum audit_kind kind, const char *what, int count)
{
	for (int i = 0; i < count; i++)
		add(desk, group, kind, what);
	assert_int_equal(audit_write(desk->audit, &desk->err), 0);
}

static int64_t count(struct desk *desk, const char *what)
{
	int64_t number;

	assert_int_equal(
		query_number(desk->store, -1, &number, &desk->err,
			"SELECT count(*) FROM audit WHERE ?1 = '' OR what = ?1", "s", what),
		0);
	return number;
}

static int64_t count_done(struct desk *desk, const char *what)
{
	int64_t number;

	assert_int_equal(
		query_number(desk->store, -1, &number, &desk->err,
			"SELECT count(*) FROM audit WHERE what = ?1 AND outcome = 'done'", "s",
			what),
		0);
	return number;
}

static void an_entry_is_found_again_as_it_was(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};
	int64_t now = timestamp_clock();
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	audit_add(desk.audit, &(struct audit_entry){.at = now,
				      .group = "family",
				      .turn = 12,
				      .kind = AUDIT_EGRESS,
				      .what = "example.com:443",
				      .outcome = AUDIT_REFUSED,
				      .detail = "not in the list"});
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(
		audit_list(desk.store, &(struct audit_filter){.last = 10}, &rows, &desk.err),
		0);
	assert_int_equal(rows.count, 1);
	assert_string_equal(rows.list[0].at, time);
	assert_string_equal(rows.list[0].group, "family");
	assert_int_equal(rows.list[0].turn, 12);
	assert_string_equal(rows.list[0].kind, "egress");
	assert_string_equal(rows.list[0].what, "example.com:443");
	assert_string_equal(rows.list[0].outcome, "refused");
	assert_string_equal(rows.list[0].detail, "not in the list");
}

static void the_latest_of_a_group_and_kind_are_listed_in_their_order(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};

	add(&desk, "a", AUDIT_TOOL, "first");
	add(&desk, "a", AUDIT_TOOL, "second");
	add(&desk, "b", AUDIT_TOOL, "other group");
	add(&desk, "a", AUDIT_BUDGET, "other kind");
	add(&desk, "a", AUDIT_TOOL, "third");
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(
		audit_list(desk.store,
			&(struct audit_filter){.group = "a", .kind = "tool", .last = 2}, &rows,
			&desk.err),
		0);
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.list[0].what, "second");
	assert_string_equal(rows.list[1].what, "third");
}

static void many_entries_are_written_before_they_fill_memory(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	for (int i = 0; i < AUDIT_WAITING_MAX + 1; i++)
		add(&desk, "a", AUDIT_TOOL, "x");
	assert_int_equal(count(&desk, ""), AUDIT_WAITING_MAX);
}

static void long_texts_are_cut_between_characters(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};
	char text[2 * AUDIT_DETAIL_MAX + 1] = "";

	for (size_t i = 0; i < AUDIT_DETAIL_MAX; i++)
		memcpy(text + 2 * i, "é", 2);
	audit_add(desk.audit,
		&(struct audit_entry){
			.group = "a", .what = text, .outcome = AUDIT_FAILED, .detail = text});
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(
		audit_list(desk.store, &(struct audit_filter){.last = 1}, &rows, &desk.err), 0);
	assert_in_range(strlen(rows.list[0].what), AUDIT_WHAT_MAX - 4, AUDIT_WHAT_MAX);
	assert_in_range(strlen(rows.list[0].detail), AUDIT_DETAIL_MAX - 4, AUDIT_DETAIL_MAX);
	assert_string_equal(
		rows.list[0].detail + strlen(rows.list[0].detail) - strlen("é…"), "é…");
}

static void many_calls_of_one_thing_hide_no_other(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	fill(&desk, "a", AUDIT_TOOL, "remove_group", 1);
	fill(&desk, "b", AUDIT_TOOL, "list_tasks", 1);
	fill(&desk, "a", AUDIT_TOOL, "list_tasks", 5 * AUDIT_ROWS_OF_WHAT);
	assert_int_equal(count(&desk, "remove_group"), 1);
	assert_in_range(count(&desk, "list_tasks"), AUDIT_ROWS_OF_WHAT + 1,
		AUDIT_ROWS_OF_WHAT + 1 + AUDIT_SLACK + AUDIT_WAITING_MAX);
}

/* An agent calls all that it may, to push out what it did before. */
static void many_operations_together_hide_no_other(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	fill(&desk, "a", AUDIT_TOOL, "remove_group", 1);
	for (int i = 0; i < AUDIT_ROWS_OF_KIND / AUDIT_ROWS_OF_WHAT + 2; i++) {
		CLEANUP(freep) char *name = xasprintf("operation-%d", i);

		fill(&desk, "a", AUDIT_TOOL, name, AUDIT_ROWS_OF_WHAT);
	}
	assert_int_equal(count(&desk, "remove_group"), 1);
}

static void calls_that_are_refused_hide_none_that_was_done(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	fill(&desk, "a", AUDIT_TOOL, "remove_group", 1);
	fill(&desk, "a", AUDIT_EGRESS, "example.com", 1);
	for (int i = 0; i < 3 * AUDIT_ROWS_OF_WHAT; i++)
		audit_add(desk.audit, &(struct audit_entry){.group = "a",
					      .what = "remove_group",
					      .outcome = AUDIT_REFUSED});
	for (int i = 0; i < AUDIT_ROWS_OF_KIND + 2 * AUDIT_SLACK; i++) {
		CLEANUP(freep) char *name = xasprintf("%d.example.com", i);

		audit_add(desk.audit, &(struct audit_entry){.group = "a",
					      .kind = AUDIT_EGRESS,
					      .what = name,
					      .outcome = AUDIT_REFUSED});
	}
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(count(&desk, "example.com"), 1);
	assert_int_equal(count_done(&desk, "remove_group"), 1);
}

static void many_different_things_of_a_kind_are_bounded_too(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	fill(&desk, "a", AUDIT_TOOL, "send_message", 1);
	fill(&desk, "b", AUDIT_EGRESS, "example.org", 1);
	for (int i = 0; i < AUDIT_ROWS_OF_KIND + 2 * AUDIT_SLACK; i++) {
		CLEANUP(freep) char *name = xasprintf("%d.example.com", i);

		add(&desk, "a", AUDIT_EGRESS, name);
	}
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_in_range(count(&desk, ""), AUDIT_ROWS_OF_KIND,
		AUDIT_ROWS_OF_KIND + AUDIT_SLACK + AUDIT_WAITING_MAX);
	assert_int_equal(count(&desk, "send_message"), 1);
	assert_int_equal(count(&desk, "example.org"), 1);
	assert_int_equal(count(&desk, "0.example.com"), 0);
}

static void what_is_old_goes(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	int64_t day = (int64_t)24 * 60 * 60 * 1000;

	audit_add(desk.audit,
		&(struct audit_entry){.at = timestamp_clock() - (AUDIT_DAYS + 1) * day,
			.group = "a",
			.what = "old"});
	audit_add(desk.audit,
		&(struct audit_entry){.at = timestamp_clock() - (AUDIT_DAYS - 1) * day,
			.group = "a",
			.what = "recent"});
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(count(&desk, "old"), 0);
	assert_int_equal(count(&desk, "recent"), 1);
}

static void a_log_that_cannot_be_written_says_so_and_loses_the_oldest(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);

	assert_int_equal(
		query_run(desk.store, &desk.err, "ALTER TABLE audit RENAME TO away", ""), 0);
	for (int i = 0; i < AUDIT_WAITING_MAX; i++)
		add(&desk, "a", AUDIT_TOOL, i ? "later" : "first");
	assert_int_equal(audit_check(desk.audit, &desk.err), -1);
	error_clear(&desk.err);
	add(&desk, "a", AUDIT_TOOL, "last");
	assert_int_equal(
		query_run(desk.store, &desk.err, "ALTER TABLE away RENAME TO audit", ""), 0);
	assert_int_equal(audit_check(desk.audit, &desk.err), 0);
	assert_int_equal(count(&desk, "first"), 0);
	assert_int_equal(count(&desk, "later"), AUDIT_WAITING_MAX - 1);
	assert_int_equal(count(&desk, "last"), 1);
}

static void a_removed_group_leaves_its_entries_without_details(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};
	struct group group = {.folder = xstrdup("gone"), .jid = xstrdup("tg:1")};

	add(&desk, "gone", AUDIT_TOOL, "send_message");
	add(&desk, "stays", AUDIT_TOOL, "send_message");
	assert_int_equal(audit_write(desk.audit, &desk.err), 0);
	assert_int_equal(store_group_remove(desk.store, &group, &desk.err), 0);
	group_release(&group);
	assert_int_equal(
		audit_list(desk.store, &(struct audit_filter){.last = 9}, &rows, &desk.err), 0);
	assert_int_equal(rows.count, 2);
	assert_null(rows.list[0].detail);
	assert_string_equal(rows.list[1].detail, "x");
}

static void kinds_have_names(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	enum audit_kind kind;

	(void)state;
	assert_int_equal(audit_kind_parse("budget", &kind, &err), 0);
	assert_int_equal(kind, AUDIT_BUDGET);
	assert_int_equal(audit_kind_parse("tools", &kind, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void what_agents_tell_is_listed_apart_and_hides_nothing(void **state)
{
	CLEANUP(desk_close) struct desk desk = desk_open(state);
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};
	CLEANUP(audit_rows_release) struct audit_rows own = {0};

	fill(&desk, "a", AUDIT_TOOL, "bash", 1);
	fill(&desk, "a", AUDIT_AGENT, "bash", AUDIT_ROWS_OF_WHAT + 2 * AUDIT_SLACK);
	assert_int_equal(
		audit_list(desk.store, &(struct audit_filter){.kind = "tool", .last = 100000},
			&own, &desk.err),
		0);
	assert_int_equal(own.count, 1);
	assert_string_equal(own.list[0].outcome, "done");
	assert_int_equal(
		audit_list(desk.store, &(struct audit_filter){.kind = "agent", .last = 100000},
			&rows, &desk.err),
		0);
	assert_true(rows.count >= AUDIT_ROWS_OF_WHAT &&
		    rows.count <= AUDIT_ROWS_OF_WHAT + AUDIT_SLACK + AUDIT_WAITING_MAX);
	assert_string_equal(rows.list[0].kind, "agent");
	assert_string_equal(rows.list[0].outcome, "asked");
}

TESTS(IN_TEMPDIR(an_entry_is_found_again_as_it_was),
	IN_TEMPDIR(the_latest_of_a_group_and_kind_are_listed_in_their_order),
	IN_TEMPDIR(many_entries_are_written_before_they_fill_memory),
	IN_TEMPDIR(long_texts_are_cut_between_characters),
	IN_TEMPDIR(many_calls_of_one_thing_hide_no_other),
	IN_TEMPDIR(many_operations_together_hide_no_other),
	IN_TEMPDIR(calls_that_are_refused_hide_none_that_was_done),
	IN_TEMPDIR(many_different_things_of_a_kind_are_bounded_too),
	IN_TEMPDIR(what_is_old_goes),
	IN_TEMPDIR(a_log_that_cannot_be_written_says_so_and_loses_the_oldest),
	IN_TEMPDIR(a_removed_group_leaves_its_entries_without_details),
	IN_TEMPDIR(what_agents_tell_is_listed_apart_and_hides_nothing),
	cmocka_unit_test(kinds_have_names))

#include "ledger/audit.h"

#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "db/query.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

static const char *const kinds[AUDIT_KIND_COUNT] = {
	[AUDIT_TOOL] = "tool",
	[AUDIT_EGRESS] = "egress",
	[AUDIT_BUDGET] = "budget",
	[AUDIT_AGENT] = "agent",
};

static const char *const outcomes[AUDIT_OUTCOME_COUNT] = {
	[AUDIT_DONE] = "done",
	[AUDIT_REFUSED] = "refused",
	[AUDIT_FAILED] = "failed",
	[AUDIT_ASKED] = "asked",
};

const char *audit_outcome_name(enum audit_outcome outcome)
{
	return outcomes[outcome];
}

int audit_kind_parse(const char *name, enum audit_kind *ret_kind, struct error *err)
{
	for (size_t i = 0; i < AUDIT_KIND_COUNT; i++)
		if (!strcmp(kinds[i], name)) {
			*ret_kind = (enum audit_kind)i;
			return 0;
		}
	CLEANUP(freep) char *shown = quote(view_of(name));

	error_set(err, ERROR_INVALID, "there is no kind %s in the audit log", shown);
	return error_hint(err, "the kinds are 'tool', 'egress', 'budget' and 'agent'");
}

/* --- writing ----------------------------------------------------------------- */

struct waiting {
	int64_t at;
	int64_t turn;
	char *group;
	char *what;
	char *detail;
	enum audit_kind kind;
	enum audit_outcome outcome;
};

struct audit {
	struct store *store;
	struct waiting waiting[AUDIT_WAITING_MAX];
	size_t count;
	int64_t since_pruning; /* rows */
};

/* Remove the first `count` waiting entries. */
static void drop_waiting(struct audit *audit, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(audit->waiting[i].group);
		free(audit->waiting[i].what);
		free(audit->waiting[i].detail);
	}
	audit->count -= count;
	memmove(audit->waiting, audit->waiting + count,
		audit->count * sizeof(audit->waiting[0]));
}

struct audit *audit_new(struct store *store)
{
	struct audit *audit = xcalloc(1, sizeof(*audit));

	audit->store = store;
	audit->since_pruning = AUDIT_SLACK; /* what an earlier process has left is not known */
	return audit;
}

void audit_free(struct audit *audit)
{
	if (!audit)
		return;
	drop_waiting(audit, audit->count);
	free(audit);
}

/* A text within its bounds, cut between characters. */
static char *cut_text(const char *text, size_t max)
{
	size_t len = strlen(text);

	if (len <= max)
		return xmemdupz(text, utf8_valid_len((struct view){text, len}));
	len = utf8_valid_len((struct view){text, max - strlen("…")});
	return xasprintf("%.*s…", (int)len, text);
}

void audit_add(struct audit *audit, const struct audit_entry *entry)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (audit->count == AUDIT_WAITING_MAX && audit_write(audit, &err) < 0) {
		log_error("an entry of the audit log is lost: %s", err.message);
		drop_waiting(audit, 1);
	}
	audit->waiting[audit->count++] = (struct waiting){
		.at = entry->at ? entry->at : timestamp_clock(),
		.turn = entry->turn,
		.group = xstrdup(entry->group),
		.what = cut_text(entry->what, AUDIT_WHAT_MAX),
		.detail = entry->detail ? cut_text(entry->detail, AUDIT_DETAIL_MAX) : NULL,
		.kind = entry->kind,
		.outcome = entry->outcome,
	};
}

int audit_check(struct audit *audit, struct error *err)
{
	if (audit->count < AUDIT_WAITING_MAX || audit_write(audit, err) == 0)
		return 0;
	return error_prefix(err, "cannot write the audit log");
}

/* The table, with kind and outcome of the rows that agents reported. */
#define ROWS                                                                                   \
	"(SELECT id, at, group_folder, turn, what, detail,"                                    \
	" CASE told WHEN 0 THEN kind ELSE 'agent' END AS kind,"                                \
	" CASE told WHEN 0 THEN outcome ELSE 'asked' END AS outcome FROM audit)"

/*
 * The groups, kinds, outcomes and things that have too many. The number of operations is fixed,
 * so a limit for each is enough; names that an agent chooses, such as hosts, are unlimited.
 */
static int list_crowded(struct store *store, struct audit_rows *ret_rows, struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct audit_row, group),
		ROW_COLUMN(struct audit_row, kind),
		ROW_COLUMN(struct audit_row, what),
		ROW_COLUMN(struct audit_row, outcome),
		{0},
	};

	return query_rows(store, &(struct row_type){sizeof(struct audit_row), columns},
		ret_rows, err,
		"SELECT group_folder, kind, what, outcome FROM " ROWS
		" GROUP BY group_folder, kind, what, outcome HAVING count(*) > ?1"
		" UNION ALL SELECT group_folder, kind, NULL, outcome FROM " ROWS
		" WHERE kind <> 'tool'"
		" GROUP BY group_folder, kind, outcome HAVING count(*) > ?2",
		"dd", AUDIT_ROWS_OF_WHAT, AUDIT_ROWS_OF_KIND);
}

/* Deletes entries that are too old, and the oldest of those that are too many. */
static int prune_entries(struct store *store, int64_t now, struct error *err)
{
	CLEANUP(audit_rows_release) struct audit_rows crowded = {0};

	/* Times increase with the ids, unless the clock was set back. */
	if (query_run(store, err,
		    "DELETE FROM audit WHERE id < (SELECT coalesce(min(id), 9223372036854775807)"
		    " FROM audit WHERE at >= ?)",
		    "t", now - AUDIT_DAYS * DAY_MS) < 0 ||
		list_crowded(store, &crowded, err) < 0)
		return -1;
	for (size_t i = 0; i < crowded.count; i++) {
		const struct audit_row *row = &crowded.list[i];

		if (query_run(store, err,
			    "DELETE FROM audit WHERE id IN (SELECT id FROM " ROWS
			    " WHERE group_folder = ?1 AND kind = ?2 AND outcome = ?3"
			    " AND (?4 IS NULL OR what = ?4)"
			    " ORDER BY id DESC LIMIT -1 OFFSET ?5)",
			    "ssssd", row->group, row->kind, row->outcome, row->what,
			    row->what ? AUDIT_ROWS_OF_WHAT : AUDIT_ROWS_OF_KIND) < 0)
			return -1;
	}
	return 0;
}

int audit_write(struct audit *audit, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (!audit->count)
		return 0;
	if (txn_begin(&txn, audit->store, err) < 0)
		return -1;
	for (size_t i = 0; i < audit->count; i++) {
		const struct waiting *entry = &audit->waiting[i];
		bool told = entry->kind == AUDIT_AGENT;

		if (query_run(audit->store, err,
			    "INSERT INTO audit (at, group_folder, turn, kind, what, outcome,"
			    " detail, told) VALUES (?, ?, nullif(?, 0), ?, ?, ?, ?, ?)",
			    "tsissssd", entry->at, entry->group, entry->turn,
			    kinds[told ? AUDIT_TOOL : entry->kind], entry->what,
			    outcomes[told ? AUDIT_DONE : entry->outcome], entry->detail,
			    told) < 0)
			return -1;
	}
	if (audit->since_pruning >= AUDIT_SLACK &&
		prune_entries(audit->store, timestamp_clock(), err) < 0)
		return -1;
	if (txn_commit(&txn, "audit", err) < 0)
		return -1;
	if (audit->since_pruning >= AUDIT_SLACK)
		audit->since_pruning = 0;
	audit->since_pruning += (int64_t)audit->count;
	drop_waiting(audit, audit->count);
	return 0;
}

/* --- reading ----------------------------------------------------------------- */

static const struct row_column audit_columns[] = {
	ROW_COLUMN(struct audit_row, id),
	ROW_COLUMN(struct audit_row, at),
	ROW_COLUMN(struct audit_row, group),
	ROW_COLUMN(struct audit_row, turn),
	ROW_COLUMN(struct audit_row, kind),
	ROW_COLUMN(struct audit_row, what),
	ROW_COLUMN(struct audit_row, outcome),
	ROW_COLUMN(struct audit_row, detail),
	{0},
};

static const struct row_type audit_row_type = {sizeof(struct audit_row), audit_columns};

void audit_rows_release(struct audit_rows *rows)
{
	rows_release(&audit_row_type, rows);
}

int audit_list(struct store *store, const struct audit_filter *filter,
	struct audit_rows *ret_rows, struct error *err)
{
	return query_rows(store, &audit_row_type, ret_rows, err,
		"SELECT * FROM (SELECT id, at, group_folder, turn, kind, what, outcome, detail"
		" FROM " ROWS " WHERE (?1 IS NULL OR group_folder = ?1)"
		" AND (?2 IS NULL OR kind = ?2) AND (?4 = 0 OR id < ?4)"
		" ORDER BY id DESC LIMIT ?3) ORDER BY id",
		"ssii", filter->group, filter->kind, filter->last, filter->before);
}

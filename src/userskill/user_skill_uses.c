#include "userskill/user_skill_uses.h"

#include <string.h>

#include "db/query.h"
#include "format/json.h"

#define COLUMNS                                                                                \
	"id, skill, version_id, group_folder, started_by, message, turn, started_at,"          \
	" ended_at, outcome, asked_at"

static const struct row_column skill_use_columns[] = {
	ROW_COLUMN(struct skill_use, id),
	ROW_COLUMN(struct skill_use, skill),
	ROW_COLUMN(struct skill_use, version_id),
	ROW_COLUMN(struct skill_use, group),
	ROW_COLUMN(struct skill_use, started_by),
	ROW_COLUMN(struct skill_use, message),
	ROW_COLUMN(struct skill_use, turn),
	ROW_COLUMN(struct skill_use, started_at),
	ROW_COLUMN(struct skill_use, ended_at),
	ROW_COLUMN(struct skill_use, outcome),
	ROW_COLUMN(struct skill_use, asked_at),
	{0},
};

static const struct row_type skill_use_type = {sizeof(struct skill_use), skill_use_columns};

void skill_use_release(struct skill_use *use)
{
	row_release(&skill_use_type, use);
}

int store_skill_use_begin(struct store *store, const struct skill_use *use, int64_t now,
	int64_t *ret_id, struct error *err)
{
	bool refused = !strcmp(use->outcome, "refused");

	if (query_run(store, err,
		    "INSERT INTO skill_uses (skill, version_id, group_folder, started_by,"
		    " message, turn, started_at, ended_at, outcome)"
		    " VALUES (?, ?, ?, ?, nullif(?, 0), nullif(?, 0), ?, ?, ?)",
		    "sissiitts", use->skill, use->version_id, use->group, use->started_by,
		    use->message, use->turn, now, refused ? now : 0, use->outcome) < 0)
		return -1;
	return query_number(store, 0, ret_id, err, "SELECT last_insert_rowid()", "");
}

int store_skill_use_end(
	struct store *store, int64_t id, const char *outcome, int64_t now, struct error *err)
{
	return query_run(store, err,
		"UPDATE skill_uses SET outcome = ?, ended_at = ?"
		" WHERE id = ? AND outcome = 'running'",
		"sti", outcome, now, id);
}

int store_skill_use_asked(struct store *store, int64_t id, int64_t now, struct error *err)
{
	return query_run(
		store, err, "UPDATE skill_uses SET asked_at = ? WHERE id = ?", "ti", now, id);
}

int store_skill_use_of_turn(
	struct store *store, int64_t turn, struct skill_use *ret_use, struct error *err)
{
	return query_row(store, &skill_use_type, ret_use, err,
		"SELECT " COLUMNS " FROM skill_uses WHERE turn = ? ORDER BY id DESC LIMIT 1",
		"i", turn);
}

int store_skill_use_last_asked(
	struct store *store, const char *group, struct skill_use *ret_use, struct error *err)
{
	return query_row(store, &skill_use_type, ret_use, err,
		"SELECT " COLUMNS " FROM skill_uses WHERE group_folder = ?"
		" AND asked_at IS NOT NULL ORDER BY asked_at DESC, id DESC LIMIT 1",
		"s", group);
}

int store_skill_use_is_next(struct store *store, int64_t use, const char *chat,
	const char *sender, int64_t seq, bool *ret_next, struct error *err)
{
	return query_bool(store, ret_next, err,
		"SELECT count(*) > 0 FROM skill_uses u JOIN messages began ON began.seq = u.message"
		" WHERE u.id = ?1 AND began.chat_jid = ?2 AND began.sender = ?3"
		" AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.chat_jid = ?2"
		" AND m.seq > u.message AND m.received_at >= u.asked_at AND NOT m.is_from_me"
		" AND (?4 = 0 OR m.seq < ?4))"
		" AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.chat_jid = ?2"
		" AND o.id > (SELECT max(id) FROM outbox WHERE turn = u.turn)"
		" AND (?4 = 0 OR o.created_at <="
		" (SELECT received_at FROM messages WHERE seq = ?4)))",
		"issi", use, chat, sender, seq);
}

int store_skill_uses_since_asked(struct store *store, const char *skill, const char *group,
	int64_t *ret_count, struct error *err)
{
	return query_number(store, 0, ret_count, err,
		"SELECT count(*) FROM skill_uses WHERE skill = ?1 AND group_folder = ?2"
		" AND outcome = 'completed' AND id > coalesce((SELECT max(id) FROM skill_uses"
		" WHERE skill = ?1 AND group_folder = ?2 AND asked_at IS NOT NULL), 0)",
		"ss", skill, group);
}

int store_skill_feedback_add(struct store *store, int64_t use, const char *question,
	const char *answer, int score, int64_t now, struct error *err)
{
	return query_run(store, err,
		"INSERT INTO skill_feedback (use_id, question, answer, score, at)"
		" VALUES (?, ?, ?, nullif(?, -1), ?)",
		"issdt", use, question, answer, score, now);
}

/* --- numbers ----------------------------------------------------------------- */

/* Of the uses that are called `u`, with their feedback `f` summed up beside them. */
#define NUMBERS                                                                                \
	"count(u.id) FILTER (WHERE u.outcome <> 'refused'),"                                   \
	" count(u.id) FILTER (WHERE u.outcome = 'completed'),"                                 \
	" count(u.id) FILTER (WHERE u.outcome = 'failed'),"                                    \
	" count(u.id) FILTER (WHERE u.outcome = 'refused'),"                                   \
	" coalesce(sum(f.answers), 0), coalesce(sum(f.score), 0)"
#define FEEDBACK                                                                               \
	"(SELECT use_id, count(score) AS answers, sum(score) AS score FROM skill_feedback"     \
	" GROUP BY use_id)"

static struct skill_numbers numbers_of(const struct query *q, int first)
{
	return (struct skill_numbers){
		.uses = query_int(q, first),
		.completed = query_int(q, first + 1),
		.failed = query_int(q, first + 2),
		.refused = query_int(q, first + 3),
		.answers = query_int(q, first + 4),
		.score_sum = query_int(q, first + 5),
	};
}

json_t *skill_numbers_json(const struct skill_numbers *n)
{
	double score;

	return json_build("uses:I completed:I failed:I refused:I answers:I qualityScore:o",
		n->uses, n->completed, n->failed, n->refused, n->answers,
		skill_score(n, &score) ? json_real(score) : json_null());
}

static const char *text_or_null(const struct query *q, int column)
{
	const char *text = query_text(q, column);

	return *text ? text : NULL;
}

int store_skill_versions(
	struct store *store, const char *skill, json_t *ret_versions, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT v.version, v.origin, v.group_folder, v.content_hash, v.since,"
		    " v.until, " NUMBERS " FROM skill_versions v"
		    " LEFT JOIN skill_uses u ON u.version_id = v.id"
		    " LEFT JOIN " FEEDBACK " f ON f.use_id = u.id"
		    " WHERE v.skill = ? GROUP BY v.id ORDER BY v.id",
		    "s", skill) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		struct skill_numbers numbers = numbers_of(&q, 6);
		json_t *version = skill_numbers_json(&numbers);

		json_put(version, "version:s origin:s group:s hash:s since:s until:s",
			text_or_null(&q, 0), query_text(&q, 1), text_or_null(&q, 2),
			query_text(&q, 3), query_text(&q, 4), text_or_null(&q, 5));
		json_array_append_new(ret_versions, version);
	}
	return more;
}

int store_skill_numbers(struct store *store, const char *skill,
	struct skill_numbers *ret_numbers, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT " NUMBERS " FROM skill_uses u LEFT JOIN " FEEDBACK
		    " f ON f.use_id = u.id WHERE u.skill = ?",
		    "s", skill) < 0 ||
		query_next(&q, err) < 0)
		return -1;
	*ret_numbers = numbers_of(&q, 0);
	return 0;
}

/* --- quality ----------------------------------------------------------------- */

/* One good and one bad. */
static double drawn_to_half(double good, double all)
{
	return (good + 1) / (all + 2);
}

bool skill_score(const struct skill_numbers *numbers, double *ret_score)
{
	double ended = (double)(numbers->completed + numbers->failed);
	double completion;

	if (!ended && !numbers->answers)
		return false;
	completion = drawn_to_half((double)numbers->completed, ended);
	*ret_score = completion;
	if (numbers->answers)
		*ret_score = (completion + drawn_to_half((double)numbers->score_sum / 1000,
						   (double)numbers->answers)) /
			     2;
	return true;
}

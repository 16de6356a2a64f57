#include "ledger/usage.h"

#include <stdlib.h>

#include "db/query.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

#define COLUMNS                                                                                \
	" sum(requests), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens),"       \
	" sum(cache_write_tokens), sum(cost_micro_usd), sum(unpriced),"                        \
	" sum(estimated) FROM usage_days"                                                      \
	" WHERE day BETWEEN ?1 AND ?2 AND (?3 IS NULL OR group_folder = ?3)"

#define MOST_FIRST                                                                             \
	" ORDER BY sum(cost_micro_usd) DESC, sum(input_tokens + output_tokens +"               \
	" cache_read_tokens + cache_write_tokens) DESC, 1"

int64_t usage_tokens(const struct usage_figures *figures)
{
	return figures->input_tokens + figures->output_tokens + figures->cache_read_tokens +
	       figures->cache_write_tokens;
}

static const struct row_column sum_columns[] = {
	ROW_COLUMN(struct usage_sum, name),
	ROW_COLUMN(struct usage_sum, figures.requests),
	ROW_COLUMN(struct usage_sum, figures.input_tokens),
	ROW_COLUMN(struct usage_sum, figures.output_tokens),
	ROW_COLUMN(struct usage_sum, figures.cache_read_tokens),
	ROW_COLUMN(struct usage_sum, figures.cache_write_tokens),
	ROW_COLUMN(struct usage_sum, figures.cost_micro_usd),
	ROW_COLUMN(struct usage_sum, figures.unpriced),
	ROW_COLUMN(struct usage_sum, figures.estimated),
	{0},
};

static const struct row_type sum_row_type = {sizeof(struct usage_sum), sum_columns};

void usage_sums_release(struct usage_sums *sums)
{
	rows_release(&sum_row_type, sums);
}

/* --- adding ------------------------------------------------------------------ */

int store_usage_add(
	struct store *store, const struct usage_entry *entry, int64_t now, struct error *err)
{
	static const char *const sources[] = {[USAGE_API] = "api", [USAGE_AGENT] = "agent"};
	const struct usage_figures *f = &entry->figures;

	if (query_run(store, err,
		    "INSERT INTO usage (at, group_folder, turn, model, source, input_tokens,"
		    " output_tokens, cache_read_tokens, cache_write_tokens, cost_micro_usd,"
		    " estimated) VALUES (?1, ?2, nullif(?3, 0), ?4, ?5, ?6, ?7, ?8, ?9,"
		    " CASE ?11 WHEN 0 THEN ?10 END, ?12)",
		    "tsissiiiiiii", now, entry->group_folder, entry->turn, entry->model,
		    sources[entry->source], f->input_tokens, f->output_tokens,
		    f->cache_read_tokens, f->cache_write_tokens, f->cost_micro_usd, f->unpriced,
		    f->estimated) < 0 ||
		query_run(store, err,
			"DELETE FROM usage WHERE at < ? OR id <= last_insert_rowid() - ?", "td",
			now - USAGE_DAYS * DAY_MS, USAGE_ROWS) < 0)
		return -1;
	return query_run(store, err,
		"INSERT INTO usage_days VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
		" ON CONFLICT (day, group_folder, model) DO UPDATE SET"
		" requests = requests + 1, input_tokens = input_tokens + ?4,"
		" output_tokens = output_tokens + ?5,"
		" cache_read_tokens = cache_read_tokens + ?6,"
		" cache_write_tokens = cache_write_tokens + ?7,"
		" cost_micro_usd = cost_micro_usd + ?8, unpriced = unpriced + ?9,"
		" estimated = estimated + ?10",
		"sssiiiiiii", entry->day, entry->group_folder, entry->model, f->input_tokens,
		f->output_tokens, f->cache_read_tokens, f->cache_write_tokens,
		f->cost_micro_usd, f->unpriced, f->estimated);
}

/* --- sums -------------------------------------------------------------------- */

int store_usage_sum(struct store *store, const struct usage_filter *filter,
	struct usage_figures *ret_figures, struct error *err)
{
	struct usage_sum sum;

	if (query_row(store, &sum_row_type, &sum, err, "SELECT NULL," COLUMNS, "sss",
		    filter->from, filter->to, filter->group_folder) < 0)
		return -1;
	*ret_figures = sum.figures;
	return 0;
}

int store_usage_list(struct store *store, const struct usage_filter *filter, enum usage_by by,
	struct usage_sums *ret_sums, struct error *err)
{
	static const char *const queries[] = {
		[USAGE_BY_GROUP] = "SELECT group_folder," COLUMNS " GROUP BY 1" MOST_FIRST,
		[USAGE_BY_MODEL] = "SELECT model," COLUMNS " GROUP BY 1" MOST_FIRST,
		[USAGE_BY_DAY] = "SELECT day," COLUMNS " GROUP BY 1 ORDER BY 1",
	};

	return query_rows(store, &sum_row_type, ret_sums, err, queries[by], "sss", filter->from,
		filter->to, filter->group_folder);
}

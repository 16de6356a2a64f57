#include "ledger/facts.h"

#include "db/query.h"

int store_fact_set(struct store *store, const char *name, const char *value, struct error *err)
{
	return query_run(store, err,
		"INSERT INTO meta (name, value) VALUES (?1, ?2)"
		" ON CONFLICT (name) DO UPDATE SET value = ?2 WHERE value <> ?2",
		"ss", name, value);
}

int store_fact_get(struct store *store, const char *name, char **ret_value, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err, "SELECT value FROM meta WHERE name = ?", "s", name) < 0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	*ret_value = more ? query_copy(&q, 0) : NULL;
	return 0;
}

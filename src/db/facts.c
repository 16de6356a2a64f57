#include "db/facts.h"

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
	return query_string(
		store, ret_value, err, "SELECT value FROM meta WHERE name = ?", "s", name);
}

/*
 * Facts: small values that the next start needs, by name.
 *
 *	"installation"		the name of this installation
 *	"channel NAME"		how a channel described itself (channels/channel.h)
 *	"feedback FOLDER"	the question that a group was asked (host/skill/skill_feedback.h)
 *	"skill:ID:FOLDER:N"	a task that ended with its skill (host/skill/skill_tasks.h)
 */
#ifndef DB_FACTS_H
#define DB_FACTS_H

#include "base/error.h"
#include "db/store.h"

int store_fact_set(struct store *store, const char *name, const char *value, struct error *err);
/* To be freed; may be NULL. */
int store_fact_get(struct store *store, const char *name, char **ret_value, struct error *err);

#endif

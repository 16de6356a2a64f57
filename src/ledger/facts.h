/*
 * Small things that are to be known at the next start, by their names.
 *
 *	"installation"		the name of this installation (store.h)
 *	"channel NAME"		what a channel has said of itself (channels/channel.h)
 *	"feedback FOLDER"	the question that a group was asked (host/skill/skill_feedback.h)
 *	"skill:ID:FOLDER:N"	what a task was when it ended with its skill
 *(host/skill/skill_tasks.h)
 */
#ifndef LEDGER_FACTS_H
#define LEDGER_FACTS_H

#include "base/error.h"
#include "db/store.h"

int store_fact_set(struct store *store, const char *name, const char *value, struct error *err);

/* To be freed; NULL if there is none. */
int store_fact_get(struct store *store, const char *name, char **ret_value, struct error *err);

#endif

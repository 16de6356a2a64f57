/*
 * Uses of user skills, feedback about them, and statistics of both.
 *
 * The code that runs a skill calls:
 *
 *	store_skill_use_begin(...)	the skill is put before an agent, or refused at once
 *	store_skill_use_end(...)	the turn has ended: completed, failed
 *	store_skill_use_asked(...)	the person was asked how it was
 *	store_skill_feedback_add(...)	and has answered
 */
#ifndef USERSKILL_USER_SKILL_USES_H
#define USERSKILL_USER_SKILL_USES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct skill_use {
	int64_t id; /* 0: no use */
	char *skill;
	int64_t version_id; /* of the content that was used (userskill/lookup.h) */
	char *group;
	char *started_by; /* "command", "schedule" or "person" */
	int64_t message;  /* that began it, or 0 */
	int64_t turn;     /* or 0 */
	char *started_at;
	char *ended_at; /* NULL: not yet */
	char *outcome;  /* "running", "completed", "failed" or "refused" */
	char *asked_at; /* NULL: the person was not asked */
};

void skill_use_release(struct skill_use *use);

/* `id` is made here; `outcome` is "running", or "refused", which has ended then. */
int store_skill_use_begin(struct store *store, const struct skill_use *use, int64_t now,
	int64_t *ret_id, struct error *err);
int store_skill_use_end(
	struct store *store, int64_t id, const char *outcome, int64_t now, struct error *err);
int store_skill_use_asked(struct store *store, int64_t id, int64_t now, struct error *err);

/* The use of a turn, or the last use in a group that its people were asked about. */
int store_skill_use_of_turn(
	struct store *store, int64_t turn, struct skill_use *ret_use, struct error *err);
int store_skill_use_last_asked(
	struct store *store, const char *group, struct skill_use *ret_use, struct error *err);

/*
 * Is a message the very next one after the question about a use? It must come from the person who
 * started the use, in the same chat, with no message in between, from people or from us. `seq` is 0
 * if the message is not stored yet.
 */
int store_skill_use_is_next(struct store *store, int64_t use, const char *chat,
	const char *sender, int64_t seq, bool *ret_next, struct error *err);

/* How many uses a group has completed of a skill since it was asked about it last. */
int store_skill_uses_since_asked(struct store *store, const char *skill, const char *group,
	int64_t *ret_count, struct error *err);

/* `score` is in thousandths; -1: the answer has none. */
int store_skill_feedback_add(struct store *store, int64_t use, const char *question,
	const char *answer, int score, int64_t now, struct error *err);

/* --- numbers ----------------------------------------------------------------- */

struct skill_numbers {
	int64_t uses; /* except refused ones */
	int64_t completed;
	int64_t failed;
	int64_t refused;
	int64_t answers;   /* with a score */
	int64_t score_sum; /* of these, in thousandths */
};

/* {uses, completed, failed, refused, answers, qualityScore}; the last is null without any use. */
json_t *skill_numbers_json(const struct skill_numbers *numbers);

/*
 * Every version of a skill, the oldest first: appends {version, origin, group, hash, since,
 * until} with its numbers. `group` is that of an override, and `until` null if it is in force.
 */
int store_skill_versions(
	struct store *store, const char *skill, json_t *ret_versions, struct error *err);

/* All versions together. */
int store_skill_numbers(struct store *store, const char *skill,
	struct skill_numbers *ret_numbers, struct error *err);

/*
 * The quality from 0 to 1: the mean of the share of finished uses that were completed and of
 * the mean answer; only the former without answers. Few uses say little, so one good and one
 * bad use are added to each. False: it was never used.
 */
bool skill_score(const struct skill_numbers *numbers, double *ret_score);

#endif

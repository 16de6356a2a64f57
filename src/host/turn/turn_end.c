#include "host/turn/turn_end.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "host/base/watchers.h"
#include "host/chat/delivery.h"
#include "host/money/spending.h"
#include "host/skill/skill_turn.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "time/backoff.h"
#include "time/timestamp.h"

/* Between two looks for a place. */
#define LONGEST_PLACE_MS ((int64_t)60 * 60 * 1000)

/* --- failures ---------------------------------------------------------------- */

void turn_set_reason(struct worker *worker, const char *why)
{
	struct view text = view_trim(view_of(why ? why : ""));

	if (text.len > TURN_MAX_DETAIL)
		text.len = utf8_valid_len((struct view){text.data, TURN_MAX_DETAIL});
	else if (text.len && text.data[text.len - 1] == '.')
		text.len--; /* more of the sentence follows it */
	free(worker->reason);
	worker->reason = text.len ? xmemdupz(text.data, text.len) : NULL;
}

/* If the budget is used up, the agent failed because it was refused its model: say so. */
static void set_reason_if_held(struct worker *worker)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;

	if ((worker->setup.access.asked ? spending_may_ask : spending_may_begin)(
		    worker->desk->spending, worker->folder, &why) < 0)
		turn_set_reason(worker, why.message);
}

void turn_set_agents_reason(struct worker *worker, const char *text)
{
	turn_set_reason(worker, text);
	set_reason_if_held(worker);
}

static int64_t retry_time(const struct worker *worker)
{
	return timestamp_clock() + backoff_ms(worker->desk->inst->limits.retry_ms, 4,
					   worker->turn.failures, LONGEST_RETRY_MS);
}

static int give_up_turn(struct worker *worker, const char *detail, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	struct installation *inst = worker->desk->inst;
	CLEANUP(freep)
	char *text = xasprintf("Sorry, I could not %s%s%s (error t%" PRId64 ").",
		worker->turn.run ? "do a scheduled task" : "answer this",
		worker->reason ? ": " : "", worker->reason ? worker->reason : "",
		worker->turn.id);
	struct answer answer = {
		.kind = OUTBOX_ERROR,
		.parts = (const char *const[]){text},
		.part_count = 1,
		.error = detail,
	};
	int64_t now = timestamp_clock();
	char *none;

	if (txn_begin(&txn, inst->store, err) < 0 ||
		turn_attempt_end(
			inst->store, &worker->turn, ATTEMPT_FAILED, detail, 0, now, err) < 0 ||
		skill_turn_ended(inst->store, &worker->turn, NULL, now, &none, err) < 0 ||
		turn_answer(inst->store, &worker->turn, &answer, now, err) < 0)
		return -1;
	return txn_commit(&txn, "given-up", err);
}

void turn_failed(struct worker *worker, const char *why, bool again)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *detail = xstrdup(why);
	struct installation *inst = worker->desk->inst;
	int64_t retry = retry_time(worker);

	worker_typing(worker, false);
	if (strlen(detail) > TURN_MAX_DETAIL)
		detail[utf8_valid_len((struct view){detail, TURN_MAX_DETAIL})] = '\0';
	again = again && worker->turn.failures + 1 < inst->limits.failures;
	log_warning("group '%s', turn t%" PRId64 ": %s; %s", worker->folder, worker->turn.id,
		detail, again ? "it is tried again" : "it is given up");
	if (again) {
		if (turn_attempt_end(inst->store, &worker->turn, ATTEMPT_FAILED, detail, retry,
			    timestamp_clock(), &err) < 0) {
			worker_store_failed(worker, &err);
			return;
		}
		watchers_turn(inst->watchers, worker->folder, worker->turn.id, "again");
		turn_release(&worker->turn);
		worker_end_outdated(worker);
		worker_wait_until(worker, retry);
		return;
	}
	if (!worker->reason)
		set_reason_if_held(worker);
	if (give_up_turn(worker, detail, &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	watchers_turn(inst->watchers, worker->folder, worker->turn.id, "failed");
	delivery_wake(worker->desk->delivery, worker->turn.chat_jid);
	worker_look_for_more(worker);
}

/* --- agents on other machines --------------------------------------------------- */

static int tell_without_place(struct worker *worker, const char *why, struct error *err)
{
	CLEANUP(freep) char *about = xasprintf("no-place-t%" PRId64, worker->turn.id);
	CLEANUP(freep)
	char *text = xasprintf("The agent of '%s' has had no place for a long time, and turn "
			       "t%" PRId64 " waits: %s. It is tried again until there is one.",
		worker->folder, worker->turn.id, why);

	return delivery_notice_main(worker->desk->delivery, NULL, about, text, err);
}

void turn_without_place(struct worker *worker, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *detail = xasprintf(TURN_NO_PLACE "%s", why);
	struct installation *inst = worker->desk->inst;
	int64_t now = timestamp_clock(), tries, since, due, told;

	worker_typing(worker, false);
	detail[utf8_valid_len((struct view){detail,
		strlen(detail) < TURN_MAX_DETAIL ? strlen(detail) : TURN_MAX_DETAIL})] = '\0';
	if (turn_place_tries(inst->store, worker->turn.id, &tries, &since, &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	due = now + backoff_ms(inst->limits.retry_ms, 4, (int)tries, LONGEST_PLACE_MS);
	told = (since ? since : now) + inst->limits.wait_seconds * 1000;
	if (now < told && told < due)
		due = told; /* to hear why, when main is told */
	log_note("group '%s', turn t%" PRId64 ": %s", worker->folder, worker->turn.id, detail);
	if (turn_attempt_end(
		    inst->store, &worker->turn, ATTEMPT_STOPPED, detail, due, now, &err) < 0 ||
		(now >= told && tell_without_place(worker, why, &err) < 0)) {
		worker_store_failed(worker, &err);
		return;
	}
	watchers_turn(inst->watchers, worker->folder, worker->turn.id, "again");
	turn_release(&worker->turn);
	worker_wait_until(worker, due);
}

void turn_lost(struct worker *worker, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct installation *inst = worker->desk->inst;

	worker_typing(worker, false);
	log_warning("group '%s', turn t%" PRId64 ": %s; it is tried again", worker->folder,
		worker->turn.id, why);
	if (turn_attempt_end(inst->store, &worker->turn, ATTEMPT_LOST, why, 0,
		    timestamp_clock(), &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	watchers_turn(inst->watchers, worker->folder, worker->turn.id, "again");
	worker_look_for_more(worker);
}

void turn_start_afresh(struct worker *worker, const char *why)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct installation *inst = worker->desk->inst;

	log_note("group '%s': session %s cannot be resumed, a new one begins: %s",
		worker->folder, worker->resumed, why);
	if (txn_begin(&txn, inst->store, &err) < 0 ||
		store_session_forget(inst->store, worker->folder, &err) < 0 ||
		turn_attempt_end(inst->store, &worker->turn, ATTEMPT_FRESH, why, 0,
			timestamp_clock(), &err) < 0 ||
		txn_commit(&txn, "afresh", &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	watchers_turn(inst->watchers, worker->folder, worker->turn.id, "again");
	worker_look_for_more(worker);
}

/* --- answers ----------------------------------------------------------------- */

/* A copy, cut at a readable length; it is sent in as many parts as the platform needs. */
static char *turn_bounded_answer(const char *text)
{
	size_t len = strlen(text);
	size_t cut;

	if (len <= TURN_MAX_ANSWER)
		return xstrdup(text);
	cut = utf8_valid_len((struct view){text, TURN_MAX_ANSWER});
	return xasprintf("%.*s\n\n[The answer had %zu KiB and is cut here.]", (int)cut, text,
		len / 1024);
}

int turn_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(freep) char *answer = turn_bounded_answer(text);
	CLEANUP(freep) char *question = NULL;
	CLEANUP(freep) char *whole = NULL;
	struct installation *inst = worker->desk->inst;
	struct channel *channel = installation_channel(inst, worker->turn.chat_jid);
	int64_t now = timestamp_clock();

	if (txn_begin(&txn, inst->store, err) < 0 ||
		skill_turn_ended(inst->store, &worker->turn, answer, now, &question, err) < 0)
		return -1;
	whole = xasprintf("%s%s%s", answer, question ? "\n\n" : "", question ? question : "");
	channel_split(channel, view_of(whole), &parts);
	if (turn_answer(inst->store, &worker->turn,
		    &(struct answer){
			    .kind = OUTBOX_ANSWER,
			    .parts = (const char *const *)parts.list,
			    .part_count = parts.count,
			    .session_id = worker->task ? NULL : session_id,
		    },
		    now, err) < 0)
		return -1;
	return txn_commit(&txn, "answered", err);
}

void turn_done(struct worker *worker)
{
	struct delivery *delivery = worker->desk->delivery;

	watchers_turn(
		worker->desk->inst->watchers, worker->folder, worker->turn.id, "answered");
	delivery_wake(delivery, worker->turn.chat_jid);
	delivery_settled(delivery, worker->turn.chat_jid, worker->turn.last_seq);
	worker_look_for_more(worker);
}

#include "host/worker_parts.h"

#include <inttypes.h>
#include <string.h>

#include "host/context.h"
#include "host/delivery.h"
#include "host/queue.h"
#include "host/skill_turn.h"
#include "host/spending.h"
#include "host/split.h"
#include "store/sessions.h"
#include "util/log.h"
#include "util/timestamp.h"
#include "util/utf8.h"

void worker_typing(struct worker *worker, bool on)
{
	struct channel *channel = host_channel_for(worker->host, worker->turn.chat_jid);

	if (channel && channel->kind->typing)
		channel->kind->typing(channel, worker->turn.chat_jid, on);
}

/* --- what it does next ------------------------------------------------------- */

static void idle_too_long(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	log_debug("the agent of '%s' is idle and ends", worker->folder);
	worker_retire(worker);
}

void worker_become_idle(struct worker *worker)
{
	worker->state = WORKER_IDLE;
	worker->idle_since = uv_now(&worker->host->loop);
	if (worker->agent && worker->task)
		worker_retire(worker); /* its run is gone: cancelled, or the group's now */
	else if (worker->agent)
		uv_timer_start(&worker->timer, idle_too_long,
			(uint64_t)worker->host->limits.idle_seconds * 1000, 0);
	else
		queue_drop(worker->host->queue, worker);
}

/* What an isolated task was told is not for its next run; what has changed is for all. */
static void end_outdated(struct worker *worker)
{
	if (worker->task || worker->outdated)
		worker_retire(worker);
}

void worker_look_for_more(struct worker *worker)
{
	end_outdated(worker);
	uv_timer_stop(&worker->timer);
	turn_release(&worker->turn);
	worker->sent_in_turn = 0;
	worker->idle_since = uv_now(&worker->host->loop);
	queue_line_up(worker->host->queue, worker);
}

static void time_has_come(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	queue_line_up(worker->host->queue, worker);
}

void worker_wait_until(struct worker *worker, int64_t time)
{
	int64_t wait = time - timestamp_clock();

	worker->state = WORKER_WAITING;
	uv_timer_start(&worker->timer, time_has_come, wait > 0 ? (uint64_t)wait : 1, 0);
}

void worker_store_failed(struct worker *worker, const struct error *err)
{
	log_error("group '%s': %s", worker->folder, err->message);
	turn_release(&worker->turn);
	worker_wait_until(worker, timestamp_clock() + 5000);
}

/* --- failures ---------------------------------------------------------------- */

/* What is set wrong and which limit was reached; what the agent itself wrote is in the log. */
void worker_tell_person(struct worker *worker, const char *why)
{
	free(worker->told);
	worker->told = why ? xstrdup(why) : NULL;
}

/* An agent that was refused its model has nothing to say but that. */
static void tell_if_held(struct worker *worker)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;

	if ((worker->progress.asked ? spending_may_ask : spending_may_begin)(
		    worker->host, worker->folder, &why) < 0)
		worker_tell_person(worker, why.message);
}

static int64_t retry_time(const struct worker *worker)
{
	return timestamp_clock() +
	       host_backoff(worker->host->limits.retry_ms, 4, worker->turn.failures);
}

static int give_up(struct worker *worker, const char *detail, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	struct host *host = worker->host;
	CLEANUP(freep)
	char *text = xasprintf("Sorry, I could not %s%s%s. "
			       "'nanoclaw trace t%" PRId64 "' explains what happened.",
		worker->turn.run ? "do a scheduled task" : "answer this",
		worker->told ? ": " : "", worker->told ? worker->told : "", worker->turn.id);
	struct answer answer = {
		.kind = OUTBOX_ERROR,
		.parts = (const char *const[]){text},
		.part_count = 1,
		.error = detail,
	};
	int64_t now = timestamp_clock();
	char *none;

	if (txn_begin(&txn, host->store, err) < 0 ||
		ledger_attempt_ended(
			host->store, &worker->turn, ATTEMPT_FAILED, detail, 0, now, err) < 0 ||
		skill_turn_ended(host->store, &worker->turn, NULL, now, &none, err) < 0 ||
		ledger_answer(host->store, &worker->turn, &answer, now, err) < 0)
		return -1;
	return txn_commit(&txn, "given-up", err);
}

void worker_turn_failed(struct worker *worker, const char *why, bool again)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *detail = xstrdup(why);
	struct host *host = worker->host;
	int64_t retry = retry_time(worker);

	worker_typing(worker, false);
	if (strlen(detail) > WORKER_MAX_DETAIL)
		detail[utf8_valid_len((struct view){detail, WORKER_MAX_DETAIL})] = '\0';
	again = again && worker->turn.failures + 1 < host->limits.failures;
	log_warning("group '%s', turn t%" PRId64 ": %s; %s", worker->folder, worker->turn.id,
		detail, again ? "it is tried again" : "it is given up");
	if (again) {
		if (ledger_attempt_ended(host->store, &worker->turn, ATTEMPT_FAILED, detail,
			    retry, timestamp_clock(), &err) < 0) {
			worker_store_failed(worker, &err);
			return;
		}
		turn_release(&worker->turn);
		end_outdated(worker);
		worker_wait_until(worker, retry);
		return;
	}
	if (!worker->told)
		tell_if_held(worker);
	if (give_up(worker, detail, &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	delivery_wake(host->delivery, worker->turn.chat_jid);
	worker_look_for_more(worker);
}

void worker_start_afresh(struct worker *worker, const char *why)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct host *host = worker->host;

	log_note("group '%s': session %s cannot be resumed, a new one begins: %s",
		worker->folder, worker->resumed, why);
	if (txn_begin(&txn, host->store, &err) < 0 ||
		store_session_forget(host->store, worker->folder, &err) < 0 ||
		ledger_attempt_ended(host->store, &worker->turn, ATTEMPT_FRESH, why, 0,
			timestamp_clock(), &err) < 0 ||
		txn_commit(&txn, "afresh", &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	worker_look_for_more(worker);
}

/* --- answers ----------------------------------------------------------------- */

/* With a question about the skill that it was, if it is time to ask (skill_feedback.h). */
int worker_answer_with(struct worker *worker, const char *text, const char *session_id,
	int64_t now, struct error *err)
{
	CLEANUP(split_parts_release) struct split_parts parts = {0};
	CLEANUP(freep) char *question = NULL;
	CLEANUP(freep) char *whole = NULL;
	struct host *host = worker->host;
	struct channel *channel = host_channel_for(host, worker->turn.chat_jid);

	if (skill_turn_ended(host->store, &worker->turn, text, now, &question, err) < 0)
		return -1;
	whole = question ? xasprintf("%s\n\n%s", text, question) : xstrdup(text);
	split_text(view_of(whole), channel ? channel->max_text : 0, &parts);
	return ledger_answer(host->store, &worker->turn,
		&(struct answer){
			.kind = OUTBOX_ANSWER,
			.parts = (const char *const *)parts.list,
			.part_count = parts.count,
			.session_id = worker->task ? NULL : session_id,
		},
		now, err);
}

int worker_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) char *stripped = context_strip(text);
	struct store *store = worker->host->store;

	if (txn_begin(&txn, store, err) < 0 ||
		worker_answer_with(worker, stripped, session_id, timestamp_clock(), err) < 0)
		return -1;
	return txn_commit(&txn, "answered", err);
}

void worker_turn_done(struct worker *worker)
{
	struct delivery *delivery = worker->host->delivery;

	delivery_wake(delivery, worker->turn.chat_jid);
	delivery_settled(delivery, worker->turn.chat_jid, worker->turn.last_seq);
	worker_look_for_more(worker);
}

#include "host/money/spending.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/chat/delivery.h"
#include "host/money/budget.h"
#include "host/money/prices.h"
#include "host/skill/skill_turn.h"
#include "ledger/outbox.h"
#include "ledger/task_runs.h"
#include "proc/log.h"
#include "time/timestamp.h"

/*
 * Usage that the store has not recorded yet. At most one entry per open request: new requests
 * wait for it.
 */
struct unsaved {
	struct unsaved *next;
	struct usage_entry entry;
	char *folder;
	char *model;
	int64_t at;
};

struct spending {
	struct installation *inst;
	struct delivery *delivery;
	struct unsaved *first;
	struct unsaved **last;
	struct prices prices;
};

struct spending *spending_new(struct installation *inst, struct delivery *delivery)
{
	struct spending *spending = xcalloc(1, sizeof(*spending));

	spending->inst = inst;
	spending->delivery = delivery;
	spending->last = &spending->first;
	return spending;
}

static void drop_first(struct spending *spending)
{
	struct unsaved *first = spending->first;

	spending->first = first->next;
	if (!spending->first)
		spending->last = &spending->first;
	free(first->folder);
	free(first->model);
	free(first);
}

void spending_free(struct spending *spending)
{
	if (!spending)
		return;
	while (spending->first)
		drop_first(spending);
	prices_release(&spending->prices);
	free(spending);
}

static struct budget_desk desk_of(struct spending *spending)
{
	return (struct budget_desk){spending->inst->store, spending->inst->root,
		&spending->inst->settings, &spending->inst->containers};
}

/* --- messages ---------------------------------------------------------------- */

/* The key of a message about a limit. */
static char *about_line(
	const char *what, const struct budget *budget, const struct budget_line *line)
{
	return xasprintf("budget-%s-%s-%s-%s-%" PRId64, what,
		line->total ? "*" : budget->folder, budget_kind_name(line->kind), line->period,
		line->limit);
}

/* Tells the owner of each limit that is used up, or soon will be. */
static int tell_lines(struct spending *spending, const struct budget *budget, struct error *err)
{
	for (size_t i = 0; i < budget->count; i++) {
		const struct budget_line *line = &budget->lines[i];
		bool used_up = budget_line_is_used_up(line);
		CLEANUP(freep) char *amount = NULL, *until = NULL, *remedy = NULL;
		CLEANUP(freep) char *about = NULL, *who = NULL, *text = NULL;

		if (!used_up && !budget_line_is_low(line))
			continue;
		about = about_line(used_up ? "paused" : "low", budget, line);
		who = line->total ? xstrdup("All groups together have")
				  : xasprintf("The group '%s' has", budget->folder);
		amount = budget_line_text(line);
		until = budget_time_text(budget, line->until);
		remedy = budget_remedy(budget, line);
		if (used_up)
			text = xasprintf(
				"%s used %s, and %s paused until %s. To continue now: %s", who,
				amount, line->total ? "are" : "is", until, remedy);
		else
			text = xasprintf("%s used %s. When that is used up, %s paused until "
					 "%s. To allow more: %s",
				who, amount, line->total ? "they are" : "it is", until, remedy);
		if (delivery_notice_main(spending->delivery, NULL, about, text, err) < 0)
			return -1;
	}
	return 0;
}

/* --- counting ---------------------------------------------------------------- */

/* Usage is counted even if a limit is faulty. */
static int tell_state(struct spending *spending, const struct usage_entry *entry,
	const char *folder, int64_t now, struct error *err)
{
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(freep) char *about = NULL;
	CLEANUP(freep) char *text = NULL;
	struct budget_desk desk = desk_of(spending);
	bool limited = false; /* in dollars */

	if (budget_look(&desk, folder, now, &budget, &wrong) < 0) {
		log_warning("the budget of '%s' cannot be read: %s", folder, wrong.message);
		return 0;
	}
	if (tell_lines(spending, &budget, err) < 0)
		return -1;
	for (size_t i = 0; i < budget.count; i++)
		limited |= budget.lines[i].kind != BUDGET_DAILY_TOKENS;
	if (!entry->figures.unpriced || !limited)
		return 0;
	about = xasprintf("budget-unpriced-%s-%.7s", entry->model, budget.day);
	text = xasprintf("The price of the model '%s' is not known, so limits in dollars count "
			 "it like the most expensive model. Set it in '%s'.",
		entry->model, PRICES_FILE);
	return delivery_notice_main(spending->delivery, NULL, about, text, err);
}

static int save_all(struct spending *spending, struct error *err)
{
	struct budget_desk desk = desk_of(spending);

	while (spending->first) {
		CLEANUP(txn_end) struct txn txn = TXN_INIT;
		CLEANUP(budget_release) struct budget of_all = BUDGET_INIT;
		const struct unsaved *unsaved = spending->first;
		struct usage_entry entry = unsaved->entry;

		/* Which day it is where the installation is. */
		if (budget_look(&desk, NULL, unsaved->at, &of_all, err) < 0 ||
			txn_begin(&txn, spending->inst->store, err) < 0)
			return -1;
		entry.day = of_all.day;
		if (store_usage_add(spending->inst->store, &entry, unsaved->at, err) < 0 ||
			tell_state(spending, &entry, unsaved->folder, unsaved->at, err) < 0 ||
			txn_commit(&txn, "usage", err) < 0)
			return -1;
		drop_first(spending);
	}
	return 0;
}

static void add_usage(struct spending *spending, const struct usage_entry *entry)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct unsaved *unsaved = xcalloc(1, sizeof(*unsaved));

	unsaved->entry = *entry;
	unsaved->at = timestamp_clock();
	unsaved->entry.group_folder = unsaved->folder = xstrdup(entry->group_folder);
	unsaved->entry.model = unsaved->model = xstrdup(entry->model);
	*spending->last = unsaved;
	spending->last = &unsaved->next;
	if (save_all(spending, &err) < 0)
		log_error("the usage of '%s' is not stored yet: %s", entry->group_folder,
			err.message);
}

void spending_used(struct spending *spending, const char *folder, int64_t turn,
	const struct api_usage *usage)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	struct prices *prices = &spending->prices;
	struct usage_entry entry = {
		.group_folder = folder,
		.turn = turn,
		.model = usage->model,
		.source = USAGE_API,
		.figures =
			{
				.requests = 1,
				.input_tokens = usage->input,
				.output_tokens = usage->output,
				.cache_read_tokens = usage->cache_read,
				.cache_write_tokens = usage->cache_write,
				.estimated = usage->is_estimate,
			},
	};

	if (prices_update(spending->inst->root, prices, &wrong) < 0)
		log_warning("%s; using the default prices", wrong.message);
	entry.figures.unpriced = !prices_cost(prices, usage, &entry.figures.cost_micro_usd);
	add_usage(spending, &entry);
}

void spending_reported(struct spending *spending, const char *folder, int64_t turn,
	const struct stream_usage *usage)
{
	struct usage_entry entry = {
		.group_folder = folder,
		.turn = turn,
		.model = "",
		.source = USAGE_AGENT,
		.figures =
			{
				.requests = 1,
				.input_tokens = usage->input_tokens,
				.output_tokens = usage->output_tokens,
				.cache_read_tokens = usage->cache_read_tokens,
				.cache_write_tokens = usage->cache_write_tokens,
				.cost_micro_usd = usage->cost_micro_usd,
			},
	};

	if (usage->given)
		add_usage(spending, &entry);
}

/* --- limits ------------------------------------------------------------------ */

/* `has_model`: the running agent uses one, even if container.json has changed since. */
static int may_spend(
	struct spending *spending, const char *folder, bool has_model, struct error *err)
{
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(freep) char *reason = NULL;
	struct budget_desk desk = desk_of(spending);
	const struct budget_line *line;

	if (save_all(spending, err) < 0)
		return error_prefix(err, "earlier usage cannot be stored");
	if (budget_look(&desk, folder, timestamp_clock(), &budget, err) < 0)
		return error_prefix(err, "the budget of '%s' cannot be read", folder);
	budget.is_free = budget.is_free && !has_model;
	line = budget_used_up(&budget);
	if (!line)
		return 0;
	reason = budget_reason(&budget, line);
	return error_set(err, ERROR_INVALID, "%s", reason);
}

int spending_may_ask(struct spending *spending, const char *folder, struct error *err)
{
	return may_spend(spending, folder, true, err);
}

int spending_may_begin(struct spending *spending, const char *folder, struct error *err)
{
	return may_spend(spending, folder, false, err);
}

static int tell_chats(struct spending *spending, const struct budget *budget,
	const struct budget_line *line, struct error *err)
{
	CLEANUP(buf_release) struct buf chats = BUF_INIT;
	CLEANUP(freep) char *until = budget_time_text(budget, line->until);
	CLEANUP(freep) char *about = about_line("told", budget, line);
	CLEANUP(freep)
	char *text = xasprintf(
		"I am paused until %s, because the budget is used up. Your messages are kept and answered then.",
		until);
	struct view rest;
	struct view chat;

	if (turn_waiting_chats(spending->inst->store, budget->folder, &chats, err) < 0)
		return -1;
	rest = view_of_buf(&chats);
	while (view_next(&rest, '\n', &chat)) {
		CLEANUP(freep) char *jid = xmemdupz(chat.data, chat.len);
		CLEANUP(freep) char *key = xasprintf("%s-%s-%s", about, budget->folder, jid);

		if (delivery_notice(spending->delivery, budget->folder, jid, key, text, err) <
			0)
			return -1;
	}
	return 0;
}

/* 1 if the group has work that must wait; the waiting chats are notified. */
static int hold_group(struct spending *spending, const char *folder, const char *task,
	int64_t *ret_until, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(freep) char *reason = NULL;
	struct budget_desk desk = desk_of(spending);
	const struct budget_line *line;
	int64_t now = timestamp_clock();
	bool has_work;
	bool is_free = false;

	if (budget_look(&desk, folder, now, &budget, err) < 0)
		return -1;
	line = budget_used_up(&budget);
	if (!line)
		return 0;
	if (!task && skill_turn_is_free(spending->inst->store, folder, now, &is_free, err) < 0)
		return -1;
	if (is_free)
		return 0;
	if (turn_has_work(spending->inst->store, folder, task, &has_work, err) < 0)
		return -1;
	if (!has_work)
		return 0;
	reason = budget_reason(&budget, line);
	if (txn_begin(&txn, spending->inst->store, err) < 0 ||
		tell_lines(spending, &budget, err) < 0 ||
		tell_chats(spending, &budget, line, err) < 0 ||
		task_run_skip_waiting(spending->inst->store, folder, reason, now, err) < 0 ||
		txn_commit(&txn, "paused", err) < 0)
		return -1;
	*ret_until = line->until;
	return 1;
}

/* A budget that cannot be read is reported when the turn begins, or refused at the gate. */
bool spending_hold(
	struct spending *spending, const char *folder, const char *task, int64_t *ret_until)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int held = hold_group(spending, folder, task, ret_until, &err);

	if (held < 0)
		log_warning("group '%s': %s", folder, err.message);
	return held > 0;
}

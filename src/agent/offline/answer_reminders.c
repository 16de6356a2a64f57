/*
 * Setting a reminder, or asking back about one.
 *
 * An uncertain reminder is not set: the answer shows how it was understood, and the reminder
 * stays in `asked_reminder` until the next message, which may say "yes", "no, at 5am",
 * "tomorrow", or what the reminder is about.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/offline/calendar.h"
#include "agent/offline/host_call.h"
#include "agent/offline/memory.h"
#include "agent/offline/offline.h"
#include "format/json.h"
#include "time/timestamp.h"

void reminder_free(struct reminder *reminder)
{
	if (!reminder)
		return;
	zone_free(reminder->zone);
	when_release(&reminder->when);
	reminder_free(reminder->next);
	free(reminder->group);
	free(reminder->moved);
	free(reminder);
}

void reminder_freep(struct reminder **reminder)
{
	reminder_free(*reminder);
}

/* --- understanding ----------------------------------------------------------- */

struct reminder *reminder_new(const struct turn_request *turn, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct reminder *reminder = xcalloc(1, sizeof(*reminder));
	int64_t clock = timestamp_clock();
	int64_t said;

	/* "In 20 minutes" counts from when it was written, however long it was on the way. */
	if (timestamp_parse(view_of(turn->message->time), &said, &ignored) < 0 || said > clock)
		said = clock;
	reminder->said = said / 1000;
	if (calendar_zone(turn->offline->folder, &reminder->zone, err) < 0) {
		reminder_free(reminder);
		return NULL;
	}
	reminder->now = zone_local(reminder->zone, reminder->said, NULL);
	return reminder;
}

/* Switch to the zone in the message, if any; the caller then has to read the time again. */
static int use_zone(struct reminder *reminder, bool *ret_changed, struct error *err)
{
	const char *name = reminder->when.zone;
	struct zone *zone;

	*ret_changed = *name && strcmp(name, zone_name(reminder->zone)) != 0;
	if (!*ret_changed)
		return 0;
	if (zone_open(name, &zone, err) < 0)
		return -1;
	zone_free(reminder->zone);
	reminder->zone = zone;
	reminder->now = zone_local(zone, reminder->said, NULL);
	return 0;
}

static int read_reminder(struct reminder *reminder, const char *text, struct error *err)
{
	struct when_context context = {.now = &reminder->now};
	bool changed;

	when_read(view_of(text), &context, &reminder->when);
	if (use_zone(reminder, &changed, err) < 0)
		return -1;
	if (changed) {
		when_release(&reminder->when);
		when_read(view_of(text), &context, &reminder->when);
	}
	if (!*reminder->when.what && reminder->when.wish != WISH_REMIND) {
		free(reminder->when.what);
		reminder->when.what = xstrdup(
			reminder->when.wish == WISH_TIMER ? "the time is up" : "wake up");
	}
	return 0;
}

/* --- saying ------------------------------------------------------------------ */

static void describe_reminder(const struct reminder *reminder, struct buf *out)
{
	const struct when *when = &reminder->when;
	struct civil at;

	if (when->kind == WHEN_REPEAT) {
		calendar_describe_schedule(schedule_type_name(when->type), when->value, out);
	} else if (when->kind == WHEN_IN) {
		at = zone_local(reminder->zone, reminder->said + when->seconds, NULL);
		calendar_describe(&at, out);
	} else {
		for (size_t i = 0; i < when->count; i++) {
			buf_append_str(out, !i ? "" : i + 1 < when->count ? "; " : " and ");
			calendar_describe(&when->at[i], out);
		}
	}
}

/* Is it by the clock, and nobody has said whose? */
static bool needs_zone(const struct turn_request *turn, const struct reminder *reminder)
{
	const struct when *when = &reminder->when;

	return when->kind != WHEN_IN &&
	       !(when->kind == WHEN_REPEAT && when->type == SCHEDULE_INTERVAL) &&
	       !*when->zone && !calendar_zone_is_known(turn->offline->folder);
}

static void wait_for_zone(const struct turn_request *turn, struct reminder *reminder)
{
	struct reminder **end = &turn->offline->waiting;

	while (*end)
		end = &(*end)->next;
	*end = reminder;
	buf_append_str(turn->out,
		"In which time zone are you? This machine's clock is set to UTC. Say for example "
		"'Berlin' or 'New York', or 'UTC'.");
}

/* Keeps the question for the next message; true if there is one. */
static bool ask_back(const struct turn_request *turn, struct reminder **reminder)
{
	struct buf *out = turn->out;
	struct when *when = &(*reminder)->when;

	if (when->kind == WHEN_CANNOT) {
		buf_appendf(out, "I did not set that. %s", when->why);
	} else if (when->kind != WHEN_NONE && !*when->what) {
		buf_append_str(out, "What should I remind you of? Say, for example, "
				    "'remind me to call mum tomorrow at 9'.");
	} else if (when->kind != WHEN_NONE && needs_zone(turn, *reminder)) {
		/* Before anything is counted on a clock that is not the person's. */
		wait_for_zone(turn, TAKE(*reminder));
		return true;
	} else if (when->kind == WHEN_PAST) {
		buf_append_str(out, "I did not set that: ");
		calendar_describe(&when->at[0], out);
		buf_append_str(out, " has passed. How about ");
		calendar_describe(&when->proposal, out);
		buf_append_str(out, "?");
	} else if (when->kind == WHEN_NONE) {
		buf_append_str(out, "I did not find a time in that. Say for example ");
		buf_appendf(out, "'remind me to %s tomorrow at 9'",
			*when->what && strlen(when->what) < 100 &&
					strcasestr(turn->request->text, "remind me to")
				? when->what
				: "call mum");
		buf_append_str(out, ", '… in 20 minutes' or '… every weekday at 8:15'.");
	} else if (when->ask) {
		buf_append_str(out, "Did you mean ");
		describe_reminder(*reminder, out);
		buf_appendf(out, " (%s): %s?\nI ask because ", zone_name((*reminder)->zone),
			when->what);
		if (when->unused)
			buf_appendf(out, "I did not use '%s'", when->unused);
		else
			buf_append_str(out, when->ask);
		buf_appendf(out, ". Say 'yes', or for example '%s'.",
			when->said.no_unit ? "hours" : "no, at 5am");
	} else {
		return false;
	}
	turn->offline->asked_reminder = TAKE(*reminder);
	return true;
}

static void confirm_reminder(const struct turn_request *turn, const struct reminder *reminder,
	const json_t *task, size_t number)
{
	const struct when *when = &reminder->when;
	struct buf *out = turn->out;
	const char *next_text = json_string_value(json_object_get(task, "nextRunLocal"));
	struct civil next;
	bool known = next_text && calendar_read(next_text, &next);

	if (number)
		buf_append_char(out, '\n');
	if (reminder->group)
		buf_appendf(out, "I will remind the group '%s' ", reminder->group);
	else
		buf_append_str(out, "I will remind you ");
	if (when->kind == WHEN_REPEAT) {
		describe_reminder(reminder, out);
		buf_append_str(out, known ? ", first " : "");
	}
	if (known)
		calendar_describe_from(&next, &reminder->now, out);
	buf_appendf(out, " (%s): %s", zone_name(reminder->zone), when->what);
	if (when->taken && !reminder->confirmed)
		buf_appendf(out, "\nIf you meant something else, tell me: %s.", when->taken);
	buf_appendf(out, "\n'cancel %s' takes it back.", json_member(task, "id"));
}

/* --- setting ----------------------------------------------------------------- */

/* When it is due, for a time that comes once; false if that cannot be. */
static bool find_instant(const struct turn_request *turn, const struct reminder *reminder,
	const struct civil *local, int64_t *ret_instant)
{
	struct buf *out = turn->out;
	struct zone_instants instants;

	if (reminder->when.kind == WHEN_IN) {
		*ret_instant = reminder->said + reminder->when.seconds;
	} else {
		instants = zone_instants(reminder->zone, civil_seconds(local));
		*ret_instant = instants.first;
		if (instants.fit == ZONE_GAP) {
			buf_append_str(out, "I did not set that: ");
			calendar_describe(local, out);
			buf_appendf(out,
				" does not exist in %s, because the clocks go forward then. Please say another time.",
				zone_name(reminder->zone));
			return false;
		}
	}
	if (*ret_instant <= timestamp_clock() / 1000) {
		struct civil at = zone_local(reminder->zone, *ret_instant, NULL);

		buf_append_str(out, "I read this too late: ");
		calendar_describe(&at, out);
		buf_append_str(
			out, " has passed. If you still want it, please say another time.");
		return false;
	}
	return true;
}

char *reminder_value(
	const struct turn_request *turn, const struct reminder *reminder, size_t number)
{
	char text[TIMESTAMP_SIZE];
	int64_t instant;

	if (reminder->when.kind == WHEN_REPEAT)
		return xstrdup(reminder->when.value);
	if (!find_instant(turn, reminder, &reminder->when.at[number], &instant))
		return NULL;
	timestamp_format(instant * 1000, text);
	return xstrdup(text);
}

int reminder_set(const struct turn_request *turn, struct reminder **reminder, struct error *err)
{
	struct reminder *r = *reminder;
	CLEANUP(freep) char *prompt = NULL;
	const char *type =
		r->when.kind == WHEN_REPEAT ? schedule_type_name(r->when.type) : "once";
	size_t count = r->when.kind == WHEN_ONCE ? r->when.count : 1;

	if (r->confirmed && r->when.kind == WHEN_PAST) {
		r->when.kind = WHEN_ONCE;
		r->when.at[0] = r->when.proposal;
		r->when.count = count = 1;
	}
	if (r->confirmed)
		r->when.ask = NULL;
	if (ask_back(turn, reminder))
		return 0;
	prompt = xasprintf(REMINDER_PREFIX "%s", r->when.what);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(json_decrefp) json_t *reply = NULL;
		CLEANUP(freep) char *value = reminder_value(turn, r, i);

		if (!value)
			return 0;
		if (host_call(
			    json_build(
				    "op:s task_id:S schedule_type:s schedule_value:s tz:s prompt:s group:S",
				    r->moved ? "update_task" : "schedule_task", r->moved, type,
				    value, zone_name(r->zone), prompt, r->group),
			    &reply, err) < 0)
			return -1;
		confirm_reminder(turn, r, json_object_get(reply, "task"), i);
	}
	return 0;
}

int answer_remind(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = reminder_new(turn, err);

	size_t end;

	if (!reminder || read_reminder(reminder, turn->request->what, err) < 0)
		return -1;
	reminder->confirmed = turn->request->confirmed;
	if (!reminder->when.ask &&
		request_second(view_of(turn->request->text), "", "", true, &end))
		reminder->when.ask = reminder->when.heard.ask =
			"the end may be a request of its own";
	return reminder_set(turn, &reminder, err);
}

/* --- answers to a question --------------------------------------------------- */

/* Does the message name a zone, even one that there is not? */
static bool is_zone(const struct request *request, const char *name)
{
	CLEANUP(freep) char *near = NULL;

	if (request->kind != REQUEST_UNKNOWN)
		return request->kind == REQUEST_ZONE && *name;
	near = zone_suggest(zone_words(name));
	return near || zone_words(name) != name || when_zone(view_of(name)) ||
	       strpbrk(name, "+/") || !strncasecmp(name, "UTC", 3);
}

int answer_waiting(const struct turn_request *turn, bool *ret_answered, struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = NULL;
	CLEANUP(freep) char *name = xstrdup(turn->request->what);
	CLEANUP(freep) char *near = NULL;
	struct reminder **waiting = &turn->offline->waiting;

	while (*name && strchr(" .!", name[strlen(name) - 1]))
		name[strlen(name) - 1] = '\0';
	if (!is_zone(turn->request, name))
		return 0;
	*ret_answered = true;
	if (zone_find(zone_words(name), &zone, err) < 0) {
		near = zone_suggest(zone_words(name));
		turn->offline->asked = near ? xasprintf("time zone %s", near) : NULL;
		return -1;
	}
	if (memory_set_zone(turn->offline->folder, zone_name(zone), err) < 0)
		return -1;
	while (*waiting) {
		CLEANUP(reminder_freep) struct reminder *reminder = *waiting;

		*waiting = TAKE(reminder->next);
		zone_free(reminder->zone);
		reminder->zone = zone_share(zone);
		reminder->now = zone_local(zone, reminder->said, NULL);
		when_resolve_again(&reminder->when, &reminder->now);
		if (turn->out->len)
			buf_append_char(turn->out, '\n');
		if (reminder_set(turn, &reminder, err) < 0)
			return -1;
	}
	return 0;
}

int answer_asked(const struct turn_request *turn, struct reminder *asked, bool *ret_answered,
	struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = asked;
	struct when corrected;
	bool changed;

	*ret_answered = true;
	if (turn->request->kind == REQUEST_YES) {
		reminder->confirmed = true;
		return reminder_set(turn, &reminder, err);
	}
	if (turn->request->kind != REQUEST_REMIND &&
		when_correct(&reminder->when, view_of(turn->request->text), &reminder->now,
			&corrected)) {
		when_release(&reminder->when);
		reminder->when = corrected;
		if (use_zone(reminder, &changed, err) < 0)
			return -1;
		if (changed)
			when_resolve_again(&reminder->when, &reminder->now);
		return reminder_set(turn, &reminder, err);
	}
	if (!*reminder->when.what && turn->request->kind == REQUEST_UNKNOWN) {
		free(reminder->when.what);
		reminder->when.what =
			xstrdup(turn->request->text +
				(strncasecmp(turn->request->text, "to ", 3) ? 0 : 3));
		return reminder_set(turn, &reminder, err);
	}
	*ret_answered = false;
	return 0;
}

/* "Buy milk tomorrow": a time at its beginning or end, and no word that says what it is for. */
int answer_perhaps_remind(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = reminder_new(turn, err);
	CLEANUP(freep) char *wish = xasprintf("remind me %s", turn->request->what);
	struct when *when;

	if (!reminder || read_reminder(reminder, wish, err) < 0)
		return -1;
	when = &reminder->when;
	if (when->kind == WHEN_NONE || when->kind == WHEN_CANNOT || turn->request->like ||
		strlen(when->what) + 1 >= strlen(turn->request->what))
		return answer_unknown(turn, err);
	if (*when->what && !when->ask)
		when->ask = when->heard.ask = "you did not say 'remind me'";
	return reminder_set(turn, &reminder, err);
}

/* --- for another group ------------------------------------------------------- */

/* The length of this name at the start of `text`, including a "group" after it. */
static size_t name_length(const char *text, const char *name)
{
	size_t len = name ? strlen(name) : 0;

	if (!len || strncasecmp(text, name, len) != 0 || (text[len] && text[len] != ' '))
		return 0;
	return len + (strncasecmp(text + len, " group ", 7) ? 0 : 6);
}

int answer_remind_group(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = NULL;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *wish = NULL;
	const char *folder = NULL;
	size_t longest = 0;
	json_t *group;
	size_t i;

	if (host_call(json_build("op:s", "list_groups"), &reply, err) < 0)
		return -1;
	json_array_foreach(json_object_get(reply, "groups"), i, group) {
		const char *names[] = {json_string_value(json_object_get(group, "name")),
			json_member(group, "folder")};

		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			if (name_length(turn->request->what, names[n]) > longest) {
				longest = name_length(turn->request->what, names[n]);
				folder = names[1];
			}
	}
	if (!folder)
		return answer_unknown(turn, err);
	reminder = reminder_new(turn, err);
	wish = xasprintf("remind me%s", turn->request->what + longest);
	if (!reminder || read_reminder(reminder, wish, err) < 0)
		return -1;
	reminder->group = xstrdup(folder);
	return reminder_set(turn, &reminder, err);
}

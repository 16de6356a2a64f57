/*
 * The tasks of the group: looking at them, changing them, and having one again.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/offline/calendar.h"
#include "agent/offline/forgotten.h"
#include "agent/offline/host_call.h"
#include "agent/offline/offline.h"
#include "format/json.h"
#include "time/phrase/word_list.h"
#include "time/timestamp.h"

#define SNOOZE_SECONDS 600
#define MAX_AGENDA     100

/* --- looking ----------------------------------------------------------------- */

static const char *name_of(const json_t *task)
{
	const char *prompt = json_member(task, "prompt");

	return strncmp(prompt, REMINDER_PREFIX, strlen(REMINDER_PREFIX)) != 0
		       ? prompt
		       : prompt + strlen(REMINDER_PREFIX);
}

/* The task's group if it is not ours: main sees the tasks of every group. */
static const char *other_group(const json_t *task)
{
	const char *own = getenv("NANOCLAW_GROUP");
	const char *group = json_member(task, "group");

	return own && strcmp(own, group) != 0 ? group : "";
}

static bool is_meant(const json_t *task, const char *what)
{
	const char *name = name_of(task);

	return strcasestr(name, what) ||
	       (!strcasecmp(what, "alarm") && !strcmp(name, "wake up")) ||
	       (!strcasecmp(what, "timer") && !strcmp(name, "the time is up"));
}

/* Its zone is shown if it is not the person's own. */
static void print_task(const struct turn_request *turn, const json_t *task, const char *zone)
{
	struct buf *out = turn->out;
	const char *status = json_member(task, "status");
	CLEANUP(buf_release) struct buf when = BUF_INIT;
	struct civil next;

	calendar_describe_schedule(
		json_member(task, "scheduleType"), json_member(task, "scheduleValue"), &when);
	if (!strcmp(status, "paused"))
		buf_appendf(&when, "%spaused", when.len ? "; " : "");
	else if (calendar_read(json_member(task, "nextRunLocal"), &next)) {
		buf_append_str(&when, when.len ? "; next " : "");
		calendar_describe(&next, &when);
	}
	if (out->len)
		buf_append_char(out, '\n');
	if (strcmp(json_member(task, "tz"), zone) != 0)
		buf_appendf(&when, ", %s", json_member(task, "tz"));
	buf_appendf(out, "%s: %s (%s%s%s)", json_member(task, "id"), name_of(task), when.data,
		*other_group(task) ? ", in the group " : "", other_group(task));
}

/* When it comes next; those that are paused come last. */
static int compare_next(const void *a, const void *b)
{
	const json_t *tasks[] = {*(json_t *const *)a, *(json_t *const *)b};
	const char *next[2];

	for (size_t i = 0; i < ARRAY_SIZE(tasks); i++)
		next[i] = !strcmp(json_member(tasks[i], "status"), "paused")
				  ? "~"
				  : json_member(tasks[i], "nextRun");
	return strcmp(next[0], next[1]);
}

/* In the order of time; those that `what` means, or all. */
static int print_tasks(const struct turn_request *turn, const json_t *tasks, const char *what,
	struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = NULL;
	size_t count = json_array_size(tasks);
	CLEANUP(freep) json_t **sorted = xcalloc(count + 1, sizeof(json_t *));

	if (calendar_zone(turn->offline->folder, &zone, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_array_get(tasks, i);
	qsort(sorted, count, sizeof(sorted[0]), compare_next);
	for (size_t i = 0; i < count; i++)
		if (is_meant(sorted[i], what))
			print_task(turn, sorted[i], zone_name(zone));
	return 0;
}

static int list_tasks(json_t **ret_reply, struct error *err)
{
	return host_call(json_build("op:s", "list_tasks"), ret_reply, err);
}

int answer_tasks(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *tasks;

	if (list_tasks(&reply, err) < 0)
		return -1;
	tasks = json_object_get(reply, "tasks");
	if (!json_array_size(tasks))
		buf_append_str(turn->out, "Nothing is scheduled. Say for example "
					  "'remind me to call mum tomorrow at 9'.");
	return print_tasks(turn, tasks, "", err);
}

/* --- changing ---------------------------------------------------------------- */

struct change {
	const char *word; /* as people say it */
	const char *operation;
	const char *done; /* as we report it */
};

static int change_one(const struct turn_request *turn, const struct change *change,
	const char *id, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *task;

	if (host_call(json_build("op:s task_id:s", change->operation, id), &reply, err) < 0)
		return -1;
	task = json_object_get(reply, "task");
	if (turn->out->len)
		buf_append_char(turn->out, '\n');
	buf_appendf(turn->out, "%s: %s", change->done, name_of(task));
	return 0;
}

/* "about the rent": the rent. */
static const char *without_preposition(const char *what)
{
	static const char *const words[] = {"about ", "to ", "for ", "the ", "my ", "an ",
		"den ", "die ", "das ", "de ", "el ", "la "};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncasecmp(what, words[i], strlen(words[i])))
			what += strlen(words[i]);
	return what;
}

/*
 * Find the task by its number, or as the only one whose text has these words; NULL: the latest. No
 * id if that is ambiguous; the answer then says why.
 */
static int find_task(const struct turn_request *turn, const char *what, const char *word,
	char **ret_id, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *last = NULL;
	size_t found = 0;
	json_t *task;
	size_t i;

	*ret_id = NULL;
	if (what && language_number(what) >= 0) {
		*ret_id = xasprintf("%d", language_number(what));
		return 0;
	}
	if (list_tasks(&reply, err) < 0)
		return -1;
	what = what ? without_preposition(what) : NULL;
	json_array_foreach(json_object_get(reply, "tasks"), i, task)
		if (what ? is_meant(task, what)
			 : !last || strcmp(json_member(task, "createdAt"),
					    json_member(last, "createdAt")) > 0) {
			last = task;
			found++;
		}
	if (last && (!what || (found == 1 && *what))) {
		*ret_id = xstrdup(json_member(last, "id"));
		return 0;
	}
	if (!found) {
		buf_append_str(turn->out, "I have no such task. 'tasks' lists them.");
		return 0;
	}
	buf_appendf(turn->out, "Which one? Say '%s' and its number:", word);
	return print_tasks(turn, json_object_get(reply, "tasks"), what, err);
}

static bool is_all(const struct word_list *words)
{
	static const char *const forms[] = {"all", "everything", "all tasks", "all reminders",
		"all my tasks", "all my reminders", "all of them", "every task",
		"every reminder"};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (words->count && word_list_are(words, 0, forms[i]) == words->count)
			return true;
	return false;
}

/* The tasks of this group; those of others are changed one by one. */
static int list_own_tasks(json_t **ret_reply, struct error *err)
{
	const char *own = getenv("NANOCLAW_GROUP");

	return host_call(json_build("op:s group:S", "list_tasks", own), ret_reply, err);
}

static int change_all(
	const struct turn_request *turn, const struct change *change, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *task;
	size_t i;

	if (list_own_tasks(&reply, err) < 0)
		return -1;
	if (!json_array_size(json_object_get(reply, "tasks"))) {
		buf_append_str(turn->out, "Nothing is scheduled.");
		return 0;
	}
	if (!turn->request->confirmed) {
		CLEANUP(freep) char *command = xasprintf("%s all", change->word);

		buf_appendf(turn->out, "That %ss all of these:", change->word);
		if (print_tasks(turn, json_object_get(reply, "tasks"), "", err) < 0)
			return -1;
		buf_append_char(turn->out, '\n');
		offline_ask(turn, command);
		return 0;
	}
	json_array_foreach(json_object_get(reply, "tasks"), i, task)
		if (change_one(turn, change, json_member(task, "id"), err) < 0)
			return -1;
	return 0;
}

static int change_task(
	const struct turn_request *turn, const struct change *change, struct error *err)
{
	CLEANUP(word_list_release) struct word_list words = {0};
	CLEANUP(freep) char *id = NULL;

	word_list_split(view_of(turn->request->what), &words);
	if (is_all(&words))
		return change_all(turn, change, err);
	if (find_task(turn, turn->request->what, change->word, &id, err) < 0)
		return -1;
	return id ? change_one(turn, change, id, err) : 0;
}

int answer_pause(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"pause", "pause_task", "Paused"}, err);
}

int answer_resume(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"resume", "resume_task", "Resumed"}, err);
}

int answer_cancel(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"cancel", "cancel_task", "Cancelled"}, err);
}

/* --- moving ------------------------------------------------------------------ */

/* "30 18" before the rest of a cron expression that has one time of day. */
static char *with_clock(const char *cron, const struct civil *clock)
{
	struct view rest = view_of(cron);
	struct view minute;
	struct view hour;

	if (strpbrk(cron, ";") || !view_next(&rest, ' ', &minute) ||
		!view_next(&rest, ' ', &hour) || memchr(hour.data, ',', hour.len))
		return NULL;
	return xasprintf("%d %d %.*s", clock->minute, clock->hour, VIEW_ARGS(rest));
}

/* The new schedule of a task moved to `to`. NULL on failure; `out` may then say why. */
static char *moved_value(const struct turn_request *turn, struct reminder *reminder,
	const json_t *task, const char *to, const char **ret_type)
{
	struct when *when = &reminder->when;
	struct when before = {.what = (char *)(uintptr_t) ""};
	bool once = !strcmp(json_member(task, "scheduleType"), "once");
	struct civil next;

	*ret_type = json_member(task, "scheduleType");
	if (calendar_read(json_member(task, "nextRunLocal"), &next)) {
		before.said.dates[before.said.date_count++] = (struct date){.kind = DATE_FULL,
			.number = next.day,
			.month = next.month,
			.year = next.year};
		before.said.clocks[before.said.clock_count++] =
			(struct clock){.minute = next.hour * 60 + next.minute};
	}
	if (!when_correct(&before, view_of(to), &reminder->now, when))
		return NULL;
	if (when->kind == WHEN_CANNOT || when->ask) {
		buf_appendf(turn->out, "I did not move that: %s",
			when->kind == WHEN_CANNOT ? when->why : when->ask);
		return NULL;
	}
	if (when->kind == WHEN_PAST) {
		buf_append_str(turn->out, "I did not move that: ");
		calendar_describe(&when->at[0], turn->out);
		buf_append_str(turn->out, " is over.");
		return NULL;
	}
	if (!once && when->kind == WHEN_ONCE && when->count == 1 && before.said.date_count &&
		!memcmp(&when->said.dates[0], &before.said.dates[0], sizeof(struct date)))
		return with_clock(json_member(task, "scheduleValue"), &when->at[0]);
	if (when->kind != WHEN_REPEAT && !once)
		return NULL;
	*ret_type = when->kind == WHEN_REPEAT ? schedule_type_name(when->type) : "once";
	return reminder_value(turn, reminder, 0);
}

/* "3 by an hour": that much later than it would be. */
static char *postponed_value(const struct turn_request *turn, struct reminder *reminder,
	const json_t *task, const char *by)
{
	struct when_context context = {
		.now = &reminder->now, .whole = true, .wish = WISH_TIMER};
	struct when *when = &reminder->when;
	struct civil next;

	when_read(view_of(by), &context, when);
	if (!when->said.has_span || strcmp(json_member(task, "scheduleType"), "once") != 0 ||
		!calendar_read(json_member(task, "nextRunLocal"), &next))
		return NULL;
	when->kind = WHEN_ONCE;
	when->at[0] = civil_of(civil_seconds(&next) + when->said.span.seconds +
			       (int64_t)when->said.span.days * 86400);
	return reminder_value(turn, reminder, 0);
}

static int get_task(
	const char *id, json_t **ret_reply, const json_t **ret_task, struct error *err)
{
	json_t *task;
	size_t i;

	*ret_task = NULL;
	if (list_tasks(ret_reply, err) < 0)
		return -1;
	json_array_foreach(json_object_get(*ret_reply, "tasks"), i, task)
		if (!strcmp(json_member(task, "id"), id))
			*ret_task = task;
	return 0;
}

static void say_moved(const struct turn_request *turn, const json_t *task)
{
	CLEANUP(buf_release) struct buf when = BUF_INIT;
	struct civil next;

	calendar_describe_schedule(
		json_member(task, "scheduleType"), json_member(task, "scheduleValue"), &when);
	buf_appendf(turn->out, "Moved: %s (%s%s", name_of(task), when.len ? when.data : "",
		when.len ? "; next " : "");
	if (calendar_read(json_member(task, "nextRunLocal"), &next))
		calendar_describe(&next, turn->out);
	buf_appendf(turn->out, ", %s)", json_member(task, "tz"));
}

int answer_move(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = reminder_new(turn, err);
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(json_decrefp) json_t *moved = NULL;
	CLEANUP(freep) char *key = offline_message_key(turn);
	CLEANUP(freep) char *what = xstrdup(turn->request->what);
	CLEANUP(freep) char *id = NULL;
	CLEANUP(freep) char *value = NULL;
	const json_t *task;
	const char *type = "once";
	char *to = NULL;
	bool by;

	if (!reminder)
		return -1;
	if (!key)
		return error_set(err, ERROR_FAILED, "the host does not answer");
	to = turn->request->form->list ? turn->request->what : NULL;
	by = !to && !request_split(what, "to", &to) && request_split(what, "by", &to);
	if (!to && !request_split(what, "until|auf|um", &to)) {
		buf_append_str(
			turn->out, "Say for example 'move 3 to 6pm' or 'move 3 to Friday'.");
		return 0;
	}
	if (find_task(turn, to == turn->request->what ? NULL : what, "move", &id, err) < 0)
		return -1;
	if (!id)
		return 0;
	if (get_task(id, &reply, &task, err) < 0)
		return -1;
	if (!task) {
		buf_append_str(turn->out, "I have no such task. 'tasks' lists them.");
		return 0;
	}
	/* Of a turn that is repeated, the time is known: an hour later is not added twice. */
	value = by ? forgotten_find(turn->offline->folder, key) : NULL;
	if (!value)
		value = by ? postponed_value(turn, reminder, task, to)
			   : moved_value(turn, reminder, task, to, &type);
	if (!value && !turn->out->len)
		buf_append_str(turn->out,
			"I cannot move it like that. Say for example 'move 3 to 6pm', 'move 3 "
			"to Friday' or 'move 3 to every day at 9'.");
	if (!value)
		return 0;
	if ((by && forgotten_keep(turn->offline->folder, key, value, err) < 0) ||
		host_call(json_build("op:s task_id:s schedule_type:s schedule_value:s tz:s",
				  "update_task", id, type, value, zone_name(reminder->zone)),
			&moved, err) < 0)
		return -1;
	say_moved(turn, json_object_get(moved, "task"));
	return 0;
}

/* --- once more --------------------------------------------------------------- */

/* This group's latest reminder, and the task that repeats it, if that is still to come; or NULL. */
static int find_latest(json_t **ret_reply, const json_t **ret_latest, const json_t **ret_again,
	struct error *err)
{
	const json_t *latest = NULL;
	const json_t *tasks;
	json_t *task;
	size_t i;

	*ret_again = NULL;
	if (host_call(
		    json_build("op:s all:b group:S", "list_tasks", 1, getenv("NANOCLAW_GROUP")),
		    ret_reply, err) < 0)
		return -1;
	tasks = json_object_get(*ret_reply, "tasks");
	json_array_foreach(tasks, i, task)
		if (!strncmp(json_member(task, "prompt"), REMINDER_PREFIX,
			    strlen(REMINDER_PREFIX)) &&
			strcmp(json_member(task, "lastRun"),
				latest ? json_member(latest, "lastRun") : "") > 0)
			latest = task;
	json_array_foreach(tasks, i, task)
		if (latest &&
			!strcmp(json_member(task, "prompt"), json_member(latest, "prompt")) &&
			!strcmp(json_member(task, "scheduleType"), "once") &&
			!strcmp(json_member(task, "status"), "active") &&
			strcmp(json_member(task, "createdAt"), json_member(latest, "lastRun")) >
				0)
			*ret_again = task;
	*ret_latest = latest;
	return 0;
}

int answer_done(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(json_decrefp) json_t *cancelled = NULL;
	const json_t *latest;
	const json_t *again;

	if (find_latest(&reply, &latest, &again, err) < 0 ||
		(again && host_call(json_build("op:s task_id:s", "cancel_task",
					    json_member(again, "id")),
				  &cancelled, err) < 0))
		return -1;
	buf_append_str(turn->out, "Well done");
	if (latest)
		buf_appendf(turn->out, ": %s", name_of(latest));
	buf_append_str(turn->out, again ? ". I do not remind you of it again." : ".");
	return 0;
}

int answer_snooze(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = reminder_new(turn, err);
	struct when_context context = {.whole = true, .wish = WISH_TIMER};
	const char *until = without_preposition(turn->request->what);
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *latest;
	const json_t *again;

	if (!reminder || find_latest(&reply, &latest, &again, err) < 0)
		return -1;
	if (!latest) {
		buf_append_str(turn->out, "There is no reminder to repeat yet.");
		return 0;
	}
	context.now = &reminder->now;
	if (!strncasecmp(until, "until ", 6))
		until += 6;
	when_read(view_of(until), &context, &reminder->when);
	if (!*until) {
		reminder->when.kind = WHEN_IN;
		reminder->when.seconds = SNOOZE_SECONDS;
	}
	free(reminder->when.what);
	reminder->when.what = xstrdup(name_of(latest));
	if (again)
		reminder->moved = xstrdup(json_member(again, "id"));
	return reminder_set(turn, &reminder, err);
}

/* --- the agenda -------------------------------------------------------------- */

/* The times of a task from `first` until before `last`, in seconds. */
static void add_times(const json_t *task, int64_t first, int64_t last, json_t *list)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	enum schedule_type type;
	int64_t next;

	if (timestamp_parse(view_of(json_member(task, "nextRun")), &next, &ignored) < 0 ||
		schedule_type_parse(json_member(task, "scheduleType"), &type, &ignored) < 0 ||
		schedule_parse(type, json_member(task, "scheduleValue"),
			json_member(task, "tz"), next, &schedule, &ignored) < 0)
		return;
	while (next < last * 1000 && json_array_size(list) < MAX_AGENDA) {
		if (next >= first * 1000)
			json_add(list, "time:I name:s id:s", (next / 1000), name_of(task),
				json_member(task, "id"));
		if (!schedule_next(&schedule, next, &next))
			return;
	}
}

static int compare_times(const void *a, const void *b)
{
	json_int_t left = json_integer_value(json_object_get(*(json_t *const *)a, "time"));
	json_int_t right = json_integer_value(json_object_get(*(json_t *const *)b, "time"));

	return left < right ? -1 : left > right;
}

int answer_agenda(const struct turn_request *turn, struct error *err)
{
	CLEANUP(reminder_freep) struct reminder *reminder = reminder_new(turn, err);
	struct when_context context = {.whole = true};
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(json_decrefp) json_t *list = json_array();
	json_t *sorted[MAX_AGENDA];
	const char *what = turn->request->what;
	struct civil day;
	int64_t first;
	int days = 1;
	json_t *task;
	size_t i;

	if (!reminder)
		return -1;
	context.now = &reminder->now;
	day = reminder->now;
	if (!strcasecmp(what, "this week") || !strcasecmp(what, "the week") ||
		!strcasecmp(what, "diese Woche") || !strcasecmp(what, "esta semana")) {
		days = 8 - (when_weekday(&day) ? when_weekday(&day) : 7);
	} else {
		when_read(view_of(what), &context, &reminder->when);
		if (reminder->when.said.date_count != 1)
			return answer_list(turn, err);
		if (reminder->when.said.dates[0].kind == DATE_NEXT_WEEK)
			days = 7;
		if (reminder->when.said.dates[0].kind != DATE_IN_DAYS ||
			reminder->when.said.dates[0].number)
			day = reminder->when.at[0];
	}
	day.hour = day.minute = day.second = 0;
	if (list_tasks(&reply, err) < 0)
		return -1;
	first = civil_seconds(&day);
	json_array_foreach(json_object_get(reply, "tasks"), i, task)
		add_times(task, zone_instants(reminder->zone, first).first,
			zone_instants(reminder->zone, first + (int64_t)days * 86400).first,
			list);
	for (i = 0; i < json_array_size(list); i++)
		sorted[i] = json_array_get(list, i);
	qsort(sorted, i, sizeof(sorted[0]), compare_times);
	for (i = 0; i < json_array_size(list); i++) {
		struct civil at = zone_local(reminder->zone,
			json_integer_value(json_object_get(sorted[i], "time")), NULL);

		buf_append_str(turn->out, i ? "\n" : "");
		calendar_describe(&at, turn->out);
		buf_appendf(turn->out, ": %s (%s)", json_member(sorted[i], "name"),
			json_member(sorted[i], "id"));
	}
	if (!i)
		buf_append_str(turn->out, "Nothing.");
	return 0;
}

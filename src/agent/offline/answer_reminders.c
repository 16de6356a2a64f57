#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/offline/calendar.h"
#include "agent/offline/host_call.h"
#include "agent/offline/moment.h"
#include "agent/offline/offline.h"
#include "agent/offline/phrases.h"
#include "agent/offline/words.h"
#include "util/duration.h"
#include "util/json.h"
#include "util/timestamp.h"

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

/* --- setting one ------------------------------------------------------------- */

struct setting {
	const struct turn_request *turn;
	struct zone *zone;
	int64_t said; /* when, in seconds */
	struct civil now;
	struct phrase phrase;
};

static void setting_release(struct setting *setting)
{
	zone_free(setting->zone);
	phrase_release(&setting->phrase);
}

/* "In 20 minutes" counts from when it was written, however long it was on the way. */
static int64_t time_of(const struct prompt_message *message)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t clock = timestamp_clock();
	int64_t said;

	if (timestamp_parse(view_of(message->time), &said, &ignored) < 0 || said > clock)
		said = clock;
	return said / 1000;
}

static int understand(struct setting *setting, struct error *err)
{
	const struct turn_request *turn = setting->turn;

	if (calendar_zone(turn->offline->folder, &setting->zone, err) < 0)
		return -1;
	setting->said = time_of(turn->message);
	setting->now = zone_local(setting->zone, setting->said, NULL);
	phrase_read(view_of(turn->request->what), &setting->now, &setting->phrase);
	return 0;
}

static void ask_for_more(const struct setting *setting)
{
	struct buf *out = setting->turn->out;
	const char *what = setting->phrase.what;

	switch (setting->phrase.kind) {
	case PHRASE_CANNOT:
		buf_appendf(out, "I did not set that. %s", setting->phrase.why);
		break;
	case PHRASE_PAST:
		buf_append_str(out, "I did not set that: ");
		calendar_describe(&setting->phrase.at, out);
		buf_append_str(out, " is over. How about ");
		calendar_describe(&setting->phrase.proposal, out);
		buf_append_str(out, "?");
		break;
	case PHRASE_NONE:
		buf_append_str(out, "I did not find a time in that. Say for example ");
		buf_appendf(out, "'remind me to %s tomorrow at 9'",
			*what && strlen(what) < 100 ? what : "call mum");
		buf_append_str(out, ", '… in 20 minutes' or '… every weekday at 8:15'.");
		break;
	default:
		buf_append_str(out, "What shall I remind you of? Say for example "
				    "'remind me to call mum tomorrow at 9'.");
		break;
	}
}

/* When it is due, for a time that comes once; false if that cannot be. */
static bool find_instant(const struct setting *setting, int64_t *ret_instant)
{
	const struct phrase *phrase = &setting->phrase;
	struct buf *out = setting->turn->out;
	struct zone_instants instants;

	if (phrase->kind == PHRASE_IN) {
		*ret_instant = setting->said + phrase->seconds;
	} else {
		instants = zone_instants(setting->zone, civil_seconds(&phrase->at));
		*ret_instant = instants.first;
		if (instants.fit == ZONE_GAP) {
			buf_append_str(out, "I did not set that: ");
			calendar_describe(&phrase->at, out);
			buf_appendf(out,
				" does not exist in %s, because the clock is put forward "
				"then. Please say another time.",
				zone_name(setting->zone));
			return false;
		}
	}
	if (*ret_instant <= timestamp_clock() / 1000) {
		struct civil at = zone_local(setting->zone, *ret_instant, NULL);

		buf_append_str(out, "I have read this too late: ");
		calendar_describe(&at, out);
		buf_append_str(out, " is over. If you still want it, please say another time.");
		return false;
	}
	return true;
}

/* The schedule as the host wants it; NULL if there is none, and `out` says why. */
static json_t *schedule_of(const struct setting *setting)
{
	const struct phrase *phrase = &setting->phrase;
	CLEANUP(freep) char *value = NULL;
	const char *type = "once";
	int64_t instant;

	if (phrase->kind == PHRASE_CRON) {
		type = "cron";
		value = xstrdup(phrase->cron);
	} else if (phrase->kind == PHRASE_INTERVAL) {
		type = "interval";
		value = xasprintf("%" PRId64 "%s",
			phrase->seconds % 60 ? phrase->seconds : phrase->seconds / 60,
			phrase->seconds % 60 ? "s" : "m");
	} else if (find_instant(setting, &instant)) {
		char text[TIMESTAMP_SIZE];

		timestamp_format(instant * 1000, text);
		value = xstrdup(text);
	} else {
		return NULL;
	}
	return json_pack("{s:s, s:s, s:s, s:s}", "op", "schedule_task", "schedule_type", type,
		"schedule_value", value, "tz", zone_name(setting->zone));
}

static void confirm(const struct setting *setting, const json_t *task)
{
	const struct phrase *phrase = &setting->phrase;
	struct buf *out = setting->turn->out;
	const char *id = text_of(task, "id");
	struct civil next;
	bool known = calendar_read(text_of(task, "nextRunLocal"), &next);

	buf_append_str(out, "I will remind you ");
	if (phrase->kind == PHRASE_CRON) {
		calendar_describe_cron(phrase->cron, out);
	} else if (phrase->kind == PHRASE_INTERVAL) {
		buf_append_str(out, "every ");
		calendar_describe_span(phrase->seconds, out);
	}
	if (known && (phrase->kind == PHRASE_CRON || phrase->kind == PHRASE_INTERVAL))
		buf_append_str(out, ", first ");
	if (known)
		calendar_describe_from(&next, &setting->now, out);
	buf_appendf(out, " (%s): %s", zone_name(setting->zone), phrase->what);
	if (phrase->taken)
		buf_appendf(out, "\nIf you meant something else, tell me: %s.", phrase->taken);
	buf_appendf(out, "\n'cancel %s' takes it back.", id);
}

static bool wants_to_wake(const char *text)
{
	return strcasestr(text, "wake me") || strcasestr(text, "alarm");
}

int answer_remind(const struct turn_request *turn, struct error *err)
{
	CLEANUP(setting_release) struct setting setting = {.turn = turn};
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *prompt = NULL;
	json_t *request;

	if (understand(&setting, err) < 0)
		return -1;
	if (!*setting.phrase.what && wants_to_wake(turn->request->what)) {
		phrase_release(&setting.phrase);
		setting.phrase.what = xstrdup("wake up");
	}
	if (setting.phrase.kind == PHRASE_NONE || setting.phrase.kind == PHRASE_PAST ||
		setting.phrase.kind == PHRASE_CANNOT || !*setting.phrase.what) {
		ask_for_more(&setting);
		return 0;
	}
	request = schedule_of(&setting);
	if (!request)
		return 0;
	prompt = xasprintf(REMINDER_PREFIX "%s", setting.phrase.what);
	json_object_set_new(request, "prompt", json_text(view_of(prompt)));
	if (host_call(request, &reply, err) < 0)
		return -1;
	confirm(&setting, json_object_get(reply, "task"));
	return 0;
}

/* --- looking ----------------------------------------------------------------- */

static const char *name_of(const json_t *task)
{
	const char *prompt = text_of(task, "prompt");

	return strncmp(prompt, REMINDER_PREFIX, strlen(REMINDER_PREFIX)) != 0
		       ? prompt
		       : prompt + strlen(REMINDER_PREFIX);
}

static void describe_schedule(const json_t *task, struct buf *out)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *type = text_of(task, "scheduleType");
	int64_t ms;

	if (!strcmp(type, "cron"))
		calendar_describe_cron(text_of(task, "scheduleValue"), out);
	else if (!strcmp(type, "interval") &&
		 duration_parse(view_of(text_of(task, "scheduleValue")), &ms, &ignored) == 0) {
		buf_append_str(out, "every ");
		calendar_describe_span(ms / 1000, out);
	}
}

/* The group, if it is another one: main sees the tasks of all. */
static const char *other_group(const json_t *task)
{
	const char *own = getenv("NANOCLAW_GROUP");
	const char *group = text_of(task, "group");

	return own && strcmp(own, group) != 0 ? group : "";
}

static void print_task(const struct turn_request *turn, const json_t *task)
{
	struct buf *out = turn->out;
	const char *status = text_of(task, "status");
	CLEANUP(buf_release) struct buf when = BUF_INIT;
	struct civil next;

	describe_schedule(task, &when);
	if (!strcmp(status, "paused"))
		buf_appendf(&when, "%spaused", when.len ? "; " : "");
	else if (calendar_read(text_of(task, "nextRunLocal"), &next)) {
		buf_append_str(&when, when.len ? "; next " : "");
		calendar_describe(&next, &when);
	}
	if (out->len)
		buf_append_char(out, '\n');
	buf_appendf(out, "%s: %s (%s, %s%s%s)", text_of(task, "id"), name_of(task), when.data,
		text_of(task, "tz"), *other_group(task) ? ", in the group " : "",
		other_group(task));
}

static int list_tasks(json_t **ret_reply, struct error *err)
{
	return host_call(json_pack("{s:s}", "op", "list_tasks"), ret_reply, err);
}

int answer_tasks(const struct turn_request *turn, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *tasks;
	json_t *task;
	size_t i;

	if (list_tasks(&reply, err) < 0)
		return -1;
	tasks = json_object_get(reply, "tasks");
	json_array_foreach(tasks, i, task) print_task(turn, task);
	if (!json_array_size(tasks))
		buf_append_str(turn->out, "Nothing is scheduled. Say for example "
					  "'remind me to call mum tomorrow at 9'.");
	return 0;
}

/* --- changing ---------------------------------------------------------------- */

struct change {
	const char *word; /* what people say */
	const char *operation;
	const char *done; /* what we say */
};

static int change_one(const struct turn_request *turn, const struct change *change,
	const char *id, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *task;

	if (host_call(json_pack("{s:s, s:s}", "op", change->operation, "task_id", id), &reply,
		    err) < 0)
		return -1;
	task = json_object_get(reply, "task");
	if (turn->out->len)
		buf_append_char(turn->out, '\n');
	buf_appendf(turn->out, "%s: %s", change->done, name_of(task));
	return 0;
}

static bool is_meant(const json_t *task, const char *what)
{
	return strcasestr(name_of(task), what) != NULL;
}

/* "about the rent": the rent. */
static const char *without_preposition(const char *what)
{
	static const char *const words[] = {"about ", "to ", "for ", "the "};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncasecmp(what, words[i], strlen(words[i])))
			what += strlen(words[i]);
	return what;
}

/* The one whose text has these words; several are shown. */
static int change_by_words(
	const struct turn_request *turn, const struct change *change, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const char *what = without_preposition(turn->request->what);
	const json_t *last = NULL;
	size_t found = 0;
	json_t *task;
	size_t i;

	if (list_tasks(&reply, err) < 0)
		return -1;
	json_array_foreach(json_object_get(reply, "tasks"), i, task) if (is_meant(task, what))
	{
		last = task;
		found++;
	}
	if (found == 1 && *what)
		return change_one(turn, change, text_of(last, "id"), err);
	if (!found) {
		buf_append_str(turn->out, "I have no such task. 'tasks' lists them.");
		return 0;
	}
	buf_appendf(turn->out, "Which one? Say '%s' and its number:", change->word);
	json_array_foreach(json_object_get(reply, "tasks"), i, task) if (is_meant(task, what))
		print_task(turn, task);
	return 0;
}

static bool is_all(const struct words *words)
{
	static const char *const forms[] = {"all", "everything", "all tasks", "all reminders",
		"all my tasks", "all my reminders", "all of them", "every task",
		"every reminder"};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (words->count && words_are(words, 0, forms[i]) == words->count)
			return true;
	return false;
}

/* Those of this group: what others have set is changed one by one. */
static int list_own_tasks(json_t **ret_reply, struct error *err)
{
	const char *own = getenv("NANOCLAW_GROUP");

	return host_call(
		json_pack("{s:s, s:s*}", "op", "list_tasks", "group", own), ret_reply, err);
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

		json_array_foreach(json_object_get(reply, "tasks"), i, task)
			print_task(turn, task);
		buf_append_char(turn->out, '\n');
		offline_ask(turn, command);
		return 0;
	}
	json_array_foreach(json_object_get(reply, "tasks"), i,
		task) if (change_one(turn, change, text_of(task, "id"), err) < 0) return -1;
	return 0;
}

static int change_task(
	const struct turn_request *turn, const struct change *change, struct error *err)
{
	CLEANUP(words_release) struct words words = {0};
	CLEANUP(freep) char *id = NULL;

	words_split(view_of(turn->request->what), &words);
	if (is_all(&words))
		return change_all(turn, change, err);
	if (words.count != 1 || words_number(&words, 0) < 0)
		return change_by_words(turn, change, err);
	id = xasprintf("%d", words_number(&words, 0));
	return change_one(turn, change, id, err);
}

int answer_pause(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"pause", "pause_task", "Paused"}, err);
}

int answer_resume(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"resume", "resume_task", "It goes on"}, err);
}

int answer_cancel(const struct turn_request *turn, struct error *err)
{
	return change_task(turn, &(struct change){"cancel", "cancel_task", "Cancelled"}, err);
}

#include "agent/offline/offline.h"

#include <stdlib.h>
#include <string.h>

#include "agent/offline/calendar.h"
#include "agent/offline/host_call.h"
#include "base/utf8.h"
#include "format/json.h"
#include "time/timestamp.h"

/* Of a part of a skill, in bytes. */
#define MAX_SHOWN ((size_t)4000)
/* A reminder that comes this much later says so. */
#define LATE_MS ((int64_t)5 * 60 * 1000)

/* --- help -------------------------------------------------------------------- */

#define HELP_NOTES                                                                              \
	"Notes: 'remember …', 'notes', 'notes about …', 'forget 2', 'forget everything'.\n" \
	"Reminders: 'remind me to call mum tomorrow at 5pm', '… in 20 minutes', "             \
	"'… every weekday at 8:15', 'snooze', 'timer 10 minutes'.\n"                          \
	"Tasks: 'tasks', 'what's on today', 'move 1 to 6pm', 'pause 1', 'resume 1', "           \
	"'cancel 1'.\n"                                                                         \
	"Lists: 'add milk and eggs to shopping', 'show shopping', 'take milk off shopping', "   \
	"'clear shopping', 'lists'.\n"                                                          \
	"Time: 'what time is it?', 'time zone Europe/Berlin'."

#define HELP_GROUPS "\nGroups: 'groups', 'chats', 'add group Family', 'remove group Family'."

#define HELP_MODEL                                                                             \
	"I have no model, so this is all that I understand. With one I can talk about "        \
	"anything: the command 'nanoclaw setup' connects one (docs/assistant.md)."

/* Only main can change groups. Without an answer from the host, this is not main. */
static bool is_main(void)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const char *own = getenv("NANOCLAW_GROUP");
	json_t *group;
	size_t i;

	if (!own || host_call(json_build("op:s", "list_groups"), &reply, &ignored) < 0)
		return false;
	json_array_foreach(json_object_get(reply, "groups"), i, group) {
		const char *folder = json_string_value(json_object_get(group, "folder"));

		if (folder && !strcmp(folder, own))
			return json_is_true(json_object_get(group, "isMain"));
	}
	return false;
}

static int answer_help(const struct turn_request *turn, struct error *err)
{
	(void)err;
	if (turn->request->form && turn->request->form->say)
		buf_append_str(turn->out, turn->request->form->say);
	buf_appendf(
		turn->out, "%s%s\n%s", HELP_NOTES, is_main() ? HELP_GROUPS : "", HELP_MODEL);
	return 0;
}

/* The answer that stands in the table of forms. */
static int answer_say(const struct turn_request *turn, struct error *err)
{
	struct view rest = view_of(turn->request->form->say);
	struct view part;

	(void)err;
	for (bool first = true; view_next(&rest, '@', &part); first = false)
		buf_appendf(
			turn->out, "%s%.*s", first ? "" : turn->offline->name, VIEW_ARGS(part));
	return 0;
}

static int answer_yes(const struct turn_request *turn, struct error *err)
{
	(void)err;
	buf_append_str(turn->out, "I did not ask anything. 'help' lists what I can do.");
	return 0;
}

int answer_unknown(const struct turn_request *turn, struct error *err)
{
	const char *like = turn->request->like;

	(void)err;
	if (turn->request->text[0] == '/') {
		buf_append_str(turn->out,
			"I do not know that command; '/skills' lists this group's commands.");
		return 0;
	}
	buf_append_str(turn->out, "I did not understand that");
	if (like && !strcmp(like, "remind"))
		buf_append_str(turn->out, "; did you mean 'remind me …'?");
	else if (like)
		buf_appendf(turn->out, "; did you mean '%s'?", like);
	else
		buf_append_str(turn->out, ": I have no model, only a few commands.");
	buf_append_str(
		turn->out, " 'help' lists what I can do, and says how to give me a model.");
	return 0;
}

/* --- one message ------------------------------------------------------------- */

static int (*const answers[])(const struct turn_request *turn, struct error *err) = {
	[REQUEST_UNKNOWN] = answer_list, /* "shopping list" */
	[REQUEST_ADD_GROUP] = answer_add_group,
	[REQUEST_ADD_ITEM] = answer_add_item,
	[REQUEST_AGENDA] = answer_agenda,
	[REQUEST_ASK] = answer_ask,
	[REQUEST_CANCEL] = answer_cancel,
	[REQUEST_CHATS] = answer_chats,
	[REQUEST_CLEAR_LIST] = answer_clear_list,
	[REQUEST_DONE] = answer_done,
	[REQUEST_FORGET] = answer_forget,
	[REQUEST_GROUPS] = answer_groups,
	[REQUEST_HELP] = answer_help,
	[REQUEST_LIST] = answer_list,
	[REQUEST_LISTS] = answer_lists,
	[REQUEST_MOVE] = answer_move,
	[REQUEST_NO] = answer_say,
	[REQUEST_NOTES] = answer_notes,
	[REQUEST_PAUSE] = answer_pause,
	[REQUEST_REMEMBER] = answer_remember,
	[REQUEST_REMEMBER_ALL] = answer_remember_all,
	[REQUEST_REMIND] = answer_remind,
	[REQUEST_REMIND_GROUP] = answer_remind_group,
	[REQUEST_REMOVE_GROUP] = answer_remove_group,
	[REQUEST_REMOVE_ITEM] = answer_remove_item,
	[REQUEST_RESUME] = answer_resume,
	[REQUEST_SAY] = answer_say,
	[REQUEST_SNOOZE] = answer_snooze,
	[REQUEST_STATE] = answer_state,
	[REQUEST_TASKS] = answer_tasks,
	[REQUEST_TIME] = answer_time,
	[REQUEST_YES] = answer_yes,
	[REQUEST_ZONE] = answer_zone,
};

void offline_release(struct offline *offline)
{
	free(offline->asked);
	reminder_free(offline->asked_reminder);
	reminder_free(offline->waiting);
}

void offline_ask(const struct turn_request *turn, const char *command)
{
	buf_appendf(turn->out, "If you are sure, say 'yes' or 'yes, %s'.", command);
	turn->offline->asked = xasprintf("yes, %s", command);
}

static void append_error(const struct error *err, struct buf *out)
{
	buf_appendf(out, "%sI could not do that: %s", out->len ? "\n" : "", err->message);
	/* Hints with commands are of no use in a chat. */
	if (err->hint && !strstr(err->hint, "nanoclaw "))
		buf_appendf(out, " (%s)", err->hint);
	buf_append_char(out, '.');
}

char *offline_message_key(const struct turn_request *turn)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const char *name = NULL;

	if (host_call(json_build("op:s", "current_turn"), &reply, &ignored) == 0)
		name = json_string_value(json_object_get(reply, "turn"));
	else if (getenv("NANOCLAW_SOCKET"))
		return NULL;
	return xasprintf("%s/%zu/%s", name ? name : turn->message->time, turn->number,
		turn->message->text);
}

/* A voice message or a photo, and no words: which skill reads it? */
static char *answer_file(const char *file)
{
	static const struct {
		const char *attribute;
		const char *what;
		const char *skill;
	} kinds[] = {
		{" kind=\"voice\"", "listen to voice messages", "voice-transcription"},
		{" type=\"audio/", "listen to voice messages", "voice-transcription"},
		{" type=\"application/pdf", "read PDFs", "pdf-reader"},
		{" kind=\"image\"", "see photos", "image-vision"},
		{" type=\"image/", "see photos", "image-vision"},
	};

	if (!strstr(file, "</attachment>"))
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			if (strstr(file, kinds[i].attribute))
				return xasprintf(
					"I cannot %s. The skill '%s' can: 'nanoclaw skill apply %s' "
					"adds it.",
					kinds[i].what, kinds[i].skill, kinds[i].skill);
	return xstrdup("I keep the file, but I have no model that could do something with it.");
}

static char *answer_request(
	struct offline *offline, const struct prompt_message *message, size_t number)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(request_release) struct request request = {0};
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(freep) char *asked = TAKE(offline->asked);
	CLEANUP(reminder_freep)
	struct reminder *asked_reminder = TAKE(offline->asked_reminder);
	const struct reminder *waiting = offline->waiting;
	bool answered = false;
	struct turn_request turn = {offline, &request, message, number, &out};

	if (message->file)
		return answer_file(message->file);
	request_read(view_of(message->text), offline->name, offline->trigger, &request);
	/* A bare "yes" means the command that we last asked about. */
	if (request.kind == REQUEST_YES && asked) {
		request_release(&request);
		request_read(view_of(asked), offline->name, offline->trigger, &request);
	}
	if ((waiting && answer_waiting(&turn, &answered, &err) < 0) ||
		(asked_reminder && !answered &&
			answer_asked(&turn, TAKE(asked_reminder), &answered, &err) < 0) ||
		(!answered && answers[request.kind](&turn, &err) < 0))
		append_error(&err, &out);
	if (!offline->asked_reminder)
		offline->asked_reminder = TAKE(asked_reminder);
	if (request.kind == REQUEST_NO) {
		reminder_free(offline->waiting);
		offline->waiting = NULL;
	} else if (waiting && !answered && !strstr(out.data, "time zone")) {
		buf_appendf(&out,
			"\n\nI still need your time zone for '%s': say for example 'Berlin'.",
			waiting->when.what);
	}
	return buf_take(&out);
}

/* Its requests, one after the other, up to one that is a question to the person. */
static char *answer_message(
	struct offline *offline, const struct prompt_message *message, size_t number)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct prompt_message part = *message;
	struct view rest = view_of(message->text);
	size_t next, end;

	do {
		CLEANUP(freep) char *text = NULL;
		CLEANUP(freep) char *answer = NULL;

		next = request_second(rest, offline->name, offline->trigger, false, &end);
		text = xmemdupz(rest.data, next ? end : rest.len);
		part.text = text;
		answer = answer_request(offline, &part, number);
		buf_appendf(&out, "%s%s", out.len ? "\n" : "", answer);
		rest = view_slice(rest, next, rest.len);
		if (next && (offline->asked || offline->asked_reminder)) {
			buf_appendf(&out, "\nI did not do the rest. Say it then: '%.*s'.",
				VIEW_ARGS(rest));
			break;
		}
	} while (next);
	return buf_take(&out);
}

/* --- a turn ------------------------------------------------------------------ */

/* Says when it was due: the host may have been off. */
static char *late_reminder(const struct offline *offline, const struct prompt_message *task)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	int64_t now = timestamp_clock();
	int64_t due;

	buf_append_str(&out, task->text);
	if (timestamp_parse(view_of(task->time), &due, &ignored) == 0 && due < now - LATE_MS &&
		calendar_zone(offline->folder, &zone, &ignored) == 0) {
		struct civil at = zone_local(zone, due / 1000, NULL);
		struct civil today = zone_local(zone, now / 1000, NULL);

		buf_append_str(&out, "\n(This is late: it was due ");
		calendar_describe_from(&at, &today, &out);
		buf_append_str(&out, ".)");
	}
	return buf_take(&out);
}

/* A due task: a reminder is sent verbatim, a command runs as if the person had just sent it. */
static char *answer_task(struct offline *offline, const struct prompt_message *task)
{
	CLEANUP(request_release) struct request request = {0};

	if (!strncmp(task->text, REMINDER_PREFIX, strlen(REMINDER_PREFIX)))
		return late_reminder(offline, task);
	request_read(view_of(task->text), offline->name, offline->trigger, &request);
	if (request.kind == REQUEST_NOTES || request.kind == REQUEST_TASKS ||
		request.kind == REQUEST_TIME)
		return answer_message(offline, task, 0);
	return xasprintf(
		"It is time for this, and I have no model that could do it: %s", task->text);
}

/* Our own answer to these words, as if the person had said them. */
static char *answer_words(struct offline *offline, const char *words, const char *time)
{
	return answer_message(offline,
		&(struct prompt_message){(char *)(uintptr_t)time, (char *)(uintptr_t)words}, 0);
}

/* As much of it as a person reads in a chat. */
static void add_bounded(const char *text, struct buf *out)
{
	size_t len = strlen(text);

	if (len > MAX_SHOWN)
		len = utf8_valid_len((struct view){text, MAX_SHOWN});
	buf_append(out, text, len);
	if (text[len])
		buf_append_str(out, "\n(and more)");
}

/* A skill needs a model. Without one, the person gets what there is, to do it by hand. */
static char *answer_skill(struct offline *offline, const struct prompt *prompt)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *time = prompt->list[prompt->count - 1].time;
	CLEANUP(freep) char *notes = answer_words(offline, "notes", time);
	CLEANUP(freep) char *tasks = answer_words(offline, "tasks", time);

	buf_appendf(&out,
		"%s. I have no model that could do this for you. Here is how to do it:",
		prompt->skill);
	buf_append_str(&out, "\n\n");
	add_bounded(prompt->instructions, &out);
	if (*prompt->output_format) {
		buf_append_str(&out, "\n\nWhat comes out: ");
		add_bounded(prompt->output_format, &out);
	}
	buf_appendf(&out, "\n\nYour notes:\n%s\n\nComing up:\n%s", notes, tasks);
	return buf_take(&out);
}

char *offline_answer(struct offline *offline, struct view prompt_text)
{
	CLEANUP(prompt_release) struct prompt prompt = {0};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	prompt_read(prompt_text, &prompt);
	if (prompt.skill && prompt.count)
		return answer_skill(offline, &prompt);
	for (size_t i = 0; i < prompt.count; i++) {
		CLEANUP(freep) char *answer = NULL;

		if (prompt.list[i].is_context)
			continue;
		answer = prompt.is_task ? answer_task(offline, &prompt.list[i])
					: answer_message(offline, &prompt.list[i], i);
		buf_appendf(&out, "%s%s", out.len ? "\n\n" : "", answer);
	}
	return buf_take(&out);
}

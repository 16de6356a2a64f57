#include "host/skill/skill_turn.h"

#include <string.h>

#include "base/similar.h"
#include "base/utf8.h"
#include "host/base/trigger.h"
#include "host/chat/context.h"
#include "host/skill/skill_needs.h"
#include "host/skill/skill_prompt.h"
#include "host/skill/skill_tasks.h"
#include "ledger/task_runs.h"
#include "ledger/tasks.h"
#include "userskill/text/command_text.h"
#include "userskill/user_skill_groups.h"

/* Maximum length of the host's own texts, in bytes. */
#define MAX_OWN_ANSWER ((size_t)6000)

/* --- as it arrives ------------------------------------------------------------- */

/* A message, parsed for its command or its answer about a skill. */
struct parsed {
	struct view words; /* without the trigger; for a command, the words after it */
	bool ours;         /* a command, or the answer to a question about a skill */
	bool known;        /* it is answered without a trigger, too */
	bool is_command;
	struct command_text command;
	struct skill_found found; /* the skill of the command */
};

#define PARSED_INIT ((struct parsed){.found = SKILL_FOUND_INIT})

static void parsed_release(struct parsed *parsed)
{
	skill_found_release(&parsed->found);
}

static int parse_command(
	struct store *store, const char *folder, struct parsed *parsed, struct error *err)
{
	const struct command_text *command = &parsed->command;
	CLEANUP(buf_release) struct buf skills = BUF_INIT;
	bool has;

	parsed->words = command->words;
	if (store_skills_of_group(store, folder, &skills, err) < 0)
		return -1;
	has = skills.len > 0;
	parsed->ours = has || !strcmp(command->name, COMMAND_SKILLS);
	parsed->known = has && command_is_reserved(command->name);
	if (!has || parsed->known)
		return 0;
	if (skill_lookup_command(store, folder, command->name, &parsed->found, err) < 0)
		return -1;
	parsed->known = parsed->found.content != NULL;
	return 0;
}

static int parse_message(struct store *store, const struct group *group,
	const struct said *said, struct parsed *ret_parsed, struct error *err)
{
	struct said bare = *said;

	bare.text = ret_parsed->words = trigger_rest(group->trigger, said->text);
	ret_parsed->is_command = command_text_read(bare.text, &ret_parsed->command);
	if (ret_parsed->is_command)
		return parse_command(store, group->folder, ret_parsed, err);
	if (skill_feedback_fits(store, &bare, &ret_parsed->ours, err) < 0)
		return -1;
	ret_parsed->known = ret_parsed->ours;
	return 0;
}

int skill_turn_arrival(struct store *store, const struct group *group, const struct said *said,
	bool *wants_answer, bool *alone, struct error *err)
{
	CLEANUP(parsed_release) struct parsed parsed = PARSED_INIT;

	if (parse_message(store, group, said, &parsed, err) < 0)
		return -1;
	*wants_answer = *wants_answer || parsed.known;
	*alone = parsed.ours;
	return 0;
}

int skill_turn_is_free(
	struct store *store, const char *folder, int64_t now, bool *ret_free, struct error *err)
{
	CLEANUP(parsed_release) struct parsed parsed = PARSED_INIT;
	CLEANUP(waiting_message_release) struct waiting_message next = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;

	*ret_free = false;
	if (turn_next_message(store, folder, &next, err) < 0 ||
		store_group_by_folder(store, folder, &group, err) < 0)
		return -1;
	if (!next.alone || !group.folder)
		return 0;
	if (parse_message(store, &group,
		    &(struct said){folder, next.chat_jid, next.sender, view_of(next.content),
			    next.seq, now},
		    &parsed, err) < 0)
		return -1;
	*ret_free = parsed.ours && !parsed.found.content;
	return 0;
}

/* --- what the host answers by itself ------------------------------------------- */

static int list_commands(
	struct store *store, const char *folder, struct buf *out, struct error *err)
{
	CLEANUP(group_commands_release) struct group_commands commands = {0};

	if (skill_group_commands(store, folder, &commands, err) < 0)
		return -1;
	if (!commands.count) {
		buf_append_str(out,
			"This group has no skills yet. The person who runs me can give it some, with "
			"'nanoclaw user-skill assign'.");
		return 0;
	}
	buf_append_str(out, "You can ask for:\n");
	for (size_t i = 0; i < commands.count; i++)
		buf_appendf(out, "/%s%s%s: %s\n", commands.list[i].name,
			*commands.list[i].arguments ? " " : "", commands.list[i].arguments,
			commands.list[i].help);
	buf_append_str(out, "'/help COMMAND' explains one of them.");
	return 0;
}

static void describe_skill(const struct user_skill *skill, struct buf *out)
{
	buf_appendf(out, "%s (%s)\n", skill->name, skill->version);
	for (size_t i = 0; i < skill->command_count; i++)
		buf_appendf(out, "/%s%s%s%s%s\n", skill->commands[i].name,
			*skill->commands[i].arguments ? " " : "", skill->commands[i].arguments,
			*skill->commands[i].help ? ": " : "", skill->commands[i].help);
	for (size_t i = 0; i < skill->schedule_count; i++)
		buf_appendf(out, "by itself: %s\n", skill->schedules[i].text);
	if (skill->steps.count)
		buf_append_str(out, "\nWhat it does:\n");
	for (size_t i = 0; i < skill->steps.count; i++)
		buf_appendf(out, "- %s\n", skill->steps.list[i].text);
	if (skill->context_count)
		buf_append_str(out, "\nWhat it needs:\n");
	for (size_t i = 0; i < skill->context_count; i++)
		buf_appendf(out, "- %s\n", skill->contexts[i].text);
}

static int answer_unknown(struct store *store, const char *folder, const char *typed,
	struct buf *out, struct error *err)
{
	CLEANUP(group_commands_release) struct group_commands commands = {0};
	struct similar best = similar_to(typed);
	size_t named = 0;

	if (skill_group_commands(store, folder, &commands, err) < 0)
		return -1;
	buf_appendf(out, "There is no '/%s' here.", typed);
	for (size_t i = 0; i < commands.count; i++)
		similar_consider(&best, commands.list[i].name);
	if (best.found)
		buf_appendf(out, " Did you mean '/%s'?", best.found);
	for (size_t i = 0; i < commands.count && named < 5; i++) {
		const char *name = commands.list[i].name;

		if ((best.found && !strcmp(name, best.found)) || name[0] != typed[0])
			continue;
		buf_appendf(out, "%s'/%s'", named++ ? ", " : " There is also ", name);
	}
	buf_append_str(out, " '/skills' lists all of them.");
	return 0;
}

static int answer_help(struct store *store, const char *folder, struct view words,
	struct buf *out, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(freep) char *text = NULL;
	struct command_text command;

	if (!words.len)
		return list_commands(store, folder, out, err);
	text = xasprintf("%s%.*s", words.data[0] == '/' ? "" : "/", (int)words.len, words.data);
	if (!command_text_read(view_of(text), &command))
		return list_commands(store, folder, out, err);
	if (skill_lookup_command(store, folder, command.name, &found, err) < 0)
		return -1;
	if (!found.content)
		return answer_unknown(store, folder, command.name, out, err);
	describe_skill(&found.skill, out);
	return 0;
}

static int answer_feedback(struct store *store, const char *folder, struct view words,
	int64_t now, struct buf *out, struct error *err)
{
	bool taken;

	if (skill_feedback_take(store, folder, words, now, &taken, err) < 0)
		return -1;
	buf_append_str(out, taken       ? "Thank you, that is noted."
			    : words.len ? "There is no open question here; thank you anyway."
					: "Write your feedback after '/feedback'.");
	return 0;
}

/* --- a turn for a skill --------------------------------------------------------- */

/* The subject of such a turn. */
struct asked {
	struct installation *inst;
	const struct turn *turn;
	int64_t now;
	const char *started_by;
	char *text;               /* of the last message that wants an answer, or NULL */
	char *sender;             /* of that */
	size_t count;             /* how many there are */
	struct view words;        /* without the trigger */
	struct skill_found found; /* the skill that it is for */
	char *command;            /* with its slash, or NULL */
};

static void asked_release(struct asked *asked)
{
	free(asked->text);
	free(asked->sender);
	free(asked->command);
	skill_found_release(&asked->found);
}

static void note_message(const struct turn_message *message, void *data)
{
	struct asked *asked = data;

	if (!message->wants_answer)
		return;
	asked->count++;
	free(asked->text);
	free(asked->sender);
	asked->text = xstrdup(message->content);
	asked->sender = xstrdup(message->sender);
}

static int begin_use(struct asked *asked, const char *outcome, struct error *err)
{
	CLEANUP(skill_use_release) struct skill_use earlier = {0};
	const struct turn *turn = asked->turn;
	int64_t id;

	if (store_skill_use_of_turn(asked->inst->store, turn->id, &earlier, err) < 0)
		return -1;
	if (earlier.id)
		return 0;
	return store_skill_use_begin(asked->inst->store,
		&(struct skill_use){
			.skill = (char *)(uintptr_t)asked->found.skill.id,
			.version_id = asked->found.version_id,
			.group = turn->group_folder,
			.started_by = (char *)(uintptr_t)asked->started_by,
			.message = turn->last_seq,
			.turn = turn->id,
			.outcome = (char *)(uintptr_t)outcome,
		},
		asked->now, &id, err);
}

/* The skill and then the messages; or what the skill lacks. */
static int put_before_agent(
	struct asked *asked, struct buf *context, struct buf *answer, struct error *err)
{
	CLEANUP(buf_release) struct buf missing = BUF_INIT;
	struct installation *inst = asked->inst;
	const struct turn *turn = asked->turn;
	const struct channel *channel = installation_channel(inst, turn->chat_jid);

	if (skill_needs_missing(
		    inst, turn->group_folder, &asked->found, asked->words, &missing, err) < 0)
		return -1;
	if (missing.len) {
		buf_appendf(answer, "'%s' cannot be done yet. It still needs:\n%s",
			asked->found.skill.name, missing.data);
		return begin_use(asked, "refused", err);
	}
	skill_prompt_format(&asked->found.skill,
		asked->found.definition == ORIGIN_DATABASE ? asked->found.source : NULL,
		asked->command, channel ? channel->name : "", context);
	if (context_format(inst->store, turn, context, err) < 0)
		return -1;
	return begin_use(asked, "running", err);
}

static int prepare_command(struct asked *asked, struct parsed *parsed, struct buf *context,
	struct buf *answer, struct error *err)
{
	struct store *store = asked->inst->store;
	const char *folder = asked->turn->group_folder;
	const struct command_text *command = &parsed->command;

	if (!strcmp(command->name, COMMAND_SKILLS) || !strcmp(command->name, COMMAND_HELP))
		return answer_help(store, folder, command->words, answer, err);
	if (!strcmp(command->name, COMMAND_FEEDBACK))
		return answer_feedback(store, folder, command->words, asked->now, answer, err);
	if (!parsed->found.content)
		return answer_unknown(store, folder, command->name, answer, err);
	asked->found = parsed->found;
	parsed->found = SKILL_FOUND_INIT;
	asked->words = command->words;
	asked->command = xasprintf("/%s", command->name);
	return put_before_agent(asked, context, answer, err);
}

/* A scheduled task that was made for a skill. */
static int prepare_run(struct asked *asked, struct buf *context, struct buf *answer,
	bool *ret_ours, struct error *err)
{
	CLEANUP(task_run_release) struct task_run run = TASK_RUN_INIT;
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(freep) char *skill = NULL;
	struct store *store = asked->inst->store;
	struct command_text command;

	*ret_ours = false;
	if (task_run_get(store, asked->turn->run, &run, err) < 0 ||
		store_task_get(store, run.task_id, &task, err) < 0)
		return -1;
	skill = skill_task_of(&task);
	if (!skill)
		return 0;
	if (skill_lookup(store, asked->turn->group_folder, skill, &asked->found, err) < 0)
		return -1;
	*ret_ours = true;
	if (!asked->found.content || !asked->found.assigned ||
		!skill_found_usable(&asked->found))
		return 0; /* it was taken away; there is nothing to say */
	asked->words = command_text_read(view_of(task.prompt), &command) ? command.words
									 : view_of(task.prompt);
	asked->started_by = "schedule";
	return put_before_agent(asked, context, answer, err);
}

static int prepare_message(struct asked *asked, struct buf *context, struct buf *answer,
	bool *ret_ours, struct error *err)
{
	CLEANUP(parsed_release) struct parsed parsed = PARSED_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct store *store = asked->inst->store;
	const struct turn *turn = asked->turn;

	if (turn_messages(store, turn, note_message, asked, err) < 0 ||
		store_group_by_folder(store, turn->group_folder, &group, err) < 0)
		return -1;
	*ret_ours = false;
	if (asked->count != 1 || !group.folder)
		return 0;
	if (parse_message(store, &group,
		    &(struct said){group.folder, turn->chat_jid, asked->sender,
			    view_of(asked->text), turn->last_seq, asked->now},
		    &parsed, err) < 0)
		return -1;
	*ret_ours = parsed.ours;
	if (!parsed.ours)
		return 0;
	asked->words = parsed.words;
	if (parsed.is_command)
		return prepare_command(asked, &parsed, context, answer, err);
	return answer_feedback(store, group.folder, parsed.words, asked->now, answer, err);
}

/* A use that an earlier attempt began, and that does not continue. */
static int refuse_earlier(const struct asked *asked, struct error *err)
{
	CLEANUP(skill_use_release) struct skill_use earlier = {0};
	struct store *store = asked->inst->store;

	if (store_skill_use_of_turn(store, asked->turn->id, &earlier, err) < 0)
		return -1;
	return earlier.id ? store_skill_use_end(store, earlier.id, "refused", asked->now, err)
			  : 0;
}

/* A skill's text can be very long, so it is cut for the chat. */
static char *skill_bounded_answer(struct buf *answer)
{
	if (!answer->len)
		return xstrdup("");
	if (answer->len > MAX_OWN_ANSWER) {
		buf_set_len(
			answer, utf8_valid_len((struct view){answer->data, MAX_OWN_ANSWER}));
		buf_append_str(answer, "\n(and more)");
	}
	return buf_take(answer);
}

int skill_turn_prepare(struct installation *inst, const struct turn *turn, int64_t now,
	struct buf *ret_context, char **ret_answer, struct error *err)
{
	CLEANUP(asked_release)
	struct asked asked = {.inst = inst, .turn = turn, .now = now, .started_by = "command"};
	CLEANUP(buf_release) struct buf answer = BUF_INIT;
	bool ours;

	*ret_answer = NULL;
	if ((turn->run ? prepare_run(&asked, ret_context, &answer, &ours, err)
		       : prepare_message(&asked, ret_context, &answer, &ours, err)) < 0)
		return -1;
	if (!ret_context->len && refuse_earlier(&asked, err) < 0)
		return -1;
	if (!ours)
		return context_format(inst->store, turn, ret_context, err);
	if (!ret_context->len)
		*ret_answer = skill_bounded_answer(&answer);
	return 0;
}

/* --- the end -------------------------------------------------------------------- */

/* Is there an answer to ask about? */
static bool may_ask(const struct turn *turn, const char *answer)
{
	struct view text = view_trim(view_of(answer));

	/* A task may be silent, and it has no person to answer a question. */
	return !turn->run && text.len && text.data[text.len - 1] != '?';
}

int skill_turn_ended(struct store *store, const struct turn *turn, const char *answer,
	int64_t now, char **ret_question, struct error *err)
{
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(skill_use_release) struct skill_use use = {0};

	*ret_question = NULL;
	if (store_skill_use_of_turn(store, turn->id, &use, err) < 0)
		return -1;
	if (!use.id || strcmp(use.outcome, "running") != 0)
		return 0;
	if (store_skill_use_end(store, use.id, answer ? "completed" : "failed", now, err) < 0)
		return -1;
	if (!answer || !may_ask(turn, answer))
		return 0;
	if (skill_lookup(store, use.group, use.skill, &found, err) < 0)
		return -1;
	return found.content
		       ? skill_feedback_ask(store, &use, &found.skill, now, ret_question, err)
		       : 0;
}

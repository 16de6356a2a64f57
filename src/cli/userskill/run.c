#include "cli/chat/send.h"
#include "cli/command.h"
#include "cli/userskill/request.h"
#include "userskill/lookup.h"

/* The message that runs the skill in the group. */
static int message_for(const struct arguments *args, char **ret_text, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	const char *id = args->words[0];

	if (skill_look(&assistant, err) < 0 ||
		assistant_group(&assistant, args->words[1], &group, err) < 0 ||
		skill_lookup(assistant.store, group.folder, id, &found, err) < 0)
		return -1;
	if (!found.content)
		return skill_unknown(assistant.store, id, err);
	if (!found.assigned) {
		error_set(err, ERROR_INVALID, "the group '%s' does not have '%s'", group.folder,
			id);
		return error_hint(
			err, "'nanoclaw user-skill assign %s %s' assigns it", id, group.folder);
	}
	if (!skill_found_usable(&found))
		return error_set(err, ERROR_INVALID, "'%s' is %s", id,
			found.gone ? "gone" : skill_status_name(found.status));
	if (!found.skill.command_count)
		return error_set(err, ERROR_INVALID, "'%s' has no command", id);
	*ret_text = args->count == 3
			    ? xasprintf("/%s %s", found.skill.commands[0].name, args->words[2])
			    : xasprintf("/%s", found.skill.commands[0].name);
	return 0;
}

static int run_user_skill_run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *text = NULL;

	if (message_for(args, &text, err) < 0)
		return -1;
	return send_text(cli, args->words[1], text, true, err);
}

static const struct example examples[] = {
	{"nanoclaw user-skill run skill_day_plan_001 main 'only the afternoon'",
		"prints the answer"},
	{0},
};

COMMAND(user_skill_run) = {
	.name = "user-skill run",
	.summary = "run a user skill in a group",
	.usage = "<id> <group> [<text>]",
	.description =
		"Works as if somebody had sent its command and the text in the group. The host must\n"
		"be running, and the group must have the skill. The answer is printed.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 3,
	.completes = {COMPLETE_USER_SKILLS, COMPLETE_GROUPS},
	.run = run_user_skill_run,
};

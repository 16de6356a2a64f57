#include <stdio.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "util/json.h"

/* Which one is it? Asked before anything is locked or changed. */
static int find(const char *word, struct group *ret_group, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;

	if (place_look(&place, err) < 0)
		return -1;
	if (!place.store)
		return error_set(err, ERROR_INVALID, "there are no groups yet");
	return place_group(&place, word, ret_group, err);
}

static int confirm(const struct cli *cli, const struct group *group, struct error *err)
{
	static const char *const choices[] = {"keep it", "delete all of it"};
	CLEANUP(freep)
	char *question = xasprintf("Everything of the group '%s' is deleted: its messages, "
				   "its session, and 'groups/%s' with its memory.",
		group->folder, group->folder);
	struct ask ask = prompt_for(cli);
	int choice;

	if (cli->yes)
		return 0;
	if (!cli->interactive) {
		error_set(err, ERROR_INVALID, "%s Nobody is here to say what to do", question);
		return error_hint(err, "run it on a terminal, or with '--yes' to delete it");
	}
	/* What is deleted does not come back: an empty line keeps it. */
	choice = ask.choose(ask.data, question, choices, ARRAY_SIZE(choices), 0, err);
	if (choice < 0)
		return -1;
	return choice == 1 ? 0 : error_set(err, ERROR_FAILED, "'%s' is kept", group->folder);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;

	if (find(args->words[0], &group, err) < 0)
		return -1;
	if (group.is_main) {
		error_set(err, ERROR_INVALID, "the main group cannot be removed");
		return error_hint(err, "'nanoclaw group add JID NAME --folder main' gives it "
				       "another chat");
	}
	if (confirm(cli, &group, err) < 0 ||
		host_call(json_pack("{s:s, s:s}", "op", "remove_group", "group", group.folder),
			&reply, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b, s:s}", "success", true, "folder", group.folder));
	else
		printf("'%s' is removed\n", group.folder);
	return EXIT_DONE;
}

COMMAND(group_remove) = {
	.name = "group remove",
	.summary = "remove a group with everything that belongs to it",
	.usage = "<group>",
	.description =
		"Deletes its messages, its session and its folder, memory included. Nothing of\n"
		"it is kept, so it asks first; '--yes' answers. The chat can be registered\n"
		"again. The main group cannot be removed.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};

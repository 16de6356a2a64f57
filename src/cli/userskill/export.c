#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/userskill/request.h"
#include "fs/replace.h"
#include "userskill/manage.h"

static int write_to(const char *file, struct view text, bool force, struct error *err)
{
	const char *slash = strrchr(file, '/');
	CLEANUP(freep)
	char *folder = slash == file ? xstrdup("/")
		       : slash       ? xmemdupz(file, (size_t)(slash - file))
				     : xstrdup(".");
	CLEANUP(closep) int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *name = slash ? slash + 1 : file;

	if (!*name)
		return error_set(err, ERROR_INVALID, "'%s' is not a file name", file);
	if (dir < 0)
		return quote_errno_typed(err, "open", folder);
	if (replace_file(dir, name, text, 0644, NULL, force ? 0 : REPLACE_NEW, err) == 0)
		return 0;
	if (err->errnum == EEXIST) {
		error_release(err);
		*err = ERROR_INIT;
		error_set(err, ERROR_INVALID, "'%s' already exists", file);
		return error_hint(err, "'--force' replaces it");
	}
	return -1;
}

static int run_user_skill_export(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *to = arguments_value(args, "to");

	if (skill_look(&assistant, err) < 0 ||
		assistant_group(&assistant, arguments_value(args, "group"), &group, err) < 0 ||
		skill_export(assistant.store, group.folder, args->words[0], &found, &text,
			err) < 0 ||
		(to && write_to(to, view_of_buf(&text), arguments_flag(args, "force"), err) <
				0))
		return -1;
	if (cli->json)
		output_success("skill:s origin:s content:v file:s", found.skill.id,
			skill_origin_name(found.origin), view_of_buf(&text), to);
	else if (to)
		printf("'%s' is written to '%s'\n", found.skill.id, to);
	else
		fwrite(text.data, 1, text.len, stdout);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "force", NULL, "replace an existing file"},
	{0, "group", "GROUP", "this group's variant, if it has one", COMPLETE_GROUPS},
	{0, "to", "FILE", "write it to this file", COMPLETE_FILES},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill export skill_day_plan_001 --to plan.md", "for somebody else"},
	{0},
};

COMMAND(user_skill_export) = {
	.name = "user-skill export",
	.summary = "print a user skill, or write it to a file",
	.usage = "<id>",
	.description =
		"The text comes from the store byte for byte, except that its source and status are\n"
		"the store's. Importing it again gives the same skill.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_USER_SKILLS},
	.run = run_user_skill_export,
};

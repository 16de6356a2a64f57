/* Commands that change one skill: "user-skill assign", "override", "status" and so on. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "cli/userskill/request.h"
#include "format/json.h"
#include "proc/log.h"
#include "userskill/lookup.h"
#include "userskill/text/skill.h"
#include "userskill/user_skill_groups.h"

static bool reply_flag(const json_t *reply, const char *name)
{
	return json_is_true(json_object_get(reply, name));
}

/* --- groups ------------------------------------------------------------------ */

static void print_assigned(const json_t *reply)
{
	const json_t *commands = json_object_get(reply, "commands");
	const char *status = json_member(reply, "status");

	printf("'%s' %s the skill '%s'", json_member(reply, "group"),
		reply_flag(reply, "changed") ? "now has" : "already has",
		json_member(reply, "skill"));
	for (size_t i = 0; i < json_array_size(commands); i++)
		printf("%s/%s", i ? ", " : ": ",
			json_string_value(json_array_get(commands, i)));
	printf("\n");
	if (strcmp(status, "Active") != 0 && strcmp(status, "Refined") != 0)
		log_note("its status is %s; it works when it is Active", status);
}

static int run_user_skill_assign(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(cli, host_request(args, "assign_skill", "skill", "group", NULL),
		print_assigned, err);
}

static void print_unassigned(const json_t *reply)
{
	printf("'%s' %s the skill '%s'\n", json_member(reply, "group"),
		reply_flag(reply, "changed") ? "no longer has" : "did not have",
		json_member(reply, "skill"));
}

static int run_user_skill_unassign(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(cli, host_request(args, "unassign_skill", "skill", "group", NULL),
		print_unassigned, err);
}

static int list_variants(struct cli *cli, const char *word, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(buf_release) struct buf skills = BUF_INIT;
	CLEANUP(json_decrefp) json_t *list = json_array();
	struct view rest, skill;

	if (skill_look(&assistant, err) < 0 ||
		assistant_group(&assistant, word, &group, err) < 0 ||
		store_skill_overrides_of_group(assistant.store, group.folder, &skills, err) < 0)
		return -1;
	rest = view_of_buf(&skills);
	while (view_next(&rest, '\n', &skill)) {
		json_array_append_new(list, json_text(skill));
		if (!cli->json)
			printf("%.*s\n", VIEW_ARGS(skill));
	}
	if (!cli->json && !skills.len)
		printf("'%s' has no variants\n", group.folder);
	if (cli->json)
		output_success("group:s overrides:O", group.folder, list);
	return EXIT_DONE;
}

static void print_dropped(const json_t *reply)
{
	printf("'%s' uses the skill '%s' like all other groups\n", json_member(reply, "group"),
		json_member(reply, "skill"));
}

static void print_overridden(const json_t *reply)
{
	printf("'%s' %s its own variant of '%s'\n", json_member(reply, "group"),
		reply_flag(reply, "changed") ? "now has" : "already has",
		json_member(reply, "skill"));
}

static int run_user_skill_override(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	const char *id = arguments_value(args, "remove");
	CLEANUP(freep) char *path = NULL;

	if (id && args->count != 1)
		return error_set(err, ERROR_INVALID, "'--remove' takes an ID, but no file");
	if (id)
		return host_command(cli,
			json_build("op:s skill:s group:s", "drop_skill_override", id,
				args->words[0]),
			print_dropped, err);
	if (args->count == 1)
		return list_variants(cli, args->words[0], err);
	if (skill_file_path(args->words[args->count - 1], &path, err) < 0)
		return -1;
	return host_command(cli,
		json_build("op:s group:s file:s skill:S", "override_skill", args->words[0],
			path, args->count == 3 ? args->words[1] : NULL),
		print_overridden, err);
}

/* --- definitions ------------------------------------------------------------- */

static void status_print(const json_t *reply)
{
	const char *id = json_member(reply, "skill");
	const char *from = json_member(reply, "from");
	const char *to = json_member(reply, "to");

	if (!strcmp(from, to))
		printf("'%s' is already %s\n", id, to);
	else
		printf("'%s' was %s and is now %s\n", id, from, to);
}

static int status_set(struct cli *cli, const char *id, const char *status, struct error *err)
{
	return host_command(cli,
		json_build("op:s skill:s status:s", "set_skill_status", id, status),
		status_print, err);
}

static int run_user_skill_status(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	return status_set(cli, args->words[0], args->words[1], err);
}

static int run_user_skill_retire(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	return status_set(cli, args->words[0], skill_status_name(STATUS_RETIRED), err);
}

static void print_imported(const json_t *reply)
{
	const char *id = json_member(reply, "skill");

	if (reply_flag(reply, "changed"))
		printf("'%s' is %s as %s\n", id,
			reply_flag(reply, "added") ? "imported" : "updated",
			json_member(reply, "status"));
	else
		printf("'%s' is already imported\n", id);
}

static int run_user_skill_import(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(freep) char *path = NULL;
	json_t *request;

	if (skill_file_path(args->words[0], &path, err) < 0)
		return -1;
	request = host_request(args, "import_skill", NULL);
	json_put(request, "file:s", path);
	return host_command(cli, request, print_imported, err);
}

static void print_removed(const json_t *reply)
{
	printf("'%s' is removed\n", json_member(reply, "skill"));
}

/* Only about a skill that can be removed: the host refuses others with the reason. */
static int skill_confirm_removal(const struct cli *cli, const char *id, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(skill_found_release) struct skill_found found = SKILL_FOUND_INIT;
	CLEANUP(freep) char *question = NULL, *hint = NULL;

	if (cli->yes)
		return 0;
	if (assistant_look(&assistant, err) < 0 ||
		(assistant.store && skill_lookup(assistant.store, NULL, id, &found, err) < 0))
		return -1;
	if (!found.content || found.definition != ORIGIN_DATABASE)
		return 0;
	question = xasprintf("This deletes the imported text of '%s'.", id);
	hint = xasprintf(
		"'nanoclaw user-skill export %s --to FILE' keeps a copy; '--yes' deletes it "
		"without asking",
		id);
	return prompt_loss(cli, question, "delete it", id, hint, err);
}

static int run_user_skill_remove(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	if (skill_confirm_removal(cli, args->words[0], err) < 0)
		return -1;
	return host_command(
		cli, host_request(args, "remove_skill", "skill", NULL), print_removed, err);
}

static const struct example user_skill_assign_examples[] = {
	{"nanoclaw user-skill assign skill_day_plan_001 family", "'/today' works there"},
	{0},
};

COMMAND(user_skill_assign) = {
	.name = "user-skill assign",
	.summary = "give a user skill to a group",
	.usage = "<id> <group>",
	.description =
		"From then on, a message in the group that begins with one of the skill's commands\n"
		"runs the skill, while its status is Active or Refined.",
	.section = SECTION_ASSISTANT,
	.examples = user_skill_assign_examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_USER_SKILLS, COMPLETE_GROUPS},
	.run = run_user_skill_assign,
};

static const struct option user_skill_import_options[] = {
	{0, "source", "SOURCE", NULL},
	{0},
};

static const struct example user_skill_import_examples[] = {
	{"nanoclaw user-skill import packing.md --source marketplace", "a purchased skill"},
	{0},
};

COMMAND(user_skill_import) = {
	.name = "user-skill import",
	.summary = "import a user skill from a file into the store",
	.usage = "<file>",
	.description =
		"The skill is then only in the database, and overrides a library file with the same\n"
		"ID. Without '--source', the source is the one in the file. Importing the same file\n"
		"again changes nothing.",
	.operation = "import_skill",
	.section = SECTION_ASSISTANT,
	.options = user_skill_import_options,
	.examples = user_skill_import_examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_user_skill_import,
};

static const struct option user_skill_override_options[] = {
	{0, "remove", "ID", "remove the variant"},
	{0},
};

static const struct example user_skill_override_examples[] = {
	{"nanoclaw user-skill override family plan.md",
		"the family group now has its own variant"},
	{"nanoclaw user-skill override family --remove skill_day_plan_001", "remove it again"},
	{0},
};

COMMAND(user_skill_override) = {
	.name = "user-skill override",
	.summary = "give a group its own variant of a user skill",
	.usage = "<group> [[<id>] <file>]",
	.description =
		"The file is a complete skill with the ID of the original. It is kept in the store\n"
		"and replaces the original in this group. With only a group, the command lists its\n"
		"variants.",
	.section = SECTION_ASSISTANT,
	.options = user_skill_override_options,
	.examples = user_skill_override_examples,
	.min_arguments = 1,
	.max_arguments = 3,
	.completes = {COMPLETE_GROUPS, COMPLETE_FILES, COMPLETE_FILES},
	.run = run_user_skill_override,
};

COMMAND(user_skill_remove) = {
	.name = "user-skill remove",
	.summary = "delete an imported user skill from the store",
	.usage = "<id>",
	.description =
		"A library file with the same ID applies again. Its uses stay in the history. The\n"
		"command asks first; '--yes' answers.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_USER_SKILLS},
	.run = run_user_skill_remove,
};

COMMAND(user_skill_retire) = {
	.name = "user-skill retire",
	.summary = "take a user skill out of use",
	.usage = "<id>",
	.description =
		"It stays in the store with its history, and in its groups. To use it again:\n"
		"'nanoclaw user-skill status <id> active'.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_USER_SKILLS},
	.run = run_user_skill_retire,
};

static const struct example user_skill_status_examples[] = {
	{"nanoclaw user-skill status skill_day_plan_001 refined", "after a review"},
	{0},
};

static const char *const words[] = {
	"active", "approved", "observed", "proposed", "refined", "retired", NULL};

COMMAND(user_skill_status) = {
	.name = "user-skill status",
	.summary = "change the status of a user skill",
	.usage = "<id> <status>",
	.description =
		"The allowed changes are observed, proposed, approved, active, in this order;\n"
		"between active and refined; from any status to retired, and from there to active.\n"
		"The store records who made the change and when.",
	.section = SECTION_ASSISTANT,
	.examples = user_skill_status_examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_USER_SKILLS, COMPLETE_WORDS},
	.words = words,
	.run = run_user_skill_status,
};

COMMAND(user_skill_unassign) = {
	.name = "user-skill unassign",
	.summary = "take a user skill away from a group",
	.usage = "<id> <group>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_USER_SKILLS, COMPLETE_GROUPS},
	.run = run_user_skill_unassign,
};

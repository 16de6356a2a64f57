#include "cli/words.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/quote.h"
#include "base/similar.h"
#include "cli/command.h"
#include "engine/disk/project.h"
#include "engine/package/package.h"
#include "engine/state/state.h"

/*
 * Commands that this program does not have, and that a package in the project adds.
 */

static bool adds_command(const struct package *package, const char *command)
{
	CLEANUP(freep) char *registered = xasprintf(".name = \"%s\"", command);

	for (size_t i = 0; i < package->manifest.adds.count; i++) {
		const struct relpath *path = &package->manifest.adds.list[i].path;
		CLEANUP(error_release) struct error unreadable = ERROR_INIT;
		CLEANUP(buf_release) struct buf source = BUF_INIT;
		mode_t mode;

		if (view_starts_with(view_of(path->text), "src/cli/") &&
			view_ends_with(view_of(path->text), ".c") &&
			package_read_add(package, path, &source, &mode, &unreadable) == 0 &&
			strstr(source.data, registered))
			return true;
	}
	return false;
}

/*
 * How to get the command, as a sentence for a hint: "the skill 'x' adds it: …". The package's own
 * source says which commands it adds: a file of src/cli with `.name = "<command>"`. NULL: no
 * package in the current project does. To be freed.
 */
static char *added_by_skill(const char *command)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool found;

	if (project_open(&project, &ignored) < 0 ||
		package_list_read(project.root, &packages, &ignored) < 0)
		return NULL;
	for (size_t i = 0; i < packages.count; i++) {
		const char *skill = packages.list[i].manifest.skill;

		if (!strcmp(skill, command))
			return xasprintf("did you mean 'nanoclaw skill apply %s'?", skill);
		if (!adds_command(&packages.list[i], command))
			continue;
		if (state_load(&project, &state, &found, &ignored) == 0 &&
			state_find(&state, skill))
			return xasprintf(
				"the skill '%s' adds it, and is applied: 'nanoclaw rebuild' builds "
				"'.nanoclaw/builds/current/nanoclaw', which has it",
				skill);
		return xasprintf("the skill '%s' adds it: 'nanoclaw skill apply %s --rebuild'",
			skill, skill);
	}
	return NULL;
}

/* Sorted by the typed word. A command may be followed by options. */
static const struct {
	const char *typed;
	const char *command;
	const char *note; /* may be NULL */
} words[] = {
	{"about", "version", NULL},
	{"add", "skill apply", NULL},
	{"apply", "skill apply", NULL},
	{"ask", "send", NULL},
	{"blame", "diff --by", NULL},
	{"bridge", "channel list", "docs/bridge-protocol.md explains how to write a bridge"},
	{"bridges", "channel list", "docs/bridge-protocol.md explains how to write a bridge"},
	{"budget", "usage", "'nanoclaw group config GROUP budget.monthlyDollars 10' sets one"},
	{"budgets", "usage", "'nanoclaw group config GROUP budget.monthlyDollars 10' sets one"},
	{"cancel", "task cancel", "'nanoclaw abort' undoes a paused operation"},
	{"channel add", "channel new", NULL},
	{"channel create", "channel new", NULL},
	{"channel delete", "channel list", "delete 'bridges/NAME.json' to remove a bridge"},
	{"channel remove", "channel list", "delete 'bridges/NAME.json' to remove a bridge"},
	{"channel status", "channel list", NULL},
	{"channel test", "channel check", NULL},
	{"channels", "channel list", NULL},
	{"check", "doctor", "'nanoclaw skill check' is for packages"},
	{"clean", "rebase", NULL},
	{"commands", "help --all", NULL},
	{"commit", "customize record", NULL},
	{"config", "group config", "settings of the assistant are in '.env'"},
	{"configure", "setup", NULL},
	{"cost", "usage", NULL},
	{"costs", "usage", NULL},
	{"cron", "task add", NULL},
	{"customize add", "customize start", NULL},
	{"customize begin", "customize start", NULL},
	{"customize cancel", "customize abort", NULL},
	{"customize delete", "customize remove", NULL},
	{"customize end", "customize commit", NULL},
	{"customize new", "customize start", NULL},
	{"customize save", "customize record", NULL},
	{"customize status", "status", "it shows what you are customizing"},
	{"customize stop", "customize abort", NULL},
	{"debug", "doctor", NULL},
	{"delete", "skill remove", NULL},
	{"disable", "skill remove", NULL},
	{"down", "stop", NULL},
	{"enable", "skill apply", NULL},
	{"exit", "stop", NULL},
	{"explain", "trace", NULL},
	{"export", "backup", NULL},
	{"finish", "continue", NULL},
	{"fix", "doctor --fix", NULL},
	{"follow", "logs -f", NULL},
	{"group create", "group add", NULL},
	{"group delete", "group remove", NULL},
	{"group edit", "group set", NULL},
	{"group info", "group show", NULL},
	{"group new", "group add", NULL},
	{"group register", "group add", NULL},
	{"group rename", "group set --name", NULL},
	{"group rm", "group remove", NULL},
	{"group update", "group set", NULL},
	{"groups", "group list", NULL},
	{"health", "doctor", NULL},
	{"info", "status", "'nanoclaw skill show' is about one skill"},
	{"install", "skill apply", "'nanoclaw service install' runs the assistant at boot"},
	{"jobs", "task list", NULL},
	{"kill", "stop", NULL},
	{"launch", "start", NULL},
	{"list", "skill list", NULL},
	{"lint", "skill check", NULL},
	{"log", "logs", NULL},
	{"login", "setup", NULL},
	{"ls", "skill list", NULL},
	{"man", "help --all", "'man nanoclaw' shows the manual page"},
	{"manual", "help --all", "'man nanoclaw' shows the manual page"},
	{"merge", "merge-file", "'nanoclaw skill apply' merges a skill"},
	{"message", "send", NULL},
	{"messages", "history", NULL},
	{"model", "setup", NULL},
	{"models", "setup", NULL},
	{"new", "skill new", NULL},
	{"open", "chat", NULL},
	{"patch", "customize list", NULL},
	{"patches", "customize list", NULL},
	{"ping", "status", NULL},
	{"ps", "status", NULL},
	{"quit", "stop", NULL},
	{"record", "customize record", NULL},
	{"register", "group add", NULL},
	{"reload", "restart", NULL},
	{"remind", "task add", "in a chat, say 'remind me to …'"},
	{"reminder", "task add", "in a chat, say 'remind me to …'"},
	{"reminders", "task list", NULL},
	{"remove", "skill remove", NULL},
	{"repair", "doctor --fix", NULL},
	{"resolve", "continue", "it walks through the conflicts"},
	{"resume", "continue", "'nanoclaw task resume' is for tasks"},
	{"revert", "undo", NULL},
	{"rm", "skill remove", NULL},
	{"rollback", "undo", NULL},
	{"save", "backup", NULL},
	{"say", "send", NULL},
	{"schedule", "task add", NULL},
	{"search", "skill list", "it lists every skill with its description"},
	{"serve", "run", NULL},
	{"server", "run", NULL},
	{"service start", "service install", NULL},
	{"service stop", "stop", "'nanoclaw service remove' also removes the unit"},
	{"service restart", "restart", NULL},
	{"service uninstall", "service remove", NULL},
	{"settings", "group config", "settings of the assistant are in '.env'"},
	{"shell", "chat", NULL},
	{"show", "skill show", NULL},
	{"skill add", "skill apply", NULL},
	{"skill create", "skill new", NULL},
	{"skill delete", "skill remove", NULL},
	{"skill disable", "skill remove", NULL},
	{"skill enable", "skill apply", NULL},
	{"skill info", "skill show", NULL},
	{"skill init", "skill new", NULL},
	{"skill install", "skill apply", NULL},
	{"skill lint", "skill check", NULL},
	{"skill ls", "skill list", NULL},
	{"skill rm", "skill remove", NULL},
	{"skill search", "skill list", "it lists every skill with its description"},
	{"skill test", "matrix run", NULL},
	{"skill uninstall", "skill remove", NULL},
	{"skill upgrade", "skill update", NULL},
	{"skill validate", "skill check", NULL},
	{"skills", "skill list", NULL},
	{"talk", "chat", NULL},
	{"tail", "logs -f", NULL},
	{"task create", "task add", NULL},
	{"task delete", "task cancel", NULL},
	{"task edit", "task cancel", "cancel it, and add it again with the new time"},
	{"task history", "task runs", NULL},
	{"task new", "task add", NULL},
	{"task remove", "task cancel", NULL},
	{"task rm", "task cancel", NULL},
	{"task show", "task runs", NULL},
	{"task stop", "task pause", NULL},
	{"tasks", "task list", NULL},
	{"test", "verify", "'nanoclaw matrix run' tests combinations of skills"},
	{"tokens", "usage", NULL},
	{"turns", "trace", NULL},
	{"tutorial", "tour", NULL},
	{"uninstall", "skill remove", NULL},
	{"up", "start", NULL},
	{"upgrade", "update", NULL},
	{"user-skill add", "user-skill import", NULL},
	{"user-skill create", "user-skill import", "write a SKILL.md first"},
	{"user-skill delete", "user-skill remove", NULL},
	{"user-skill disable", "user-skill retire", NULL},
	{"user-skill info", "user-skill show", NULL},
	{"user-skill install", "user-skill import", NULL},
	{"user-skill new", "user-skill import", "write a SKILL.md first"},
	{"user-skills", "user-skill list", NULL},
	{"validate", "verify", NULL},
	{"whoami", "status", NULL},
};

/* The command of an entry without its options. To be freed. */
static char *word_command(size_t word)
{
	const char *options = strstr(words[word].command, " -");

	return options ? xmemdupz(words[word].command, (size_t)(options - words[word].command))
		       : xstrdup(words[word].command);
}

/* The entry for the typed word, or -1. A skill may have to add its command first. */
static int word_find(const char *typed)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		CLEANUP(freep) char *command = word_command(i);
		CLEANUP(freep) char *added = NULL;

		if (strcmp(words[i].typed, typed) != 0)
			continue;
		added = command_find(command) ? NULL : added_by_skill(command);
		return command_find(command) || added ? (int)i : -1;
	}
	return -1;
}

static int word_hint(int word, const char *before, struct error *err)
{
	CLEANUP(freep) char *command = word_command((size_t)word);
	CLEANUP(freep) char *added = command_find(command) ? NULL : added_by_skill(command);
	const char *note = added ? added : words[word].note;

	return error_hint(err, "did you mean 'nanoclaw %s%s'?%s%s", before,
		*before ? command : words[word].command, note ? " " : "", note ? note : "");
}

/* `group` is right, and has no command `second`. */
static int member_hint(
	const char *group, const char *second, const char *before, struct error *err)
{
	CLEANUP(freep) char *typed = xasprintf("%s %s", group, second);
	CLEANUP(freep) char *added = added_by_skill(typed);
	const char *suggestion = command_suggest(group, second);

	if (command_find(typed))
		return error_hint(err, "did you mean 'nanoclaw %s%s'?", before, typed);
	if (added)
		return error_hint(err, "%s", added);
	if (word_find(typed) >= 0)
		return word_hint(word_find(typed), before, err);
	if (suggestion)
		return error_hint(
			err, "did you mean 'nanoclaw %s%s %s'?", before, group, suggestion);
	return error_hint(err, "'nanoclaw help %s' lists its commands", group);
}

int words_unknown(const char *first, const char *second, const char *before, struct error *err)
{
	bool in_group = second && command_is_group(first);
	CLEANUP(freep)
	char *typed = in_group ? xasprintf("%s %s", first, second) : xstrdup(first);
	CLEANUP(freep) char *shown = quote(view_of(typed));
	CLEANUP(freep) char *added = NULL;
	struct similar best = similar_to(first);
	const char *suggestion;

	if (command_is_left_out(typed) || (!in_group && command_is_left_out(first))) {
		error_set(err, ERROR_INVALID,
			"%s is a command of the assistant, and this nanoclaw is the skills engine alone",
			shown);
		return error_hint(err,
			"the Debian package 'nanoclaw' has both, and so has a build "
			"without '-Dhost=false'");
	}
	error_set(err, ERROR_INVALID, "%s is not a nanoclaw command", shown);
	if (in_group)
		return member_hint(first, second, before, err);
	added = added_by_skill(first);
	if (added)
		return error_hint(err, "%s", added);
	if (word_find(first) >= 0)
		return word_hint(word_find(first), before, err);
	suggestion = command_suggest(NULL, first);
	if (suggestion && second && command_is_group(suggestion) && !command_find(suggestion))
		return member_hint(suggestion, second, before, err);
	if (suggestion)
		return error_hint(err, "did you mean 'nanoclaw %s%s'?", before, suggestion);
	/* A short word is like too many. */
	for (size_t i = 0; strlen(first) > 4 && i < ARRAY_SIZE(words); i++)
		similar_consider(&best, words[i].typed);
	if (best.found && word_find(best.found) >= 0)
		return word_hint(word_find(best.found), before, err);
	return error_hint(err, "'nanoclaw help --all' lists the commands");
}

#include "cli/service/welcome.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/service/setup_model.h"
#include "host/base/trigger.h"
#include "proc/process.h"

#define NAME_SETTING "ASSISTANT_NAME"

bool welcome_is_due(const struct assistant *assistant)
{
	struct stat st;

	return !settings_get(&assistant->settings, NAME_SETTING) &&
	       fstatat(assistant->project.root, STORE_FOLDER, &st, AT_SYMLINK_NOFOLLOW) < 0;
}

/* --- the name ---------------------------------------------------------------- */

static int welcome_check_name(const char *name, struct error *err)
{
	CLEANUP(freep) char *trigger = xasprintf("@%s", name);

	if (!*name || strlen(name) > TRIGGER_MAX / 2 || strpbrk(name, "\"'\\#@"))
		return error_set(err, ERROR_INVALID,
			"a name has one or two words, without quotes, '#', '@' and '\\'");
	return trigger_check(trigger, err);
}

/* Asks until there is a name. NULL at the end of the input; to be freed. */
static char *ask_name(const char *usual)
{
	CLEANUP(freep) char *question = xasprintf("What should it be called? [%s] ", usual);

	for (;;) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(freep) char *name = NULL;

		if (setup_read_line(question, usual, &name, &err) < 0) {
			printf("\n");
			return NULL;
		}
		if (!strcmp(name, usual) || welcome_check_name(name, &err) == 0)
			return TAKE(name);
		printf("That does not work: %s.\n", err.message);
	}
}

/* --- the words --------------------------------------------------------------- */

/* As it can be typed here: 'nanoclaw', or the path to this program if it is not in PATH. */
static char *program_name(const struct project *project)
{
	CLEANUP(freep) char *found = process_find("nanoclaw");
	CLEANUP(freep) char *self = realpath("/proc/self/exe", NULL);
	size_t len = strlen(project->path);

	if (found || !self)
		return xstrdup("nanoclaw");
	if (!strncmp(self, project->path, len) && self[len] == '/')
		return xstrdup(self + len + 1);
	return TAKE(self);
}

int welcome(const struct cli *cli, struct assistant *assistant, struct error *err)
{
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *program = NULL;
	const char *bold;
	const char *reset;
	bool chats;

	printf("%sWelcome to NanoClaw%s, an assistant that runs on this computer. Everything\n"
	       "that it stores is in '%s'.\n\n",
		output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET),
		assistant->project.path);
	name = ask_name(settings_assistant(&assistant->settings));
	if (!name)
		return error_set(err, ERROR_FAILED, "no name given");
	if (settings_set(assistant->project.root, &(struct new_setting){NAME_SETTING, name}, 1,
		    err) < 0)
		return -1;
	program = program_name(&assistant->project);
	chats = faccessat(assistant->project.root, ".claude/skills/add-telegram", F_OK, 0) == 0;
	bold = output_color(cli, COLOR_BOLD);
	reset = output_color(cli, COLOR_RESET);
	printf("\n"
	       "%sHello, I am %s.%s I keep notes, remind you of things, and look after the\n"
	       "groups that I am in. Try these:\n"
	       "\n"
	       "  remember the key is under the mat\n"
	       "  notes\n"
	       "  remind me to call mum tomorrow at 5pm\n"
	       "  tasks\n"
	       "  help\n"
	       "\n"
	       "A model, so that I can talk about anything:  %s setup\n"
	       "%s%s%s"
	       "The dashboard, for all of this in a browser: %s web\n"
	       "How it all works:                            docs/assistant.md\n"
	       "The skills engine, in a tour:                %s tour\n"
	       "\n",
		bold, name, reset, program,
		chats ? "Telegram, and other chat apps likewise:      " : "",
		chats ? program : "", chats ? " skill apply telegram\n" : "", program, program);
	return 0;
}

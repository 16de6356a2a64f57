#include "cli/service/welcome.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/service/setup_model.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "host/base/trigger.h"
#include "proc/process.h"

#define ENV_FILE     ".env"
#define ENV_MAX      ((size_t)256 * 1024)
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

static bool value_is_plain(const char *value)
{
	for (; *value; value++)
		if (!isalnum((unsigned char)*value) && !strchr("-_.", *value))
			return false;
	return true;
}

/* Does the line set one of these? */
static bool line_sets(struct view line, const struct welcome_setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(settings[i].name);

		if (view_starts_with(line, settings[i].name) && line.len > len &&
			line.data[len] == '=')
			return true;
	}
	return false;
}

int welcome_set(
	int root, const struct welcome_setting *settings, size_t count, struct error *err)
{
	CLEANUP(buf_release) struct buf changed = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct stat st;
	struct view rest, line;

	for (size_t i = 0; i < count; i++)
		if (settings[i].value && strpbrk(settings[i].value, "'\r\n"))
			return error_set(err, ERROR_INVALID,
				"the value of %s cannot be written to '%s'", settings[i].name,
				ENV_FILE);
	if (beneath_path_read_if(root, ENV_FILE, ENV_MAX, &text, err) < 0)
		return -1;
	if (fstatat(root, ENV_FILE, &st, AT_SYMLINK_NOFOLLOW) < 0)
		st.st_mode = 0600;
	rest = view_of_buf(&text);
	while (view_next(&rest, '\n', &line))
		if (!line_sets(line, settings, count))
			buf_appendf(&changed, "%.*s\n", VIEW_ARGS(line));
	/* A shell that sources the file must not find a command in it. */
	for (size_t i = 0; i < count; i++)
		if (settings[i].value)
			buf_appendf(&changed,
				value_is_plain(settings[i].value) ? "%s=%s\n" : "%s='%s'\n",
				settings[i].name, settings[i].value);
	if (view_equal(view_of_buf(&changed), view_of_buf(&text)))
		return 0;
	return replace_file(
		root, ENV_FILE, view_of_buf(&changed), st.st_mode & 0700, NULL, 0, err);
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
	if (welcome_set(assistant->project.root, &(struct welcome_setting){NAME_SETTING, name},
		    1, err) < 0)
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

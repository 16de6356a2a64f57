#include "cli/conflict/edit.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/gitdir.h"
#include "engine/text/merge.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "proc/foreground.h"
#include "proc/log.h"
#include "proc/process.h"

/* --- the copies ------------------------------------------------------------------------ */

static int put_copy(
	struct conflict_edit *edit, const char *name, struct view text, struct error *err)
{
	return replace_file(edit->scratch.fd, name, text, 0600, NULL,
		REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err);
}

static int edit_begin(
	struct conflict_edit *edit, const char *name, struct view text, struct error *err)
{
	CLEANUP(freep) char *folder = NULL;

	if (scratch_make("nanoclaw-conflict-", &edit->scratch, err) < 0)
		return -1;
	folder = realpath(edit->scratch.path, NULL);
	edit->file = xasprintf("%s/%s", folder ? folder : edit->scratch.path, name);
	return put_copy(edit, name, text, err);
}

/* The text that the program left, if it succeeded. */
static int edit_finish(struct conflict_edit *edit, const char *program, struct view before,
	const struct foreground_end *end, struct error *err)
{
	if (end->signal)
		log_warning("'%s' was killed by signal %d", program, end->signal);
	else if (end->exit_code)
		log_warning("'%s' ended with exit code %d", program, end->exit_code);
	if (end->signal || end->exit_code)
		return 0;
	if (file_read(edit->file, MERGE_MAX_SIZE, &edit->text, err) < 0)
		return -1;
	if (!edit->text.len)
		log_warning("the text is empty");
	edit->changed = edit->text.len && !view_equal(view_of_buf(&edit->text), before);
	return 0;
}

/* --- editor ---------------------------------------------------------------------------- */

static const char *editor_command(void)
{
	static const char *const variables[] = {"VISUAL", "EDITOR"};

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return "vi";
}

int conflict_edit_by_editor(
	struct conflict_edit *edit, const char *name, struct view text, struct error *err)
{
	CLEANUP(freep) char *command = xasprintf("%s \"$@\"", editor_command());
	struct foreground_end end;

	if (edit_begin(edit, name, text, err) < 0 ||
		foreground_run(
			command, (const char *const[]){edit->file, NULL}, NULL, &end, err) < 0)
		return -1;
	return edit_finish(edit, editor_command(), text, &end, err);
}

/* --- merge tool ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	const char *program;
	const char *command;
} known_tools[] = {
	{"kdiff3", "kdiff3", "kdiff3 -o \"$MERGED\" \"$BASE\" \"$LOCAL\" \"$REMOTE\""},
	{"meld", "meld", "meld \"$LOCAL\" \"$BASE\" \"$REMOTE\" --output \"$MERGED\""},
	{"nvimdiff", "nvim",
		"nvim -d -c '4wincmd w | wincmd J' \"$LOCAL\" \"$BASE\" \"$REMOTE\" \"$MERGED\""},
	{"vimdiff", "vim",
		"vim -d -c '4wincmd w | wincmd J' \"$LOCAL\" \"$BASE\" \"$REMOTE\" \"$MERGED\""},
};

static bool program_is_installed(const char *program)
{
	CLEANUP(freep) char *found = process_find(program);

	return found;
}

char *conflict_edit_tool(const struct project *project)
{
	CLEANUP(gitconfig_release) struct gitconfig config = GITCONFIG_INIT;
	CLEANUP(gitdir_release) struct gitdir gitdir = GITDIR_INIT;
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	const char *own = getenv("NANOCLAW_MERGETOOL");

	if (own && *own)
		return xstrdup(own);
	gitdir_open(project->root, &gitdir);
	gitconfig_read(gitdir.common, &config);
	if (!gitconfig_value(&config, "merge", "tool", &name))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(known_tools); i++)
		if (!strcmp(name.data, known_tools[i].name) &&
			program_is_installed(known_tools[i].program))
			return xstrdup(known_tools[i].command);
	return NULL;
}

/* One side of all hunks, in a file beside the copy. */
static int put_side(struct conflict_edit *edit, const char *prefix, const char *name,
	struct view text, const struct conflict_text *marked, enum conflict_side side,
	char **ret_file, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *own = xasprintf("%s-%s", prefix, name);

	conflict_text_side(text, marked, side, &content);
	if (put_copy(edit, own, view_of_buf(&content), err) < 0)
		return -1;
	*ret_file = xasprintf(
		"%.*s%s", (int)(strrchr(edit->file, '/') + 1 - edit->file), edit->file, own);
	return 0;
}

int conflict_edit_by_tool(struct conflict_edit *edit, const char *tool, const char *name,
	struct view text, const struct conflict_text *marked, struct error *err)
{
	CLEANUP(freep)
	char *command = xasprintf("BASE=$1 LOCAL=$2 REMOTE=$3 MERGED=$4\n"
				  "export BASE LOCAL REMOTE MERGED\n%s",
		tool);
	CLEANUP(freep) char *base = NULL;
	CLEANUP(freep) char *ours = NULL;
	CLEANUP(freep) char *theirs = NULL;
	struct foreground_end end;

	if (edit_begin(edit, name, text, err) < 0 ||
		put_side(edit, "base", name, text, marked, CONFLICT_BASE, &base, err) < 0 ||
		put_side(edit, "yours", name, text, marked, CONFLICT_OURS, &ours, err) < 0 ||
		put_side(edit, "theirs", name, text, marked, CONFLICT_THEIRS, &theirs, err) <
			0 ||
		foreground_run(command,
			(const char *const[]){base, ours, theirs, edit->file, NULL}, NULL, &end,
			err) < 0)
		return -1;
	return edit_finish(edit, tool, text, &end, err);
}

/* --- the end --------------------------------------------------------------------------- */

const char *conflict_edit_keep(struct conflict_edit *edit)
{
	closep(&edit->scratch.fd);
	edit->scratch.fd = -1;
	free(TAKE(edit->scratch.path));
	return edit->file;
}

void conflict_edit_release(struct conflict_edit *edit)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (edit->scratch.path && scratch_remove(&edit->scratch, &err) < 0)
		log_warning("the copy stays: %s", err.message);
	free(edit->file);
	buf_release(&edit->text);
}

#include "engine/commit/commands.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/commit/agreed.h"
#include "engine/disk/command.h"
#include "engine/package/package.h"
#include "engine/session/origin.h"
#include "engine/structured/system_packages.h"
#include "engine/text/diff.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "veil/veil.h"

/* --- what there is ------------------------------------------------------------------ */

static void add_result(
	struct session *s, const char *skill, enum command_kind kind, const char *text)
{
	struct operation_result *result = s->result;

	GROW(result->commands, result->command_count, result->command_cap);
	result->commands[result->command_count++] = (struct command_result){
		.skill = xstrdup(skill), .kind = kind, .text = xstrdup(text)};
}

static void add_hook(struct session *s, struct commands *commands, const char *skill,
	const char *command, bool is_test)
{
	GROW(commands->hooks, commands->count, commands->cap);
	commands->hooks[commands->count++] = (struct hook){
		.skill = xstrdup(skill),
		.command = xstrdup(command),
		.is_test = is_test,
	};
	add_result(s, skill, is_test ? COMMAND_TEST : COMMAND_POST_APPLY, command);
}

/* A clean merge may break what another skill does: the tests of all of them are run. */
struct string_array commands_tested(const struct session *s, const struct string_array *skills)
{
	struct string_array tested = {0};

	if (s->untested || s->options->no_test)
		return tested;
	for (size_t i = 0; i < s->state.skill_count; i++) {
		const char *name = s->state.skills[i].name;

		if (!s->options->test_new || (!s->only_tests && string_array_has(skills, name)))
			string_array_add(&tested, name);
	}
	return tested;
}

static int collect_tests(struct session *s, const struct string_array *skills,
	struct commands *commands, struct error *err)
{
	CLEANUP(string_array_release) struct string_array tested = commands_tested(s, skills);

	for (size_t i = 0; i < tested.count; i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
		bool known = false;

		if (origin_read_manifest(s, tested.list[i], &m, err) < 0)
			return -1;
		/* Two skills may share a test, which is run once. */
		for (size_t j = 0; m.test && j < commands->count; j++)
			known |= commands->hooks[j].is_test &&
				 !strcmp(commands->hooks[j].command, m.test);
		if (m.test && !known)
			add_hook(s, commands, m.skill, m.test, true);
	}
	return 0;
}

/*
 * Files because of which some program starts something, or which tell agents what to do: with
 * this name in any folder, or below such a folder. The last ones are NanoClaw's own, in the root.
 */
static const char *const starting_names[] = {
	".clinerules",
	".cursorrules",
	".dir-locals.el",
	".drone.yml",
	".envrc",
	".exrc",
	".gdbinit",
	".gitattributes",
	".gitlab-ci.yml",
	".gitmodules",
	".lldbinit",
	".mcp.json",
	".mise.toml",
	".npmrc",
	".nvim.lua",
	".nvimrc",
	".pnpmfile.cjs",
	".pre-commit-config.yaml",
	".tool-versions",
	".travis.yml",
	".vimrc",
	".windsurfrules",
	".woodpecker.yml",
	".yarnrc",
	".yarnrc.yml",
	"AGENTS.md",
	"CLAUDE.local.md",
	"CLAUDE.md",
	"GEMINI.md",
	"GNUmakefile",
	"Jenkinsfile",
	"azure-pipelines.yml",
	"bunfig.toml",
	"conftest.py",
	"copilot-instructions.md",
	"lefthook.yml",
	"makefile",
	"mise.toml",
	"opencode.json",
	"sitecustomize.py",
	"usercustomize.py",
};
static const char *const starting_folders[] = {
	".buildkite/",
	".cargo/",
	".circleci/",
	".claude/",
	".codex/",
	".cursor/",
	".devcontainer/",
	".gemini/",
	".githooks/",
	".github/actions/",
	".github/instructions/",
	".github/workflows/",
	".gitlab/",
	".husky/",
	".idea/",
	".kiro/",
	".roo/",
	".vscode/",
	".windsurf/",
	".woodpecker/",
	".yarn/",
	".zed/",
};
static const char *const starting_roots[] = {"bridges/", "container/", "skills/"};

/* A new file with a leading dot, or in such a folder, may be for a program that is not listed. */
static bool starts_something(const char *path, bool is_new)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_SIZE(starting_names); i++)
		if (!strcasecmp(name, starting_names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(starting_roots); i++)
		if (!strncasecmp(path, starting_roots[i], strlen(starting_roots[i])))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(starting_folders); i++) {
		const char *at = strcasestr(path, starting_folders[i]);

		if (at && (at == path || at[-1] == '/'))
			return true;
	}
	return !strcmp(path, SYSTEM_PACKAGES_TOOL) ||
	       (is_new && strcmp(name, ".env.example") != 0 &&
		       strcmp(name, ".gitignore") != 0 && (*path == '.' || strstr(path, "/.")));
}

#define DIFF_SHOWN_MAX ((size_t)256 * 1024)

/* With a NUL it is a line as well: an agent reads on behind it. */
static void diff_append_line(struct buf *out, struct view line, char sign)
{
	CLEANUP(freep) char *shown = NULL;

	if (view_ends_with(line, "\n"))
		line.len--;
	shown = quote_command(line);
	buf_appendf(out, "\n      %c %s", sign, shown);
}

static void diff_append(struct buf *out, struct view *text, size_t count, char sign)
{
	struct view line;

	while (count-- && diff_next_line(text, &line))
		if (sign)
			diff_append_line(out, line, sign);
}

/* The lines that change, for a person to read. */
static int diff_text(struct view before, struct view after, char **ret_diff, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	size_t at = 0, old_at = 0;

	size_t cut = 0;

	if (before.len + after.len > DIFF_SHOWN_MAX) {
		cut = after.len > DIFF_SHOWN_MAX ? after.len - DIFF_SHOWN_MAX : 0;
		before.len = 0;
		after.len -= cut;
	}
	if (diff_lines(before, after, &changes, err) < 0)
		return -1;
	for (size_t i = 0; i < changes.count; i++) {
		const struct diff_change *change = &changes.list[i];

		diff_append(&out, &before, change->old_start - old_at, 0);
		diff_append(&out, &before, change->old_count, '-');
		diff_append(&out, &after, change->new_start - at, 0);
		diff_append(&out, &after, change->new_count, '+');
		old_at = change->old_start + change->old_count;
		at = change->new_start + change->new_count;
	}
	if (cut)
		buf_appendf(&out, "\n      (%zu bytes more, which are not shown)", cut);
	*ret_diff = buf_take(&out);
	return 0;
}

/*
 * Do the texts of 'package.json' differ in what package managers run when they install? One that
 * we cannot read may be one that they can, unless it has conflicts.
 */
static bool install_scripts_differ(struct view before, struct view after)
{
	static const char *const names[] = {"dependencies", "install", "pnpm:devPreinstall",
		"postinstall", "postprepare", "preinstall", "prepare", "preprepare",
		"prepublish"};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *old = NULL;
	CLEANUP(json_decrefp) json_t *new = NULL;

	if (json_read(after, INSTALL_MANIFEST, JSON_MAX_SIZE, &new, &ignored) < 0)
		return !memmem(after.data, after.len, "\n<<<<<<< ", strlen("\n<<<<<<< "));
	json_read(before, INSTALL_MANIFEST, JSON_MAX_SIZE, &old, &ignored);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const json_t *is = json_object_get(json_object_get(new, "scripts"), names[i]);
		const json_t *was = json_object_get(json_object_get(old, "scripts"), names[i]);

		if (is && !json_equal(is, was))
			return true;
	}
	return false;
}

static int collect_starts(struct session *s, struct error *err)
{
	for (size_t i = 0; i < s->result->file_count; i++) {
		const struct file_result *file = &s->result->files[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
		CLEANUP(buf_release) struct buf before = BUF_INIT;
		CLEANUP(freep) char *diff = NULL;
		const char *slash = strrchr(file->path, '/');
		bool is_manifest = !strcmp(slash ? slash + 1 : file->path, INSTALL_MANIFEST);
		bool is_new;

		if (file->outcome == OUTCOME_SAME || file->outcome == OUTCOME_REMOVED ||
			file->outcome == OUTCOME_KEPT || file->outcome == OUTCOME_DELETED ||
			(!is_manifest && !starts_something(file->path, true)))
			continue;
		path = relpath_of(file->path);
		if (transaction_read(s->tx, &path, &after, err) < 0)
			return -1;
		/* A new core brings dot files as it likes. */
		is_new = beneath_read(s->project->root, &path, JSON_MAX_SIZE, &before,
				 &missing) < 0 &&
			 state_find(&s->state, file->skill);
		if (!starts_something(file->path, is_new) &&
			(!is_manifest || !install_scripts_differ(view_of_buf(&before),
						 view_of_buf(&after.content))))
			continue;
		if (diff_text(view_of_buf(&before), view_of_buf(&after.content), &diff, err) <
			0)
			return -1;
		add_result(s, file->skill, COMMAND_STARTS, file->path);
		s->result->commands[s->result->command_count - 1].diff = TAKE(diff);
	}
	return 0;
}

/* Only where the tree has what installs them. */
static void collect_packages(struct session *s, const struct manifest *m)
{
	const struct yaml_node *wanted =
		m->structured ? yaml_get(m->structured, "system_packages") : NULL;
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	if (!wanted || wanted->kind != YAML_SEQUENCE || !wanted->count ||
		faccessat(s->project->root, SYSTEM_PACKAGES_TOOL, X_OK, 0) < 0)
		return;
	for (size_t i = 0; i < wanted->count; i++)
		buf_appendf(&names, "%s%.*s", i ? " " : "", VIEW_ARGS(wanted->items[i]->text));
	add_result(s, m->skill, COMMAND_PACKAGES, names.data);
}

int commands_collect(struct session *s, const struct string_array *skills,
	const struct install *install, struct commands *ret_commands, struct error *err)
{
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	CLEANUP(freep) char *text = install->choice.manager ? install_text(install) : NULL;

	/* Dependencies of the core are the person's own business. */
	for (size_t i = 0; text && i < s->state.skill_count; i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
		const char *skill = s->state.skills[i].name;
		const struct yaml_node *wanted;

		if (origin_read_manifest(s, skill, &m, err) < 0)
			return -1;
		wanted = m.structured ? yaml_get(m.structured, "npm_dependencies") : NULL;
		if (wanted && wanted->count &&
			(s->only_tests || string_array_has(skills, skill)))
			add_result(s, skill, COMMAND_INSTALL, text);
	}
	for (size_t i = 0; i < skills->count && !s->only_tests; i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;

		if (origin_read_manifest(s, skills->list[i], &m, err) < 0)
			return -1;
		for (size_t j = 0; j < m.post_apply.count; j++)
			add_hook(s, &commands, m.skill, m.post_apply.list[j], false);
		collect_packages(s, &m);
	}
	if (collect_tests(s, skills, &commands, err) < 0 ||
		(!s->only_tests && collect_starts(s, err) < 0))
		return -1;
	*ret_commands = commands;
	commands = COMMANDS_INIT;
	return 0;
}

/* --- the question ------------------------------------------------------------------- */

/*
 * A person agrees to the pack, which holds the commands, and to all files of the package, such
 * as the test itself. When the skill is being applied, that is the package just read; later, it
 * is the current content of its folder. The state's record of it proves nothing by itself.
 */
static int hash_content(struct session *s, const char *skill, bool is_new,
	struct hash *ret_hash, struct error *err)
{
	CLEANUP(buf_release) struct buf both = BUF_INIT;
	const struct applied_skill *applied = state_find(&s->state, skill);
	struct hash kept, whole;
	CLEANUP(tx_file_release) struct tx_file pack = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (pack_path(skill, &path, err) < 0 || transaction_read(s->tx, &path, &pack, err) < 0)
		return -1;
	kept = hash_of(view_of_buf(&pack.content));
	buf_append(&both, kept.bytes, sizeof(kept.bytes));
	if (is_new ? state_content_of(applied, &whole)
		   : origin_package_hash(s->project, applied, NULL, &whole))
		buf_append(&both, whole.bytes, sizeof(whole.bytes));
	*ret_hash = hash_of(view_of_buf(&both));
	return 0;
}

static void describe_skill(struct session *s, const char *skill, struct buf *list)
{
	static const char *const words[] = {
		[COMMAND_INSTALL] = "installs its dependencies",
		[COMMAND_POST_APPLY] = "runs",
		[COMMAND_TEST] = "runs as its test",
		[COMMAND_PACKAGES] =
			"needs packages of the system, which a rebuild with --install-packages installs as root",
		[COMMAND_STARTS] =
			"changes a file that tells other programs or agents what to do",
	};
	const struct applied_skill *applied = state_find(&s->state, skill);

	buf_appendf(list, "\n  %s %s", skill, applied ? applied->version : "");
	for (size_t i = 0; i < s->result->command_count; i++) {
		const struct command_result *command = &s->result->commands[i];
		CLEANUP(freep) char *shown = NULL;

		if (strcmp(command->skill, skill) != 0)
			continue;
		shown = quote_command(view_of(command->text));
		buf_appendf(list, "\n    %s: %s%s", words[command->kind], shown,
			command->diff ? command->diff : "");
	}
}

static int ask_person(struct session *s, const struct buf *list, struct error *err)
{
	static const char *const choices[] = {"continue", "stop, and change nothing"};
	const struct ask *ask = &s->options->ask;
	CLEANUP(freep)
	char *question = xasprintf("%s%s\nContinue?", list->data,
		veil_works()
			? ""
			: "\n  They run without a sandbox here, and can read '.env' and keys.");
	int answer;

	if (!ask->choose)
		return error_set(err, ERROR_INVALID, "%s", question);
	answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return -1;
	if (answer)
		return error_set(err, ERROR_FAILED, "cancelled; nothing was done");
	if (!ask->in_person && ask->show)
		ask->show(ask->data, list->data);
	return 0;
}

/* The answer holds for this package, and for the skill once it is applied. */
static int remember(struct session *s, const char *skill, bool is_new, struct error *err)
{
	const struct applied_skill *applied = state_find(&s->state, skill);
	CLEANUP(freep) char *about = xasprintf("%s %s", applied->name, applied->version);
	struct hash content;

	if (hash_content(s, skill, false, &content, err) < 0 ||
		agreed_add(s->project, &content, about, err) < 0)
		return -1;
	if (!is_new)
		return 0;
	if (hash_content(s, skill, true, &content, err) < 0)
		return -1;
	return agreed_add(s->project, &content, about, err);
}

int commands_agree(struct session *s, const struct string_array *skills, struct error *err)
{
	CLEANUP(string_array_release) struct string_array asked = {0};
	CLEANUP(buf_release) struct buf agreed = BUF_INIT;
	CLEANUP(buf_release) struct buf list = BUF_INIT;

	if (s->options->allow_commands || !s->result->command_count)
		return 0;
	if (agreed_read(s->project, &agreed, err) < 0)
		return -1;
	buf_append_str(&list, "these skills can run programs as you:");
	for (size_t i = 0; i < s->result->command_count; i++) {
		const char *skill = s->result->commands[i].skill;
		bool is_new = !s->only_tests && string_array_has(skills, skill);
		struct hash content;

		/* The update itself asks about commands that the core starts. */
		if (!state_find(&s->state, skill) || string_array_has(&asked, skill))
			continue;
		if (hash_content(s, skill, is_new, &content, err) < 0)
			return -1;
		if (agreed_has(&agreed, &content))
			continue;
		string_array_add(&asked, skill);
		describe_skill(s, skill, &list);
	}
	if (asked.count && ask_person(s, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < asked.count; i++) {
		CLEANUP(error_release) struct error forgotten = ERROR_INIT;
		bool is_new = !s->only_tests && string_array_has(skills, asked.list[i]);

		if (remember(s, asked.list[i], is_new, &forgotten) < 0) {
			session_warn(s, "your answer is not remembered: %s", forgotten.message);
			break;
		}
	}
	return 0;
}

/* --- running them ------------------------------------------------------------------- */

int commands_run(struct session *s, const struct commands *commands, struct error *err)
{
	for (size_t i = 0; i < commands->count; i++) {
		const struct hook *hook = &commands->hooks[i];
		CLEANUP(string_array_release) struct string_array notes = {0};
		CLEANUP(freep)
		char *what = xasprintf("%s of skill '%s'",
			hook->is_test ? "the test" : "a command", hook->skill);
		const struct command_request request = {
			.argv = (const char *const[]){"/bin/sh", "-c", hook->command, NULL},
			.what = what,
			.shown = hook->command,
			.kind = hook->is_test ? ERROR_TEST : ERROR_FAILED,
			.live = s->options->live,
			.progress = s->options->progress,
			.notes = &notes,
			.seconds = s->options->test_seconds,
		};

		s->result->tests_run += hook->is_test;
		if (command_run(s->project, &request, err) < 0)
			return -1;
		for (size_t k = 0; k < notes.count; k++)
			session_warn(s, "%s", notes.list[k]);
	}
	return 0;
}

void commands_release(struct commands *commands)
{
	for (size_t i = 0; i < commands->count; i++) {
		free(commands->hooks[i].skill);
		free(commands->hooks[i].command);
	}
	free(commands->hooks);
}

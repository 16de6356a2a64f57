/*
 * The conflicts of a paused operation for programs, and for people who like scripts better than
 * the walk (walk.h): 'conflict list', 'conflict show', 'conflict take', 'conflict write'.
 *
 * A program shows a hunk, a person decides, and the decision names the hash of the file that
 * was shown: if the file has changed since, nothing is written.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "cli/conflict/intents.h"
#include "cli/conflict/show.h"
#include "cli/conflict/take.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/table.h"
#include "engine/package/intent.h"
#include "fs/file.h"

/* Larger texts are in no document, and are not read from standard input. */
#define CONFLICT_MAX_TEXT ((size_t)4 * 1024 * 1024)

/* One conflict of the pause, with its current file. */
struct conflict_view {
	struct project project;
	struct pending pending;
	const struct conflict *conflict;
	struct tx_file file;
	struct conflict_text marked;
};

#define CONFLICT_VIEW_INIT                                                                     \
	((struct conflict_view){.project = PROJECT_INIT, .file = TX_FILE_INIT})

static void conflict_view_release(struct conflict_view *v)
{
	tx_file_release(&v->file);
	conflict_text_release(&v->marked);
	pending_release(&v->pending);
	project_release(&v->project);
}

static int conflict_view_file(
	struct conflict_view *v, const struct conflict *conflict, struct error *err)
{
	tx_file_release(&v->file);
	conflict_text_release(&v->marked);
	v->file = TX_FILE_INIT;
	v->marked = CONFLICT_TEXT_INIT;
	v->conflict = conflict;
	if (conflict_choice_read(&v->project, &conflict->path, &v->file, err) < 0)
		return -1;
	if (v->file.kind == TX_FILE && !conflict_is_whole(conflict))
		conflict_text_parse(view_of_buf(&v->file.content), conflict->skill, &v->marked);
	return 0;
}

/* The conflict that the first argument names; the project is open. */
static int conflict_view_named(
	struct conflict_view *v, const struct arguments *args, struct error *err)
{
	const char *path = args->words[0];
	bool found;

	if (pending_load(&v->project, &v->pending, &found, err) < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_INVALID, "no operation is paused");
	for (size_t i = 0; i < v->pending.conflict_count; i++)
		if (!strcmp(v->pending.conflicts[i].path.text, path))
			return conflict_view_file(v, &v->pending.conflicts[i], err);
	error_set(err, ERROR_INVALID, "'%s' has no conflict", path);
	return error_hint(err, "'nanoclaw conflict list' shows the conflicts");
}

static struct view conflict_view_text(const struct conflict_view *v)
{
	return view_of_buf(&v->file.content);
}

/* --- showing -------------------------------------------------------------------------- */

static const char *kind_of(const struct conflict *conflict)
{
	if (conflict->kind == CONFLICT_DELETE)
		return "deletion";
	return conflict->beside.text ? "binary" : "text";
}

/* A file that a skill deletes is kept unless the person deletes it, so it is never open. */
static int state_of(const struct conflict_view *v, const char **ret_state, struct error *err)
{
	bool resolved;

	if (v->conflict->kind == CONFLICT_DELETE) {
		*ret_state = v->file.kind == TX_ABSENT ? "deleted" : "kept";
		return 0;
	}
	if (conflict_file_resolved(&v->project, v->conflict, &resolved, err) < 0)
		return -1;
	*ret_state = resolved ? "resolved" : v->file.kind == TX_FILE ? "open" : "missing";
	return 0;
}

static int conflict_summary_json(
	const struct conflict_view *v, json_t **ret_json, struct error *err)
{
	char hex[HASH_HEX_SIZE];
	const char *state;

	if (state_of(v, &state, err) < 0)
		return -1;
	hash_hex_of(conflict_view_text(v), hex);
	*ret_json = json_build("path:s skill:s version:s kind:s state:s hunkCount:I sha256:o "
			       "beside:s",
		v->conflict->path.text, v->conflict->skill, v->conflict->version,
		kind_of(v->conflict), state, v->marked.count,
		v->file.kind == TX_FILE ? json_string(hex) : json_null(),
		v->conflict->beside.text);
	return 0;
}

/* The sides are the bytes that `take` would write. */
static json_t *hunk_json(const struct conflict_view *v, size_t number)
{
	const struct conflict_hunk *hunk = &v->marked.hunks[number];
	struct view text = conflict_view_text(v);
	json_t *json = json_build("hunk:I line:I clear:b before:v behind:v marked:v",
		(json_int_t)number + 1, (json_int_t)conflict_show_line(text, hunk), hunk->clear,
		conflict_show_before(text, &v->marked, number, CONFLICT_SHOW_AROUND),
		conflict_show_behind(text, &v->marked, number, CONFLICT_SHOW_AROUND),
		view_slice(text, hunk->start, hunk->end));

	if (!hunk->clear)
		return json;
	for (enum conflict_take take = 0; take < CONFLICT_TAKE_COUNT; take++) {
		CLEANUP(buf_release) struct buf lines = BUF_INIT;

		conflict_take_hunk(&v->project, &v->pending, v->conflict, conflict_view_text(v),
			hunk, take, &lines);
		json_object_set_new(
			json, conflict_take_names[take], json_text(view_of_buf(&lines)));
	}
	json_put(json, "base:o oursLabel:v baseLabel:v theirsLabel:v",
		hunk->has_base ? json_text(hunk->base) : json_null(), hunk->ours_label,
		hunk->base_label, hunk->theirs_label);
	return json;
}

static json_t *intents_json(const struct conflict_view *v)
{
	static const char *const names[INTENT_COUNT] = {
		"changes", "keySections", "invariants", "mustKeepText"};
	CLEANUP(conflict_intents_release)
	struct conflict_intents intents = CONFLICT_INTENTS_INIT;
	json_t *list = json_array();

	conflict_intents_read(&v->project, &v->pending, v->conflict, NULL, &intents);
	for (size_t i = 0; i < intents.count; i++) {
		const struct conflict_intent *intent = &intents.list[i];
		CLEANUP(string_array_release) struct string_array must_keep = {0};
		json_t *json;

		must_keep_read(view_of_buf(&intent->text), &must_keep);
		json = json_build("skill:s version:s yours:b mustKeep:o", intent->skill,
			intent->version, intent->yours, json_strings(&must_keep));
		for (enum intent_heading heading = 0; heading < INTENT_COUNT; heading++) {
			bool found;
			struct view section =
				intent_section(view_of_buf(&intent->text), heading, &found);

			json_object_set_new(
				json, names[heading], found ? json_text(section) : json_null());
		}
		json_array_append_new(list, json);
	}
	return list;
}

/* All that a person needs to decide. */
static int whole_json(const struct conflict_view *v, json_t **ret_json, struct error *err)
{
	struct view text = conflict_view_text(v);
	bool plain = v->file.kind == TX_FILE && text.len <= CONFLICT_MAX_TEXT &&
		     utf8_valid(text) && !memchr(text.data, '\0', text.len);
	json_t *hunks, *json;

	if (conflict_summary_json(v, &json, err) < 0)
		return -1;
	hunks = json_array();
	for (size_t i = 0; i < v->marked.count; i++)
		json_array_append_new(hunks, hunk_json(v, i));
	json_put(json, "success:b operation:s hunks:o intents:o text:o", true,
		v->pending.operation, hunks, intents_json(v),
		plain ? json_text(text) : json_null());
	*ret_json = json;
	return 0;
}

static int list_print(const struct cli *cli, struct conflict_view *v, struct error *err)
{
	CLEANUP(table_release) struct table table = {.right = 1u << 3};

	table_head(&table, "file", "kind", "state", "hunks", "skill", NULL);
	for (size_t i = 0; i < v->pending.conflict_count; i++) {
		const struct conflict *conflict = &v->pending.conflicts[i];
		CLEANUP(freep) char *path = output_path(conflict->path.text);
		const char *state;

		if (conflict_view_file(v, conflict, err) < 0 || state_of(v, &state, err) < 0)
			return -1;
		table_row(&table);
		table_cell(&table, COLOR_CYAN, "%s", path);
		table_cell(&table, NULL, "%s", kind_of(conflict));
		table_cell(&table, NULL, "%s", state);
		if (conflict_is_whole(conflict))
			table_cell(&table, NULL, "-");
		else
			table_cell(&table, NULL, "%zu", v->marked.count);
		table_cell(&table, NULL, "%s", conflict->skill);
	}
	table_print(&table, cli);
	return 0;
}

static int run_conflict_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(conflict_view_release) struct conflict_view v = CONFLICT_VIEW_INIT;
	bool running, found;

	(void)args;
	if (project_open_reading(&v.project, &running, err) < 0 ||
		(running && project_refuse_running(&v.project, err) < 0) ||
		pending_load(&v.project, &v.pending, &found, err) < 0)
		return -1;
	if (cli->json) {
		CLEANUP(json_decrefp) json_t *list = json_array();

		for (size_t i = 0; i < v.pending.conflict_count; i++) {
			json_t *json;

			if (conflict_view_file(&v, &v.pending.conflicts[i], err) < 0 ||
				conflict_summary_json(&v, &json, err) < 0)
				return -1;
			json_array_append_new(list, json);
		}
		output_success("operation:s conflicts:O", v.pending.operation, list);
		return EXIT_DONE;
	}
	if (!found)
		printf("no operation is paused\n");
	else if (!v.pending.conflict_count)
		printf("'%s' is paused, without conflicts\n", v.pending.operation);
	else
		return list_print(cli, &v, err);
	return EXIT_DONE;
}

COMMAND(conflict_list) = {
	.name = "conflict list",
	.summary = "list the conflicts of a paused operation",
	.section = SECTION_PLUMBING,
	.run = run_conflict_list,
};

static int view_print(const struct cli *cli, const struct conflict_view *v, struct error *err)
{
	CLEANUP(conflict_intents_release)
	struct conflict_intents intents = CONFLICT_INTENTS_INIT;
	const char *state;

	if (state_of(v, &state, err) < 0)
		return -1;
	for (size_t i = 0; i < v->marked.count; i++) {
		printf("%shunk %zu of %zu, line %zu\n", i ? "\n" : "", i + 1, v->marked.count,
			conflict_show_line(conflict_view_text(v), &v->marked.hunks[i]));
		conflict_show_hunk(cli, conflict_view_text(v), &v->marked, i, true);
	}
	if (!v->marked.count) {
		CLEANUP(freep) char *path = output_path(v->conflict->path.text);

		printf("%s: %s, %s\n", path, kind_of(v->conflict), state);
	}
	conflict_intents_read(&v->project, &v->pending, v->conflict, NULL, &intents);
	conflict_intents_print(cli, &intents, true);
	return EXIT_DONE;
}

static int view_output(const struct cli *cli, const struct conflict_view *v, struct error *err)
{
	json_t *json;

	if (!cli->json)
		return view_print(cli, v, err);
	if (whole_json(v, &json, err) < 0)
		return -1;
	output_json(json);
	return EXIT_DONE;
}

static int run_conflict_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(conflict_view_release) struct conflict_view v = CONFLICT_VIEW_INIT;
	bool running;

	if (project_open_reading(&v.project, &running, err) < 0 ||
		(running && project_refuse_running(&v.project, err) < 0) ||
		conflict_view_named(&v, args, err) < 0)
		return -1;
	return view_output(cli, &v, err);
}

COMMAND(conflict_show) = {
	.name = "conflict show",
	.summary = "show a conflict: its sides, and the intents of the skills",
	.usage = "<file>",
	.description =
		"With --json, each hunk has the bytes that 'conflict take' would write for each\n"
		"side, and 'sha256' is the hash that --if-hash takes. 'text' is the whole file, or\n"
		"null if it is not UTF-8 or larger than 4 MiB.",
	.section = SECTION_PLUMBING,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_conflict_show,
};

/* --- deciding ------------------------------------------------------------------------- */

#define OPTION_HUNK                                                                            \
	{                                                                                      \
		.name = "hunk", .argument = "N",                                               \
		.help = "only the hunk with this number in 'conflict show'"                    \
	}
#define OPTION_IF_HASH                                                                         \
	{                                                                                      \
		.name = "if-hash", .argument = "SHA256",                                       \
		.help = "change nothing unless the file has this hash"                         \
	}

static int view_open(struct cli *cli, struct conflict_view *v, const struct arguments *args,
	int64_t *ret_hunk, struct error *err)
{
	const char *wanted = arguments_value(args, "if-hash");
	char hex[HASH_HEX_SIZE];

	*ret_hunk = 0;
	if (project_open_locked(&v->project, false, err) < 0 ||
		conflict_view_named(v, args, err) < 0 ||
		arguments_number(args, "hunk", 1, INT32_MAX, ret_hunk, err) < 0)
		return -1;
	hash_hex_of(conflict_view_text(v), hex);
	if (wanted && strcmp(wanted, v->file.kind == TX_FILE ? hex : "") != 0) {
		cli->failure = json_build("changed:b", true);
		return error_set(err, ERROR_FAILED,
			"'%s' has changed since it was shown; nothing was written",
			v->conflict->path.text);
	}
	if (*ret_hunk > (int64_t)v->marked.count)
		return error_set(err, ERROR_INVALID, "'%s' has no hunk %lld: %zu are left",
			v->conflict->path.text, (long long)*ret_hunk, v->marked.count);
	return 0;
}

/* Write the file with this content, or make the choice that is there already; then show it. */
static int view_choose(const struct cli *cli, struct conflict_view *v,
	struct conflict_choice *choice, struct buf *content, struct error *err)
{
	struct tx_file after = {.kind = TX_FILE, .mode = v->file.mode, .content = *content};
	bool made;

	if (!choice->count) {
		*content = BUF_INIT;
		conflict_choice_add(choice, &v->conflict->path, &v->file, &after);
	}
	if (conflict_choice_make(&v->project, choice, &made, err) < 0)
		return -1;
	if (!made)
		return error_set(err, ERROR_FAILED,
			"'%s' was changed in the meantime; nothing was written",
			v->conflict->path.text);
	if (conflict_view_file(v, v->conflict, err) < 0)
		return -1;
	return cli->json ? view_output(cli, v, err) : EXIT_DONE;
}

/* One hunk, or with 0 all of them, replaced by a side. */
static int take_hunks(const struct conflict_view *v, size_t only, enum conflict_take take,
	struct buf *content, struct error *err)
{
	struct view text = conflict_view_text(v);
	size_t from = 0;

	if (!v->marked.count)
		return error_set(
			err, ERROR_INVALID, "'%s' has no hunks left", v->conflict->path.text);
	for (size_t i = 0; i < v->marked.count; i++) {
		const struct conflict_hunk *hunk = &v->marked.hunks[i];

		if (only && only != i + 1)
			continue;
		if (!hunk->clear)
			return error_set(err, ERROR_INVALID,
				"lines in hunk %zu look like markers, so its sides are ambiguous: write its text",
				i + 1);
		buf_append(content, text.data + from, hunk->start - from);
		conflict_take_hunk(
			&v->project, &v->pending, v->conflict, text, hunk, take, content);
		from = hunk->end;
	}
	buf_append(content, text.data + from, text.len - from);
	return 0;
}

static int run_conflict_take(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(conflict_view_release) struct conflict_view v = CONFLICT_VIEW_INIT;
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	enum conflict_take take = 0;
	int64_t hunk;
	int failed;

	while (take < CONFLICT_TAKE_COUNT && strcmp(conflict_take_names[take], args->words[1]))
		take++;
	if (take == CONFLICT_TAKE_COUNT)
		return error_set(err, ERROR_INVALID,
			"'%s' is not ours, theirs, both or both-theirs-first", args->words[1]);
	if (view_open(cli, &v, args, &hunk, err) < 0)
		return -1;
	if (conflict_is_whole(v.conflict) && take > CONFLICT_TAKE_THEIRS)
		return error_set(err, ERROR_INVALID,
			"'%s' has no hunks: take 'ours' or 'theirs'", v.conflict->path.text);
	failed = conflict_is_whole(v.conflict)
			 ? conflict_take_whole(&v.project, v.conflict,
				   take == CONFLICT_TAKE_THEIRS, &choice, err)
			 : take_hunks(&v, (size_t)hunk, take, &content, err);
	return failed ? -1 : view_choose(cli, &v, &choice, &content, err);
}

static const char *const sides[] = {"ours", "theirs", "both", "both-theirs-first", NULL};

static const struct option take_options[] = {
	OPTION_HUNK,
	OPTION_IF_HASH,
	{0},
};

static const struct example take_examples[] = {
	{"nanoclaw conflict take postbox both --hunk 1",
		"both sides of the first hunk, yours first"},
	{"nanoclaw conflict take logo.png theirs", "the skill's file instead of yours"},
	{0},
};

COMMAND(conflict_take) = {
	.name = "conflict take",
	.summary = "resolve a conflict with one side or both",
	.usage = "<file> ours|theirs|both|both-theirs-first",
	.description =
		"Writes the same bytes as the letters o, t, b and B of the walk on a terminal. If a\n"
		"skill deletes the file, 'ours' keeps it and 'theirs' deletes it. The operation stays\n"
		"paused until 'nanoclaw continue'.",
	.section = SECTION_PLUMBING,
	.options = take_options,
	.examples = take_examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_FILES, COMPLETE_WORDS},
	.words = sides,
	.run = run_conflict_take,
};

static int run_conflict_write(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(conflict_view_release) struct conflict_view v = CONFLICT_VIEW_INIT;
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	int64_t hunk;

	if (file_read_fd(STDIN_FILENO, "standard input", CONFLICT_MAX_TEXT, &text, err) < 0 ||
		view_open(cli, &v, args, &hunk, err) < 0)
		return -1;
	if (conflict_is_whole(v.conflict) || v.file.kind != TX_FILE)
		return error_set(err, ERROR_INVALID, "'%s' is not a text to write",
			v.conflict->path.text);
	if (hunk)
		conflict_text_replace(conflict_view_text(&v), &v.marked.hunks[hunk - 1],
			view_of_buf(&text), &content);
	return view_choose(cli, &v, &choice, hunk ? &content : &text, err);
}

static const struct option write_options[] = {
	OPTION_HUNK,
	OPTION_IF_HASH,
	{0},
};

COMMAND(conflict_write) = {
	.name = "conflict write",
	.summary = "resolve a conflict with a text from standard input",
	.usage = "<file>",
	.description =
		"The text replaces a hunk with its markers, or without --hunk the whole file, as an\n"
		"editor would. It has at most 4 MiB. The operation stays paused until 'nanoclaw\n"
		"continue'.",
	.section = SECTION_PLUMBING,
	.options = write_options,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_FILES},
	.run = run_conflict_write,
};

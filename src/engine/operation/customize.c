#include "engine/operation/customize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/finish.h"
#include "engine/custom/custom.h"
#include "engine/custom/new_files.h"
#include "engine/package/structured_format.h"
#include "engine/session/drift.h"
#include "engine/session/origin.h"
#include "engine/stack/thread.h"
#include "engine/stack/unrecorded.h"
#include "fs/beneath.h"
#include "time/timestamp.h"

#define NOTES_PATH ".nanoclaw/customize.yaml"

/* The notes of `start`. They hold files as an entry of state.yaml does (layer.h). */
struct notes {
	struct yaml_doc *doc;
	struct layer already; /* files that had unrecorded changes at the start */
	const char *description;
	const char *skill;
	const char *started_at;
	struct timespec written; /* the same, by the clock of the file system */
};

/* --- the notes ------------------------------------------------------------------------ */

static void notes_release(struct notes *notes)
{
	yaml_doc_free(notes->doc);
}

static int read_note(const struct yaml_node *root, const char *key, bool needed,
	const char **ret_text, struct error *err)
{
	const struct yaml_node *node = yaml_get(root, key);

	if (!node && needed)
		return yaml_error(root, err, "'%s' is missing", key);
	return node ? yaml_string(node, key, ret_text, err) : 0;
}

static int notes_load(const struct project *project, struct notes *ret_notes, bool *ret_found,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(NOTES_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};
	struct yaml_node *root = NULL;
	struct stat st;

	*ret_found = false;
	if (beneath_stat(project->root, &path, &st, err) < 0 ||
		beneath_read(project->root, &path, STATE_MAX_SIZE, &text, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (yaml_parse_limited(view_of_buf(&text), NOTES_PATH, &limits, &ret_notes->doc, err) ==
		0)
		root = ret_notes->doc->root;
	if (!root ||
		yaml_expect(root, YAML_MAPPING, "the notes of 'customize start'", err) < 0 ||
		read_note(root, "description", true, &ret_notes->description, err) < 0 ||
		read_note(root, "started_at", true, &ret_notes->started_at, err) < 0 ||
		read_note(root, "skill", false, &ret_notes->skill, err) < 0 ||
		custom_check_description(ret_notes->description, err) < 0)
		return error_hint(
			err, "'nanoclaw customize abort' ends the session; your edits stay");
	ret_notes->already = (struct layer){.kind = LAYER_PATCH, .node = root};
	/* Not the change time: rolling back a failed commit restores this very file. */
	ret_notes->written = st.st_mtim;
	*ret_found = true;
	return 0;
}

int customize_load(const struct project *project, struct customizing *ret_customizing,
	bool *ret_found, struct error *err)
{
	CLEANUP(notes_release) struct notes notes = {0};

	if (notes_load(project, &notes, ret_found, err) < 0)
		return -1;
	if (*ret_found)
		*ret_customizing = (struct customizing){
			.description = xstrdup(notes.description),
			.skill = notes.skill ? xstrdup(notes.skill) : NULL,
			.started_at = xstrdup(notes.started_at),
		};
	return 0;
}

void customizing_release(struct customizing *customizing)
{
	free(customizing->description);
	free(customizing->skill);
	free(customizing->started_at);
}

static bool has_notes(const struct project *project)
{
	return faccessat(project->root, NOTES_PATH, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int customize_refuse(const struct project *project, struct error *err)
{
	if (!has_notes(project))
		return 0;
	error_set(err, ERROR_BUSY, "a customizing session is open in '%s'", project->path);
	return error_hint(err,
		"record your changes first: 'nanoclaw customize commit'; or end "
		"it with 'nanoclaw customize abort', which leaves them in place");
}

/* --- start ------------------------------------------------------------------------------- */

struct noting {
	struct session *session;
	struct yaml_node *root;
};

static int note_file(
	const struct relpath *path, const struct stat *st, void *data, struct error *err)
{
	struct noting *noting = data;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file now;

	(void)st;
	if (custom_read_tree(noting->session, path, &file, err) < 0)
		return -1;
	now = layer_file_of(&file);
	layer_set(noting->root, relpath_view(path), &now);
	return 0;
}

/*
 * v0.1 kept no contents. The tree still has the content of an unchanged file: keep it, so that
 * later changes can be recognized.
 */
static int keep_contents(struct session *s, const struct recorded *recorded, struct error *err)
{
	for (size_t i = 0; i < recorded->count; i++) {
		const struct recorded_file *file = &recorded->files[i];
		const struct layer *layer = &recorded->layers.list[file->layer];
		CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
		CLEANUP(relpath_release) struct relpath path = relpath_of(file->path);
		struct layer_file is;

		if (layer->kind != LAYER_SKILL || layer_is_complete(layer))
			continue;
		if (custom_read_tree(s, &path, &now, err) < 0)
			return -1;
		is = layer_file_of(&now);
		if (layer_file_equal(&is, &file->file) && now.kind == TX_FILE &&
			recorded_keep(s, view_of_buf(&now.content), err) < 0)
			return -1;
	}
	return 0;
}

int customize_stage(
	struct session *s, const char *description, const char *skill, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new(NOTES_PATH);
	CLEANUP(relpath_release) struct relpath notes = relpath_of(NOTES_PATH);
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct noting noting = {s, doc->root = yaml_new_mapping(doc)};
	char now[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), now);
	yaml_set(doc->root, "description", yaml_new_string(doc, description));
	yaml_set(doc->root, "started_at", yaml_new_string(doc, now));
	if (skill)
		yaml_set(doc->root, "skill", yaml_new_string(doc, skill));
	for (size_t i = 0; s->drift_left && i < s->drift.count; i++) {
		CLEANUP(relpath_release)
		struct relpath path = relpath_of(s->drift.list[i].path);
		/* A skill that is being applied may rename it. */
		CLEANUP(relpath_release) struct relpath renamed = origin_resolve(s, &path);

		if (note_file(&path, NULL, &noting, err) < 0 ||
			note_file(&renamed, NULL, &noting, err) < 0)
			return -1;
	}
	if (recorded_collect(&s->state, &recorded, err) < 0 ||
		keep_contents(s, &recorded, err) < 0 ||
		new_files_each(s, &recorded, note_file, &noting, err) < 0 ||
		yaml_write(doc->root, &text, err) < 0)
		return -1;
	s->result->customizing = true;
	return transaction_put(s->tx, &notes, view_of_buf(&text), 0644, err);
}

static int check_skill(const struct session *s, const char *skill, struct error *err)
{
	if (!skill || state_find(&s->state, skill))
		return 0;
	error_set(err, ERROR_INVALID, "skill '%s' is not applied", skill);
	return error_hint(err,
		"'nanoclaw status' shows the skills that are; "
		"'nanoclaw skill apply %s --customize ...' does both",
		skill);
}

int customize_start(const struct project *project, const char *description, const char *skill,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(string_array_release) struct string_array nothing = {0};
	CLEANUP(session_release) struct session s = {.base = -1};

	if (custom_check_description(description, err) < 0 ||
		session_open(&s, project, "customize start", NULL, options, ret_result, err) <
			0 ||
		check_skill(&s, skill, err) < 0)
		return -1;
	s.untested = true;
	if (session_open_base(&s, err) < 0 || unrecorded_decide(&s, err) < 0 ||
		customize_stage(&s, description, skill, err) < 0)
		return finish_fail(&s, err);
	return finish(&s, &nothing, err);
}

/* --- commit ------------------------------------------------------------------------------ */

struct commit {
	struct session *session;
	const struct notes *notes;
	const struct recorded *recorded;
	struct custom_changes changes;
};

/* A file that is still as it was at the start is not part of the patch. */
static int commit_file(
	struct commit *c, const struct relpath *path, bool is_new, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file now, then;

	if (layer_get(&c->notes->already, relpath_view(path), &then)) {
		if (custom_read_tree(c->session, path, &file, err) < 0)
			return -1;
		now = layer_file_of(&file);
		if (layer_file_equal(&now, &then))
			return 0;
		if (!is_new)
			session_warn(c->session,
				"'%s' had unrecorded changes before; they are in the patch, too",
				path->text);
	}
	return custom_changes_add(c->session, c->recorded, path, &c->changes, err);
}

/* A file that `start` did not see, but that is older than the session, was ignored then. */
static int commit_new_file(
	const struct relpath *path, const struct stat *st, void *data, struct error *err)
{
	struct layer_file then;
	struct commit *c = data;
	/* File systems round their times: two seconds are clearly older. */
	bool is_older = st->st_ctim.tv_sec + 2 < c->notes->written.tv_sec;

	if (is_older && !layer_get(&c->notes->already, relpath_view(path), &then)) {
		session_warn(c->session,
			"'%s' was ignored before, and nobody changed it; it is not recorded",
			path->text);
		return 0;
	}
	return commit_file(c, path, true, err);
}

/* `customize record` has no notes. */
static int remove_notes(struct session *s, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(NOTES_PATH);

	return has_notes(s->project) ? transaction_remove(s->tx, &path, err) : 0;
}

/*
 * A patch that is tied to a skill is below the skills that were applied later. A file that
 * these skills added, or that the patch itself adds, removes or renames, is recorded as it is
 * in the tree.
 */
static int place_below(struct session *s, const struct custom_change *change, const char *name,
	const char *skill, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(thread_release) struct thread t = THREAD_INIT;
	struct layer_file after = layer_file_of(&change->after);
	struct thread_part *own;
	size_t patch = 0;

	if (layers_read(&s->state, &layers, err) < 0 ||
		thread_open(&t, s, &s->state, &layers, &change->path, err) < 0)
		return -1;
	while (layers.list[patch].kind != LAYER_PATCH ||
		strcmp(layers.list[patch].name, name) != 0)
		patch++;
	own = thread_find(&t, patch);
	if (!own || own == &t.parts[t.count - 1])
		return 0;
	if (change->before.kind == TX_ABSENT || change->after.kind == TX_ABSENT ||
		structured_format_of(change->path.text) ||
		thread_below_old(&t, (size_t)(own - t.parts))->kind == TX_ABSENT)
		return layers_note(&s->state, skill, relpath_view(&change->path), &after, err);
	if (thread_place(&t, (size_t)(own - t.parts), &change->after, err) < 0)
		return -1;
	return thread_store(&t, NULL, err);
}

static int stage_commit(
	struct session *s, const struct notes *notes, const char *skill, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	struct commit c = {s, notes, &recorded, CUSTOM_CHANGES_INIT};
	bool failed = false;

	if (session_open_base(s, err) < 0 || recorded_collect(&s->state, &recorded, err) < 0 ||
		drift_find(s->project, &s->state, &s->drift, err) < 0)
		return -1;
	for (size_t i = 0; i < s->drift.count && !failed; i++) {
		CLEANUP(relpath_release)
		struct relpath path = relpath_of(s->drift.list[i].path);

		failed = commit_file(&c, &path, false, err) < 0;
	}
	if (!failed)
		failed = new_files_each(s, &recorded, commit_new_file, &c, err) < 0;
	custom_changes_sort(&c.changes);
	if (!failed && c.changes.count)
		failed = custom_record(s, &c.changes, notes->description, skill,
				 &s->result->recorded_patch, err) < 0;
	for (size_t i = 0; !failed && skill && i < c.changes.count; i++)
		failed = place_below(s, &c.changes.list[i], s->result->recorded_patch, skill,
				 err) < 0;
	for (size_t i = 0; !failed && i < c.changes.count; i++)
		session_note_file(s, &c.changes.list[i].path, "", OUTCOME_MERGED);
	custom_changes_release(&c.changes);
	return failed ? -1 : 0;
}

static int commit_changes(
	struct session *s, const struct notes *notes, const char *skill, struct error *err)
{
	CLEANUP(string_array_release) struct string_array nothing = {0};

	if (stage_commit(s, notes, skill, err) < 0)
		return finish_fail(s, err);
	if (!s->result->recorded_patch && !has_notes(s->project))
		return 0;
	if (remove_notes(s, err) < 0)
		return finish_fail(s, err);
	if (s->result->recorded_patch)
		return finish(s, &nothing, err);
	/* There was nothing to record: only the notes go, and an undo would have nothing to do. */
	if (transaction_apply(s->tx, err) < 0 ||
		transaction_commit(s->tx, TRANSACTION_UNLISTED, (struct view){0}, err) < 0)
		return finish_fail(s, err);
	return 0;
}

int customize_commit(const struct project *project, const char *skill,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err)
{
	CLEANUP(notes_release) struct notes notes = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	bool found;

	if (notes_load(project, &notes, &found, err) < 0)
		return -1;
	if (!found) {
		error_set(err, ERROR_INVALID, "there is no customizing session here");
		return error_hint(
			err, "nanoclaw customize start 'what you are going to change'");
	}
	if (!skill)
		skill = notes.skill;
	if (session_open(&s, project, "customize commit", NULL, options, ret_result, err) < 0 ||
		check_skill(&s, skill, err) < 0)
		return -1;
	return commit_changes(&s, &notes, skill, err);
}

int customize_record(const struct project *project, const char *description, const char *skill,
	bool no_test, struct operation_result *ret_result, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *empty = yaml_doc_new(NOTES_PATH);
	CLEANUP(session_release) struct session s = {.base = -1};
	const struct operation_options options = {
		.no_test = no_test, .test_seconds = DEFAULT_TEST_SECONDS};
	struct notes notes = {.description = description,
		.already = {.kind = LAYER_PATCH, .node = yaml_new_mapping(empty)}};

	if (custom_check_description(description, err) < 0 ||
		session_open(&s, project, "customize record", NULL, &options, ret_result, err) <
			0)
		return -1;
	if (!s.found_state) {
		error_set(err, ERROR_INVALID,
			"there is no base here to compare with: 'nanoclaw init' has not run");
		return error_hint(err,
			"put the files back as they were before your changes, type "
			"'nanoclaw init', and make the changes then");
	}
	if (check_skill(&s, skill, err) < 0)
		return -1;
	return commit_changes(&s, &notes, skill, err);
}

int customize_rename(const struct project *project, const char *typed, const char *description,
	char **ret_name, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(string_array_release) struct string_array nothing = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	const struct operation_options options = {0};
	CLEANUP(freep) char *name = NULL;

	if (custom_check_description(description, err) < 0 ||
		session_open(&s, project, "customize rename", NULL, &options, &result, err) <
			0 ||
		custom_find(&s.state, typed, &name, err) < 0)
		return -1;
	s.untested = true;
	if (custom_rename(&s, name, description, ret_name, err) < 0)
		return finish_fail(&s, err);
	return finish(&s, &nothing, err);
}

int customize_abort(const struct project *project, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(string_array_release) struct string_array nothing = {0};
	CLEANUP(session_release) struct session s = {.base = -1};
	struct operation_options options = {0};

	if (customize_refuse(project, err) == 0)
		return error_set(err, ERROR_INVALID, "there is no customizing session here");
	error_clear(err);
	if (session_open(&s, project, "customize abort", NULL, &options, &result, err) < 0)
		return -1;
	s.untested = true;
	if (remove_notes(&s, err) < 0)
		return finish_fail(&s, err);
	return finish(&s, &nothing, err);
}

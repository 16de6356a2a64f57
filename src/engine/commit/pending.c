#include "engine/commit/pending.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/conflict/lesson.h"
#include "engine/session/drift.h"
#include "engine/structured/structured_state.h"
#include "fs/beneath.h"

#define BACKUP_PATH  ".nanoclaw/backup"
#define PENDING_PATH BACKUP_PATH "/pause.yaml"

/* --- writing ------------------------------------------------------------------ */

static struct yaml_node *strings_node(struct yaml_doc *doc, const struct string_array *array)
{
	struct yaml_node *node = yaml_new_sequence(doc);

	for (size_t i = 0; i < array->count; i++)
		yaml_append(node, yaml_new_string(doc, array->list[i]));
	return node;
}

static struct yaml_node *inputs_node(
	struct yaml_doc *doc, const struct resolution_inputs *inputs)
{
	struct yaml_node *node = yaml_new_mapping(doc);

	if (inputs->has_base)
		yaml_set_hash(node, "base", &inputs->base);
	yaml_set_hash(node, "current", &inputs->current);
	yaml_set_hash(node, "skill", &inputs->skill);
	return node;
}

static struct yaml_node *conflict_node(struct yaml_doc *doc, const struct conflict *conflict)
{
	struct yaml_node *node = yaml_new_mapping(doc);

	yaml_set(node, "path", yaml_new_string(doc, conflict->path.text));
	yaml_set(node, "skill", yaml_new_string(doc, conflict->skill));
	yaml_set(node, "markers", yaml_new_int(doc, (int64_t)conflict->markers));
	if (conflict->kind == CONFLICT_DELETE)
		yaml_set(node, "kind", yaml_new_string(doc, "decision"));
	if (conflict->recorded_apart)
		yaml_set(node, "recorded_apart", yaml_new_bool(doc, true));
	if (conflict->beside.text)
		yaml_set(node, "beside", yaml_new_string(doc, conflict->beside.text));
	if (conflict->version)
		yaml_set(node, "version", yaml_new_string(doc, conflict->version));
	if (conflict->has_inputs)
		yaml_set(node, "inputs", inputs_node(doc, &conflict->inputs));
	if (conflict->has_drift)
		yaml_set_hash(node, "without_drift", &conflict->without_drift);
	return node;
}

static struct yaml_node *lesson_node(struct yaml_doc *doc, const struct lesson *lesson)
{
	struct yaml_node *node = yaml_new_mapping(doc);
	struct yaml_node *about = yaml_new_sequence(doc);

	for (size_t i = 0; i < lesson->about.count; i++) {
		CLEANUP(freep) char *text = resolution_skill_text(&lesson->about.list[i]);

		yaml_append(about, yaml_new_string(doc, text));
	}
	yaml_set(node, "path", yaml_new_string(doc, lesson->path.text));
	yaml_set(node, "skill", yaml_new_string(doc, lesson->skill));
	yaml_set(node, "version", yaml_new_string(doc, lesson->version));
	yaml_set(node, "source", yaml_new_string(doc, lesson->source));
	yaml_set(node, "inputs", inputs_node(doc, &lesson->inputs));
	yaml_set_hash(node, "output", &lesson->output);
	yaml_set(node, "about", about);
	return node;
}

int pending_write(const struct pending *pending, struct buf *out, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new(PENDING_PATH);
	struct yaml_node *conflicts = yaml_new_sequence(doc);
	struct yaml_node *lessons = yaml_new_sequence(doc);

	doc->root = yaml_new_mapping(doc);
	for (size_t i = 0; i < pending->conflict_count; i++)
		yaml_append(conflicts, conflict_node(doc, &pending->conflicts[i]));
	yaml_set(doc->root, "operation", yaml_new_string(doc, pending->operation));
	yaml_set(doc->root, "conflicts", conflicts);
	for (size_t i = 0; i < pending->lesson_count; i++)
		yaml_append(lessons, lesson_node(doc, &pending->lessons[i]));
	if (lessons->count)
		yaml_set(doc->root, "lessons", lessons);
	yaml_set(doc->root, "remaining", strings_node(doc, &pending->remaining));
	yaml_set(doc->root, "remaining_versions", strings_node(doc, &pending->versions));
	yaml_set(doc->root, "skills", strings_node(doc, &pending->skills));
	yaml_set(doc->root, "no_test", yaml_new_bool(doc, pending->no_test));
	if (pending->test_new)
		yaml_set(doc->root, "test_new", yaml_new_bool(doc, true));
	yaml_set(doc->root, "no_install", yaml_new_bool(doc, pending->no_install));
	if (pending->allow_older_core)
		yaml_set(doc->root, "allow_older_core", yaml_new_bool(doc, true));
	yaml_set(doc->root, "allow_conflicts", yaml_new_bool(doc, pending->allow_conflicts));
	yaml_set(doc->root, "ancestor_is_base", yaml_new_bool(doc, pending->ancestor_is_base));
	if (pending->customize)
		yaml_set(doc->root, "customize", yaml_new_string(doc, pending->customize));
	if (pending->notes)
		yaml_set(doc->root, "update", yaml_copy(doc, pending->notes->root));
	yaml_set(doc->root, "state", yaml_copy(doc, pending->state.doc->root));
	return yaml_write(doc->root, out, err);
}

/* --- reading ------------------------------------------------------------------- */

static int read_pending_strings(const struct yaml_node *root, const char *key,
	struct string_array *ret_array, struct error *err)
{
	const struct yaml_node *node = yaml_get(root, key);
	const char **strings;
	size_t count;

	if (!node)
		return 0;
	if (yaml_strings(node, key, &strings, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		string_array_add(ret_array, strings[i]);
	return 0;
}

static int read_pending_path(const struct yaml_node *mapping, const char *key, bool needed,
	struct relpath *ret_path, struct error *err)
{
	const struct yaml_node *node = yaml_get(mapping, key);
	const char *text;

	if (!node)
		return needed ? yaml_error(mapping, err, "'%s' is missing", key) : 0;
	if (yaml_string(node, key, &text, err) < 0)
		return -1;
	return relpath_parse(view_of(text), ret_path, err);
}

static int read_pending_flag(
	const struct yaml_node *root, const char *key, bool *ret_flag, struct error *err)
{
	const struct yaml_node *node = yaml_get(root, key);

	return node ? yaml_bool(node, key, ret_flag, err) : 0;
}

static int read_pending_hash(const struct yaml_node *mapping, const char *key,
	struct hash *ret_hash, struct error *err)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	if (!node)
		return yaml_error(mapping, err, "'%s' is missing", key);
	return hash_from_hex(node->text, ret_hash, err);
}

static int read_inputs(const struct yaml_node *mapping, bool *ret_there,
	struct resolution_inputs *ret_inputs, struct error *err)
{
	const struct yaml_node *node = yaml_get(mapping, "inputs");

	*ret_there = node != NULL;
	if (!node)
		return 0;
	ret_inputs->has_base = yaml_get(node, "base") != NULL;
	if (ret_inputs->has_base && read_pending_hash(node, "base", &ret_inputs->base, err) < 0)
		return -1;
	if (read_pending_hash(node, "current", &ret_inputs->current, err) < 0)
		return -1;
	return read_pending_hash(node, "skill", &ret_inputs->skill, err);
}

static char *read_pending_text(const struct yaml_node *mapping, const char *key)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	return xstrdup(node && node->kind == YAML_SCALAR ? node->text.data : "");
}

/* Older versions did not write this; the state then has the skills. */
static int read_about(
	const struct yaml_node *node, struct resolution_skills *ret_skills, struct error *err)
{
	const char **texts;
	size_t count = 0;

	if (node && yaml_strings(node, "'about'", &texts, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (resolution_skills_parse(ret_skills, view_of(texts[i]), err) < 0)
			return -1;
	return 0;
}

static int read_lesson(struct pending *pending, const struct yaml_node *node, struct error *err)
{
	struct lesson lesson = {
		.skill = read_pending_text(node, "skill"),
		.version = read_pending_text(node, "version"),
		.source = read_pending_text(node, "source"),
	};
	bool there;

	if (read_pending_path(node, "path", true, &lesson.path, err) < 0 ||
		read_inputs(node, &there, &lesson.inputs, err) < 0 ||
		read_pending_hash(node, "output", &lesson.output, err) < 0 ||
		read_about(yaml_get(node, "about"), &lesson.about, err) < 0) {
		lesson_release(&lesson);
		return -1;
	}
	GROW(pending->lessons, pending->lesson_count, pending->lesson_cap);
	pending->lessons[pending->lesson_count++] = lesson;
	return 0;
}

static int read_conflict(
	struct pending *pending, const struct yaml_node *node, struct error *err)
{
	const struct yaml_node *skill = yaml_get(node, "skill");
	const struct yaml_node *markers = yaml_get(node, "markers");
	const struct yaml_node *kind = yaml_get(node, "kind");
	struct conflict conflict = {0};
	const char *name = "", *kind_name = "";
	int64_t count = 0;

	if ((skill && yaml_string(skill, "'skill'", &name, err) < 0) ||
		(markers && yaml_int(markers, "'markers'", &count, err) < 0) ||
		(kind && yaml_string(kind, "'kind'", &kind_name, err) < 0) ||
		read_pending_flag(node, "recorded_apart", &conflict.recorded_apart, err) < 0 ||
		read_pending_path(node, "path", true, &conflict.path, err) < 0 ||
		read_pending_path(node, "beside", false, &conflict.beside, err) < 0 ||
		read_inputs(node, &conflict.has_inputs, &conflict.inputs, err) < 0) {
		conflict_release(&conflict);
		return -1;
	}
	conflict.has_drift = conflict.has_inputs && yaml_get(node, "without_drift");
	if (conflict.has_drift &&
		read_pending_hash(node, "without_drift", &conflict.without_drift, err) < 0) {
		conflict_release(&conflict);
		return -1;
	}
	conflict.kind = strcmp(kind_name, "decision") ? CONFLICT_MERGE : CONFLICT_DELETE;
	conflict.skill = xstrdup(name);
	conflict.markers = (size_t)count;
	conflict.version = read_pending_text(node, "version");
	GROW(pending->conflicts, pending->conflict_count, pending->conflict_cap);
	pending->conflicts[pending->conflict_count++] = conflict;
	return 0;
}

static int read_pending(
	const struct yaml_node *root, struct pending *pending, struct error *err)
{
	const struct yaml_node *conflicts = yaml_get(root, "conflicts");
	const struct yaml_node *operation = yaml_get(root, "operation");
	const struct yaml_node *state = yaml_get(root, "state");
	const struct yaml_node *customize = yaml_get(root, "customize");
	const struct yaml_node *lessons = yaml_get(root, "lessons");
	const struct yaml_node *update = yaml_get(root, "update");
	const char *name, *description = NULL;

	if (!operation || !conflicts || !state)
		return yaml_error(root, err, "the records of the pause are incomplete");
	if (yaml_string(operation, "'operation'", &name, err) < 0 ||
		yaml_expect(conflicts, YAML_SEQUENCE, "'conflicts'", err) < 0)
		return -1;
	pending->operation = xstrdup(name);
	if (customize && yaml_string(customize, "'customize'", &description, err) < 0)
		return -1;
	if (description)
		pending->customize = xstrdup(description);
	for (size_t i = 0; i < conflicts->count; i++)
		if (read_conflict(pending, conflicts->items[i], err) < 0)
			return -1;
	for (size_t i = 0; lessons && lessons->kind == YAML_SEQUENCE && i < lessons->count; i++)
		if (read_lesson(pending, lessons->items[i], err) < 0)
			return -1;
	if (read_pending_strings(root, "remaining", &pending->remaining, err) < 0 ||
		read_pending_strings(root, "remaining_versions", &pending->versions, err) < 0 ||
		read_pending_strings(root, "skills", &pending->skills, err) < 0 ||
		read_pending_flag(root, "no_test", &pending->no_test, err) < 0 ||
		read_pending_flag(root, "test_new", &pending->test_new, err) < 0 ||
		read_pending_flag(root, "no_install", &pending->no_install, err) < 0 ||
		read_pending_flag(root, "allow_older_core", &pending->allow_older_core, err) <
			0 ||
		read_pending_flag(root, "allow_conflicts", &pending->allow_conflicts, err) <
			0 ||
		read_pending_flag(root, "ancestor_is_base", &pending->ancestor_is_base, err) <
			0)
		return -1;
	if (update) {
		if (yaml_expect(update, YAML_MAPPING, "'update'", err) < 0)
			return -1;
		pending->notes = yaml_doc_new(PENDING_PATH);
		pending->notes->root = yaml_copy(pending->notes, update);
	}
	return state_from_node(state, &pending->state, err);
}

static int hint_how_to_go_on(struct error *err)
{
	return error_hint(err,
		"'nanoclaw abort' undoes the operation that is paused; if it cannot, 'nanoclaw doctor --fix' moves its remains away");
}

int pending_load(const struct project *project, struct pending *ret_pending, bool *ret_found,
	struct error *err)
{
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(relpath_release) struct relpath path = relpath_of(PENDING_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};

	*ret_found = false;
	if (beneath_read(project->root, &path, STATE_MAX_SIZE, &text, err) < 0) {
		if (err->errnum != ENOENT)
			return hint_how_to_go_on(err);
		error_clear(err);
		if (faccessat(project->root, BACKUP_PATH, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			return 0;
		error_set(err, ERROR_FAILED, "'%s' is missing", PENDING_PATH);
		return hint_how_to_go_on(err);
	}
	if (yaml_parse_limited(view_of_buf(&text), PENDING_PATH, &limits, &doc, err) < 0 ||
		read_pending(doc->root, &pending, err) < 0)
		return hint_how_to_go_on(err);
	/* Packages of the project are noted by their paths in it. */
	for (size_t i = 0; i < pending.remaining.count; i++) {
		char *folder = pending.remaining.list[i];

		if (*folder == '/')
			continue;
		pending.remaining.list[i] = xasprintf("%s/%s", project->path, folder);
		free(folder);
	}
	*ret_found = true;
	*ret_pending = pending;
	pending = PENDING_INIT;
	return 0;
}

bool pending_has_conflict(const struct pending *pending, const char *path)
{
	for (size_t i = 0; i < pending->conflict_count; i++)
		if (!strcmp(pending->conflicts[i].path.text, path))
			return true;
	return false;
}

int pending_refuse(const struct project *project, struct error *err)
{
	if (faccessat(project->root, BACKUP_PATH, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	error_set(err, ERROR_BUSY, "an operation is paused in '%s'", project->path);
	return error_hint(err, "resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; "
			       "'nanoclaw status' shows what is open");
}

void pending_release(struct pending *pending)
{
	free((char *)(uintptr_t)pending->operation);
	free((char *)(uintptr_t)pending->customize);
	for (size_t i = 0; i < pending->conflict_count; i++)
		conflict_release(&pending->conflicts[i]);
	free(pending->conflicts);
	for (size_t i = 0; i < pending->lesson_count; i++)
		lesson_release(&pending->lessons[i]);
	free(pending->lessons);
	string_array_release(&pending->remaining);
	string_array_release(&pending->versions);
	string_array_release(&pending->skills);
	yaml_doc_free(pending->notes);
	state_release(&pending->state);
}

/* --- structured files ------------------------------------------------------------------- */

/* As the pause has left it, without contributions? */
static bool is_as_left(
	const struct project *project, const char *name, const struct yaml_node *entry)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash left, now;

	if (!structured_get_hash(entry, "unfolded", &left) ||
		relpath_parse(view_of(name), &path, &ignored) < 0 ||
		beneath_read(project->root, &path, STRUCTURED_MAX_FILE, &text, &ignored) < 0)
		return false;
	now = hash_of(view_of_buf(&text));
	return hash_equal(&now, &left);
}

int pending_unwritten(const struct project *project, const struct state *before,
	const struct pending *pending, struct string_array *ret_paths, struct error *err)
{
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
	const struct yaml_node *planned = structured_files(&pending->state);
	const struct yaml_node *files = structured_files(before);

	for (size_t i = 0; planned && i < planned->count; i++)
		if (is_as_left(
			    project, planned->entries[i].key.data, planned->entries[i].value))
			string_array_add(ret_paths, planned->entries[i].key.data);
	if (!files)
		return 0;
	if (drift_find(project, before, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->entries[i].key.data;
		bool drifted = false;

		for (size_t j = 0; j < drift.count; j++)
			drifted |= !strcmp(drift.list[j].path, path);
		if (!drifted)
			string_array_add(ret_paths, path);
	}
	return 0;
}

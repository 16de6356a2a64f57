#include "engine/state/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "engine/package/semver.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"
#include "time/timestamp.h"

/* --- reading ------------------------------------------------------------------- */

static int read_skill(struct state *state, struct yaml_node *node, struct error *err)
{
	struct applied_skill skill = {.version = "", .node = node};
	const struct yaml_node *name = node, *version = NULL;

	if (node->kind == YAML_MAPPING) {
		name = yaml_get(node, "name");
		if (!name)
			name = yaml_get(node, "skill");
		version = yaml_get(node, "version");
	}
	if (!name)
		return yaml_error(node, err, "an applied skill has no name");
	if (yaml_string(name, "the name of a skill", &skill.name, err) < 0 ||
		(version && yaml_string(version, "'version'", &skill.version, err) < 0))
		return -1;
	if (!utf8_all_printable(view_of(skill.name)) ||
		!utf8_all_printable(view_of(skill.version)))
		return yaml_error(node, err, "an applied skill has control characters");
	GROW(state->skills, state->skill_count, state->skill_cap);
	state->skills[state->skill_count++] = skill;
	return 0;
}

static int check_system_version(const struct yaml_node *root, struct error *err)
{
	const struct yaml_node *node = yaml_get(root, "skills_system_version");
	CLEANUP(semver_release) struct semver version = {0};
	const char *text;

	if (!node)
		return 0;
	if (yaml_string(node, "'skills_system_version'", &text, err) < 0)
		return -1;
	if (semver_parse(view_of(text), &version, err) < 0)
		return yaml_error(node, err, "'skills_system_version' is not a version");
	if (semver_compare_text(text, SKILLS_SYSTEM_VERSION) > 0) {
		yaml_error(node, err,
			"this project was last changed by a newer NanoClaw (%s, here is %s)",
			text, SKILLS_SYSTEM_VERSION);
		return error_hint(err, "update NanoClaw and type the command again");
	}
	return 0;
}

static int check_version(const struct yaml_node *node, const char *what, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(semver_release) struct semver version = {0};

	if (semver_parse(node->text, &version, &local) < 0)
		return yaml_error(node, err, "'%s': %s", what, local.message);
	return 0;
}

/* Fill the list of skills from the tree. */
static int index_skills(struct state *state, struct error *err)
{
	struct yaml_node *root = state->doc->root;
	struct yaml_node *skills, *version;

	if (yaml_expect(root, YAML_MAPPING, "the state", err) < 0 ||
		check_system_version(root, err) < 0)
		return -1;
	state->core_version = "0.0.0";
	version = yaml_get(root, "core_version");
	if (version && (yaml_string(version, "'core_version'", &state->core_version, err) < 0 ||
			       check_version(version, "core_version", err) < 0))
		return -1;
	if (remap_check(root, err) < 0)
		return -1;
	state->skill_count = 0;
	skills = yaml_get(root, "applied_skills");
	if (!skills || yaml_is_null(skills))
		return 0;
	if (yaml_expect(skills, YAML_SEQUENCE, "'applied_skills'", err) < 0)
		return -1;
	for (size_t i = 0; i < skills->count; i++)
		if (read_skill(state, skills->items[i], err) < 0)
			return -1;
	return 0;
}

int state_parse(struct view text, const char *name, struct state *ret_state, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};

	if (yaml_parse_limited(text, name, &limits, &state.doc, err) < 0 ||
		index_skills(&state, err) < 0 || layers_check(&state, err) < 0)
		return -1;
	*ret_state = state;
	state = STATE_INIT;
	return 0;
}

/* An empty folder does not count: an undo removes it at its very end. */
static bool is_there(const struct project *project, const char *path)
{
	int fd = openat(project->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	bool there = false;

	if (!dir) {
		closep(&fd);
		return faccessat(project->root, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	}
	for (struct dirent *d; !there && (d = readdir(dir));)
		there = strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
	closedir(dir);
	return there;
}

/* Where there is no state, nothing may be there that only a state explains. */
static const char *find_remains(const struct project *project)
{
	static const char *const remains[] = {
		".nanoclaw/base",
		".nanoclaw/base.sha256",
		".nanoclaw/applied",
	};

	for (size_t i = 0; i < ARRAY_SIZE(remains); i++)
		if (is_there(project, remains[i]))
			return remains[i];
	return NULL;
}

static int refuse_remains(const char *remains, struct error *err)
{
	error_set(err, ERROR_INVALID, "'%s' exists, but '%s' does not", remains, STATE_PATH);
	return error_hint(err,
		"restore '%s' from a copy, or let 'nanoclaw doctor --fix' rebuild it from what is "
		"left",
		STATE_PATH);
}

/*
 * Read the text of the state, if there is one. The first operation of a project puts the base
 * there a moment before the state; a command without the lock may look in between.
 */
static int read_text(
	const struct project *project, struct buf *ret_text, bool *ret_found, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STATE_PATH);
	const char *remains = NULL;

	for (bool again = false;; again = true) {
		CLEANUP(error_release) struct error local = ERROR_INIT;

		*ret_found = beneath_read(project->root, &path, STATE_MAX_SIZE, ret_text,
				     &local) == 0;
		if (!*ret_found && local.errnum != ENOENT)
			return error_move(err, &local);
		if (!*ret_found)
			remains = find_remains(project);
		if ((*ret_found || remains) && project_check_found(project, err) < 0)
			return -1;
		if (*ret_found || !remains ||
			(!project->locked && is_there(project, ".nanoclaw/tx")))
			return 0;
		if (again)
			return refuse_remains(remains, err);
	}
}

int state_load(const struct project *project, struct state *ret_state, bool *ret_found,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	*ret_found = false;
	if (read_text(project, &text, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	if (state_parse(view_of_buf(&text), STATE_PATH, ret_state, err) < 0)
		return err->hint
			       ? -1
			       : error_hint(err, "nothing was changed; fix that file, or let "
						 "'nanoclaw doctor --fix' rebuild it from what "
						 "is left");
	*ret_found = true;
	return 0;
}

int state_from_node(const struct yaml_node *node, struct state *ret_state, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;

	state.doc = yaml_doc_new(STATE_PATH);
	state.doc->root = yaml_copy(state.doc, node);
	if (index_skills(&state, err) < 0 || layers_check(&state, err) < 0)
		return -1;
	*ret_state = state;
	state = STATE_INIT;
	return 0;
}

const struct applied_skill *state_find(const struct state *state, const char *name)
{
	for (size_t i = 0; i < state->skill_count; i++)
		if (!strcmp(state->skills[i].name, name))
			return &state->skills[i];
	return NULL;
}

const char *state_flattened_at(const struct applied_skill *skill)
{
	return yaml_get_text(skill->node, "rebased_at");
}

const char *state_rebased_at(const struct state *state)
{
	return yaml_get_text(state->doc->root, "rebased_at");
}

bool state_has_test(const struct applied_skill *skill)
{
	return yaml_get(yaml_get(skill->node, "structured_outcomes"), "test");
}

const struct yaml_node *state_files_of(const struct applied_skill *skill)
{
	const struct yaml_node *files = yaml_get(skill->node, "file_hashes");

	return files && files->kind == YAML_MAPPING ? files : NULL;
}

const struct applied_skill *state_adder_of(
	const struct state *state, const struct relpath *path)
{
	for (size_t i = state->skill_count; i > 0; i--)
		if (record_lists(state->skills[i - 1].node, RECORD_ADDED, relpath_view(path)))
			return &state->skills[i - 1];
	return NULL;
}

/* --- writing ------------------------------------------------------------------- */

static void set_now(struct yaml_node *mapping, const char *key)
{
	char text[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), text);
	yaml_set_string(mapping, key, text);
}

void state_init(struct state *ret_state, const char *core_version)
{
	struct yaml_doc *doc = yaml_doc_new(STATE_PATH);

	doc->root = yaml_new_mapping(doc);
	yaml_set_string(doc->root, "skills_system_version", SKILLS_SYSTEM_VERSION);
	yaml_set_string(doc->root, "core_version", core_version);
	set_now(doc->root, "installed_at");
	yaml_set(doc->root, "applied_skills", yaml_new_sequence(doc));
	yaml_set(doc->root, "custom_modifications", yaml_new_sequence(doc));
	*ret_state = (struct state){
		.doc = doc, .core_version = yaml_get(doc->root, "core_version")->text.data};
}

void state_append(struct state *state, struct yaml_node *entry)
{
	const struct yaml_node *name = yaml_get(entry, "name");
	const struct yaml_node *version = yaml_get(entry, "version");

	yaml_append(yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE), entry);
	GROW(state->skills, state->skill_count, state->skill_cap);
	state->skills[state->skill_count++] = (struct applied_skill){
		name ? name->text.data : "", version ? version->text.data : "", entry};
}

static void add_applied(struct state *state, struct yaml_node *node, const struct manifest *m)
{
	struct yaml_node *skills = yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE);
	struct applied_skill skill;

	yaml_set_string(node, "name", m->skill);
	yaml_set_string(node, "version", m->version);
	skill = (struct applied_skill){
		yaml_get(node, "name")->text.data, yaml_get(node, "version")->text.data, node};
	for (size_t i = 0; i < state->skill_count; i++)
		if (!strcmp(state->skills[i].name, m->skill)) {
			skills->items[i] = node;
			state->skills[i] = skill;
			return;
		}
	yaml_append(skills, node);
	GROW(state->skills, state->skill_count, state->skill_cap);
	state->skills[state->skill_count++] = skill;
}

/*
 * Keep the records of files that an earlier version of the skill dropped: no package has them,
 * so only the entry does.
 */
static void keep_given_up(const struct yaml_node *old, struct yaml_node *entry)
{
	const struct layer before = {
		.kind = LAYER_SKILL, .node = (struct yaml_node *)(uintptr_t)old};
	const struct layer now = {.kind = LAYER_SKILL, .node = entry};
	const struct yaml_node *hashes = yaml_get_kind(old, "file_hashes", YAML_MAPPING);

	for (size_t i = 0; layer_is_complete(&before) && i < hashes->count; i++) {
		CLEANUP(freep) char *path = layer_path(hashes->entries[i].key);
		struct layer_file file, covered;

		if (!record_has_hashes(old, view_of(path)) &&
			!layer_get(&now, view_of(path), &covered) &&
			layer_get(&before, view_of(path), &file))
			layer_set(entry, view_of(path), &file);
	}
}

void state_record_declared(struct yaml_node *entry, const struct manifest *manifest)
{
	const struct yaml_node *structured = manifest->structured;
	struct yaml_node *declared = yaml_new_mapping(entry->doc);

	for (size_t i = 0; structured && i < structured->count; i++)
		yaml_set_view(declared, structured->entries[i].key,
			yaml_copy(entry->doc, structured->entries[i].value));
	if (manifest->test)
		yaml_set_string(declared, "test", manifest->test);
	yaml_remove(entry, "structured_outcomes");
	if (declared->count)
		yaml_set(entry, "structured_outcomes", declared);
}

void state_record(
	struct state *state, const struct manifest *manifest, const struct yaml_node *files)
{
	const struct applied_skill *old = state_find(state, manifest->skill);
	struct yaml_doc *doc = state->doc;
	struct yaml_node *node = old && old->node->kind == YAML_MAPPING
					 ? yaml_copy(doc, old->node)
					 : yaml_new_mapping(doc);

	yaml_remove(node, "skill");
	/* Its ancestors are then files of that version, and not of the core. */
	if (old && *old->version)
		yaml_set_string(node, "updated_from", old->version);
	record_take_files(node, files);
	if (old)
		keep_given_up(old->node, node);
	set_now(node, "applied_at");
	yaml_set_string(node, "core_version_at_apply", state->core_version);
	state_record_declared(node, manifest);
	add_applied(state, node, manifest);
}

static void set_source(
	struct yaml_node *mapping, const char *source, const struct hash *content)
{
	if (source) {
		yaml_set_string(mapping, "source", source);
		yaml_set_hash(mapping, "source_sha256", content);
	} else {
		yaml_remove(mapping, "source");
		yaml_remove(mapping, "source_sha256");
	}
}

void state_set_source(
	struct state *state, const char *skill, const char *source, const struct hash *content)
{
	set_source(state_find(state, skill)->node, source, content);
}

void state_set_core_source(struct state *state, const char *source, const struct hash *content)
{
	set_source(yaml_need(state->doc->root, "core_source", YAML_MAPPING), source, content);
}

void state_set_resolution_source(
	struct state *state, const char *key, const char *source, const struct hash *content)
{
	struct yaml_node *imported =
		yaml_need(state->doc->root, "imported_resolutions", YAML_MAPPING);

	set_source(yaml_need(imported, key, YAML_MAPPING), source, content);
}

static struct state_source read_source(
	const struct yaml_node *node, const char *kind, const char *name, const char *version)
{
	return (struct state_source){kind, name, version, yaml_get_text(node, "source"),
		yaml_get_text(node, "source_sha256")};
}

struct state_source *state_sources(const struct state *state, size_t *ret_count)
{
	const struct yaml_node *root = state->doc->root;
	const struct yaml_node *imported =
		yaml_get_kind(root, "imported_resolutions", YAML_MAPPING);
	struct state_source *list = xcalloc(
		1 + state->skill_count + (imported ? imported->count : 0), sizeof(*list));
	size_t count = 0;

	list[count++] = read_source(yaml_get_kind(root, "core_source", YAML_MAPPING), "core",
		"core", state->core_version);
	for (size_t i = 0; i < state->skill_count; i++)
		list[count++] = read_source(state->skills[i].node, "skill",
			state->skills[i].name, state->skills[i].version);
	for (size_t i = 0; imported && i < imported->count; i++)
		list[count++] = read_source(imported->entries[i].value, "resolution",
			imported->entries[i].key.data, NULL);
	*ret_count = count;
	return list;
}

const char *state_source_of(const struct applied_skill *skill)
{
	return yaml_get_text(skill->node, "source");
}

bool state_content_of(const struct applied_skill *skill, struct hash *ret_content)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = yaml_get_text(skill->node, "source_sha256");

	return text && hash_from_hex(view_of(text), ret_content, &ignored) == 0;
}

void state_record_file(
	struct state *state, struct yaml_node *files, const struct file_record *file)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(file->path));
	struct yaml_node *three = yaml_new_mapping(state->doc);

	record_list_add(
		files, file->added ? RECORD_ADDED : RECORD_MODIFIED, relpath_view(file->path));
	if (file->base)
		yaml_set_hash(three, "base", file->base);
	yaml_set_hash(three, "skill", &file->skill);
	yaml_set(yaml_need(files, "hashes", YAML_MAPPING), key, three);
	layer_set(files, relpath_view(file->path), &file->merged);
}

int state_record_resolved(struct state *state, const char *skill, const struct relpath *path,
	const struct layer_file *merged, struct error *err)
{
	const struct applied_skill *found = state_find(state, skill);

	if (found)
		layer_set(found->node, relpath_view(path), merged);
	return layers_note(state, skill, relpath_view(path), merged, err);
}

void state_set_rebased(struct state *state, const char *now)
{
	yaml_set_string(state->doc->root, "rebased_at", now);
	for (size_t i = 0; i < state->skill_count; i++)
		yaml_set_string(state->skills[i].node, "rebased_at", now);
}

void state_copy_file_facts(struct state *state, const struct state *from)
{
	static const char *const keys[] = {"path_remap", "structured_decisions",
		"structured_files", "structured_outcomes"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct yaml_node *was = yaml_get(from->doc->root, keys[i]);

		yaml_remove(state->doc->root, keys[i]);
		if (was)
			yaml_set(state->doc->root, keys[i], yaml_copy(state->doc, was));
	}
}

void state_copy_rest(struct state *state, const struct state *from)
{
	static const char *const ours[] = {"applied_skills", LAYER_BAKED_KEY, "core_version",
		"custom_modifications", "skills_system_version", "structured_files",
		"structured_outcomes"};
	const struct yaml_node *root = from->doc->root;

	for (size_t i = 0; i < root->count; i++) {
		bool copied = true;

		for (size_t j = 0; j < ARRAY_SIZE(ours); j++)
			copied &= !view_equal_str(root->entries[i].key, ours[j]);
		if (copied)
			yaml_set_view(state->doc->root, root->entries[i].key,
				yaml_copy(state->doc, root->entries[i].value));
	}
}

/* Plain strings and `skill:` become `name:`. */
static void write_names(struct state *state)
{
	struct yaml_node *skills = yaml_need(state->doc->root, "applied_skills", YAML_SEQUENCE);

	for (size_t i = 0; i < state->skill_count; i++) {
		struct yaml_node *node = state->skills[i].node;

		if (node->kind == YAML_SCALAR)
			node = yaml_new_mapping(state->doc);
		yaml_set_string(node, "name", state->skills[i].name);
		yaml_remove(node, "skill");
		skills->items[i] = node;
	}
}

int state_write(struct state *state, struct buf *out, struct error *err)
{
	write_names(state);
	yaml_set_string(state->doc->root, "skills_system_version", SKILLS_SYSTEM_VERSION);
	set_now(state->doc->root, "last_updated");
	return yaml_write(state->doc->root, out, err);
}

void state_release(struct state *state)
{
	yaml_doc_free(state->doc);
	free(state->skills);
}

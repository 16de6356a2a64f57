/*
 * Reading state.yaml, with the checks that everybody else relies on.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "engine/package/semver.h"
#include "engine/state/layer.h"
#include "engine/state/remap.h"
#include "engine/state/state.h"
#include "fs/beneath.h"

static int state_read_skill(struct state *state, struct yaml_node *node, struct error *err)
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

static int state_check_system(const struct yaml_node *root, struct error *err)
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

/* Fill the list of skills from the tree. */
static int state_index(struct state *state, struct error *err)
{
	struct yaml_node *root = state->doc->root;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(semver_release) struct semver parsed = {0};
	struct yaml_node *skills, *version;

	if (yaml_expect(root, YAML_MAPPING, "the state", err) < 0 ||
		state_check_system(root, err) < 0)
		return -1;
	state->core_version = "0.0.0";
	version = yaml_get(root, "core_version");
	if (version && yaml_string(version, "'core_version'", &state->core_version, err) < 0)
		return -1;
	if (version && semver_parse(version->text, &parsed, &wrong) < 0)
		return yaml_error(version, err, "'core_version': %s", wrong.message);
	if (remap_check(root, err) < 0)
		return -1;
	state->skill_count = 0;
	skills = yaml_get(root, "applied_skills");
	if (!skills || yaml_is_null(skills))
		return 0;
	if (yaml_expect(skills, YAML_SEQUENCE, "'applied_skills'", err) < 0)
		return -1;
	for (size_t i = 0; i < skills->count; i++)
		if (state_read_skill(state, skills->items[i], err) < 0)
			return -1;
	return 0;
}

int state_parse(struct view text, const char *name, struct state *ret_state, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};

	if (yaml_parse_limited(text, name, &limits, &state.doc, err) < 0 ||
		state_index(&state, err) < 0 || layers_check(&state, err) < 0)
		return -1;
	*ret_state = state;
	state = STATE_INIT;
	return 0;
}

/* An empty folder does not count: an undo removes it at its very end. */
static bool state_path_in_use(const struct project *project, const char *path)
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

/* Without a state, there must be no files that only a state explains. */
static const char *find_remains(const struct project *project)
{
	static const char *const remains[] = {
		".nanoclaw/base",
		".nanoclaw/base.sha256",
		".nanoclaw/applied",
	};

	for (size_t i = 0; i < ARRAY_SIZE(remains); i++)
		if (state_path_in_use(project, remains[i]))
			return remains[i];
	return NULL;
}

/*
 * Read the text of the state, if there is one. The first operation of a project puts the base
 * there a moment before the state; a command without the lock may look in between.
 */
static int state_read_text(
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
			(!project->locked && state_path_in_use(project, ".nanoclaw/tx")))
			return 0;
		if (!again)
			continue;
		error_set(err, ERROR_INVALID, "'%s' exists, but '%s' does not", remains,
			STATE_PATH);
		return error_hint(err,
			"restore '%s' from a copy, or let 'nanoclaw doctor --fix' rebuild it from "
			"what is left",
			STATE_PATH);
	}
}

int state_load(const struct project *project, struct state *ret_state, bool *ret_found,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	*ret_found = false;
	if (state_read_text(project, &text, &found, err) < 0)
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
	if (state_index(&state, err) < 0 || layers_check(&state, err) < 0)
		return -1;
	*ret_state = state;
	state = STATE_INIT;
	return 0;
}

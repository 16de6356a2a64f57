/* Finds damage and contradictions in the record. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/custom/custom.h"
#include "engine/disk/journal.h"
#include "engine/doctor/internal.h"
#include "engine/look/verify.h"
#include "engine/package/semver.h"
#include "engine/stack/drop.h"
#include "engine/state/layer.h"
#include "fs/beneath.h"

#define SHOWN_DAMAGES 5

static void add_damage(struct rebuild *r, const char *text)
{
	string_array_add(&r->report->damaged, text);
	r->report->damages++;
	r->report->replay = true;
}

/* Does anything have this path? With `folder`, is it a folder? */
static bool path_exists(struct rebuild *r, const char *path, bool folder)
{
	struct stat st;

	if (fstatat(r->project->root, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		rebuild_judge_errno(r, path);
		return false;
	}
	return !folder || S_ISDIR(st.st_mode);
}

static bool read_record_file(
	struct rebuild *r, const char *name, size_t max, struct buf *ret_text)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(name), &path, &failed) == 0 &&
		beneath_read(r->project->root, &path, max, ret_text, &failed) == 0)
		return true;
	rebuild_judge(r, &failed);
	return false;
}

/* --- a pause, an operation -------------------------------------------------------------- */

static bool survey_read_journal(
	struct rebuild *r, const char *path, struct journal *ret_journal)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	return read_record_file(r, path, JOURNAL_MAX_SIZE, &text) &&
	       journal_parse(view_of_buf(&text), ret_journal, &unfit) == 0;
}

static void survey_backup(struct rebuild *r)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	bool complete = false;

	if (!path_exists(r, ".nanoclaw/backup", false))
		return;
	if (pending_load(r->project, &pending, &complete, &failed) < 0) {
		rebuild_judge(r, &failed);
		complete = false;
	}
	complete = complete && survey_read_journal(r, ".nanoclaw/backup/journal", &journal);
	for (size_t i = 0; complete && i < journal.change_count; i++) {
		CLEANUP(freep)
		char *saved = xasprintf(".nanoclaw/backup/saved/%u", journal.changes[i].number);

		complete = !journal.changes[i].had_before || path_exists(r, saved, false);
	}
	r->report->paused = complete;
	if (complete)
		return;
	r->report->broken_backup = true;
	add_damage(r, "'.nanoclaw/backup': a pause with a missing part");
}

/*
 * An interrupted operation has been undone by now, if that was possible. If a part of it is
 * missing, it never will be; other reasons, such as a full disk, may pass.
 */
static void survey_operation(struct rebuild *r)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;

	if (!path_exists(r, ".nanoclaw/tx", false))
		return;
	/* A saved file that is missing has been restored already. */
	if (path_exists(r, ".nanoclaw/tx/undone", false)
			? survey_read_journal(r, ".nanoclaw/tx/undone", &journal)
		: path_exists(r, ".nanoclaw/tx/redone", false)
			? survey_read_journal(r, ".nanoclaw/tx/redone", &journal)
			: path_exists(r, ".nanoclaw/tx/saved", true) &&
				  path_exists(r, ".nanoclaw/tx/stage", true) &&
				  survey_read_journal(r, ".nanoclaw/tx/journal", &journal)) {
		r->report->waiting = true;
		return;
	}
	r->report->broken_operation = true;
	add_damage(r, "'.nanoclaw/tx': an operation that was interrupted cannot be undone");
}

/* --- folders --------------------------------------------------------------------- */

static void add_obstacle(
	const struct project *project, const char *path, struct string_array *paths)
{
	struct stat st;

	if (fstatat(project->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(st.st_mode))
		string_array_add(paths, path);
}

void rebuild_find_obstacles(const struct project *project, struct string_array *ret_paths)
{
	static const char *const folders[] = {
		APPLIED_FOLDER,
		".nanoclaw/base",
		CUSTOM_FOLDER,
		".nanoclaw/history",
		".nanoclaw/objects",
	};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		add_obstacle(project, folders[i], ret_paths);
	/* Contents are in folders by the first two digits of their hash. */
	for (unsigned i = 0; i < 256; i++) {
		CLEANUP(freep) char *path = xasprintf(".nanoclaw/objects/%02x", i);

		add_obstacle(project, path, ret_paths);
	}
}

/* --- the state ------------------------------------------------------------------- */

/* Was it written by a newer NanoClaw? Then it is not damaged. */
static bool is_state_newer(struct rebuild *r)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(semver_release) struct semver version = {0};
	const struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};
	const struct yaml_node *node;

	if (!read_record_file(r, STATE_PATH, STATE_MAX_SIZE, &text) ||
		yaml_parse_limited(view_of_buf(&text), STATE_PATH, &limits, &doc, &unfit) < 0 ||
		doc->root->kind != YAML_MAPPING)
		return false;
	node = yaml_get(doc->root, "skills_system_version");
	return node && node->kind == YAML_SCALAR &&
	       semver_parse(node->text, &version, &unfit) == 0 &&
	       semver_compare_text(node->text.data, SKILLS_SYSTEM_VERSION) > 0;
}

/*
 * A state that was cut at the end of a line can still be parsed. But the version of the system is
 * near its end, and the last operation has recorded its hash.
 */
static bool is_state_cut(struct rebuild *r, const struct state *state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash is, was;

	if (yaml_get(state->doc->root, "skills_system_version"))
		return false;
	/* A base has a version, and so has the state that was written with it. */
	if (!yaml_get(state->doc->root, "core_version") &&
		path_exists(r, BASE_SUMS_PATH, false))
		return true;
	if (!rebuild_past_state_hash(&r->past, &was) ||
		!read_record_file(r, STATE_PATH, STATE_MAX_SIZE, &text))
		return false;
	is = hash_of(view_of_buf(&text));
	return !hash_equal(&is, &was);
}

/* Without a state: was there ever one? */
static bool has_remains(struct rebuild *r)
{
	static const char *const remains[] = {
		".nanoclaw/base",
		BASE_SUMS_PATH,
		APPLIED_FOLDER,
		CUSTOM_FOLDER,
		".nanoclaw/history",
	};

	for (size_t i = 0; i < ARRAY_SIZE(remains); i++)
		if (path_exists(r, remains[i], false))
			return true;
	return false;
}

static void survey_kept(struct rebuild *r, const struct state *state)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(verify_result_release) struct verify_result result = VERIFY_RESULT_INIT;

	if (verify(r->project, state, &result, &failed) < 0) {
		add_damage(r, failed.message);
		rebuild_judge(r, &failed);
		return;
	}
	for (size_t i = 0; i < result.count; i++) {
		CLEANUP(freep)
		char *text =
			xasprintf("'%s' is %s", result.list[i].path, result.list[i].change);

		if (result.list[i].damage && r->report->damaged.count < SHOWN_DAMAGES)
			add_damage(r, text);
		else if (result.list[i].damage)
			r->report->damages++;
	}
}

/* --- packs and patches that are not recorded -------------------------------------- */

/* A patch that was discarded with its skill stays for the person. */
static bool was_discarded(struct rebuild *r, const char *file, const struct state *state)
{
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	CLEANUP(freep)
	char *name = xasprintf(
		CUSTOM_FOLDER "/%.*s.md", (int)(strlen(file) - strlen(".patch")), file);

	return read_record_file(r, name, TRANSACTION_MAX_FILE, &note) &&
	       custom_is_discarded(view_of_buf(&note), state);
}

static void survey_strays(struct rebuild *r, const char *folder, const char *ending,
	const struct layers *layers, enum layer_kind kind, const struct state *state)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	rebuild_list(r, folder, &names);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.list[i];
		CLEANUP(freep) char *text = xasprintf("'%s/%s' is not recorded", folder, name);
		bool known = !view_ends_with(view_of(name), ending);

		for (size_t j = 0; j < layers->count && !known; j++) {
			size_t len = strlen(layers->list[j].name);

			known = layers->list[j].kind == kind &&
				!strncmp(layers->list[j].name, name, len) &&
				!strcmp(name + len, ending);
		}
		if (!known && (kind != LAYER_PATCH || !was_discarded(r, name, state)))
			add_damage(r, text);
	}
}

/* If nothing of it is left here, git itself can restore it. */
static bool is_committed(struct rebuild *r)
{
	CLEANUP(string_array_release) struct string_array paths = {0};

	rebuild_git_paths(r, false, &paths);
	return string_array_has(&paths, STATE_PATH);
}

static int survey_state(struct rebuild *r, struct error *err)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(string_array_release) struct string_array obstacles = {0};
	bool found;

	if (is_state_newer(r)) {
		r->report->refused = true;
		return 0;
	}
	if (state_load(r->project, &state, &found, &failed) < 0) {
		add_damage(r, failed.message);
		rebuild_judge(r, &failed);
		return 0;
	}
	if (!found) {
		if (has_remains(r))
			add_damage(r, "'" STATE_PATH "' is gone");
		else
			r->report->committed = is_committed(r);
		return 0;
	}
	if (is_state_cut(r, &state)) {
		r->report->state_cut = true;
		add_damage(r, "the end of '" STATE_PATH "' is missing");
		return 0;
	}
	if (layers_read(&state, &layers, err) < 0)
		return -1;
	rebuild_find_obstacles(r->project, &obstacles);
	for (size_t i = 0; i < obstacles.count; i++) {
		CLEANUP(freep)
		char *text = xasprintf("'%s' is not a folder", obstacles.list[i]);

		add_damage(r, text);
	}
	survey_kept(r, &state);
	survey_strays(r, APPLIED_FOLDER, "", &layers, LAYER_SKILL, &state);
	survey_strays(r, CUSTOM_FOLDER, ".patch", &layers, LAYER_PATCH, &state);
	return 0;
}

int rebuild_survey(
	const struct project *project, struct rebuild_report *ret_report, struct error *err)
{
	CLEANUP(rebuild_release)
	struct rebuild r = {.project = project, .report = ret_report};

	if (!path_exists(&r, ".nanoclaw", false)) {
		ret_report->committed = is_committed(&r);
		return rebuild_check_readable(&r, err);
	}
	survey_operation(&r);
	if (!ret_report->waiting)
		survey_backup(&r);
	/* During a pause, the pack and the patches may be those of the operation. */
	if (ret_report->waiting || ret_report->paused)
		return rebuild_check_readable(&r, err);
	rebuild_past_load(&r);
	/* An entry that cannot be undone blocks the older ones. */
	for (size_t i = 0; i < r.past.broken.count; i++) {
		const char *entry = r.past.broken.list[i];

		string_array_add(&ret_report->broken_history, entry);
		string_array_addf(&ret_report->damaged,
			"'%s', a step of 'nanoclaw undo', is incomplete", entry);
		ret_report->damages++;
	}
	if (survey_state(&r, err) < 0)
		return -1;
	return rebuild_check_readable(&r, err);
}

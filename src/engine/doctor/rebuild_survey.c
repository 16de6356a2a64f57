/*
 * What is damaged, and what contradicts itself.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/journal.h"
#include "engine/doctor/internal.h"
#include "engine/look/verify.h"
#include "engine/package/semver.h"
#include "engine/stack/custom.h"
#include "engine/stack/custom_discard.h"
#include "engine/state/layer.h"
#include "fs/beneath.h"

#define SHOWN_DAMAGES 5

static void damaged(struct rebuild_report *report, const char *text)
{
	string_array_add(&report->damaged, text);
	report->damages++;
	report->replay = true;
}

static bool exists(const struct project *project, const char *path)
{
	return faccessat(project->root, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool is_folder(const struct project *project, const char *path)
{
	struct stat st;

	return fstatat(project->root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/* --- a pause, an operation -------------------------------------------------------------- */

static bool has_saved(const struct project *project, const struct journal *journal)
{
	for (size_t i = 0; i < journal->change_count; i++) {
		CLEANUP(freep)
		char *saved =
			xasprintf(".nanoclaw/backup/saved/%u", journal->changes[i].number);

		if (journal->changes[i].had_before && !exists(project, saved))
			return false;
	}
	return true;
}

static bool read_journal(const struct project *project, const char *folder, const char *name,
	struct journal *ret_journal)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *file = xasprintf("%s/%s", folder, name);

	return relpath_parse(view_of(file), &path, &unfit) == 0 &&
	       beneath_read(project->root, &path, JOURNAL_MAX_SIZE, &text, &unfit) == 0 &&
	       journal_parse(view_of_buf(&text), ret_journal, &unfit) == 0;
}

static bool is_backup_whole(const struct project *project)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	bool found;

	return pending_load(project, &pending, &found, &unfit) == 0 && found &&
	       read_journal(project, ".nanoclaw/backup", "journal", &journal) &&
	       has_saved(project, &journal);
}

static void look_at_backup(const struct project *project, struct rebuild_report *report)
{
	if (!exists(project, ".nanoclaw/backup"))
		return;
	if (is_backup_whole(project)) {
		report->paused = true;
		return;
	}
	report->broken_backup = true;
	damaged(report, "'.nanoclaw/backup': a pause of which a part is missing");
}

/*
 * Whoever was interrupted has been undone by now, if that was possible. If something of it
 * is missing, it never will be; other reasons, such as a full disk, may pass.
 */
static void look_at_operation(const struct project *project, struct rebuild_report *report)
{
	const char *const folder = ".nanoclaw/tx";
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;

	if (!exists(project, folder))
		return;
	/* Saved files that are missing have got their names back already. */
	if (exists(project, ".nanoclaw/tx/undone")
			? read_journal(project, folder, "undone", &journal)
			: is_folder(project, ".nanoclaw/tx/saved") &&
				  is_folder(project, ".nanoclaw/tx/stage") &&
				  read_journal(project, folder, "journal", &journal)) {
		report->waiting = true;
		return;
	}
	report->broken_operation = true;
	damaged(report, "'.nanoclaw/tx': an operation that was interrupted cannot be undone");
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
		".nanoclaw/applied",
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

static void look_at_folders(const struct project *project, struct rebuild_report *report)
{
	CLEANUP(string_array_release) struct string_array paths = {0};

	rebuild_find_obstacles(project, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(freep) char *text = xasprintf("'%s' is no folder", paths.list[i]);

		damaged(report, text);
	}
}

/* --- the history ------------------------------------------------------------------------- */

/* What cannot be undone stands in the way of what is older. */
static void look_at_history(const struct rebuild_past *past, struct rebuild_report *report)
{
	for (size_t i = 0; i < past->broken.count; i++) {
		CLEANUP(freep)
		char *text = xasprintf(
			"'%s', a step of 'nanoclaw undo', is not whole", past->broken.list[i]);

		string_array_add(&report->broken_history, past->broken.list[i]);
		string_array_add(&report->damaged, text);
		report->damages++;
	}
}

/* --- the state ------------------------------------------------------------------- */

/* Is it from a NanoClaw that knows more than this one? Then it is not damaged. */
static bool is_newer(const struct project *project)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(semver_release) struct semver version = {0};
	const struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};
	const struct yaml_node *node;

	if (relpath_parse(view_of(STATE_PATH), &path, &unfit) < 0 ||
		beneath_read(project->root, &path, STATE_MAX_SIZE, &text, &unfit) < 0 ||
		yaml_parse_limited(view_of_buf(&text), STATE_PATH, &limits, &doc, &unfit) < 0 ||
		doc->root->kind != YAML_MAPPING)
		return false;
	node = yaml_get(doc->root, "skills_system_version");
	return node && node->kind == YAML_SCALAR &&
	       semver_parse(node->text, &version, &unfit) == 0 &&
	       semver_compare_text(node->text.data, SKILLS_SYSTEM_VERSION) > 0;
}

/*
 * A file that ends at the end of some line may still be read. Of what is written, the
 * version of the system is near the end, and the last operation has noted the hash.
 */
static bool is_cut(const struct project *project, const struct state *state,
	const struct rebuild_past *past)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash is, was;

	if (yaml_get(state->doc->root, "skills_system_version"))
		return false;
	/* A base has a version, and so has the state that was written with it. */
	if (!yaml_get(state->doc->root, "core_version") && exists(project, BASE_SUMS_PATH))
		return true;
	if (!rebuild_past_state_hash(past, &was) ||
		relpath_parse(view_of(STATE_PATH), &path, &unfit) < 0 ||
		beneath_read(project->root, &path, STATE_MAX_SIZE, &text, &unfit) < 0)
		return false;
	is = hash_of(view_of_buf(&text));
	return !hash_equal(&is, &was);
}

/* Without a state: was there ever one? */
static bool has_remains(const struct project *project)
{
	static const char *const remains[] = {
		".nanoclaw/base",
		BASE_SUMS_PATH,
		".nanoclaw/applied",
		CUSTOM_FOLDER,
		".nanoclaw/history",
	};

	for (size_t i = 0; i < ARRAY_SIZE(remains); i++)
		if (exists(project, remains[i]))
			return true;
	return false;
}

static void look_at_kept(
	const struct project *project, const struct state *state, struct rebuild_report *report)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(verify_result_release) struct verify_result result = VERIFY_RESULT_INIT;

	if (verify(project, state, &result, &failed) < 0) {
		damaged(report, failed.message);
		return;
	}
	for (size_t i = 0; i < result.count; i++) {
		CLEANUP(freep)
		char *text =
			xasprintf("'%s' is %s", result.list[i].path, result.list[i].change);

		if (result.list[i].damage && report->damaged.count < SHOWN_DAMAGES)
			damaged(report, text);
		else if (result.list[i].damage)
			report->damages++;
	}
}

/* --- packs and patches that nobody knows ----------------------------------------- */

/* A patch that was discarded with its skill is there for the person. */
static bool was_discarded(
	const struct project *project, const char *file, const struct state *state)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	CLEANUP(freep)
	char *name = xasprintf(
		CUSTOM_FOLDER "/%.*s.md", (int)(strlen(file) - strlen(".patch")), file);

	return relpath_parse(view_of(name), &path, &unfit) == 0 &&
	       beneath_read(project->root, &path, TRANSACTION_MAX_FILE, &note, &unfit) == 0 &&
	       custom_is_discarded(view_of_buf(&note), state);
}

static void look_for_strays(const struct project *project, const char *folder,
	const char *ending, const struct layers *layers, enum layer_kind kind,
	const struct state *state, struct rebuild_report *report)
{
	int fd = openat(project->root, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	for (struct dirent *d; dir && (d = readdir(dir));) {
		CLEANUP(freep)
		char *text = xasprintf("'%s/%s' is not recorded", folder, d->d_name);
		bool known = *d->d_name == '.' || !view_ends_with(view_of(d->d_name), ending);

		for (size_t i = 0; i < layers->count && !known; i++) {
			size_t len = strlen(layers->list[i].name);

			known = layers->list[i].kind == kind &&
				!strncmp(layers->list[i].name, d->d_name, len) &&
				!strcmp(d->d_name + len, ending);
		}
		if (!known && kind == LAYER_PATCH)
			known = was_discarded(project, d->d_name, state);
		if (!known)
			damaged(report, text);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

/* With nothing left of it here, git itself can bring it back. */
static bool is_committed(const struct project *project)
{
	CLEANUP(string_array_release) struct string_array paths = {0};
	struct rebuild r = {.project = project};

	r.has_git = rebuild_git_there(&r);
	rebuild_git_paths(&r, false, &paths);
	for (size_t i = 0; i < paths.count; i++)
		if (!strcmp(paths.list[i], STATE_PATH))
			return true;
	return false;
}

static int look_at_state(const struct project *project, const struct rebuild_past *past,
	struct rebuild_report *report, struct error *err)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	bool found;

	if (is_newer(project)) {
		report->refused = true;
		return 0;
	}
	if (state_load(project, &state, &found, &failed) < 0) {
		damaged(report, failed.message);
		return 0;
	}
	if (!found) {
		if (has_remains(project))
			damaged(report, "'" STATE_PATH "' is gone");
		else
			report->committed = is_committed(project);
		return 0;
	}
	if (is_cut(project, &state, past)) {
		report->state_cut = true;
		damaged(report, "the end of '" STATE_PATH "' is missing");
		return 0;
	}
	if (layers_read(&state, &layers, err) < 0)
		return -1;
	look_at_folders(project, report);
	look_at_kept(project, &state, report);
	look_for_strays(project, ".nanoclaw/applied", "", &layers, LAYER_SKILL, &state, report);
	look_for_strays(project, CUSTOM_FOLDER, ".patch", &layers, LAYER_PATCH, &state, report);
	return 0;
}

int rebuild_survey(
	const struct project *project, struct rebuild_report *ret_report, struct error *err)
{
	CLEANUP(rebuild_past_release) struct rebuild_past past = {0};

	if (!exists(project, ".nanoclaw")) {
		ret_report->committed = is_committed(project);
		return 0;
	}
	look_at_operation(project, ret_report);
	if (ret_report->waiting)
		return 0;
	look_at_backup(project, ret_report);
	/* Of a pause, pack and patches may be those of the operation. */
	if (ret_report->paused)
		return 0;
	rebuild_past_load(project, &past);
	look_at_history(&past, ret_report);
	return look_at_state(project, &past, ret_report, err);
}

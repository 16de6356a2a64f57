/* A commit of the project's repository as the new core. */
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/core/core_git.h"
#include "engine/core/ignore.h"
#include "engine/newcore/core_source.h"
#include "engine/newcore/internal.h"

#define LISTING_MAX ((size_t)512 * 1024 * 1024)
/* Contents are hashed in groups of this many bytes. */
#define GROUP_BYTES ((size_t)32 * 1024 * 1024)
#define GROUP_COUNT ((size_t)5000)

#define LFS_FIRST "version https://git-lfs.github.com/spec/v1\n"
#define LFS_MAX   1024

/* --- the commit ------------------------------------------------------------------ */

static int find_commit(struct core_opening *o, char **ret_commit, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(o->request->typed));
	CLEANUP(error_release) struct error said = ERROR_INIT;

	if (core_git_commit(o->request->project->root, o->request->typed, ret_commit, &said) ==
		0)
		return 0;
	if (said.kind && said.kind != ERROR_INVALID)
		return error_move(err, &said);
	error_set(err, ERROR_INVALID,
		"%s is neither a folder nor a commit that the project's repository has", shown);
	return error_hint(err, "%s",
		said.hint ? said.hint
			  : "name an update package, a folder with the new core, or a tag or "
			    "branch that you have fetched");
}

/* The number of commits that the user's branch does not have. */
static size_t count_commits(const struct core_opening *o, const char *commit)
{
	CLEANUP(freep) char *range = xasprintf("HEAD..%s", commit);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *const argv[] = {"rev-list", "--count", range, "--", NULL};

	if (core_git_run(o->request->project->root, argv, view_of(""), 4096, &out, &ignored) <
		0)
		return 0;
	return strtoull(out.data, NULL, 10);
}

/* --- its files ------------------------------------------------------------------- */

static int add_git_entry(struct core_opening *o, const struct core_git_entry *line,
	struct core_tree *all, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *shown = quote(line->path);
	struct layer_file file = {.kind = TX_FILE, .mode_known = true};

	if (view_equal_str(line->mode, "160000")) {
		string_array_addf(
			&o->source->notes, "%s is a submodule, and is left out", shown);
		return 0;
	}
	if (!view_equal_str(line->type, "blob"))
		return error_set(err, ERROR_INVALID, "%s is not a file", shown);
	if (line->size > CORE_MAX_FILE)
		return error_set(err, ERROR_INVALID, "%s is larger than %zu bytes", shown,
			CORE_MAX_FILE);
	if (all->count == CORE_TREE_MAX)
		return error_set(
			err, ERROR_INVALID, "there are more than %zu files", CORE_TREE_MAX);
	if (relpath_parse(line->path, &path, err) < 0)
		return -1;
	file.executable = view_equal_str(line->mode, "100755");
	if (view_equal_str(line->mode, "120000"))
		file.kind = TX_SYMLINK;
	core_tree_add(all, &path, &file,
		core_reader_add_object(o->source->reader, line->object, line->size));
	return 0;
}

static int read_commit_text(struct core_opening *o, const struct core_tree *all,
	const char *name, size_t max, struct buf *ret_text, bool *ret_found, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(name);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	const struct core_file *found = core_tree_find(all, &path);
	size_t size;

	*ret_found = found && found->file.kind == TX_FILE;
	if (!*ret_found)
		return 0;
	if (core_reader_size(o->source->reader, found->place, &size, err) < 0)
		return -1;
	if (size > max)
		return error_set(
			err, ERROR_INVALID, "'%s' is larger than %zu bytes", name, max);
	if (core_reader_read(o->source->reader, found->place, &file, err) < 0)
		return -1;
	buf_append(ret_text, file.content.data, file.content.len);
	return 0;
}

/* --- core and packages ----------------------------------------------------------- */

static bool is_in_package(const struct core_tree *all, struct view path)
{
	size_t len = core_skills_folder_len(path);
	CLEANUP(freep) char *text = xasprintf("%.*s/manifest.yaml", (int)len, path.data);
	struct relpath manifest = {text};
	const struct core_file *found = len ? core_tree_find(all, &manifest) : NULL;

	return found && found->file.kind == TX_FILE;
}

/* Divide the files of `all` into core and packages. */
static int divide_files(struct core_opening *o, struct core_tree *all, struct core_tree *after,
	struct error *err)
{
	CLEANUP(gitignore_release) struct gitignore own = GITIGNORE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	if (read_commit_text(o, all, ".nanoclaw-ignore", YAML_MAX_SIZE, &text, &found, err) < 0)
		return -1;
	gitignore_parse(view_of_buf(&text), &own);
	for (size_t i = 0; i < all->count; i++) {
		const struct core_file *file = &all->list[i];
		struct view path = relpath_view(&file->path);
		bool beside = core_skills_is_resolution(path) || is_in_package(all, path);
		struct relpath copy;

		if (!beside && ignore_excludes_tracked(&own, file->path.text))
			continue;
		if (core_path_check(&file->path, err) < 0)
			return -1;
		copy = relpath_copy(&file->path);
		core_tree_add(
			beside ? &o->source->packages : after, &copy, &file->file, file->place);
	}
	core_tree_sort(&o->source->packages);
	core_tree_sort(after);
	core_leave_persons(o, NULL, after);
	return 0;
}

/* --- hashes ---------------------------------------------------------------------- */

struct hashing {
	struct core_opening *o;
	struct core_file *files; /* of the group */
};

/*
 * A git LFS pointer stands for a file stored elsewhere. If the base has exactly that file,
 * nothing has changed.
 */
static void check_lfs(struct core_opening *o, struct core_file *file, struct view content)
{
	static const char oid[] = "oid sha256:";
	CLEANUP(freep) char *shown = relpath_quote(&file->path);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct core_file *old = core_tree_find(&o->source->files, &file->path);
	struct hash hash;
	struct view line;

	if (content.len > LFS_MAX || !view_starts_with(content, LFS_FIRST))
		return;
	while (view_next(&content, '\n', &line))
		if (view_starts_with(line, oid) && old &&
			hash_from_hex(view_slice(line, strlen(oid), line.len), &hash,
				&ignored) == 0 &&
			hash_equal(&hash, &old->file.hash)) {
			file->file.hash = hash;
			file->place = old->place;
			return;
		}
	string_array_addf(&o->source->notes,
		"%s is a pointer of git LFS, and its content is elsewhere", shown);
}

static int hash_content(size_t number, struct view content, void *data, struct error *err)
{
	struct hashing *hashing = data;
	struct core_file *file = &hashing->files[number];

	(void)err;
	file->file.hash = hash_of(content);
	if (file->file.kind == TX_FILE)
		check_lfs(hashing->o, file, content);
	return 0;
}

static int hash_contents(struct core_opening *o, struct core_tree *tree, struct error *err)
{
	CLEANUP(freep) const char **objects = xcalloc(GROUP_COUNT, sizeof(*objects));
	const struct core_reader *reader = o->source->reader;
	size_t start = 0;

	while (start < tree->count) {
		struct hashing hashing = {o, &tree->list[start]};
		size_t count = 0, bytes = 0;

		while (start + count < tree->count && count < GROUP_COUNT) {
			const struct core_place *at =
				&reader->places[tree->list[start + count].place];

			if (count && bytes + at->size > GROUP_BYTES)
				break;
			bytes += at->size;
			objects[count++] = at->object;
		}
		if (core_git_contents(o->request->project->root, objects, count, bytes,
			    hash_content, &hashing, err) < 0)
			return -1;
		start += count;
	}
	return 0;
}

/* --- the whole commit ------------------------------------------------------------------- */

static int read_commit_meta(struct core_opening *o, const struct core_tree *all,
	struct core_ops *ops, struct error *err)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	if (read_commit_text(o, all, CORE_META_REMAP, YAML_MAX_SIZE, &text, &found, err) < 0)
		return -1;
	if (found)
		core_ops_parse(
			view_of_buf(&text), CORE_META_REMAP, CORE_OPS_REMAP, ops, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	return read_commit_text(
		o, all, CORE_META_GUIDE, CORE_MAX_FILE, &o->source->guide, &found, err);
}

static int read_commit(struct core_opening *o, const char *commit, struct error *err)
{
	CLEANUP(core_tree_release) struct core_tree all = CORE_TREE_INIT;
	CLEANUP(core_tree_release) struct core_tree after = CORE_TREE_INIT;
	CLEANUP(core_ops_release) struct core_ops ops = CORE_OPS_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *const argv[] = {"ls-tree", "-r", "-z", "-l", "--full-tree", commit, NULL};
	struct view rest, text;

	if (core_git_run(o->request->project->root, argv, view_of(""), LISTING_MAX, &out, err) <
		0)
		return -1;
	rest = view_of_buf(&out);
	while (view_next(&rest, '\0', &text)) {
		struct core_git_entry entry;

		if (core_git_parse_entry(text, &entry, err) < 0 ||
			add_git_entry(o, &entry, &all, err) < 0)
			return -1;
	}
	core_tree_sort(&all);
	if (divide_files(o, &all, &after, err) < 0)
		return -1;
	if (!after.count)
		return error_set(err, ERROR_INVALID, "it has no file of a core in it");
	if (hash_contents(o, &after, err) < 0 ||
		hash_contents(o, &o->source->packages, err) < 0 ||
		core_skills_add_stale(o, err) < 0 || read_commit_meta(o, &all, &ops, err) < 0)
		return -1;
	core_lineage_match(o->source, &after);
	return core_lineage_step(o->source, &after, &ops.map, CORE_META_REMAP, err);
}

int core_git_open(struct core_opening *o, struct error *err)
{
	CLEANUP(freep) char *commit = NULL;
	struct core_source *source = o->source;

	source->kind = CORE_SOURCE_GIT;
	if (find_commit(o, &commit, err) < 0)
		return -1;
	source->shown = xstrdup(o->request->typed);
	if (read_commit(o, commit, err) < 0)
		return error_prefix(err, "'%s'", source->shown);
	source->commits = count_commits(o, commit);
	return core_migrations_step(o, source->shown, err);
}

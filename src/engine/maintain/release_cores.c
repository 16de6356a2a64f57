/*
 * The old core and the new one of a release, each with its packages, in temporary folders.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/core_git.h"
#include "engine/maintain/matrix_copy.h"
#include "engine/maintain/release_parts.h"
#include "engine/package/semver.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/state/state.h"
#include "util/beneath.h"
#include "util/replace.h"
#include "util/sys.h"

#define TAGS_MAX ((size_t)4 * 1024 * 1024)

/* --- which ones -------------------------------------------------------------------------- */

/* A folder as it is named from anywhere; else what was typed. */
static char *name_source(const char *typed)
{
	char *path = realpath(typed, NULL);
	struct stat st;

	if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return path;
	free(path);
	return xstrdup(typed);
}

static int find_new(struct release *r)
{
	const char *typed = r->request->core;

	r->core = typed ? name_source(typed) : NULL;
	if (r->core && !strcmp(r->core, r->project->path))
		free(TAKE(r->core));
	r->new_core.kind = r->core ? MATRIX_CORE_SOURCE : MATRIX_CORE_PRESENT;
	r->new_core.source = r->core ? xstrdup(r->core) : NULL;
	return matrix_core_version(r->project, r->core, &r->new_core.version, r->err);
}

/* Take `text` if it is a version below the new one, and above what was found so far. */
static void consider(struct release *r, const char *text, char **found)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	struct semver version;

	if (semver_parse(view_of(text), &version, &none) < 0)
		return;
	semver_release(&version);
	if (semver_compare_text(text, r->new_core.version) >= 0 ||
		(*found && semver_compare_text(text, *found) <= 0))
		return;
	free(*found);
	*found = xstrdup(text);
}

/* The newest tag that is a version, `v0.5.0` or `0.5.0`; NULL if there is none. */
static char *find_tag(struct release *r)
{
	const char *const argv[] = {"tag", "--list", NULL};
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(buf_release) struct buf tags = BUF_INIT;
	CLEANUP(freep) char *found = NULL;
	char *tag = NULL;
	struct view rest, line;

	if (core_git_run(r->project->root, argv, view_of(""), TAGS_MAX, &tags, &none) < 0)
		return NULL;
	rest = view_of_buf(&tags);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *before = found ? xstrdup(found) : NULL;
		CLEANUP(freep)
		char *text = xmemdupz(
			line.data + (line.data[0] == 'v'), line.len - (line.data[0] == 'v'));

		consider(r, text, &found);
		if (found && (!before || strcmp(before, found) != 0)) {
			free(tag);
			tag = xmemdupz(line.data, line.len);
		}
	}
	return tag;
}

static int set_old(struct release *r, enum matrix_core_kind kind, char *version, char *source)
{
	r->old_core = (struct matrix_core){.kind = kind, .version = version, .source = source};
	return 0;
}

static int take_source(struct release *r, char *source)
{
	char *version = NULL;

	if (matrix_core_version(r->project, source, &version, r->err) < 0) {
		free(source);
		return -1;
	}
	return set_old(r, MATRIX_CORE_SOURCE, version, source);
}

/* A version stands for a core that is kept, or for its tag. */
static int find_named(struct release *r, const char *from)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(freep) char *tag = xasprintf("v%s", from);
	CLEANUP(freep) char *path = name_source(from);
	const char *const argv[] = {"rev-parse", "--verify", "--quiet", tag, NULL};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (matrix_core_is_kept(r->project, from))
		return set_old(r, MATRIX_CORE_KEPT, xstrdup(from), NULL);
	if (strcmp(path, from) != 0 || *from == '/')
		return take_source(r, TAKE(path));
	if (core_git_run(r->project->root, argv, view_of(""), TAGS_MAX, &out, &none) == 0)
		return take_source(r, xstrdup(tag));
	return take_source(r, xstrdup(from));
}

/* What nobody has named: the base, if another core is to be released; else the last tag. */
static int find_old(struct release *r)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool initialized;
	char *tag;

	if (r->request->from)
		return find_named(r, r->request->from);
	if (state_load(r->project, &state, &initialized, r->err) < 0)
		return -1;
	if (initialized && r->core)
		return set_old(r, MATRIX_CORE_PRESENT, xstrdup(state.core_version), NULL);
	tag = find_tag(r);
	if (tag)
		return take_source(r, tag);
	error_set(r->err, ERROR_INVALID,
		"the core before %s is not known: no tag of the repository is a version below it",
		r->new_core.version);
	return error_hint(
		r->err, "name it: 'nanoclaw release --from REF', a folder or a git ref");
}

/* --- bringing them ---------------------------------------------------------------- */

static int make_project(
	struct release *r, const char *name, struct project *ret_project, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", r->scratch.path, name);

	if (sys.mkdir(r->scratch.fd, name, 0777) < 0)
		return error_errno(err, "cannot make '%s'", path);
	return project_open_folder(path, ret_project, err);
}

int release_copy(struct release *r, const struct project *from, const char *name,
	struct project *ret_project, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", r->scratch.path, name);

	if (matrix_copy_folder(from->root, r->scratch.fd, name, err) < 0)
		return -1;
	return project_open_folder(path, ret_project, err);
}

static int copy_if_there(int from, const char *name, int to, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	if (beneath_open_dir(from, &path, &folder, &missing) < 0)
		return 0;
	return matrix_copy_folder(folder, to, name, err);
}

/* The packages of the project, and what it ships of resolutions. */
static int copy_packages(struct release *r, const struct project *to)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(r->project->root, &packages, r->err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		if (matrix_copy_folder(
			    packages.list[i].fd, to->root, packages.list[i].folder, r->err) < 0)
			return -1;
	return copy_if_there(r->project->root, RESOLUTIONS_SHIPPED, to->root, r->err);
}

static int put_file(
	int root, const struct relpath *path, const struct tx_file *file, struct error *err)
{
	const unsigned flags = REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;
	CLEANUP(closep) int folder = -1;

	if (beneath_open_parent(root, path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	return replace_file(folder, relpath_base(path), view_of_buf(&file->content),
		file->mode & 0100 ? 0755 : 0644, NULL, flags, err);
}

/* The packages that the old core came with; where that is not known, there are none. */
static int bring_old_packages(struct release *r)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	if (r->old_core.kind != MATRIX_CORE_SOURCE)
		return 0;
	if (core_source_look(r->project, r->base.root, r->old_core.source, NULL, "0.0.0",
		    &source, r->err) < 0)
		return -1;
	for (size_t i = 0; i < source.package_count; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (source.packages[i].file.kind != TX_FILE)
			continue;
		if (core_source_read(&source, &source.packages[i], &file, r->err) < 0 ||
			put_file(r->old.root, &source.packages[i].path, &file, r->err) < 0)
			return -1;
		r->old_packages = true;
	}
	return 0;
}

static int list_skills(
	struct release *r, const struct project *project, struct resolution_skills *ret_skills)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(project->root, &packages, r->err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		resolution_skills_add(ret_skills, packages.list[i].manifest.skill,
			packages.list[i].manifest.version);
	resolution_skills_sort(ret_skills);
	return 0;
}

bool release_is_for_update(const struct release *r, const char *key)
{
	CLEANUP(freep) char *core = xasprintf("+core@%s", r->result->to);
	size_t len = strlen(key), end = strlen(core);

	return (len > end && !strcmp(key + len - end, core)) ||
	       resolution_key_is_between(view_of(key), &r->before, &r->after);
}

static int read_guide(struct release *r)
{
	CLEANUP(freep)
	char *shipped = xasprintf("%s/migration.md", r->result->package);
	const struct {
		int root;
		const char *name;
	} places[] = {{r->new.root, RELEASE_GUIDE}, {r->project->root, shipped}};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(places[i].name), &path, r->err) < 0)
			return -1;
		if (beneath_read(places[i].root, &path, YAML_MAX_SIZE, &r->guide, &missing) ==
			0)
			return 0;
		if (missing.errnum != ENOENT && missing.errnum != ENOTDIR)
			return error_set(r->err, missing.kind, "%s", missing.message);
	}
	return 0;
}

int release_open_cores(struct release *r)
{
	struct hash ignored;

	if (find_new(r) < 0 || find_old(r) < 0)
		return -1;
	r->result->from = xstrdup(r->old_core.version);
	r->result->to = xstrdup(r->request->to ? r->request->to : r->new_core.version);
	r->result->package = xasprintf("updates/%s-to-%s", r->result->from, r->result->to);
	if (scratch_make("nanoclaw-release-", &r->scratch, r->err) < 0 ||
		make_project(r, "base", &r->base, r->err) < 0 ||
		make_project(r, "new", &r->new, r->err) < 0 ||
		matrix_core_copy(r->project, &r->old_core, r->base.root, &ignored, r->err) <
			0 ||
		release_copy(r, &r->base, "old", &r->old, r->err) < 0 ||
		matrix_core_copy(r->project, &r->new_core, r->new.root, &ignored, r->err) < 0 ||
		bring_old_packages(r) < 0 || copy_packages(r, &r->new) < 0 ||
		list_skills(r, &r->old, &r->before) < 0 ||
		list_skills(r, &r->new, &r->after) < 0)
		return -1;
	return read_guide(r);
}

/*
 * The old core and the new one of a release, each with its packages, in temporary folders.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/core/core_git.h"
#include "engine/maintain/copies.h"
#include "engine/maintain/internal.h"
#include "engine/package/semver.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/state/state.h"
#include "fs/beneath.h"

#define TAGS_MAX ((size_t)4 * 1024 * 1024)

/* --- which ones --- */

/* The absolute path if the argument is a folder; otherwise the argument itself. */
static char *name_source(const char *typed)
{
	char *path = realpath(typed, NULL);
	struct stat st;

	if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return path;
	free(path);
	return xstrdup(typed);
}

/* The tag of the newest version below the new one, `v0.5.0` or `0.5.0`; NULL: none. */
static char *find_tag(struct release *r)
{
	const char *const argv[] = {"tag", "--list", NULL};
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(buf_release) struct buf tags = BUF_INIT;
	char *found = NULL;
	struct view rest, line;

	if (core_git_run(r->project->root, argv, view_of(""), TAGS_MAX, &tags, &none) < 0)
		return NULL;
	rest = view_of_buf(&tags);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *tag = xmemdupz(line.data, line.len);
		const char *text = tag + (*tag == 'v');
		CLEANUP(semver_release) struct semver version = {0};
		CLEANUP(error_release) struct error bad = ERROR_INIT;

		if (semver_parse(view_of(text), &version, &bad) < 0 ||
			semver_compare_text(text, r->new_core.version) >= 0 ||
			(found && semver_compare_text(text, found + (*found == 'v')) <= 0))
			continue;
		free(found);
		found = TAKE(tag);
	}
	return found;
}

/* A folder or git ref; takes ownership of the text. */
static int set_old_source(struct release *r, char *source, struct error *err)
{
	r->old_core = (struct matrix_core){.kind = MATRIX_CORE_SOURCE, .source = source};
	return matrix_core_version(r->project, source, &r->old_core.version, err);
}

/* A version means the kept core, or the tag. */
static int find_named(struct release *r, const char *from, struct error *err)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(freep) char *tag = xasprintf("v%s", from);
	CLEANUP(freep) char *path = name_source(from);
	const char *const argv[] = {"rev-parse", "--verify", "--quiet", tag, NULL};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (matrix_core_is_kept(r->project, from)) {
		r->old_core = (struct matrix_core){
			.kind = MATRIX_CORE_KEPT, .version = xstrdup(from)};
		return 0;
	}
	if (strcmp(path, from) != 0 || *from == '/')
		return set_old_source(r, TAKE(path), err);
	if (core_git_run(r->project->root, argv, view_of(""), TAGS_MAX, &out, &none) == 0)
		return set_old_source(r, TAKE(tag), err);
	return set_old_source(r, xstrdup(from), err);
}

/* Without `--from`: the base, if another core is being released; otherwise the last tag. */
static int find_old(struct release *r, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool initialized;
	char *tag;

	if (r->request->from)
		return find_named(r, r->request->from, err);
	if (state_load(r->project, &state, &initialized, err) < 0)
		return -1;
	if (initialized && r->core) {
		r->old_core = (struct matrix_core){
			.kind = MATRIX_CORE_PRESENT, .version = xstrdup(state.core_version)};
		return 0;
	}
	tag = find_tag(r);
	if (tag)
		return set_old_source(r, tag, err);
	error_set(err, ERROR_INVALID,
		"the core before %s is not known: no tag of the repository is a version below it",
		r->new_core.version);
	return error_hint(err,
		"name it: 'nanoclaw release --from REF', a folder or a git ref; a first release has "
		"nothing to compare with: 'nanoclaw matrix run', and then tag it");
}

/* --- bringing them --- */

int release_copy(struct release *r, const struct project *from, const char *name,
	struct project *ret_project, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", r->scratch.path, name);

	if (copy_folder(from->root, r->scratch.fd, name, err) < 0)
		return -1;
	return project_open_folder(path, ret_project, err);
}

/* The packages that the old core came with, if they are known. */
static int bring_old_packages(struct release *r, struct error *err)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	if (r->old_core.kind != MATRIX_CORE_SOURCE)
		return 0;
	if (core_source_open(
		    &(struct core_request){
			    .project = r->project,
			    .base = r->base.root,
			    .old_version = "0.0.0",
			    .typed = r->old_core.source,
			    .any_version = true,
		    },
		    &source, err) < 0)
		return -1;
	for (size_t i = 0; i < source.packages.count; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (source.packages.list[i].file.kind != TX_FILE)
			continue;
		if (core_source_read(&source, &source.packages.list[i], &file, err) < 0 ||
			copy_put(r->old.root, &source.packages.list[i].path, &file, err) < 0)
			return -1;
		r->old_packages = true;
	}
	return 0;
}

static int list_skills(
	const struct project *project, struct resolution_skills *ret_skills, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(project->root, &packages, err) < 0)
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

	return (view_ends_with(view_of(key), core) && strlen(key) > strlen(core)) ||
	       resolution_key_is_between(view_of(key), &r->before, &r->after);
}

static int read_guide(struct release *r, struct error *err)
{
	CLEANUP(freep) char *shipped = xasprintf("%s/migration.md", r->result->package);
	const int roots[] = {r->new.root, r->project->root};
	const char *const names[] = {RELEASE_GUIDE, shipped};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(names[i]), &path, err) < 0)
			return -1;
		if (beneath_read(roots[i], &path, YAML_MAX_SIZE, &r->guide, &missing) == 0)
			return 0;
		if (missing.errnum != ENOENT && missing.errnum != ENOTDIR)
			return error_move(err, &missing);
	}
	return 0;
}

int release_open_cores(struct release *r, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	struct hash ignored;

	r->core = r->request->core ? name_source(r->request->core) : NULL;
	if (r->core && !strcmp(r->core, r->project->path))
		free(TAKE(r->core));
	r->new_core.kind = r->core ? MATRIX_CORE_SOURCE : MATRIX_CORE_PRESENT;
	r->new_core.source = r->core ? xstrdup(r->core) : NULL;
	if (matrix_core_version(r->project, r->core, &r->new_core.version, err) < 0 ||
		find_old(r, err) < 0)
		return -1;
	r->result->from = xstrdup(r->old_core.version);
	r->result->to = xstrdup(r->request->to ? r->request->to : r->new_core.version);
	r->result->package = xasprintf("updates/%s-to-%s", r->result->from, r->result->to);
	if (scratch_make("nanoclaw-release-", &r->scratch, err) < 0 ||
		matrix_core_copy(r->project, &r->old_core, &r->scratch, "base", &r->base,
			&ignored, err) < 0 ||
		release_copy(r, &r->base, "old", &r->old, err) < 0 ||
		matrix_core_copy(r->project, &r->new_core, &r->scratch, "new", &r->new,
			&ignored, err) < 0 ||
		bring_old_packages(r, err) < 0 ||
		package_list_read(r->project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		if (copy_folder(
			    packages.list[i].fd, r->new.root, packages.list[i].folder, err) < 0)
			return -1;
	if (copy_folder_if_there(r->project->root, RESOLUTIONS_SHIPPED, r->new.root,
		    RESOLUTIONS_SHIPPED, err) < 0 ||
		list_skills(&r->old, &r->before, err) < 0 ||
		list_skills(&r->new, &r->after, err) < 0)
		return -1;
	return read_guide(r, err);
}

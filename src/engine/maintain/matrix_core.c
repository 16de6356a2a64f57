#include "engine/maintain/matrix_core.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/core/objects.h"
#include "engine/maintain/copies.h"
#include "engine/newcore/core_source.h"
#include "engine/operation/apply.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"
#include "fs/beneath.h"

#define MAX_FILE ((size_t)256 * 1024 * 1024)

void matrix_cores_add(struct matrix_cores *cores, enum matrix_core_kind kind,
	const char *version, const char *source)
{
	GROW(cores->list, cores->count, cores->cap);
	cores->list[cores->count++] = (struct matrix_core){
		.kind = kind,
		.version = xstrdup(version),
		.source = source ? xstrdup(source) : NULL,
	};
}

bool matrix_cores_have(const struct matrix_cores *cores, const char *version)
{
	for (size_t i = 0; i < cores->count; i++)
		if (!strcmp(cores->list[i].version, version))
			return true;
	return false;
}

void matrix_cores_release(struct matrix_cores *cores)
{
	for (size_t i = 0; i < cores->count; i++) {
		free(cores->list[i].version);
		free(cores->list[i].source);
	}
	free(cores->list);
}

/* The names of folders are relative to the project; other names are git's. */
static char *resolve_source(const struct project *project, const char *named)
{
	CLEANUP(freep)
	char *path = *named == '/' ? xstrdup(named) : xasprintf("%s/%s", project->path, named);
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return TAKE(path);
	return xstrdup(named);
}

int matrix_core_version(const struct project *project, const char *source, char **ret_version,
	struct error *err)
{
	CLEANUP(core_source_release) struct core_source opened = CORE_SOURCE_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *typed = NULL;
	struct scratch empty;
	bool found;
	int result;

	if (!source) {
		if (state_load(project, &state, &found, err) < 0)
			return -1;
		if (!found)
			return base_core_version(project->root, ret_version, &found, err);
		*ret_version = xstrdup(state.core_version);
		return 0;
	}
	if (scratch_make("nanoclaw-core-", &empty, err) < 0)
		return -1;
	typed = resolve_source(project, source);
	result = core_source_open(&(struct core_request){.project = project,
					  .base = empty.fd,
					  .old_version = "0.0.0",
					  .typed = typed},
		&opened, err);
	if (result == 0)
		*ret_version = xstrdup(opened.version);
	scratch_remove(&empty, &ignored);
	return result;
}

/* --- kept cores --- */

static int read_kept(const struct project *project, const char *version,
	struct base_sums *ret_sums, struct error *err)
{
	CLEANUP(semver_release) struct semver parsed = {0};
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	bool other = false;

	if (semver_parse(view_of(version), &parsed, err) < 0 ||
		relpath_printf(&path, err, ".nanoclaw/cores/%s", version) < 0 ||
		beneath_read(project->root, &path, STATE_MAX_SIZE, &list, err) < 0)
		return -1;
	if (!base_sums_parse(view_of_buf(&list), version, ret_sums, &other) || other)
		return error_set(err, ERROR_FAILED, "'%s' is damaged", path.text);
	return 0;
}

bool matrix_core_is_kept(const struct project *project, const char *version)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return read_kept(project, version, &sums, &ignored) == 0;
}

/* The content is an object, or the base still has it. */
static int read_kept_file(const struct project *project, int nanoclaw, const char *path,
	const struct layer_file *sum, struct buf *ret_content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath in_base = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	struct hash hash;
	int got;

	if (objects_read(nanoclaw, &sum->hash, MAX_FILE, ret_content, &missing) == 0)
		return 0;
	if (relpath_printf(&in_base, err, ".nanoclaw/base/%s", path) < 0)
		return -1;
	error_clear(&missing);
	got = sum->kind == TX_SYMLINK
		      ? beneath_read_link(project->root, &in_base, ret_content, &missing)
		      : beneath_read(project->root, &in_base, MAX_FILE, ret_content, &missing);
	hash = hash_of(view_of_buf(ret_content));
	if (got == 0 && hash_equal(&hash, &sum->hash))
		return 0;
	return error_set(err, ERROR_FAILED, "the content of '%s' is not kept", path);
}

/* --- copies --- */

static int copy_kept(
	const struct project *project, const char *version, int to, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(closep) int nanoclaw = -1;

	if (read_kept(project, version, &sums, err) < 0 ||
		project_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	for (size_t i = 0; i < sums.count; i++) {
		const struct layer_file *sum = &sums.list[i].file;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		file.kind = sum->kind;
		file.mode = sum->executable ? 0755 : 0644;
		if (relpath_parse(view_of(sums.list[i].path), &path, err) < 0 ||
			read_kept_file(project, nanoclaw, path.text, sum, &file.content, err) <
				0 ||
			copy_put(to, &path, &file, err) < 0)
			return -1;
	}
	return 0;
}

/* `to` is empty: as a base it makes every file of the source a new one. */
static int copy_source(const struct project *project, const struct matrix_core *core, int to,
	struct error *err)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(freep) char *typed = resolve_source(project, core->source);

	if (core_source_open(
		    &(struct core_request){
			    .project = project,
			    .base = to,
			    .old_version = "0.0.0",
			    .typed = typed,
			    .to = core->version,
		    },
		    &source, err) < 0)
		return -1;
	for (size_t i = 0; i < source.files.count; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (core_source_read(&source, &source.files.list[i], &file, err) < 0 ||
			copy_put(to, &source.files.list[i].path, &file, err) < 0)
			return -1;
	}
	return 0;
}

int matrix_core_copy(const struct project *project, const struct matrix_core *core,
	const struct scratch *scratch, const char *name, struct project *ret_copy,
	struct hash *ret_hash, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", scratch->path, name);
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int to = -1;
	CLEANUP(relpath_release) struct relpath own = relpath_of(".nanoclaw/base");
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int base = -1;
	struct base_copy_result ignored;
	int copied;

	if (copy_make_folder(scratch->fd, name, &to, err) < 0)
		return -1;
	if (core->kind == MATRIX_CORE_KEPT)
		copied = copy_kept(project, core->version, to, err);
	else if (core->kind == MATRIX_CORE_SOURCE)
		copied = copy_source(project, core, to, err);
	else if (beneath_open_dir(project->root, &own, &base, &missing) == 0)
		copied = base_copy_whole(base, to, &ignored, err);
	else
		copied = base_copy(project->root, to, NULL, &ignored, err);
	if (copied < 0 || base_sums_collect(to, &sums, err) < 0)
		return error_prefix(err, "core %s", core->version);
	base_sums_render(&sums, core->version, &text);
	*ret_hash = hash_of(view_of_buf(&text));
	return project_open_folder(path, ret_copy, err);
}

int matrix_core_init(struct project *copy, const char *version, struct error *err)
{
	CLEANUP(operation_result_release) struct operation_result done = OPERATION_RESULT_INIT;

	if (project_lock(copy, err) < 0)
		return -1;
	return apply_init(copy, version, &done, err);
}

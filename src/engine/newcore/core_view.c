#include "engine/newcore/core_view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/newcore/internal.h"
#include "engine/package/faults.h"
#include "engine/package/semver.h"
#include "engine/session/earlier_cores.h"
#include "engine/state/remap.h"

/* --- opening ------------------------------------------------------------------------------ */

/* Old names that the core itself lists, for projects without a record of updates. */
static int read_declared_names(struct core_view *view, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(CORE_META_REMAP);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	if (session_read_base(view->session, &path, &file, err) < 0)
		return -1;
	if (file.kind != TX_FILE)
		return 0;
	core_ops_parse(view_of_buf(&file.content), CORE_META_REMAP, CORE_OPS_REMAP,
		&view->declared, &faults);
	return faults_as_error(&faults, err);
}

/* Is it a version whose core the project has kept? */
static bool is_earlier_core(const struct session *s, const char *typed)
{
	CLEANUP(freep) char *path = xasprintf(".nanoclaw/cores/%s", typed);

	return semver_is_valid(view_of(typed)) &&
	       faccessat(s->project->root, typed, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       faccessat(s->project->root, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int open_source_view(struct core_view *view, const char *typed, struct error *err)
{
	struct session *s = view->session;
	struct core_request request = {
		.project = s->project,
		.base = s->base,
		.old_version = s->state.core_version,
		.typed = typed,
		.any_version = true,
	};
	struct base_copy_result copied;

	view->kind = CORE_VIEW_SOURCE;
	/* Without a base: compare with a copy of the tree's core. */
	if (s->core_is_tree) {
		if (scratch_make("nanoclaw-core-", &view->copy, err) < 0 ||
			base_copy(s->project->root, view->copy.fd, NULL, &copied, err) < 0)
			return -1;
		request.base = view->copy.fd;
	}
	if (core_source_open(&request, &view->source, err) < 0)
		return -1;
	for (size_t i = 0; i < view->source.notes.count; i++)
		session_warn(s, "%s", view->source.notes.list[i]);
	view->version = xstrdup(view->source.version);
	return 0;
}

int core_view_open(
	struct session *s, const char *typed, struct core_view *ret_view, struct error *err)
{
	CLEANUP(core_view_release) struct core_view view = CORE_VIEW_INIT;
	struct stat root, named;

	view.session = s;
	/* The project itself is the present core. */
	if (typed && fstat(s->project->root, &root) == 0 && stat(typed, &named) == 0 &&
		root.st_dev == named.st_dev && root.st_ino == named.st_ino)
		typed = NULL;
	if (typed && !is_earlier_core(s, typed)) {
		if (open_source_view(&view, typed, err) < 0)
			return -1;
	} else {
		view.kind = typed ? CORE_VIEW_EARLIER : CORE_VIEW_PRESENT;
		view.version = xstrdup(typed ? typed : s->state.core_version);
		if (!typed && read_declared_names(&view, err) < 0)
			return -1;
	}
	view.shown = xasprintf("core %s", view.version);
	*ret_view = view;
	view = CORE_VIEW_INIT;
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

static struct relpath name_declared(const struct core_map *map, const struct relpath *path)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct relpath *end;

		if (relpath_compare(&map->list[i].from, path) != 0)
			continue;
		end = core_map_end(map, &map->list[i]);
		return relpath_copy(end ? end : path);
	}
	return relpath_copy(path);
}

int core_view_name(const struct core_view *view, const struct relpath *path,
	struct relpath *ret_name, struct error *err)
{
	CLEANUP(relpath_release) struct relpath in_base = relpath_copy(path);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file renamed = TX_FILE_INIT;
	const struct core_rename *move;

	if (view->kind != CORE_VIEW_EARLIER && core_view_read(view, path, &file, err) < 0)
		return -1;
	if (view->kind == CORE_VIEW_EARLIER || file.kind != TX_ABSENT) {
		*ret_name = relpath_copy(path);
		return 0;
	}
	/* Skills rename, too: only a path that the base lacks is an old name of the core's. */
	if (session_read_base(view->session, path, &base, err) < 0)
		return -1;
	if (base.kind == TX_ABSENT) {
		relpath_release(&in_base);
		in_base = remap_follow(&view->session->state, path);
	}
	if (core_view_read(view, &in_base, &renamed, err) < 0)
		return -1;
	if (renamed.kind == TX_ABSENT && view->kind == CORE_VIEW_PRESENT) {
		*ret_name = name_declared(&view->declared.map, path);
		return 0;
	}
	move = renamed.kind == TX_ABSENT ? core_moves_find(&view->source.remap, &in_base)
					 : NULL;
	*ret_name = relpath_copy(move ? &move->to : &in_base);
	return 0;
}

/* --- files ------------------------------------------------------------------------ */

int core_view_read(const struct core_view *view, const struct relpath *path,
	struct tx_file *ret_file, struct error *err)
{
	const struct core_file *file;

	if (view->kind == CORE_VIEW_EARLIER) {
		CLEANUP(freep) char *shown = relpath_quote(path);
		bool known;

		if (earlier_cores_read(
			    view->session, view->version, path, ret_file, &known, err) < 0)
			return -1;
		return known ? 0
			     : error_set(err, ERROR_FAILED, "%s of core %s is no longer kept",
				       shown, view->version);
	}
	if (view->kind == CORE_VIEW_PRESENT)
		return session_read_base(view->session, path, ret_file, err);
	ret_file->kind = TX_ABSENT;
	file = core_source_find(&view->source, path);
	return file ? core_source_read(&view->source, file, ret_file, err) : 0;
}

void core_view_release(struct core_view *view)
{
	CLEANUP(error_release) struct error left = ERROR_INIT;

	free(view->version);
	free(view->shown);
	core_source_release(&view->source);
	if (view->copy.path)
		scratch_remove(&view->copy, &left);
	core_ops_release(&view->declared);
}

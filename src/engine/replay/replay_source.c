/* The state and the core that an installation is made from. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/replay/internal.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

void source_release(struct source *source)
{
	state_release(&source->state);
	free(source->shown);
	closep(&source->kit);
	project_release(&source->from);
	closep(&source->core);
	closep(&source->core_root);
}

/* The base below an open folder, if there is one. */
static int open_base(int folder, const char *name)
{
	return openat(folder, name, FOLDER_FLAGS | O_NOFOLLOW);
}

/* --- of the project itself --------------------------------------------------------------- */

static int open_own(const struct project *project, struct source *source, struct error *err)
{
	bool found;

	if (state_load(project, &source->state, &found, err) < 0)
		return -1;
	if (!found) {
		error_set(err, ERROR_INVALID, "nothing is recorded in '%s'", project->path);
		return error_hint(err,
			"'--state FILE' names the state.yaml of the installation to replay");
	}
	source->own = true;
	source->shown = xstrdup(STATE_PATH);
	if (project_open_nanoclaw(project, &source->kit, err) < 0)
		return -1;
	source->from = (struct project){
		.path = xstrdup(project->path),
		.root = fcntl(project->root, F_DUPFD_CLOEXEC, 0),
	};
	return 0;
}

/* --- from elsewhere --------------------------------------------------------------- */

static int open_file(const char *file, struct source *source, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *name = strrchr(file, '/');
	CLEANUP(freep)
	char *folder = !name          ? xstrdup(".")
		       : name == file ? xstrdup("/")
				      : xmemdupz(file, (size_t)(name - file));
	CLEANUP(freep) char *real = NULL;
	char *slash;

	source->shown = xstrdup(file);
	if (file_read(file, STATE_MAX_SIZE, &text, err) < 0) {
		err->kind = ERROR_INVALID;
		return error_hint(err, "'--state' takes the state.yaml of an installation");
	}
	if (state_parse(view_of_buf(&text), file, &source->state, err) < 0)
		return -1;
	source->kit = open(folder, FOLDER_FLAGS);
	if (source->kit < 0)
		return error_errno(err, "cannot open the folder '%s'", folder);
	/* The state of a whole installation: the folder around its .nanoclaw. */
	real = realpath(folder, NULL);
	slash = real ? strrchr(real, '/') : NULL;
	if (!slash || strcmp(slash, "/.nanoclaw") != 0)
		return 0;
	*slash = '\0';
	source->from.root = open(*real ? real : "/", FOLDER_FLAGS);
	source->from.path = TAKE(real);
	return 0;
}

/* --- the core --------------------------------------------------------------------- */

static int open_core(const struct project *project, const struct replay_request *request,
	struct source *source, struct error *err)
{
	if (request->core) {
		/* It may be a core, or an installation that contains one. */
		source->core_root = open(request->core, FOLDER_FLAGS);
		if (source->core_root < 0) {
			error_errno(err, "cannot open the core, '%s'", request->core);
			err->kind = ERROR_INVALID;
			return -1;
		}
		source->core = open_base(source->core_root, ".nanoclaw/base");
		source->core_is_base = source->core >= 0;
		if (source->core < 0)
			source->core = fcntl(source->core_root, F_DUPFD_CLOEXEC, 0);
		return source->core < 0
			       ? error_errno(err, "cannot open the core, '%s'", request->core)
			       : 0;
	}
	source->core_is_base = true;
	if (request->into || source->own)
		source->core = open_base(source->kit, "base");
	if (source->core < 0 && request->into && !source->own)
		source->core = open_base(project->root, ".nanoclaw/base");
	if (source->core >= 0)
		return 0;
	if (source->own) {
		error_set(err, ERROR_INVALID, "the base, '.nanoclaw/base', is missing");
		return error_hint(err, "run 'nanoclaw doctor' to see how to repair it");
	}
	source->core_is_base = false;
	source->core = fcntl(project->root, F_DUPFD_CLOEXEC, 0);
	return source->core < 0 ? error_errno(err, "cannot open '%s'", project->path) : 0;
}

int source_open(const struct project *project, const struct replay_request *request,
	struct source *ret_source, struct error *err)
{
	bool installed = faccessat(project->root, STATE_PATH, F_OK, AT_SYMLINK_NOFOLLOW) == 0;

	if (request->core && !request->into) {
		error_set(err, ERROR_INVALID,
			"'--core' needs '--into': without it, the core is the current folder");
		return error_hint(err, "'--into DIR' says where to build the installation");
	}
	if (request->state && installed && !request->into) {
		error_set(err, ERROR_INVALID, "'%s' is an installation itself", project->path);
		return error_hint(
			err, "'--into DIR' builds the other one in a separate folder");
	}
	if ((request->state ? open_file(request->state, ret_source, err)
			    : open_own(project, ret_source, err)) < 0)
		return -1;
	return open_core(project, request, ret_source, err);
}

/* --- is it the right core? ----------------------------------------------------------- */

static void note_core(struct replaying *r, const char *path, const struct layer_file *was,
	const struct layer_file *is)
{
	char recorded[HASH_HEX_SIZE] = "", got[HASH_HEX_SIZE] = "";

	if (was)
		hash_to_hex(&was->hash, recorded);
	if (is)
		hash_to_hex(&is->hash, got);
	replay_note(r, path, REPLAY_CORE, was ? recorded : NULL, is ? got : NULL,
		!was  ? "the core here has this file, but the installed one did not"
		: !is ? "the core here does not have this file"
		      : "the core's file differs from the installed one");
}

/* Without a list, only the version can be compared. */
static int check_version(struct replaying *r, struct error *err)
{
	const char *recorded = r->source->state.core_version;
	CLEANUP(freep) char *version = NULL;
	bool found;

	if (r->source->own)
		return 0;
	if (base_core_version(r->source->core, &version, &found, err) < 0)
		return -1;
	if (!found || !strcmp(version, recorded))
		return 0;
	error_set(err, ERROR_INVALID,
		"the core here is version %s, and '%s' is of an installation on %s", version,
		r->source->shown, recorded);
	return error_hint(err, "use the core of that version; '--core DIR' says where it is");
}

int replay_take_core(struct replaying *r, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums was = BASE_SUMS_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of("base.sha256");
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct source *source = r->source;
	struct session *s = r->session;
	bool other, found;

	/* The list of the core's files beside the state, if there is one. */
	found = beneath_read(source->kit, &path, STATE_MAX_SIZE, &text, &ignored) == 0 &&
		base_sums_parse(view_of_buf(&text), source->state.core_version, &was, &other) &&
		!other;
	if (!found && check_version(r, err) < 0)
		return -1;
	if (!r->in_place && !s->options->dry_run) {
		if (session_take_base(s, source->core, source->core_is_base, &r->core, err) < 0)
			return -1;
	} else {
		s->base = fcntl(source->core, F_DUPFD_CLOEXEC, 0);
		if (s->base < 0)
			return error_errno(err, "cannot open the core");
		/* In a dry run, a tree that is not a base has more files than the list. */
		if (source->core_is_base && base_sums_collect(s->base, &r->core, err) < 0)
			return -1;
	}
	if (!found || !r->core.count)
		return 0;
	for (size_t i = 0; i < was.count; i++) {
		const struct layer_file *is = base_sums_find(&r->core, was.list[i].path);

		if (!is || !layer_file_equal(is, &was.list[i].file))
			note_core(r, was.list[i].path, &was.list[i].file, is);
	}
	for (size_t i = 0; i < r->core.count; i++)
		if (!base_sums_find(&was, r->core.list[i].path))
			note_core(r, r->core.list[i].path, NULL, &r->core.list[i].file);
	return 0;
}

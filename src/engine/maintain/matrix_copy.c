#include "engine/maintain/matrix_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/maintain/matrix_inputs.h"
#include "engine/resolution/rr_cache.h"
#include "util/beneath.h"
#include "util/sys.h"

int matrix_copy_folder(int from, int root, const char *to, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;
	CLEANUP(closep) int fd = -1;
	struct base_copy_result ignored;

	if (relpath_parse(view_of(to), &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE, &parent, err) < 0)
		return -1;
	if (sys.mkdir(parent, relpath_base(&path), 0777) < 0)
		return error_errno(err, "cannot make the folder '%s'", to);
	if (beneath_open_dir(root, &path, &fd, err) < 0)
		return -1;
	return base_copy_whole(from, fd, &ignored, err);
}

static int copy_packages(const struct matrix_copy_request *request, int to, struct error *err)
{
	const struct string_array *order = &request->entry->order;

	for (size_t i = 0; i < order->count; i++) {
		const struct package *package = matrix_package(request->matrix, order->list[i]);

		if (matrix_copy_folder(package->fd, to, package->folder, err) < 0)
			return error_prefix(err, "%s", package->folder);
	}
	return 0;
}

static int copy_resolutions(
	const struct matrix_copy_request *request, int to, struct error *err)
{
	CLEANUP(resolution_names_release) struct resolution_names names = {0};

	if (matrix_inputs_resolutions(
		    request->matrix, request->entry, request->resolutions, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(freep)
		char *path = xasprintf(RESOLUTIONS_SHIPPED "/%s", names.list[i]);
		CLEANUP(closep)
		int fd = openat(request->resolutions, names.list[i],
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			return error_errno(err, "cannot open '%s'", path);
		if (matrix_copy_folder(fd, to, path, err) < 0)
			return -1;
	}
	return 0;
}

/* A folder that need not be there. */
static int copy_optional(int root, const char *name, int to, const char *as, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open '%s'", name);
	return matrix_copy_folder(fd, to, as, err);
}

/* The copy has no git: what git keeps for the project becomes its own. */
static int copy_memory(const struct project *project, int to, struct error *err)
{
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	const char *folder;

	rr_cache_open(project->root, &cache);
	folder = cache.in_git ? "rr-cache" : ".nanoclaw/rr-cache";
	if (cache.hash == RERERE_SHA1 &&
		copy_optional(cache.top, folder, to, ".nanoclaw/rr-cache", err) < 0)
		return -1;
	return copy_optional(project->root, ".nanoclaw/hunks", to, ".nanoclaw/hunks", err);
}

int matrix_copy(
	const struct matrix_copy_request *request, int in, const char *name, struct error *err)
{
	CLEANUP(closep) int to = -1;

	if (matrix_copy_folder(request->core, in, name, err) < 0)
		return -1;
	to = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to < 0)
		return error_errno(err, "cannot open '%s'", name);
	if (copy_packages(request, to, err) < 0 || copy_resolutions(request, to, err) < 0)
		return -1;
	return request->memory ? copy_memory(request->project, to, err) : 0;
}

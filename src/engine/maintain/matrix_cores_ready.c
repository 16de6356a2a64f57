#include "engine/maintain/matrix_cores_ready.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/disk/command.h"
#include "engine/operation/apply.h"
#include "util/sys.h"

void matrix_ready_init(struct matrix_ready *ready, const struct project *project,
	const struct matrix *matrix, const struct scratch *scratch, unsigned seconds)
{
	*ready = (struct matrix_ready){
		.project = project,
		.matrix = matrix,
		.scratch = scratch,
		.seconds = seconds,
		.list = xcalloc(matrix->cores.count + 1, sizeof(*ready->list)),
	};
	for (size_t i = 0; i < matrix->cores.count; i++)
		ready->list[i].fd = -1;
}

void matrix_ready_release(struct matrix_ready *ready)
{
	for (size_t i = 0; ready->list && i < ready->matrix->cores.count; i++)
		closep(&ready->list[i].fd);
	free(ready->list);
}

static char *name_of(size_t core)
{
	return xasprintf("core-%zu", core);
}

int matrix_ready_bring(struct matrix_ready *ready, size_t core, struct error *err)
{
	struct matrix_ready_core *one = &ready->list[core];
	CLEANUP(freep) char *name = name_of(core);

	if (one->brought)
		return 0;
	if (sys.mkdir(ready->scratch->fd, name, 0777) < 0)
		return error_errno(err, "cannot make a folder for the core");
	one->fd = openat(ready->scratch->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (one->fd < 0)
		return error_errno(err, "cannot open the folder for the core");
	if (matrix_core_copy(ready->project, &ready->matrix->cores.list[core], one->fd,
		    &one->hash, err) < 0)
		return -1;
	one->brought = true;
	return 0;
}

static int set_up(const struct matrix_ready *ready, const struct project *copy, size_t core,
	struct error *err)
{
	const char *command = ready->matrix->setup;
	CLEANUP(freep)
	char *what = xasprintf("the setup of core %s", ready->matrix->cores.list[core].version);

	if (!command)
		return 0;
	return command_run(copy,
		&(struct command){
			.argv = (const char *const[]){"/bin/sh", "-c", command, NULL},
			.what = what,
			.shown = command,
			.kind = ERROR_FAILED,
			.seconds = ready->seconds,
		},
		err);
}

static int init(const struct matrix_ready *ready, size_t core, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result told = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project copy = PROJECT_INIT;
	CLEANUP(freep) char *name = name_of(core);
	CLEANUP(freep) char *path = xasprintf("%s/%s", ready->scratch->path, name);

	if (project_open_folder(path, &copy, err) < 0 || project_lock(&copy, err) < 0 ||
		apply_init(&copy, ready->matrix->cores.list[core].version, &told, err) < 0)
		return -1;
	return set_up(ready, &copy, core, err);
}

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

int matrix_ready_prepare(struct matrix_ready *ready, size_t core, struct error *err)
{
	struct matrix_ready_core *one = &ready->list[core];
	struct sys_calls before = sys;
	int result;

	if (one->prepared)
		return 0;
	/* It is a copy, which need not survive anything. */
	sys.sync = no_sync;
	sys.sync_all = no_sync;
	result = init(ready, core, err);
	sys = before;
	one->prepared = result == 0;
	return result;
}

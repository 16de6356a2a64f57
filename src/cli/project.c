#include "cli/project.h"

#include <string.h>

#include "engine/commit/pending.h"
#include "engine/core/base.h"
#include "engine/operation/customize.h"
#include "engine/state/state.h"
#include "proc/log.h"

void project_report_kept(const struct kept_list *kept)
{
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept *k = &kept->list[i];

		if (k->exposed)
			log_warning("'%s' was changed by a command or later; that "
				    "version is in '%s'",
				k->path, k->where);
		else if (!k->edited_stays)
			log_warning("'%s' was edited since then; your version is in '%s'",
				k->path, k->where);
		else if (k->where)
			log_warning("'%s' was edited since then and stays as it is; the "
				    "old version is in '%s'",
				k->path, k->where);
		else
			log_warning("'%s' was edited since then and stays", k->path);
	}
}

static int project_recover(struct project *project, struct error *err)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;

	if (recovery_run(project, &recovery, err) < 0)
		return -1;
	if (recovery.operation)
		log_warning(
			"'%s' was interrupted and has been rolled back", recovery.operation);
	project_report_kept(&recovery.kept);
	if (recovery.reinstall)
		log_warning("dependencies were being installed, and 'node_modules' may "
			    "be incomplete: run '%s'",
			recovery.reinstall);
	return 0;
}

int project_open_locked(struct project *ret_project, bool here, struct error *err)
{
	int failed =
		here ? project_open_here(ret_project, err) : project_open(ret_project, err);

	if (failed || project_lock(ret_project, err) < 0)
		return -1;
	return project_recover(ret_project, err);
}

int project_open_idle(struct project *ret_project, bool here, struct error *err)
{
	if (project_open_locked(ret_project, here, err) < 0)
		return -1;
	if (pending_refuse(ret_project, err) < 0)
		return -1;
	return customize_refuse(ret_project, err);
}

int project_open_reading(struct project *ret_project, bool *ret_running, struct error *err)
{
	CLEANUP(error_release) struct error busy = ERROR_INIT;

	*ret_running = false;
	if (project_open(ret_project, err) < 0)
		return -1;
	if (!recovery_needed(ret_project))
		return 0;
	if (project_lock(ret_project, &busy) < 0 || project_recover(ret_project, &busy) < 0) {
		if (busy.kind != ERROR_BUSY)
			return error_move(err, &busy);
		*ret_running = true;
	}
	project_unlock(ret_project);
	return 0;
}

int project_refuse_running(const struct project *project, struct error *err)
{
	error_set(err, ERROR_BUSY, "an operation is running in '%s'", project->path);
	return error_hint(err, "wait for it to end, then run the command again");
}

int project_read(struct project *project, project_reader *read, void *data, struct error *err)
{
	return project_read_still(project, project_open_reading, read, data, err);
}

void project_note_core(const struct project *project)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(freep) char *version = NULL;
	bool found, stated;

	if (state_load(project, &state, &found, &ignored) == 0 && found &&
		base_core_version(project->root, &version, &stated, &ignored) == 0 && stated &&
		strcmp(version, state.core_version) != 0)
		log_note("this is about the recorded core, %s; the files are %s. 'nanoclaw "
			 "update HEAD' makes what is committed the core",
			state.core_version, version);
}

#include "engine/session/confine.h"

#include <string.h>
#include <strings.h>

#include "engine/core/ignore.h"
#include "engine/session/recorded.h"

#define TAKE_IN                                                                                \
	"if a folder or file is part of the program and not your data, include it with a "     \
	"line such as '!data/' in '.nanoclaw-ignore'"

static void check_persons_path(struct ignore *ignore, const struct manifest *manifest,
	const struct relpath *path, struct yaml_place at, struct faults *faults)
{
	CLEANUP(freep) char *shown = NULL;

	if (!path->text)
		return;
	shown = relpath_quote(path);
	/*
	 * This file defines what belongs to the person: changing it would let a second package
	 * touch that.
	 */
	if (!strcasecmp(path->text, ".nanoclaw-ignore")) {
		faults_add_at(faults, FAULT_ERROR, manifest->doc, at,
			"path %s defines what belongs to the user, and no skill may touch it",
			shown);
		return;
	}
	if (!ignore_is_persons(ignore, path))
		return;
	faults_add_at(faults, FAULT_ERROR, manifest->doc, at,
		"path %s is not part of the core, and belongs to the user; " TAKE_IN, shown);
}

int confine_check_manifest(const struct project *project, const struct manifest *m,
	struct faults *faults, struct error *err)
{
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;

	if (ignore_open(project->root, &ignore, err) < 0)
		return -1;
	for (size_t i = 0; i < m->adds.count; i++)
		check_persons_path(
			ignore, m, &m->adds.list[i].path, m->adds.list[i].at, faults);
	for (size_t i = 0; i < m->modifies.count; i++)
		check_persons_path(
			ignore, m, &m->modifies.list[i].path, m->modifies.list[i].at, faults);
	for (size_t i = 0; i < m->file_op_count; i++) {
		check_persons_path(ignore, m, &m->file_ops[i].from, m->file_ops[i].at, faults);
		check_persons_path(ignore, m, &m->file_ops[i].to, m->file_ops[i].at, faults);
	}
	return 0;
}

/* By the state on the disk: this operation may have added to the one in memory. */
static int was_recorded(
	struct session *s, const struct relpath *path, bool *ret_recorded, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	*ret_recorded = false;
	if (state_load(s->project, &state, &found, err) < 0 ||
		(found && recorded_collect(&state, &recorded, err) < 0))
		return -1;
	*ret_recorded = found && recorded_find(&recorded, relpath_view(path));
	return 0;
}

/* A base staged by this operation is not on disk yet: its files are the core's. */
static bool is_in_base(struct session *s, const struct relpath *path)
{
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view rest = relpath_view(path), first;
	CLEANUP(freep) char *text = NULL;
	struct relpath top;

	if (s->base < 0)
		return false;
	relpath_next(&rest, &first);
	text = xmemdupz(first.data, first.len);
	top = (struct relpath){text};
	return session_read_base(
		       s, manifest_path_is_secret(path) ? path : &top, &base, &ignored) == 0 &&
	       base.kind != TX_ABSENT;
}

int confine_check_staged(struct session *s, struct error *err)
{
	const struct journal *journal = transaction_journal(s->tx);
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool recorded;

	if (ignore_open(s->project->root, &ignore, err) < 0)
		return -1;
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct relpath *path = &journal->changes[i].path;
		CLEANUP(freep) char *shown = NULL;

		if (!strncmp(path->text, ".nanoclaw/", 10) ||
			!ignore_is_persons(ignore, path) || is_in_base(s, path))
			continue;
		if (was_recorded(s, path, &recorded, err) < 0)
			return -1;
		if (recorded)
			continue;
		shown = relpath_quote(path);
		error_set(err, ERROR_INVALID,
			"this would change %s, which is yours and not part of the core", shown);
		return error_hint(err, "nothing was changed; " TAKE_IN);
	}
	return 0;
}

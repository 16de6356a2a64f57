#include "engine/stack/unrecorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/core/base_sums.h"
#include "engine/custom/custom.h"
#include "engine/custom/new_files.h"
#include "engine/session/drift.h"
#include "engine/state/remap.h"
#include "engine/structured/structured.h"

#define SHOWN_PATHS 5

/* "'a', 'b' and 3 more" */
static char *name_paths(const struct drift_list *drift)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < drift->count && i < SHOWN_PATHS; i++) {
		if (i)
			buf_append_str(&text, i + 1 == drift->count ? " and " : ", ");
		quote_append(&text, view_of(drift->list[i].path));
	}
	if (drift->count > SHOWN_PATHS)
		buf_appendf(&text, " and %zu more", drift->count - SHOWN_PATHS);
	return buf_take(&text);
}

/* "changes to src/a.txt and 2 more files" */
static char *describe_drift(const struct drift_list *drift)
{
	CLEANUP(freep) char *quoted = quote(view_of(drift->list[0].path));
	struct view path = view_slice(view_of(quoted), 1, strlen(quoted) - 1);

	if (drift->count == 1)
		return xasprintf("Changes to %.*s", VIEW_ARGS(path));
	return xasprintf("Changes to %.*s and %zu more %s", VIEW_ARGS(path), drift->count - 1,
		drift->count == 2 ? "file" : "files");
}

/* Files of the core differ from the base. Is the base still intact? */
static int check_base(struct session *s, const struct recorded *recorded, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	enum base_sums_found found;

	if (base_sums_load(s->tx, s->state.core_version, &sums, &found, err) < 0)
		return -1;
	for (size_t i = 0; found == BASE_SUMS_FOUND && i < s->drift.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file copy = TX_FILE_INIT;
		struct view text = view_of(s->drift.list[i].path);
		const struct layer_file *was = base_sums_find(&sums, s->drift.list[i].path);
		CLEANUP(freep) char *shown = NULL;
		struct layer_file is;

		if (recorded_find(recorded, text))
			continue;
		if (relpath_parse(text, &path, err) < 0 ||
			session_read_base(s, &path, &copy, err) < 0)
			return -1;
		is = layer_file_of(&copy);
		if (was && layer_file_equal(was, &is))
			continue;
		shown = quote(text);
		error_set(err, ERROR_FAILED,
			"your changes in %s cannot be determined: its copy in '.nanoclaw/base' is damaged",
			shown);
		return error_hint(err,
			"'nanoclaw verify' shows all damage; '--on-drift continue' "
			"leaves your changes as they are, and unrecorded");
	}
	return 0;
}

static int record_changes(struct session *s, struct error *err)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(freep) char *description = describe_drift(&s->drift);
	char *name;

	if (recorded_collect(&s->state, &recorded, err) < 0 ||
		check_base(s, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < s->drift.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(s->drift.list[i].path), &path, err) < 0 ||
			custom_changes_add(s, &recorded, &path, &changes, err) < 0)
			return error_hint(err, "'--on-drift continue' leaves your changes as "
					       "they are, and unrecorded");
	}
	if (new_files_add_renamed(s, &recorded, &changes, err) < 0)
		return -1;
	if (!changes.count)
		return 0;
	custom_changes_sort(&changes);
	if (custom_record(s, &changes, description, NULL, &name, err) < 0) {
		const struct custom_change *largest = &changes.list[0];

		for (size_t j = 1; j < changes.count; j++)
			if (changes.list[j].after.content.len > largest->after.content.len)
				largest = &changes.list[j];
		error_prefix(err, "cannot record your changes");
		return error_hint(err,
			"the largest file is '%s'; '--on-drift continue' leaves your changes as they "
			"are, and unrecorded",
			largest->path.text);
	}
	s->result->recorded_patch = name;
	return 0;
}

static int choose_on_drift(struct session *s, enum on_drift *ret_choice, struct error *err)
{
	static const char *const choices[] = {
		"record them as a custom modification",
		"continue: they stay in your files, but are not recorded",
		"abort",
	};
	static const enum on_drift meaning[] = {
		ON_DRIFT_RECORD,
		ON_DRIFT_CONTINUE,
		ON_DRIFT_ABORT,
	};
	const struct ask *ask = &s->options->ask;
	CLEANUP(freep) char *paths = name_paths(&s->drift);
	CLEANUP(freep) char *question = xasprintf("You have unrecorded changes in %s.", paths);
	int answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, err);

	if (answer < 0)
		return error_hint(err,
			"choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'");
	*ret_choice = meaning[answer];
	return 0;
}

int unrecorded_find(struct session *s, struct error *err)
{
	if (!s->found_state || s->drift_found)
		return 0;
	s->drift_found = true;
	return drift_find(s->project, &s->state, &s->drift, err);
}

int unrecorded_decide(struct session *s, struct error *err)
{
	enum on_drift choice = s->options->on_drift;
	struct operation_result *result = s->result;

	if (unrecorded_find(s, err) < 0)
		return -1;
	if (!s->drift.count)
		return 0;
	for (size_t i = 0; i < s->drift.count; i++) {
		GROW(result->untracked, result->untracked_count, result->untracked_cap);
		result->untracked[result->untracked_count++] = xstrdup(s->drift.list[i].path);
	}
	if (choice == ON_DRIFT_ASK && choose_on_drift(s, &choice, err) < 0)
		return -1;
	s->drift_left = choice == ON_DRIFT_CONTINUE;
	if (choice == ON_DRIFT_ABORT) {
		CLEANUP(freep) char *paths = name_paths(&s->drift);

		error_set(err, ERROR_FAILED,
			"%s changed, and the changes are not recorded; nothing was done",
			paths);
		return error_hint(err,
			"'nanoclaw diff' shows the changes; '--on-drift record' records "
			"them, '--on-drift continue' leaves them unrecorded");
	}
	return choice == ON_DRIFT_RECORD ? record_changes(s, err) : 0;
}

int unrecorded_leave(struct session *s, struct error *err)
{
	size_t kept = 0;
	int failed = 0;

	s->drift_left = true;
	if (drift_find(s->project, &s->state, &s->drift, err) < 0)
		return -1;
	/* Files that a paused operation left half done are not the person's changes. */
	for (size_t i = 0; i < s->drift.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		bool ours = false;

		if (!failed)
			failed =
				relpath_parse(view_of(s->drift.list[i].path), &path, err) < 0 ||
				structured_is_as_paused(s, &path, &ours, err) < 0;
		if (ours)
			free(s->drift.list[i].path);
		else
			s->drift.list[kept++] = s->drift.list[i];
	}
	s->drift.count = kept;
	return failed ? -1 : 0;
}

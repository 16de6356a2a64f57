#include "engine/structured/structured.h"

#include <string.h>

#include "engine/conflict/merge3.h"
#include "engine/session/recorded.h"
#include "engine/structured/internal.h"
#include "engine/text/lines.h"
#include "fs/beneath.h"

/* --- one file ------------------------------------------------------------------------ */

/*
 * Add the file to the result, once if the same skill has changed it as text, too. If the
 * responsible skill is not in the result, because it is being removed, the first one is named.
 */
static void report_file(struct structured_work *w, enum file_outcome outcome)
{
	struct operation_result *result = w->session->result;
	const char *skill = result->skill_count ? result->skills[0].name : w->responsible;

	for (size_t i = 0; i < result->skill_count; i++)
		if (!strcmp(result->skills[i].name, w->responsible))
			skill = w->responsible;
	for (size_t i = 0; i < result->file_count; i++)
		if (!strcmp(result->files[i].path, w->path.text) &&
			!strcmp(result->files[i].skill, skill)) {
			/* Its own content is gone, but not the contributions of others. */
			if (result->files[i].outcome == OUTCOME_REMOVED &&
				outcome != OUTCOME_REMOVED)
				result->files[i].outcome = OUTCOME_MERGED;
			return;
		}
	session_note_file(w->session, &w->path, skill, outcome);
}

static int make_file(struct structured_work *w, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;
	struct session *s = w->session;
	bool was_there = w->file.kind == TX_FILE;
	struct view text;

	if (structured_find_own(w, &w->file, &own, err) < 0 ||
		structured_render(w, &own, &w->contributions, CLASH_FIRST, &output, err) < 0)
		return -1;
	for (size_t i = 0; i < output.warnings.count; i++)
		session_warn(w->session, "%s", output.warnings.list[i]);
	if (!output.clashes.count && session_has_drift(w->session, &w->path)) {
		if (structured_record_without_changes(w, err) < 0)
			return -1;
	} else if (structured_record_layers(w, &own, &output, err) < 0) {
		return -1;
	}
	if (structured_record_file(w, &own, &output, err) < 0)
		return -1;
	if (output.clashes.count)
		return structured_merge_clashes(w, &own, &output, err);
	text = view_of_buf(&output.text);
	if (!structured_is_needed(&own, &output)) {
		if (!was_there)
			return 0;
		report_file(w, OUTCOME_REMOVED);
		return transaction_remove(s->tx, &w->path, err);
	}
	if (was_there && view_equal(text, view_of_buf(&w->file.content)))
		return 0;
	s->dependencies_changed |= w->format == &structured_npm && w->outcome_changed;
	report_file(w, was_there ? OUTCOME_MERGED : OUTCOME_ADDED);
	return transaction_put(s->tx, &w->path, text, structured_mode(w), err);
}

/* --- the operation --------------------------------------------------------------- */

static int stage_format(struct session *s, const struct structured_format *format,
	const struct string_array *skills, struct error *err)
{
	CLEANUP(structured_work_release)
	struct structured_work w = STRUCTURED_WORK_INIT(s, format, skills);
	const char *path;
	const struct yaml_node *entry = structured_entry(&s->state, format, &path);

	contributions_collect(&s->state, s->state.skill_count, format, &w.contributions);
	if (!entry && !w.contributions.count)
		return 0;
	if (entry && !structured_is_unfolded(entry) &&
		(structured_has_clashes(entry) ||
			structured_entry_fits(entry, &w.contributions)))
		return 0;
	if (structured_read(&w, err) < 0)
		return -1;
	/* The last skill of the operation that contributes to the file, else the last one. */
	w.responsible = skills->list[skills->count - 1];
	for (size_t i = 0; i < skills->count; i++)
		if (contributions_have(&w.contributions, skills->list[i]))
			w.responsible = skills->list[i];
	return make_file(&w, err);
}

/* Whether to install at the end must survive a pause. */
#define INSTALL_DUE "install_due"

int structured_stage(struct session *s, const struct string_array *skills, struct error *err)
{
	struct yaml_node *root = s->state.doc->root;

	if (!skills->count)
		return 0;
	s->dependencies_changed |= yaml_remove(root, INSTALL_DUE);
	for (size_t i = 0; structured_formats[i]; i++)
		if (stage_format(s, structured_formats[i], skills, err) < 0)
			return -1;
	if (s->dependencies_changed && s->result->conflict_count)
		yaml_set(root, INSTALL_DUE, yaml_new_bool(s->state.doc, true));
	return 0;
}

int structured_adopt(struct session *s, struct error *err)
{
	for (size_t i = 0; structured_formats[i]; i++) {
		CLEANUP(structured_work_release)
		struct structured_work w = STRUCTURED_WORK_INIT(s, structured_formats[i], NULL);
		const char *path, *skill;

		if (!structured_has_clashes(structured_entry(&s->state, w.format, &path)))
			continue;
		contributions_collect(
			&s->state, s->state.skill_count, w.format, &w.contributions);
		if (structured_read(&w, err) < 0)
			return -1;
		skill = yaml_get_text(w.entry, "settled_for");
		w.responsible = skill ? skill : "";
		if (structured_adopt_file(&w, err) < 0)
			return -1;
	}
	return 0;
}

void structured_warn_modified(struct session *s, const struct manifest *manifest)
{
	for (size_t i = 0; i < manifest->modifies.count; i++) {
		const struct relpath *path = &manifest->modifies.list[i].path;
		const struct structured_format *format = structured_format_of(path->text);

		if (format)
			session_warn(s,
				"skill '%s' changes '%s' as text; it should declare '%s'",
				manifest->skill, path->text, format->member);
	}
}

int structured_unfold(struct session *s, const struct relpath *path, struct error *err)
{
	CLEANUP(structured_work_release)
	struct structured_work w = STRUCTURED_WORK_INIT(
		s, structured_format_of(path->text), &(struct string_array){0});
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;
	const char *name;

	if (!w.format || !structured_entry(&s->state, w.format, &name) ||
		strcmp(name, path->text))
		return 0;
	if (structured_read(&w, err) < 0)
		return -1;
	if (w.file.kind != TX_FILE || structured_is_unfolded(w.entry))
		return 0;
	if (structured_find_own(&w, &w.file, &own, err) < 0)
		return -1;
	yaml_set(w.entry, "unfolded", yaml_new_bool(s->state.doc, true));
	if (own.unwanted)
		yaml_set(w.entry, "unwanted", own.unwanted);
	if (!own.exists) /* only skills have made it */
		return transaction_remove(s->tx, &w.path, err);
	return transaction_put(s->tx, &w.path, view_of_buf(&own.text), w.file.mode, err);
}

/* The entry of a file that is in the tree without its contributions; else NULL. */
static struct yaml_node *find_unfolded(struct session *s, const struct relpath *path)
{
	const struct structured_format *format = structured_format_of(path->text);
	const char *name;
	struct yaml_node *entry = format ? structured_entry(&s->state, format, &name) : NULL;

	return entry && !strcmp(name, path->text) && structured_is_unfolded(entry) ? entry
										   : NULL;
}

/* The recorded file's own content, as if the tree had been as recorded. */
static int read_recorded_own(struct session *s, const struct relpath *path,
	struct yaml_node *entry, struct structured_own *ret_own, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct structured_work w = {
		.session = s,
		.format = structured_format_of(path->text),
		.skills = &(struct string_array){0},
		.path = *path,
		.entry = entry,
	};
	struct yaml_node *unfolded = yaml_get(entry, "unfolded");
	int failed;

	if (recorded_collect(&s->state, &recorded, err) < 0 ||
		recorded_read(s, &recorded, path, &file, err) < 0)
		return -1;
	yaml_remove(entry, "unfolded");
	failed = structured_find_own(&w, &file, ret_own, err);
	yaml_set(entry, "unfolded", unfolded);
	return failed;
}

int structured_carry_recorded(struct session *s, const struct relpath *path,
	const struct tx_file *old, const struct tx_file *new, struct error *err)
{
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	struct yaml_node *entry = find_unfolded(s, path);
	struct tx_file now = {.kind = TX_FILE, .mode = 0644};
	bool clean;

	if (!entry || !session_has_drift(s, path))
		return 0;
	/* If the recorded content is not kept, the record does not change. */
	if (read_recorded_own(s, path, entry, &own, &lost) < 0)
		return lost.errnum && !beneath_is_absent(&lost) ? error_move(err, &lost) : 0;
	if (!own.exists)
		return 0;
	now.content = own.text;
	if (merge3(old, &now, new, &made, &clean, err) < 0)
		return -1;
	if (!clean)
		return 0;
	structured_set_hash(entry, "unfolded", view_of_buf(&made.content));
	return recorded_keep(s, view_of_buf(&made.content), err);
}

/* --- a pause --------------------------------------------------------------------- */

int structured_note_pause(struct session *s, struct error *err)
{
	/* The pause was noted before, and later changes are not known yet. */
	if (s->continued && !s->drift_left)
		return 0;
	for (size_t i = 0; structured_formats[i]; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		const char *name;
		struct yaml_node *entry =
			structured_entry(&s->state, structured_formats[i], &name);

		if (!entry || !structured_is_unfolded(entry))
			continue;
		if (relpath_parse(view_of(name), &path, err) < 0 ||
			transaction_read(s->tx, &path, &file, err) < 0)
			return -1;
		if (file.kind != TX_FILE || session_has_drift(s, &path))
			continue;
		structured_set_hash(entry, "unfolded", view_of_buf(&file.content));
		if (recorded_keep(s, view_of_buf(&file.content), err) < 0)
			return -1;
	}
	return 0;
}

int structured_is_as_paused(
	struct session *s, const struct relpath *path, bool *ret_as_paused, struct error *err)
{
	const struct yaml_node *entry = find_unfolded(s, path);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct hash left, now;

	*ret_as_paused = false;
	if (!entry)
		return 0;
	if (transaction_read(s->tx, path, &file, err) < 0)
		return -1;
	now = hash_of(view_of_buf(&file.content));
	*ret_as_paused = structured_get_hash(entry, "unfolded", &left)
				 ? file.kind == TX_FILE && hash_equal(&left, &now)
				 : file.kind == TX_ABSENT;
	return 0;
}

int structured_note_resolved(
	struct session *s, const struct conflict *conflict, struct error *err)
{
	struct yaml_node *entry = find_unfolded(s, &conflict->path);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash left;
	bool kept;

	if (!entry || !structured_get_hash(entry, "unfolded", &left))
		return 0;
	if (recorded_try_fetch(s, &left, &text, &kept, err) < 0)
		return -1;
	/* Without markers it is the recorded file: only unrecorded changes were in conflict. */
	if (kept && lines_count_markers(view_of_buf(&text)) <= conflict->markers)
		return 0;
	if (transaction_read(s->tx, &conflict->path, &file, err) < 0)
		return -1;
	structured_set_hash(entry, "unfolded", view_of_buf(&file.content));
	return recorded_keep(s, view_of_buf(&file.content), err);
}

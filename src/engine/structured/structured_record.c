/*
 * Rendering a structured file, and recording the result in the state.
 */
#include <string.h>

#include "engine/session/recorded.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/structured/internal.h"

int structured_render(const struct structured_work *w, const struct structured_own *own,
	const struct contributions *contributions, enum clash_side side,
	struct structured_output *ret_output, struct error *err)
{
	const struct structured_input input = {
		.name = w->path.text,
		.own = view_of_buf(&own->text),
		.contributions = contributions->list,
		.contribution_count = contributions->count,
		.decisions = structured_decisions(&w->session->state, w->format),
		.unwanted = own->unwanted,
		.side = side,
		.file = view_of_buf(&w->file.content),
		.asking = w->responsible,
	};

	return w->format->render(&input, w->session->state.doc, ret_output, err);
}

bool structured_is_needed(
	const struct structured_own *own, const struct structured_output *output)
{
	return own->exists || output->text.len;
}

mode_t structured_mode(const struct structured_work *w)
{
	return w->file.kind == TX_FILE ? w->file.mode : 0644;
}

/* --- layers ---------------------------------------------------------------------- */

static struct layer_file as_layer_file(const struct structured_work *w,
	const struct structured_own *own, const struct structured_output *output)
{
	if (!structured_is_needed(own, output))
		return (struct layer_file){.kind = TX_ABSENT};
	return layer_file_of_content(view_of_buf(&output->text), structured_mode(w));
}

/* Record the result of one skill's layer on top of those below it. */
static int record_layer(struct structured_work *w, const struct structured_own *own,
	const struct applied_skill *skill, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(contributions_release) struct contributions below = {0};
	struct session *s = w->session;
	struct layer_file file;

	contributions_collect(
		&s->state, (size_t)(skill - s->state.skills) + 1, w->format, &below);
	if (structured_render(w, own, &below, CLASH_FIRST, &output, err) < 0)
		return -1;
	file = as_layer_file(w, own, &output);
	layer_set(skill->node, relpath_view(&w->path), &file);
	return recorded_keep(s, view_of_buf(&output.text), err);
}

int structured_record_layers(struct structured_work *w, const struct structured_own *own,
	const struct structured_output *output, struct error *err)
{
	struct session *s = w->session;
	const struct layer_file file = as_layer_file(w, own, output);

	for (size_t i = 0; i < w->skills->count; i++) {
		const struct applied_skill *skill = state_find(&s->state, w->skills->list[i]);

		if (skill && contributions_have(&w->contributions, skill->name) &&
			record_layer(w, own, skill, err) < 0)
			return -1;
	}
	if (!w->contributions.count) {
		const struct state *state = &w->session->state;

		/*
		 * No skill contributes to the file now: layers of skills that only contributed record
		 * the plain file.
		 */
		for (size_t j = 0; j < state->skill_count; j++) {
			const struct layer layer = {
				.kind = LAYER_SKILL, .node = state->skills[j].node};
			struct layer_file old;

			if (layer_is_complete(&layer) &&
				!record_has_hashes(layer.node, relpath_view(&w->path)) &&
				layer_get(&layer, relpath_view(&w->path), &old))
				layer_set(layer.node, relpath_view(&w->path), &file);
		}
	}
	if (recorded_keep(s, view_of_buf(&output->text), err) < 0)
		return -1;
	return state_record_resolved(&s->state, w->responsible, &w->path, &file, err);
}

/*
 * During a pause, the content as it was left there, before later edits; otherwise the recorded
 * file's.
 */
static int read_recorded_own(struct structured_work *w, const struct tx_file *recorded,
	struct structured_own *ret_own, struct error *err)
{
	struct hash left;
	bool kept = structured_get_hash(w->entry, "unfolded", &left);

	if (kept && recorded_try_fetch(w->session, &left, &ret_own->text, &kept, err) < 0)
		return -1;
	if (!kept)
		return structured_find_own(w, recorded, ret_own, err);
	ret_own->exists = true;
	ret_own->unwanted = yaml_get(w->entry, "unwanted");
	return 0;
}

int structured_record_without_changes(struct structured_work *w, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;

	if (recorded_collect(&w->session->state, &recorded, err) < 0 ||
		recorded_read(w->session, &recorded, &w->path, &file, err) < 0 ||
		read_recorded_own(w, &file, &own, err) < 0 ||
		structured_render(w, &own, &w->contributions, CLASH_FIRST, &output, err) < 0)
		return -1;
	return structured_record_layers(w, &own, &output, err);
}

int structured_record_file(struct structured_work *w, const struct structured_own *own,
	const struct structured_output *output, struct error *err)
{
	struct session *s = w->session;

	if (!w->contributions.count) {
		structured_entry_remove(&s->state, w->format);
		w->outcome_changed = structured_set_outcome(&s->state, w->format, NULL);
		return 0;
	}
	w->entry = structured_entry_make(&s->state, w->format, w->path.text);
	structured_entry_set_skills(w->entry, &w->contributions);
	structured_set_hash(w->entry, "written", view_of_buf(&output->text));
	yaml_set(w->entry, "record", output->record);
	if (own->unwanted)
		yaml_set(w->entry, "unwanted", own->unwanted);
	w->outcome_changed = structured_set_outcome(&s->state, w->format, output->outcome);
	if (!own->exists)
		return 0;
	structured_set_hash(w->entry, "own", view_of_buf(&own->text));
	return recorded_keep(s, view_of_buf(&own->text), err);
}

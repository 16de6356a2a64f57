/*
 * What skills want differently: shown as a conflict, and taken over when it is settled.
 */
#include "engine/file_merge.h"
#include "engine/recorded.h"
#include "engine/structured_parts.h"

/* The file with the one's wish, with the other's, and without both: merged. */
int structured_merge_clashes(struct structured_work *w, const struct structured_own *own,
	const struct structured_output *first, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output neither = STRUCTURED_OUTPUT_INIT;
	CLEANUP(structured_output_release)
	struct structured_output last = STRUCTURED_OUTPUT_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	struct session *s = w->session;
	const struct applied_skill *skill = state_find(&s->state, w->responsible);
	struct layer_file merged;

	if (structured_render(w, own, &w->contributions, CLASH_NEITHER, &neither, err) < 0 ||
		structured_render(w, own, &w->contributions, CLASH_LAST, &last, err) < 0)
		return -1;
	ancestor.file = (struct tx_file){TX_FILE, neither.text, structured_mode(w)};
	neither.text = BUF_INIT;
	ancestor.label = xstrdup("without either");
	ours = (struct tx_file){TX_FILE, BUF_INIT, structured_mode(w)};
	buf_append(&ours.content, first->text.data, first->text.len);
	if (transaction_put(s->tx, &w->path, view_of_buf(&ours.content), ours.mode, err) < 0 ||
		file_merge(
			&(struct file_merge){
				.session = s,
				.skill = w->responsible,
				.version = skill ? skill->version : "",
				.path = &w->path,
				.ours = &ours,
				.ancestor = &ancestor,
				.theirs = view_of_buf(&last.text),
				.theirs_mode = ours.mode,
			},
			&merged, err) < 0)
		return -1;
	for (size_t i = 0; i < first->clashes.count; i++)
		session_warn(s, "%s", first->clashes.list[i].about);
	structured_set_clashes(w->entry, &first->clashes);
	yaml_set_string(w->entry, "settled_for", w->responsible);
	return 0;
}

/* The file as it was settled, and what that means for each clash. */
int structured_adopt_file(struct structured_work *w, struct error *err)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(structured_own_release) struct structured_own own = STRUCTURED_OWN_INIT;
	struct session *s = w->session;
	struct view text = view_of_buf(&w->file.content);
	struct hash hash;
	struct layer_file file = layer_file_of(&w->file);

	structured_get_clashes(w->entry, &clashes);
	for (size_t i = 0; i < clashes.count; i++) {
		struct yaml_node *value = NULL;

		if (w->format->settled(w->path.text, text, &clashes.list[i], s->state.doc,
			    &value, err) < 0)
			return -1;
		structured_decide(&s->state, w->format, &clashes.list[i], value);
	}
	own.unwanted = yaml_get(w->entry, "unwanted");
	own.exists = structured_get_hash(w->entry, "own", &hash);
	if ((own.exists && recorded_find_content(s, &w->path, &hash, &own.text, err) < 0) ||
		structured_render(w, &own, &w->contributions, CLASH_FIRST, &output, err) < 0)
		return -1;
	if (!view_equal(text, view_of_buf(&output.text))) {
		buf_clear(&own.text);
		if (w->format->strip(w->path.text, text, output.record, w->contributions.list,
			    w->contributions.count, s->state.doc, &own.text, &own.unwanted,
			    err) < 0)
			return -1;
		/* Where only skills had made the file, this is a person's first line in it. */
		own.exists |= own.text.len > 0;
		buf_clear(&output.text);
		buf_append(&output.text, text.data, text.len);
	}
	if (recorded_keep(s, text, err) < 0 ||
		state_settle(&s->state, w->responsible, &w->path, &file, err) < 0)
		return -1;
	s->dependencies_changed |= w->format == &structured_npm;
	return structured_record_file(w, &own, &output, err);
}

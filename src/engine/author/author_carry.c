/*
 * An edited file: the same change to the file of the core, or to that of another skill.
 *
 * With A for the file that the package is to be made from, R for the file before the change
 * and T for the one after it, the package gets P = merge(A, R, T). Applying it gives
 * merge(R, A, P), which has to be T. Where one of the two is a conflict, or does not, A is not
 * the right one: the change lies within somebody else's lines.
 */
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/disk/tx_file.h"
#include "engine/session/origin.h"
#include "engine/state/remap.h"
#include "engine/text/merge.h"

/* --- where the core has it ---------------------------------------------------------------- */

int author_name_in_core(struct author *a, const struct relpath *path, struct relpath *ret_name,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(relpath_release) struct relpath real = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath found = RELPATH_INIT;
	struct session *s = &a->session;

	if (origin_read_base(s, path, ret_file, &found, err) < 0)
		return -1;
	if (!found.text)
		return 0;
	/* The core may have another file of that name, which a skill has renamed. */
	real = remap_resolve(&s->state, NULL, &found);
	if (relpath_compare(&real, path) != 0) {
		tx_file_release(ret_file);
		*ret_file = TX_FILE_INIT;
		return 0;
	}
	*ret_name = found;
	found = RELPATH_INIT;
	return 0;
}

/* --- one try ---------------------------------------------------------------------- */

/* `*ret_clean` is false for a conflict, and for files that cannot be merged. */
static int merge_three(struct view ours, struct view base, struct view theirs,
	struct buf *ret_text, bool *ret_clean, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};

	*ret_clean = true;
	if (view_equal(ours, base)) {
		buf_append(ret_text, theirs.data, theirs.len);
		return 0;
	}
	if (view_equal(base, theirs) || view_equal(ours, theirs)) {
		buf_append(ret_text, ours.data, ours.len);
		return 0;
	}
	*ret_clean = false;
	if (merge_is_binary(ours) || merge_is_binary(base) || merge_is_binary(theirs))
		return 0;
	if (merge_contents(&(struct merge_input){ours, ""}, &(struct merge_input){base, ""},
		    &(struct merge_input){theirs, ""}, &options, &merged, err) < 0)
		return -1;
	*ret_clean = !merged.conflicts;
	if (*ret_clean)
		buf_append(ret_text, merged.content.data, merged.content.len);
	return 0;
}

static bool is_executable(const struct tx_file *file)
{
	return file->mode & 0100;
}

/* The execute bit with this change alone. */
static mode_t carry_mode(const struct author_change *change, mode_t ancestor)
{
	bool changed = is_executable(&change->before) != is_executable(&change->after);

	return (changed ? is_executable(&change->after) : ancestor & 0100) ? 0755 : 0644;
}

static int try_ancestor(struct view ancestor, struct view before, struct view after,
	struct buf *ret_made, bool *ret_done, struct error *err)
{
	CLEANUP(buf_release) struct buf made = BUF_INIT;
	CLEANUP(buf_release) struct buf applied = BUF_INIT;

	if (merge_three(ancestor, before, after, &made, ret_done, err) < 0)
		return -1;
	if (*ret_done &&
		merge_three(before, ancestor, view_of_buf(&made), &applied, ret_done, err) < 0)
		return -1;
	*ret_done = *ret_done && view_equal(view_of_buf(&applied), after);
	if (!*ret_done)
		return 0;
	*ret_made = made;
	made = BUF_INIT;
	return 0;
}

/* --- all of them ------------------------------------------------------------------ */

static int take(struct author_modify *ret_modify, const struct author_change *change,
	struct relpath name, struct tx_file *ancestor, struct buf *made)
{
	ret_modify->path = name;
	ret_modify->change = change;
	ret_modify->mode = carry_mode(change, ancestor->mode);
	ret_modify->content = *made;
	ret_modify->ancestor = *ancestor;
	*made = BUF_INIT;
	*ancestor = TX_FILE_INIT;
	return 0;
}

static int try_core(struct author *a, const struct author_change *change, struct view before,
	struct view after, struct author_modify *ret_modify, bool *ret_done, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(buf_release) struct buf made = BUF_INIT;
	bool renamed = relpath_compare(&change->from, &change->path) != 0;

	if (author_name_in_core(a, &change->from, &name, &core, err) < 0)
		return -1;
	if (core.kind != TX_FILE)
		return 0;
	if (try_ancestor(view_of_buf(&core.content), before, after, &made, ret_done, err) < 0)
		return -1;
	if (!*ret_done)
		return 0;
	return take(ret_modify, change, relpath_copy(renamed ? &change->path : &name), &core,
		&made);
}

static void read_entry(
	const struct pack *pack, const struct pack_entry *entry, struct tx_file *ret_file)
{
	struct view content = pack_content(pack, entry);

	ret_file->kind = TX_FILE;
	ret_file->mode = entry->mode;
	buf_append(&ret_file->content, content.data, content.len);
}

static const struct pack_entry *find_entry(
	struct author *a, size_t skill, const struct relpath *path)
{
	const struct pack_entry *entry =
		origin_find_entry(&a->session, &a->packs[skill], PACK_MODIFY, path);

	return entry ? entry : origin_find_entry(&a->session, &a->packs[skill], PACK_ADD, path);
}

/* As others may call it, too: the core's name, unless the package itself gives it another one.
 */
static int find_name(struct author *a, const struct author_change *change,
	struct relpath *ret_name, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	bool renamed = relpath_compare(&change->from, &change->path) != 0;

	if (!renamed && author_name_in_core(a, &change->from, ret_name, &core, err) < 0)
		return -1;
	if (!ret_name->text)
		*ret_name = relpath_copy(&change->path);
	return 0;
}

/* On top of another skill's file: the last one first, which has the most in it. */
static int try_skills(struct author *a, const struct author_change *change, struct view before,
	struct view after, struct author_modify *ret_modify, struct string_array *ret_skills,
	bool *ret_done, struct error *err)
{
	for (size_t i = a->session.state.skill_count; i > 0 && !*ret_done; i--) {
		const struct pack_entry *entry = find_entry(a, i - 1, &change->from);
		CLEANUP(tx_file_release) struct tx_file theirs = TX_FILE_INIT;
		CLEANUP(buf_release) struct buf made = BUF_INIT;
		struct relpath name = RELPATH_INIT;

		if (!entry)
			continue;
		read_entry(&a->packs[i - 1], entry, &theirs);
		if (try_ancestor(view_of_buf(&theirs.content), before, after, &made, ret_done,
			    err) < 0)
			return -1;
		if (!*ret_done)
			continue;
		string_array_add(ret_skills, a->session.state.skills[i - 1].name);
		if (find_name(a, change, &name, err) < 0)
			return -1;
		return take(ret_modify, change, name, &theirs, &made);
	}
	return 0;
}

/*
 * On top of all skills that have changed it: what their files give together is kept when they
 * are applied (recorded_keep()), and so it can be named by its hash. That of a person is not.
 */
static int try_together(struct author *a, const struct author_change *change,
	struct view before, struct view after, struct author_modify *ret_modify,
	struct string_array *ret_skills, bool *ret_done, struct error *err)
{
	const struct layers *layers = &a->recorded.layers;
	struct tx_file ancestor = TX_FILE_INIT;
	struct buf made = BUF_INIT;
	struct relpath name = RELPATH_INIT;
	struct layer_file file;

	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];

		if (!layer_get(layer, relpath_view(&change->from), &file))
			continue;
		if (layer->kind != LAYER_SKILL)
			return 0;
		string_array_add(ret_skills, layer->name);
	}
	if (ret_skills->count < 2 || merge_is_binary(before) || merge_is_binary(after))
		return 0;
	if (find_name(a, change, &name, err) < 0)
		return -1;
	*ret_done = true;
	ret_modify->together = true;
	ancestor.kind = TX_FILE;
	ancestor.mode = change->before.mode;
	buf_append(&ancestor.content, before.data, before.len);
	buf_append(&made, after.data, after.len);
	return take(ret_modify, change, name, &ancestor, &made);
}

/* "skill 'a', your patch '001-b'": whose changes are in the file. */
static char *name_layers(struct author *a, const struct relpath *path)
{
	const struct layers *layers = &a->recorded.layers;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct layer_file file;

	for (size_t i = 0; i < layers->count; i++)
		if (layer_get(&layers->list[i], relpath_view(path), &file))
			buf_appendf(&text, "%s%s '%s'", text.len ? ", " : "",
				layers->list[i].kind == LAYER_SKILL ? "skill" : "your patch",
				layers->list[i].name);
	return buf_take(&text);
}

static void note_failure(struct author *a, const struct author_change *change)
{
	CLEANUP(freep) char *layers = name_layers(a, &change->from);
	CLEANUP(freep) char *shown = relpath_quote(&change->from);

	if (merge_is_binary(view_of_buf(&change->before.content)))
		author_refuse(a,
			"%s is a binary file, and not the core's: the change cannot be told from %s",
			shown, *layers ? layers : "what was there before");
	else if (*layers)
		author_refuse(a,
			"the change to %s lies within lines that are not the core's, and that no other "
			"skill has alone: %s",
			shown, layers);
	else
		author_refuse(a, "the change to %s does not fit the core's file", shown);
}

int author_carry(struct author *a, const struct author_change *change, struct view before,
	struct view after, struct author_modify *ret_modify, struct string_array *ret_skills,
	bool *ret_done, struct error *err)
{
	*ret_done = false;
	if (try_core(a, change, before, after, ret_modify, ret_done, err) < 0)
		return -1;
	if (!*ret_done &&
		try_skills(a, change, before, after, ret_modify, ret_skills, ret_done, err) < 0)
		return -1;
	if (!*ret_done && try_together(a, change, before, after, ret_modify, ret_skills,
				  ret_done, err) < 0)
		return -1;
	if (!*ret_done)
		note_failure(a, change);
	return 0;
}

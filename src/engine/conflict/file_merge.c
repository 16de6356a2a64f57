#include "engine/conflict/file_merge.h"

#include <errno.h>
#include <string.h>

#include "engine/conflict/ladder.h"
#include "engine/conflict/lesson.h"
#include "engine/conflict/merge3.h"
#include "engine/session/recorded.h"
#include "engine/state/layer.h"
#include "engine/text/conflict_text.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"

/* Use the skill's execute bit if the skill changed it. */
static mode_t merge_modes(const struct file_merge *m)
{
	mode_t ours = m->ours->mode;
	bool before =
		m->ancestor->file.kind == TX_FILE ? m->ancestor->file.mode & 0100 : ours & 0100;
	bool after = m->theirs_mode & 0100;

	if (before == after)
		return ours;
	return after ? ours | ((ours & 0444) >> 2) : ours & ~(mode_t)0111;
}

/* Is a file binary, or is one side empty without an ancestor to compare with? */
static bool beyond_markers(const struct file_merge *m)
{
	bool both_new = m->ancestor->file.kind != TX_FILE;

	if (both_new && (!m->ours->content.len || !m->theirs.len))
		return true;
	return merge_is_binary(view_of_buf(&m->ours->content)) ||
	       merge_is_binary(view_of_buf(&m->ancestor->file.content)) ||
	       merge_is_binary(m->theirs);
}

/* The result if only one side changed, or both made the same change; also for a binary file. */
static bool find_unchanged_side(const struct file_merge *m, struct view *ret_content)
{
	struct view ours = view_of_buf(&m->ours->content);
	struct view base = view_of_buf(&m->ancestor->file.content);
	bool has_base = m->ancestor->file.kind == TX_FILE;

	if (view_equal(ours, m->theirs) || (has_base && view_equal(base, m->theirs)))
		*ret_content = ours;
	else if (has_base && view_equal(ours, base))
		*ret_content = m->theirs;
	else
		return false;
	return true;
}

/* --- the merge itself -------------------------------------------------------------- */

struct outcome {
	struct buf content;
	size_t conflicts; /* marked in the content */
	size_t markers;   /* lines that look like markers and are content */
	bool resolved;    /* there were conflicts, and all are known from before */
	bool shipped;     /* by a resolution that is shipped with the project */
	bool impossible;  /* they cannot be merged as text; there is no content */
};

static void outcome_release(struct outcome *outcome)
{
	buf_release(&outcome->content);
}

static int merge_sides(
	const struct file_merge *m, struct outcome *ret_outcome, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	CLEANUP(freep) char *label = file_merge_label(m);
	CLEANUP(freep)
	char *yours = xasprintf(CONFLICT_TEXT_YOURS "%s", m->says[0] ? m->says[0] : "");
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(&m->ours->content), yours};
	struct merge_input base = {view_of_buf(&m->ancestor->file.content),
		m->ancestor->label ? m->ancestor->label : "nothing"};
	struct merge_input theirs = {m->theirs, label};
	struct view whole;
	CLEANUP(ladder_result_release) struct ladder_result known = LADDER_RESULT_INIT;

	if (find_unchanged_side(m, &whole)) {
		buf_append(&ret_outcome->content, whole.data, whole.len);
		return 0;
	}
	if (beyond_markers(m)) {
		ret_outcome->impossible = true;
		return 0;
	}
	if (merge_contents(&ours, &base, &theirs, &options, &merged, err) < 0)
		return error_prefix(err, "'%s'", m->path->text);
	ret_outcome->conflicts = merged.conflicts;
	ret_outcome->markers = lines_count_markers(view_of_buf(&merged.content)) -
			       3 * (size_t)merged.conflicts;
	ret_outcome->content = merged.content;
	merged.content = BUF_INIT;
	if (!merged.conflicts)
		return 0;
	if (ladder_climb(m, &known, err) < 0)
		return error_prefix(err, "'%s'", m->path->text);
	if (!known.known ||
		(m->is_usable && (known.left || !m->is_usable(m, view_of_buf(&known.content)))))
		return 0;
	buf_release(&ret_outcome->content);
	ret_outcome->content = known.content;
	known.content = BUF_INIT;
	ret_outcome->conflicts = known.left;
	ret_outcome->markers =
		lines_count_markers(view_of_buf(&ret_outcome->content)) - 2 * known.left;
	ret_outcome->resolved = !known.left;
	ret_outcome->shipped = known.shipped;
	return 0;
}

/* --- whose lines yours are ----------------------------------------------------------- */

static bool has_lines(struct view text, struct view lines)
{
	const char *at = text.data, *end = text.data + text.len;

	while ((at = memmem(at, (size_t)(end - at), lines.data, lines.len)) && at > text.data &&
		at[-1] != '\n')
		at++;
	return at != NULL;
}

/* For each hunk the first layer whose file has its lines; NULL: they are a person's. */
static int find_owners(const struct file_merge *m, const struct layers *layers,
	const struct conflict_text *marked, const struct layer **owners, struct error *err)
{
	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];
		CLEANUP(error_release) struct error no_pack = ERROR_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		struct layer_file file;
		bool found;

		if (!layer_get(layer, relpath_view(m->path), &file) || file.kind != TX_FILE)
			continue;
		if (recorded_try_fetch(m->session, &file.hash, &text, &found, err) < 0)
			return -1;
		if (!found && layer->kind == LAYER_SKILL &&
			recorded_find_in_pack(m->session, layer->name, &file.hash, &text,
				&found, &no_pack) < 0 &&
			no_pack.errnum != ENOENT)
			return error_move(err, &no_pack);
		for (size_t k = 0; found && k < marked->count; k++)
			if (!owners[k] && marked->hunks[k].ours.len &&
				has_lines(view_of_buf(&text), marked->hunks[k].ours))
				owners[k] = layer;
	}
	return 0;
}

/* "yours" becomes "yours (polite 1.0.0)" where a skill has put the lines there. */
static int name_ours(const struct file_merge *m, struct buf *content, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;
	CLEANUP(freep) const struct layer **owners = NULL;
	CLEANUP(buf_release) struct buf named = BUF_INIT;
	size_t done = 0;

	conflict_text_parse(view_of_buf(content), m->skill, &marked);
	owners = xcalloc(marked.count + 1, sizeof(*owners));
	if (layers_read(&m->session->state, &layers, err) < 0 ||
		find_owners(m, &layers, &marked, owners, err) < 0)
		return -1;
	for (size_t i = 0; i < marked.count; i++) {
		struct view label = marked.hunks[i].ours_label;
		size_t end = (size_t)(label.data + label.len - content->data);

		if (!owners[i] || owners[i]->kind != LAYER_SKILL || m->says[0])
			continue;
		buf_append(&named, content->data + done, end - done);
		buf_appendf(&named, " (%s %s)", owners[i]->name,
			state_find(&m->session->state, owners[i]->name)->version);
		done = end;
	}
	buf_append(&named, content->data + done, content->len - done);
	buf_release(content);
	*content = named;
	named = BUF_INIT;
	return 0;
}

/* --- into the tree ------------------------------------------------------------------- */

static void add_conflict(const struct file_merge *m, struct conflict conflict)
{
	conflict.version = xstrdup(m->version);
	conflict.path = relpath_copy(m->path);
	conflict.skill = xstrdup(m->skill);
	session_add_conflict(m->session, conflict);
	session_note_file(m->session, m->path, m->skill, OUTCOME_CONFLICT);
}

/* If markers cannot show both: ours stays, and theirs is written next to it. */
static int put_beside(const struct file_merge *m, bool apart, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s.from-%s", m->path->text, m->skill);
	CLEANUP(relpath_release) struct relpath beside = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct transaction *tx = m->session->tx;

	if (relpath_parse(view_of(name), &beside, err) < 0 ||
		transaction_read(tx, &beside, &there, err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return error_set(err, ERROR_INVALID,
			"'%s' cannot be merged as text, and '%s' is in the way", m->path->text,
			name);
	/* Also stage our file, so that abort can restore it after any edit. */
	if (transaction_put(tx, &beside, m->theirs, m->theirs_mode, err) < 0 ||
		transaction_put(
			tx, m->path, view_of_buf(&m->ours->content), m->ours->mode, err) < 0)
		return -1;
	add_conflict(
		m, (struct conflict){.beside = relpath_copy(&beside), .recorded_apart = apart});
	return 0;
}

static struct buf copy_text(struct view text)
{
	struct buf b = BUF_INIT;

	buf_append(&b, text.data, text.len);
	return b;
}

/* A clean merge need not be working code: if a test fails, the resolver is shown it. */
static void note_for_resolver(const struct file_merge *m, struct view content)
{
	struct session *s = m->session;

	if (!s->options->resolver)
		return;
	/* A second skill in the same file: what counts is how it is in the end. */
	for (size_t i = 0; i < s->merge_count; i++)
		if (relpath_compare(&s->merges[i].path, m->path) == 0) {
			buf_release(&s->merges[i].merged);
			s->merges[i].merged = copy_text(content);
			s->merges[i].mode = merge_modes(m);
			return;
		}
	GROW(s->merges, s->merge_count, s->merge_cap);
	s->merges[s->merge_count++] = (struct merge_note){
		.path = relpath_copy(m->path),
		.skill = xstrdup(m->skill),
		.version = xstrdup(m->version),
		.has_base = m->ancestor->file.kind == TX_FILE,
		.base = copy_text(view_of_buf(&m->ancestor->file.content)),
		.ours = copy_text(view_of_buf(&m->ours->content)),
		.theirs = copy_text(m->theirs),
		.merged = copy_text(content),
		.mode = merge_modes(m),
	};
}

static int put_clean(
	const struct file_merge *m, struct view content, bool resolved, struct error *err)
{
	mode_t mode = merge_modes(m);
	bool same =
		mode == m->ours->mode && view_equal(content, view_of_buf(&m->ours->content));

	session_note_file(m->session, m->path, m->skill,
		resolved ? OUTCOME_RESOLVED
		: same   ? OUTCOME_SAME
			 : OUTCOME_MERGED);
	note_for_resolver(m, content);
	if (!m->known_as && !view_equal(content, m->theirs) &&
		recorded_keep(m->session, content, err) < 0)
		return -1;
	return same ? 0 : transaction_put(m->session->tx, m->path, content, mode, err);
}

/* To learn from how it is resolved. */
static int keep_inputs(const struct file_merge *m, struct error *err)
{
	struct session *s = m->session;

	if (recorded_keep(s, view_of_buf(&m->ours->content), err) < 0 ||
		recorded_keep(s, m->theirs, err) < 0)
		return -1;
	if (m->ancestor->file.kind != TX_FILE)
		return 0;
	return recorded_keep(s, view_of_buf(&m->ancestor->file.content), err);
}

/* `resolution record` also takes resolutions that were known here, and only here. */
static int learn_again(const struct file_merge *m, struct view content, struct error *err)
{
	CLEANUP(conflict_release)
	struct conflict conflict = {
		.path = relpath_copy(m->path),
		.skill = xstrdup(m->skill),
		.version = xstrdup(m->version),
		.has_inputs = true,
		.inputs = file_merge_inputs(m),
	};

	if (keep_inputs(m, err) < 0 ||
		lesson_add(m->session, &conflict, content, "user", err) < 0)
		return -1;
	m->session->lessons[m->session->lesson_count - 1].known = true;
	return 0;
}

/* `without` is the file without changes that stay unrecorded, or absent. */
static int put_marked(const struct file_merge *m, struct outcome *outcome, bool apart,
	const struct tx_file *without, struct error *err)
{
	struct conflict conflict = {
		.markers = outcome->markers,
		.recorded_apart = apart,
		.has_inputs = true,
		.inputs = file_merge_inputs(m),
		.has_drift = !apart && without->kind == TX_FILE,
		.without_drift = hash_of(view_of_buf(&without->content)),
	};

	if (keep_inputs(m, err) < 0 || name_ours(m, &outcome->content, err) < 0 ||
		(conflict.has_drift &&
			recorded_keep(m->session, view_of_buf(&without->content), err) < 0))
		return -1;
	add_conflict(m, conflict);
	return transaction_put(
		m->session->tx, m->path, view_of_buf(&outcome->content), merge_modes(m), err);
}

/* --- beside changes that stay unrecorded ----------------------------------------------- */

/* The recorded file, including changes by the skill that is being staged. */
static int read_recorded(
	const struct file_merge *m, struct tx_file *ret_file, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	struct layer own = {.node = m->session->layer};
	struct layer_file file;
	bool found = own.node && layer_get(&own, relpath_view(m->path), &file);

	/* The previous version's file may be only in its pack, and not be kept by its hash. */
	if (found && file.kind == TX_FILE &&
		recorded_try_fetch(m->session, &file.hash, &ret_file->content, &found, err) < 0)
		return -1;
	if (found) {
		ret_file->kind = file.kind == TX_FILE ? TX_FILE : TX_ABSENT;
		ret_file->mode = file.executable ? 0755 : 0644;
		return 0;
	}
	if (recorded_collect(&m->session->state, &recorded, err) < 0)
		return -1;
	return recorded_read(m->session, &recorded, m->path, ret_file, err);
}

/*
 * Merge into the recorded file; `*ret_recorded` is that file. `*ret_apart` is false if there is
 * none, or if the merge conflicts.
 */
static int merge_apart(const struct file_merge *m, struct tx_file *ret_recorded,
	struct layer_file *ret_merged, bool *ret_apart, struct error *err)
{
	CLEANUP(outcome_release) struct outcome outcome = {.content = BUF_INIT};
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct file_merge apart = *m;
	struct view content;

	*ret_apart = false;
	if (!session_has_drift(m->session, m->path))
		return 0;
	if (read_recorded(m, ret_recorded, &local) < 0)
		return local.errnum == ENOENT ? 0 : error_move(err, &local);
	if (ret_recorded->kind != TX_FILE)
		return 0;
	apart.ours = ret_recorded;
	if (merge_sides(&apart, &outcome, err) < 0)
		return -1;
	if (outcome.impossible || outcome.conflicts)
		return 0;
	content = view_of_buf(&outcome.content);
	*ret_merged = layer_file_of_content(content, merge_modes(&apart));
	*ret_apart = true;
	return recorded_keep(m->session, content, err);
}

/*
 * Take the change from `without` to `drifted` out of a resolved file, and keep the rest. If it
 * cannot be separated from other changes, all of the file is recorded.
 */
static int take_out_drift(struct session *s, const struct tx_file *drifted,
	const struct tx_file *without, const struct tx_file *resolved,
	struct layer_file *ret_recorded, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file rest = TX_FILE_INIT;
	bool clean;

	if (merge3(drifted, resolved, without, &rest, &clean, err) < 0)
		return -1;
	*ret_recorded = layer_file_of(clean ? &rest : resolved);
	return recorded_keep(s, view_of_buf(clean ? &rest.content : &resolved->content), err);
}

int file_merge_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct layer_file *ret_recorded, struct error *err)
{
	CLEANUP(tx_file_release)
	struct tx_file drifted = {.kind = TX_FILE, .mode = resolved->mode, .content = BUF_INIT};
	CLEANUP(tx_file_release)
	struct tx_file without = {.kind = TX_FILE, .mode = resolved->mode, .content = BUF_INIT};
	bool kept = conflict->has_drift;

	*ret_recorded = layer_file_of(resolved);
	if (kept && recorded_try_fetch(
			    s, &conflict->inputs.current, &drifted.content, &kept, err) < 0)
		return -1;
	if (kept && recorded_try_fetch(
			    s, &conflict->without_drift, &without.content, &kept, err) < 0)
		return -1;
	if (!kept)
		return recorded_keep(s, view_of_buf(&resolved->content), err);
	return take_out_drift(s, &drifted, &without, resolved, ret_recorded, err);
}

int file_merge(const struct file_merge *merge, struct layer_file *ret_merged, struct error *err)
{
	CLEANUP(outcome_release) struct outcome outcome = {.content = BUF_INIT};
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	struct view content;
	bool apart;

	if (merge_apart(merge, &without, ret_merged, &apart, err) < 0 ||
		merge_sides(merge, &outcome, err) < 0)
		return -1;
	content = view_of_buf(&outcome.content);
	if (!apart)
		*ret_merged = outcome.impossible
				      ? layer_file_of(merge->ours)
				      : layer_file_of_content(content, merge_modes(merge));
	if (outcome.impossible)
		return put_beside(merge, apart, err);
	if (outcome.conflicts)
		return put_marked(merge, &outcome, apart, &without, err);
	if (outcome.resolved && !apart && without.kind == TX_FILE) {
		struct tx_file resolved = {.kind = TX_FILE,
			.mode = merge_modes(merge),
			.content = outcome.content};

		/*
		 * The conflict was resolved before: the recorded file is the same without the
		 * unrecorded changes.
		 */
		if (take_out_drift(merge->session, merge->ours, &without, &resolved, ret_merged,
			    err) < 0)
			return -1;
	}
	/* A layer that is staged again brings no new conflict. */
	if (outcome.resolved && !outcome.shipped && !merge->session->restaged &&
		learn_again(merge, content, err) < 0)
		return -1;
	return put_clean(merge, content, outcome.resolved, err);
}

/*
 * What layers have made of files that the core has changed, recorded for the new core.
 *
 * A replay on the new base shows what comes out of the packs and patches as they are. Where
 * that is what the tree has, the records of that replay are taken over. Elsewhere somebody
 * has settled a conflict, or the layers do not fit to the new core by themselves: then their
 * changes are carried over, from what each made of the file before to what it makes now:
 *
 *	from below	merge(what was below it, what it made of that, what is below it now)
 *	from above	the same backwards, from how the file is now
 *
 * up to the layer between the two. So what was settled belongs to the layer that did not
 * fit, and each of the others keeps its own. What a skill makes of the file is then set as it
 * is (regenerate.h); a patch is written anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/operation/core_update_parts.h"
#include "engine/stack/custom_rewrite.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"
#include "engine/stack/replay.h"
#include "engine/text/merge.h"

/* --- one step ----------------------------------------------------------------------------- */

static bool is_text(const struct tx_file *file)
{
	return file->kind == TX_FILE && !merge_is_binary(view_of_buf(&file->content));
}

/* `*ret_done` is false if they do not fit. */
static int step(const struct tx_file *ancestor, const struct tx_file *ours,
	const struct tx_file *theirs, struct tx_file *ret_file, bool *ret_done,
	struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_MERGE};
	struct merge_input a = {view_of_buf(&ancestor->content), ""};
	struct merge_input o = {view_of_buf(&ours->content), ""};
	struct merge_input t = {view_of_buf(&theirs->content), ""};

	*ret_done = true;
	if (tx_file_equal(ancestor, theirs) || tx_file_equal(ours, theirs)) {
		tx_file_copy(ours, ret_file);
		return 0;
	}
	if (tx_file_equal(ancestor, ours) || theirs->kind == TX_ABSENT) {
		tx_file_copy(theirs, ret_file);
		return 0;
	}
	*ret_done = is_text(ours) && is_text(theirs) && is_text(ancestor);
	if (!*ret_done)
		return 0;
	if (merge_contents(&o, &a, &t, &options, &merged, err) < 0)
		return -1;
	*ret_done = !merged.conflicts;
	buf_release(&ret_file->content);
	ret_file->content = merged.content;
	merged.content = BUF_INIT;
	ret_file->kind = TX_FILE;
	ret_file->mode = (ancestor->mode ^ theirs->mode) & 0100 ? theirs->mode : ours->mode;
	return 0;
}

/* --- the layers that have a file ------------------------------------------------------------
 */

struct link {
	size_t layer;
	struct tx_file old; /* what it made of the file on the old core */
	struct tx_file now;
	bool known;
};

struct chain {
	struct session *session;
	const struct placed_file *placed;
	struct layers before; /* of the old state, with the old contents */
	struct link *links;
	size_t count;
	size_t cap;
};

static void chain_release(struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		tx_file_release(&chain->links[i].old);
		tx_file_release(&chain->links[i].now);
	}
	free(chain->links);
	layers_release(&chain->before);
}

/* An error with errnum ENOENT: not all contents are kept. */
static int chain_open(struct chain *chain, struct session *s, const struct state *before,
	const struct placed_file *placed, struct error *err)
{
	struct layer_file file;

	chain->session = s;
	chain->placed = placed;
	if (layers_read(before, &chain->before, err) < 0)
		return -1;
	for (size_t i = 0; i < chain->before.count; i++) {
		struct link *link;

		if (!layer_get(&chain->before.list[i], relpath_view(&placed->path), &file))
			continue;
		GROW(chain->links, chain->count, chain->cap);
		link = &chain->links[chain->count++];
		*link = (struct link){i, TX_FILE_INIT, TX_FILE_INIT, false};
		if (recorded_read_layer(s, &chain->before, i, &placed->path, &link->old, err) <
			0)
			return -1;
	}
	return 0;
}

static const struct tx_file *below(const struct chain *chain, size_t i, bool old)
{
	if (!i)
		return old ? &chain->placed->old : &chain->placed->new;
	return old ? &chain->links[i - 1].old : &chain->links[i - 1].now;
}

/* From the core upwards; `*ret_first` is the first layer that does not fit. */
static int carry_up(struct chain *chain, size_t *ret_first, struct error *err)
{
	size_t i;

	for (i = 0; i < chain->count; i++) {
		struct link *link = &chain->links[i];

		if (step(below(chain, i, true), below(chain, i, false), &link->old, &link->now,
			    &link->known, err) < 0)
			return -1;
		if (!link->known)
			break;
	}
	*ret_first = i;
	return 0;
}

/* From how the file is now downwards, to the layer `first`. */
static int carry_down(
	struct chain *chain, const struct tx_file *now, size_t first, struct error *err)
{
	size_t i = chain->count - 1;

	tx_file_copy(now, &chain->links[i].now);
	chain->links[i].known = true;
	for (; i > first; i--) {
		struct link *lower = &chain->links[i - 1];

		if (step(&chain->links[i].old, &chain->links[i].now, &lower->old, &lower->now,
			    &lower->known, err) < 0)
			return -1;
		if (!lower->known)
			break;
	}
	return 0;
}

/* --- writing --------------------------------------------------------------------------------
 */

static int keep(struct session *s, const struct tx_file *file, struct error *err)
{
	return file->kind == TX_ABSENT ? 0 : recorded_keep(s, view_of_buf(&file->content), err);
}

/* Does the skill bring a version of the file, and not only another name for it? */
static bool has_version(const struct layer *layer, const struct relpath *path)
{
	const struct yaml_node *hashes = yaml_get(layer->node, "hashes");
	CLEANUP(freep) char *key = layer_key(relpath_view(path));

	return hashes && yaml_find(hashes, view_of(key));
}

static int write_link(
	struct chain *chain, const struct layers *layers, size_t i, struct error *err)
{
	struct session *s = chain->session;
	const struct link *link = &chain->links[i];
	const struct layer *layer = &layers->list[link->layer];
	const struct tx_file *before = below(chain, i, false);
	struct layer_file file = layer_file_of(&link->now);

	if (keep(s, before, err) < 0 || keep(s, &link->now, err) < 0)
		return -1;
	layer_set(layer->node, relpath_view(&chain->placed->path), &file);
	if (layer->kind == LAYER_PATCH && !layer->baked)
		return custom_rewrite(s, layer, &chain->placed->path, before, &link->now, err);
	if (!layer->baked && !has_version(layer, &chain->placed->path))
		return 0;
	return regenerate_set(s, layer->node, &chain->placed->path, before, &link->now, err);
}

/* What was recorded before stands where nothing better is known. */
static void restore_link(struct chain *chain, const struct layers *layers, size_t i)
{
	const struct link *link = &chain->links[i];
	struct layer_file file = layer_file_of(&link->old);

	layer_set(layers->list[link->layer].node, relpath_view(&chain->placed->path), &file);
}

static int write_chain(struct chain *chain, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (layers_read(&chain->session->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < chain->count; i++) {
		bool whole = chain->links[i].known && (!i || chain->links[i - 1].known);
		struct layer_file file = layer_file_of(&chain->links[i].now);

		if (whole && write_link(chain, &layers, i, err) < 0)
			return -1;
		if (!whole && chain->links[i].known)
			layer_set(layers.list[chain->links[i].layer].node,
				relpath_view(&chain->placed->path), &file);
		else if (!whole)
			restore_link(chain, &layers, i);
	}
	return 0;
}

/* The file as it is to be recorded for the last layer. */
static int read_wanted(struct session *s, const struct placed_file *placed,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	struct layer_file is;

	if (placed->file.kind == TX_ABSENT)
		return 0;
	if (transaction_read(s->tx, &placed->path, &tree, err) < 0)
		return -1;
	is = layer_file_of(&tree);
	if (layer_file_equal(&is, &placed->file)) {
		*ret_file = tree;
		tree = TX_FILE_INIT;
		return 0;
	}
	ret_file->kind = placed->file.kind;
	ret_file->mode = placed->file.executable ? 0755 : 0644;
	return recorded_fetch(s, &placed->file.hash, &ret_file->content, err);
}

struct keeping {
	struct session *session;
	struct error *err;
	bool failed;
};

/* A file of the tree that is as recorded. */
static void keep_tree(struct view text, const struct layer_file *file, void *data)
{
	struct keeping *k = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	struct layer_file is;

	if (k->failed || file->kind == TX_ABSENT)
		return;
	k->failed = relpath_parse(text, &path, k->err) < 0 ||
		    transaction_read(k->session->tx, &path, &tree, k->err) < 0;
	is = layer_file_of(&tree);
	if (!k->failed && layer_file_equal(&is, file))
		k->failed = keep(k->session, &tree, k->err) < 0;
}

/*
 * An entry of the first engine, which kept no contents: only how the file is in the end can
 * be told. From now on the entry counts as one of ours, so all its contents are kept.
 */
static int note_last(struct session *s, const struct placed_file *placed, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct keeping k = {s, err, false};
	struct layer_file file;

	if (layers_note(&s->state, "", relpath_view(&placed->path), &placed->file, err) < 0 ||
		layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layer_get(&layers.list[i], relpath_view(&placed->path), &file))
			layer_each(&layers.list[i], keep_tree, &k);
	return k.failed ? -1 : 0;
}

static int carry(struct session *s, const struct state *before,
	const struct placed_file *placed, struct error *err)
{
	CLEANUP(chain_release) struct chain chain = {0};
	CLEANUP(tx_file_release) struct tx_file wanted = TX_FILE_INIT;
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	size_t first;

	if (read_wanted(s, placed, &wanted, err) < 0)
		return -1;
	if (chain_open(&chain, s, before, placed, &lost) < 0) {
		if (lost.errnum != ENOENT)
			return error_set(err, lost.kind, "%s", lost.message);
		return note_last(s, placed, err);
	}
	if (!chain.count)
		return 0;
	if (carry_up(&chain, &first, err) < 0)
		return -1;
	if (first == chain.count)
		first--;
	if (carry_down(&chain, &wanted, first, err) < 0)
		return -1;
	return write_chain(&chain, err);
}

/* --- the replay
 * ------------------------------------------------------------------------------- */

/* Nobody is asked, and nothing of it is a conflict of the update. */
static int try_replay(struct session *s, struct replay *replay, struct error *err)
{
	const struct apply_options *options = s->options;
	struct apply_options alone = *options;
	struct apply_result *result = s->result;
	size_t conflicts = result->conflict_count;
	int failed;

	alone.ask.in_person = false;
	alone.overrides = NULL;
	s->options = &alone;
	failed = replay_run(s, replay, err);
	s->options = options;
	while (result->conflict_count > conflicts) {
		struct conflict *conflict = &result->conflicts[--result->conflict_count];

		string_array_add(&replay->hard, conflict->path.text);
		conflict_release(conflict);
	}
	return failed;
}

/* Contents that are recorded now. */
static int keep_contents(struct session *s, const struct replay *replay, struct error *err)
{
	const struct journal *journal = transaction_journal(replay->result);

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (change->kind != CHANGE_PUT ||
			!view_starts_with(relpath_view(&change->path), ".nanoclaw/objects/"))
			continue;
		if (transaction_read(replay->result, &change->path, &file, err) < 0 ||
			recorded_keep(s, view_of_buf(&file.content), err) < 0)
			return -1;
	}
	return 0;
}

static int comes_out_right(const struct replay *replay, const struct placed_file *placed,
	bool *ret_right, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	struct layer_file is;

	*ret_right = false;
	/* One that the core has given up is the layers' own from now on. */
	if (string_array_has(&replay->hard, placed->path.text) || placed->new.kind == TX_ABSENT)
		return 0;
	if (transaction_read(replay->result, &placed->path, &made, err) < 0)
		return -1;
	is = layer_file_of(&made);
	*ret_right = !placed->recorded || layer_file_equal(&is, &placed->file);
	return 0;
}

static int record_each(struct session *s, const struct replay *replay,
	const struct placed_file *placed, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		bool right = false;

		if (replay->result && comes_out_right(replay, &placed[i], &right, err) < 0)
			return -1;
		if (!right && carry(s, replay->result ? &replay->old : &s->state, &placed[i],
				      err) < 0)
			return error_prefix(err, "'%s'", placed[i].path.text);
	}
	return 0;
}

/* The state as it was, because it cannot be replayed. */
static void go_back(struct session *s, struct replay *replay)
{
	state_release(&s->state);
	s->state = replay->old;
	replay->old = STATE_INIT;
	transaction_free(replay->result);
	replay->result = NULL;
}

int core_update_record(
	struct session *s, struct placed_file *placed, size_t count, struct error *err)
{
	CLEANUP(replay_release) struct replay replay = REPLAY_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;

	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++)
		string_array_add(&replay.only, placed[i].path.text);
	if (try_replay(s, &replay, &local) < 0)
		go_back(s, &replay);
	else if (keep_contents(s, &replay, err) < 0)
		return -1;
	return record_each(s, &replay, placed, count, err);
}

/* --- another order ------------------------------------------------------------------------ */

/* Does every path come out as the last layer of the old order has it? */
static int all_come_out_right(const struct replay *replay, const struct state *before,
	const struct string_array *paths, bool *ret_right, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	*ret_right = false;
	if (replay->hard.count)
		return 0;
	if (recorded_collect(before, &recorded, err) < 0)
		return -1;
	*ret_right = true;
	for (size_t i = 0; i < paths->count && *ret_right; i++) {
		const struct recorded_file *was =
			recorded_find(&recorded, view_of(paths->list[i]));
		CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct layer_file is;

		if (relpath_parse(view_of(paths->list[i]), &path, err) < 0 ||
			transaction_read(replay->result, &path, &made, err) < 0)
			return -1;
		is = layer_file_of(&made);
		*ret_right = was && layer_file_equal(&was->file, &is);
	}
	return 0;
}

int core_update_try_order(struct session *s, struct state *reordered,
	const struct string_array *paths, bool *ret_taken, struct error *err)
{
	CLEANUP(replay_release) struct replay replay = REPLAY_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct state before = s->state;

	for (size_t i = 0; i < paths->count; i++)
		string_array_add(&replay.only, paths->list[i]);
	s->state = *reordered;
	*reordered = STATE_INIT;
	*ret_taken = false;
	if (try_replay(s, &replay, &local) == 0 &&
		(all_come_out_right(&replay, &before, paths, ret_taken, err) < 0 ||
			(*ret_taken && keep_contents(s, &replay, err) < 0))) {
		state_release(&before);
		return -1;
	}
	state_release(*ret_taken ? &before : &s->state);
	if (!*ret_taken)
		s->state = before;
	return 0;
}

/* --- what is told --------------------------------------------------------------------------
 */

int core_update_find_failing(struct session *s, const struct placed_file *placed,
	struct string_array *ret_patches, struct error *err)
{
	CLEANUP(chain_release) struct chain chain = {0};
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	const struct layer *layer;
	size_t first;

	if (chain_open(&chain, s, &s->state, placed, &lost) < 0)
		return lost.errnum == ENOENT ? 0
					     : error_set(err, lost.kind, "%s", lost.message);
	if (carry_up(&chain, &first, err) < 0)
		return -1;
	if (first == chain.count)
		return 0;
	layer = &chain.before.list[chain.links[first].layer];
	if (layer->kind == LAYER_PATCH && !string_array_has(ret_patches, layer->name))
		string_array_add(ret_patches, layer->name);
	return 0;
}

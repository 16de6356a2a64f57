#include "engine/stack/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "engine/conflict/ladder.h"
#include "engine/conflict/merge3.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/session/recorded.h"
#include "engine/stack/custom_rewrite.h"
#include "engine/stack/custom_there.h"
#include "engine/stack/drop.h"
#include "engine/stack/part.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

/* --- which files ------------------------------------------------------------------------- */

static bool is_only_structured(const struct layer *layer, const char *path)
{
	return layer->kind == LAYER_SKILL && structured_format_of(path) &&
	       !record_has_hashes(layer->node, view_of(path));
}

struct collecting {
	const struct layers *layers;
	size_t layer;
	struct string_array *tops;
};

static void collect_top(struct view path, const struct layer_file *file, void *data)
{
	struct collecting *c = data;
	const struct layer *layer = &c->layers->list[c->layer];
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);
	CLEANUP(relpath_release) struct relpath name = layer_known_path(text);

	if (is_only_structured(layer, text) ||
		(file->kind == TX_ABSENT && layer_renames_away(layer, &name)))
		return;
	for (size_t i = c->layer + 1; i < c->layers->count; i++) {
		struct relpath above = layer_name_above(&c->layers->list[i], &name);

		relpath_release(&name);
		name = above;
	}
	string_array_add(c->tops, name.text);
}

void thread_tops(const struct layers *layers, size_t layer, struct string_array *tops)
{
	struct collecting c = {layers, layer, tops};

	layer_each(&layers->list[layer], collect_top, &c);
}

/* --- opening ----------------------------------------------------------------------------- */

static void add_link(struct thread *t, size_t layer, const struct relpath *name)
{
	GROW(t->links, t->count, t->cap);
	t->links[t->count++] = (struct thread_link){
		.layer = layer,
		.name = relpath_copy(name),
		.old = TX_FILE_INIT,
		.now = TX_FILE_INIT,
	};
}

/* The name under which the layer has the file; NULL: it has no part in it. */
static const char *find_name(
	const struct layer *layer, const struct relpath *name, const struct string_array *above)
{
	struct layer_file file;

	if (layer_get(layer, relpath_view(name), &file))
		return name->text;
	for (size_t i = above->count; i > 0 && layer_has_later_names(layer); i--)
		if (layer_get(layer, view_of(above->list[i - 1]), &file))
			return above->list[i - 1];
	return NULL;
}

static void reverse_links(struct thread *t)
{
	for (size_t i = 0; i < t->count / 2; i++) {
		struct thread_link other = t->links[i];

		t->links[i] = t->links[t->count - 1 - i];
		t->links[t->count - 1 - i] = other;
	}
}

/* From the top down, with the name that the file had at each layer. */
static int find_links(struct thread *t, const struct relpath *top, struct error *err)
{
	CLEANUP(relpath_release) struct relpath name = relpath_copy(top);
	CLEANUP(string_array_release) struct string_array above = {0};
	bool is_new = false;

	for (size_t i = t->layers->count; i > 0 && !is_new; i--) {
		const struct layer *layer = &t->layers->list[i - 1];
		const char *found = find_name(layer, &name, &above);
		struct relpath below = layer_name_below(layer, &name);

		if (found) {
			CLEANUP(relpath_release) struct relpath at = layer_known_path(found);

			add_link(t, i - 1, &at);
		}
		/* What had this name until then is another file. */
		is_new =
			relpath_compare(&below, &name) == 0 && layer_renames_away(layer, &name);
		if (relpath_compare(&below, &name) != 0)
			string_array_add(&above, name.text);
		relpath_release(&name);
		name = below;
	}
	reverse_links(t);
	if (is_new)
		return 0;
	if (session_read_base(t->session, &name, &t->core_old, err) < 0)
		return -1;
	tx_file_copy(&t->core_old, &t->core_now);
	return 0;
}

/*
 * Is what the layers from this one on make of the file known only together? For a new version
 * of a skill, earlier builds did not say so: they recorded the file with all that lies on top.
 */
static bool is_unsplit(const struct thread *t, size_t link)
{
	const struct thread_link *l = &t->links[link], *top = &t->links[t->count - 1];
	const struct layer *layer = &t->layers->list[l->layer];
	struct layer_file file, last;

	if (record_lists(layer->node, RECORD_UNSPLIT, relpath_view(&l->name)))
		return true;
	return layer->kind == LAYER_SKILL && record_was_updated(layer->node) && l < top &&
	       layer_get(layer, relpath_view(&l->name), &file) &&
	       layer_get(&t->layers->list[top->layer], relpath_view(&top->name), &last) &&
	       file.kind != TX_ABSENT && layer_file_equal(&file, &last);
}

static int read_old(struct thread *t, size_t link, struct error *err)
{
	struct thread_link *l = &t->links[link];
	struct layer_file file;

	layer_get(&t->layers->list[l->layer], relpath_view(&l->name), &file);
	if (file.kind != TX_ABSENT && !file.mode_known)
		return 0;
	l->old_known = recorded_read_layer(
			       t->session, t->layers, l->layer, &l->name, &l->old, err) == 0;
	if (l->old_known)
		return 0;
	if (err->errnum != ENOENT)
		return -1;
	error_clear(err);
	return 0;
}

/* Has the first layer renamed a file that nobody brought? The person did, and it is below all.
 */
static void find_own(struct thread *t)
{
	const struct thread_link *first = t->links;
	const struct layer *layer = t->count ? &t->layers->list[first->layer] : NULL;
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;

	if (!layer || t->core_old.kind != TX_ABSENT || layer->kind != LAYER_SKILL)
		return;
	below = layer_name_below(layer, &first->name);
	if (relpath_compare(&below, &first->name) == 0)
		return;
	tx_file_copy(&first->old, &t->core_old);
	tx_file_copy(&first->old, &t->core_now);
}

int thread_open(struct thread *ret_thread, struct session *s, struct state *before,
	const struct layers *layers, const struct relpath *top, struct error *err)
{
	struct thread *t = ret_thread;

	t->session = s;
	t->before = before;
	t->layers = layers;
	if (find_links(t, top, err) < 0)
		return -1;
	t->stuck = t->lost = t->count;
	for (size_t i = 0; i < t->count && !is_unsplit(t, i); i++)
		if (read_old(t, i, err) < 0)
			return -1;
	find_own(t);
	return 0;
}

void thread_drop(struct thread *thread, size_t layer)
{
	for (size_t i = 0; i < thread->count; i++)
		if (thread->links[i].layer == layer)
			thread->links[i].dropped = true;
}

struct thread_link *thread_find(struct thread *thread, size_t layer)
{
	for (size_t i = 0; i < thread->count; i++)
		if (thread->links[i].layer == layer)
			return &thread->links[i];
	return NULL;
}

bool thread_is_known(const struct thread *thread)
{
	for (size_t i = 0; i < thread->count; i++)
		if (!thread->links[i].old_known)
			return false;
	return true;
}

void thread_release(struct thread *thread)
{
	for (size_t i = 0; i < thread->count; i++) {
		relpath_release(&thread->links[i].name);
		tx_file_release(&thread->links[i].old);
		tx_file_release(&thread->links[i].now);
	}
	free(thread->links);
	tx_file_release(&thread->core_old);
	tx_file_release(&thread->core_now);
}

/* --- what is below a link ---------------------------------------------------------------- */

const struct tx_file *thread_below_old(const struct thread *t, size_t link)
{
	return link ? &t->links[link - 1].old : &t->core_old;
}

static bool is_below_known(const struct thread *t, size_t link)
{
	return !link || t->links[link - 1].old_known;
}

static const struct tx_file *below_now(const struct thread *t, size_t link)
{
	while (link > 0 && t->links[link - 1].dropped)
		link--;
	return link ? &t->links[link - 1].now : &t->core_now;
}

/* --- carrying ---------------------------------------------------------------------------- */

/* A conflict that is known from before. */
static int climb(struct thread *t, struct thread_link *l, const struct tx_file *base,
	const struct tx_file *ours, const struct tx_file *want, bool *ret_clean,
	struct error *err)
{
	CLEANUP(ladder_result_release) struct ladder_result known = LADDER_RESULT_INIT;
	const struct layer *layer = &t->layers->list[l->layer];
	const struct applied_skill *skill = state_find(&t->session->state, layer->name);
	char label[] = "before";
	struct ancestor ancestor = {.file = *base, .label = label};
	const struct file_merge merge = {
		.session = t->session,
		.skill = layer->name,
		.version = layer->kind == LAYER_SKILL && skill ? skill->version : "",
		.path = &l->name,
		.ours = ours,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&want->content),
		.theirs_mode = want->mode,
	};

	*ret_clean = false;
	if (!merge3_is_text(ours) || !merge3_is_text(want) ||
		(base->kind != TX_ABSENT && !merge3_is_text(base)))
		return 0;
	if (ladder_climb(&merge, &known, err) < 0)
		return error_prefix(err, "'%s'", l->name.text);
	if (!known.known || known.left)
		return 0;
	*ret_clean = true;
	buf_release(&l->now.content);
	l->now.content = known.content;
	known.content = BUF_INIT;
	l->now.kind = TX_FILE;
	l->now.mode = (base->mode ^ want->mode) & 0100 ? want->mode : ours->mode;
	return 0;
}

/* Some of a patch may be in the file already: what it then changes is less. */
static int shrink_patch(struct tx_file *base, const struct tx_file *ours,
	const struct tx_file *want, struct error *err)
{
	CLEANUP(buf_release) struct buf there = BUF_INIT;

	if (!merge3_is_text(base) || !merge3_is_text(ours) || !merge3_is_text(want))
		return 0;
	if (custom_there(view_of_buf(&base->content), view_of_buf(&want->content),
		    view_of_buf(&ours->content), &there, err) < 0)
		return -1;
	if (there.len) {
		buf_release(&base->content);
		base->content = there;
		there = BUF_INIT;
	}
	return 0;
}

/* From the package or patch. */
static int carry_authored(
	struct thread *t, size_t link, const struct tx_file *ours, struct error *err)
{
	struct thread_link *l = &t->links[link];
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
	bool known, clean = false;

	if (thread_sides(t, link, false, &base, &want, &known, err) < 0)
		return -1;
	/* It has given the file a name, or entries of its own (structured.h). */
	if (!known && t->rule == THREAD_AUTHORS_ONLY) {
		tx_file_copy(ours, &l->now);
		l->state = LINK_SAME;
	}
	if (!known)
		return 0;
	if (t->layers->list[l->layer].kind == LAYER_PATCH &&
		shrink_patch(&base, ours, &want, err) < 0)
		return -1;
	/* What the layer changed is gone: the file stays as it was. */
	if (ours->kind == TX_ABSENT && base.kind != TX_ABSENT) {
		tx_file_copy(l->old_known ? &l->old : &want, &l->now);
		l->state = LINK_CARRIED;
		t->lost = link < t->lost ? link : t->lost;
		return 0;
	}
	if (want.kind == TX_SYMLINK || base.kind == TX_SYMLINK || ours->kind == TX_SYMLINK) {
		tx_file_copy(&want, &l->now);
		clean = true;
	} else if (merge3(&base, ours, &want, &l->now, &clean, err) < 0) {
		return -1;
	}
	if (!clean && climb(t, l, &base, ours, &want, &clean, err) < 0)
		return -1;
	if (clean)
		l->state = LINK_MADE;
	return 0;
}

/* As it is recorded: what has changed below it comes in where it fits. */
static int carry_recorded(
	struct thread *t, size_t link, const struct tx_file *ours, struct error *err)
{
	struct thread_link *l = &t->links[link];
	bool clean;

	if (merge3(thread_below_old(t, link), ours, &l->old, &l->now, &clean, err) < 0)
		return -1;
	if (clean)
		l->state = LINK_CARRIED;
	return 0;
}

/* One edit onto one file: `ours` is what is below it now. */
static int edit_carry(
	struct thread *t, size_t link, const struct tx_file *ours, struct error *err)
{
	struct thread_link *l = &t->links[link];
	bool known = l->old_known && is_below_known(t, link) && t->rule != THREAD_AUTHORS_ONLY;

	if (known && tx_file_same(ours, thread_below_old(t, link))) {
		tx_file_copy(&l->old, &l->now);
		l->state = LINK_SAME;
		return 0;
	}
	if (l->old_known && l->old.kind == TX_ABSENT) {
		l->now.kind = TX_ABSENT;
		l->state = LINK_MADE;
		return 0;
	}
	if (t->rule == THREAD_RECORDS_FIRST && known) {
		if (carry_recorded(t, link, ours, err) < 0)
			return -1;
		if (l->state == LINK_OPEN)
			tx_file_copy(&l->old, &l->now);
		l->state = LINK_CARRIED;
		return 0;
	}
	if (carry_authored(t, link, ours, err) < 0)
		return -1;
	if (l->state == LINK_OPEN && t->rule == THREAD_RECORDS_FIRST) {
		tx_file_copy(ours, &l->now);
		l->state = LINK_CARRIED;
	}
	return l->state == LINK_OPEN && known ? carry_recorded(t, link, ours, err) : 0;
}

int thread_carry(struct thread *thread, struct error *err)
{
	for (size_t i = 0; i < thread->stuck; i++) {
		struct thread_link *l = &thread->links[i];

		if (l->dropped || l->state != LINK_OPEN)
			continue;
		if (edit_carry(thread, i, below_now(thread, i), err) < 0)
			return -1;
		if (l->state != LINK_OPEN)
			continue;
		thread->stuck = i;
		return 0;
	}
	return 0;
}

void thread_insert(struct thread *t, size_t link)
{
	struct thread_link *l = &t->links[link];

	tx_file_release(&l->now);
	l->now = l->old;
	l->old = TX_FILE_INIT;
	tx_file_copy(thread_below_old(t, link), &l->old);
	l->old_known = is_below_known(t, link);
	l->state = LINK_SAME;
	l->inserted = true;
}

/* A layer that had no part in the file so far. */
static struct thread_link *insert_link(
	struct thread *t, size_t layer, const struct relpath *name)
{
	size_t at = t->count;

	add_link(t, layer, name);
	for (; at > 0 && t->links[at - 1].layer > layer; at--) {
		struct thread_link other = t->links[at];

		t->links[at] = t->links[at - 1];
		t->links[at - 1] = other;
	}
	tx_file_copy(thread_below_old(t, at), &t->links[at].old);
	t->links[at].old_known = is_below_known(t, at);
	t->stuck = t->lost = t->count;
	return &t->links[at];
}

int thread_replace(struct thread *t, size_t layer, const struct relpath *top,
	const struct tx_file *old_want, const struct tx_file *want, struct error *err)
{
	struct thread_link *l = thread_find(t, layer);
	bool clean;

	if (!l)
		l = insert_link(t, layer, top);
	/* Those below it stay as they are. */
	for (struct thread_link *below = t->links; below < l; below++) {
		tx_file_copy(&below->old, &below->now);
		below->state = LINK_SAME;
	}
	if (!l->old_known) {
		t->stuck = (size_t)(l - t->links);
		return 0;
	}
	if (merge3(old_want, &l->old, want, &l->now, &clean, err) < 0)
		return -1;
	if (clean)
		l->state = LINK_MADE;
	else
		t->stuck = (size_t)(l - t->links);
	return 0;
}

const struct tx_file *thread_top(const struct thread *thread)
{
	return below_now(thread, thread->count);
}

const struct tx_file *thread_top_old(const struct thread *thread)
{
	return thread_below_old(thread, thread->count);
}

/* --- resolving ---------------------------------------------------------------------------- */

/* The last link before `i` that is not dropped; SIZE_MAX if there is none. */
static size_t lower_link(const struct thread *t, size_t i)
{
	while (i > 0 && t->links[i - 1].dropped)
		i--;
	return i ? i - 1 : SIZE_MAX;
}

int thread_split(struct thread *t, const struct tx_file *wanted, struct error *err)
{
	size_t i = lower_link(t, t->count), last = t->stuck < t->count ? t->stuck : i;

	if (i == SIZE_MAX)
		return 0;
	for (size_t j = last; j < t->count; j++)
		t->links[j].state = LINK_OPEN;
	tx_file_copy(wanted, &t->links[i].now);
	t->links[i].state = LINK_CARRIED;
	/* Downwards: what the upper layer did is taken out again. */
	while (i > last) {
		size_t below = lower_link(t, i);
		struct thread_link *upper = &t->links[i], *lower = &t->links[below];
		bool clean = upper->old_known && lower->old_known;

		if (clean && lower->old.kind == TX_ABSENT)
			lower->now.kind = TX_ABSENT;
		else if (clean && merge3(&upper->old, &upper->now, &lower->old, &lower->now,
					  &clean, err) < 0)
			return -1;
		if (!clean)
			break;
		lower->state = LINK_CARRIED;
		i = below;
	}
	return 0;
}

/* --- recording --------------------------------------------------------------------------- */

static int keep(struct session *s, const struct tx_file *file, struct error *err)
{
	return file->kind == TX_ABSENT ? 0 : recorded_keep(s, view_of_buf(&file->content), err);
}

/* What comes out only because it is recorded is the layer's part from now on. */
static int store_part(struct thread *t, size_t link, const struct layer *layer,
	const struct relpath *name, struct error *err)
{
	const struct tx_file *before = below_now(t, link), *after = &t->links[link].now;

	if (keep(t->session, before, err) < 0)
		return -1;
	if (layer->kind == LAYER_PATCH && !layer->baked)
		return custom_rewrite(t->session, layer, name, before, after, err);
	if (!layer->baked && !record_has_hashes(layer->node, relpath_view(name)))
		return 0;
	return part_set(t->session, layer->node, name, before, after, err);
}

static bool is_link_known(const struct thread *t, size_t link)
{
	size_t below = lower_link(t, link);

	return t->links[link].state != LINK_OPEN &&
	       (below == SIZE_MAX || t->links[below].state != LINK_OPEN);
}

int thread_mark_unsplit(struct thread *t, const struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	bool above = false; /* a layer that is gone */

	if (layers_read(&t->session->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++) {
		const struct thread_link *l = &t->links[i];
		CLEANUP(relpath_release)
		struct relpath name = stack_drop_name_now(drop, l->layer, &l->name);

		above = above || l->dropped;
		if (above && !l->dropped)
			record_set_unsplit(now.list[drop->index[l->layer]].node,
				relpath_view(&name), true);
	}
	return 0;
}

int thread_store(struct thread *t, const struct stack_drop *drop, struct error *err)
{
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	bool all = t->rule == THREAD_RECORDS_FIRST;

	if (layers_read(&t->session->state, &now, err) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++) {
		const struct thread_link *l = &t->links[i];
		/* What it makes of the file is not known: what was recorded holds no more. */
		bool open = l->state == LINK_OPEN;
		const struct tx_file *made = open ? thread_top(t) : &l->now;
		struct layer_file file = layer_file_of(made);
		CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
		const struct layer *layer;

		if (l->dropped || (l->state == LINK_SAME && !all))
			continue;
		layer = &now.list[drop ? drop->index[l->layer] : l->layer];
		name = drop ? stack_drop_name_now(drop, l->layer, &l->name)
			    : relpath_copy(&l->name);
		if (keep(t->session, made, err) < 0)
			return -1;
		layer_set(layer->node, relpath_view(&name), &file);
		record_set_unsplit(layer->node, relpath_view(&name), open);
		if ((all || l->state == LINK_CARRIED) && is_link_known(t, i) &&
			store_part(t, i, layer, &name, err) < 0)
			return -1;
	}
	return 0;
}

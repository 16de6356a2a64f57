#include "engine/stack/thread.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/conflict/merge3.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/session/recorded.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"

/* --- which files ------------------------------------------------------------------------- */

struct top_names {
	const struct layers *layers;
	size_t layer;
	struct string_array *tops;
};

static void add_top_name(struct view path, const struct layer_file *file, void *data)
{
	struct top_names *c = data;
	const struct layer *layer = &c->layers->list[c->layer];
	CLEANUP(freep) char *text = xmemdupz(path.data, path.len);
	CLEANUP(relpath_release) struct relpath name = relpath_of(text);
	bool only_entries = layer->kind == LAYER_SKILL && structured_format_of(text) &&
			    !record_has_hashes(layer->node, path);

	if (only_entries || (file->kind == TX_ABSENT && layer_renames_away(layer, &name)))
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
	struct top_names names = {layers, layer, tops};

	layer_each(&layers->list[layer], add_top_name, &names);
}

/* --- opening ----------------------------------------------------------------------------- */

static void add_part(struct thread *t, size_t layer, const struct relpath *name)
{
	GROW(t->parts, t->count, t->cap);
	t->parts[t->count++] = (struct thread_part){
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

/* Find the parts from the top down, with the name of the file at each layer. */
static int find_parts(struct thread *t, const struct relpath *top, struct error *err)
{
	CLEANUP(relpath_release) struct relpath name = relpath_copy(top);
	CLEANUP(string_array_release) struct string_array above = {0};
	bool is_new = false;

	for (size_t i = t->layers->count; i > 0 && !is_new; i--) {
		const struct layer *layer = &t->layers->list[i - 1];
		const char *found = find_name(layer, &name, &above);
		struct relpath below = layer_name_below(layer, &name);

		if (found) {
			CLEANUP(relpath_release) struct relpath at = relpath_of(found);

			add_part(t, i - 1, &at);
		}
		/* Below this layer the name belongs to another file. */
		is_new =
			relpath_compare(&below, &name) == 0 && layer_renames_away(layer, &name);
		if (relpath_compare(&below, &name) != 0)
			string_array_add(&above, name.text);
		relpath_release(&name);
		name = below;
	}
	for (size_t i = 0; i < t->count / 2; i++) {
		struct thread_part other = t->parts[i];

		t->parts[i] = t->parts[t->count - 1 - i];
		t->parts[t->count - 1 - i] = other;
	}
	if (is_new)
		return 0;
	if (session_read_base(t->session, &name, &t->core_old, err) < 0)
		return -1;
	tx_file_copy(&t->core_old, &t->core_now);
	return 0;
}

/* The last part with content of its own: a skill that only renames the file has none. */
static const struct thread_part *find_top(const struct thread *t)
{
	const struct thread_part *top = &t->parts[t->count - 1];

	while (top > t->parts && t->layers->list[top->layer].kind == LAYER_SKILL &&
		!record_has_hashes(t->layers->list[top->layer].node, relpath_view(&top->name)))
		top--;
	return top;
}

/*
 * Is only the common result of this layer and those above it known? Earlier builds did not say
 * so for a new version of a skill: they recorded the file with everything on top of it.
 */
static bool is_unsplit(const struct thread *t, size_t part)
{
	const struct thread_part *own = &t->parts[part], *top = find_top(t);
	const struct layer *layer = &t->layers->list[own->layer];
	struct layer_file file, last;

	if (record_lists(layer->node, RECORD_UNSPLIT, relpath_view(&own->name)))
		return true;
	return layer->kind == LAYER_SKILL && record_was_updated(layer->node) && own < top &&
	       layer_get(layer, relpath_view(&own->name), &file) &&
	       layer_get(&t->layers->list[top->layer], relpath_view(&top->name), &last) &&
	       file.kind != TX_ABSENT && layer_file_equal(&file, &last);
}

/* If the first layer renamed a file that is not the core's, it is the person's: below all layers. */
static void find_file_of_person(struct thread *t)
{
	const struct thread_part *first = t->parts;
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
	if (find_parts(t, top, err) < 0)
		return -1;
	t->stuck = t->lost = t->count;
	for (size_t i = 0; i < t->count && !is_unsplit(t, i); i++) {
		CLEANUP(error_release) struct error missing = ERROR_INIT;
		struct thread_part *own = &t->parts[i];
		struct layer_file file;

		layer_get(&layers->list[own->layer], relpath_view(&own->name), &file);
		if (file.kind != TX_ABSENT && !file.mode_known)
			continue;
		own->old_known = recorded_read_layer(s, layers, own->layer, &own->name,
					 &own->old, &missing) == 0;
		if (!own->old_known && missing.errnum != ENOENT)
			return error_move(err, &missing);
	}
	find_file_of_person(t);
	return 0;
}

struct thread_part *thread_find(struct thread *thread, size_t layer)
{
	for (size_t i = 0; i < thread->count; i++)
		if (thread->parts[i].layer == layer)
			return &thread->parts[i];
	return NULL;
}

bool thread_is_known(const struct thread *thread)
{
	for (size_t i = 0; i < thread->count; i++)
		if (!thread->parts[i].old_known)
			return false;
	return true;
}

void thread_release(struct thread *thread)
{
	for (size_t i = 0; i < thread->count; i++) {
		relpath_release(&thread->parts[i].name);
		tx_file_release(&thread->parts[i].old);
		tx_file_release(&thread->parts[i].now);
	}
	free(thread->parts);
	tx_file_release(&thread->core_old);
	tx_file_release(&thread->core_now);
}

/* --- files below a part ------------------------------------------------------------------- */

const struct tx_file *thread_below_old(const struct thread *t, size_t part)
{
	return part ? &t->parts[part - 1].old : &t->core_old;
}

const struct tx_file *thread_below_now(const struct thread *t, size_t part)
{
	while (part > 0 && t->parts[part - 1].dropped)
		part--;
	return part ? &t->parts[part - 1].now : &t->core_now;
}

bool thread_below_known(const struct thread *t, size_t part)
{
	return !part || t->parts[part - 1].old_known;
}

const struct tx_file *thread_top(const struct thread *t)
{
	return thread_below_now(t, t->count);
}

/* --- changes to the stack -------------------------------------------------------------------- */

void thread_insert(struct thread *t, size_t part)
{
	struct thread_part *own = &t->parts[part];

	tx_file_release(&own->now);
	own->now = own->old;
	own->old = TX_FILE_INIT;
	tx_file_copy(thread_below_old(t, part), &own->old);
	own->old_known = thread_below_known(t, part);
	own->state = PART_SAME;
	own->inserted = true;
}

/* Give a part to a layer that had none. */
static struct thread_part *insert_part(
	struct thread *t, size_t layer, const struct relpath *name)
{
	size_t at = t->count;

	add_part(t, layer, name);
	for (; at > 0 && t->parts[at - 1].layer > layer; at--) {
		struct thread_part other = t->parts[at];

		t->parts[at] = t->parts[at - 1];
		t->parts[at - 1] = other;
	}
	tx_file_copy(thread_below_old(t, at), &t->parts[at].old);
	t->parts[at].old_known = thread_below_known(t, at);
	t->stuck = t->lost = t->count;
	return &t->parts[at];
}

void thread_drop(struct thread *thread, size_t layer)
{
	for (size_t i = 0; i < thread->count; i++)
		if (thread->parts[i].layer == layer)
			thread->parts[i].dropped = true;
}

int thread_replace(struct thread *t, size_t layer, const struct relpath *top,
	const struct tx_file *old_want, const struct tx_file *want, struct error *err)
{
	struct thread_part *own = thread_find(t, layer);
	bool clean;

	if (!own)
		own = insert_part(t, layer, top);
	/* Parts below it do not change. */
	for (struct thread_part *below = t->parts; below < own; below++) {
		tx_file_copy(&below->old, &below->now);
		below->state = PART_SAME;
	}
	if (!own->old_known) {
		t->stuck = (size_t)(own - t->parts);
		return 0;
	}
	if (merge3(old_want, &own->old, want, &own->now, &clean, err) < 0)
		return -1;
	if (clean)
		own->state = PART_MADE;
	else
		t->stuck = (size_t)(own - t->parts);
	return 0;
}

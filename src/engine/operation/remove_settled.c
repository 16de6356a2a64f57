/*
 * Lines that a person wrote to settle a conflict: no layer brings them again.
 *
 * One of them that has all words of a line of the skill, which is not there itself, is that
 * line in company with somebody else's. It goes with the skill.
 */
#include <ctype.h>

#include "engine/conflict/resolutions.h"
#include "engine/operation/remove_parts.h"
#include "engine/package/structured_format.h"
#include "engine/stack/origin.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"

struct looking {
	struct session *session; /* with the old state */
	const struct replay *replay;
	const struct layers *layers;
	const struct relpath *path; /* as it is recorded */
	struct view was;
	struct tx_file origin; /* the file as no skill has changed it */
	struct buf *left;      /* the lines that nobody has brought so far */
	struct error *err;
};

/* The lines of `text` that `other` has not, or has less often; blank ones aside. */
static void subtract(struct view text, struct view other, struct buf *ret_lines)
{
	size_t count = lines_missing(text, other, NULL, 0);
	CLEANUP(freep) struct view *lines = xcalloc(count + 1, sizeof(*lines));

	lines_missing(text, other, lines, count);
	for (size_t i = 0; i < count; i++) {
		if (!view_trim(lines[i]).len)
			continue;
		buf_append(ret_lines, lines[i].data, lines[i].len);
		buf_append_str(ret_lines, "\n");
	}
}

/* Whoever made `with` of `without` has brought the difference. */
static void claim(struct looking *l, struct view without, struct view with)
{
	CLEANUP(buf_release) struct buf added = BUF_INIT;
	struct buf left = BUF_INIT;

	subtract(with, without, &added);
	subtract(view_of_buf(l->left), view_of_buf(&added), &left);
	buf_release(l->left);
	*l->left = left;
}

static bool next_word(struct view *rest, struct view *ret_word)
{
	size_t start = 0, end;

	while (start < rest->len && !isalnum((unsigned char)rest->data[start]))
		start++;
	for (end = start; end < rest->len && isalnum((unsigned char)rest->data[end]); end++)
		;
	*ret_word = view_slice(*rest, start, end);
	*rest = view_slice(*rest, end, rest->len);
	return end > start;
}

static bool has_all_words(struct view line, struct view of)
{
	struct view wanted, word;
	size_t count;

	for (count = 0; next_word(&of, &wanted); count++) {
		struct view rest = line;
		bool found = false;

		while (!found && next_word(&rest, &word))
			found = view_equal(word, wanted);
		if (!found)
			return false;
	}
	return count;
}

/* The skill whose lines these are is removed. */
static void claim_in_company(struct looking *l, struct view added)
{
	CLEANUP(buf_release) struct buf missing = BUF_INIT;
	struct view rest, line, other;

	subtract(added, l->was, &missing);
	rest = view_of_buf(&missing);
	while (view_next(&rest, '\n', &line)) {
		struct view lines = view_of_buf(l->left);
		struct buf left = BUF_INIT;
		bool found = false;

		while (view_next(&lines, '\n', &other)) {
			if (!found && has_all_words(other, line)) {
				found = true;
				continue;
			}
			buf_append(&left, other.data, other.len);
			buf_append_str(&left, "\n");
		}
		buf_release(l->left);
		*l->left = left;
	}
}

/* Whatever name it has the file under: that may be an older one. */
static int claim_for_patch(struct looking *l, const struct layer *patch)
{
	const struct yaml_node *contents = yaml_get(patch->node, "contents");

	for (size_t i = 0; contents && contents->kind == YAML_MAPPING && i < contents->count;
		i++) {
		CLEANUP(freep) char *text = layer_path(contents->entries[i].key);
		CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;

		if (relpath_parse(view_of(text), &name, l->err) < 0 ||
			regenerate_get(l->session, patch, &name, &before, &after, l->err) < 0)
			return -1;
		claim(l, view_of_buf(&before.content), view_of_buf(&after.content));
	}
	return 0;
}

/* The file as it was before a layer; `name` is the name that it had there. */
static int read_below(
	struct looking *l, size_t layer, const struct relpath *name, struct tx_file *ret_file)
{
	struct layer_file ignored;

	for (size_t i = layer; i > 0; i--)
		if (layer_get(&l->layers->list[i - 1], relpath_view(name), &ignored))
			return recorded_read_layer(
				l->session, l->layers, i - 1, name, ret_file, l->err);
	return session_read_base(l->session, name, ret_file, l->err);
}

/* A resolution that came with the project is nobody's own. */
static int claim_shipped(
	struct looking *l, size_t layer, const struct relpath *below, struct view packed)
{
	CLEANUP(resolution_found_release)
	struct resolution_found found = RESOLUTION_FOUND_INIT;
	CLEANUP(tx_file_release) struct tx_file current = TX_FILE_INIT;
	const char *skill = l->layers->list[layer].name;

	if (read_below(l, layer, below, &current) < 0)
		return -1;
	if (resolutions_find(l->session,
		    &(struct resolution_query){
			    .path = below,
			    .inputs = {.has_base = l->origin.kind == TX_FILE,
				    .base = hash_of(view_of_buf(&l->origin.content)),
				    .current = hash_of(view_of_buf(&current.content)),
				    .skill = hash_of(packed)},
			    .skill = skill,
			    .version = state_find(&l->session->state, skill)->version,
		    },
		    &found) &&
		found.shipped)
		claim(l, view_of_buf(&l->origin.content), view_of_buf(&found.content));
	return 0;
}

static void claim_packed(
	struct looking *l, const struct layer *skill, struct view without, struct view packed)
{
	CLEANUP(buf_release) struct buf added = BUF_INIT;

	claim(l, without, packed);
	subtract(packed, without, &added);
	if (replay_leaves_out(l->replay, skill))
		claim_in_company(l, view_of_buf(&added));
}

static int claim_for_skill(struct looking *l, size_t layer, const struct relpath *below)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;

	if (origin_load_pack(l->session, l->layers->list[layer].name, &pack, l->err) < 0)
		return -1;
	entry = origin_find_entry(l->session, &pack, PACK_ADD, l->path);
	if (entry)
		claim_packed(
			l, &l->layers->list[layer], view_of(""), pack_content(&pack, entry));
	entry = origin_find_entry(l->session, &pack, PACK_MODIFY, l->path);
	if (!entry)
		return 0;
	claim_packed(l, &l->layers->list[layer], view_of_buf(&l->origin.content),
		pack_content(&pack, entry));
	return claim_shipped(l, layer, below, pack_content(&pack, entry));
}

/* From the last layer on, with the name that the file had at each. */
static int claim_all(struct looking *l)
{
	CLEANUP(relpath_release) struct relpath name = relpath_copy(l->path);
	struct layer_file ignored;

	for (size_t i = l->layers->count; i > 0; i--) {
		const struct layer *layer = &l->layers->list[i - 1];
		CLEANUP(relpath_release) struct relpath at = name;

		name = replay_name_below(layer, &at);
		/* A skill that was updated later has it under the name that it had then. */
		if (!layer_get(layer, relpath_view(&at), &ignored) &&
			!layer_get(layer, relpath_view(l->path), &ignored))
			continue;
		if ((layer->kind == LAYER_PATCH ? claim_for_patch(l, layer)
						: claim_for_skill(l, i - 1, &name)) < 0)
			return -1;
	}
	return 0;
}

static int find_settled(struct looking *l)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	l->layers = &layers;
	if (layers_read(&l->session->state, &layers, l->err) < 0 ||
		origin_read(l->session, l->path, &l->origin, l->err) < 0)
		return -1;
	claim(l, view_of(""), view_of_buf(&l->origin.content));
	return claim_all(l);
}

int remove_loses_settled(struct session *s, struct replay *replay, const struct relpath *then,
	struct view was, struct view now, bool *ret_loses, struct error *err)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	struct looking l = {s, replay, NULL, then, was, TX_FILE_INIT, &lines, err};
	struct state staged = s->state;
	int failed;

	*ret_loses = false;
	subtract(was, now, &lines);
	if (!lines.len || structured_format_of(then->text) || merge_is_binary(was) ||
		merge_is_binary(now))
		return 0;
	s->state = replay->old;
	failed = find_settled(&l);
	replay->old = s->state;
	s->state = staged;
	tx_file_release(&l.origin);
	*ret_loses = lines.len;
	return failed;
}

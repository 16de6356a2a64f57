#include "engine/conflict/ladder.h"

#include <stdlib.h>

#include "engine/conflict/resolutions.h"
#include "engine/resolution/rr_cache.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"
#include "engine/text/rerere.h"
#include "engine/text/rerere_hunk.h"

void ladder_result_release(struct ladder_result *result)
{
	buf_release(&result->content);
}

/* An empty file is not a resolution; such a recording is damaged. */
static void take_known(struct ladder_result *result, struct buf *content, bool shipped)
{
	if (!content->len)
		return;
	result->content = *content;
	*content = BUF_INIT;
	result->known = true;
	result->shipped = shipped;
}

static const struct relpath *known_path(const struct file_merge *m)
{
	return m->known_as ? m->known_as : m->path;
}

/* --- recordings ----------------------------------------------------------------------- */

static struct rerere_sides sides_of(const struct file_merge *m)
{
	return (struct rerere_sides){
		.ours = view_of_buf(&m->ours->content),
		.base = view_of_buf(&m->ancestor->file.content),
		.theirs = m->theirs,
	};
}

/*
 * A person may have omitted a line of a side because it was elsewhere in the file. If it is not
 * elsewhere in this file, it would be lost, so the earlier decision does not count.
 */
static bool loses_line(
	const struct rr_cache *cache, const struct rerere_text *conflict, struct view content)
{
	struct rerere_id id = rerere_id(conflict, cache->hash);
	struct rr_variants variants;

	rr_cache_variants(cache, &id, &variants);
	for (size_t i = 0; i < RR_CACHE_MAX_VARIANTS; i++) {
		CLEANUP(buf_release) struct buf post = BUF_INIT;

		if (!variants.list[i].postimage ||
			!rr_cache_read_postimage(cache, &id, i, &post))
			continue;
		for (size_t h = 0; h < conflict->count; h++)
			if (lines_lost(view_of_buf(&conflict->hunks[h].one), view_of_buf(&post),
				    content) ||
				lines_lost(view_of_buf(&conflict->hunks[h].two),
					view_of_buf(&post), content))
				return true;
	}
	return false;
}

/* The conflict in each shape that was asked for; one that cannot be recorded has no hunks. */
struct shapes {
	struct rerere_sides sides;
	struct rerere_text list[RERERE_SHAPES];
	int count;
};

static void shapes_release(struct shapes *shapes)
{
	while (shapes->count)
		rerere_text_release(&shapes->list[--shapes->count]);
}

static int ask_store(const struct rr_cache *cache, struct shapes *shapes,
	struct ladder_result *result, struct error *err)
{
	for (int i = 0; i < RERERE_SHAPES; i++) {
		struct rerere_text *conflict = &shapes->list[i];
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		bool usable, found = false;

		if (i == shapes->count) {
			*conflict = RERERE_TEXT_INIT;
			shapes->count++;
			if (rerere_conflict(&shapes->sides, (enum rerere_shape)i, conflict,
				    &usable, err) < 0)
				return -1;
		}
		if (conflict->count &&
			rr_cache_replay(cache, conflict, &content, &found, err) < 0)
			return -1;
		if (found && !loses_line(cache, conflict, view_of_buf(&content))) {
			take_known(result, &content, false);
			return 0;
		}
	}
	return 0;
}

/* git's store first, where there is one. */
static int ask_recordings(
	const struct file_merge *m, struct ladder_result *result, struct error *err)
{
	const struct rr_cache *cache = session_rr_cache(m->session);
	CLEANUP(rr_cache_release) struct rr_cache own = RR_CACHE_INIT;
	CLEANUP(shapes_release) struct shapes shapes = {.sides = sides_of(m)};

	if (ask_store(cache, &shapes, result, err) < 0)
		return -1;
	if (result->known || !cache->in_git)
		return 0;
	rr_cache_open_own(m->session->project->root, &own);
	return ask_store(&own, &shapes, result, err);
}

/* --- hunks --------------------------------------------------------------------- */

static int ask_hunks(
	const struct file_merge *m, struct ladder_result *result, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	CLEANUP(rerere_text_release) struct rerere_text conflict = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) struct view *resolutions = NULL;
	CLEANUP(freep) struct buf *texts = NULL;
	struct view text;
	size_t found = 0;
	CLEANUP(freep) char *label = file_merge_label(m);
	struct merge_options options = {.style = MERGE_STYLE_MERGE};
	struct rerere_sides sides = sides_of(m);
	struct merge_input ours = {sides.ours, "yours"};
	struct merge_input base = {sides.base, ""};
	struct merge_input theirs = {sides.theirs, label};

	/* The text that rerere records, with labels for people. */
	if (merge_contents(&ours, &base, &theirs, &options, &merged, err) < 0)
		return -1;
	text = view_of_buf(&merged.content);
	if (!rerere_parse(text, 0, &conflict) || conflict.count != merged.conflicts)
		return 0;
	resolutions = xcalloc(conflict.count, sizeof(*resolutions));
	texts = xcalloc(conflict.count, sizeof(*texts));
	for (size_t i = 0; i < conflict.count; i++) {
		struct hash key;

		texts[i] = BUF_INIT;
		if (!rerere_hunk_key(&conflict, i, relpath_view(known_path(m)), &key) ||
			!rr_cache_find_hunk(m->session->project->root, &key, &texts[i]))
			continue;
		resolutions[i] = view_of_buf(&texts[i]);
		found++;
	}
	if (found) {
		rerere_hunk_resolve(&conflict, text, resolutions, &content, &result->left);
		take_known(result, &content, false);
	}
	for (size_t i = 0; i < conflict.count; i++)
		buf_release(&texts[i]);
	return 0;
}

int ladder_climb(
	const struct file_merge *merge, struct ladder_result *ret_result, struct error *err)
{
	CLEANUP(resolution_found_release)
	struct resolution_found found = RESOLUTION_FOUND_INIT;
	struct resolution_query query = {
		.path = known_path(merge),
		.inputs = file_merge_inputs(merge),
		.skill = merge->skill,
		.version = merge->version,
	};

	if (resolutions_find(merge->session, &query, &found))
		take_known(ret_result, &found.content, found.shipped);
	if (!ret_result->known && ask_recordings(merge, ret_result, err) < 0)
		return -1;
	return ret_result->known ? 0 : ask_hunks(merge, ret_result, err);
}

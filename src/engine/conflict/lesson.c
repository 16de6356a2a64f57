#include "engine/conflict/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "engine/conflict/last_resolved.h"
#include "engine/conflict/resolutions.h"
#include "engine/resolution/rr_cache.h"
#include "engine/session/recorded.h"
#include "engine/text/rerere.h"
#include "engine/text/rerere_hunk.h"

/* The contents of a lesson. */
struct contents {
	struct buf ours;
	struct buf base;
	struct buf theirs;
	struct buf output;
};

#define CONTENTS_INIT ((struct contents){BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT})

static void contents_release(struct contents *c)
{
	buf_release(&c->ours);
	buf_release(&c->base);
	buf_release(&c->theirs);
	buf_release(&c->output);
}

int lesson_add(struct session *s, const struct conflict *conflict, struct view content,
	const char *source, struct error *err)
{
	struct lesson *lesson;

	if (!conflict->has_inputs)
		return 0;
	if (recorded_keep(s, content, err) < 0)
		return -1;
	GROW(s->lessons, s->lesson_count, s->lesson_cap);
	lesson = &s->lessons[s->lesson_count++];
	*lesson = (struct lesson){
		.path = relpath_copy(&conflict->path),
		.skill = xstrdup(conflict->skill),
		.version = xstrdup(conflict->version ? conflict->version : ""),
		.source = xstrdup(source),
		.inputs = conflict->inputs,
		.output = hash_of(content),
	};
	resolutions_involved(
		&s->state, &lesson->path, lesson->skill, lesson->version, &lesson->about);
	return 0;
}

static int fetch_inputs(struct session *s, const struct resolution_inputs *inputs,
	struct contents *ret_contents, struct error *err)
{
	if (recorded_fetch(s, &inputs->current, &ret_contents->ours, err) < 0 ||
		recorded_fetch(s, &inputs->skill, &ret_contents->theirs, err) < 0)
		return -1;
	return inputs->has_base ? recorded_fetch(s, &inputs->base, &ret_contents->base, err)
				: 0;
}

/* --- recordings ---------------------------------------------------------------------- */

/*
 * The ways in which this conflict may come again: in both shapes, and, if the two
 * skills are applied the other way round, with the sides swapped.
 */
#define WAYS (2 * RERERE_SHAPES)

static int conflict_in_way(const struct contents *c, int way, struct rerere_text *ret_conflict,
	bool *ret_usable, struct error *err)
{
	struct rerere_sides sides = {
		.ours = view_of_buf(way % 2 ? &c->theirs : &c->ours),
		.base = view_of_buf(&c->base),
		.theirs = view_of_buf(way % 2 ? &c->ours : &c->theirs),
	};

	return rerere_conflict(
		&sides, (enum rerere_shape)(way / 2), ret_conflict, ret_usable, err);
}

/* If `output` has no data, record only that the conflict exists. */
static int record_ways(const struct rr_cache *cache, const struct contents *c,
	struct view output, struct rr_writes *writes, struct error *err)
{
	struct rerere_text ways[WAYS];
	int failed = 0;

	for (int way = 0; way < WAYS; way++)
		ways[way] = RERERE_TEXT_INIT;
	for (int way = 0; way < WAYS && !failed; way++) {
		bool usable = false, repeated = false;

		failed = conflict_in_way(c, way, &ways[way], &usable, err);
		for (int i = 0; i < way; i++)
			repeated |= view_equal(view_of_buf(&ways[i].normalized),
				view_of_buf(&ways[way].normalized));
		if (!failed && usable && !repeated)
			failed = rr_cache_record(cache, &ways[way], output, writes, err);
	}
	for (int way = 0; way < WAYS; way++)
		rerere_text_release(&ways[way]);
	return failed;
}

static int record_hunks(const struct lesson *lesson, const struct contents *c,
	struct rr_writes *writes, struct error *err)
{
	CLEANUP(rerere_text_release) struct rerere_text conflict = RERERE_TEXT_INIT;
	CLEANUP(freep) struct view *resolutions = NULL;
	struct hash key;
	bool usable;

	if (conflict_in_way(c, 0, &conflict, &usable, err) < 0)
		return -1;
	if (!usable)
		return 0;
	resolutions = xcalloc(conflict.count, sizeof(*resolutions));
	rerere_hunk_learn(&conflict, view_of_buf(&c->output), resolutions);
	for (size_t i = 0; i < conflict.count; i++)
		if (resolutions[i].data &&
			rerere_hunk_key(&conflict, i, relpath_view(&lesson->path), &key) &&
			rr_cache_record_hunk(&key, resolutions[i], writes, err) < 0)
			return -1;
	return 0;
}

/* --- remembering ------------------------------------------------------------------------ */

/*
 * Was the same conflict resolved differently in two files? A recording has no path, so it
 * cannot tell them apart. Hunks can.
 */
static bool is_contradicted(const struct session *s, const struct lesson *lesson)
{
	for (size_t i = 0; i < s->lesson_count; i++)
		if (resolution_inputs_match(&s->lessons[i].inputs, &lesson->inputs) &&
			!hash_equal(&s->lessons[i].output, &lesson->output))
			return true;
	return false;
}

static int lesson_stage_one(struct session *s, const struct lesson *lesson, bool tested,
	struct last_resolved_list *list, struct error *err)
{
	CLEANUP(contents_release) struct contents c = CONTENTS_INIT;
	CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
	const struct rr_cache *cache = session_rr_cache(s);
	CLEANUP(rerere_text_release) struct rerere_text conflict = RERERE_TEXT_INIT;
	bool usable;

	if (fetch_inputs(s, &lesson->inputs, &c, err) < 0 ||
		recorded_fetch(s, &lesson->output, &c.output, err) < 0 ||
		(!lesson->known && record_hunks(lesson, &c, &writes, err) < 0))
		return -1;
	if (!lesson->known && !is_contradicted(s, lesson) &&
		record_ways(cache, &c, view_of_buf(&c.output),
			cache->in_git ? &s->git_writes : &writes, err) < 0)
		return -1;
	for (size_t i = 0; i < writes.count; i++)
		if (transaction_put(s->tx, &writes.list[i].path,
			    view_of_buf(&writes.list[i].content), 0644, err) < 0)
			return -1;
	/* Custom patches are private to this project; a new core is shared by all. */
	if (!state_find(&s->state, lesson->skill) && strcmp(lesson->skill, CORE_UPDATE_NAME))
		return 0;
	if (conflict_in_way(&c, 0, &conflict, &usable, err) < 0)
		return -1;
	return last_resolved_add(s, list,
		&(struct last_resolved_conflict){
			.path = &lesson->path,
			.skill = lesson->skill,
			.version = lesson->version,
			.inputs = lesson->inputs,
			.content = view_of_buf(&c.output),
			.preimage = usable ? view_of_buf(&conflict.normalized) : view_of(""),
			.source = lesson->source,
			.tested = tested,
			.skills = &lesson->about,
		},
		err);
}

int lesson_stage(struct session *s, bool tested, struct error *err)
{
	CLEANUP(last_resolved_list_release)
	struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;

	if (!s->lesson_count)
		return 0;
	for (size_t i = 0; i < s->lesson_count; i++)
		if (lesson_stage_one(s, &s->lessons[i], tested, &list, err) < 0)
			return error_prefix(err, "cannot record the resolution");
	return list.count ? last_resolved_put(s, &list, err) : 0;
}

/* --- git's part ------------------------------------------------------------------- */

int lesson_stage_conflicts(struct session *s, struct error *err)
{
	const struct rr_cache *cache = session_rr_cache(s);
	const struct operation_result *r = s->result;

	for (size_t i = 0; i < r->conflict_count && cache->in_git; i++) {
		CLEANUP(contents_release) struct contents c = CONTENTS_INIT;

		if (!r->conflicts[i].has_inputs)
			continue;
		if (fetch_inputs(s, &r->conflicts[i].inputs, &c, err) < 0 ||
			record_ways(cache, &c, (struct view){0}, &s->git_writes, err) < 0)
			return -1;
	}
	return 0;
}

void lesson_publish(struct session *s)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (s->git_writes.count &&
		rr_cache_write(session_rr_cache(s), &s->git_writes, &err) < 0)
		session_warn(s, "git's rr-cache was not written: %s", err.message);
}

/*
 * Any bytes as meta.yaml of a recorded resolution: one without errors names skills,
 * has only paths that a skill may touch, and is the same when it is written and read.
 */
#include <assert.h>
#include <string.h>

#include "engine/resolution/resolution_meta.h"
#include "fuzz.h"

static void check_same(const struct resolution_meta *a, const struct resolution_meta *b)
{
	assert(resolution_skills_equal(&a->skills, &b->skills));
	assert(resolution_meta_failed(a) == resolution_meta_failed(b));
	assert(a->count == b->count);
	for (size_t i = 0; i < a->count; i++) {
		assert(!relpath_compare(&a->files[i].path, &b->files[i].path));
		assert(resolution_inputs_match(&a->files[i].inputs, &b->files[i].inputs));
		assert(hash_equal(&a->files[i].output, &b->files[i].output));
	}
}

static void check_written(const struct resolution_meta *meta)
{
	CLEANUP(resolution_meta_release) struct resolution_meta again = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	/* Expanded aliases may make the text too long. */
	if (resolution_meta_write(meta, &text, &err) < 0 || text.len > RESOLUTION_META_MAX)
		return;
	resolution_meta_parse(view_of_buf(&text), "again", NULL, &again, &faults);
	assert(!faults.errors);
	check_same(meta, &again);
}

static void check_accepted(const struct resolution_meta *meta)
{
	CLEANUP(freep) char *key = resolution_key(&meta->skills);

	assert(meta->skills.count);
	assert(strlen(key) <= RELPATH_COMPONENT_MAX && !strchr(key, '/'));
	assert(resolution_key_names(view_of(key), &meta->skills));
	for (size_t i = 0; i < meta->count; i++) {
		assert(!relpath_protected(&meta->files[i].path));
		assert(resolution_meta_find(meta, &meta->files[i].path) == &meta->files[i]);
	}
	check_written(meta);
}

FUZZ_TARGET(resolution_meta)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath only = {xstrdup("src/only.c")};

	resolution_meta_parse((struct view){(const char *)data, len}, "fuzz",
		len % 2 ? &only : NULL, &meta, &faults);
	assert(faults.count <= FAULTS_MAX);
	for (size_t i = 0; i < faults.count; i++)
		assert(*faults.list[i].text);
	if (!faults.errors)
		check_accepted(&meta);
	return 0;
}

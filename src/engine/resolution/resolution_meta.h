/*
 * meta.yaml of a recorded resolution: which skills, which inputs, which output.
 *
 *	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
 *
 *	resolution_meta_parse(text, "meta.yaml", only, &meta, &faults);
 *	if (faults_as_error(&faults, err) < 0)
 *		return -1;
 *
 * As we write it:
 *
 *	skills: [whatsapp@1.2.0, telegram@1.0.0]
 *	apply_order: [whatsapp, telegram]
 *	core_version: 0.6.0
 *	resolved_at: 2026-02-15T10:00:00.000Z
 *	tested: true
 *	test_passed: true
 *	resolution_source: maintainer
 *	file_hashes:
 *	  src/server.ts: {base: …, current: …, skill: …, output: …}
 *
 * and for a folder with a single file also, in the older form for one file:
 *
 *	input_hashes: {base: …, current_after_whatsapp: …, telegram_modified: …}
 *	output_hash: …
 *
 * Read are `file_hashes`; else `input_hashes` by path, with the output in it or in
 * `output_hashes`; else `input_hashes` for the only file there is. If both the form for one file
 * and `file_hashes` are there, they must agree. The older form allows other names for the
 * hashes: `base`; every name that begins with `current`; `skill` and every name that ends in
 * `_modified`; `output` or `output_hash`. A null `base` means that the file is in no core: both
 * sides added it.
 */
#ifndef ENGINE_RESOLUTION_RESOLUTION_META_H
#define ENGINE_RESOLUTION_RESOLUTION_META_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/hash.h"
#include "engine/package/faults.h"
#include "engine/resolution/resolution_key.h"
#include "format/yaml.h"
#include "fs/relpath.h"

#define RESOLUTION_META_MAX ((size_t)16 * 1024 * 1024)

/* The files that were merged. */
struct resolution_inputs {
	bool has_base; /* else both sides have added the file */
	struct hash base;
	struct hash current; /* the file in the tree */
	struct hash skill;   /* the file of the skill that was being applied */
};

/*
 * Are these the same three files? The two sides of a merge are equals, so they may
 * change places, as they do when two skills are applied in the other order.
 */
bool resolution_inputs_match(
	const struct resolution_inputs *a, const struct resolution_inputs *b);

struct resolution_file {
	struct relpath path;
	struct resolution_inputs inputs;
	struct hash output;
	struct yaml_place at;
};

struct resolution_meta {
	struct yaml_doc *doc;            /* the document it was read from, or NULL */
	struct resolution_skills skills; /* in the order in which they were applied */
	char *core_version;              /* these three may be NULL */
	char *resolved_at;
	char *source; /* "user", "claude" or "maintainer" */
	bool tested;
	bool test_passed;
	struct resolution_file *files; /* sorted by path */
	size_t count;
	size_t cap;
};

#define RESOLUTION_META_INIT ((struct resolution_meta){0})

/*
 * Everything that is wrong goes to `faults`, with its place; `*ret_meta` is always
 * valid to release, and complete only if there is no error among them. `only` is the
 * path of the only resolution in the folder, or NULL if there are several or none.
 */
void resolution_meta_parse(struct view text, const char *name, const struct relpath *only,
	struct resolution_meta *ret_meta, struct faults *faults);

const struct resolution_file *resolution_meta_find(
	const struct resolution_meta *meta, const struct relpath *path);

/* Add a file, or replace the one with its path. */
void resolution_meta_set(struct resolution_meta *meta, const struct relpath *path,
	const struct resolution_inputs *inputs, const struct hash *output);

/* Tests were run on it, and they failed: then it must not be used. */
bool resolution_meta_failed(const struct resolution_meta *meta);

bool resolution_is_source(const char *text);

/* The text of meta.yaml. Keys of `meta->doc` that are not ours are kept. */
int resolution_meta_write(
	const struct resolution_meta *meta, struct buf *out, struct error *err);

void resolution_meta_release(struct resolution_meta *meta);

#endif

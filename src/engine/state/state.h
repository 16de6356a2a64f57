/*
 * .nanoclaw/state.yaml: the applied skills, and the hashes of their files.
 *
 * The parsed tree is kept: unknown keys stay where they are. Entries of `applied_skills` are
 * read as plain strings, with `name:` or with `skill:`, and written with `name:`.
 */
#ifndef ENGINE_STATE_STATE_H
#define ENGINE_STATE_STATE_H

#include <stdbool.h>

#include "base/hash.h"
#include "engine/disk/project.h"
#include "engine/disk/transaction.h"
#include "engine/package/manifest.h"
#include "format/yaml_write.h"
#include "fs/relpath.h"

#define STATE_PATH ".nanoclaw/state.yaml"
/* The key of the layers that a rebase creates (layer.h). */
#define LAYER_BAKED_KEY "baked_modifications"
#define STATE_MAX_SIZE  ((size_t)256 * 1024 * 1024)

struct applied_skill {
	const char *name;
	const char *version; /* "" if the entry is a plain string */
	struct yaml_node *node;
};

struct state {
	struct yaml_doc *doc;
	const char *core_version;
	struct applied_skill *skills; /* in the order in which they were applied */
	size_t skill_count;
	size_t skill_cap;
};

#define STATE_INIT ((struct state){0})

/*
 * Read the state. `*ret_found` is false, and the state empty, if the project has
 * none yet. A state of a newer system is ERROR_INVALID; so is a base or a pack without
 * any state.
 */
int state_load(const struct project *project, struct state *ret_state, bool *ret_found,
	struct error *err);

/* The same from a text; `name` is for messages. */
int state_parse(struct view text, const char *name, struct state *ret_state, struct error *err);

/* The same from a node, as a pause keeps it. The node is copied. */
int state_from_node(const struct yaml_node *node, struct state *ret_state, struct error *err);

/* The state of a project that has just been initialized. */
void state_init(struct state *ret_state, const char *core_version);

const struct applied_skill *state_find(const struct state *state, const char *name);

/* When a rebase flattened it, or NULL: since then its changes cannot be separated from others. */
const char *state_flattened_at(const struct applied_skill *skill);

/* Note a rebase: of the state, and of each skill. When the last one was, or NULL. */
void state_set_rebased(struct state *state, const char *now);
const char *state_rebased_at(const struct state *state);

/* Does the skill have a test? */
bool state_has_test(const struct applied_skill *skill);

/* The mapping from all files of a skill to their hashes, or NULL. */
const struct yaml_node *state_files_of(const struct applied_skill *skill);

/* The skill whose `files_added` has the path, or NULL; the last one if several do. */
const struct applied_skill *state_adder_of(
	const struct state *state, const struct relpath *path);

/* The record of one file of a skill. */
struct file_record {
	bool added; /* else modified */
	const struct relpath *path;
	const struct hash *base;  /* the ancestor; NULL if there was none */
	struct hash skill;        /* the file in the package */
	struct layer_file merged; /* the result */
};

/*
 * Record a skill as applied: in the place of an earlier version of it, else as
 * the last one. `files` is a mapping that state_record_file() has filled. Unknown keys of an
 * earlier entry are kept.
 */
void state_record(
	struct state *state, const struct manifest *manifest, const struct yaml_node *files);

/* Record the skill's declarations, as in the manifest, and its test in an entry. */
void state_record_declared(struct yaml_node *entry, const struct manifest *manifest);

/* Append an entry, which is a mapping in the state's document. */
void state_append(struct state *state, struct yaml_node *entry);

/*
 * Where the package of a skill came from, in words, and the hash of its content (package_hash()).
 * NULL: forget it, as for a skill that was recorded without.
 */
void state_set_source(
	struct state *state, const char *skill, const char *source, const struct hash *content);
const char *state_source_of(const struct applied_skill *skill);
bool state_content_of(const struct applied_skill *skill, struct hash *ret_content);

/* The same of the core, when it is updated, and of a resolution that is imported. */
void state_set_core_source(struct state *state, const char *source, const struct hash *content);
void state_set_resolution_source(
	struct state *state, const char *key, const char *source, const struct hash *content);

/*
 * The origin of everything: the core, skills in their order, resolutions by name. Free the
 * list, but not its texts, which belong to the state. Without a recorded origin, `source` and
 * `sha256` are NULL.
 */
struct state_source {
	const char *kind; /* "core", "skill" or "resolution" */
	const char *name;
	const char *version; /* or NULL */
	const char *source;
	const char *sha256;
};
struct state_source *state_sources(const struct state *state, size_t *ret_count);

void state_record_file(
	struct state *state, struct yaml_node *files, const struct file_record *file);

/* Record a resolved file for the skill, and for the last layer above it that has the file. */
int state_record_resolved(struct state *state, const char *skill, const struct relpath *path,
	const struct layer_file *merged, struct error *err);

/* Copy from another state what belongs to files, and not to layers. */
void state_copy_file_facts(struct state *state, const struct state *from);

/* Copy everything from another state except the layers and data derived from them. */
void state_copy_rest(struct state *state, const struct state *from);

/* Set a key of a mapping in the state to the time now. */
void state_set_now(struct yaml_node *mapping, const char *key);

/* The text of state.yaml, with `last_updated` set to now. */
int state_write(struct state *state, struct buf *out, struct error *err);

void state_release(struct state *state);

#endif

/* For the files of this room only. */
#ifndef ENGINE_UPDATE_INTERNAL_H
#define ENGINE_UPDATE_INTERNAL_H

#include "engine/newcore/core_source.h"
#include "engine/operation/batch.h"
#include "engine/session/session.h"

/* A file that the core has changed, and what to record for it. */
struct placed_file {
	struct relpath path;    /* in the tree */
	struct relpath in_base; /* in the new base; empty if that does not have it */
	struct tx_file old;     /* of the old core; TX_ABSENT: it had none */
	struct tx_file new;     /* of the new one, as migrations make it */
	bool lower;             /* a migration has a part in it */
	bool recorded;          /* `file` is the result of the last layer */
	struct layer_file file;
};

/* A file of the new core as migrations change it, or one that they restore. */
struct lower_file {
	struct relpath path;
	struct tx_file file;
};

struct core_update {
	struct session *session;
	const struct core_source *source;
	struct update_result *result;
	struct batch migrations;    /* those at the bottom of the stack */
	struct yaml_node **records; /* the record of each */
	size_t record_count, record_cap;
	struct lower_file *lower; /* sorted by path */
	size_t lower_count, lower_cap;
	struct batch batch;         /* other migrations, then newer skills */
	struct string_array staged; /* folders of packages that come with it */
	struct placed_file *placed; /* files that layers have a part in */
	size_t placed_count, placed_cap;
	struct error *err;
};

/* core_update.c: for the result, everything in the tree that is changed. */
void core_update_note_tree(struct session *s);

/* core_update_packages.c: stage the packages of the new core. */
int core_update_stage_packages(struct core_update *u);

/* core_update_skills.c: add the skills to apply to `batch`. */
int core_update_find_skills(struct core_update *u);

/*
 * core_update_migrations.c: move migrations that fit at the bottom of the stack out of `batch`,
 * and merge them into the new core. Files must have their new names already.
 */
int core_update_lower_migrations(struct core_update *u);

/* A file as migrations change it; NULL if they have no part in it. */
struct tx_file *core_update_find_lower(const struct core_update *u, const struct relpath *path);

/* Insert them at the bottom of the stack, and add their names to `skills`. */
int core_update_insert_migrations(struct core_update *u, struct string_array *skills);

void core_update_release_lower(struct core_update *u);

/* core_update_notes.c: the migration is skipped. */
void core_update_forget_migration(struct session *s, const char *skill);

/*
 * Pause if there are conflicts; the packages of the batch from `next` on are applied after the
 * pause. A preview notes the conflicts and continues.
 */
int core_update_pause(struct session *s, const struct batch *batch, size_t next,
	const struct string_array *skills, bool *ret_paused, struct error *err);

/* Apply the skills. */
int core_update_stage_skills(struct session *s, struct batch *batch,
	struct string_array *skills, bool *ret_paused, struct error *err);

/* core_update_files.c: bring the files of the new core into the tree. */
int core_update_stage_files(struct core_update *u);

/* core_update_records.c: in the records, rename a file that the core has renamed. */
int core_update_rename(struct state *state, const struct relpath *from,
	const struct relpath *to, struct error *err);

/* Remove a deleted file from the records of all layers. */
int core_update_drop(struct state *state, const struct relpath *path, struct error *err);

/* Record the parts of layers in these files, on the new core. */
int core_update_record(
	struct session *s, struct placed_file *placed, size_t count, struct error *err);

/* Add the first patch that does not fit the new version of a file. */
int core_update_find_failing(struct session *s, const struct placed_file *placed,
	struct string_array *ret_patches, struct error *err);

/* core_update_notes.c: the notes of a paused update. */
void core_update_note(struct core_update *u);
void core_update_note_open(
	struct session *s, const struct placed_file *placed, bool decision, bool apart);
/* For the file that was noted last: the tree's file, and the same without unrecorded changes. */
void core_update_note_changes(
	struct session *s, const struct tx_file *tree, const struct tx_file *without);
void core_update_note_install(struct session *s);
void core_update_note_result(struct session *s);

/* Files that were open, with their resolutions. */
int core_update_read_open(struct session *s, struct placed_file **ret_placed, size_t *ret_count,
	struct error *err);
void placed_file_release(struct placed_file *placed);
void placed_files_release(struct placed_file *placed, size_t count);

#endif

/*
 * For the files of this room only.
 */
#ifndef ENGINE_UPDATE_INTERNAL_H
#define ENGINE_UPDATE_INTERNAL_H

#include "engine/operation/batch.h"
#include "engine/update/core_update.h"

/* A file that the core has changed, and what is to be recorded for it. */
struct placed_file {
	struct relpath path;    /* in the tree */
	struct relpath in_base; /* in the new base; empty if that does not have it */
	struct tx_file old;     /* of the old core; TX_ABSENT: it had none */
	struct tx_file new;     /* of the new one, as migrations make it */
	bool lower;             /* a migration has a part in it */
	bool recorded;          /* `file` says what the last layer is to have */
	struct layer_file file;
};

/* A file of the new core as migrations change it, or one that they bring back. */
struct lower_file {
	struct relpath path;
	struct tx_file file;
};

struct core_update {
	struct session *session;
	const struct core_source *source;
	struct update_result *result;
	struct batch migrations;    /* those that lie below everything else */
	struct yaml_node **records; /* what is recorded of the files of each */
	size_t record_count, record_cap;
	struct lower_file *lower;
	size_t lower_count, lower_cap;
	struct batch batch;         /* other migrations, then newer skills */
	struct string_array staged; /* folders of packages that come with it */
	struct placed_file *placed; /* what layers have to do with */
	size_t placed_count, placed_cap;
	struct error *err;
};

/* core_update.c: for the result, everything in the tree that is changed. */
void core_update_note_tree(struct session *s);

/* core_update_packages.c: stage the packages of the new core. */
int core_update_stage_packages(struct core_update *u);

/* core_update_skills.c: which skills are to be applied; they go to `batch`. */
int core_update_find_skills(struct core_update *u);

/*
 * core_update_migrations.c: take the migrations that lie below everything else out of `batch`,
 * and find what they make of the new core. To be called when files have their new names.
 */
int core_update_lower_migrations(struct core_update *u);

/* A file as the migrations make it; NULL if they have no part in it. */
const struct tx_file *core_update_find_lower(
	const struct core_update *u, const struct relpath *path);

/* Insert them at the bottom of the stack, and add their names to `skills`. */
int core_update_insert_migrations(struct core_update *u, struct string_array *skills);

void core_update_release_lower(struct core_update *u);

/* core_update_notes.c: it is left out. */
void core_update_forget_migration(struct session *s, const char *skill);

/*
 * Pause if there are conflicts; `next` is the first package of the batch that is still to
 * do. A preview notes that, and goes on.
 */
int core_update_pause(struct session *s, const struct batch *batch, size_t next,
	const struct string_array *skills, bool *ret_paused, struct error *err);

/* Apply the skills. */
int core_update_stage_skills(struct session *s, struct batch *batch,
	struct string_array *skills, bool *ret_paused, struct error *err);

/* core_update_files.c: bring the files of the new core into the tree. */
int core_update_stage_files(struct core_update *u);

/* core_update_names.c: a file of the core has another name now, also in the records. */
int core_update_rename(struct state *state, const struct relpath *from,
	const struct relpath *to, struct error *err);

/* It is gone, whatever the layers made of it. */
int core_update_drop(struct state *state, const struct relpath *path, struct error *err);

/* core_update_base.c: the new core becomes the base. */
int core_update_stage_base(struct core_update *u);

/* core_update_records.c: what layers made of the files that are placed, on the new core. */
int core_update_record(
	struct session *s, struct placed_file *placed, size_t count, struct error *err);

/* Which patches do not fit into the new version of a file by themselves. */
int core_update_find_failing(struct session *s, const struct placed_file *placed,
	struct string_array *ret_patches, struct error *err);

/* core_update_notes.c: what a pause has to know. */
void core_update_note(struct core_update *u);
void core_update_note_open(
	struct session *s, const struct placed_file *placed, bool decision, bool apart);
/* Of the one that was noted last: the tree's file, and the same without unrecorded changes. */
void core_update_note_changes(
	struct session *s, const struct tx_file *tree, const struct tx_file *without);
void core_update_note_install(struct session *s);
void core_update_note_result(struct session *s);

/* What was open, with what a person has made of it. */
int core_update_read_open(struct session *s, struct placed_file **ret_placed, size_t *ret_count,
	struct error *err);
void placed_file_release(struct placed_file *placed);
void placed_files_release(struct placed_file *placed, size_t count);

#endif

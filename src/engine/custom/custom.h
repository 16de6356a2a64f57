/*
 * Custom patches: recorded changes that a person made to the project.
 *
 *	.nanoclaw/custom/001-quieter-log.patch	a git patch, from what was recorded
 *						before to the person's version:
 *						no line of a skill is in it
 *	.nanoclaw/custom/001-quieter-log.md	a description for people
 *
 * Its entry in state.yaml is a layer (layer.h): under `custom_modifications`, or, if it is tied
 * to a skill, under that skill's `custom_patches`. `contents` has the hashes of each file
 * before and after; these contents are kept, so that the patch can later be merged into files
 * that have changed, without git.
 */
#ifndef ENGINE_CUSTOM_CUSTOM_H
#define ENGINE_CUSTOM_CUSTOM_H

#include "engine/patch/patch.h"
#include "engine/session/recorded.h"
#include "engine/session/session.h"

#define CUSTOM_FOLDER ".nanoclaw/custom"

/* One file: its recorded version and the person's version. */
struct custom_change {
	struct relpath path;
	struct tx_file before;
	struct tx_file after;
};

struct custom_changes {
	struct custom_change *list;
	size_t count;
	size_t cap;
};

#define CUSTOM_CHANGES_INIT ((struct custom_changes){0})

/*
 * A file of the tree as a patch can describe it: anything but a file or link counts as absent.
 */
int custom_read_tree(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

/* Add a file of the tree, if it is not as recorded. */
int custom_changes_add(struct session *s, const struct recorded *recorded,
	const struct relpath *path, struct custom_changes *changes, struct error *err);
void custom_changes_sort(struct custom_changes *changes);
void custom_changes_release(struct custom_changes *changes);

/* A file as one side of a change in a patch. */
struct patch_side custom_side(const struct tx_file *file);

/* Add the changes to a patch. */
int custom_make_patch(
	const struct custom_changes *changes, struct patch *patch, struct error *err);

/*
 * Record these changes: stage patch, note, contents and the entry in the state. With
 * `skill` the patch is tied to that applied skill; else it is NULL. `ret_name` is the
 * name of the patch, without its ending.
 */
int custom_record(struct session *s, const struct custom_changes *changes,
	const char *description, const char *skill, char **ret_name, struct error *err);

/* The same under a name that it had before. */
int custom_record_as(struct session *s, const struct custom_changes *changes,
	const char *description, const char *skill, const char *name, struct error *err);

/*
 * The whole name of a recorded patch, to be freed, that a person names: by that name, by its
 * number ("1", "001"), or by the rest of the name, as far as it is clear ("quieter").
 */
int custom_find(
	const struct state *state, const char *typed, char **ret_name, struct error *err);

/* Another description, and the name that follows from it. */
int custom_rename(struct session *s, const char *name, const char *description, char **ret_name,
	struct error *err);

/* A description is one line, and not empty. */
int custom_check_description(const char *description, struct error *err);

#endif

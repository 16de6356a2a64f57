/*
 * The recorded form of every file: the result of the last layer that touched it (layer.h), or
 * the file in the base.
 *
 *	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
 *
 *	if (recorded_collect(&state, &recorded, err) < 0)
 *		return -1;
 *	found = recorded_find(&recorded, path);	NULL: no layer; ask the base
 *
 * The content of such a file is in the base, in the pack of a skill (pack.h), or, if it was
 * merged, in .nanoclaw/objects: the code that records a file calls recorded_keep() to ensure
 * that.
 */
#ifndef ENGINE_SESSION_RECORDED_H
#define ENGINE_SESSION_RECORDED_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

struct recorded_file {
	char *path;
	struct layer_file file;
	size_t layer; /* index into `layers` */
};

struct recorded {
	struct layers layers;
	struct recorded_file *files; /* sorted by path, each path once */
	size_t count;
	size_t cap;
};

#define RECORDED_INIT ((struct recorded){0})

int recorded_collect(
	const struct state *state, struct recorded *ret_recorded, struct error *err);
const struct recorded_file *recorded_find(const struct recorded *recorded, struct view path);
void recorded_release(struct recorded *recorded);

/*
 * The file as it is supposed to be, with its content; of a symbolic link that is
 * where it leads. TX_ABSENT if there should be none. If the content is
 * lost it is ERROR_FAILED with errnum ENOENT.
 */
int recorded_read(struct session *s, const struct recorded *recorded,
	const struct relpath *path, struct tx_file *ret_file, struct error *err);

/*
 * The file as it was last supposed to be, before it was deleted: by a layer, or by a
 * person. TX_ABSENT if there never was one.
 */
int recorded_read_last(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

/* The same with all changes. If they cannot be combined it is ERROR_INVALID. */
int recorded_rebuild(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err);

/* The file as this one of the layers left it; TX_ABSENT if that does not have it. */
int recorded_read_layer(struct session *s, const struct layers *layers, size_t layer,
	const struct relpath *path, struct tx_file *ret_file, struct error *err);

/* Keep a content by its hash with the session's other changes, unless it is kept already. */
int recorded_keep(struct session *s, struct view content, struct error *err);
int recorded_keep_file(struct session *s, const struct tx_file *file, struct error *err);

/*
 * A file by its record: TX_ABSENT, or with a content that recorded_find_content() finds.
 */
int recorded_find_file(struct session *s, const struct relpath *path,
	const struct layer_file *file, struct tx_file *ret_file, struct error *err);

/*
 * Find a content: a kept one, one in the base under this path or an older name of it, or one in
 * the tree. ERROR_FAILED with errnum ENOENT if it is not found.
 */
int recorded_find_content(struct session *s, const struct relpath *path,
	const struct hash *hash, struct buf *ret_content, struct error *err);

/*
 * Read a kept content, even a staged one. ERROR_FAILED with errnum ENOENT if it is not found.
 */
int recorded_fetch(
	struct session *s, const struct hash *hash, struct buf *ret_content, struct error *err);

/* The same two for optional contents: `*ret_found` is false if it is not found. */
int recorded_try_find(struct session *s, const struct relpath *path, const struct hash *hash,
	struct buf *ret_content, bool *ret_found, struct error *err);
int recorded_try_fetch(struct session *s, const struct hash *hash, struct buf *ret_content,
	bool *ret_found, struct error *err);

/* The same in the files of a skill, as they were applied: a merge may not have changed them. */
int recorded_find_in_pack(struct session *s, const char *skill, const struct hash *hash,
	struct buf *ret_content, bool *ret_found, struct error *err);

#endif

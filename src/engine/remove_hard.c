/*
 * Files that cannot be made again from the beginning: the skill's changes are merged out
 * of them as they are.
 */
#include <string.h>

#include "engine/file_merge.h"
#include "engine/origin.h"
#include "engine/remove_parts.h"

struct undoing {
	struct session *session;
	struct replay *replay;
	const struct recorded *recorded;
	const struct relpath *path; /* now */
	struct relpath then;
	struct error *err;
};

/* The entry of the file in the old state, for one of the skills. */
static const struct yaml_entry *find_hashes(const struct undoing *u, const char *skill)
{
	const struct applied_skill *applied = state_find(&u->replay->old, skill);
	const struct yaml_node *hashes = yaml_get(applied->node, "hashes");
	CLEANUP(freep) char *key = layer_key(relpath_view(&u->then));

	return hashes ? yaml_find(hashes, view_of(key)) : NULL;
}

static int refuse(const struct undoing *u, const char *first)
{
	error_set(u->err, ERROR_FAILED,
		"'%s' cannot be made without these skills all at once; nothing was changed",
		u->path->text);
	return error_hint(u->err, "remove '%s' first, and then the others", first);
}

/* The one skill that changed the content; NULL if none did. */
static int find_skill(const struct undoing *u, const char **ret_skill)
{
	const struct string_array *names = &u->replay->left_out;

	*ret_skill = NULL;
	for (size_t i = 0; i < names->count; i++) {
		if (!find_hashes(u, names->list[i]))
			continue;
		if (*ret_skill)
			return refuse(u, names->list[names->count - 1]);
		*ret_skill = names->list[i];
	}
	return 0;
}

/* A content that the entry of the skill names by its hash. */
static int fetch(
	const struct undoing *u, const char *skill, const char *which, struct tx_file *ret_file)
{
	const struct yaml_node *hex = yaml_get(find_hashes(u, skill)->value, which);
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	struct hash hash, found;

	if (!hex)
		return 0;
	if (hash_from_hex(hex->text, &hash, u->err) < 0 ||
		origin_load_pack(u->session, skill, &pack, u->err) < 0)
		return -1;
	ret_file->kind = TX_FILE;
	ret_file->mode = 0644;
	for (size_t i = 0; i < pack.count; i++) {
		struct view content = pack_content(&pack, &pack.entries[i]);

		found = hash_of(content);
		if (!hash_equal(&found, &hash))
			continue;
		ret_file->mode = pack.entries[i].mode;
		buf_append(&ret_file->content, content.data, content.len);
		return 0;
	}
	return recorded_find_content(u->session, u->path, &hash, &ret_file->content, u->err);
}

/* What each layer made of it is as it was, but for its name. */
static int restore_layers(const struct undoing *u)
{
	CLEANUP(layers_release) struct layers old = LAYERS_INIT;
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	struct layer_file file, made;

	if (layers_read(&u->replay->old, &old, u->err) < 0 ||
		layers_read(&u->session->state, &now, u->err) < 0)
		return -1;
	for (size_t i = 0, j = 0; i < old.count && j < now.count; i++) {
		if (replay_leaves_out(u->replay, &old.list[i]))
			continue;
		if (layer_get(&old.list[i], relpath_view(&u->then), &file) &&
			layer_get(&now.list[j], relpath_view(u->path), &made))
			layer_set(now.list[j].node, relpath_view(u->path), &file);
		j++;
	}
	return 0;
}

static int merge_out(struct undoing *u, const char *skill, const struct tx_file *ours,
	struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file with = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	struct session *s = u->session;
	bool drift_left = s->drift_left;
	struct ancestor ancestor;
	CLEANUP(freep) char *label = xasprintf("with %s", skill);
	struct file_merge m = {
		.session = s,
		.skill = skill,
		.version = "",
		.path = u->path,
		.ours = ours,
		.ancestor = &ancestor,
	};
	int failed;

	if (fetch(u, skill, "skill", &with) < 0 || fetch(u, skill, "base", &without) < 0)
		return -1;
	ancestor = (struct ancestor){.file = with, .label = label};
	m.theirs = view_of_buf(&without.content);
	m.theirs_mode = without.mode;
	s->drift_left = false;
	failed = file_merge(&m, ret_merged, u->err);
	s->drift_left = drift_left;
	return failed;
}

static int stage(struct undoing *u)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	struct transaction *tx = u->session->tx;
	struct layer_file merged;
	const char *skill;

	if (find_skill(u, &skill) < 0 || restore_layers(u) < 0 ||
		transaction_read(tx, &u->then, &ours, u->err) < 0)
		return -1;
	if (ours.kind != TX_FILE)
		return error_set(u->err, ERROR_FAILED,
			"'%s' is no file, and the changes of '%s' cannot be taken out of it",
			u->then.text, u->replay->left_out.list[0]);
	if (relpath_compare(&u->then, u->path) != 0)
		session_note_rename(u->session, &u->then, u->path, u->replay->left_out.list[0]);
	if (relpath_compare(&u->then, u->path) != 0 &&
		(transaction_remove(tx, &u->then, u->err) < 0 ||
			transaction_put(tx, u->path, view_of_buf(&ours.content), ours.mode,
				u->err) < 0))
		return -1;
	merged = layer_file_of(&ours);
	if (skill && merge_out(u, skill, &ours, &merged) < 0)
		return -1;
	return layers_note(&u->session->state, "", relpath_view(u->path), &merged, u->err);
}

int remove_stage_hard(struct session *s, struct replay *replay, const struct recorded *recorded,
	struct error *err)
{
	for (size_t i = 0; i < replay->hard.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct undoing u = {s, replay, recorded, &path, RELPATH_INIT, err};
		int failed;

		if (relpath_parse(view_of(replay->hard.list[i]), &path, err) < 0)
			return -1;
		u.then = replay_name_then(replay, &path);
		failed = stage(&u);
		relpath_release(&u.then);
		if (failed)
			return -1;
	}
	return 0;
}

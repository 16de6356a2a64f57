#include "engine/origin.h"

#include "engine/merge.h"

int origin_load_pack(
	struct session *s, const char *skill, struct pack *ret_pack, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath where = RELPATH_INIT;

	if (pack_path(skill, &where, err) < 0 ||
		transaction_read(s->tx, &where, &text, err) < 0)
		return -1;
	if (text.kind != TX_FILE)
		return 0;
	if (pack_parse(view_of_buf(&text.content), ret_pack, err) < 0)
		return error_prefix(err, "'%s'", where.text);
	return 0;
}

int origin_read(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	const struct applied_skill *adder;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;
	struct view content;

	if (session_read_base(s, path, ret_file, err) < 0)
		return -1;
	adder = state_adder_of(&s->state, path);
	if (ret_file->kind != TX_ABSENT || !adder)
		return 0;
	if (origin_load_pack(s, adder->name, &pack, err) < 0)
		return -1;
	entry = pack_find(&pack, PACK_ADD, path);
	if (!entry)
		return 0;
	content = pack_content(&pack, entry);
	buf_append(&ret_file->content, content.data, content.len);
	ret_file->kind = TX_FILE;
	ret_file->mode = entry->mode;
	return 0;
}

/* Put the changes that one skill made to the origin into the file. */
static int add_changes(const struct relpath *path, const struct tx_file *origin,
	struct view changed, const char *skill, struct tx_file *file, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(&file->content), ""};
	struct merge_input base = {view_of_buf(&origin->content), ""};
	struct merge_input theirs = {changed, ""};
	bool binary = merge_is_binary(ours.content) || merge_is_binary(base.content) ||
		      merge_is_binary(changed);

	if (view_equal(ours.content, base.content)) {
		buf_append(&merged.content, changed.data, changed.len);
	} else if (!binary) {
		if (merge_contents(&ours, &base, &theirs, &options, &merged, err) < 0)
			return -1;
		binary = merged.conflicts > 0;
	}
	if (binary) {
		error_set(err, ERROR_INVALID,
			"'%s' was deleted, and its changes by skill '%s' and others cannot be "
			"put together again",
			path->text, skill);
		return error_hint(err, "bring the file back first");
	}
	buf_release(&file->content);
	file->content = merged.content;
	merged.content = BUF_INIT;
	return 0;
}

int origin_rebuild(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;

	if (origin_read(s, path, &origin, err) < 0)
		return -1;
	buf_append(&ret_file->content, origin.content.data, origin.content.len);
	ret_file->kind = origin.kind;
	ret_file->mode = origin.mode;
	for (size_t i = 0; origin.kind == TX_FILE && i < s->state.skill_count; i++) {
		const char *skill = s->state.skills[i].name;
		CLEANUP(pack_release) struct pack pack = PACK_INIT;
		const struct pack_entry *entry;

		if (origin_load_pack(s, skill, &pack, err) < 0)
			return -1;
		entry = pack_find(&pack, PACK_MODIFY, path);
		if (entry && add_changes(path, &origin, pack_content(&pack, entry), skill,
				     ret_file, err) < 0)
			return -1;
	}
	return 0;
}

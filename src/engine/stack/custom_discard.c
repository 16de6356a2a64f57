#include "engine/stack/custom_discard.h"

#include <string.h>

#include "base/string_array.h"
#include "engine/custom/custom.h"
#include "engine/stack/drop.h"
#include "engine/state/layer.h"
#include "time/timestamp.h"

#define DISCARDED_WORDS "Discarded "
#define TIED_WORDS      "It belongs to the skill `"

static int discard_one(
	struct session *s, const struct layer *patch, bool with_skill, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf(CUSTOM_FOLDER "/%s.md", patch->name);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file note = TX_FILE_INIT;
	char now[TIMESTAMP_SIZE];

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		transaction_read(s->tx, &path, &note, err) < 0)
		return -1;
	if (note.kind != TX_FILE && note.kind != TX_ABSENT)
		return 0;
	timestamp_format(timestamp_now(), now);
	if (note.content.len)
		buf_append_char(&note.content, '\n');
	buf_appendf(&note.content, DISCARDED_WORDS "%s", now);
	if (with_skill)
		buf_appendf(&note.content, ", with the skill `%s`", patch->skill);
	buf_append_str(&note.content, ".\n");
	return transaction_put(s->tx, &path, view_of_buf(&note.content), 0644, err);
}

int custom_discard(struct session *s, const struct stack_drop *drop, struct error *err)
{
	for (size_t i = 0; i < drop->layers.count; i++)
		if (drop->layers.list[i].kind == LAYER_PATCH && !drop->layers.list[i].baked &&
			stack_drop_has(drop, &drop->layers.list[i]) &&
			discard_one(s, &drop->layers.list[i], !drop->one_patch, err) < 0)
			return -1;
	return 0;
}

static bool has_skill(const struct state *state, struct view name)
{
	for (size_t i = 0; i < state->skill_count; i++)
		if (view_equal_str(name, state->skills[i].name))
			return true;
	return false;
}

bool custom_is_discarded(struct view note, const struct state *state)
{
	struct view rest = note, line, skill;

	while (view_next(&rest, '\n', &line)) {
		if (view_starts_with(line, DISCARDED_WORDS))
			return true;
		if (!state || !view_starts_with(line, TIED_WORDS))
			continue;
		line = view_slice(line, strlen(TIED_WORDS), line.len);
		if (view_next(&line, '`', &skill) && !has_skill(state, skill))
			return true;
	}
	return false;
}

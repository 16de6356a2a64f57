#include "engine/conflict/last_resolved.h"

#include <errno.h>
#include <string.h>

#include "engine/conflict/resolutions.h"
#include "engine/session/recorded.h"
#include "engine/state/layer.h"
#include "fs/beneath.h"

static void last_resolved_release(struct last_resolved *resolved)
{
	relpath_release(&resolved->path);
	resolution_skills_release(&resolved->skills);
	free(resolved->core_version);
	free(resolved->source);
}

void last_resolved_list_release(struct last_resolved_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		last_resolved_release(&list->list[i]);
	free(list->list);
}

/* --- adding -------------------------------------------------------------- */

int last_resolved_add(struct session *s, struct last_resolved_list *list,
	const struct last_resolved_conflict *conflict, struct error *err)
{
	struct last_resolved resolved = {
		.path = relpath_copy(conflict->path),
		.inputs = conflict->inputs,
		.output = hash_of(conflict->content),
		.has_preimage = conflict->preimage.len > 0,
		.preimage = hash_of(conflict->preimage),
		.core_version = xstrdup(s->state.core_version),
		.source = xstrdup(conflict->source),
		.tested = conflict->tested,
		.test_passed = conflict->tested,
	};

	for (size_t i = 0; conflict->skills && i < conflict->skills->count; i++)
		resolution_skills_add(&resolved.skills, conflict->skills->list[i].name,
			conflict->skills->list[i].version);
	if (!resolved.skills.count)
		resolutions_involved(&s->state, conflict->path, conflict->skill,
			conflict->version, &resolved.skills);
	GROW(list->list, list->count, list->cap);
	list->list[list->count++] = resolved;
	if (recorded_keep(s, conflict->content, err) < 0)
		return -1;
	return conflict->preimage.len ? recorded_keep(s, conflict->preimage, err) : 0;
}

/* --- writing ------------------------------------------------------------- */

static struct yaml_node *last_resolved_node(
	struct yaml_doc *doc, const struct last_resolved *resolved)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(&resolved->path));
	struct yaml_node *node = yaml_new_mapping(doc);
	struct yaml_node *skills = yaml_new_sequence(doc);

	for (size_t i = 0; i < resolved->skills.count; i++) {
		CLEANUP(freep) char *text = resolution_skill_text(&resolved->skills.list[i]);

		yaml_append(skills, yaml_new_string(doc, text));
	}
	yaml_set(node, "path", yaml_new_string(doc, key));
	yaml_set(node, "skills", skills);
	if (resolved->inputs.has_base)
		yaml_set_hash(node, "base", &resolved->inputs.base);
	else
		yaml_set(node, "base", yaml_new_null(doc));
	yaml_set_hash(node, "current", &resolved->inputs.current);
	yaml_set_hash(node, "skill", &resolved->inputs.skill);
	yaml_set_hash(node, "output", &resolved->output);
	if (resolved->has_preimage)
		yaml_set_hash(node, "preimage", &resolved->preimage);
	yaml_set(node, "core_version", yaml_new_string(doc, resolved->core_version));
	yaml_set(node, "source", yaml_new_string(doc, resolved->source));
	yaml_set(node, "tested", yaml_new_bool(doc, resolved->tested));
	yaml_set(node, "test_passed", yaml_new_bool(doc, resolved->test_passed));
	return node;
}

int last_resolved_put(
	struct session *s, const struct last_resolved_list *list, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new(LAST_RESOLVED_PATH);
	CLEANUP(relpath_release) struct relpath path = relpath_of(LAST_RESOLVED_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_node *nodes = yaml_new_sequence(doc);

	for (size_t i = 0; i < list->count; i++)
		yaml_append(nodes, last_resolved_node(doc, &list->list[i]));
	doc->root = yaml_new_mapping(doc);
	yaml_set(doc->root, "settled", nodes);
	if (yaml_write(doc->root, &text, err) < 0)
		return -1;
	return transaction_put(s->tx, &path, view_of_buf(&text), 0644, err);
}

/* --- reading ------------------------------------------------------------- */

static int need_member(const struct yaml_node *mapping, const char *key,
	const struct yaml_node **ret_node, struct error *err)
{
	*ret_node = yaml_get(mapping, key);
	return *ret_node ? 0 : yaml_error(mapping, err, "'%s' is missing", key);
}

static int read_member_text(
	const struct yaml_node *mapping, const char *key, char **ret_text, struct error *err)
{
	const struct yaml_node *node;
	const char *text;

	if (need_member(mapping, key, &node, err) < 0 || yaml_string(node, key, &text, err) < 0)
		return -1;
	*ret_text = xstrdup(text);
	return 0;
}

static int read_member_flag(
	const struct yaml_node *mapping, const char *key, bool *ret_flag, struct error *err)
{
	const struct yaml_node *node;

	return need_member(mapping, key, &node, err) < 0 ? -1
							 : yaml_bool(node, key, ret_flag, err);
}

/* With `ret_present` it may be null or missing. */
static int read_member_hash(const struct yaml_node *mapping, const char *key, bool *ret_present,
	struct hash *ret_hash, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	const struct yaml_node *node = yaml_get(mapping, key);

	if (ret_present)
		*ret_present = node && !yaml_is_null(node);
	if (ret_present && !*ret_present)
		return 0;
	if (!node || node->kind != YAML_SCALAR ||
		hash_from_hex(node->text, ret_hash, &local) < 0)
		return yaml_error(node ? node : mapping, err, "'%s' is not a hash", key);
	return 0;
}

static int read_last_resolved(
	const struct yaml_node *node, struct last_resolved *resolved, struct error *err)
{
	CLEANUP(freep) char *key = NULL;
	CLEANUP(freep) char *path = NULL;
	const struct yaml_node *skills;
	const char **texts;
	size_t count;

	if (yaml_expect(node, YAML_MAPPING, "a resolved conflict", err) < 0 ||
		read_member_text(node, "path", &key, err) < 0)
		return -1;
	path = layer_path(view_of(key));
	if (relpath_parse(view_of(path), &resolved->path, err) < 0 ||
		need_member(node, "skills", &skills, err) < 0 ||
		yaml_strings(skills, "'skills'", &texts, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (resolution_skills_parse(&resolved->skills, view_of(texts[i]), err) < 0)
			return -1;
	if (read_member_hash(node, "base", &resolved->inputs.has_base, &resolved->inputs.base,
		    err) < 0 ||
		read_member_hash(node, "current", NULL, &resolved->inputs.current, err) < 0 ||
		read_member_hash(node, "skill", NULL, &resolved->inputs.skill, err) < 0 ||
		read_member_hash(node, "output", NULL, &resolved->output, err) < 0 ||
		read_member_hash(node, "preimage", &resolved->has_preimage, &resolved->preimage,
			err) < 0)
		return -1;
	if (read_member_text(node, "core_version", &resolved->core_version, err) < 0 ||
		read_member_text(node, "source", &resolved->source, err) < 0 ||
		read_member_flag(node, "tested", &resolved->tested, err) < 0)
		return -1;
	return read_member_flag(node, "test_passed", &resolved->test_passed, err);
}

int last_resolved_load(
	const struct project *project, struct last_resolved_list *ret_list, struct error *err)
{
	struct yaml_limits limits = {.size = STATE_MAX_SIZE, .nodes = STATE_MAX_SIZE};
	CLEANUP(last_resolved_list_release)
	struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(relpath_release) struct relpath path = relpath_of(LAST_RESOLVED_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct yaml_node *nodes;

	if (beneath_read(project->root, &path, STATE_MAX_SIZE, &text, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	if (yaml_parse_limited(view_of_buf(&text), LAST_RESOLVED_PATH, &limits, &doc, err) < 0)
		return -1;
	if (yaml_expect(doc->root, YAML_MAPPING, "'" LAST_RESOLVED_PATH "'", err) < 0 ||
		need_member(doc->root, "settled", &nodes, err) < 0 ||
		yaml_expect(nodes, YAML_SEQUENCE, "'settled'", err) < 0)
		return -1;
	for (size_t i = 0; i < nodes->count; i++) {
		struct last_resolved resolved = {0};

		if (read_last_resolved(nodes->items[i], &resolved, err) < 0) {
			last_resolved_release(&resolved);
			return -1;
		}
		GROW(list.list, list.count, list.cap);
		list.list[list.count++] = resolved;
	}
	*ret_list = list;
	list = LAST_RESOLVED_LIST_INIT;
	return 0;
}

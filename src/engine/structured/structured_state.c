#include "engine/structured/structured_state.h"

#include <stdlib.h>
#include <string.h>

/* --- contributions -------------------------------------------------------------- */

static int by_skill(const void *a, const void *b)
{
	const struct contribution *x = a, *y = b;

	return strcmp(x->skill, y->skill);
}

void contributions_add(struct contributions *contributions, const char *skill,
	const struct yaml_node *declared)
{
	struct contributions *c = contributions;

	GROW(c->list, c->count, c->cap);
	c->list[c->count++] = (struct contribution){skill, declared};
	qsort(c->list, c->count, sizeof(*c->list), by_skill);
}

void contributions_collect(const struct state *state, size_t skill_count,
	const struct structured_format *format, struct contributions *ret_contributions)
{
	for (size_t i = 0; i < skill_count; i++) {
		const struct applied_skill *skill = &state->skills[i];
		const struct yaml_node *declared =
			yaml_get(yaml_get(skill->node, "structured_outcomes"), format->member);

		if (declared && (declared->kind == YAML_SCALAR ? !yaml_is_null(declared)
							       : declared->count > 0))
			contributions_add(ret_contributions, skill->name, declared);
	}
}

bool contributions_have(const struct contributions *c, const char *skill)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].skill, skill))
			return true;
	return false;
}

void contributions_release(struct contributions *contributions)
{
	free(contributions->list);
}

/* --- entries --------------------------------------------------------------------- */

struct yaml_node *structured_files(const struct state *state)
{
	struct yaml_node *files = yaml_get(state->doc->root, "structured_files");

	return files && files->kind == YAML_MAPPING ? files : NULL;
}

struct yaml_node *structured_entry(const struct state *state,
	const struct structured_format *format, const char **ret_path)
{
	const struct yaml_node *files = structured_files(state);

	for (size_t i = 0; files && i < files->count; i++) {
		const struct yaml_node *of = yaml_get(files->entries[i].value, "format");

		if (of && of->kind == YAML_SCALAR && view_equal_str(of->text, format->member)) {
			*ret_path = files->entries[i].key.data;
			return files->entries[i].value;
		}
	}
	return NULL;
}

struct yaml_node *structured_entry_make(
	struct state *state, const struct structured_format *format, const char *path)
{
	struct yaml_node *entry = yaml_new_mapping(state->doc);

	structured_entry_remove(state, format);
	yaml_set(yaml_need(state->doc->root, "structured_files", YAML_MAPPING), path, entry);
	yaml_set_string(entry, "format", format->member);
	return entry;
}

void structured_entry_remove(struct state *state, const struct structured_format *format)
{
	struct yaml_node *files = structured_files(state);
	const char *path;

	if (!structured_entry(state, format, &path))
		return;
	yaml_remove(files, path);
	if (!files->count)
		yaml_remove(state->doc->root, "structured_files");
}

static void hash_of_declared(const struct yaml_node *declared, char hex[HASH_HEX_SIZE])
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash hash;

	/* It was read from YAML, so it can be written. */
	(void)yaml_write(declared, &text, &ignored);
	hash = hash_of(view_of_buf(&text));
	hash_to_hex(&hash, hex);
}

bool structured_entry_fits(
	const struct yaml_node *entry, const struct contributions *contributions)
{
	const struct yaml_node *skills = yaml_get(entry, "skills");

	if (!skills || skills->kind != YAML_MAPPING || skills->count != contributions->count)
		return false;
	for (size_t i = 0; i < contributions->count; i++) {
		const struct yaml_node *known = yaml_get(skills, contributions->list[i].skill);
		char hex[HASH_HEX_SIZE];

		hash_of_declared(contributions->list[i].declared, hex);
		if (!known || known->kind != YAML_SCALAR || !view_equal_str(known->text, hex))
			return false;
	}
	return true;
}

void structured_entry_set_skills(
	struct yaml_node *entry, const struct contributions *contributions)
{
	struct yaml_node *skills = yaml_new_mapping(entry->doc);

	for (size_t i = 0; i < contributions->count; i++) {
		char hex[HASH_HEX_SIZE];

		hash_of_declared(contributions->list[i].declared, hex);
		yaml_set_string(skills, contributions->list[i].skill, hex);
	}
	yaml_set(entry, "skills", skills);
}

bool structured_is_unfolded(const struct yaml_node *entry)
{
	return yaml_get(entry, "unfolded") != NULL;
}

bool structured_get_hash(const struct yaml_node *entry, const char *key, struct hash *ret_hash)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct yaml_node *node = yaml_get(entry, key);

	return node && node->kind == YAML_SCALAR &&
	       hash_from_hex(node->text, ret_hash, &ignored) == 0;
}

void structured_set_hash(struct yaml_node *entry, const char *key, struct view content)
{
	struct hash hash = hash_of(content);
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&hash, hex);
	yaml_set_string(entry, key, hex);
}

/* --- clashes and decisions ---------------------------------------------------------- */

static struct yaml_node *claims_node(struct yaml_doc *doc, const struct clash *clash)
{
	struct yaml_node *claims = yaml_new_mapping(doc);

	for (size_t i = 0; i < clash->claim_count; i++)
		yaml_set_string(claims, clash->claims[i].who, clash->claims[i].what);
	return claims;
}

bool structured_has_clashes(const struct yaml_node *entry)
{
	return entry && yaml_get(entry, "clashes");
}

void structured_set_clashes(struct yaml_node *entry, const struct clash_list *clashes)
{
	struct yaml_node *mapping = yaml_new_mapping(entry->doc);

	for (size_t i = 0; i < clashes->count; i++)
		yaml_set(mapping, clashes->list[i].key,
			claims_node(entry->doc, &clashes->list[i]));
	yaml_set(entry, "clashes", mapping);
}

void structured_get_clashes(const struct yaml_node *entry, struct clash_list *ret_clashes)
{
	const struct yaml_node *mapping = yaml_get(entry, "clashes");

	for (size_t i = 0; mapping && mapping->kind == YAML_MAPPING && i < mapping->count;
		i++) {
		struct clash *clash = clash_list_add(ret_clashes, mapping->entries[i].key.data);
		const struct yaml_node *claims = mapping->entries[i].value;

		for (size_t j = 0; claims->kind == YAML_MAPPING && j < claims->count; j++)
			clash_add_claim(clash, claims->entries[j].key.data,
				claims->entries[j].value->text.data);
	}
}

const struct yaml_node *structured_decisions(
	const struct state *state, const struct structured_format *format)
{
	return yaml_get(yaml_get(state->doc->root, "structured_decisions"), format->member);
}

void structured_decide(struct state *state, const struct structured_format *format,
	const struct clash *clash, struct yaml_node *value)
{
	struct yaml_node *all =
		yaml_need(state->doc->root, "structured_decisions", YAML_MAPPING);
	struct yaml_node *decision = yaml_new_mapping(state->doc);

	yaml_set(decision, "claims", claims_node(state->doc, clash));
	yaml_set(decision, "value", value ? value : yaml_new_null(state->doc));
	yaml_set(yaml_need(all, format->member, YAML_MAPPING), clash->key, decision);
}

void structured_find_problems(const struct state *state, const char *path, struct view text,
	struct string_array *ret_problems)
{
	const struct structured_format *format = structured_format_of(path);
	CLEANUP(contributions_release) struct contributions contributions = {0};
	const struct yaml_node *entry;
	const char *name;

	if (!format || !format->find_problems)
		return;
	entry = structured_entry(state, format, &name);
	if (!entry || strcmp(name, path) != 0 || structured_is_unfolded(entry))
		return;
	contributions_collect(state, state->skill_count, format, &contributions);
	format->find_problems(
		path, text, contributions.list, contributions.count, ret_problems);
}

void structured_drop_decisions(struct state *state, const struct string_array *skills)
{
	struct yaml_node *formats = yaml_get(state->doc->root, "structured_decisions");

	for (size_t i = 0; formats && formats->kind == YAML_MAPPING && i < formats->count;) {
		struct yaml_node *all = formats->entries[i].value;

		for (size_t j = 0; all->kind == YAML_MAPPING && j < all->count;) {
			const struct yaml_node *claims =
				yaml_get(all->entries[j].value, "claims");
			bool concerned = false;

			for (size_t k = 0; k < skills->count; k++)
				concerned |= yaml_get(claims, skills->list[k]) != NULL;
			if (concerned)
				yaml_remove(all, all->entries[j].key.data);
			else
				j++;
		}
		if (all->kind == YAML_MAPPING && !all->count)
			yaml_remove(formats, formats->entries[i].key.data);
		else
			i++;
	}
	if (formats && !formats->count)
		yaml_remove(state->doc->root, "structured_decisions");
}

/* --- outcomes ------------------------------------------------------------------------ */

const struct yaml_node *structured_outcome(
	const struct state *state, const struct structured_format *format)
{
	return yaml_get(yaml_get(state->doc->root, "structured_outcomes"), format->member);
}

bool structured_set_outcome(
	struct state *state, const struct structured_format *format, struct yaml_node *outcome)
{
	struct yaml_node *root = state->doc->root;
	struct yaml_node *all = yaml_need(root, "structured_outcomes", YAML_MAPPING);
	const struct yaml_node *old = yaml_get(all, format->member);
	bool same;

	if (outcome && outcome->kind == YAML_MAPPING && old) {
		for (size_t i = 0; i < outcome->count; i++) {
			struct yaml_node *value = outcome->entries[i].value;
			struct yaml_node *installed = yaml_get(
				yaml_get(old, outcome->entries[i].key.data), "installed");

			if (value->kind == YAML_MAPPING && installed)
				yaml_set(
					value, "installed", yaml_copy(outcome->doc, installed));
		}
	}
	same = outcome && old ? yaml_equal(outcome, old) : !outcome && !old;
	if (outcome)
		yaml_set(all, format->member, outcome);
	else
		yaml_remove(all, format->member);
	if (!all->count)
		yaml_remove(root, "structured_outcomes");
	return !same;
}

#include <string.h>

#include "base/utf8.h"
#include "engine/structured/npm/npm.h"

static bool is_text(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && !yaml_is_null(node);
}

static void add_claim(struct npm_claims *claims, const char *skill, struct view name,
	const char *spec, const struct yaml_node *value, struct yaml_place at)
{
	GROW(claims->list, claims->count, claims->cap);
	claims->list[claims->count++] = (struct npm_claim){
		.name = xmemdupz(name.data, name.len),
		.skill = skill,
		.spec = spec,
		.value = value,
		.at = at,
	};
}

static void read_mapping(
	const struct yaml_node *mapping, const char *skill, struct npm_claims *claims)
{
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];

		add_claim(claims, skill, entry->key,
			is_text(entry->value) ? entry->value->text.data : NULL, entry->value,
			entry->key_at);
	}
}

static void read_declared(
	const struct yaml_node *declared, const char *skill, struct npm_claims *claims)
{
	if (declared->kind == YAML_MAPPING)
		read_mapping(declared, skill, claims);
	for (size_t i = 0; declared->kind == YAML_SEQUENCE && i < declared->count; i++) {
		const struct yaml_node *item = declared->items[i];
		struct view text = item->text;
		const char *at;

		if (item->kind == YAML_MAPPING)
			read_mapping(item, skill, claims);
		if (!is_text(item))
			continue;
		/* "name" or "name@range"; the @ of a scope is the first character. */
		at = text.len > 1 ? memchr(text.data + 1, '@', text.len - 1) : NULL;
		if (at)
			text.len = (size_t)(at - text.data);
		add_claim(claims, skill, text, at ? at + 1 : "*", item, item->at);
	}
}

static int compare_claims(const void *a, const void *b)
{
	const struct npm_claim *x = a;
	const struct npm_claim *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->skill, y->skill);
	if (!order)
		order = (x->at.line > y->at.line) - (x->at.line < y->at.line);
	return order ? order : (x->at.column > y->at.column) - (x->at.column < y->at.column);
}

static void sort_claims(struct npm_claims *claims)
{
	if (claims->count)
		qsort(claims->list, claims->count, sizeof(claims->list[0]), compare_claims);
}

void npm_claims_read(
	const struct contribution *contributions, size_t count, struct npm_claims *ret_claims)
{
	struct npm_claim *list;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		read_declared(contributions[i].declared, contributions[i].skill, ret_claims);
	sort_claims(ret_claims);
	list = ret_claims->list;
	for (size_t i = 0; i < ret_claims->count; i++) {
		/* A list may name one twice; the check refuses that. */
		bool repeated = kept && !strcmp(list[kept - 1].name, list[i].name) &&
				!strcmp(list[kept - 1].skill, list[i].skill);

		if (repeated || !list[i].spec)
			free(list[i].name);
		else
			list[kept++] = list[i];
	}
	ret_claims->count = kept;
}

bool npm_claims_next(const struct npm_claims *claims, struct npm_wish *wish)
{
	const struct npm_claim *end = claims->list + claims->count;
	const struct npm_claim *first =
		wish->claims ? wish->claims + wish->count : claims->list;

	if (first == end)
		return false;
	*wish = (struct npm_wish){.name = first->name, .claims = first};
	while (first < end && !strcmp(first->name, wish->name)) {
		wish->count++;
		first++;
	}
	return true;
}

bool npm_wish_combine(const struct npm_wish *wish, const char *own, struct buf *ret_text)
{
	CLEANUP(freep) const char **specs = xcalloc(wish->count + 1, sizeof(*specs));
	size_t count = 0;

	if (own)
		specs[count++] = own;
	for (size_t i = 0; i < wish->count; i++)
		specs[count++] = wish->claims[i].spec;
	return npm_specs_combine(specs, count, ret_text);
}

void npm_claims_release(struct npm_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		free(claims->list[i].name);
	free(claims->list);
	*claims = NPM_CLAIMS_INIT;
}

/* --- the check --------------------------------------------------------------------------- */

static void check_claim(const struct npm_claim *claim, struct faults *faults)
{
	const struct yaml_doc *doc = claim->value->doc;
	CLEANUP(freep) char *name = utf8_excerpt(view_of(claim->name));
	CLEANUP(freep) char *spec = utf8_excerpt(view_of(claim->spec ? claim->spec : ""));
	const char *why;
	enum npm_name_kind kind = npm_name_check(claim->name, &why);

	if (kind != NPM_NAME_GOOD)
		faults_add_at(faults, kind == NPM_NAME_WRONG ? FAULT_ERROR : FAULT_NOTE, doc,
			claim->at, "npm dependency '%s' has a name that %s", name, why);
	if (!claim->spec)
		faults_add_at(faults, FAULT_ERROR, doc, claim->value->at,
			"npm dependency '%s' must have a range, a string such as \"^1.2.0\"",
			name);
	else if (npm_spec_kind(view_of(claim->spec)) == NPM_SPEC_WRONG)
		faults_add_at(faults, FAULT_ERROR, doc, claim->value->at,
			"npm dependency '%s' has '%s', which is not a range, tag or address that npm accepts",
			name, spec);
}

void npm_check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(npm_claims_release) struct npm_claims claims = NPM_CLAIMS_INIT;

	if (is_text(declared))
		faults_add_at(faults, FAULT_ERROR, declared->doc, declared->at,
			"'npm_dependencies' must be a mapping of names and ranges");
	for (size_t i = 0; declared->kind == YAML_SEQUENCE && i < declared->count; i++) {
		const struct yaml_node *item = declared->items[i];

		if (item->kind != YAML_MAPPING && !is_text(item))
			faults_add_at(faults, FAULT_ERROR, item->doc, item->at,
				"item %zu of 'npm_dependencies' must be the name of a package",
				i + 1);
	}
	read_declared(declared, "", &claims);
	for (size_t i = 0; i < claims.count; i++)
		check_claim(&claims.list[i], faults);
	sort_claims(&claims);
	for (size_t i = 1; i < claims.count; i++) {
		const struct npm_claim *first = &claims.list[i - 1], *again = &claims.list[i];
		CLEANUP(freep) char *name = utf8_excerpt(view_of(again->name));

		if (!strcmp(first->name, again->name))
			faults_add_at(faults, FAULT_ERROR, again->value->doc, again->at,
				"npm dependency '%s' is declared twice (first on line %zu)",
				name, first->at.line);
	}
}

#include "engine/structured/npm/npm_declared.h"

#include <stdarg.h>
#include <string.h>

#include "engine/structured/npm/npm_name.h"
#include "engine/structured/npm/npm_spec.h"
#include "util/utf8.h"

/* One dependency as it is declared. */
struct entry {
	const struct yaml_doc *doc;
	struct yaml_place at;
	char *name;
	char *spec; /* NULL: not a string */
	const struct yaml_node *value;
};

struct entries {
	struct entry *list;
	size_t count;
	size_t cap;
};

static void entries_release(struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++) {
		free(entries->list[i].name);
		free(entries->list[i].spec);
	}
	free(entries->list);
	*entries = (struct entries){0};
}

static struct entry *add_entry(struct entries *entries)
{
	GROW(entries->list, entries->count, entries->cap);
	entries->list[entries->count] = (struct entry){0};
	return &entries->list[entries->count++];
}

static bool is_text(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && !yaml_is_null(node);
}

static void read_mapping(const struct yaml_node *mapping, struct entries *entries)
{
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *from = &mapping->entries[i];
		struct entry *entry = add_entry(entries);

		entry->doc = mapping->doc;
		entry->at = from->key_at;
		entry->name = xmemdupz(from->key.data, from->key.len);
		entry->value = from->value;
		if (is_text(from->value))
			entry->spec = xmemdupz(from->value->text.data, from->value->text.len);
	}
}

/* "name" or "name@range"; the @ of a scope is the first character. */
static void read_item(const struct yaml_node *item, struct entries *entries)
{
	struct view text = item->text;
	const char *at = text.len > 1 ? memchr(text.data + 1, '@', text.len - 1) : NULL;
	struct entry *entry = add_entry(entries);

	entry->doc = item->doc;
	entry->at = item->at;
	entry->value = item;
	if (at) {
		entry->name = xmemdupz(text.data, (size_t)(at - text.data));
		entry->spec = xmemdupz(at + 1, text.len - (size_t)(at + 1 - text.data));
	} else {
		entry->name = xmemdupz(text.data, text.len);
		entry->spec = xstrdup("*");
	}
}

static void read_entries(const struct yaml_node *declared, struct entries *entries)
{
	if (declared->kind == YAML_MAPPING)
		read_mapping(declared, entries);
	else if (declared->kind == YAML_SEQUENCE)
		for (size_t i = 0; i < declared->count; i++) {
			const struct yaml_node *item = declared->items[i];

			if (item->kind == YAML_MAPPING)
				read_mapping(item, entries);
			else if (is_text(item))
				read_item(item, entries);
		}
}

/* --- claims --------------------------------------------------------------------- */

static int compare_claims(const void *a, const void *b)
{
	const struct npm_claim *x = a;
	const struct npm_claim *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->skill, y->skill);
	return order ? order : strcmp(x->spec, y->spec);
}

static void claim_release(struct npm_claim *claim)
{
	free(claim->name);
	free(claim->skill);
	free(claim->spec);
}

/* A list may name one twice; the check refuses that. */
static void drop_repeated(struct npm_claims *claims)
{
	size_t kept = 0;

	for (size_t i = 0; i < claims->count; i++) {
		struct npm_claim *last = kept ? &claims->list[kept - 1] : NULL;
		struct npm_claim *claim = &claims->list[i];

		if (last && !strcmp(last->name, claim->name) &&
			!strcmp(last->skill, claim->skill))
			claim_release(claim);
		else
			claims->list[kept++] = *claim;
	}
	claims->count = kept;
}

void npm_claims_read(
	const struct contribution *contributions, size_t count, struct npm_claims *ret_claims)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(entries_release) struct entries entries = {0};

		read_entries(contributions[i].declared, &entries);
		for (size_t k = 0; k < entries.count; k++) {
			struct entry *entry = &entries.list[k];

			if (!entry->spec)
				continue;
			GROW(ret_claims->list, ret_claims->count, ret_claims->cap);
			ret_claims->list[ret_claims->count++] = (struct npm_claim){
				.name = TAKE(entry->name),
				.skill = xstrdup(contributions[i].skill),
				.spec = TAKE(entry->spec),
			};
		}
	}
	if (ret_claims->count)
		qsort(ret_claims->list, ret_claims->count, sizeof(ret_claims->list[0]),
			compare_claims);
	drop_repeated(ret_claims);
}

size_t npm_claims_end(const struct npm_claims *claims, size_t start)
{
	size_t end = start + 1;

	while (end < claims->count && !strcmp(claims->list[end].name, claims->list[start].name))
		end++;
	return end;
}

void npm_claims_release(struct npm_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		claim_release(&claims->list[i]);
	free(claims->list);
	*claims = NPM_CLAIMS_INIT;
}

/* --- the check ------------------------------------------------------------------ */

__attribute__((format(printf, 5, 6))) static void report(struct faults *faults,
	enum fault_severity severity, const struct entry *entry, struct yaml_place at,
	const char *format, ...)
{
	CLEANUP(freep)
	char *where = xasprintf("%s:%zu:%zu", entry->doc->name, at.line, at.column);
	CLEANUP(freep) char *name = utf8_excerpt(view_of(entry->name));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	faults_add(faults, severity, where, "npm dependency '%s' %s", name, text.data);
}

static void check_name(const struct entry *entry, struct faults *faults)
{
	const char *why;
	enum npm_name_kind kind = npm_name_check(entry->name, &why);

	if (kind != NPM_NAME_GOOD)
		report(faults, kind == NPM_NAME_WRONG ? FAULT_ERROR : FAULT_NOTE, entry,
			entry->at, "has a name that %s", why);
}

static void check_spec(const struct entry *entry, struct faults *faults)
{
	CLEANUP(freep) char *shown = NULL;

	if (!entry->spec) {
		report(faults, FAULT_ERROR, entry, entry->value->at,
			"must have a range, a string such as \"^1.2.0\"");
		return;
	}
	shown = utf8_excerpt(view_of(entry->spec));
	if (npm_spec_kind(view_of(entry->spec)) == NPM_SPEC_WRONG)
		report(faults, FAULT_ERROR, entry, entry->value->at,
			"has '%s', which is no range, tag or address that npm takes", shown);
}

static int compare_names(const void *a, const void *b)
{
	const struct entry *x = *(const struct entry *const *)a;
	const struct entry *y = *(const struct entry *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

static void check_repeated(const struct entries *entries, struct faults *faults)
{
	CLEANUP(freep)
	const struct entry **sorted = xcalloc(entries->count + 1, sizeof(*sorted));

	for (size_t i = 0; i < entries->count; i++)
		sorted[i] = &entries->list[i];
	qsort(sorted, entries->count, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < entries->count; i++)
		if (!strcmp(sorted[i - 1]->name, sorted[i]->name))
			report(faults, FAULT_ERROR, sorted[i], sorted[i]->at,
				"is declared twice (first on line %zu)",
				sorted[i - 1]->at.line);
}

static void check_items(const struct yaml_node *list, struct faults *faults)
{
	for (size_t i = 0; i < list->count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		const struct yaml_node *item = list->items[i];

		if (item->kind == YAML_MAPPING || is_text(item))
			continue;
		yaml_error(item, &err,
			"item %zu of 'npm_dependencies' must be the name of a package", i + 1);
		faults_add_error(faults, &err);
	}
}

void npm_declared_check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(entries_release) struct entries entries = {0};

	if (is_text(declared)) {
		yaml_error(declared, &err,
			"'npm_dependencies' must be a mapping of names and ranges");
		faults_add_error(faults, &err);
	}
	if (declared->kind == YAML_SEQUENCE)
		check_items(declared, faults);
	read_entries(declared, &entries);
	for (size_t i = 0; i < entries.count; i++) {
		check_name(&entries.list[i], faults);
		check_spec(&entries.list[i], faults);
	}
	check_repeated(&entries, faults);
}

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "fs/relpath.h"
#include "userskill/text/items.h"
#include "userskill/text/sections.h"

/* "Optional: ...", or "(optional)" anywhere in it. */
static bool is_optional(const char *text)
{
	struct view rest;

	return item_labelled(text, "optional", &rest) || strcasestr(text, "(optional)") ||
	       strcasestr(text, "(optional:") || strcasestr(text, "(optional,");
}

/* The first word, or the first `code`, without the marks around it. */
static struct view first_word(struct view text)
{
	size_t len = 0;

	while (text.len && strchr("*_", text.data[0]) && text.data[0])
		text = view_slice(text, 1, text.len);
	if (text.len && text.data[0] == '`') {
		const char *close = memchr(text.data + 1, '`', text.len - 1);

		if (close)
			return view_slice(text, 1, (size_t)(close - text.data));
	}
	while (len < text.len && !isspace((unsigned char)text.data[len]) &&
		!strchr(":,;(*", text.data[len]))
		len++;
	return view_slice(text, 0, len);
}

/* --- Context Required -------------------------------------------------------- */

static void check_file(const struct item *item, struct view path, struct skill_faults *faults)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (relpath_parse(path, &parsed, &err) == 0)
		return;
	skill_faults_add(faults, item->line, SKILL_ERROR, "the file: %s", err.message);
	skill_faults_hint(
		faults, "name a path below the folder of the group: 'File: notes.md'");
}

static struct skill_context context_of(const struct item *item, struct skill_faults *faults)
{
	static const struct {
		const char *label;
		enum skill_context_kind kind;
	} labels[] = {
		{"connector", CONTEXT_CONNECTOR},
		{"file", CONTEXT_FILE},
		{"input", CONTEXT_INPUT},
		{"mcp connector", CONTEXT_CONNECTOR},
		{"user input", CONTEXT_INPUT},
	};
	struct skill_context context = {
		.text = xstrdup(item->text),
		.optional = is_optional(item->text),
		.line = item->line,
	};
	const char *text = item->text;
	struct view value = {"", 0};
	struct view rest;

	if (item_labelled(text, "optional", &rest))
		text = rest.data;
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (item_labelled(text, labels[i].label, &rest)) {
			context.kind = labels[i].kind;
			break;
		}
	if (context.kind == CONTEXT_FILE || context.kind == CONTEXT_CONNECTOR)
		value = first_word(rest);
	if (context.kind == CONTEXT_FILE)
		check_file(item, value, faults);
	context.value = xmemdupz(value.data, value.len);
	return context;
}

static void read_context(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_CONTEXT);
	CLEANUP(items_release) struct items items = {0};

	if (!section)
		return;
	items_read(section, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];

		if (item->kind == ITEM_CODE || items_is_head(&items, i) ||
			item_is_none(item->text))
			continue;
		GROW(skill->contexts, skill->context_count, skill->context_cap);
		skill->contexts[skill->context_count++] = context_of(item, faults);
	}
}

/* --- MCP Connectors Required ------------------------------------------------- */

static void read_connectors(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_CONNECTORS);
	CLEANUP(items_release) struct items items = {0};

	if (!section)
		return;
	items_read(section, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];
		struct view text = view_of(item->text);
		struct view name;

		if (item->kind != ITEM_LISTED || items_is_head(&items, i) ||
			item_is_none(item->text))
			continue;
		item_labelled(item->text, "optional", &text);
		name = first_word(text);
		if (!name.len) {
			skill_faults_add(
				faults, item->line, SKILL_ERROR, "a connector without a name");
			continue;
		}
		GROW(skill->connectors, skill->connector_count, skill->connector_cap);
		skill->connectors[skill->connector_count++] =
			(struct skill_connector){xmemdupz(name.data, name.len),
				xstrdup(item->text), is_optional(item->text), item->line};
	}
}

/* --- Dependencies ------------------------------------------------------------ */

/* An ID that is the whole item or precedes a colon, or one that begins with "skill_". */
static char *find_id(const char *text)
{
	size_t start = strspn(text, "`");
	size_t word = strcspn(text + start, ":` ");
	const char *behind = text + start + word + strspn(text + start + word, "` ");
	CLEANUP(freep) char *whole = xmemdupz(text + start, word);

	if ((!*behind || *behind == ':') && skill_id_valid(whole))
		return TAKE(whole);
	for (const char *p = strstr(text, "skill_"); p; p = strstr(p + 1, "skill_")) {
		size_t len = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
		char *id = xmemdupz(p, len);

		if (skill_id_valid(id))
			return id;
		free(id);
	}
	return NULL;
}

static void read_dependencies(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_DEPENDENCIES);
	CLEANUP(items_release) struct items items = {0};

	if (!section)
		return;
	items_read(section, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];
		char *id;

		if (item->kind == ITEM_CODE || items_is_head(&items, i) ||
			item_is_none(item->text))
			continue;
		id = find_id(item->text);
		if (id && skill->id && !strcmp(id, skill->id))
			skill_faults_add(
				faults, item->line, SKILL_ERROR, "the skill depends on itself");
		GROW(skill->dependencies, skill->dependency_count, skill->dependency_cap);
		skill->dependencies[skill->dependency_count++] =
			(struct skill_dependency){id, xstrdup(item->text), item->line};
	}
}

void parse_needs(struct user_skill *skill, struct skill_faults *faults)
{
	read_context(skill, faults);
	read_connectors(skill, faults);
	read_dependencies(skill, faults);
}

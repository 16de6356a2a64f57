#include "userskill/text/sections.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "fs/relpath.h"
#include "userskill/text/items.h"
#include "userskill/text/markdown.h"

#define LEAST_STEPS 3
#define LONG_STEP   600
#define MOST_EVERY  1000

/* Code, headings and "none" say nothing about what a skill needs. */
static bool is_need(const struct items *items, size_t at)
{
	return items->list[at].kind != ITEM_CODE && !items_is_head(items, at) &&
	       !item_is_none(items->list[at].text);
}

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

static void check_path(const struct item *item, struct view path, struct skill_faults *faults)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (relpath_parse(path, &parsed, &err) == 0)
		return;
	skill_faults_add(faults, item->line, SKILL_ERROR, "the file: %s", err.message);
	skill_faults_hint(
		faults, "name a path below the folder of the group: 'File: notes.md'");
}

static void add_context(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
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
		.text = item->text,
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
		check_path(item, value, faults);
	context.value = arena_copy(&skill->memory, value.data, value.len);
	ARENA_GROW(&skill->memory, skill->contexts, skill->context_count, skill->context_cap);
	skill->contexts[skill->context_count++] = context;
}

void parse_context(struct user_skill *skill, struct skill_faults *faults)
{
	struct items items = {0};

	items_read(skill, SECTION_CONTEXT, &items);
	for (size_t i = 0; i < items.count; i++)
		if (is_need(&items, i))
			add_context(skill, &items.list[i], faults);
}

/* --- MCP Connectors Required ------------------------------------------------- */

void parse_connectors(struct user_skill *skill, struct skill_faults *faults)
{
	struct items items = {0};

	items_read(skill, SECTION_CONNECTORS, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];
		struct view text = view_of(item->text);
		struct view name;

		if (item->kind != ITEM_LISTED || !is_need(&items, i))
			continue;
		item_labelled(item->text, "optional", &text);
		name = first_word(text);
		if (!name.len) {
			skill_faults_add(
				faults, item->line, SKILL_ERROR, "a connector without a name");
			continue;
		}
		ARENA_GROW(&skill->memory, skill->connectors, skill->connector_count,
			skill->connector_cap);
		skill->connectors[skill->connector_count++] = (struct skill_connector){
			arena_copy(&skill->memory, name.data, name.len), item->text,
			is_optional(item->text), item->line};
	}
}

/* --- Dependencies ------------------------------------------------------------ */

/* An ID that is the whole item or precedes a colon, or one that begins with "skill_". */
static char *find_id(struct arena *memory, const char *text)
{
	size_t start = strspn(text, "`");
	size_t word = strcspn(text + start, ":` ");
	const char *behind = text + start + word + strspn(text + start + word, "` ");
	char *id = arena_copy(memory, text + start, word);

	if ((!*behind || *behind == ':') && skill_id_valid(id))
		return id;
	for (const char *p = strstr(text, "skill_"); p; p = strstr(p + 1, "skill_")) {
		id = arena_copy(memory, p, strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_"));
		if (skill_id_valid(id))
			return id;
	}
	return NULL;
}

void parse_dependencies(struct user_skill *skill, struct skill_faults *faults)
{
	struct items items = {0};

	items_read(skill, SECTION_DEPENDENCIES, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];
		char *id;

		if (!is_need(&items, i))
			continue;
		id = find_id(&skill->memory, item->text);
		if (id && skill->id && !strcmp(id, skill->id))
			skill_faults_add(
				faults, item->line, SKILL_ERROR, "the skill depends on itself");
		ARENA_GROW(&skill->memory, skill->dependencies, skill->dependency_count,
			skill->dependency_cap);
		skill->dependencies[skill->dependency_count++] =
			(struct skill_dependency){id, item->text, item->line};
	}
}

/* --- Instructions and Quality Criteria --------------------------------------- */

static void read_steps(
	struct user_skill *skill, const struct items *items, struct skill_faults *faults)
{
	size_t outermost = SIZE_MAX; /* an indented list within a step has no steps */
	bool reported = false;
	long last = 0;

	for (size_t i = 0; i < items->count; i++)
		if (items->list[i].number >= 0 && items->list[i].indent < outermost)
			outermost = items->list[i].indent;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *item = &items->list[i];
		size_t len = strlen(item->text);

		if (item->number < 0 || item->indent > outermost + 1 || !len)
			continue;
		/* All may be called 1, as Markdown counts itself. */
		if (!reported && last && item->number != last + 1 && item->number != 1) {
			skill_faults_add(faults, item->line, SKILL_WARNING,
				"step %ld comes after step %ld", item->number, last);
			reported = true;
		}
		last = item->number;
		if (len > LONG_STEP) {
			skill_faults_add(faults, item->line, SKILL_WARNING,
				"this step has %zu characters, and is hard to follow", len);
			skill_faults_hint(faults, "split it into several steps");
		}
		skill_items_add(skill, &skill->steps, item->text, item->line);
	}
}

void parse_steps(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_INSTRUCTIONS);
	struct items items = {0};

	if (!section || !*section->body)
		return;
	items_read(skill, SECTION_INSTRUCTIONS, &items);
	read_steps(skill, &items, faults);
	if (skill->steps.count < LEAST_STEPS) {
		skill_faults_add(faults, section->line, SKILL_ERROR,
			"the instructions have %zu numbered step%s, and need at least %d",
			skill->steps.count, skill->steps.count == 1 ? "" : "s", LEAST_STEPS);
		skill_faults_hint(faults, "number them: '1. ...'");
	}
}

void parse_criteria(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_CRITERIA);
	const struct skill_section *before = user_skill_section(skill, SECTION_INSTRUCTIONS);
	struct items items = {0};

	items_read(skill, SECTION_CRITERIA, &items);
	for (size_t i = 0; i < items.count; i++)
		if (items.list[i].kind != ITEM_CODE && *items.list[i].text &&
			!items_is_head(&items, i))
			skill_items_add(skill, &skill->criteria, items.list[i].text,
				items.list[i].line);
	if (!skill->criteria.count && before) {
		skill_faults_add(faults, section ? section->line : before->line, SKILL_WARNING,
			"there are no quality criteria");
		skill_faults_hint(
			faults, "say in '## Quality Criteria' what makes a good answer");
	}
}

/* --- Output Format ----------------------------------------------------------- */

/* Ends the format that `body` has the text of, and empties `body`. */
static void add_format(struct user_skill *skill, char *channel, size_t line, struct buf *body,
	struct skill_faults *faults)
{
	while (body->len && body->data[body->len - 1] == '\n')
		buf_set_len(body, body->len - 1);
	if (*channel && user_skill_format(skill, channel)) {
		skill_faults_add(faults, line, SKILL_WARNING,
			"the format for '%s' appears twice", channel);
	} else if (body->len || *channel) {
		ARENA_GROW(
			&skill->memory, skill->formats, skill->format_count, skill->format_cap);
		skill->formats[skill->format_count++] = (struct skill_format){
			channel, arena_copy(&skill->memory, body->data, body->len), line};
	}
	buf_set_len(body, 0);
}

void parse_output(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_OUTPUT);
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	struct markdown reader;
	struct markdown_line line;
	char *channel;
	size_t start;

	if (!section)
		return;
	reader = markdown_of(view_of(section->body));
	channel = arena_copy(&skill->memory, "", 0);
	start = section->line;
	while (markdown_next(&reader, &line)) {
		if (line.kind == MARKDOWN_HEADING && line.level == 3) {
			add_format(skill, channel, start, &body, faults);
			channel = arena_copy(&skill->memory, line.title.data, line.title.len);
			for (char *p = channel; *p; p++)
				*p = (char)tolower((unsigned char)*p);
			start = section->body_line - 1 + line.number;
		} else if (body.len || line.kind != MARKDOWN_BLANK) {
			buf_append(&body, line.text.data, line.text.len);
			buf_append_char(&body, '\n');
		}
	}
	add_format(skill, channel, start, &body, faults);
}

/* --- Feedback Loop ----------------------------------------------------------- */

/* "(1-5)", "(1 to 10)" */
static bool find_scale(const char *text, int *ret_least, int *ret_most)
{
	for (const char *p = strchr(text, '('); p; p = strchr(p + 1, '(')) {
		int least, most, len = 0;

		if ((sscanf(p, "(%2d-%3d)%n", &least, &most, &len) == 2 ||
			    sscanf(p, "(%2d to %3d)%n", &least, &most, &len) == 2) &&
			len && least >= 0 && most > least && most <= 100) {
			*ret_least = least;
			*ret_most = most;
			return true;
		}
	}
	return false;
}

static void add_question(struct user_skill *skill, const struct item *item)
{
	struct skill_question question = {.text = item->text, .line = item->line};

	if (find_scale(item->text, &question.least, &question.most))
		question.kind = ANSWER_SCALE;
	else if (strcasestr(item->text, "(yes/no)") || strcasestr(item->text, "(yes or no)"))
		question.kind = ANSWER_YES_NO;
	ARENA_GROW(
		&skill->memory, skill->questions, skill->question_count, skill->question_cap);
	skill->questions[skill->question_count++] = question;
}

/* "Ask: every 5 uses", "Ask: after every use" */
static bool read_rate(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	struct view rest;
	const char *every;
	long count;

	if (!item_labelled(item->text, "ask", &rest) &&
		!item_labelled(item->text, "rate", &rest))
		return false;
	every = strcasestr(rest.data, "every ");
	count = every ? strtol(every + strlen("every "), NULL, 10) : 0;
	if (every && !strncasecmp(every + strlen("every "), "use", 3))
		count = 1;
	if (count < 1 || count > MOST_EVERY) {
		skill_faults_add(
			faults, item->line, SKILL_WARNING, "how often to ask cannot be read");
		skill_faults_hint(faults, "write 'Ask: every 5 uses'");
	} else {
		skill->feedback_every = (int)count;
	}
	return true;
}

void parse_feedback(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_FEEDBACK);
	struct items items = {0};

	if (!section || !*section->body)
		return;
	items_read(skill, SECTION_FEEDBACK, &items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];

		if (item->kind == ITEM_CODE || item_is_none(item->text) ||
			read_rate(skill, item, faults))
			continue;
		if (strchr(item->text, '?'))
			add_question(skill, item);
	}
	if (!skill->question_count) {
		skill_faults_add(
			faults, section->line, SKILL_WARNING, "the feedback loop asks nothing");
		skill_faults_hint(faults, "add a question: '- Was this useful? (yes/no)'");
	}
}

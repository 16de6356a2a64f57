#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "userskill/text/command_text.h"
#include "userskill/text/items.h"
#include "userskill/text/schedule_text.h"
#include "userskill/text/sections.h"

/* --- commands ---------------------------------------------------------------- */

static bool is_command_char(char c)
{
	return ((unsigned char)c < 0x80 && isalnum((unsigned char)c)) || c == '-' || c == '_';
}

/* Where the next "/word" begins: not in the middle of a word, and no path. */
static const char *find_command(const char *start, const char *text)
{
	for (const char *p = strchr(text, '/'); p; p = strchr(p + 1, '/')) {
		const char *end = p + 1;

		if (p > start && !strchr(" \t`'\"(*[,", p[-1]))
			continue;
		if (!isalpha((unsigned char)p[1]))
			continue;
		while (is_command_char(*end))
			end++;
		if (*end != '/')
			return p;
	}
	return NULL;
}

static const char *skip_groups(const char *p)
{
	for (;;) {
		const char *group = p + strspn(p, " \t");
		const char *close = *group == '<'   ? strchr(group, '>')
				    : *group == '[' ? strchr(group, ']')
						    : NULL;

		if (!close)
			return p;
		p = close + 1;
	}
}

/* "<topic> [days]" after the name: up to the end of the code, or all bracketed groups. */
static const char *take_arguments(bool in_code, const char *p, struct view *ret_arguments)
{
	const char *close = in_code ? strchr(p, '`') : NULL;
	const char *end = close ? close : skip_groups(p);

	*ret_arguments = view_trim((struct view){p, (size_t)(end - p)});
	return close ? close + 1 : end;
}

static void add_command(struct user_skill *skill, struct view word, struct view arguments,
	size_t line, struct skill_faults *faults)
{
	char *name = xmemdupz(word.data, word.len);
	bool capital = false;

	for (char *p = name; *p; p++) {
		capital |= isupper((unsigned char)*p) != 0;
		*p = (char)tolower((unsigned char)*p);
	}
	if (!skill_command_valid(name)) {
		skill_faults_add(faults, line, SKILL_ERROR,
			"a command has at most %d characters", USER_SKILL_COMMAND_MAX);
		free(name);
		return;
	}
	if (capital)
		skill_faults_add(faults, line, SKILL_WARNING,
			"commands are written in lower case: '/%s'", name);
	if (user_skill_command(skill, name)) {
		skill_faults_add(
			faults, line, SKILL_WARNING, "the command '/%s' appears twice", name);
		free(name);
		return;
	}
	GROW(skill->commands, skill->command_count, skill->command_cap);
	skill->commands[skill->command_count++] = (struct skill_command){
		name, xmemdupz(arguments.data, arguments.len), xstrdup(""), line};
}

/* Its description: the text after ':' or a dash. */
static struct view help_of(const char *p)
{
	static const char *const marks[] = {":", "-", "\xe2\x80\x93", "\xe2\x80\x94", ",", "*"};
	struct view text = view_trim(view_of(p));
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < ARRAY_SIZE(marks) && !more; i++)
			if (view_starts_with(text, marks[i])) {
				text = view_trim(view_slice(text, strlen(marks[i]), text.len));
				more = true;
			}
	}
	return text;
}

/* Returns how many there are in it. */
static size_t take_commands(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	size_t first = skill->command_count;
	const char *rest = item->text;
	const char *p = item->text;
	size_t found = 0;

	while ((p = find_command(item->text, p))) {
		bool in_code = p > item->text && p[-1] == '`';
		struct view word = {p + 1, 0};
		struct view arguments;

		while (is_command_char(word.data[word.len]))
			word.len++;
		p = take_arguments(in_code, word.data + word.len, &arguments);
		add_command(skill, word, arguments, item->line, faults);
		rest = p;
		found++;
	}
	for (size_t i = first; i < skill->command_count; i++) {
		struct view help = help_of(rest);

		free(skill->commands[i].help);
		skill->commands[i].help = xmemdupz(help.data, help.len);
	}
	return found;
}

/* --- schedules --------------------------------------------------------------- */

static bool take_schedule(struct user_skill *skill, const struct item *item, struct view text)
{
	enum schedule_type type;
	char *value;

	if (!schedule_text_parse(text, &type, &value))
		return false;
	GROW(skill->schedules, skill->schedule_count, skill->schedule_cap);
	skill->schedules[skill->schedule_count++] =
		(struct skill_schedule){type, value, xmemdupz(text.data, text.len), item->line};
	return true;
}

static bool is_schedule_label(const char *text, struct view *ret_rest)
{
	static const char *const labels[] = {"cron", "schedule", "scheduled", "time"};

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (item_labelled(text, labels[i], ret_rest))
			return true;
	return false;
}

/* "every Munday at 08:00" was meant as a schedule. */
static bool looks_like_schedule(const char *text)
{
	bool clock = false;

	for (const char *p = strchr(text, ':'); p && !clock; p = strchr(p + 1, ':'))
		clock = p > text && isdigit((unsigned char)p[-1]) &&
			isdigit((unsigned char)p[1]);
	return clock &&
	       (!strncasecmp(text, "every ", 6) || !strncasecmp(text, "each ", 5) ||
		       !strncasecmp(text, "daily ", 6) || !strncasecmp(text, "weekly ", 7));
}

static void add_condition(struct user_skill *skill, const struct item *item, struct view text)
{
	struct skill_items *items = &skill->conditions;

	GROW(items->list, items->count, items->cap);
	items->list[items->count++] =
		(struct skill_item){xmemdupz(text.data, text.len), item->line};
}

/* --- the section ------------------------------------------------------------- */

static struct view without_label(const char *text)
{
	static const char *const labels[] = {
		"condition", "conditions", "event", "natural language", "when"};
	struct view rest = view_of(text);

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (item_labelled(text, labels[i], &rest))
			return rest;
	return rest;
}

static void take_item(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	struct view text = view_of(item->text);
	bool begins_with_command;

	if (is_schedule_label(item->text, &text)) {
		if (!take_schedule(skill, item, text)) {
			skill_faults_add(faults, item->line, SKILL_ERROR,
				"this schedule cannot be read");
			skill_faults_hint(faults, "write 'every weekday at 08:00', or a cron "
						  "expression such as `0 8 * * 1-5`");
		}
		return;
	}
	/* Quoted text there can be typed, and is not a sentence. */
	if (item->kind == ITEM_CODE) {
		take_commands(skill, item, faults);
		return;
	}
	if (take_commands(skill, item, faults)) {
		begins_with_command = strspn(item->text, "`*'\"") == strcspn(item->text, "/") ||
				      item_labelled(item->text, "command", &text) ||
				      item_labelled(item->text, "slash command", &text) ||
				      item_labelled(item->text, "commands", &text) ||
				      item_labelled(item->text, "slash commands", &text);
		if (!begins_with_command)
			add_condition(skill, item, without_label(item->text));
		return;
	}
	if (item->text[strspn(item->text, "`*")] == '/') {
		skill_faults_add(faults, item->line, SKILL_ERROR, "this is not a command");
		skill_faults_hint(faults, "a command is a slash, a letter, and then letters, "
					  "digits, '-' and '_'");
		return;
	}
	if (take_schedule(skill, item, text))
		return;
	if (looks_like_schedule(item->text)) {
		skill_faults_add(faults, item->line, SKILL_WARNING,
			"this looks like a schedule, and cannot be read as one");
		skill_faults_hint(faults, "write 'every weekday at 08:00', or a cron "
					  "expression such as `0 8 * * 1-5`");
	}
	add_condition(skill, item, without_label(item->text));
}

static void warn_of_reserved(const struct user_skill *skill, struct skill_faults *faults)
{
	for (size_t i = 0; i < skill->command_count; i++)
		if (command_is_reserved(skill->commands[i].name)) {
			skill_faults_add(faults, skill->commands[i].line, SKILL_WARNING,
				"'/%s' is answered by the assistant itself, and never reaches "
				"the skill",
				skill->commands[i].name);
			skill_faults_hint(faults, "give it another name");
		}
}

void parse_trigger(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_TRIGGER);
	CLEANUP(items_release) struct items items = {0};

	if (!section || !*section->body)
		return;
	items_read(section, &items);
	for (size_t i = 0; i < items.count; i++)
		if (!item_is_none(items.list[i].text) && !items_is_head(&items, i))
			take_item(skill, &items.list[i], faults);
	warn_of_reserved(skill, faults);
	if (!skill->command_count && !skill->schedule_count && !skill->conditions.count) {
		skill_faults_add(faults, section->line, SKILL_ERROR,
			"the trigger has no command and no condition");
		skill_faults_hint(faults, "add a line '- /name: what it does'");
	}
}

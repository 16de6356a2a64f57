#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* "<topic> [days]" after the name: up to the end of the code, or all bracketed groups. */
static const char *read_arguments(bool in_code, const char *start, struct view *ret_arguments)
{
	const char *close = in_code ? strchr(start, '`') : NULL;
	const char *end = start;

	while (!close) {
		const char *group = end + strspn(end, " \t");
		const char *group_end = *group == '<'   ? strchr(group, '>')
					: *group == '[' ? strchr(group, ']')
							: NULL;

		if (!group_end)
			break;
		end = group_end + 1;
	}
	end = close ? close : end;
	*ret_arguments = view_trim((struct view){start, (size_t)(end - start)});
	return close ? close + 1 : end;
}

static void add_command(struct user_skill *skill, struct view word, struct view arguments,
	size_t line, struct skill_faults *faults)
{
	char *name = arena_copy(&skill->memory, word.data, word.len);
	bool capital = false;

	for (char *p = name; *p; p++) {
		capital |= isupper((unsigned char)*p) != 0;
		*p = (char)tolower((unsigned char)*p);
	}
	if (!skill_command_valid(name)) {
		skill_faults_add(faults, line, SKILL_ERROR,
			"a command has at most %d characters", USER_SKILL_COMMAND_MAX);
		return;
	}
	if (capital)
		skill_faults_add(faults, line, SKILL_WARNING,
			"commands are written in lower case: '/%s'", name);
	if (user_skill_command(skill, name)) {
		skill_faults_add(
			faults, line, SKILL_WARNING, "the command '/%s' appears twice", name);
		return;
	}
	ARENA_GROW(&skill->memory, skill->commands, skill->command_count, skill->command_cap);
	skill->commands[skill->command_count++] = (struct skill_command){
		name, arena_copy(&skill->memory, arguments.data, arguments.len), NULL, line};
}

/* The description of a command: the text after ':' or a dash. */
static struct view command_help(const char *p)
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

/* The commands in an item, all with the text after the last one as their help. */
static bool read_commands(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	size_t first = skill->command_count;
	const char *rest = item->text;
	const char *p = item->text;
	struct view help;

	while ((p = find_command(item->text, p))) {
		bool in_code = p > item->text && p[-1] == '`';
		struct view word = {p + 1, 0};
		struct view arguments;

		while (is_command_char(word.data[word.len]))
			word.len++;
		p = read_arguments(in_code, word.data + word.len, &arguments);
		add_command(skill, word, arguments, item->line, faults);
		rest = p;
	}
	help = command_help(rest);
	for (size_t i = first; i < skill->command_count; i++)
		skill->commands[i].help = arena_copy(&skill->memory, help.data, help.len);
	return rest > item->text;
}

/* --- schedules --------------------------------------------------------------- */

#define SCHEDULE_HINT                                                                          \
	"write 'every weekday at 08:00', or a cron expression such as `0 8 * * 1-5`"

static bool read_schedule(struct user_skill *skill, const struct item *item, struct view text)
{
	CLEANUP(freep) char *value = NULL;
	enum schedule_type type;

	if (!schedule_text_parse(text, &type, &value))
		return false;
	ARENA_GROW(
		&skill->memory, skill->schedules, skill->schedule_count, skill->schedule_cap);
	skill->schedules[skill->schedule_count++] =
		(struct skill_schedule){type, arena_copy(&skill->memory, value, strlen(value)),
			arena_copy(&skill->memory, text.data, text.len), item->line};
	return true;
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

/* --- the section ------------------------------------------------------------- */

/* Does the item begin with one of these labels? `*ret_rest` is the text after it, or all. */
static bool has_label(const char *text, const char *const *labels, struct view *ret_rest)
{
	*ret_rest = view_of(text);
	for (; *labels; labels++)
		if (item_labelled(text, *labels, ret_rest))
			return true;
	return false;
}

static void add_condition(struct user_skill *skill, const struct item *item)
{
	static const char *const labels[] = {
		"condition", "conditions", "event", "natural language", "when", NULL};
	struct view text;

	has_label(item->text, labels, &text);
	skill_items_add(skill, &skill->conditions,
		arena_copy(&skill->memory, text.data, text.len), item->line);
}

static void read_trigger(
	struct user_skill *skill, const struct item *item, struct skill_faults *faults)
{
	static const char *const schedules[] = {"cron", "schedule", "scheduled", "time", NULL};
	static const char *const commands[] = {
		"command", "slash command", "commands", "slash commands", NULL};
	struct view text;

	if (has_label(item->text, schedules, &text)) {
		if (!read_schedule(skill, item, text)) {
			skill_faults_add(faults, item->line, SKILL_ERROR,
				"this schedule cannot be read");
			skill_faults_hint(faults, SCHEDULE_HINT);
		}
	} else if (item->kind == ITEM_CODE) {
		/* Quoted text there can be typed, and is not a sentence. */
		read_commands(skill, item, faults);
	} else if (read_commands(skill, item, faults)) {
		/* Words before the command also make it a condition. */
		if (strspn(item->text, "`*'\"") != strcspn(item->text, "/") &&
			!has_label(item->text, commands, &text))
			add_condition(skill, item);
	} else if (item->text[strspn(item->text, "`*")] == '/') {
		skill_faults_add(faults, item->line, SKILL_ERROR, "this is not a command");
		skill_faults_hint(faults, "a command is a slash, a letter, and then letters, "
					  "digits, '-' and '_'");
	} else if (!read_schedule(skill, item, text)) {
		if (looks_like_schedule(item->text)) {
			skill_faults_add(faults, item->line, SKILL_WARNING,
				"this looks like a schedule, and cannot be read as one");
			skill_faults_hint(faults, SCHEDULE_HINT);
		}
		add_condition(skill, item);
	}
}

void parse_trigger(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_TRIGGER);
	struct items items = {0};

	if (!section || !*section->body)
		return;
	items_read(skill, SECTION_TRIGGER, &items);
	for (size_t i = 0; i < items.count; i++)
		if (!item_is_none(items.list[i].text) && !items_is_head(&items, i))
			read_trigger(skill, &items.list[i], faults);
	for (size_t i = 0; i < skill->command_count; i++)
		if (command_is_reserved(skill->commands[i].name)) {
			skill_faults_add(faults, skill->commands[i].line, SKILL_WARNING,
				"'/%s' is answered by the assistant itself, and never reaches "
				"the skill",
				skill->commands[i].name);
			skill_faults_hint(faults, "give it another name");
		}
	if (!skill->command_count && !skill->schedule_count && !skill->conditions.count) {
		skill_faults_add(faults, section->line, SKILL_ERROR,
			"the trigger has no command and no condition");
		skill_faults_hint(faults, "add a line '- /name: what it does'");
	}
}

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/similar.h"
#include "base/utf8.h"
#include "time/civil.h"
#include "time/timestamp.h"
#include "userskill/text/markdown.h"
#include "userskill/text/sections.h"

#define DEFAULT_VERSION  "1.0"
#define DEFAULT_CATEGORY "general"

/* --- lines ------------------------------------------------------------------- */

/* Text that would not survive as one line, or cannot be a name. */
static bool is_key(struct view key)
{
	for (size_t i = 0; i < key.len; i++)
		if (strchr("`~<#\"", key.data[i]))
			return false;
	return key.len && !isspace((unsigned char)key.data[0]);
}

static struct view strip_stars(struct view text)
{
	text = view_trim(text);
	while (text.len && (text.data[0] == '*' || isspace((unsigned char)text.data[0])))
		text = view_slice(text, 1, text.len);
	while (text.len && (text.data[text.len - 1] == '*' ||
				   isspace((unsigned char)text.data[text.len - 1])))
		text.len--;
	return text;
}

static void add_field(struct user_skill *skill, struct view key, struct view value, size_t line)
{
	ARENA_GROW(&skill->memory, skill->fields, skill->field_count, skill->field_cap);
	skill->fields[skill->field_count++] = (struct skill_field){
		key.data ? arena_copy(&skill->memory, key.data, key.len) : NULL,
		arena_copy(&skill->memory, value.data, value.len), line};
}

/* "- Key: Value"; also "- **Key:** Value". */
static bool read_key(struct user_skill *skill, const struct markdown_line *line, size_t number,
	struct skill_faults *faults)
{
	struct view content, key, value;
	const char *colon;
	bool bold;
	long mark;

	if (line->kind != MARKDOWN_TEXT || !markdown_item(line->text, &content, &mark) ||
		mark >= 0)
		return false;
	colon = memchr(content.data, ':', content.len);
	if (!colon)
		return false;
	key = view_slice(content, 0, (size_t)(colon - content.data));
	value = view_trim(view_slice(content, key.len + 1, content.len));
	bold = key.len && key.data[0] == '*';
	if (bold && key.data[key.len - 1] != '*')
		while (value.len && value.data[0] == '*')
			value = view_trim(view_slice(value, 1, value.len));
	key = strip_stars(key);
	if (!is_key(key))
		return false;
	if (bold)
		skill_faults_add(faults, number, SKILL_WARNING,
			"write it without stars: '- Key: Value'");
	add_field(skill, key, value, number);
	return true;
}

/* The lines in their usual form, if there is nothing else among them. */
static void tidy_body(struct user_skill *skill, struct skill_section *section)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;

	for (size_t i = 0; i < skill->field_count; i++) {
		const struct skill_field *field = &skill->fields[i];

		if (!field->key && *field->value)
			return;
		if (i)
			buf_append_char(&body, '\n');
		if (field->key)
			buf_appendf(&body, "- %s:%s%s", field->key, *field->value ? " " : "",
				field->value);
	}
	section->body = arena_copy(&skill->memory, body.data, body.len);
}

static void read_lines(
	struct user_skill *skill, struct skill_section *section, struct skill_faults *faults)
{
	struct markdown reader = markdown_of(view_of(section->body));
	struct markdown_line line;

	while (markdown_next(&reader, &line)) {
		size_t number = section->body_line - 1 + line.number;

		if (read_key(skill, &line, number, faults))
			continue;
		if (line.kind == MARKDOWN_BLANK)
			line.text.len = 0;
		add_field(skill, (struct view){0}, line.text, number);
		if (line.kind != MARKDOWN_BLANK && line.kind != MARKDOWN_COMMENT)
			skill_faults_add(faults, number, SKILL_ERROR,
				"write this line as '- Key: Value'");
	}
	tidy_body(skill, section);
}

/* --- values ------------------------------------------------------------------ */

struct checking {
	struct user_skill *skill;
	const struct skill_field *field;
	struct skill_faults *faults;
};

static void field_malformed(struct checking *c, const char *what, const char *hint)
{
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(c->field->value));

	if (!*c->field->value)
		skill_faults_add(c->faults, c->field->line, SKILL_ERROR, "'%s' has no value",
			c->field->key);
	else
		skill_faults_add(
			c->faults, c->field->line, SKILL_ERROR, "'%s' is not %s", shown, what);
	skill_faults_hint(c->faults, "%s", hint);
}

static void read_id(struct checking *c)
{
	c->skill->id = c->field->value;
	if (!skill_id_valid(c->field->value))
		field_malformed(
			c, "an ID", "write letters, digits, '_' and '-': email-summary");
}

static void read_version(struct checking *c)
{
	const char *p = c->field->value;
	int numbers = 0;

	c->skill->version = p;
	while (numbers < 3) {
		size_t digits = strspn(p, "0123456789");

		if (!digits || digits > 9)
			break;
		numbers++;
		p += digits;
		if (*p != '.')
			break;
		p++;
	}
	if (numbers < 2 || *p || p[-1] == '.')
		field_malformed(c, "a version", "write two or three numbers: 1.0 or 1.0.2");
}

static void read_category(struct checking *c)
{
	c->skill->category = c->field->value;
	if (!skill_category_valid(c->field->value))
		field_malformed(c, "a category", "write one word, as the folder is called");
}

/* 2026-02-25, of a day that there was. */
static bool is_date(struct view text)
{
	struct civil date = {0};

	if (text.len != 10 || text.data[4] != '-' || text.data[7] != '-')
		return false;
	for (int i = 0; i < 10; i++)
		if (i != 4 && i != 7 && !isdigit((unsigned char)text.data[i]))
			return false;
	date.year = (int)strtol(text.data, NULL, 10);
	date.month = (int)strtol(text.data + 5, NULL, 10);
	date.day = (int)strtol(text.data + 8, NULL, 10);
	return civil_is_valid(&date);
}

static void read_generated(struct checking *c)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view text = view_of(c->field->value);
	int64_t time;

	c->skill->generated = c->field->value;
	/* Programs often add the time of day. */
	if (!is_date(text) && timestamp_parse(text, &time, &ignored) < 0)
		field_malformed(c, "a date", "write it as 2026-02-25");
}

static void read_source(struct checking *c)
{
	const char *value = c->field->value;
	const char *name;

	c->skill->source_text = value;
	c->skill->source = skill_source_parse(value);
	if (!c->skill->source) {
		field_malformed(c, "a source",
			"write Pre-built, Advisor-created, Auto-generated, "
			"User-created or Marketplace");
		return;
	}
	name = skill_source_name(c->skill->source);
	if (strncmp(value, name, strlen(name)) != 0)
		skill_faults_add(c->faults, c->field->line, SKILL_WARNING,
			"this source is written '%s'", name);
}

static void read_status(struct checking *c)
{
	const char *value = c->field->value;

	c->skill->status = skill_status_parse(value);
	if (!c->skill->status)
		field_malformed(c, "a status",
			"write Observed, Proposed, Approved, Active, Refined "
			"or Retired");
	else if (strcmp(value, skill_status_name(c->skill->status)) != 0)
		skill_faults_add(c->faults, c->field->line, SKILL_WARNING,
			"this status is written '%s'", skill_status_name(c->skill->status));
}

static void read_quality(struct checking *c)
{
	const char *value = c->field->value;
	size_t whole = strspn(value, "0123456789");
	size_t len = whole;
	double number;

	if (!strcasecmp(value, "null"))
		return;
	if (value[len] == '.')
		len += 1 + strspn(value + len + 1, "0123456789");
	number = strtod(value, NULL);
	if (!whole || value[len] || value[len - 1] == '.' || len > 20 || number > 1) {
		field_malformed(c, "a quality score", "write a number from 0 to 1, or null");
		return;
	}
	c->skill->has_quality = true;
	c->skill->quality = number;
}

static void read_usage(struct checking *c)
{
	const char *value = c->field->value;

	c->skill->usage = value;
	if (!isdigit((unsigned char)*value) && strcasecmp(value, "null") != 0)
		skill_faults_add(c->faults, c->field->line, SKILL_WARNING,
			"'Usage' should begin with a number");
}

static const struct {
	const char *key;
	void (*read)(struct checking *c);
} keys[] = {
	{"ID", read_id},
	{"Version", read_version},
	{"Category", read_category},
	{"Generated", read_generated},
	{"Source", read_source},
	{"Status", read_status},
	{"Quality Score", read_quality},
	{"Usage", read_usage},
};

/* --- the section ------------------------------------------------------------- */

/* `lines` has the line of each key that was read. */
static void read_field(struct user_skill *skill, const struct skill_field *field,
	size_t lines[static ARRAY_SIZE(keys)], struct skill_faults *faults)
{
	CLEANUP(freep) char *shown = NULL;
	struct similar best = similar_to(field->key);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		similar_consider(&best, keys[i].key);
		if (strcasecmp(field->key, keys[i].key) != 0)
			continue;
		if (lines[i]) {
			skill_faults_add(faults, field->line, SKILL_ERROR,
				"'%s' appears twice, first on line %zu", keys[i].key, lines[i]);
			return;
		}
		lines[i] = field->line;
		if (strcmp(field->key, keys[i].key) != 0)
			skill_faults_add(faults, field->line, SKILL_WARNING,
				"this key is written '%s'", keys[i].key);
		keys[i].read(&(struct checking){skill, field, faults});
		return;
	}
	shown = utf8_excerpt(view_of(field->key));
	skill_faults_add(
		faults, field->line, SKILL_WARNING, "the key '%s' is not known", shown);
	if (best.found)
		skill_faults_hint(faults, "did you mean '%s'?", best.found);
}

/* The names of a file's folder and of the folder above; without a folder, of the file itself. */
static void read_path(struct user_skill *skill, const char *path)
{
	struct view rest = view_of(path);
	struct view name = {"", 0}, folder = {"", 0}, parent = {"", 0};
	struct view piece;

	while (view_next(&rest, '/', &piece)) {
		if (!piece.len || view_equal_str(piece, "."))
			continue;
		parent = folder;
		folder = name;
		name = piece;
	}
	if (!view_equal_str(name, USER_SKILL_FILE)) {
		parent = (struct view){"", 0};
		folder = view_ends_with(name, ".md") ? view_slice(name, 0, name.len - 3) : name;
	}
	skill->folder = arena_copy(&skill->memory, folder.data, folder.len);
	skill->parent = arena_copy(&skill->memory, parent.data, parent.len);
}

void parse_metadata(struct user_skill *skill, const char *path, struct skill_faults *faults)
{
	size_t lines[ARRAY_SIZE(keys)] = {0};

	skill->status = STATUS_ACTIVE;
	for (size_t i = 0; i < skill->section_count; i++)
		if (skill->sections[i].kind == SECTION_METADATA) {
			read_lines(skill, &skill->sections[i], faults);
			break;
		}
	for (size_t i = 0; i < skill->field_count; i++)
		if (skill->fields[i].key)
			read_field(skill, &skill->fields[i], lines, faults);
	read_path(skill, path);
	if (!skill->id && skill_id_valid(skill->folder)) {
		skill->id = skill->folder;
	} else if (!skill->id) {
		skill_faults_add(faults, skill->name_line ? skill->name_line : 1, SKILL_ERROR,
			"there is no ID, and the name of the folder cannot be one");
		skill_faults_hint(faults, "add '- ID: ...' to the section 'Metadata'");
	}
	if (!skill->category)
		skill->category =
			skill_category_valid(skill->parent) ? skill->parent : DEFAULT_CATEGORY;
	if (!skill->version)
		skill->version = DEFAULT_VERSION;
	if (!skill->source_text) {
		skill->source = SOURCE_USER;
		skill->source_text = skill_source_name(SOURCE_USER);
	}
}

/*
 * A user skill: a task that the assistant does for a person, written as Markdown.
 *
 *	# SKILL: <name>			after blank lines and comments at most
 *	## Metadata			lines "- Key: Value"; may be missing
 *	## Trigger			what starts it: commands, schedules, conditions
 *	## Context Required		required inputs
 *	## Instructions			at least three numbered steps
 *	## Output Format		and "### <channel>" for what is different there
 *	## Quality Criteria, ## Feedback Loop, ## Dependencies, ## MCP Connectors Required
 *
 * The last line's sections may be missing, and there may be others. parse.h turns a text into
 * this structure, and print.h turns it into a text. Everything in the text is kept in
 * `preamble`, `name`, `intro` and `sections`; the other members are parsed from the sections.
 * `memory` owns it.
 *
 * docs/user-skills.md is the page for people who write one.
 */
#ifndef USERSKILL_TEXT_SKILL_H
#define USERSKILL_TEXT_SKILL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "time/schedule.h"

/* Of a file; the format is for people to read, and 1 MB is a book. */
#define USER_SKILL_MAX ((size_t)4 * 1024 * 1024)

#define USER_SKILL_FILE         "SKILL.md"
#define USER_SKILL_ID_MAX       100
#define USER_SKILL_CATEGORY_MAX 64
#define USER_SKILL_COMMAND_MAX  32

/* --- words ------------------------------------------------------------------- */

enum skill_source {
	SOURCE_NONE,
	SOURCE_PRE_BUILT,
	SOURCE_ADVISOR,
	SOURCE_AUTO, /* "Auto-generated", with any words after it */
	SOURCE_USER,
	SOURCE_MARKETPLACE,
};

enum skill_status {
	STATUS_NONE,
	STATUS_OBSERVED,
	STATUS_PROPOSED,
	STATUS_APPROVED,
	STATUS_ACTIVE,
	STATUS_REFINED,
	STATUS_RETIRED,
};

enum skill_section_kind {
	SECTION_METADATA,
	SECTION_TRIGGER,
	SECTION_CONTEXT,
	SECTION_INSTRUCTIONS,
	SECTION_OUTPUT,
	SECTION_CRITERIA,
	SECTION_FEEDBACK,
	SECTION_DEPENDENCIES,
	SECTION_CONNECTORS,
	SECTION_OTHER,
	SECTION_KINDS,
};

/* As written in a skill: "Pre-built", "Active", "Context Required"; NULL for none. */
const char *skill_source_name(enum skill_source source);
const char *skill_status_name(enum skill_status status);
const char *skill_section_name(enum skill_section_kind kind);

/* In upper or lower case; ..._NONE or SECTION_OTHER for any other word. */
enum skill_source skill_source_parse(const char *word);
enum skill_status skill_status_parse(const char *word);
enum skill_section_kind skill_section_parse(const char *title);

/* The same, and by a part of it, as people type it: "auto", "generated", "market". */
enum skill_source skill_source_guess(const char *word);

bool skill_section_required(enum skill_section_kind kind);

/* Letters, digits, '_' and '-', beginning with a letter or digit. */
bool skill_id_valid(const char *id);

/* One word of letters, digits, '_' and '-', beginning with a letter. */
bool skill_category_valid(const char *category);

/* Valid names of commands: a-z, 0-9, '-' and '_', beginning with a letter. */
bool skill_command_valid(const char *name);

/* --- parts ------------------------------------------------------------------- */

/* One line of the section Metadata. */
struct skill_field {
	char *key; /* NULL: the line is something else, and `value` all of it */
	char *value;
	size_t line;
};

struct skill_section {
	enum skill_section_kind kind;
	char *title;
	char *body;  /* without blank lines at both ends; lines end in LF, but for the last */
	size_t line; /* of the heading */
	size_t body_line;
};

/* An item of a list, or a paragraph, on one line. */
struct skill_item {
	char *text;
	size_t line;
};

struct skill_items {
	struct skill_item *list;
	size_t count;
	size_t cap;
};

struct skill_command {
	char *name;      /* without the slash, in lower case */
	char *arguments; /* "<topic> [days]", or "" */
	char *help;      /* the text after it, or "" */
	size_t line;
};

struct skill_schedule {
	enum schedule_type type; /* cron or interval */
	char *value;             /* as for schedule_parse() */
	char *text;              /* as it was written: "every weekday at 08:00" */
	size_t line;
};

enum skill_context_kind {
	CONTEXT_TEXT,      /* for the agent to read; cannot be checked */
	CONTEXT_INPUT,     /* "Input: ...": the person's text after the command */
	CONTEXT_FILE,      /* "File: PATH ...": a file in the folder of the group */
	CONTEXT_CONNECTOR, /* "Connector: NAME ...": an MCP server of the group */
};

struct skill_context {
	enum skill_context_kind kind;
	char *value; /* PATH or NAME; otherwise "" */
	char *text;  /* the whole item */
	bool optional;
	size_t line;
};

struct skill_connector {
	char *name;
	char *text; /* the whole item */
	bool optional;
	size_t line;
};

struct skill_dependency {
	char *skill; /* an ID, or NULL: something else */
	char *text;
	size_t line;
};

enum skill_answer_kind {
	ANSWER_TEXT,
	ANSWER_YES_NO, /* "(yes/no)" */
	ANSWER_SCALE,  /* "(1-5)" */
};

struct skill_question {
	char *text; /* the question */
	enum skill_answer_kind kind;
	int least; /* of a scale */
	int most;
	size_t line;
};

/* The format for one channel, from "### NAME" in Output Format. */
struct skill_format {
	char *channel; /* in lower case; "" for the text before the first channel */
	char *body;
	size_t line;
};

/* --- the whole --------------------------------------------------------------- */

struct user_skill {
	struct arena memory;
	char *preamble; /* before the title: comments */
	char *name;     /* NULL if there is no title */
	size_t name_line;
	char *intro; /* between the title and the first section */
	struct skill_section *sections;
	size_t section_count;
	size_t section_cap;

	struct skill_field *fields;
	size_t field_count;
	size_t field_cap;
	char *folder; /* of its path, for an ID and a category that are not in the metadata */
	char *parent;
	const char *id; /* from `fields`, or a default, or NULL */
	const char *version;
	const char *category;
	const char *generated;
	const char *source_text;
	const char *usage;
	enum skill_source source;
	enum skill_status status;
	bool has_quality;
	double quality;

	struct skill_command *commands;
	size_t command_count;
	size_t command_cap;
	struct skill_schedule *schedules;
	size_t schedule_count;
	size_t schedule_cap;
	struct skill_items conditions;
	struct skill_context *contexts;
	size_t context_count;
	size_t context_cap;
	struct skill_connector *connectors;
	size_t connector_count;
	size_t connector_cap;
	struct skill_dependency *dependencies;
	size_t dependency_count;
	size_t dependency_cap;
	struct skill_items steps;
	struct skill_items criteria;
	struct skill_question *questions;
	size_t question_count;
	size_t question_cap;
	int feedback_every; /* "Ask: every N uses"; 0 if it is not said */
	struct skill_format *formats;
	size_t format_count;
	size_t format_cap;
};

#define USER_SKILL_INIT ((struct user_skill){0})

/* The first of its kind, or NULL; not for SECTION_OTHER. */
const struct skill_section *user_skill_section(
	const struct user_skill *skill, enum skill_section_kind kind);

/* The field whose value is this pointer, such as `skill->id`; NULL: the value is a default. */
const struct skill_field *user_skill_field(const struct user_skill *skill, const char *value);

/* The one for a channel, or NULL: then the one with "" holds alone. */
const struct skill_format *user_skill_format(
	const struct user_skill *skill, const char *channel);

const struct skill_command *user_skill_command(
	const struct user_skill *skill, const char *name);

void user_skill_release(struct user_skill *skill);

#endif

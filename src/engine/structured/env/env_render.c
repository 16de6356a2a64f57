#include <string.h>

#include "base/utf8.h"
#include "engine/structured/env/env.h"

struct env_rendering {
	const struct structured_input *input;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct env_text own;
	const char *line_end;
	struct yaml_node **declared; /* of each contribution: env_declared_read() */
	struct yaml_node *wishes;    /* variable → skill → its declaration */
	struct yaml_node **inserted; /* by own line: the entries before it, or NULL */
	struct buf tail;             /* the blocks after the own content */
};

static void env_rendering_release(struct env_rendering *r)
{
	env_text_release(&r->own);
	buf_release(&r->tail);
}

/* "default" or "comment"; both are always there. */
static const char *wish_text(const struct yaml_entry *wish, const char *key)
{
	return yaml_get_text(wish->value, key);
}

static void add_outcome(struct env_rendering *r, const char *name,
	const struct yaml_node *wishes, const char *value)
{
	struct yaml_node *outcome = yaml_new_mapping(r->doc);
	struct yaml_node *skills = yaml_new_sequence(r->doc);

	for (size_t i = 0; i < wishes->count; i++)
		yaml_append(skills, yaml_new_string_view(r->doc, wishes->entries[i].key));
	if (utf8_valid(view_of(value)))
		yaml_set_string(outcome, "default", value);
	yaml_set(outcome, "skills", skills);
	yaml_set(yaml_get(r->output->outcome, "variables"), name, outcome);
}

/* --- one variable ------------------------------------------------------------------------ */

/* The own content has the variable: its value counts, whatever the skills declare. */
static void keep_own(struct env_rendering *r, const char *name, const struct yaml_node *wishes,
	const struct env_line *line)
{
	CLEANUP(freep) char *value = env_value_read(line->value);

	for (size_t i = 0; i < wishes->count; i++) {
		const char *wanted = wish_text(&wishes->entries[i], "default");

		if (*wanted && strcmp(wanted, value) != 0)
			structured_warn(r->output,
				"'%s' has '%s' already, and it stays as it is; "
				"skill '%s' has '%s' for it",
				r->input->name, name, wishes->entries[i].key.data, wanted);
	}
	add_outcome(r, name, wishes, value);
}

/* The value of a variable in a file, in `doc`; NULL if it does not set it. */
static struct yaml_node *read_value(struct view text, struct view name, struct yaml_doc *doc)
{
	CLEANUP(env_text_release) struct env_text env = ENV_TEXT_INIT;
	CLEANUP(freep) char *value = NULL;
	const struct env_line *line;

	env_text_read(text, &env);
	line = env_text_find(&env, name);
	if (!line || line->commented)
		return NULL;
	value = env_value_read(line->value);
	return yaml_new_string(doc, value);
}

/* The default to write; NULL: leave the variable out. */
static const char *choose_default(
	struct env_rendering *r, const char *name, const struct yaml_node *wishes)
{
	CLEANUP(clash_list_release) struct clash_list clashes = {0};
	CLEANUP(buf_release) struct buf about = BUF_INIT;
	struct clash *clash = clash_list_add(&clashes, name);
	const struct yaml_node *there;
	const char *value = "";
	bool agree = true;

	buf_appendf(&about, "'%s' in '%s' has different defaults:", name, r->input->name);
	for (size_t i = 0; i < wishes->count; i++) {
		const char *skill = wishes->entries[i].key.data;
		const char *wanted = wish_text(&wishes->entries[i], "default");

		if (!*wanted)
			continue;
		buf_appendf(&about, "%s '%s' of skill '%s'", clash->claim_count ? "," : "",
			wanted, skill);
		clash_add_claim(clash, skill, wanted);
		if (!*value)
			value = wanted;
		agree = agree && !strcmp(value, wanted);
	}
	if (agree || clash_is_decided(clash, r->input, &value))
		return value;
	clash->about = buf_take(&about);
	there = read_value(r->input->file, view_of(name), r->doc);
	value = clash_side_text(clash, r->input, there ? there->text.data : NULL);
	clash_report(clash, r->output);
	return value;
}

/* The first comment that a skill has for the variable, then the other skills. */
static void append_comments(const struct yaml_node *wishes, struct buf *out)
{
	struct view comment = view_of(""), line;

	for (size_t i = 0; i < wishes->count && !comment.len; i++)
		comment = view_of(wish_text(&wishes->entries[i], "comment"));
	while (view_next(&comment, '\n', &line)) {
		buf_append_char(out, '#');
		/* A second blank keeps it from being taken for a heading. */
		if (view_starts_with(line, &ENV_HEADING[2]))
			buf_append_char(out, ' ');
		buf_appendf(out, "%s%.*s\n", line.len ? " " : "", VIEW_ARGS(line));
	}
	for (size_t i = 1; i < wishes->count; i++)
		buf_appendf(out, "%s%s%s", i == 1 ? "# also for: " : ", ",
			wishes->entries[i].key.data, i + 1 == wishes->count ? "\n" : "");
}

/* The lines of a variable's entry, without the last line end; NULL if no entry is needed. */
static struct yaml_node *render_entry(
	struct env_rendering *r, const char *name, const struct yaml_node *wishes)
{
	const struct env_line *own = env_text_find(&r->own, view_of(name));
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	const char *value;

	if (own) {
		keep_own(r, name, wishes, own);
		return NULL;
	}
	if (yaml_has_item(r->input->unwanted, view_of(name))) {
		yaml_append(yaml_need(r->output->record, "unwanted", YAML_SEQUENCE),
			yaml_new_string(r->doc, name));
		structured_warn(r->output,
			"'%s' of skill '%s' was removed from '%s' by hand, and stays out; add a line '%s=' to have it again",
			name, wishes->entries[0].key.data, r->input->name, name);
		return NULL;
	}
	value = choose_default(r, name, wishes);
	if (!value)
		return NULL;
	add_outcome(r, name, wishes, value);
	append_comments(wishes, &lines);
	buf_appendf(&lines, "%s=", name);
	env_value_write(value, &lines);
	return yaml_new_string(r->doc, lines.data);
}

/* --- blocks ------------------------------------------------------------------------------ */

static void append_lines(struct buf *out, struct view lines, const char *line_end)
{
	struct view line;

	if (out->len && out->data[out->len - 1] != '\n')
		buf_append_str(out, line_end);
	while (view_next(&lines, '\n', &line)) {
		buf_append(out, line.data, line.len);
		buf_append_str(out, line_end);
	}
}

/* The heading of a block, unless the own content has it. Returns the record of its entries. */
static struct yaml_node *begin_block(struct env_rendering *r, const char *skill, bool in_own)
{
	struct yaml_node *block = yaml_new_mapping(r->doc);
	const struct env_line *last = r->own.count ? &r->own.lines[r->own.count - 1] : NULL;
	bool blank = !in_own && (r->tail.len || (last && !env_line_is_blank(last)));

	yaml_set(yaml_get(r->output->record, "blocks"), skill, block);
	yaml_set(block, "heading", yaml_new_bool(r->doc, !in_own));
	yaml_set(block, "blank", yaml_new_bool(r->doc, blank));
	if (blank)
		buf_append_str(&r->tail, r->line_end);
	if (!in_own)
		buf_appendf(&r->tail, ENV_HEADING "%s%s", skill, r->line_end);
	return yaml_need(block, "entries", YAML_MAPPING);
}

static void render_block(struct env_rendering *r, size_t contribution)
{
	const struct yaml_node *declared = r->declared[contribution];
	const char *skill = r->input->contributions[contribution].skill;
	size_t heading, end, line = 0;
	bool in_own = env_text_find_block(&r->own, view_of(skill), &heading, &end);
	struct yaml_node *entries = NULL;

	if (in_own)
		line = heading + 1;
	for (size_t i = 0; i < declared->count; i++) {
		const char *name = declared->entries[i].key.data;
		const struct yaml_node *wishes = yaml_get(r->wishes, name);
		size_t count;
		const struct env_place *places =
			env_text_places(&r->own, view_of(name), &count);
		struct yaml_node *entry;

		/* After the person's own variables in the block. */
		for (size_t k = 0; in_own && k < count; k++)
			if (places[k].line >= line && places[k].line < end) {
				line = places[k].line + 1;
				break;
			}
		if (!view_equal_str(wishes->entries[0].key, skill))
			continue;
		entry = render_entry(r, name, wishes);
		if (!entry)
			continue;
		if (!entries)
			entries = begin_block(r, skill, in_own);
		yaml_set(entries, name, entry);
		if (!in_own) {
			append_lines(&r->tail, entry->text, r->line_end);
			continue;
		}
		if (!r->inserted[line])
			r->inserted[line] = yaml_new_sequence(r->doc);
		yaml_append(r->inserted[line], entry);
	}
}

static void write_file(const struct env_rendering *r, struct buf *out)
{
	for (size_t i = 0; i <= r->own.count; i++) {
		const struct yaml_node *before = r->inserted[i];

		for (size_t k = 0; before && k < before->count; k++)
			append_lines(out, before->items[k]->text, r->line_end);
		if (i < r->own.count)
			buf_append(out, r->own.lines[i].whole.data, r->own.lines[i].whole.len);
	}
	if (!r->tail.len)
		return;
	append_lines(out, view_of(""), r->line_end);
	buf_append(out, r->tail.data, r->tail.len);
}

int env_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	CLEANUP(env_rendering_release)
	struct env_rendering r = {
		.input = input, .doc = doc, .output = ret_output, .tail = BUF_INIT};

	(void)err;
	env_text_read(input->own, &r.own);
	r.line_end = env_text_line_end(&r.own);
	r.wishes = yaml_new_mapping(doc);
	r.declared = arena_alloc(
		&doc->arena, (input->contribution_count + 1) * sizeof(struct yaml_node *));
	r.inserted = arena_alloc(&doc->arena, (r.own.count + 1) * sizeof(struct yaml_node *));
	ret_output->record = yaml_new_mapping(doc);
	yaml_need(ret_output->record, "blocks", YAML_MAPPING);
	if (input->own.len && !view_ends_with(input->own, "\n"))
		yaml_set_string(
			ret_output->record, "open_end", r.line_end[0] == '\r' ? "crlf" : "lf");
	ret_output->outcome = yaml_new_mapping(doc);
	yaml_need(ret_output->outcome, "variables", YAML_MAPPING);
	for (size_t i = 0; i < input->contribution_count; i++) {
		const struct contribution *from = &input->contributions[i];

		r.declared[i] = env_declared_read(from->declared, doc, NULL);
		for (size_t k = 0; k < r.declared[i]->count; k++) {
			const struct yaml_entry *variable = &r.declared[i]->entries[k];

			yaml_set(yaml_need(r.wishes, variable->key.data, YAML_MAPPING),
				from->skill, variable->value);
		}
	}
	for (size_t i = 0; i < input->contribution_count; i++)
		render_block(&r, i);
	write_file(&r, &ret_output->text);
	return 0;
}

/* --- the format -------------------------------------------------------------------------- */

static void env_check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("declared");

	env_declared_read(declared, doc, faults);
}

static int env_resolved(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	struct yaml_node *value = read_value(text, view_of(clash->key), doc);

	if (value && !utf8_valid(value->text))
		return error_set(err, ERROR_INVALID, "the value of '%s' in '%s' is not UTF-8",
			clash->key, name);
	*ret_value = value;
	return 0;
}

static const char *const env_names[] = {".env.example", NULL};

const struct structured_format structured_env = {
	.member = "env_additions",
	.names = env_names,
	.check = env_check,
	.render = env_render,
	.strip = env_strip,
	.resolved = env_resolved,
};

#include <stdlib.h>
#include <string.h>

#include "engine/structured/env/env_declared.h"
#include "engine/structured/env/structured_env_parts.h"
#include "util/utf8.h"

/* One skill's wish for one variable. */
struct wish {
	size_t skill; /* which contribution */
	const struct env_variable *variable;
};

/* An entry of ours that comes before line `at` of the own content. */
struct insertion {
	size_t at;
	size_t sequence;
	char *lines; /* without the newline at the end */
};

struct rendering {
	const struct structured_input *input;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct env_text own;
	const char *line_end;
	struct env_declared *declared; /* one for each contribution */
	struct wish *wishes;           /* sorted by name, then by skill */
	size_t wish_count, wish_cap;
	struct insertion *insertions;
	size_t insertion_count, insertion_cap;
	struct buf tail; /* the blocks behind the own content */
	struct yaml_node *blocks, *unwanted, *variables;
};

static void rendering_release(struct rendering *r)
{
	for (size_t i = 0; r->declared && i < r->input->contribution_count; i++)
		env_declared_release(&r->declared[i]);
	for (size_t i = 0; i < r->insertion_count; i++)
		free(r->insertions[i].lines);
	free(r->declared);
	free(r->wishes);
	free(r->insertions);
	buf_release(&r->tail);
	env_text_release(&r->own);
}

/* --- who wants what ------------------------------------------------------------- */

static int by_name_and_skill(const void *a, const void *b)
{
	const struct wish *one = a, *two = b;
	int order = strcmp(one->variable->name, two->variable->name);

	return order ? order : (one->skill > two->skill) - (one->skill < two->skill);
}

static void gather_wishes(struct rendering *r)
{
	size_t count = r->input->contribution_count;

	r->declared = xcalloc(count + 1, sizeof(*r->declared));
	for (size_t i = 0; i < count; i++) {
		env_declared_read(r->input->contributions[i].declared, &r->declared[i], NULL);
		for (size_t j = 0; j < r->declared[i].count; j++) {
			GROW(r->wishes, r->wish_count, r->wish_cap);
			r->wishes[r->wish_count++] = (struct wish){i, &r->declared[i].list[j]};
		}
	}
	if (r->wish_count)
		qsort(r->wishes, r->wish_count, sizeof(*r->wishes), by_name_and_skill);
}

/* All wishes for a variable, in the order of skills. */
struct wishes {
	const struct wish *list;
	size_t count;
};

static struct wishes wishes_for(const struct rendering *r, const char *name)
{
	size_t low = 0, high = r->wish_count;
	struct wishes all = {0};

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(r->wishes[middle].variable->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	all.list = &r->wishes[low];
	while (low + all.count < r->wish_count &&
		!strcmp(all.list[all.count].variable->name, name))
		all.count++;
	return all;
}

static const char *skill_of(const struct rendering *r, const struct wish *wish)
{
	return r->input->contributions[wish->skill].skill;
}

/* --- the value of a variable ---------------------------------------------------- */

/* Do all that expect a default expect the same one? `*ret_value` is the first. */
static bool agree(const struct wishes *wishes, const char **ret_value)
{
	*ret_value = "";
	for (size_t i = 0; i < wishes->count; i++) {
		const char *value = wishes->list[i].variable->value;

		if (**ret_value && *value && strcmp(*ret_value, value) != 0)
			return false;
		if (!**ret_value)
			*ret_value = value;
	}
	return true;
}

static void fill_clash(
	const struct rendering *r, const struct wishes *wishes, struct clash *clash)
{
	CLEANUP(buf_release) struct buf about = BUF_INIT;

	buf_appendf(&about, "'%s' in '%s' has different defaults:", clash->key, r->input->name);
	for (size_t i = 0; i < wishes->count; i++) {
		const struct env_variable *variable = wishes->list[i].variable;

		if (!*variable->value)
			continue;
		buf_appendf(&about, "%s '%s' of skill '%s'", clash->claim_count ? "," : "",
			variable->value, skill_of(r, &wishes->list[i]));
		clash_add_claim(clash, skill_of(r, &wishes->list[i]), variable->value);
	}
	free(clash->about);
	clash->about = buf_take(&about);
}

/* The last claim is the last that differs from the first: the sides must not agree. */
static const char *claimed(
	const struct wishes *wishes, const char *former, enum clash_side side)
{
	const char *first = former, *last = NULL;

	for (size_t i = 0; i < wishes->count; i++) {
		const char *value = wishes->list[i].variable->value;

		if (*value && !first)
			first = value;
		if (*value && strcmp(value, first) != 0)
			last = value;
	}
	if (side == CLASH_NEITHER)
		return NULL;
	return side == CLASH_FIRST ? first : last;
}

/* The default of a disputed variable; NULL: it is left out. */
static const char *dispute(struct rendering *r, const struct wishes *wishes)
{
	CLEANUP(clash_list_release) struct clash_list alone = {0};
	const char *name = wishes->list[0].variable->name;
	const struct yaml_node *decision;
	struct clash *clash = clash_list_add(&alone, name);

	fill_clash(r, wishes, clash);
	decision = clash_decision(clash, r->input->decisions);
	if (decision)
		return decision->kind != YAML_SCALAR || yaml_is_null(decision)
			       ? NULL
			       : decision->text.data;
	fill_clash(r, wishes, clash_list_add(&r->output->clashes, name));
	return claimed(
		wishes, clash_former_decision(clash, r->input->decisions), r->input->side);
}

/* --- what came of it ------------------------------------------------------------ */

static void add_outcome(struct rendering *r, const struct wishes *wishes, const char *value)
{
	struct yaml_node *variable = yaml_new_mapping(r->doc);
	struct yaml_node *skills = yaml_new_sequence(r->doc);

	for (size_t i = 0; i < wishes->count; i++)
		yaml_append(skills, yaml_new_string(r->doc, skill_of(r, &wishes->list[i])));
	if (utf8_valid(view_of(value)))
		yaml_set_string(variable, "default", value);
	yaml_set(variable, "skills", skills);
	yaml_set(r->variables, wishes->list[0].variable->name, variable);
}

/* The own content has it: that counts, whatever skills would have written. */
static void keep_own(
	struct rendering *r, const struct wishes *wishes, const struct env_line *line)
{
	CLEANUP(freep) char *value = env_value_read(line->value);

	for (size_t i = 0; i < wishes->count; i++) {
		const struct env_variable *variable = wishes->list[i].variable;

		if (*variable->value && strcmp(variable->value, value) != 0)
			structured_warn(r->output,
				"'%s' has '%s' already, and it stays as it is; "
				"skill '%s' has '%s' for it",
				r->input->name, variable->name, skill_of(r, &wishes->list[i]),
				variable->value);
	}
	add_outcome(r, wishes, value);
}

static bool is_listed(const struct yaml_node *list, const char *name)
{
	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++)
		if (list->items[i]->kind == YAML_SCALAR &&
			view_equal_str(list->items[i]->text, name))
			return true;
	return false;
}

static void leave_out(struct rendering *r, const struct wishes *wishes)
{
	const char *name = wishes->list[0].variable->name;

	yaml_append(r->unwanted, yaml_new_string(r->doc, name));
	structured_warn(r->output,
		"'%s' of skill '%s' was taken out of '%s' by hand, and stays out; "
		"add a line '%s=' to have it again",
		name, skill_of(r, &wishes->list[0]), r->input->name, name);
}

/* --- entries and blocks --------------------------------------------------------- */

static void write_comment(const char *comment, struct buf *out)
{
	struct view rest = view_of(comment), line;

	while (view_next(&rest, '\n', &line)) {
		/* A second blank keeps it from being taken for a heading. */
		bool like_heading = view_starts_with(line, &ENV_HEADING[2]);

		buf_appendf(out, "#%s%.*s\n",
			!line.len      ? ""
			: like_heading ? "  "
				       : " ",
			VIEW_ARGS(line));
	}
}

static char *entry_lines(
	const struct rendering *r, const struct wishes *wishes, const char *value)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;

	for (size_t i = 0; i < wishes->count; i++)
		if (*wishes->list[i].variable->comment) {
			write_comment(wishes->list[i].variable->comment, &lines);
			break;
		}
	for (size_t i = 1; i < wishes->count; i++)
		buf_appendf(&lines, "%s%s%s", i == 1 ? "# also for: " : ", ",
			skill_of(r, &wishes->list[i]), i + 1 == wishes->count ? "\n" : "");
	buf_appendf(&lines, "%s=", wishes->list[0].variable->name);
	env_value_write(value, &lines);
	return buf_take(&lines);
}

/* The lines of the entry of a variable, or NULL if we do not write one. */
static char *make_entry(struct rendering *r, const struct wishes *wishes)
{
	const char *name = wishes->list[0].variable->name, *value;
	const struct env_line *own = env_text_find(&r->own, view_of(name));

	if (own) {
		keep_own(r, wishes, own);
		return NULL;
	}
	if (is_listed(r->input->unwanted, name)) {
		leave_out(r, wishes);
		return NULL;
	}
	if (!agree(wishes, &value))
		value = dispute(r, wishes);
	if (!value)
		return NULL;
	add_outcome(r, wishes, value);
	return entry_lines(r, wishes, value);
}

static void append_lines(struct buf *out, const char *lines, const char *line_end)
{
	struct view rest = view_of(lines), line;

	if (out->len && out->data[out->len - 1] != '\n')
		buf_append_str(out, line_end);
	while (view_next(&rest, '\n', &line)) {
		buf_append(out, line.data, line.len);
		buf_append_str(out, line_end);
	}
}

/* Is there something above a block that is appended now, from which it must be set off? */
static bool needs_blank(const struct rendering *r)
{
	if (r->tail.len)
		return true;
	return r->own.count && !env_line_is_blank(&r->own.lines[r->own.count - 1]);
}

static struct yaml_node *begin_block(struct rendering *r, const char *skill, bool in_own)
{
	struct yaml_node *block = yaml_new_mapping(r->doc);

	yaml_set(r->blocks, skill, block);
	yaml_set(block, "heading", yaml_new_bool(r->doc, !in_own));
	yaml_set(block, "blank", yaml_new_bool(r->doc, !in_own && needs_blank(r)));
	if (!in_own) {
		CLEANUP(freep) char *heading = xasprintf(ENV_HEADING "%s", skill);

		if (needs_blank(r))
			buf_append_str(&r->tail, r->line_end);
		append_lines(&r->tail, heading, r->line_end);
	}
	return yaml_need(block, "entries", YAML_MAPPING);
}

/* Behind the line of this variable in the block, if it is there below `cursor`. */
static size_t move_cursor(
	const struct rendering *r, const char *name, size_t cursor, size_t section_end)
{
	size_t count;
	const struct env_place *places = env_text_places(&r->own, view_of(name), &count);

	for (size_t i = 0; i < count; i++)
		if (places[i].line >= cursor && places[i].line < section_end)
			return places[i].line + 1;
	return cursor;
}

static void insert(struct rendering *r, size_t at, char *lines)
{
	GROW(r->insertions, r->insertion_count, r->insertion_cap);
	r->insertions[r->insertion_count] = (struct insertion){at, r->insertion_count, lines};
	r->insertion_count++;
}

static void render_block(struct rendering *r, size_t skill)
{
	const struct env_declared *declared = &r->declared[skill];
	const char *skill_name = r->input->contributions[skill].skill;
	size_t heading = env_find_heading(&r->own, view_of(skill_name));
	bool in_own = heading != SIZE_MAX;
	size_t cursor = in_own ? heading + 1 : 0;
	size_t end = in_own ? env_section_end(&r->own, heading) : 0;
	struct yaml_node *entries = NULL;

	for (size_t i = 0; i < declared->count; i++) {
		const char *name = declared->list[i].name;
		struct wishes wishes = wishes_for(r, name);
		CLEANUP(freep) char *lines = NULL;

		if (in_own)
			cursor = move_cursor(r, name, cursor, end);
		if (wishes.list[0].skill != skill)
			continue;
		lines = make_entry(r, &wishes);
		if (!lines)
			continue;
		if (!entries)
			entries = begin_block(r, skill_name, in_own);
		yaml_set_string(entries, name, lines);
		if (in_own)
			insert(r, cursor, TAKE(lines));
		else
			append_lines(&r->tail, lines, r->line_end);
	}
}

/* --- the file ------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct insertion *one = a, *two = b;

	if (one->at != two->at)
		return one->at < two->at ? -1 : 1;
	return one->sequence < two->sequence ? -1 : 1;
}

static void write_file(struct rendering *r, struct buf *out)
{
	size_t next = 0;

	if (r->insertion_count)
		qsort(r->insertions, r->insertion_count, sizeof(*r->insertions), by_place);
	for (size_t i = 0; i <= r->own.count; i++) {
		for (; next < r->insertion_count && r->insertions[next].at == i; next++)
			append_lines(out, r->insertions[next].lines, r->line_end);
		if (i < r->own.count)
			buf_append(out, r->own.lines[i].whole.data, r->own.lines[i].whole.len);
	}
	if (!r->tail.len)
		return;
	append_lines(out, "", r->line_end);
	buf_append(out, r->tail.data, r->tail.len);
}

static void write_record(struct rendering *r)
{
	struct view own = r->input->own;
	struct yaml_node *record = yaml_new_mapping(r->doc);

	yaml_set(record, "blocks", r->blocks);
	if (own.len && !view_ends_with(own, "\n"))
		yaml_set_string(record, "open_end", r->line_end[0] == '\r' ? "crlf" : "lf");
	if (r->unwanted->count)
		yaml_set(record, "unwanted", r->unwanted);
	r->output->record = record;
	r->output->outcome = yaml_new_mapping(r->doc);
	yaml_set(r->output->outcome, "variables", r->variables);
}

int structured_env_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	CLEANUP(rendering_release)
	struct rendering r = {
		.input = input, .doc = doc, .output = ret_output, .tail = BUF_INIT};

	(void)err;
	env_text_read(input->own, &r.own);
	r.line_end = env_text_line_end(&r.own);
	r.blocks = yaml_new_mapping(doc);
	r.unwanted = yaml_new_sequence(doc);
	r.variables = yaml_new_mapping(doc);
	gather_wishes(&r);
	for (size_t i = 0; i < input->contribution_count; i++)
		render_block(&r, i);
	write_file(&r, &ret_output->text);
	write_record(&r);
	return 0;
}

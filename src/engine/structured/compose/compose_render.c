#include <string.h>

#include "base/utf8.h"
#include "engine/structured/compose/compose.h"
#include "engine/structured/compose/compose_ports.h"

struct renderer {
	const struct structured_input *input;
	struct compose_file *own;
	const struct compose_plan *plan;
	struct yaml_doc *doc;
	struct yaml_node *record;
	bool newline_added;
	bool made; /* a section */
	struct error *err;
};

/* Is it to be written, and not in the own content under any definition? */
static bool is_new(const struct compose_item *item)
{
	return item->definition && !item->own;
}

/* With the line ends of the file. */
static void add_edit(struct renderer *r, size_t at, size_t len, const struct buf *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] == '\n')
			buf_append_str(&out, r->own->newline);
		else
			buf_append_char(&out, text->data[i]);
	compose_edit(r->own, at, len, out.data);
}

/* Record what `out` has from `start` on as the text of an entry. */
static struct yaml_node *record_entry(struct renderer *r, enum compose_kind kind,
	const struct compose_item *item, const struct buf *out, size_t start)
{
	struct yaml_node *names = yaml_need(r->record, compose_kind_names[kind], YAML_MAPPING);
	struct yaml_node *record = yaml_new_mapping(r->doc);

	yaml_set_view(names, item->name, record);
	yaml_set_string(record, "text", out->data + start);
	if (item->used_by_own)
		yaml_set(record, "own", yaml_new_bool(r->doc, true));
	return record;
}

/* Text at the end of a file whose last line has no line end needs one before it. */
static void end_last_line(struct renderer *r, size_t at, struct buf *text)
{
	struct view own = r->own->text;
	size_t start = view_starts_with(own, UTF8_BOM) ? strlen(UTF8_BOM) : 0;

	if (at < own.len || own.len <= start || r->newline_added ||
		strchr("\r\n", own.data[own.len - 1]))
		return;
	buf_append_char(text, '\n');
	r->newline_added = true;
	yaml_set(r->record, "newline", yaml_new_bool(r->doc, true));
}

/* --- block style --------------------------------------------------------------------- */

/* Set a section apart from the text before it, but not where the line would extend a scalar. */
static bool needs_blank_line(const struct renderer *r, size_t at)
{
	struct view own = r->own->text;
	size_t start;

	if (r->made)
		return true;
	if (!view_trim(view_slice(own, 0, at)).len || view_equal_str(own, UTF8_BOM))
		return false;
	if (r->own->root && yaml_offset(own, r->own->root->end) == at &&
		strchr("\r\n", own.data[at - 1]))
		return false;
	start = compose_line_start(own, own.data[at - 1] == '\n' ? at - 1 : at);
	return start != at && view_trim(view_slice(own, start, at)).len;
}

static void record_made(struct renderer *r, enum compose_kind kind, const char *text)
{
	r->made = true;
	yaml_set_string(
		yaml_need(r->record, "made", YAML_MAPPING), compose_kind_names[kind], text);
}

/* New entries at the end of their section, which is made if it is missing. */
static int add_block_entries(struct renderer *r, enum compose_kind kind)
{
	const struct compose_items *items = &r->plan->kinds[kind];
	const struct compose_section *section = &r->own->sections[kind];
	bool missing = section->style == SECTION_MISSING;
	size_t at = missing ? yaml_offset(r->own->text, r->own->doc->end)
			    : compose_section_end(r->own, section);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t start;

	end_last_line(r, at, &text);
	start = text.len;
	if (missing) {
		if (needs_blank_line(r, at))
			buf_append_char(&text, '\n');
		buf_append_repeated(&text, ' ', r->own->indent);
		buf_appendf(&text, "%s:\n", section->name);
		record_made(r, kind, text.data + start);
	}
	for (size_t i = 0; i < items->count; i++) {
		if (!is_new(&items->list[i]))
			continue;
		start = text.len;
		if (compose_write_block(r->own, section, &items->list[i], &text, r->err) < 0)
			return -1;
		record_entry(r, kind, &items->list[i], &text, start);
	}
	add_edit(r, at, 0, &text);
	return 0;
}

/* --- an empty value ------------------------------------------------------------------ */

/* `{}`, `~` or `null` on the line of the key makes room for entries below. */
static bool take_out_nothing(struct renderer *r, const struct compose_section *section)
{
	struct view text = r->own->text;
	const struct yaml_node *value = section->entry->value;
	size_t start = yaml_offset(text, value->at);
	size_t end = yaml_offset(text, section->entry->end);
	struct view spelled = view_slice(text, start, end < start ? start : end);

	if (value->at.line != section->entry->key_at.line || !spelled.len)
		return false;
	if (section->style == SECTION_EMPTY
			? yaml_plain_type(spelled) != YAML_NULL
			: spelled.len < 2 || spelled.data[0] != '{' ||
				  view_trim(view_slice(spelled, 1, spelled.len - 1)).len)
		return false;
	while (start > 0 && (text.data[start - 1] == ' ' || text.data[start - 1] == '\t'))
		start--;
	yaml_set(yaml_need(r->record, "instead", YAML_MAPPING), section->name,
		yaml_new_string_view(r->doc, view_slice(text, start, end)));
	compose_edit(r->own, start, end - start, "");
	return true;
}

/* --- flow style ---------------------------------------------------------------------- */

static void append_separator(struct buf *out, const struct buf *separator, bool again)
{
	if (again && !separator->len)
		buf_append_str(out, ", ");
	else if (again && separator->data[0] != ',')
		buf_append_char(out, ',');
	buf_append(out, separator->data, separator->len);
}

static int add_flow_entries(struct renderer *r, enum compose_kind kind)
{
	const struct compose_items *items = &r->plan->kinds[kind];
	const struct compose_section *section = &r->own->sections[kind];
	bool missing = section->style == SECTION_MISSING, again = false;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf separator = BUF_INIT;
	size_t at =
		compose_flow_end(r->own, missing ? r->own->root : section->value, &separator);

	if (missing) {
		append_separator(&text, &separator, r->made);
		buf_appendf(&text, "\"%s\": {}", section->name);
		record_made(r, kind, text.data);
		buf_set_len(&text, text.len - 1);
		buf_clear(&separator);
	}
	for (size_t i = 0; i < items->count; i++) {
		size_t start = text.len;

		if (!is_new(&items->list[i]))
			continue;
		append_separator(&text, &separator, again);
		again = true;
		if (compose_write_flow(&items->list[i], &text, r->err) < 0)
			return -1;
		record_entry(r, kind, &items->list[i], &text, start);
	}
	if (missing)
		buf_append_char(&text, '}');
	add_edit(r, at, 0, &text);
	return 0;
}

/* --- sections -------------------------------------------------------------------------- */

static int add_entries(struct renderer *r, enum compose_kind kind)
{
	const struct compose_section *section = &r->own->sections[kind];
	bool flow_root = r->own->root && r->own->root->flow;

	switch (section->style) {
	case SECTION_MISSING:
		return flow_root ? add_flow_entries(r, kind) : add_block_entries(r, kind);
	case SECTION_EMPTY:
		take_out_nothing(r, section);
		return add_block_entries(r, kind);
	case SECTION_BLOCK:
		return add_block_entries(r, kind);
	case SECTION_FLOW:
		if (!flow_root && !section->value->count && take_out_nothing(r, section))
			return add_block_entries(r, kind);
		return add_flow_entries(r, kind);
	case SECTION_ALIAS:
		break;
	}
	return yaml_error_at(r->own->doc, section->entry->key_at, r->err,
		"'%s' is an alias, to which nothing can be added: write it out", section->name);
}

/* An own service makes room for the one that was decided for. */
static int replace_own(struct renderer *r, const struct compose_item *item)
{
	const struct compose_section *section = &r->own->sections[COMPOSE_SERVICES];
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_node *record;
	size_t start, end;
	int result = 0;

	if (section->style == SECTION_ALIAS)
		return yaml_error_at(r->own->doc, section->entry->key_at, r->err,
			"'%s' is an alias, in which nothing can be changed: write it out",
			section->name);
	compose_entry_span(r->own, section, item->own, &start, &end);
	if (section->style == SECTION_BLOCK && item->definition)
		result = compose_write_block(r->own, section, item, &text, r->err);
	else if (section->style == SECTION_FLOW)
		result = compose_write_flow(item, &text, r->err);
	if (result < 0)
		return -1;
	record = record_entry(r, COMPOSE_SERVICES, item, &text, 0);
	yaml_set(record, "was",
		yaml_new_string_view(r->doc, view_slice(r->own->text, start, end)));
	add_edit(r, start, end - start, &text);
	return 0;
}

/* --- checking the result --------------------------------------------------------------- */

static struct yaml_node *expected_tree(const struct renderer *r, struct yaml_doc *doc)
{
	struct yaml_node *root =
		r->own->root ? yaml_copy(doc, r->own->root) : yaml_new_mapping(doc);

	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++)
		for (size_t i = 0; i < r->plan->kinds[kind].count; i++) {
			const struct compose_item *item = &r->plan->kinds[kind].list[i];
			struct yaml_node *section;

			if (item->stays || (!item->definition && !item->own))
				continue;
			section = yaml_need(root, compose_kind_names[kind], YAML_MAPPING);
			if (item->definition)
				yaml_set_view(
					section, item->name, yaml_copy(doc, item->definition));
			else if (r->own->sections[kind].style == SECTION_FLOW)
				yaml_set_view(section, item->name, yaml_new_null(doc));
			else
				yaml_remove(section, item->own->key.data);
		}
	return root;
}

/* The edits are textual: read the result and compare it with the plan. */
static int verify_output(const struct renderer *r, const struct structured_output *output)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new(r->input->name);

	if (compose_file_parse(view_of_buf(&output->text), r->input->name, &file, &ignored) ==
			0 &&
		yaml_equal(file.doc->root, expected_tree(r, doc)))
		return 0;
	error_set(r->err, ERROR_INVALID,
		"%s: services cannot be added to this file without changing what it says%s%s",
		r->input->name, ignored.message ? ": " : "",
		ignored.message ? ignored.message : "");
	return error_hint(r->err,
		"write 'services:', 'volumes:' and 'networks:' as indented blocks, without "
		"anchors on them, and end the last line of the file");
}

/* --- the format -------------------------------------------------------------------------- */

static struct yaml_node *make_outcome(const struct compose_plan *plan, struct yaml_doc *doc)
{
	const struct compose_items *services = &plan->kinds[COMPOSE_SERVICES];
	struct yaml_node *outcome = yaml_new_mapping(doc);
	struct yaml_node *list = yaml_need(outcome, "services", YAML_MAPPING);

	for (size_t i = 0; i < services->count; i++) {
		const struct compose_item *item = &services->list[i];
		struct yaml_node *service = yaml_new_mapping(doc);
		struct yaml_node *host = yaml_new_sequence(doc);
		struct compose_ports ports = {0};

		compose_ports_add(item->definition, &doc->arena, &ports);
		for (size_t k = 0; k < ports.count; k++) {
			CLEANUP(buf_release) struct buf text = BUF_INIT;

			port_range_append(&text, ports.list[k].host);
			yaml_append(host, yaml_new_string(doc, text.data));
		}
		yaml_set(service, "skills", yaml_copy(doc, item->skills));
		yaml_set(service, "ports", host);
		if (item->definition)
			yaml_set_view(list, item->name, service);
	}
	for (size_t kind = COMPOSE_VOLUMES; kind < COMPOSE_KINDS; kind++) {
		list = yaml_need(outcome, compose_kind_names[kind], YAML_SEQUENCE);
		for (size_t i = 0; i < plan->kinds[kind].count; i++)
			if (plan->kinds[kind].list[i].definition)
				yaml_append(list, yaml_new_string_view(
							  doc, plan->kinds[kind].list[i].name));
	}
	return outcome;
}

static int compose_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	CLEANUP(compose_file_release) struct compose_file own = COMPOSE_FILE_INIT;
	struct compose_plan plan = {0};
	struct renderer r = {
		.input = input,
		.own = &own,
		.plan = &plan,
		.doc = doc,
		.record = yaml_new_mapping(doc),
		.err = err,
	};
	bool declares_any = false;
	const struct compose_items *services;

	ret_output->record = r.record;
	for (size_t i = 0; i < input->contribution_count; i++)
		if (input->contributions[i].declared->kind == YAML_MAPPING)
			declares_any = declares_any || input->contributions[i].declared->count;
	if (!declares_any) {
		buf_append(&ret_output->text, input->own.data, input->own.len);
		ret_output->outcome = make_outcome(&plan, doc);
		return 0;
	}
	if (compose_file_parse(input->own, input->name, &own, err) < 0 ||
		compose_plan_make(input, &own, doc, &plan, ret_output, err) < 0)
		return -1;
	ret_output->outcome = make_outcome(&plan, doc);
	/* Existing sections first: at the end of the file they come before new ones. */
	services = &r.plan->kinds[COMPOSE_SERVICES];
	for (size_t i = 0; i < services->count; i++)
		if (services->list[i].own && !services->list[i].stays &&
			replace_own(&r, &services->list[i]) < 0)
			return -1;
	for (int missing = 0; missing < 2; missing++)
		for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
			const struct compose_items *items = &r.plan->kinds[kind];
			bool any = false;

			for (size_t i = 0; i < items->count; i++)
				any = any || is_new(&items->list[i]);
			if ((r.own->sections[kind].style == SECTION_MISSING) == missing &&
				any && add_entries(&r, kind) < 0)
				return -1;
		}
	if (compose_file_write(&own, &ret_output->text, err) < 0)
		return -1;
	return own.edit_count && !ret_output->clashes.count ? verify_output(&r, ret_output) : 0;
}

/* In the order in which compose looks for them. */
static const char *const compose_names[] = {
	"compose.yaml",
	"compose.yml",
	"docker-compose.yml",
	"docker-compose.yaml",
	NULL,
};

const struct structured_format structured_compose = {
	.member = "docker_compose_services",
	.names = compose_names,
	.made_as = "docker-compose.yml",
	.check = compose_check,
	.render = compose_render,
	.strip = compose_strip,
	.resolved = compose_resolved,
	.find_problems = compose_find_problems,
};

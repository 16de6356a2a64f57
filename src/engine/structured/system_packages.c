/*
 * system-packages.txt and `system_packages`.
 *
 * If the file has no content of its own, it is a heading and the sorted names. Otherwise each
 * of our names goes before the first own name that is greater, above the comments of that
 * name, or else to the end. So a sorted list stays sorted.
 *
 * The record:
 *
 *	packages: [names that we wrote]
 *	heading: true		the first line is ours, too
 *	open_end: lf		the own content had no newline at its end, and got this one
 *	unwanted: [names]	what a person has taken out
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/package/structured_format.h"
#include "engine/structured/env/env.h"
#include "engine/structured/system_packages.h"

#define MEMBER  "'system_packages'"
#define HEADING "# Packages of the distribution that skills need; see 'nanoclaw doctor'."

/* --- names ------------------------------------------------------------------------ */

static bool is_package_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '.' ||
	       c == '-';
}

bool system_package_is_valid(struct view name)
{
	if (name.len < 2 || !is_package_char(name.data[0]))
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!is_package_char(name.data[i]))
			return false;
	/* apt takes 'make-' for a wish to remove it, and 'make.' for a pattern. */
	return !strchr("+.-", name.data[0]) && !strchr(".-", name.data[name.len - 1]);
}

struct view system_package_of_line(struct view line)
{
	size_t len = 0;

	line = view_trim(line);
	while (len < line.len && is_package_char(line.data[len]))
		len++;
	line = view_slice(line, 0, len);
	return system_package_is_valid(line) ? line : view_of("");
}

static int compare_names(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

size_t system_packages_read(struct view text, struct view **ret_names)
{
	struct view *names = NULL, line;
	size_t count = 0, cap = 0, kept = 0;

	while (view_next(&text, '\n', &line)) {
		struct view name = system_package_of_line(line);

		if (!name.len)
			continue;
		GROW(names, count, cap);
		names[count++] = name;
	}
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++)
		if (!kept || !view_equal(names[kept - 1], names[i]))
			names[kept++] = names[i];
	*ret_names = names;
	return kept;
}

/* --- declarations --------------------------------------------------------------- */

static void system_check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!declared || yaml_is_null(declared))
		return;
	if (yaml_expect(declared, YAML_SEQUENCE, MEMBER, &err) < 0) {
		faults_add_error(faults, &err);
		return;
	}
	for (size_t i = 0; i < declared->count; i++) {
		const struct yaml_node *item = declared->items[i];
		const char *name;

		if (yaml_string(item, "an item of " MEMBER, &name, &err) == 0) {
			CLEANUP(freep) char *excerpt = utf8_excerpt(view_of(name));

			if (system_package_is_valid(view_of(name)))
				continue;
			yaml_error(item, &err,
				"'%s' is not a package name: lower case letters, digits and "
				"'+', '.', '-', two or more",
				excerpt);
		}
		faults_add_error(faults, &err);
	}
}

/* Map each package to the skills that want it. */
static struct yaml_node *packages_gather(
	const struct contribution *contributions, size_t count, struct yaml_doc *doc)
{
	struct yaml_node *packages = yaml_new_mapping(doc);

	for (size_t i = 0; i < count; i++) {
		const struct yaml_node *declared = contributions[i].declared;

		for (size_t j = 0;
			declared && declared->kind == YAML_SEQUENCE && j < declared->count;
			j++) {
			const struct yaml_node *item = declared->items[j];
			struct yaml_node *skills;

			if (item->kind != YAML_SCALAR || !system_package_is_valid(item->text))
				continue;
			skills = yaml_need(yaml_need(packages, item->text.data, YAML_MAPPING),
				"skills", YAML_SEQUENCE);
			if (skills->count &&
				view_equal_str(skills->items[skills->count - 1]->text,
					contributions[i].skill))
				continue;
			yaml_append(skills, yaml_new_string(doc, contributions[i].skill));
		}
	}
	return packages;
}

/* --- rendering ------------------------------------------------------------------ */

static void append_line(struct buf *out, struct view line, const char *line_end)
{
	if (out->len && out->data[out->len - 1] != '\n')
		buf_append_str(out, line_end);
	buf_append(out, line.data, line.len);
	buf_append_str(out, line_end);
}

struct rendering {
	const struct structured_input *input;
	struct yaml_doc *doc;
	struct structured_output *output;
	struct env_text own;
	struct yaml_node *packages, *ours, *unwanted;
};

/* The packages to write: neither in the file already, nor unwanted. */
static void packages_choose(struct rendering *r)
{
	CLEANUP(freep) struct view *own = NULL;
	size_t count = system_packages_read(r->input->own, &own), at = 0;

	for (size_t i = 0; i < r->packages->count; i++) {
		const struct yaml_entry *package = &r->packages->entries[r->packages->order[i]];

		while (at < count && view_compare(own[at], package->key) < 0)
			at++;
		if (at < count && view_equal(own[at], package->key))
			continue;
		if (!yaml_has_item(r->input->unwanted, package->key)) {
			yaml_append(r->ours, yaml_new_string_view(r->doc, package->key));
			continue;
		}
		yaml_append(r->unwanted, yaml_new_string_view(r->doc, package->key));
		structured_warn(r->output,
			"'%s', which skill '%s' needs, was removed from '%s' by hand, and stays out; add it there to have it again",
			package->key.data,
			yaml_get(package->value, "skills")->items[0]->text.data,
			r->input->name);
	}
}

static void write_file(struct rendering *r, struct buf *out)
{
	size_t next = 0, written = 0;
	const char *line_end = env_text_line_end(&r->own);

	for (size_t i = 0; i < r->own.count && next < r->ours->count; i++) {
		struct view name = system_package_of_line(r->own.lines[i].text);
		size_t top = i;

		/* Above the comments of the line; those at the top are about the whole file. */
		while (top && view_starts_with(view_trim(r->own.lines[top - 1].text), "#"))
			top--;
		top = top ? top : i;
		if (!name.len || view_compare(r->ours->items[next]->text, name) > 0)
			continue;
		for (; written < top; written++)
			env_line_append(&r->own.lines[written], out);
		while (next < r->ours->count &&
			view_compare(r->ours->items[next]->text, name) < 0)
			append_line(out, r->ours->items[next++]->text, line_end);
	}
	for (; written < r->own.count; written++)
		env_line_append(&r->own.lines[written], out);
	for (; next < r->ours->count; next++)
		append_line(out, r->ours->items[next]->text, line_end);
}

static int system_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err)
{
	struct rendering r = {.input = input, .doc = doc, .output = ret_output};
	bool heading;
	struct view own;
	struct yaml_node *record;

	(void)err;
	r.packages = packages_gather(input->contributions, input->contribution_count, doc);
	r.ours = yaml_new_sequence(doc);
	r.unwanted = yaml_new_sequence(doc);
	packages_choose(&r);
	heading = !input->own.len && r.ours->count;
	if (heading)
		append_line(&ret_output->text, view_of(HEADING), "\n");
	env_text_read(input->own, &r.own);
	write_file(&r, &ret_output->text);
	own = r.input->own;
	record = yaml_new_mapping(r.doc);
	yaml_set(record, "packages", r.ours);
	if (heading)
		yaml_set(record, "heading", yaml_new_bool(r.doc, true));
	if (own.len && !view_ends_with(own, "\n"))
		yaml_set_string(
			record, "open_end", *env_text_line_end(&r.own) == '\r' ? "crlf" : "lf");
	if (r.unwanted->count)
		yaml_set(record, "unwanted", r.unwanted);
	r.output->record = record;
	r.output->outcome = yaml_new_mapping(r.doc);
	yaml_set(r.output->outcome, "packages", r.packages);
	env_text_release(&r.own);
	return 0;
}

/* --- stripping ------------------------------------------------------------------ */

struct stripping {
	struct env_text env;
	bool *taken;
	struct yaml_node *unwanted;
};

static void stripping_release(struct stripping *s)
{
	env_text_release(&s->env);
	free(s->taken);
}

/* Mark the first line of each of our names. */
static void take_packages(struct stripping *s, const struct yaml_node *packages)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("names");
	struct yaml_node *left = yaml_new_mapping(doc);

	for (size_t i = 0; i < packages->count; i++)
		if (packages->items[i]->kind == YAML_SCALAR)
			yaml_set_view(left, packages->items[i]->text, yaml_new_bool(doc, true));
	for (size_t i = 0; i < s->env.count; i++) {
		struct yaml_entry *entry = yaml_find(left, s->env.lines[i].text);

		if (!entry || !entry->value)
			continue;
		s->taken[i] = true;
		entry->value = NULL;
	}
}

/* If no other line is left, also remove our heading. */
static void take_heading(struct stripping *s)
{
	for (size_t i = 1; i < s->env.count; i++)
		if (!s->taken[i] && !env_line_is_blank(&s->env.lines[i]))
			return;
	if (s->env.count && view_equal_str(s->env.lines[0].text, HEADING))
		memset(s->taken, true, s->env.count);
}

static void find_unwanted(struct stripping *s, struct view text, const struct yaml_node *list,
	struct yaml_doc *doc)
{
	CLEANUP(freep) struct view *there = NULL;
	size_t count = system_packages_read(text, &there);

	for (size_t i = 0; i < list->count; i++) {
		bool found = false;

		for (size_t j = 0; j < count && !found; j++)
			found = view_equal(there[j], list->items[i]->text);
		if (found)
			continue;
		if (!s->unwanted)
			s->unwanted = yaml_new_sequence(doc);
		yaml_append(s->unwanted, yaml_new_string_view(doc, list->items[i]->text));
	}
}

static int system_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(stripping_release) struct stripping s = {0};
	CLEANUP(structured_output_release)
	struct structured_output as_declared = STRUCTURED_OUTPUT_INIT;
	struct structured_input input = {.name = name,
		.own = view_of(""),
		.contributions = contributions,
		.contribution_count = count};

	if (!record && system_render(&input, doc, &as_declared, err) < 0)
		return -1;
	env_text_read(text, &s.env);
	s.taken = xcalloc(s.env.count + 1, sizeof(*s.taken));
	take_packages(&s,
		yaml_get_kind(record ? record : as_declared.record, "packages", YAML_SEQUENCE));
	if (!record || yaml_get_bool(record, "heading"))
		take_heading(&s);
	if (record) {
		find_unwanted(&s, text, yaml_get_kind(record, "unwanted", YAML_SEQUENCE), doc);
		find_unwanted(&s, text, yaml_get_kind(record, "packages", YAML_SEQUENCE), doc);
	}
	env_text_append_rest(&s.env, s.taken, yaml_get_text(record, "open_end"), ret_own);
	*ret_unwanted = s.unwanted;
	return 0;
}

/* --- the format ----------------------------------------------------------------- */

static const char *const system_names[] = {SYSTEM_PACKAGES_FILE, NULL};

const struct structured_format structured_system = {
	.member = "system_packages",
	.names = system_names,
	.check = system_check,
	.render = system_render,
	.strip = system_strip,
};

#include "engine/structured/structured_declare.h"

#include <string.h>

#include "engine/structured/compose/compose.h"
#include "engine/structured/env/env.h"
#include "engine/structured/internal.h"
#include "engine/structured/npm/npm.h"
#include "engine/structured/system_packages.h"

/* The functions of a format, which are pure functions on text. */
struct declaring {
	const struct structured_format *format;

	/* The new parts of `after`, as a declaration in `doc`; NULL if there are none. */
	struct yaml_node *(*find)(struct view before, struct view after, struct yaml_doc *doc);

	/* `after` without that; false if it cannot be taken out. NULL: it never can. */
	bool (*take_out)(struct view before, struct view after,
		const struct contribution *contribution, struct yaml_doc *doc,
		struct buf *ret_rest);

	bool (*is_same)(struct view a, struct view b);
};

/* --- package.json ----------------------------------------------------------------- */

static bool npm_try_read(struct view text, struct npm_package *ret_package)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return npm_package_parse("package.json", text, ret_package, &err) == 0;
}

/* Neither installed before, nor in two sections now. */
static bool is_new_dependency(json_t *before, json_t *after, const char *name)
{
	for (int i = 0; i < NPM_SECTION_COUNT; i++) {
		json_t *section = npm_section(before, (enum npm_section)i);

		if (section && json_object_get(section, name))
			return false;
		section = npm_section(after, (enum npm_section)i);
		if (i != NPM_DEPENDENCIES && section && json_object_get(section, name))
			return false;
	}
	return npm_spec_of(after, NPM_DEPENDENCIES, name);
}

static struct yaml_node *npm_find_new(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(npm_package_release) struct npm_package old = NPM_PACKAGE_INIT;
	CLEANUP(npm_package_release) struct npm_package new = NPM_PACKAGE_INIT;
	struct yaml_node *found = yaml_new_mapping(doc);
	const char *name;
	json_t *section, *value;

	if (!npm_try_read(before, &old) || !npm_try_read(after, &new))
		return NULL;
	section = npm_section(new.json, NPM_DEPENDENCIES);
	json_object_foreach(section, name, value)
		if (is_new_dependency(old.json, new.json, name))
			yaml_set(found, name, yaml_new_string(doc, json_string_value(value)));
	return found->count ? found : NULL;
}

static bool npm_take_out(struct view before, struct view after,
	const struct contribution *contribution, struct yaml_doc *doc, struct buf *ret_rest)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_node *unwanted = NULL;

	(void)before;
	return structured_npm.strip("package.json", after, NULL, contribution, 1, doc, ret_rest,
		       &unwanted, &err) == 0;
}

static bool npm_is_same(struct view a, struct view b)
{
	CLEANUP(npm_package_release) struct npm_package x = NPM_PACKAGE_INIT;
	CLEANUP(npm_package_release) struct npm_package y = NPM_PACKAGE_INIT;

	return npm_try_read(a, &x) && npm_try_read(b, &y) && json_equal(x.json, y.json);
}

/* --- .env.example ----------------------------------------------------------------- */

static bool has_line(const struct env_text *env, struct view text)
{
	for (size_t i = 0; i < env->count; i++)
		if (view_equal(env->lines[i].text, text))
			return true;
	return false;
}

/* The index of the first line of the comment above it, as far as the comment is new, too. */
static size_t comment_start(const struct env_text *old, const struct env_text *new, size_t line)
{
	while (line > 0 && view_starts_with(new->lines[line - 1].text, "# ") &&
		!new->lines[line - 1].name.len && !has_line(old, new->lines[line - 1].text))
		line--;
	return line;
}

/* Assigned once, only in `new`, and written as the engine would write it. */
static bool is_new_variable(
	const struct env_text *old, const struct env_text *new, size_t index)
{
	const struct env_line *line = &new->lines[index];
	CLEANUP(freep) char *value = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t times;

	if (!line->name.len || line->commented || env_text_find(old, line->name))
		return false;
	env_text_places(new, line->name, &times);
	value = env_value_read(line->value);
	if (times != 1 || !env_value_is_writable(value))
		return false;
	buf_appendf(&text, "%.*s=", VIEW_ARGS(line->name));
	if (*value)
		env_value_write(value, &text);
	return view_equal(line->text, view_of_buf(&text));
}

static struct yaml_node *declare_variable(const struct env_text *old,
	const struct env_text *new, size_t index, struct yaml_doc *doc)
{
	const struct env_line *line = &new->lines[index];
	CLEANUP(freep) char *value = env_value_read(line->value);
	CLEANUP(buf_release) struct buf comment = BUF_INIT;
	struct yaml_node *node;

	for (size_t i = comment_start(old, new, index); i < index; i++)
		buf_appendf(&comment, "%s%.*s", comment.len ? "\n" : "",
			VIEW_ARGS(view_slice(new->lines[i].text, 2, new->lines[i].text.len)));
	if (!*value && !comment.len)
		return yaml_new_string_view(doc, line->name);
	node = yaml_new_mapping(doc);
	yaml_set(node, "name", yaml_new_string_view(doc, line->name));
	if (*value)
		yaml_set_string(node, "default", value);
	if (comment.len)
		yaml_set_string(node, "comment", comment.data);
	return node;
}

static struct yaml_node *env_find_new(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(env_text_release) struct env_text old = ENV_TEXT_INIT;
	CLEANUP(env_text_release) struct env_text new = ENV_TEXT_INIT;
	struct yaml_node *found = yaml_new_sequence(doc);

	env_text_read(before, &old);
	env_text_read(after, &new);
	for (size_t i = 0; i < new.count; i++)
		if (is_new_variable(&old, &new, i))
			yaml_append(found, declare_variable(&old, &new, i, doc));
	return found->count ? found : NULL;
}

static bool env_take_out(struct view before, struct view after,
	const struct contribution *contribution, struct yaml_doc *doc, struct buf *ret_rest)
{
	CLEANUP(env_text_release) struct env_text old = ENV_TEXT_INIT;
	CLEANUP(env_text_release) struct env_text new = ENV_TEXT_INIT;
	CLEANUP(freep) char *blank = NULL;
	const char *end;

	(void)contribution;
	(void)doc;
	env_text_read(before, &old);
	env_text_read(after, &new);
	end = env_text_line_end(&new);
	blank = xasprintf("%s%s", end, end);
	for (size_t i = 0; i < new.count; i++) {
		size_t start = comment_start(&old, &new, i);

		if (!is_new_variable(&old, &new, i)) {
			buf_append(ret_rest, new.lines[i].whole.data, new.lines[i].whole.len);
			continue;
		}
		/* The comment was already appended. */
		for (size_t j = start; j < i; j++)
			buf_set_len(ret_rest, ret_rest->len - new.lines[j].whole.len);
	}
	/* Blank lines at the end only kept the entries apart. */
	while (!view_ends_with(before, blank) && view_ends_with(view_of_buf(ret_rest), blank))
		buf_set_len(ret_rest, ret_rest->len - strlen(end));
	if (view_equal_str(view_of_buf(ret_rest), end) && !before.len)
		buf_clear(ret_rest);
	return true;
}

/* The same assignments, with the same text after the '='. */
static bool has_assignments(const struct env_text *of, const struct env_text *in)
{
	for (size_t i = 0; i < of->count; i++)
		if (of->lines[i].name.len && !has_line(in, of->lines[i].text))
			return false;
	return true;
}

static bool env_is_same(struct view a, struct view b)
{
	CLEANUP(env_text_release) struct env_text x = ENV_TEXT_INIT;
	CLEANUP(env_text_release) struct env_text y = ENV_TEXT_INIT;

	env_text_read(a, &x);
	env_text_read(b, &y);
	return x.place_count == y.place_count && has_assignments(&x, &y) &&
	       has_assignments(&y, &x);
}

/* --- the compose file ------------------------------------------------------------- */

static bool compose_try_read(struct view text, struct compose_file *ret_file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return compose_file_parse(text, "compose.yaml", ret_file, &err) == 0;
}

static struct yaml_node *compose_find_new(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(compose_file_release) struct compose_file old = COMPOSE_FILE_INIT;
	CLEANUP(compose_file_release) struct compose_file new = COMPOSE_FILE_INIT;
	struct yaml_node *found = yaml_new_mapping(doc);
	const struct yaml_node *was, *is;

	if (!compose_try_read(before, &old) || !compose_try_read(after, &new))
		return NULL;
	was = old.sections[COMPOSE_SERVICES].value;
	is = new.sections[COMPOSE_SERVICES].value;
	for (size_t i = 0; is && i < is->count; i++)
		if (!was || !yaml_find(was, is->entries[i].key))
			yaml_set_view(found, is->entries[i].key,
				yaml_copy(doc, is->entries[i].value));
	return found->count ? found : NULL;
}

static bool compose_is_empty(const struct yaml_node *node)
{
	return node->kind == YAML_MAPPING ? !node->count
					  : node->kind == YAML_SCALAR && yaml_is_null(node);
}

/* `volume:` and `volume: {}` are the same. */
static bool compose_has_entries(const struct yaml_node *of, const struct yaml_node *in)
{
	for (size_t i = 0; of && i < of->count; i++) {
		const struct yaml_entry *entry = in ? yaml_find(in, of->entries[i].key) : NULL;

		if (!entry || (!yaml_equal(of->entries[i].value, entry->value) &&
				      !(compose_is_empty(of->entries[i].value) &&
					      compose_is_empty(entry->value))))
			return false;
	}
	return true;
}

static bool compose_has_all(const struct compose_file *of, const struct compose_file *in)
{
	for (int i = 0; i < COMPOSE_KINDS; i++)
		if (!compose_has_entries(of->sections[i].value, in->sections[i].value))
			return false;
	for (size_t i = 0; of->root && i < of->root->count; i++) {
		const struct yaml_entry *entry = &of->root->entries[i];
		const struct yaml_entry *other =
			in->root ? yaml_find(in->root, entry->key) : NULL;
		bool section = false;

		for (int kind = 0; kind < COMPOSE_KINDS; kind++)
			section |= view_equal_str(entry->key, compose_kind_names[kind]);
		if (!section && (!other || !yaml_equal(entry->value, other->value)))
			return false;
	}
	return true;
}

static bool compose_is_same(struct view a, struct view b)
{
	CLEANUP(compose_file_release) struct compose_file x = COMPOSE_FILE_INIT;
	CLEANUP(compose_file_release) struct compose_file y = COMPOSE_FILE_INIT;

	return compose_try_read(a, &x) && compose_try_read(b, &y) && compose_has_all(&x, &y) &&
	       compose_has_all(&y, &x);
}

/* --- system-packages.txt ---------------------------------------------------------- */

static struct yaml_node *system_find_new(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(freep) struct view *old = NULL;
	CLEANUP(freep) struct view *new = NULL;
	size_t old_count = system_packages_read(before, &old);
	size_t new_count = system_packages_read(after, &new);
	struct yaml_node *found = yaml_new_sequence(doc);

	for (size_t i = 0, at = 0; i < new_count; i++) { /* both are sorted */
		while (at < old_count && view_compare(old[at], new[i]) < 0)
			at++;
		if (at == old_count || !view_equal(old[at], new[i]))
			yaml_append(found, yaml_new_string_view(doc, new[i]));
	}
	return found->count ? found : NULL;
}

static bool system_is_same(struct view a, struct view b)
{
	CLEANUP(freep) struct view *x = NULL;
	CLEANUP(freep) struct view *y = NULL;
	size_t x_count = system_packages_read(a, &x);
	size_t y_count = system_packages_read(b, &y);

	if (x_count != y_count)
		return false;
	for (size_t i = 0; i < x_count; i++)
		if (!view_equal(x[i], y[i]))
			return false;
	return true;
}

/* --- all of them ------------------------------------------------------------------ */

static const struct declaring formats[] = {
	{&structured_npm, npm_find_new, npm_take_out, npm_is_same},
	{&structured_env, env_find_new, env_take_out, env_is_same},
	{&structured_compose, compose_find_new, NULL, compose_is_same},
	{&structured_system, system_find_new, NULL, system_is_same},
};

static const struct declaring *declaring_for(const struct structured_format *format)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(formats) && formats[i].format != format)
		i++;
	return &formats[i];
}

bool structured_same_meaning(
	const struct structured_format *format, struct view a, struct view b)
{
	return view_equal(a, b) || declaring_for(format)->is_same(a, b);
}

void structured_declared_release(struct structured_declared *declared)
{
	buf_release(&declared->before);
	buf_release(&declared->after);
}

/* Comments are written for people: is one of `text` in neither of the others? */
static bool loses_comment(struct view text, struct view a, struct view b)
{
	struct view line, other, rest;

	while (view_next(&text, '\n', &line)) {
		bool found = false;

		line = view_trim(line);
		if (!view_starts_with(line, "#"))
			continue;
		for (rest = a; !found && view_next(&rest, '\n', &other);)
			found = view_equal(view_trim(other), line);
		for (rest = b; !found && view_next(&rest, '\n', &other);)
			found = view_equal(view_trim(other), line);
		if (!found)
			return true;
	}
	return false;
}

struct attempt {
	const struct structured_work *work;
	const struct structured_edit *edit;
	const struct structured_own *own; /* before */
	struct yaml_node *declared;
};

/* Does this own content, with the declaration, give the file after the edit? */
static bool attempt_succeeds(const struct attempt *t, struct view own, bool *ret_by_meaning)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(contributions_release) struct contributions all = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct session *s = t->work->session;
	const struct structured_format *format = t->edit->format;
	struct view after = view_of_buf(&t->edit->after->content), made;
	struct structured_input input = {
		.name = t->work->path.text,
		.own = own,
		.decisions = structured_decisions(&s->state, format),
		.unwanted = t->own->unwanted,
	};

	contributions_collect(&s->state, s->state.skill_count, format, &all);
	contributions_add(&all, t->edit->skill, t->declared);
	input.contributions = all.list;
	input.contribution_count = all.count;
	if (format->render(&input, s->state.doc, &output, &err) < 0 || output.clashes.count)
		return false;
	made = view_of_buf(&output.text);
	*ret_by_meaning = !view_equal(made, after);
	return !*ret_by_meaning ||
	       (!t->edit->exact && structured_same_meaning(format, made, after) &&
		       !loses_comment(after, own, made));
}

/* `ret_rest` is the rest of the own content, without the declaration. */
static bool try_to_declare(
	struct attempt *t, struct view own_after, struct buf *ret_rest, bool *ret_by_meaning)
{
	const struct declaring *with = declaring_for(t->edit->format);
	struct yaml_doc *doc = t->work->session->state.doc;
	struct view before = view_of_buf(&t->own->text);
	struct contribution contribution = {t->edit->skill, NULL};
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	t->declared = with->find(before, own_after, doc);
	if (!t->declared)
		return false;
	t->edit->format->check(t->declared, &faults);
	if (faults.errors)
		return false;
	if (attempt_succeeds(t, before, ret_by_meaning)) {
		buf_append(ret_rest, before.data, before.len);
		return true;
	}
	contribution.declared = t->declared;
	return with->take_out &&
	       with->take_out(before, own_after, &contribution, doc, ret_rest) &&
	       attempt_succeeds(t, view_of_buf(ret_rest), ret_by_meaning);
}

int structured_declare(struct session *s, const struct structured_edit *edit,
	struct yaml_doc *doc, struct structured_declared *ret_declared, struct error *err)
{
	CLEANUP(structured_work_release)
	struct structured_work work = {
		.session = s,
		.format = edit->format,
		.skills = &(struct string_array){0},
		.path = relpath_copy(edit->path),
		.file = TX_FILE_INIT,
	};
	CLEANUP(structured_own_release) struct structured_own before = STRUCTURED_OWN_INIT;
	CLEANUP(structured_own_release) struct structured_own after = STRUCTURED_OWN_INIT;
	struct structured_declared found = STRUCTURED_DECLARED_INIT;
	struct attempt attempt = {.work = &work, .edit = edit, .own = &before};
	const char *path = NULL;

	work.entry = structured_entry(&s->state, edit->format, &path);
	if (path && strcmp(path, edit->path->text) != 0)
		work.entry = NULL;
	if (structured_find_own(&work, edit->before, &before, err) < 0 ||
		structured_find_own(&work, edit->after, &after, err) < 0)
		return -1;
	if (try_to_declare(
		    &attempt, view_of_buf(&after.text), &found.after, &found.by_meaning)) {
		found.declared = yaml_copy(doc, attempt.declared);
	} else {
		buf_release(&found.after);
		found.after = after.text;
		after.text = BUF_INIT;
		found.by_meaning = false;
	}
	found.before = before.text;
	before.text = BUF_INIT;
	*ret_declared = found;
	return 0;
}

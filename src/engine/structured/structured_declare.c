#include "engine/structured/structured_declare.h"

#include <string.h>

#include "engine/structured/compose/compose.h"
#include "engine/structured/env/env.h"
#include "engine/structured/internal.h"
#include "engine/structured/npm/npm.h"
#include "engine/structured/system_packages.h"

/* What a format knows about it, as pure functions on text. */
struct declaring {
	const struct structured_format *format;

	/* What is new in `after`, as a declaration in `doc`; NULL: nothing. */
	struct yaml_node *(*find)(struct view before, struct view after, struct yaml_doc *doc);

	/* `after` without that; false if it cannot be taken out. NULL: it never can. */
	bool (*take_out)(struct view before, struct view after,
		const struct contribution *contribution, struct yaml_doc *doc,
		struct buf *ret_rest);

	bool (*is_same)(struct view a, struct view b);
};

/* --- package.json ----------------------------------------------------------------- */

static bool read_npm(struct view text, struct npm_package *ret_package)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return npm_package_read("package.json", text, ret_package, &err) == 0;
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

static struct yaml_node *find_npm(struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(npm_package_release) struct npm_package old = NPM_PACKAGE_INIT;
	CLEANUP(npm_package_release) struct npm_package new = NPM_PACKAGE_INIT;
	struct yaml_node *found = yaml_new_mapping(doc);
	const char *name;
	json_t *section, *value;

	if (!read_npm(before, &old) || !read_npm(after, &new))
		return NULL;
	section = npm_section(new.json, NPM_DEPENDENCIES);
	json_object_foreach(section, name, value)
		if (is_new_dependency(old.json, new.json, name))
			yaml_set(found, name, yaml_new_string(doc, json_string_value(value)));
	return found->count ? found : NULL;
}

static bool take_out_npm(struct view before, struct view after,
	const struct contribution *contribution, struct yaml_doc *doc, struct buf *ret_rest)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_node *unwanted = NULL;

	(void)before;
	return structured_npm.strip("package.json", after, NULL, contribution, 1, doc, ret_rest,
		       &unwanted, &err) == 0;
}

static bool is_same_npm(struct view a, struct view b)
{
	CLEANUP(npm_package_release) struct npm_package x = NPM_PACKAGE_INIT;
	CLEANUP(npm_package_release) struct npm_package y = NPM_PACKAGE_INIT;

	return read_npm(a, &x) && read_npm(b, &y) && json_equal(x.json, y.json);
}

/* --- .env.example ----------------------------------------------------------------- */

/* Is it written as the engine would write it? */
static bool is_as_written(const struct env_line *line, const char *value)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text, "%.*s=", VIEW_ARGS(line->name));
	if (!env_value_is_writable(value))
		return false;
	if (*value)
		env_value_write(value, &text);
	return view_equal(line->text, view_of_buf(&text));
}

static bool has_line(const struct env_text *env, struct view text)
{
	for (size_t i = 0; i < env->count; i++)
		if (view_equal(env->lines[i].text, text))
			return true;
	return false;
}

/* The index of the first line of the comment above that is new as well. */
static size_t comment_start(const struct env_text *old, const struct env_text *new, size_t line)
{
	while (line > 0 && view_starts_with(new->lines[line - 1].text, "# ") &&
		!new->lines[line - 1].name.len && !has_line(old, new->lines[line - 1].text))
		line--;
	return line;
}

static bool is_new_variable(
	const struct env_text *old, const struct env_text *new, size_t index)
{
	const struct env_line *line = &new->lines[index];
	CLEANUP(freep) char *value = NULL;
	size_t times;

	if (!line->name.len || line->commented || env_text_find(old, line->name))
		return false;
	env_text_places(new, line->name, &times);
	value = env_value_read(line->value);
	return times == 1 && is_as_written(line, value);
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

static struct yaml_node *find_env(struct view before, struct view after, struct yaml_doc *doc)
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

/* Blank lines at the end that were only there to keep the entries apart. */
static void drop_blank_end(struct view before, const char *end, struct buf *rest)
{
	CLEANUP(freep) char *blank = xasprintf("%s%s", end, end);

	while (!view_ends_with(before, blank) && view_ends_with(view_of_buf(rest), blank))
		buf_set_len(rest, rest->len - strlen(end));
	if (view_equal_str(view_of_buf(rest), end) && !before.len)
		buf_clear(rest);
}

static bool take_out_env(struct view before, struct view after,
	const struct contribution *contribution, struct yaml_doc *doc, struct buf *ret_rest)
{
	CLEANUP(env_text_release) struct env_text old = ENV_TEXT_INIT;
	CLEANUP(env_text_release) struct env_text new = ENV_TEXT_INIT;

	(void)contribution;
	(void)doc;
	env_text_read(before, &old);
	env_text_read(after, &new);
	for (size_t i = 0; i < new.count; i++) {
		size_t start = comment_start(&old, &new, i);

		if (!is_new_variable(&old, &new, i)) {
			buf_append(ret_rest, new.lines[i].whole.data, new.lines[i].whole.len);
			continue;
		}
		/* The comment is there already. */
		for (size_t j = start; j < i; j++)
			buf_set_len(ret_rest, ret_rest->len - new.lines[j].whole.len);
	}
	drop_blank_end(before, env_text_line_end(&new), ret_rest);
	return true;
}

/* The same assignments, with the same text behind the '='. */
static bool has_assignments(const struct env_text *of, const struct env_text *in)
{
	for (size_t i = 0; i < of->count; i++)
		if (of->lines[i].name.len && !has_line(in, of->lines[i].text))
			return false;
	return true;
}

static bool is_same_env(struct view a, struct view b)
{
	CLEANUP(env_text_release) struct env_text x = ENV_TEXT_INIT;
	CLEANUP(env_text_release) struct env_text y = ENV_TEXT_INIT;

	env_text_read(a, &x);
	env_text_read(b, &y);
	return x.place_count == y.place_count && has_assignments(&x, &y) &&
	       has_assignments(&y, &x);
}

/* --- the compose file ------------------------------------------------------------- */

static bool read_compose(struct view text, struct compose_file *ret_file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return compose_file_read(text, "compose.yaml", ret_file, &err) == 0;
}

static struct yaml_node *find_compose(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(compose_file_release) struct compose_file old = COMPOSE_FILE_INIT;
	CLEANUP(compose_file_release) struct compose_file new = COMPOSE_FILE_INIT;
	struct yaml_node *found = yaml_new_mapping(doc);
	const struct yaml_node *was, *is;

	if (!read_compose(before, &old) || !read_compose(after, &new))
		return NULL;
	was = old.sections[COMPOSE_SERVICES].value;
	is = new.sections[COMPOSE_SERVICES].value;
	for (size_t i = 0; is && i < is->count; i++)
		if (!was || !yaml_find(was, is->entries[i].key))
			yaml_set_view(found, is->entries[i].key,
				yaml_copy(doc, is->entries[i].value));
	return found->count ? found : NULL;
}

static bool is_nothing(const struct yaml_node *node)
{
	return node->kind == YAML_MAPPING ? !node->count
					  : node->kind == YAML_SCALAR && yaml_is_null(node);
}

/* `volume:` and `volume: {}` are the same. */
static bool has_entries(const struct yaml_node *of, const struct yaml_node *in)
{
	for (size_t i = 0; of && i < of->count; i++) {
		const struct yaml_entry *entry = in ? yaml_find(in, of->entries[i].key) : NULL;

		if (!entry || (!yaml_equal(of->entries[i].value, entry->value) &&
				      !(is_nothing(of->entries[i].value) &&
					      is_nothing(entry->value))))
			return false;
	}
	return true;
}

static bool is_section(struct view key)
{
	for (int i = 0; i < COMPOSE_KINDS; i++)
		if (view_equal_str(key, compose_kind_names[i]))
			return true;
	return false;
}

static bool has_all(const struct compose_file *of, const struct compose_file *in)
{
	for (int i = 0; i < COMPOSE_KINDS; i++)
		if (!has_entries(of->sections[i].value, in->sections[i].value))
			return false;
	for (size_t i = 0; of->root && i < of->root->count; i++) {
		const struct yaml_entry *entry = &of->root->entries[i];
		const struct yaml_entry *other =
			in->root ? yaml_find(in->root, entry->key) : NULL;

		if (!is_section(entry->key) &&
			(!other || !yaml_equal(entry->value, other->value)))
			return false;
	}
	return true;
}

static bool is_same_compose(struct view a, struct view b)
{
	CLEANUP(compose_file_release) struct compose_file x = COMPOSE_FILE_INIT;
	CLEANUP(compose_file_release) struct compose_file y = COMPOSE_FILE_INIT;

	return read_compose(a, &x) && read_compose(b, &y) && has_all(&x, &y) && has_all(&y, &x);
}

/* --- system-packages.txt ---------------------------------------------------------- */

static bool has_name(const struct view *names, size_t count, struct view name)
{
	for (size_t i = 0; i < count; i++)
		if (view_equal(names[i], name))
			return true;
	return false;
}

static struct yaml_node *find_system(
	struct view before, struct view after, struct yaml_doc *doc)
{
	CLEANUP(freep) struct view *old = NULL;
	CLEANUP(freep) struct view *new = NULL;
	size_t old_count = system_packages_read(before, &old);
	size_t new_count = system_packages_read(after, &new);
	struct yaml_node *found = yaml_new_sequence(doc);

	for (size_t i = 0; i < new_count; i++)
		if (!has_name(old, old_count, new[i]))
			yaml_append(found, yaml_new_string_view(doc, new[i]));
	return found->count ? found : NULL;
}

static bool is_same_system(struct view a, struct view b)
{
	CLEANUP(freep) struct view *x = NULL;
	CLEANUP(freep) struct view *y = NULL;
	size_t x_count = system_packages_read(a, &x);
	size_t y_count = system_packages_read(b, &y);

	for (size_t i = 0; i < x_count; i++)
		if (x_count != y_count || !view_equal(x[i], y[i]))
			return false;
	return x_count == y_count;
}

/* --- all of them ------------------------------------------------------------------ */

static const struct declaring formats[] = {
	{&structured_npm, find_npm, take_out_npm, is_same_npm},
	{&structured_env, find_env, take_out_env, is_same_env},
	{&structured_compose, find_compose, NULL, is_same_compose},
	{&structured_system, find_system, NULL, is_same_system},
};

static const struct declaring *declaring_of(const struct structured_format *format)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(formats) && formats[i].format != format)
		i++;
	return &formats[i];
}

bool structured_same_meaning(
	const struct structured_format *format, struct view a, struct view b)
{
	return view_equal(a, b) || declaring_of(format)->is_same(a, b);
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
	struct structured_own own; /* before */
	struct yaml_node *declared;
};

static int by_skill(const void *a, const void *b)
{
	const struct contribution *x = a, *y = b;

	return strcmp(x->skill, y->skill);
}

/* Does this own content, with what is declared, give the file after the edit? */
static bool gives_it(const struct attempt *t, struct view own, bool *ret_by_meaning)
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
		.unwanted = t->own.unwanted,
	};

	contributions_collect(&s->state, s->state.skill_count, format, &all);
	GROW(all.list, all.count, all.cap);
	all.list[all.count++] = (struct contribution){t->edit->skill, t->declared};
	qsort(all.list, all.count, sizeof(*all.list), by_skill);
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

/* `ret_rest` is the own content that is left beside what is declared. */
static bool try_to_declare(
	struct attempt *t, struct view own_after, struct buf *ret_rest, bool *ret_by_meaning)
{
	const struct declaring *with = declaring_of(t->edit->format);
	struct yaml_doc *doc = t->work->session->state.doc;
	struct view before = view_of_buf(&t->own.text);
	struct contribution contribution = {t->edit->skill, NULL};
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	t->declared = with->find(before, own_after, doc);
	if (!t->declared)
		return false;
	t->edit->format->check(t->declared, &faults);
	if (faults.errors)
		return false;
	if (gives_it(t, before, ret_by_meaning)) {
		buf_append(ret_rest, before.data, before.len);
		return true;
	}
	contribution.declared = t->declared;
	return with->take_out &&
	       with->take_out(before, own_after, &contribution, doc, ret_rest) &&
	       gives_it(t, view_of_buf(ret_rest), ret_by_meaning);
}

static int find_both(const struct structured_work *work, const struct structured_edit *edit,
	struct structured_own *before, struct structured_own *after, struct error *err)
{
	return structured_find_own(work, edit->before, before, err) < 0 ||
			       structured_find_own(work, edit->after, after, err) < 0
		       ? -1
		       : 0;
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
	CLEANUP(structured_own_release) struct structured_own after = STRUCTURED_OWN_INIT;
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	struct attempt attempt = {.work = &work, .edit = edit, .own = STRUCTURED_OWN_INIT};
	const char *path = NULL;
	int failed;

	work.entry = structured_entry(&s->state, edit->format, &path);
	if (path && strcmp(path, edit->path->text) != 0)
		work.entry = NULL;
	failed = find_both(&work, edit, &attempt.own, &after, err) < 0;
	if (!failed) {
		ret_declared->before = attempt.own.text;
		ret_declared->after = after.text;
		after.text = BUF_INIT;
		if (try_to_declare(&attempt, view_of_buf(&ret_declared->after), &rest,
			    &ret_declared->by_meaning)) {
			ret_declared->declared = yaml_copy(doc, attempt.declared);
			buf_release(&ret_declared->after);
			ret_declared->after = rest;
			rest = BUF_INIT;
		} else {
			ret_declared->by_meaning = false;
		}
	} else {
		structured_own_release(&attempt.own);
	}
	return failed ? -1 : 0;
}

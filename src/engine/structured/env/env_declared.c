#include "engine/structured/env/env_declared.h"

#include <stdlib.h>
#include <string.h>

#include "engine/structured/env/env_text.h"
#include "util/utf8.h"
#include "util/yaml_build.h"

#define MEMBER "'env_additions'"

struct reading {
	struct env_declared *declared;
	struct yaml_doc *index_doc;
	struct yaml_node *index; /* names to their place in the list */
	struct faults *faults;
};

static void report(const struct reading *reading, struct error *err)
{
	if (reading->faults)
		faults_add_error(reading->faults, err);
	else
		error_clear(err);
}

/* A text, or "" for null. */
static int read_text(const struct yaml_node *node, const char *what, const char **ret_text,
	struct error *err)
{
	*ret_text = "";
	if (!node || yaml_is_null(node))
		return 0;
	return yaml_string(node, what, ret_text, err);
}

static int check_name(
	const struct yaml_node *node, struct yaml_place at, struct view name, struct error *err)
{
	CLEANUP(freep) char *excerpt = NULL;

	if (env_name_is_valid(name))
		return 0;
	excerpt = utf8_excerpt(name);
	return yaml_error_at(node->doc, at, err,
		"'%s' is no name of a variable: letters, digits and '_', and no digit first",
		excerpt);
}

static int check_texts(const struct yaml_node *node, const char *name, const char *value,
	const char *comment, struct error *err)
{
	if (strpbrk(value, "\r\n"))
		return yaml_error(node, err, "the default of '%s' must be one line", name);
	if (!env_value_is_writable(value))
		return yaml_error(node, err,
			"the default of '%s' cannot be written so that all read the same: "
			"it has control characters, or quotes or a backslash at the end "
			"that no quotes can enclose",
			name);
	for (const char *c = comment; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
			return yaml_error(
				node, err, "the comment of '%s' has control characters", name);
	return 0;
}

static struct env_variable *find(const struct reading *reading, struct view name)
{
	const struct yaml_entry *entry = yaml_find(reading->index, name);

	return entry ? &reading->declared->list[strtoul(entry->value->text.data, NULL, 10)]
		     : NULL;
}

static int add_again(const struct yaml_node *node, const struct env_variable *there,
	const char *value, struct error *err)
{
	if (!*value || !strcmp(there->value, value))
		return 0;
	return yaml_error(node, err, "'%s' is declared twice, with '%s' and with '%s'",
		there->name, there->value, value);
}

static int add(struct reading *reading, const struct yaml_node *node, struct yaml_place at,
	struct view name, const char *value, const char *comment, struct error *err)
{
	struct env_declared *declared = reading->declared;
	const struct env_variable *there;
	char *text;

	if (check_name(node, at, name, err) < 0)
		return -1;
	there = find(reading, name);
	if (there)
		return add_again(node, there, value, err);
	text = xmemdupz(name.data, name.len);
	if (check_texts(node, text, value, comment, err) < 0) {
		free(text);
		return -1;
	}
	yaml_set(reading->index, text,
		yaml_new_int(reading->index_doc, (int64_t)declared->count));
	GROW(declared->list, declared->count, declared->cap);
	declared->list[declared->count++] = (struct env_variable){
		.name = text, .value = xstrdup(value), .comment = xstrdup(comment)};
	return 0;
}

/* {default, comment}, and in a list also the name. */
static int check_members(const struct yaml_node *mapping, bool with_name, struct error *err)
{
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];
		CLEANUP(freep) char *excerpt = NULL;

		if (view_equal_str(entry->key, "default") ||
			view_equal_str(entry->key, "comment") ||
			(with_name && view_equal_str(entry->key, "name")))
			continue;
		excerpt = utf8_excerpt(entry->key);
		return yaml_error_at(mapping->doc, entry->key_at, err,
			"'%s' is not known here: a variable has %s'default' and 'comment'",
			excerpt, with_name ? "'name', " : "");
	}
	return 0;
}

static int read_mapping(struct reading *reading, const struct yaml_node *mapping,
	bool with_name, struct yaml_place at, struct view name, struct error *err)
{
	const char *value, *comment;
	size_t len;

	if (check_members(mapping, with_name, err) < 0 ||
		read_text(yaml_get(mapping, "default"), "the default of a variable", &value,
			err) < 0 ||
		read_text(yaml_get(mapping, "comment"), "the comment of a variable", &comment,
			err) < 0)
		return -1;
	len = strlen(comment);
	while (len && comment[len - 1] == '\n')
		len--;

	CLEANUP(freep) char *trimmed = xmemdupz(comment, len);

	return add(reading, mapping, at, name, value, trimmed, err);
}

/* NAME: default, or NAME: {default, comment} */
static int read_entry(
	struct reading *reading, const struct yaml_entry *entry, struct error *err)
{
	const char *value;

	if (entry->value->kind == YAML_MAPPING)
		return read_mapping(
			reading, entry->value, false, entry->key_at, entry->key, err);
	if (read_text(entry->value, "the default of a variable", &value, err) < 0)
		return -1;
	return add(reading, entry->value, entry->key_at, entry->key, value, "", err);
}

/* NAME, NAME=default, or NAME="the default" */
static int read_string(struct reading *reading, const struct yaml_node *node, struct error *err)
{
	struct view text = node->text, name;
	CLEANUP(freep) char *value = NULL;
	bool quoted;

	if (!view_next(&text, '=', &name))
		name = text;
	text = view_trim(text);
	quoted = text.len > 1 && strchr("'\"`", text.data[0]) &&
		 text.data[text.len - 1] == text.data[0];
	value = quoted ? xmemdupz(text.data + 1, text.len - 2) : xmemdupz(text.data, text.len);
	return add(reading, node, node->at, view_trim(name), value, "", err);
}

static int read_item(struct reading *reading, const struct yaml_node *item, struct error *err)
{
	const struct yaml_node *node;
	const char *name;

	if (item->kind == YAML_SCALAR)
		return yaml_string(item, "an item of " MEMBER, &name, err) < 0
			       ? -1
			       : read_string(reading, item, err);
	if (yaml_expect(item, YAML_MAPPING, "an item of " MEMBER, err) < 0)
		return -1;
	node = yaml_get(item, "name");
	if (!node && item->count == 1)
		return read_entry(reading, &item->entries[0], err);
	if (!node)
		return yaml_error(item, err, "a variable needs a 'name'");
	if (yaml_string(node, "the name of a variable", &name, err) < 0)
		return -1;
	return read_mapping(reading, item, true, node->at, view_of(name), err);
}

void env_declared_read(
	const struct yaml_node *node, struct env_declared *ret_declared, struct faults *faults)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("names");
	struct reading reading = {ret_declared, doc, yaml_new_mapping(doc), faults};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!node || yaml_is_null(node))
		return;
	if (node->kind == YAML_SCALAR) {
		yaml_expect(node, YAML_SEQUENCE, MEMBER, &err);
		report(&reading, &err);
		return;
	}
	for (size_t i = 0; i < node->count; i++) {
		int failed = node->kind == YAML_SEQUENCE
				     ? read_item(&reading, node->items[i], &err)
				     : read_entry(&reading, &node->entries[i], &err);

		if (failed)
			report(&reading, &err);
	}
}

void env_declared_release(struct env_declared *declared)
{
	for (size_t i = 0; i < declared->count; i++) {
		free(declared->list[i].name);
		free(declared->list[i].value);
		free(declared->list[i].comment);
	}
	free(declared->list);
	*declared = ENV_DECLARED_INIT;
}

#include <string.h>

#include "base/utf8.h"
#include "engine/structured/env/env.h"

#define MEMBER "'env_additions'"

/* `node` locates the default, `at` the name. */
static int add_variable(struct yaml_node *declared, const struct yaml_node *node,
	struct yaml_place at, struct view name, const char *value, const char *comment,
	struct error *err)
{
	CLEANUP(freep) char *excerpt = utf8_excerpt(name);
	const struct yaml_entry *there = yaml_find(declared, name);
	struct yaml_node *variable;

	if (!env_name_is_valid(name))
		return yaml_error_at(node->doc, at, err,
			"'%s' is not a variable name: letters, digits and '_', and no digit first",
			excerpt);
	if (there) {
		const char *before = yaml_get_text(there->value, "default");

		if (!*value || !strcmp(before, value))
			return 0;
		return yaml_error(node, err, "'%s' is declared twice, with '%s' and with '%s'",
			there->key.data, before, value);
	}
	if (strpbrk(value, "\r\n"))
		return yaml_error(node, err, "the default of '%s' must be one line", excerpt);
	if (!env_value_is_writable(value))
		return yaml_error(node, err,
			"the default of '%s' cannot be written so that every reader agrees: it has control characters, or quotes or a backslash at the end that no quotes can enclose",
			excerpt);
	for (const char *c = comment; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
			return yaml_error(node, err,
				"the comment of '%s' has control characters", excerpt);
	variable = yaml_new_mapping(declared->doc);
	yaml_set_string(variable, "default", value);
	yaml_set_string(variable, "comment", comment);
	yaml_set_view(declared, name, variable);
	return 0;
}

/* A text, or "" for null. */
static int read_optional_text(const struct yaml_node *node, const char *what,
	const char **ret_text, struct error *err)
{
	*ret_text = "";
	if (!node || yaml_is_null(node))
		return 0;
	return yaml_string(node, what, ret_text, err);
}

/* {default, comment}, and in a list also the name. */
static int read_variable_mapping(struct yaml_node *declared, const struct yaml_node *mapping,
	bool with_name, struct yaml_place at, struct view name, struct error *err)
{
	CLEANUP(freep) char *trimmed = NULL;
	const char *value, *comment;
	size_t len;

	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];
		CLEANUP(freep) char *excerpt = NULL;

		if (view_equal_str(entry->key, "default") ||
			view_equal_str(entry->key, "comment") ||
			(with_name && view_equal_str(entry->key, "name")))
			continue;
		excerpt = utf8_excerpt(entry->key);
		return yaml_error_at(mapping->doc, entry->key_at, err,
			"unknown key '%s': a variable has %s'default' and 'comment'", excerpt,
			with_name ? "'name', " : "");
	}
	if (read_optional_text(yaml_get(mapping, "default"), "the default of a variable",
		    &value, err) < 0 ||
		read_optional_text(yaml_get(mapping, "comment"), "the comment of a variable",
			&comment, err) < 0)
		return -1;
	len = strlen(comment);
	while (len && comment[len - 1] == '\n')
		len--;
	trimmed = xmemdupz(comment, len);
	return add_variable(declared, mapping, at, name, value, trimmed, err);
}

/* NAME: default, or NAME: {default, comment} */
static int read_variable_entry(
	struct yaml_node *declared, const struct yaml_entry *entry, struct error *err)
{
	const char *value;

	if (entry->value->kind == YAML_MAPPING)
		return read_variable_mapping(
			declared, entry->value, false, entry->key_at, entry->key, err);
	if (read_optional_text(entry->value, "the default of a variable", &value, err) < 0)
		return -1;
	return add_variable(declared, entry->value, entry->key_at, entry->key, value, "", err);
}

/* NAME, NAME=default, or NAME="the default" */
static int read_variable_assignment(
	struct yaml_node *declared, const struct yaml_node *item, struct error *err)
{
	struct view text = item->text, name;
	CLEANUP(freep) char *value = NULL;
	const char *ignored;

	if (yaml_string(item, "an item of " MEMBER, &ignored, err) < 0)
		return -1;
	if (!view_next(&text, '=', &name))
		name = text;
	text = view_trim(text);
	if (text.len > 1 && strchr("'\"`", text.data[0]) &&
		text.data[text.len - 1] == text.data[0])
		text = view_slice(text, 1, text.len - 1);
	value = xmemdupz(text.data, text.len);
	return add_variable(declared, item, item->at, view_trim(name), value, "", err);
}

static int read_variable_item(
	struct yaml_node *declared, const struct yaml_node *item, struct error *err)
{
	const struct yaml_node *node = yaml_get(item, "name");
	const char *name;

	if (item->kind == YAML_SCALAR)
		return read_variable_assignment(declared, item, err);
	if (yaml_expect(item, YAML_MAPPING, "an item of " MEMBER, err) < 0)
		return -1;
	if (!node && item->count == 1)
		return read_variable_entry(declared, &item->entries[0], err);
	if (!node)
		return yaml_error(item, err, "a variable needs a 'name'");
	if (yaml_string(node, "the name of a variable", &name, err) < 0)
		return -1;
	return read_variable_mapping(declared, item, true, node->at, view_of(name), err);
}

struct yaml_node *env_declared_read(
	const struct yaml_node *node, struct yaml_doc *doc, struct faults *faults)
{
	struct yaml_node *declared = yaml_new_mapping(doc);
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!node || yaml_is_null(node))
		return declared;
	if (node->kind == YAML_SCALAR && yaml_expect(node, YAML_SEQUENCE, MEMBER, &err) < 0 &&
		faults)
		faults_add_error(faults, &err);
	for (size_t i = 0; i < node->count; i++) {
		int failed = node->kind == YAML_SEQUENCE
				     ? read_variable_item(declared, node->items[i], &err)
				     : read_variable_entry(declared, &node->entries[i], &err);

		if (failed && faults)
			faults_add_error(faults, &err);
		else if (failed)
			error_clear(&err);
	}
	return declared;
}

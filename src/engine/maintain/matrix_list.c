#include "engine/maintain/matrix_list.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/package/semver.h"
#include "fs/beneath.h"

static int refuse_unknown(
	const struct yaml_node *mapping, const char *const *known, struct error *err)
{
	for (size_t i = 0; i < mapping->count; i++) {
		const struct yaml_entry *entry = &mapping->entries[i];
		const char *const *key = known;

		while (*key && !view_equal_str(entry->key, *key))
			key++;
		if (!*key)
			return yaml_error_at(mapping->doc, entry->key_at, err,
				"'%s' is not a key of this file", entry->key.data);
	}
	return 0;
}

static int read_core(const struct yaml_node *node, struct matrix_list *list, struct error *err)
{
	static const char *const keys[] = {"from", "version", NULL};
	CLEANUP(semver_release) struct semver parsed = {0};
	CLEANUP(error_release) struct error why = ERROR_INIT;
	const struct yaml_node *of_version = node;
	const char *version, *from = NULL;

	if (node->kind == YAML_MAPPING) {
		if (refuse_unknown(node, keys, err) < 0)
			return -1;
		of_version = yaml_get(node, "version");
		if (!of_version)
			return yaml_error(node, err, "a core needs its 'version'");
		if (yaml_get(node, "from") &&
			yaml_string(yaml_get(node, "from"), "'from'", &from, err) < 0)
			return -1;
	}
	if (yaml_string(of_version, "the version of a core", &version, err) < 0)
		return -1;
	if (semver_parse(view_of(version), &parsed, &why) < 0)
		return yaml_error(of_version, err, "%s", why.message);
	for (size_t i = 0; i < list->cores.count; i++)
		if (!strcmp(list->cores.list[i].version, version))
			return yaml_error(of_version, err,
				"core %s is listed twice (first on line %zu)", version,
				list->core_places[i].line);
	list->core_places = xreallocarray(
		list->core_places, list->cores.count + 1, sizeof(*list->core_places));
	list->core_places[list->cores.count] = node->at;
	matrix_cores_add(
		&list->cores, from ? MATRIX_CORE_SOURCE : MATRIX_CORE_KEPT, version, from);
	return 0;
}

static int read_stack(const struct yaml_node *node, struct matrix_list *list, struct error *err)
{
	struct matrix_list_stack *stack;

	if (yaml_expect(node, YAML_SEQUENCE, "a stack", err) < 0)
		return -1;
	if (node->count < 2 || node->count > MATRIX_LIST_MAX_STACK)
		return yaml_error(node, err, "a stack has 2 to %d skills, not %zu",
			MATRIX_LIST_MAX_STACK, node->count);
	GROW(list->stacks, list->stack_count, list->stack_cap);
	stack = &list->stacks[list->stack_count++];
	*stack = (struct matrix_list_stack){.at = node->at};
	stack->places = xcalloc(node->count, sizeof(*stack->places));
	for (size_t i = 0; i < node->count; i++) {
		const char *skill;

		if (yaml_string(node->items[i], "the name of a skill", &skill, err) < 0)
			return -1;
		if (string_array_has(&stack->skills, skill))
			return yaml_error(
				node->items[i], err, "'%s' is in the stack twice", skill);
		stack->places[i] = node->items[i]->at;
		string_array_add(&stack->skills, skill);
	}
	return 0;
}

static int read_root(const struct yaml_node *root, struct matrix_list *list, struct error *err)
{
	static const char *const keys[] = {"cores", "setup", "stack_limit", "stacks", NULL};
	const struct yaml_node *cores = yaml_get(root, "cores");
	const struct yaml_node *stacks = yaml_get(root, "stacks");
	const struct yaml_node *setup = yaml_get(root, "setup");
	const struct yaml_node *limit = yaml_get(root, "stack_limit");
	const char *command;
	int64_t number;

	if (yaml_expect(root, YAML_MAPPING, "the list", err) < 0 ||
		refuse_unknown(root, keys, err) < 0)
		return -1;
	if (setup) {
		if (yaml_string(setup, "'setup'", &command, err) < 0)
			return -1;
		list->setup = xstrdup(command);
	}
	if (cores && !yaml_is_null(cores)) {
		if (yaml_expect(cores, YAML_SEQUENCE, "'cores'", err) < 0)
			return -1;
		for (size_t i = 0; i < cores->count; i++)
			if (read_core(cores->items[i], list, err) < 0)
				return -1;
	}
	if (stacks && !yaml_is_null(stacks)) {
		if (yaml_expect(stacks, YAML_SEQUENCE, "'stacks'", err) < 0)
			return -1;
		for (size_t i = 0; i < stacks->count; i++)
			if (read_stack(stacks->items[i], list, err) < 0)
				return -1;
	}
	if (limit) {
		if (yaml_int(limit, "'stack_limit'", &number, err) < 0)
			return -1;
		if (number < 0 || number > 10000)
			return yaml_error(
				limit, err, "'stack_limit' is a number from 0 to 10000");
		list->stack_limit = (size_t)number;
	}
	return 0;
}

int matrix_list_read(
	const struct project *project, struct matrix_list *ret_list, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(MATRIX_LIST_FULL);
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (beneath_read(project->root, &path, YAML_MAX_SIZE, &text, &missing) < 0 &&
		missing.errnum != ENOENT && missing.errnum != ENOTDIR)
		return error_move(err, &missing);
	ret_list->stack_limit = MATRIX_DEFAULT_STACKS;
	if (yaml_parse(view_of_buf(&text), MATRIX_LIST_FULL, &doc, err) < 0)
		return -1;
	return yaml_is_null(doc->root) ? 0 : read_root(doc->root, ret_list, err);
}

int matrix_list_fault(struct yaml_place at, struct error *err, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	return error_set(err, ERROR_INVALID, MATRIX_LIST_FULL ":%zu:%zu: %s", at.line,
		at.column, text.data);
}

void matrix_list_release(struct matrix_list *list)
{
	matrix_cores_release(&list->cores);
	free(list->core_places);
	for (size_t i = 0; i < list->stack_count; i++) {
		string_array_release(&list->stacks[i].skills);
		free(list->stacks[i].places);
	}
	free(list->stacks);
	free(list->setup);
}

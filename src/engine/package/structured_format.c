#include "engine/package/structured_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const struct structured_format *const structured_formats[] = {
	&structured_compose,
	&structured_env,
	&structured_npm,
	&structured_system,
	NULL,
};

const struct structured_format *structured_format_of(const char *path)
{
	for (size_t i = 0; structured_formats[i]; i++)
		for (const char *const *name = structured_formats[i]->names; *name; name++)
			if (!strcmp(*name, path))
				return structured_formats[i];
	return NULL;
}

void structured_warn(struct structured_output *output, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	string_array_add(&output->warnings, text.data);
}

void structured_output_release(struct structured_output *output)
{
	buf_release(&output->text);
	buf_release(&output->says);
	clash_list_release(&output->clashes);
	string_array_release(&output->warnings);
	*output = STRUCTURED_OUTPUT_INIT;
}

/* --- clashes -------------------------------------------------------------------- */

struct clash *clash_list_add(struct clash_list *clashes, const char *key)
{
	size_t at = 0;

	while (at < clashes->count && strcmp(clashes->list[at].key, key) < 0)
		at++;
	if (at < clashes->count && !strcmp(clashes->list[at].key, key))
		return &clashes->list[at];
	GROW(clashes->list, clashes->count, clashes->cap);
	memmove(&clashes->list[at + 1], &clashes->list[at],
		(clashes->count - at) * sizeof(clashes->list[0]));
	clashes->count++;
	clashes->list[at] = (struct clash){.key = xstrdup(key)};
	return &clashes->list[at];
}

void clash_add_claim(struct clash *clash, const char *who, const char *what)
{
	size_t at = 0;

	while (at < clash->claim_count && strcmp(clash->claims[at].who, who) <= 0)
		at++;
	GROW(clash->claims, clash->claim_count, clash->claim_cap);
	memmove(&clash->claims[at + 1], &clash->claims[at],
		(clash->claim_count - at) * sizeof(clash->claims[0]));
	clash->claim_count++;
	clash->claims[at] = (struct claim){.who = xstrdup(who), .what = xstrdup(what)};
}

void clash_list_release(struct clash_list *clashes)
{
	for (size_t i = 0; i < clashes->count; i++) {
		struct clash *clash = &clashes->list[i];

		for (size_t j = 0; j < clash->claim_count; j++) {
			free(clash->claims[j].who);
			free(clash->claims[j].what);
		}
		free(clash->claims);
		free(clash->key);
		free(clash->about);
	}
	free(clashes->list);
	*clashes = (struct clash_list){0};
}

/* --- decisions ------------------------------------------------------------------ */

static bool is_about(const struct yaml_node *claims, const struct clash *clash)
{
	if (!claims || claims->kind != YAML_MAPPING || claims->count != clash->claim_count)
		return false;
	for (size_t i = 0; i < clash->claim_count; i++) {
		const struct yaml_node *what = yaml_get(claims, clash->claims[i].who);

		if (!what || what->kind != YAML_SCALAR ||
			!view_equal_str(what->text, clash->claims[i].what))
			return false;
	}
	return true;
}

bool clash_is_decided(
	const struct clash *clash, const struct structured_input *input, const char **ret_value)
{
	const struct yaml_node *decision = yaml_get(input->decisions, clash->key);

	if (!is_about(yaml_get(decision, "claims"), clash))
		return false;
	*ret_value = yaml_get_text(decision, "value");
	return true;
}

const char *clash_former_decision(
	const struct clash *clash, const struct structured_input *input)
{
	return yaml_get_text(yaml_get(input->decisions, clash->key), "value");
}

const char *clash_side_text(
	const struct clash *clash, const struct structured_input *input, const char *there)
{
	const char *former = clash_former_decision(clash, input);
	const char *first = there ? there : former ? former : clash->claims[0].what;
	const char *last = NULL;

	if (input->side == CLASH_NEITHER)
		return NULL;
	if (input->side == CLASH_FIRST)
		return first;
	for (size_t i = 0; i < clash->claim_count; i++) {
		const struct claim *claim = &clash->claims[i];

		if (!strcmp(claim->what, first))
			continue;
		last = claim->what;
		if (input->asking && !strcmp(claim->who, input->asking))
			break;
	}
	return last ? last : clash->claims[0].what;
}

void clash_report(struct clash *clash, struct structured_output *output)
{
	struct clash *reported = clash_list_add(&output->clashes, clash->key);

	/* One service may claim a port twice. */
	if (reported->claim_count)
		return;
	free(reported->key);
	*reported = *clash;
	*clash = (struct clash){0};
}

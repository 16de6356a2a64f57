/*
 * .env.example and `env_additions`: what is not rendering (structured_env_render.c) or
 * stripping (structured_env_strip.c).
 */
#include "engine/structured/env/env_declared.h"
#include "engine/structured/env/structured_env_parts.h"
#include "util/utf8.h"

size_t env_find_heading(const struct env_text *env, struct view skill)
{
	for (size_t i = env->count; i-- > 0;) {
		struct view line = env->lines[i].text;

		if (view_starts_with(line, ENV_HEADING) &&
			view_equal(view_slice(line, sizeof(ENV_HEADING) - 1, line.len), skill))
			return i;
	}
	return SIZE_MAX;
}

size_t env_section_end(const struct env_text *env, size_t heading)
{
	size_t end = heading + 1;

	while (end < env->count && !view_starts_with(env->lines[end].text, ENV_HEADING))
		end++;
	return end;
}

static void check(const struct yaml_node *declared, struct faults *faults)
{
	CLEANUP(env_declared_release) struct env_declared variables = ENV_DECLARED_INIT;

	env_declared_read(declared, &variables, faults);
}

static int settled(const char *name, struct view text, const struct clash *clash,
	struct yaml_doc *doc, struct yaml_node **ret_value, struct error *err)
{
	CLEANUP(env_text_release) struct env_text env = ENV_TEXT_INIT;
	const struct env_line *line;
	CLEANUP(freep) char *value = NULL;

	env_text_read(text, &env);
	line = env_text_find(&env, view_of(clash->key));
	if (!line || line->commented) {
		*ret_value = NULL;
		return 0;
	}
	value = env_value_read(line->value);
	if (!utf8_valid(view_of(value)))
		return error_set(err, ERROR_INVALID, "the value of '%s' in '%s' is not UTF-8",
			clash->key, name);
	*ret_value = yaml_new_string(doc, value);
	return 0;
}

static const char *const names[] = {".env.example", NULL};

const struct structured_format structured_env = {
	.member = "env_additions",
	.names = names,
	.check = check,
	.render = structured_env_render,
	.strip = structured_env_strip,
	.settled = settled,
};

#include "author.h"

#include <jansson.h>
#include <string.h>

static bool last_token(struct view line, struct view *ret_token)
{
	bool found = false;

	while (token_next(&line, ret_token))
		found = true;
	return found;
}

static bool package_has(const struct world *w, const char *name, struct view token)
{
	for (size_t i = 0; i < SKILLS; i++) {
		const struct tree *files = &w->skills[i].was;

		for (size_t j = 0; !strcmp(w->skills[i].name, name) && j < files->count; j++) {
			struct view content = entry_view(&files->entries[j]);

			if (content.len &&
				memmem(content.data, content.len, token.data, token.len))
				return true;
		}
	}
	return false;
}

static bool is_possible(
	const struct world *w, struct view token, const char *by, const char *name)
{
	if (!strcmp(by, "core"))
		return view_starts_with(token, "<core:");
	if (!strcmp(by, "skill"))
		return name && package_has(w, name, token);
	return true;
}

static void check_line(struct world *w, const char *path, const json_t *line)
{
	const char *text = json_string_value(json_object_get(line, "text"));
	const char *by = json_string_value(json_object_get(line, "by"));
	const char *name = json_string_value(json_object_get(line, "name"));
	struct view token;

	if (!text || !by)
		world_fail(w, "diff --by tells no author of a line of '%s'", path);
	else if (last_token(view_of(text), &token)) {
		w->counts->authors++;
		if (!is_possible(w, token, by, name))
			world_fail(w, "diff --by: in '%s' %s %s is said to have written %.*s",
				path, by, name ? name : "", VIEW_ARGS(token));
	}
}

static void check_files(struct world *w, const json_t *files)
{
	const json_t *file, *line;
	size_t i, j;

	json_array_foreach(files, i, file)
		json_array_foreach(json_object_get(file, "lines"), j, line)
			check_line(w, json_string_value(json_object_get(file, "path")), line);
}

void author_check(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	json_t *answer;

	world_query(w, "nanoclaw --json diff --by", &result);
	if (world_failed(w))
		return;
	answer = json_loads(result.out.data, 0, NULL);
	if (result.status || !answer)
		world_fail(w, "diff --by: exit code %d: %s", result.status, result.err.data);
	else
		check_files(w, json_object_get(answer, "files"));
	json_decref(answer);
}

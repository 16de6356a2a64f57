#include <errno.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "engine/conflict/internal.h"
#include "engine/conflict/resolver.h"
#include "engine/package/intent.h"
#include "engine/text/lines.h"
#include "fs/beneath.h"
#include "fs/walk.h"

/* Refuse, with a reason in which `shown` is the path of the file. */
#define REFUSE(path, ret_refused, ...)                                                         \
	do {                                                                                   \
		CLEANUP(freep) char *shown = relpath_quote(path);                              \
                                                                                               \
		*(ret_refused) = xasprintf(__VA_ARGS__);                                       \
		return -1;                                                                     \
	} while (0)

/* --- nothing else in its folder -------------------------------------------------------- */

struct look_around {
	const struct resolver_request *request;
	char *stranger;
};

static enum walk_result visit_copy(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct look_around *look = data;
	CLEANUP(freep) char *prefix = xasprintf("%s/", entry->path);
	bool expected = entry->kind == WALK_DIR_END;

	(void)err;
	/* Is it one of the files, or a folder on the way to one? */
	for (size_t i = 0; i < look->request->file_count && !expected; i++) {
		const char *path = look->request->files[i].path->text;

		expected = entry->kind == WALK_DIR ? view_starts_with(view_of(path), prefix)
						   : !strcmp(path, entry->path);
	}
	if (expected)
		return WALK_GO_ON;
	look->stranger = quote((struct view){entry->path, entry->path_len});
	return WALK_STOP;
}

static int check_nothing_else(
	const struct resolver_request *request, int folder, char **ret_refused)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct look_around look = {.request = request};

	if (walk(folder, visit_copy, &look, &local) < 0) {
		*ret_refused =
			xasprintf("it left a folder that cannot be read: %s", local.message);
		return -1;
	}
	if (!look.stranger)
		return 0;
	*ret_refused =
		xasprintf("it created %s in its folder, but may only edit the files there",
			look.stranger);
	free(look.stranger);
	return -1;
}

/* --- one file ---------------------------------------------------------------------------- */

static int read_copy(const struct resolver_file *file, int folder, struct buf *ret_content,
	char **ret_refused)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	size_t max = file->merged.len * 2;
	struct stat st;

	max = max > RESOLVER_MAX_FILE ? max : RESOLVER_MAX_FILE;
	if (beneath_stat(folder, file->path, &st, &local) < 0)
		REFUSE(file->path, ret_refused,
			local.errnum == ENOENT ? "it removed %s"
					       : "it replaced a folder in the path of %s",
			shown);
	if (!S_ISREG(st.st_mode))
		REFUSE(file->path, ret_refused, "it replaced %s with %s", shown,
			S_ISLNK(st.st_mode) ? "a symbolic link"
					    : "something that is not a regular file");
	if ((unsigned long long)st.st_size > max)
		REFUSE(file->path, ret_refused, "it made %s larger than %zu MB", shown,
			max / (1024 * 1024));
	if (beneath_read(folder, file->path, max, ret_content, &local) < 0)
		REFUSE(file->path, ret_refused, "its result for %s cannot be read: %s", shown,
			local.message);
	return 0;
}

static bool has_markers(const struct resolver_file *file, struct view content)
{
	CLEANUP(freep)
	char *label = xasprintf("%s%s%s", file->skill_name, *file->skill_version ? " " : "",
		file->skill_version);

	return markers_are_left(content, &(struct markers_question){
						 .content = file->markers,
						 .ours = file->current,
						 .theirs = file->skill,
						 .label = label,
					 });
}

static int check_file(const struct resolver_request *request, const struct resolver_file *file,
	struct view content, char **ret_refused)
{
	if (!file->clean && view_equal(content, file->merged))
		REFUSE(file->path, ret_refused, "it did not change %s", shown);
	if (!content.len && file->current.len && file->skill.len)
		REFUSE(file->path, ret_refused, "it emptied %s", shown);
	if (has_markers(file, content))
		REFUSE(file->path, ret_refused, "it left conflict markers in %s", shown);
	for (size_t i = 0; i < request->skills->count; i++) {
		const struct resolver_skill *skill = &request->skills->list[i];

		for (size_t j = 0; j < skill->intent_count; j++) {
			const struct resolver_intent *intent = &skill->intents[j];
			CLEANUP(string_array_release) struct string_array pieces = {0};
			CLEANUP(freep) char *piece = NULL;
			const char *lost;

			if (relpath_compare(&intent->path, file->path) != 0)
				continue;
			must_keep_read(view_of_buf(&intent->text), &pieces);
			lost = must_keep_lost(&pieces, file->current, file->skill, content);
			if (!lost)
				continue;
			piece = utf8_excerpt(view_of(lost));
			REFUSE(file->path, ret_refused,
				"it dropped `%s` from %s, which skill '%s' says must be kept",
				piece, shown, skill->name);
		}
	}
	return 0;
}

int resolver_read_back(const struct resolver_request *request, int folder,
	struct buf *ret_edits, char **ret_refused)
{
	bool changed = false;

	if (check_nothing_else(request, folder, ret_refused) < 0)
		return -1;
	for (size_t i = 0; i < request->file_count; i++) {
		const struct resolver_file *file = &request->files[i];

		if (read_copy(file, folder, &ret_edits[i], ret_refused) < 0 ||
			check_file(request, file, view_of_buf(&ret_edits[i]), ret_refused) < 0)
			return -1;
		changed |= !view_equal(view_of_buf(&ret_edits[i]), file->merged);
	}
	if (changed)
		return 0;
	*ret_refused = xstrdup("it changed nothing");
	return -1;
}

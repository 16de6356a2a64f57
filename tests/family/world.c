#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "random.h"

bool failed(const struct world *w)
{
	return w->report.len;
}

void fail(struct world *w, const char *what, const char *why)
{
	buf_appendf(&w->report, "%s: %s\n", what, why);
}

int run(struct world *w, const char *line, struct command_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct command_request request = {.line = line,
		.dir = w->workspace.tree,
		.env = w->workspace.env,
		.seconds = 300};

	if (command_run(&request, result, &err) < 0)
		fail(w, line, err.message);
	buf_appendf(&w->log, "$ %s  # %d\n", line, result->status);
	return result->status;
}

/* A line that has to succeed. */
void must(struct world *w, const char *line)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	if (failed(w) || run(w, line, &result) == 0)
		return;
	fail(w, line, result.err.data ? result.err.data : "");
	fail(w, line, result.out.data ? result.out.data : "");
}

void look(struct world *w, struct tree *ret_tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tree_release(ret_tree);
	*ret_tree = TREE_INIT;
	if (tree_read(ret_tree, w->workspace.tree, &err) < 0)
		fail(w, "reading", err.message);
}

void fill(struct world *w, const struct tree *tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (workspace_fill(&w->workspace, tree, NULL, &err) < 0)
		fail(w, "writing", err.message);
}

/* --- what the person does -------------------------------------------------------------- */

/* The file with this line of the core, under whatever name. */
static const struct tree_entry *find_line(const struct tree *tree, const char *line)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->entries[i];

		if (entry->kind == TREE_FILE && strncmp(entry->path, ".nanoclaw/", 10) &&
			strncmp(entry->path, "skills/", 7) &&
			memmem(entry->data, entry->len, line, strlen(line)))
			return entry;
	}
	return NULL;
}

static void write_line(struct world *w)
{
	CLEANUP(freep)
	char *line =
		xasprintf("core %u line %u\n", below(CORE_FILES), below(FAMILY_SIZE) * 7 + 5);
	const struct tree_entry *entry = find_line(&w->now, line);
	CLEANUP(freep)
	char *command = entry ? xasprintf("sed -i 's/^%.*s$/mine %u\\n&/' %s",
					(int)strlen(line) - 1, line, w->lines, entry->path)
			      : NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!entry)
		return;
	/* Not next to another one, which may go with a patch. */
	buf_append(&text, entry->data, entry->len);
	if (strstr(text.data, "mine")) {
		const char *at = strstr(text.data, line);

		while (at > text.data && at[-1] != '\n')
			at--;
		for (unsigned back = 0; at > text.data && back < 2; back++)
			for (at--; at > text.data && at[-1] != '\n';)
				at--;
		if (!strncmp(at, "mine", 4) || !strncmp(strchr(at, '\n') + 1, "mine", 4))
			return;
	}
	must(w, command);
	if (++w->lines == WORLD_MAX_LINES)
		fail(w, command, "too many lines");
}

void write_some(struct world *w)
{
	for (unsigned n = below(3); n && !failed(w); n--) {
		look(w, &w->now);
		write_line(w);
	}
}

/* --- what has to hold ------------------------------------------------------------------- */

bool is_project_path(const char *path)
{
	return strncmp(path, ".nanoclaw", 9) && strncmp(path, "skills", 6);
}

void append_project(const struct tree *tree, struct buf *out)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->entries[i].kind == TREE_FILE &&
			is_project_path(tree->entries[i].path))
			buf_append(out, tree->entries[i].data, tree->entries[i].len);
	buf_append_char(out, '\n');
}

/* A line that was for a skill that was removed: is it in a patch? */
static bool is_in_patch(const struct world *w, unsigned line)
{
	CLEANUP(freep) char *added = xasprintf("\n+mine %u\n", line);

	if (!w->tied[line])
		return false;
	for (size_t i = 0; i < w->now.count; i++) {
		const struct tree_entry *entry = &w->now.entries[i];

		if (!strncmp(entry->path, ".nanoclaw/custom/", 17) &&
			entry->kind == TREE_FILE &&
			memmem(entry->data, entry->len, added, strlen(added)))
			return true;
	}
	return false;
}

void check_lines(struct world *w)
{
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	append_project(&w->now, &all);
	for (unsigned i = 0; i < w->lines; i++) {
		CLEANUP(freep) char *line = xasprintf("\nmine %u\n", i);

		if (!strstr(all.data, line) && !is_in_patch(w, i))
			fail(w, "lost", line + 1);
	}
	for (size_t i = 0; i < FAMILY_SIZE && !w->traces_stay; i++) {
		CLEANUP(freep) char *put = xasprintf("\n%c put in", family_name(i));
		CLEANUP(freep) char *added = xasprintf("\n%c added", family_name(i));
		CLEANUP(freep) char *package = xasprintf("pkg-%c", family_name(i));
		CLEANUP(freep) char *token = xasprintf("OF_%c", family_name(i) - 'a' + 'A');
		CLEANUP(freep) char *service = xasprintf("of-%c", family_name(i));
		const char *const traces[] = {put, added, package, token, service};

		for (size_t j = 0; !w->applied[i] && j < ARRAY_SIZE(traces); j++)
			if (strstr(all.data, traces[j]))
				fail(w, "still there", traces[j]);
	}
}

void note_applied(struct world *w)
{
	const struct tree_entry *state = tree_find(&w->now, ".nanoclaw/state.yaml");
	CLEANUP(freep) char *text = state ? xmemdupz(state->data, state->len) : xstrdup("");

	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		CLEANUP(freep) char *name = xasprintf("\n    name: %c\n", family_name(i));

		w->applied[i] = strstr(text, name) != NULL;
	}
}

size_t pick_applied(const struct world *w)
{
	size_t skill;

	do {
		skill = below(FAMILY_SIZE);
	} while (!w->applied[skill]);
	return skill;
}

bool any_applied(const struct world *w)
{
	for (size_t i = 0; i < FAMILY_SIZE; i++)
		if (w->applied[i])
			return true;
	return false;
}

void world_release(struct world *w)
{
	workspace_release(&w->workspace);
	family_release(&w->family);
	tree_release(&w->now);
	buf_release(&w->log);
	buf_release(&w->report);
}

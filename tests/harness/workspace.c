#include "workspace.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bwrap.h"
#include "pseudo_terminal.h"

#define SYSTEM_PATH "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

static void add_variable(struct workspace *w, const char *name, const char *value)
{
	CLEANUP(freep) char *text = xasprintf("%s=%s", name, value);

	lines_add(&w->env_lines, view_of(text), 0);
}

static void add_fixed_variables(struct workspace *w)
{
	static const char *const fixed[][2] = {
		{"GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z"},
		{"GIT_AUTHOR_EMAIL", "author@example.com"},
		{"GIT_AUTHOR_NAME", "Author"},
		{"GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z"},
		{"GIT_COMMITTER_EMAIL", "committer@example.com"},
		{"GIT_COMMITTER_NAME", "Committer"},
		{"GIT_CONFIG_GLOBAL", "/dev/null"},
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"LC_ALL", "C.UTF-8"},
		{"NANOCLAW_ALLOW_COMMANDS", "1"},
		{"SOURCE_DATE_EPOCH", "981173106"},
		{"TZ", "UTC"},
	};
	/*
	 * Variables for the instrumentation of the program under test, not for the program
	 * itself.
	 */
	static const char *const passed[] = {
		"ASAN_OPTIONS",
		"GCOV_PREFIX",
		"GCOV_PREFIX_STRIP",
		"LLVM_PROFILE_FILE",
		"LSAN_OPTIONS",
		"MALLOC_PERTURB_",
		"UBSAN_OPTIONS",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		add_variable(w, fixed[i][0], fixed[i][1]);
	for (size_t i = 0; i < ARRAY_SIZE(passed); i++)
		if (getenv(passed[i]))
			add_variable(w, passed[i], getenv(passed[i]));
}

static void make_environment(struct workspace *w)
{
	CLEANUP(freep) char *path = xasprintf("%s/bin:%s", w->root, SYSTEM_PATH);

	add_variable(w, "PATH", path);
	add_variable(w, "HOME", w->home);
	add_variable(w, "TMPDIR", w->tmp);
	add_fixed_variables(w);
	w->env = xcalloc(w->env_lines.count + 1, sizeof(*w->env));
	for (size_t i = 0; i < w->env_lines.count; i++)
		w->env[i] = w->env_lines.items[i].text;
}

static int make_root(struct workspace *w, struct error *err)
{
	const char *parent = getenv("TMPDIR");
	CLEANUP(freep)
	char *pattern =
		xasprintf("%s/nanoclaw-scenario.XXXXXX", parent && *parent ? parent : "/tmp");

	if (!mkdtemp(pattern))
		return error_errno(err, "cannot create '%s'", pattern);
	/* As programs see it: output is compared with this path. */
	w->root = realpath(pattern, NULL);
	return w->root ? 0 : error_errno(err, "cannot find '%s'", pattern);
}

int workspace_init(struct workspace *w, const char *nanoclaw, struct error *err)
{
	CLEANUP(freep) char *program = realpath(nanoclaw, NULL);
	CLEANUP(freep) char *bin = NULL;
	CLEANUP(freep) char *link = NULL;

	*w = (struct workspace){0};
	if (!program)
		return error_errno(err, "cannot find '%s'", nanoclaw);
	if (make_root(w, err) < 0)
		return -1;
	w->tree = xasprintf("%s/tree", w->root);
	w->home = xasprintf("%s/home", w->root);
	w->tmp = xasprintf("%s/tmp", w->root);
	make_environment(w);
	bin = xasprintf("%s/bin", w->root);
	link = xasprintf("%s/nanoclaw", bin);
	if (mkdir(bin, 0755) < 0 || symlink(program, link) < 0)
		return error_errno(err, "cannot create '%s'", link);
	return 0;
}

static int fill(const char *path, const struct tree *tree, struct error *err)
{
	if (tree_delete(path, err) < 0)
		return -1;
	return tree_write(tree, path, err);
}

int workspace_fill(struct workspace *w, const struct tree *tree, const struct tree *home,
	struct error *err)
{
	const struct tree nothing = TREE_INIT;

	if (fill(w->tree, tree, err) < 0 || fill(w->home, home ? home : &nothing, err) < 0)
		return -1;
	return fill(w->tmp, &nothing, err);
}

static bool is_installed(const struct workspace *w, const char *program)
{
	CLEANUP(freep) char *path = xasprintf("%s/bin:%s", w->root, SYSTEM_PATH);
	struct view rest = view_of(path);
	struct view folder;

	while (view_next(&rest, ':', &folder)) {
		CLEANUP(freep) char *file = xasprintf("%.*s/%s", VIEW_ARGS(folder), program);

		if (!access(file, X_OK))
			return true;
	}
	return false;
}

const char *workspace_missing(const struct workspace *w, const struct lines *programs)
{
	for (size_t i = 0; i < programs->count; i++) {
		const char *program = programs->items[i].text;

		if (!strcmp(program, "sandbox")) {
			if (sandbox_missing())
				return program;
			continue;
		}
		if (!is_installed(w, program) ||
			(!strcmp(program, "bwrap") && bwrap_missing()) ||
			(!strcmp(program, "script") && pseudo_terminal_missing()))
			return program;
	}
	return NULL;
}

void workspace_release(struct workspace *w)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	command_end_all();
	if (w->root && w->keep)
		printf("# kept: %s\n", w->tree);
	else if (w->root && tree_delete(w->root, &err) < 0)
		printf("# %s\n", err.message);
	lines_release(&w->env_lines);
	free(w->env);
	free(w->root);
	free(w->tree);
	free(w->home);
	free(w->tmp);
	*w = (struct workspace){0};
}

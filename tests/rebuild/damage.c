#include "damage.h"

#include <string.h>

#include "base/alloc.h"
#include "random.h"

static bool is_below(const char *path, const char *folder)
{
	return !strncmp(path, folder, strlen(folder));
}

/* A file whose path begins so ("": one of the person's), or NULL. */
static const char *pick(const struct tree *tree, const char *folder)
{
	const char *best = NULL;
	unsigned seen = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *e = &tree->entries[i];
		bool inside = *folder ? is_below(e->path, folder)
				      : !is_below(e->path, ".nanoclaw") &&
						!is_below(e->path, "skills") &&
						!is_below(e->path, ".git/");

		if (e->kind == TREE_FILE && inside && one_in(++seen))
			best = e->path;
	}
	return best;
}

/* One file: gone, empty, cut, with something at its end, or another one. */
static char *hurt(const char *path)
{
	if (!path)
		return xstrdup("true");
	switch (below(5)) {
	case 0:
		return xasprintf("rm -f '%s'", path);
	case 1:
		return xasprintf("chmod u+w '%s'; : > '%s'", path, path);
	case 2:
		return xasprintf("chmod u+w '%s'; truncate -s 40 '%s'", path, path);
	case 3:
		return xasprintf("chmod u+w '%s'; echo garbage >> '%s'", path, path);
	default:
		return xasprintf("chmod u+w '%s'; echo garbage > '%s'", path, path);
	}
}

static char *hurt_state(void)
{
	static const char *const ways[] = {
		"rm -f .nanoclaw/state.yaml",
		"truncate -s -300 .nanoclaw/state.yaml",
		"sed -i '/^core_version/,$d' .nanoclaw/state.yaml",
		"echo 'core_version: 1.0.0' >> .nanoclaw/state.yaml",
		"echo 'applied_skills: 7' > .nanoclaw/state.yaml",
		"sed -i 's/^core_version.*/core_version: [/' .nanoclaw/state.yaml",
		"rm -rf .nanoclaw/state.yaml; mkdir .nanoclaw/state.yaml",
	};

	return xstrdup(ways[below(ARRAY_SIZE(ways))]);
}

/* What no operation leaves like that. */
static char *leave_something(void)
{
	static const char *const ways[] = {
		"rm -rf .nanoclaw/tx; mkdir .nanoclaw/tx; echo half > .nanoclaw/tx/journal",
		"rm -rf .nanoclaw/tx; mkdir -p .nanoclaw/tx/journal",
		"rm -rf .nanoclaw/tx; mkdir .nanoclaw/tx; echo half > .nanoclaw/tx/undone",
		"rm -rf .nanoclaw/backup; mkdir .nanoclaw/backup",
		"rm -rf .nanoclaw/backup; echo half > .nanoclaw/backup",
		"mkdir -p .nanoclaw/backup; echo 'operation: x' > .nanoclaw/backup/pause.yaml",
	};

	return xstrdup(ways[below(ARRAY_SIZE(ways))]);
}

static char *hurt_folder(void)
{
	static const char *const folders[] = {
		"applied", "base", "custom", "history", "objects"};
	const char *folder = folders[below(ARRAY_SIZE(folders))];

	return one_in(3)
		       ? xasprintf("rm -rf .nanoclaw/%s; echo x > .nanoclaw/%s", folder, folder)
		       : xasprintf("rm -rf .nanoclaw/%s", folder);
}

/* Half of the tree, or one file of it. */
static char *hurt_tree(const struct tree *tree)
{
	const char *path = pick(tree, "");

	if (!path)
		return xstrdup("true");
	switch (below(4)) {
	case 0:
		return xstrdup("find . -type f ! -path './.nanoclaw/*' ! -path './skills/*' "
			       "! -path './.git/*' | sort | sed -n 'n;p' | tr '\\n' '\\0' | "
			       "xargs -0 rm -f");
	case 1:
		return xasprintf("rm -f '%s'", path);
	case 2:
		return xasprintf(
			"{ echo '<<<<<<< yours'; cat '%s'; echo ======='\n'other; "
			"echo '>>>>>>> theirs'; } > marked.tmp; cat marked.tmp > '%s'; "
			"rm marked.tmp",
			path, path);
	default:
		return xasprintf(
			"printf '<<<<<<< HEAD\\nleft\\n=======\\nright\\n>>>>>>> x\\n' >> "
			"'%s'",
			path);
	}
}

char *damage_choose(const struct tree *tree)
{
	switch (below(9)) {
	case 0:
	case 1:
		return hurt_state();
	case 2:
		return hurt_folder();
	case 3:
		return hurt(pick(tree, ".nanoclaw/base"));
	case 4:
		return hurt_tree(tree);
	case 5:
		return leave_something();
	case 6:
		return xasprintf("rm -rf skills/%c", 'a' + below(8));
	case 7:
		return xstrdup("rm -rf .nanoclaw/base .nanoclaw/base.sha256");
	default:
		return hurt(pick(tree, ".nanoclaw/"));
	}
}

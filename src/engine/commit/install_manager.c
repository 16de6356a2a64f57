#include "engine/commit/install_manager.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/json.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Where several have a lockfile, the first counts. */
static const struct install_manager managers[] = {
	{
		.name = "npm",
		.install = LIST("npm", "install", "--no-audit", "--no-fund"),
		.offline = LIST(
			"npm", "install", "--offline", "--no-save", "--no-audit", "--no-fund"),
		.restore = "npm ci",
		.locks = LIST("npm-shrinkwrap.json", "package-lock.json"),
		.others = LIST(NULL),
	},
	{
		.name = "pnpm",
		.install = LIST("pnpm", "install", "--no-frozen-lockfile"),
		.restore = "pnpm install --frozen-lockfile",
		.locks = LIST("pnpm-lock.yaml"),
		.others = LIST(NULL),
	},
	{
		.name = "yarn",
		.install = LIST("yarn", "install"),
		.restore = "yarn install",
		.locks = LIST("yarn.lock"),
		.others = LIST(".pnp.cjs", ".pnp.loader.mjs"),
	},
	{
		.name = "bun",
		.install = LIST("bun", "install"),
		.restore = "bun install --frozen-lockfile",
		.locks = LIST("bun.lock", "bun.lockb"),
		.others = LIST(NULL),
	},
};

static bool writes_lock(const struct install_manager *manager, const char *path)
{
	for (const char *const *name = manager->locks; *name; name++)
		if (!strcmp(*name, path))
			return true;
	return false;
}

bool install_is_lockfile(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(managers); i++)
		if (writes_lock(&managers[i], path))
			return true;
	return false;
}

bool install_writes(const struct project *project, struct view manifest, const char *path)
{
	return writes_lock(install_choose(project, manifest).manager, path);
}

static bool has_lock(const struct project *project, const struct install_manager *manager)
{
	for (const char *const *name = manager->locks; *name; name++)
		if (faccessat(project->root, *name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			return true;
	return false;
}

/* "pnpm@9.1.0" names pnpm. NULL if it names no manager that we know. */
static const struct install_manager *named_in(struct view manifest)
{
	CLEANUP(error_release) struct error faulty = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct view rest, name;
	const char *text;

	if (!manifest.len ||
		json_read(manifest, INSTALL_MANIFEST, JSON_MAX_SIZE, &json, &faulty) < 0)
		return NULL;
	text = json_string_value(json_object_get(json, "packageManager"));
	rest = view_of(text ? text : "");
	view_next(&rest, '@', &name);
	for (size_t i = 0; text && i < ARRAY_SIZE(managers); i++)
		if (view_equal_str(name, managers[i].name))
			return &managers[i];
	return NULL;
}

struct install_choice install_choose(const struct project *project, struct view manifest)
{
	const struct install_manager *named = named_in(manifest);
	struct install_choice choice = {0};

	for (size_t i = 0; i < ARRAY_SIZE(managers); i++) {
		if (!has_lock(project, &managers[i]))
			continue;
		if (!choice.manager) {
			choice.manager = &managers[i];
		} else if (named == &managers[i]) {
			choice.other = choice.manager;
			choice.manager = named;
		} else {
			choice.other = &managers[i];
		}
	}
	choice.has_lock = choice.manager;
	if (!choice.manager)
		choice.manager = named ? named : &managers[0];
	/* Then there is nothing to wonder about. */
	if (choice.manager == named)
		choice.other = NULL;
	return choice;
}

char *install_command_text(const char *const *argv)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (; *argv; argv++)
		buf_appendf(&text, "%s%s", text.len ? " " : "", *argv);
	return buf_take(&text);
}

char *install_by_hand(const struct install_choice *choice)
{
	if (choice->has_lock)
		return xstrdup(choice->manager->restore);
	return xasprintf("%s install", choice->manager->name);
}

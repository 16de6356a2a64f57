#include "channels/bridge/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "base/utf8.h"
#include "channels/bridge/protocol.h"
#include "format/json.h"
#include "format/json_span.h"
#include "fs/beneath.h"
#include "fs/walk.h"
#include "ledger/groups.h"
#include "proc/child.h"

#define MAX_FILE     65536
#define DEFAULT_HANG 60

void bridge_config_release(struct bridge_config *config)
{
	free(config->name);
	free(config->fault);
	child_free_argv(&config->argv);
	child_free_argv(&config->login);
	child_free_argv(&config->env);
	child_free_argv(&config->jids);
}

void bridge_configs_release(struct bridge_configs *configs)
{
	for (size_t i = 0; i < configs->count; i++)
		bridge_config_release(&configs->list[i]);
	free(configs->list);
}

/* NULL if it is something else than a list of strings; an empty list if there is no member. */
static char **strings_of(const json_t *array)
{
	char **strings = xcalloc(json_array_size(array) + 1, sizeof(*strings));
	bool ok = !array || json_is_array(array);

	for (size_t i = 0; i < json_array_size(array) && ok; i++) {
		const char *text = json_string_value(json_array_get(array, i));

		ok = text && *text;
		strings[i] = xstrdup(ok ? text : "");
	}
	if (!ok)
		child_free_argv(&strings);
	return strings;
}

static bool are_patterns(char *const *texts)
{
	while (*texts && bridge_is_pattern(*texts))
		texts++;
	return !*texts;
}

/* `key` is the member that is wrong. */
static int config_wrong(const char *path, struct view text, const char *key, const char *what,
	struct error *err)
{
	size_t line;
	size_t column;

	json_place(text, (const char *const[]){key, NULL}, &line, &column);
	return error_set(err, ERROR_INVALID, "%s:%zu:%zu: '%s' must be %s", path, line, column,
		key, what);
}

static int config_read(
	int folder, const char *file, struct bridge_config *config, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf buf = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(freep) char *excerpt = utf8_excerpt(view_of(file));
	CLEANUP(freep) char *shown = xasprintf("%s/%s", BRIDGE_FOLDER, excerpt);
	struct view text;
	const json_t *hang;

	/* 'local' is the terminal's, and its messages count as the owner's. */
	if (!strcmp(config->name, "local"))
		return error_set(
			err, ERROR_INVALID, "'%s': a bridge cannot be called 'local'", shown);
	if (group_check_folder(config->name, err) < 0) {
		error_clear(err);
		return error_set(err, ERROR_INVALID,
			"'%s': the name of a bridge is 1 to %d letters, digits, '-' and '_'",
			shown, GROUP_FOLDER_MAX);
	}
	if (relpath_parse(view_of(file), &path, err) < 0 ||
		beneath_read(folder, &path, MAX_FILE, &buf, err) < 0)
		return error_prefix(err, "'%s'", shown);
	text = view_of_buf(&buf);
	if (json_read(text, shown, MAX_FILE, &json, err) < 0)
		return -1;
	config->argv = strings_of(json_object_get(json, "command"));
	if (!config->argv || !config->argv[0])
		return config_wrong(shown, text, "command", "an array of strings", err);
	config->login = strings_of(json_object_get(json, "login"));
	if (!config->login)
		return config_wrong(shown, text, "login", "an array of strings", err);
	config->env = strings_of(json_object_get(json, "env"));
	if (!config->env)
		return config_wrong(shown, text, "env", "an array of names", err);
	config->jids = strings_of(json_object_get(json, "jids"));
	if (!config->jids || !are_patterns(config->jids))
		return config_wrong(
			shown, text, "jids", "an array of patterns like 'slack:*'", err);
	hang = json_object_get(json, "hang_seconds");
	if (hang && !(json_number_value(hang) >= 1 && json_number_value(hang) <= 86400))
		return config_wrong(
			shown, text, "hang_seconds", "a number from 1 to 86400", err);
	config->hang_seconds = hang ? (unsigned)json_number_value(hang) : DEFAULT_HANG;
	return 0;
}

static enum walk_result config_add(
	const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	struct bridge_configs *configs = data;
	struct view name = view_of(entry->name);
	struct bridge_config config = {0};

	(void)err;
	if (entry->kind == WALK_DIR)
		return WALK_SKIP;
	if (entry->kind != WALK_FILE || !view_ends_with(name, ".json"))
		return WALK_GO_ON;
	name = view_slice(name, 0, name.len - strlen(".json"));
	config.name = xmemdupz(name.data, name.len);
	if (config_read(entry->dirfd, entry->name, &config, &fault) < 0) {
		free(config.name);
		config.name = utf8_excerpt(name); /* it may be anything */
		config.fault = xstrdup(fault.message);
	}
	GROW(configs->list, configs->count, configs->cap);
	configs->list[configs->count++] = config;
	return WALK_GO_ON;
}

int bridge_configs_read(int root, struct bridge_configs *ret_configs, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int folder = -1;

	if (relpath_parse(view_of(BRIDGE_FOLDER), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, &folder, &missing) < 0) {
		if (missing.errnum == ENOENT)
			return 0;
		return error_set(err, ERROR_INVALID, "%s", missing.message);
	}
	return walk(folder, config_add, ret_configs, err);
}

int bridge_config_find(
	int root, const char *name, struct bridge_config *ret_config, struct error *err)
{
	CLEANUP(bridge_configs_release) struct bridge_configs configs = {0};

	if (bridge_configs_read(root, &configs, err) < 0)
		return -1;
	for (size_t i = 0; i < configs.count; i++) {
		if (strcmp(configs.list[i].name, name) != 0)
			continue;
		if (configs.list[i].fault)
			return error_set(err, ERROR_INVALID, "%s", configs.list[i].fault);
		*ret_config = configs.list[i];
		configs.list[i] = (struct bridge_config){0};
		return 0;
	}
	error_set(err, ERROR_INVALID, "there is no bridge '%s'", name);
	return error_hint(err,
		"'nanoclaw channel list' lists them; docs/bridge-protocol.md explains how to write one");
}

char **bridge_environment(const struct bridge_config *config,
	const char *(*setting)(void *data, const char *name), void *data)
{
	static const char *const usual[] = {"HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ"};
	struct string_array env = {0};

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (getenv(usual[i]))
			string_array_addf(&env, "%s=%s", usual[i], getenv(usual[i]));
	for (char **name = config->env; *name; name++) {
		const char *value = setting(data, *name);

		if (value)
			string_array_addf(&env, "%s=%s", *name, value);
	}
	string_array_addf(&env, "NANOCLAW_BRIDGE=%s", config->name);
	return env.list;
}

#include "channels/bridge/config.h"

#include <errno.h>
#include <string.h>

#include "channels/bridge/protocol.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/walk.h"
#include "ledger/groups.h"
#include "proc/child.h"

#define MAX_FILE     65536
#define DEFAULT_HANG 60

void bridge_config_release(struct bridge_config *config)
{
	free(config->name);
	child_free_argv(&config->argv);
	child_free_argv(&config->env);
	child_free_argv(&config->jids);
}

void bridge_configs_release(struct bridge_configs *configs)
{
	for (size_t i = 0; i < configs->count; i++)
		bridge_config_release(&configs->list[i]);
	free(configs->list);
}

/* A list of strings; NULL if there is another thing in it. */
static char **strings_of(const json_t *array)
{
	char **strings = xcalloc(json_array_size(array) + 1, sizeof(*strings));

	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));

		if (!text || !*text) {
			child_free_argv(&strings);
			return NULL;
		}
		strings[i] = xstrdup(text);
	}
	return strings;
}

static bool are_patterns(char *const *texts)
{
	while (*texts && bridge_is_pattern(*texts))
		texts++;
	return !*texts;
}

static int wrong(const char *path, const char *what, struct error *err)
{
	error_set(err, ERROR_INVALID, "'%s': %s", path, what);
	return error_hint(err, "docs/bridge-protocol.md shows such a file");
}

static int read_one(
	int folder, const char *file, struct bridge_config *ret_config, struct error *err)
{
	CLEANUP(bridge_config_release) struct bridge_config config = {0};
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(freep) char *shown = xasprintf("%s/%s", BRIDGE_FOLDER, file);
	const json_t *hang;

	config.name = xmemdupz(file, strlen(file) - strlen(".json"));
	if (group_check_folder(config.name, err) < 0 ||
		relpath_parse(view_of(file), &path, err) < 0 ||
		beneath_read(folder, &path, MAX_FILE, &text, err) < 0 ||
		json_read(view_of_buf(&text), shown, MAX_FILE, &json, err) < 0)
		return error_prefix(err, "bridge '%s'", config.name);
	/* The terminal's name stands for the owner. */
	if (!strcmp(config.name, "local"))
		return wrong(shown, "a bridge cannot be called 'local'", err);
	config.argv = strings_of(json_object_get(json, "command"));
	if (!config.argv || !config.argv[0])
		return wrong(shown, "'command' must be an array of strings", err);
	config.env = strings_of(json_object_get(json, "env"));
	if (!config.env)
		return wrong(shown, "'env' must be an array of names", err);
	config.jids = strings_of(json_object_get(json, "jids"));
	if (!config.jids || !are_patterns(config.jids))
		return wrong(shown, "'jids' must be an array of patterns like 'slack:*'", err);
	hang = json_object_get(json, "hang_seconds");
	if (hang && !(json_number_value(hang) >= 1 && json_number_value(hang) <= 86400))
		return wrong(shown, "'hang_seconds' must be a number from 1 to 86400", err);
	config.hang_seconds = hang ? (unsigned)json_number_value(hang) : DEFAULT_HANG;
	*ret_config = config;
	config = (struct bridge_config){0};
	return 0;
}

static enum walk_result take_file(const struct walk_entry *entry, void *data, struct error *err)
{
	struct bridge_configs *configs = data;
	struct bridge_config config;

	if (entry->kind == WALK_DIR)
		return WALK_SKIP;
	if (entry->kind != WALK_FILE || !view_ends_with(view_of(entry->name), ".json"))
		return WALK_GO_ON;
	if (read_one(entry->dirfd, entry->name, &config, err) < 0)
		return WALK_FAIL;
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
	return walk(folder, take_file, ret_configs, err);
}

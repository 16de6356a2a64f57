#include "host/memory/composed_report.h"

#include <string.h>

#include "compose/compose.h"
#include "compose/defaults.h"
#include "compose/migrate.h"
#include "format/json.h"

static json_t *changes_json(const struct changes *changes)
{
	json_t *list = json_array();

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];

		json_add(list, "path:s action:s reason:s", change->path,
			change_kind_names[change->kind], change->why);
	}
	return list;
}

/* The shared files come first, because every group uses them. */
static int report_shared(
	int root, unsigned flags, json_t *reply, size_t *changed, struct error *err)
{
	CLEANUP(changes_release) struct changes changes = {0};
	bool dry_run = flags & COMPOSE_DRY_RUN;

	if (defaults_put(root, dry_run, &changes, err) < 0 ||
		migrate_global(root, dry_run, &changes, err) < 0)
		return -1;
	*changed += changes.count;
	json_put(reply, "shared:o", changes_json(&changes));
	return 0;
}

static json_t *report_group(const struct registry *registry, const char *folder,
	const struct shared *shared, unsigned flags, size_t *changed)
{
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(closep) int fd = -1;
	json_t *json = json_build("folder:s", folder);

	if ((!(flags & COMPOSE_DRY_RUN) &&
		    registry_open_folder(registry->root, folder, &fd, &wrong) < 0) ||
		compose_group(registry->root, folder, shared, flags, &composition, &wrong) <
			0) {
		json_put(json, "error:s kind:s", wrong.message,
			wrong.kind == ERROR_INVALID ? "invalid" : "failed");
	}
	*changed += composition.changes.count;
	json_put(json, "changes:o warnings:o", changes_json(&composition.changes),
		json_strings(&composition.warnings));
	return json;
}

int composed_report(const struct registry *registry, const char *folder, unsigned flags,
	json_t *reply, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	json_t *list = json_array();
	size_t changed = 0;

	json_put(reply, "groups:o", list);
	if (store_group_list(registry->store, &groups, err) < 0 ||
		report_shared(registry->root, flags, reply, &changed, err) < 0 ||
		shared_read(registry->root, &shared, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (!folder || !strcmp(folder, groups.list[i].folder))
			json_array_append_new(
				list, report_group(registry, groups.list[i].folder, &shared,
					      flags, &changed));
	json_put(reply, "warnings:o changed:I", json_strings(&shared.warnings), changed);
	return 0;
}

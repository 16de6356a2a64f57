/*
 * Any bytes as file_ops, path_remap and migrations.yaml of a new core: what is accepted has no
 * path that an update may not touch, no names that lead in a circle, and versions that are
 * some. The first byte says which of the texts it is.
 */
#include <assert.h>
#include <string.h>

#include "engine/newcore/core_chain.h"
#include "engine/newcore/core_ops.h"
#include "engine/newcore/core_tree.h"
#include "engine/newcore/migrations.h"
#include "engine/package/semver.h"
#include "fuzz.h"

static void check_path(const struct relpath *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath again = RELPATH_INIT;

	assert(relpath_parse(relpath_view(path), &again, &err) == 0);
	assert(!relpath_protected(path));
	assert(core_path_check(path, &err) == 0);
}

static void check_faults(const struct faults *faults)
{
	assert(faults->count <= FAULTS_MAX);
	for (size_t i = 0; i < faults->count; i++)
		assert(*faults->list[i].text && *faults->list[i].where);
}

static void try_ops(struct view text, unsigned parts)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(core_ops_release) struct core_ops ops = CORE_OPS_INIT;

	core_ops_parse(text, "fuzz", parts, &ops, &faults);
	check_faults(&faults);
	if (faults.errors)
		return;
	for (size_t i = 0; i < ops.map.count; i++) {
		const struct relpath *end = core_map_end(&ops.map, &ops.map.list[i]);

		check_path(&ops.map.list[i].from);
		check_path(end);
		for (size_t j = 0; j < ops.map.count; j++)
			assert(relpath_compare(end, &ops.map.list[j].from) != 0);
	}
	for (size_t i = 0; i < ops.holder.file_op_count; i++) {
		check_path(&ops.holder.file_ops[i].from);
		if (ops.holder.file_ops[i].type == FILE_OP_RENAME)
			check_path(&ops.holder.file_ops[i].to);
	}
}

static void try_migrations(struct view text)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct migrations less;

	migrations_parse(text, "fuzz", &list, &faults);
	check_faults(&faults);
	for (size_t i = 0; i < list.count; i++) {
		assert(semver_compare_text(list.list[i].since, list.list[i].since) == 0);
		assert(*list.list[i].skill && !strchr(list.list[i].skill, '/'));
		assert(list.list[i].description && list.list[i].at.line);
	}
	less = (struct migrations){list.list, list.count / 2, list.cap};
	assert(migrations_check_appended(&less, &list, "fuzz", &err) == 0);
	assert(migrations_check_appended(&list, &list, "fuzz", &err) == 0);
}

static void try_link(struct view name)
{
	struct core_link link;

	if (!core_link_parse(name, &link))
		return;
	assert(semver_compare_text(link.from, link.to) < 0);
	assert(strlen(link.name) == strlen(link.from) + strlen("-to-") + strlen(link.to));
	core_link_release(&link);
}

FUZZ_TARGET(core_ops)
{
	struct view text = {(const char *)data + 1, len - 1};

	if (!len)
		return 0;
	switch (*data) {
	case 'm':
		try_migrations(text);
		break;
	case 'l':
		try_link(text);
		break;
	case 'o':
		try_ops(text, CORE_OPS_FILE_OPS);
		break;
	case 'r':
		try_ops(text, CORE_OPS_REMAP);
		break;
	default:
		try_ops(text, CORE_OPS_FILE_OPS | CORE_OPS_REMAP);
	}
	return 0;
}

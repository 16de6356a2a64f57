/*
 * Any bytes as a manifest: a manifest without errors has a name and versions,
 * and no path in it that a skill may not touch.
 */
#include <assert.h>
#include <string.h>

#include "engine/package/manifest.h"
#include "engine/package/semver.h"
#include "fuzz.h"

static void check_path(const struct relpath *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath again = RELPATH_INIT;

	assert(relpath_parse(relpath_view(path), &again, &err) == 0);
	assert(!relpath_protected(path));
}

static void check_version(const char *text)
{
	assert(semver_compare_text(text, text) == 0);
}

static void check_accepted(const struct manifest *manifest)
{
	assert(manifest->skill && *manifest->skill && !strchr(manifest->skill, '/'));
	assert(manifest->description);
	check_version(manifest->version);
	check_version(manifest->core_version);
	for (size_t i = 0; i < manifest->adds.count; i++) {
		check_path(&manifest->adds.list[i].path);
		assert(manifest_adds(manifest, &manifest->adds.list[i].path));
		assert(!manifest_modifies(manifest, &manifest->adds.list[i].path));
	}
	for (size_t i = 0; i < manifest->modifies.count; i++) {
		check_path(&manifest->modifies.list[i].path);
		assert(manifest_modifies(manifest, &manifest->modifies.list[i].path));
	}
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		check_path(&manifest->file_ops[i].from);
		if (manifest->file_ops[i].type == FILE_OP_RENAME)
			check_path(&manifest->file_ops[i].to);
	}
	for (size_t i = 0; i < manifest->base_hash_count; i++)
		check_path(&manifest->base_hashes[i].path);
	assert(!manifest_depends_on(manifest, manifest->skill));
}

FUZZ_TARGET(manifest)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;

	manifest_parse((struct view){(const char *)data, len}, "fuzz", &manifest, &faults);
	assert(faults.count <= FAULTS_MAX);
	for (size_t i = 0; i < faults.count; i++)
		assert(*faults.list[i].text && *faults.list[i].where);
	if (!faults.errors)
		check_accepted(&manifest);
	return 0;
}

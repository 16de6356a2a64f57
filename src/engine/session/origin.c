#include "engine/session/origin.h"

#include <string.h>

#include "engine/package/package.h"
#include "engine/state/remap.h"

int origin_load_pack(
	struct session *s, const char *skill, struct pack *ret_pack, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath where = RELPATH_INIT;

	if (pack_path(skill, &where, err) < 0 ||
		transaction_read(s->tx, &where, &text, err) < 0)
		return -1;
	if (text.kind != TX_FILE)
		return 0;
	if (pack_parse(view_of_buf(&text.content), ret_pack, err) < 0)
		return error_prefix(err, "'%s'", where.text);
	return 0;
}

int origin_read_manifest(
	struct session *s, const char *skill, struct manifest *ret_manifest, struct error *err)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;

	if (origin_load_pack(s, skill, &pack, err) < 0)
		return -1;
	return pack_read_manifest(&pack, ret_manifest, err);
}

bool origin_package_hash(const struct project *project, const struct applied_skill *skill,
	char **ret_version, struct hash *ret_hash)
{
	const char *source = state_source_of(skill);
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *folder = NULL;

	if (!source)
		return false;
	folder = *source == '/' ? xstrdup(source) : xasprintf("%s/%s", project->path, source);
	if (package_load(folder, &package, &ignored) < 0 ||
		package_hash(&package, project->root, ret_hash, &ignored) < 0)
		return false;
	if (ret_version)
		*ret_version = xstrdup(package.manifest.version);
	return true;
}

const struct session_pack *origin_pack(struct session *s, const char *skill, struct error *err)
{
	struct session_pack read = {.pack = PACK_INIT};

	for (size_t i = 0; i < s->pack_count; i++)
		if (!strcmp(s->packs[i].skill, skill))
			return &s->packs[i];
	if (origin_load_pack(s, skill, &read.pack, err) < 0)
		return NULL;
	read.skill = xstrdup(skill);
	read.hashes = xcalloc(read.pack.count + 1, sizeof(*read.hashes));
	for (size_t i = 0; i < read.pack.count; i++)
		read.hashes[i] = hash_of(pack_content(&read.pack, &read.pack.entries[i]));
	GROW(s->packs, s->pack_count, s->pack_cap);
	s->packs[s->pack_count] = read;
	return &s->packs[s->pack_count++];
}

const struct pack_entry *origin_find_content(
	const struct session_pack *pack, enum pack_part part, const struct hash *hash)
{
	for (size_t i = 0; i < pack->pack.count; i++)
		if (pack->pack.entries[i].part == part && hash_equal(&pack->hashes[i], hash))
			return &pack->pack.entries[i];
	return NULL;
}

/* A cycle cannot be applied, but a hand-made state may have one. */
#define MAX_DEPTH 64

static bool builds_on(
	struct session *s, const struct manifest *manifest, const char *skill, unsigned depth)
{
	if (manifest_depends_on(manifest, skill))
		return true;
	for (size_t i = 0; i < manifest->depends.count && depth < MAX_DEPTH; i++) {
		CLEANUP(manifest_release) struct manifest next = MANIFEST_INIT;
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		const char *name = manifest->depends.list[i].skill;

		if (origin_read_manifest(s, name, &next, &ignored) == 0 &&
			builds_on(s, &next, skill, depth + 1))
			return true;
	}
	return false;
}

bool origin_depends_on(struct session *s, const struct manifest *manifest, const char *skill)
{
	return builds_on(s, manifest, skill, 0);
}

struct relpath origin_resolve(struct session *s, const struct relpath *path)
{
	/* Few names were ever given away, and only for these the adder matters. */
	const struct applied_skill *adder =
		s->manifest && remap_is_reused(&s->state, s->layer, path)
			? state_adder_of(&s->state, path)
			: NULL;

	if (adder && strcmp(adder->name, s->manifest->skill) != 0 &&
		!origin_depends_on(s, s->manifest, adder->name))
		return remap_follow(&s->state, path);
	return remap_resolve(&s->state, s->layer, path);
}

const struct pack_entry *origin_find_entry(struct session *s, const struct pack *pack,
	enum pack_part part, const struct relpath *real)
{
	CLEANUP(layer_renames_release) struct layer_renames renamed = remap_pairs(&s->state);
	const struct pack_entry *first = NULL;

	/* The pack calls it what it is called now, or by an old name. */
	for (size_t i = 0; i <= renamed.from.count; i++) {
		CLEANUP(relpath_release)
		struct relpath name =
			i ? relpath_of(renamed.from.list[i - 1]) : relpath_copy(real);
		CLEANUP(relpath_release) struct relpath now = origin_resolve(s, &name);
		const struct pack_entry *entry =
			relpath_compare(&now, real) == 0 ? pack_find(pack, part, &name) : NULL;

		if (entry && (!first || entry < first))
			first = entry;
	}
	return first;
}

const struct pack_entry *origin_find_any(
	struct session *s, const struct pack *pack, const struct relpath *real)
{
	const struct pack_entry *entry = origin_find_entry(s, pack, PACK_MODIFY, real);

	return entry ? entry : origin_find_entry(s, pack, PACK_ADD, real);
}

/* One name; `*ret_done` if the base has it. */
static int try_base(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct relpath *ret_found, bool *ret_done, struct error *err)
{
	if (session_read_base(s, path, ret_file, err) < 0)
		return -1;
	*ret_done = ret_file->kind != TX_ABSENT;
	if (*ret_done && ret_found)
		*ret_found = relpath_copy(path);
	return 0;
}

int origin_read_base(struct session *s, const struct relpath *declared,
	struct tx_file *ret_file, struct relpath *ret_found, struct error *err)
{
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	CLEANUP(relpath_release) struct relpath real = origin_resolve(s, declared);
	bool done = false;

	/* The base has another file of that name, which was renamed. */
	if (remap_is_reused(&s->state, s->layer, &real))
		return 0;
	if (try_base(s, declared, ret_file, ret_found, &done, err) < 0)
		return -1;
	remap_origins(&s->state, &real, &origins);
	for (size_t i = 0; i < origins.count && !done; i++)
		if (try_base(s, &origins.list[i], ret_file, ret_found, &done, err) < 0)
			return -1;
	return done ? 0 : try_base(s, &real, ret_file, ret_found, &done, err);
}

int origin_read(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	const struct applied_skill *adder;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;

	if (origin_read_base(s, path, ret_file, NULL, err) < 0)
		return -1;
	adder = remap_adder(&s->state, s->layer, path);
	if (ret_file->kind != TX_ABSENT || !adder)
		return 0;
	if (origin_load_pack(s, adder->name, &pack, err) < 0)
		return -1;
	entry = origin_find_entry(s, &pack, PACK_ADD, path);
	if (entry)
		pack_read_file(&pack, entry, ret_file);
	return 0;
}

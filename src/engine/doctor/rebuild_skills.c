/*
 * Which skills are applied, and in which order.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "engine/doctor/internal.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/text/lines.h"

static void skill_init(struct rebuild_skill *skill)
{
	*skill = (struct rebuild_skill){
		.pack = PACK_INIT, .manifest = MANIFEST_INIT, .rank = SIZE_MAX};
}

void rebuild_skill_release(struct rebuild_skill *skill)
{
	pack_release(&skill->pack);
	manifest_release(&skill->manifest);
	free(skill->left_out);
}

/* The list owns it afterwards. */
static void add_skill(struct rebuild *r, struct rebuild_skill *skill)
{
	GROW(r->skills, r->skill_count, r->skill_cap);
	r->skills[r->skill_count++] = *skill;
	skill_init(skill);
}

struct rebuild_skill *rebuild_skill_find(const struct rebuild *r, const char *name)
{
	for (size_t i = 0; i < r->skill_count; i++)
		if (!strcmp(r->skills[i].manifest.skill, name))
			return &r->skills[i];
	return NULL;
}

/* --- packs ---------------------------------------------------------------------------- */

/* Read the manifest of a pack; false if it has no usable one. */
static bool take_manifest(struct rebuild *r, struct rebuild_skill *skill, const char *name)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;

	if (pack_read_manifest(&skill->pack, &manifest, &failed) < 0) {
		rebuild_judge(r, &failed);
		return false;
	}
	if (!manifest.skill || !manifest.version || !manifest.core_version ||
		strcmp(manifest.skill, name))
		return false;
	skill->manifest = manifest;
	manifest = MANIFEST_INIT;
	return true;
}

static void clear_pack(struct rebuild_skill *skill)
{
	pack_release(&skill->pack);
	skill->pack = PACK_INIT;
	manifest_release(&skill->manifest);
	skill->manifest = MANIFEST_INIT;
}

static bool parse_pack(
	struct rebuild *r, struct view text, const char *name, struct rebuild_skill *skill)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	const struct manifest *m = &skill->manifest;
	bool complete;

	if (pack_parse(text, &skill->pack, &unfit) < 0)
		return false;
	complete = take_manifest(r, skill, name);
	/* Does it have the files that the manifest lists? */
	for (size_t i = 0; complete && i < m->adds.count; i++)
		complete = pack_find(&skill->pack, PACK_ADD, &m->adds.list[i].path);
	for (size_t i = 0; complete && i < m->modifies.count; i++)
		complete = pack_find(&skill->pack, PACK_MODIFY, &m->modifies.list[i].path);
	if (!complete)
		clear_pack(skill);
	return complete;
}

static bool load_pack(struct rebuild *r, const char *name, struct rebuild_skill *skill)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	rebuild_read_at(r, APPLIED_FOLDER, name, &file);
	return file.kind == TX_FILE && parse_pack(r, view_of_buf(&file.content), name, skill);
}

/* Is each file as the former state has it? */
static bool is_as_recorded(const struct rebuild_skill *skill)
{
	for (size_t i = 0; i < skill->pack.count; i++) {
		const struct pack_entry *entry = &skill->pack.entries[i];
		struct hash is = hash_of(pack_content(&skill->pack, entry));
		struct record_hashes was;

		if (entry->part == PACK_MANIFEST)
			continue;
		if (!record_hashes(skill->old, relpath_view(&entry->path), &was) ||
			!was.has_skill || !hash_equal(&was.skill, &is))
			return false;
	}
	return true;
}

/* In the history or git, with the files that were recorded. */
static bool find_pack(
	struct rebuild *r, const char *name, const char *version, struct rebuild_skill *skill)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions versions = {0};
	CLEANUP(freep) char *path = xasprintf(APPLIED_FOLDER "/%s", name);

	if (!skill->old)
		return false;
	rebuild_history_versions(r, path, &versions);
	rebuild_git_versions(r, path, &versions);
	for (size_t i = 0; i < versions.count; i++) {
		if (!parse_pack(r, view_of_buf(&versions.list[i]), name, skill))
			continue;
		if (!strcmp(skill->manifest.version, version) && is_as_recorded(skill))
			return true;
		clear_pack(skill);
	}
	return false;
}

/* Use the entry of an older state if it describes the same files. */
static void use_older(const struct rebuild *r, struct rebuild_skill *skill)
{
	const struct applied_skill *older =
		r->has_older ? state_find(&r->older, skill->manifest.skill) : NULL;

	if (!older || strcmp(older->version, skill->manifest.version))
		return;
	skill->old = older->node;
	if (!is_as_recorded(skill))
		skill->old = NULL;
}

/* --- packages --------------------------------------------------------------------------- */

/* The pack that the package would get if it were applied now. */
static bool pack_package(
	struct rebuild *r, const struct package *package, struct rebuild_skill *skill)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;

	if (pack_of_package(package, &skill->pack, &failed) == 0)
		return take_manifest(r, skill, package->manifest.skill);
	rebuild_judge(r, &failed);
	return false;
}

/* Does the tree have the lines of the skill's file that the core lacks? */
static bool has_its_lines(struct view theirs, struct view core, struct view tree, bool *ret_any)
{
	struct view rest = theirs, line;

	while (view_next(&rest, '\n', &line)) {
		struct view single = {line.data, line.len};

		if (!view_trim(line).len || !lines_missing(single, core, NULL, 0))
			continue;
		*ret_any = true;
		if (lines_missing(single, tree, NULL, 0))
			return false;
	}
	return true;
}

/* Does the tree have everything that the skill would add? */
static bool is_in_tree(struct rebuild *r, const struct rebuild_skill *skill)
{
	bool any = false;

	for (size_t i = 0; i < skill->pack.count; i++) {
		const struct pack_entry *entry = &skill->pack.entries[i];
		CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
		struct view content = pack_content(&skill->pack, entry);

		if (entry->part == PACK_MANIFEST)
			continue;
		rebuild_read(r, entry->path.text, &tree);
		if (tree.kind != TX_FILE)
			return false;
		if (entry->part == PACK_ADD) {
			any = true;
			if (!view_equal(view_of_buf(&tree.content), content))
				return false;
			continue;
		}
		rebuild_read_at(r, ".nanoclaw/base", entry->path.text, &core);
		if (!has_its_lines(content, view_of_buf(&core.content),
			    view_of_buf(&tree.content), &any))
			return false;
	}
	return any;
}

/* --- applied skills ---------------------------------------------------------------------- */

static void note_lost_skill(struct rebuild *r, const char *name, const char *version)
{
	rebuild_note(r, REBUILD_LOST,
		"skill '%s'%s%s: neither its pack nor a matching package was found; its changes "
		"stay in your files, and count as yours",
		name, *version ? " " : "", version);
}

/* Would the package give the pack whose hash an operation has recorded? */
static bool is_pack_noted(const struct rebuild *r, const char *name, const struct pack *pack)
{
	const struct change *change = rebuild_history_pack(r, name);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash hash;

	if (!change || change->kind != CHANGE_PUT)
		return false;
	pack_write(pack, &text);
	hash = hash_of(view_of_buf(&text));
	return hash_equal(&hash, &change->hash);
}

/* A skill that is applied according to the state, a pack or the history. */
static void take_known(
	struct rebuild *r, const char *name, const char *version, struct yaml_node *old)
{
	CLEANUP(rebuild_skill_release) struct rebuild_skill skill;
	const struct applied_skill *older = r->has_older ? state_find(&r->older, name) : NULL;
	const struct package *package = package_list_find(&r->packages, name);

	skill_init(&skill);
	skill.old = old;
	if (load_pack(r, name, &skill)) {
		rebuild_note(r, REBUILD_SURE, "skill '%s' %s is applied: its pack is intact",
			name, skill.manifest.version);
		if (!old)
			use_older(r, &skill);
		add_skill(r, &skill);
		return;
	}
	if (!old && older) {
		version = older->version;
		skill.old = old = older->node;
	}
	if (find_pack(r, name, version, &skill)) {
		rebuild_note(r, REBUILD_SURE,
			"skill '%s' %s is applied: its pack was found again by its hashes",
			name, version);
		add_skill(r, &skill);
		return;
	}
	if (!package || !pack_package(r, package, &skill)) {
		note_lost_skill(r, name, version);
		return;
	}
	if (old && strcmp(version, skill.manifest.version))
		skill.old = old = NULL;
	if ((old && is_as_recorded(&skill)) || is_pack_noted(r, name, &skill.pack))
		rebuild_note(r, REBUILD_SURE,
			"skill '%s' %s is applied: its package has the files that were recorded",
			name, skill.manifest.version);
	else if (old || is_in_tree(r, &skill))
		rebuild_note(r, REBUILD_GUESS,
			"skill '%s' %s is applied: its pack is lost, and its package is used",
			name, skill.manifest.version);
	else
		return note_lost_skill(r, name, version);
	add_skill(r, &skill);
}

/*
 * Without a state: skills that left a pack, or are known to have had one, or whose files and lines
 * are all in the tree.
 */
static void guess_skills(struct rebuild *r)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(string_array_release) struct string_array known = {0};
	bool all_lost;

	rebuild_list(r, APPLIED_FOLDER, &names);
	/*
	 * Skills whose packs are lost: the ones of an older state, and the ones that later
	 * operations applied. If the older state is from git and only this pack is missing, the
	 * skill was removed.
	 */
	all_lost = !names.count && !r->past.count;
	for (size_t i = 0; i < r->older.skill_count; i++)
		if (!r->older_committed || all_lost)
			string_array_add(&known, r->older.skills[i].name);
	rebuild_history_skills(r, &known);
	for (size_t i = 0; i < known.count; i++) {
		const struct change *change = rebuild_history_pack(r, known.list[i]);

		if (!string_array_has(&names, known.list[i]) &&
			(!change || change->kind == CHANGE_PUT))
			string_array_add(&names, known.list[i]);
	}
	for (size_t i = 0; i < names.count; i++)
		take_known(r, names.list[i], "", NULL);
	for (size_t i = 0; i < r->packages.count; i++) {
		CLEANUP(rebuild_skill_release) struct rebuild_skill skill;

		skill_init(&skill);
		if (rebuild_skill_find(r, r->packages.list[i].manifest.skill) ||
			!pack_package(r, &r->packages.list[i], &skill) ||
			!is_in_tree(r, &skill))
			continue;
		rebuild_note(r, REBUILD_GUESS,
			"skill '%s' %s is applied: the tree has all its changes",
			skill.manifest.skill, skill.manifest.version);
		use_older(r, &skill);
		add_skill(r, &skill);
	}
}

/* Packs that the state does not list. */
static void take_strays(struct rebuild *r)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	rebuild_list(r, APPLIED_FOLDER, &names);
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(rebuild_skill_release) struct rebuild_skill skill;

		skill_init(&skill);
		if (state_find(&r->state, names.list[i]) ||
			!load_pack(r, names.list[i], &skill) || !is_in_tree(r, &skill))
			continue;
		rebuild_note(r, REBUILD_GUESS,
			"skill '%s' %s is applied: the state does not have it, but its pack is intact, and the tree has all its changes",
			names.list[i], skill.manifest.version);
		add_skill(r, &skill);
	}
}

int rebuild_find_skills(struct rebuild *r, struct error *err)
{
	if (package_list_read(r->project->root, &r->packages, err) < 0)
		return -1;
	if (!r->has_state)
		guess_skills(r);
	for (size_t i = 0; r->has_state && i < r->state.skill_count; i++) {
		const struct applied_skill *applied = &r->state.skills[i];

		if (!rebuild_skill_find(r, applied->name))
			take_known(r, applied->name, applied->version, applied->node);
	}
	/* A broken operation may have left the pack of a skill that it never applied. */
	if (r->has_state && !r->report->broken_backup && !r->report->broken_operation)
		take_strays(r);
	for (size_t i = 0; i < r->skill_count; i++)
		for (size_t j = 0; j < r->skills[i].pack.count; j++)
			rebuild_contents_add(r, pack_content(&r->skills[i].pack,
							&r->skills[i].pack.entries[j]));
	return 0;
}

/* --- their order ----------------------------------------------------------------- */

static bool is_skill_ready(
	const struct rebuild *r, size_t done, const struct rebuild_skill *skill)
{
	for (size_t i = done; i < r->skill_count; i++)
		if (&r->skills[i] != skill &&
			manifest_depends_on(&skill->manifest, r->skills[i].manifest.skill))
			return false;
	return true;
}

static bool skill_comes_before(const struct rebuild_skill *a, const struct rebuild_skill *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return strcmp(a->manifest.skill, b->manifest.skill) < 0;
}

/* The first one without an open dependency; in a cycle, the first one. */
static size_t choose_next(const struct rebuild *r, size_t done)
{
	size_t best = done;
	bool best_ready = is_skill_ready(r, done, &r->skills[done]);

	for (size_t i = done + 1; i < r->skill_count; i++) {
		bool ready = is_skill_ready(r, done, &r->skills[i]);

		if (ready != best_ready ? ready
					: skill_comes_before(&r->skills[i], &r->skills[best])) {
			best = i;
			best_ready = ready;
		}
	}
	return best;
}

void rebuild_order_skills(struct rebuild *r)
{
	bool known = true;

	if (r->has_state || r->skill_count < 2)
		return;
	for (size_t i = 0; r->has_older && i < r->skill_count; i++)
		r->skills[i].rank = rebuild_history_rank(r, r->skills[i].manifest.skill);
	for (size_t i = 0; i < r->skill_count; i++) {
		size_t next = choose_next(r, i);
		struct rebuild_skill skill = r->skills[next];

		memmove(&r->skills[i + 1], &r->skills[i], (next - i) * sizeof(skill));
		r->skills[i] = skill;
		known = known && skill.rank != SIZE_MAX;
	}
	rebuild_note(r, REBUILD_GUESS, "the order of the skills: %s",
		!known         ? "by their dependencies, then by name"
		: r->has_older ? "from the older state and the history"
			       : "from the notes of your custom patches");
}

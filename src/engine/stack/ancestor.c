#include "engine/stack/ancestor.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/conflict/merge3.h"
#include "engine/package/semver.h"
#include "engine/session/earlier_cores.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/text/lines.h"

#define SHOWN_LINES 5

static void take_from_pack(struct ancestor *a, const struct pack *pack,
	const struct pack_entry *entry, const char *skill, const char *version)
{
	pack_read_file(pack, entry, &a->file);
	a->label = xasprintf("%s %s", skill, version);
}

/* The file with the hash that the manifest names. */
static int find_by_hash(struct session *s, struct ancestor *a, const struct hash *hash,
	struct tx_file *base, bool *ret_found, struct error *err)
{
	struct hash present = hash_of(view_of_buf(&base->content));

	*ret_found = true;
	if (base->kind == TX_FILE && hash_equal(&present, hash)) {
		a->file = *base;
		*base = TX_FILE_INIT;
		a->label = xasprintf("core %s", s->state.core_version);
	} else {
		/* It may be staged: another skill of the same operation may have made it. */
		if (recorded_try_fetch(s, hash, &a->file.content, ret_found, err) < 0)
			return -1;
		if (!*ret_found)
			return 0;
		a->file.kind = TX_FILE;
		a->file.mode = base->mode;
		a->label = xstrdup("core, as the skill knew it");
	}
	return 0;
}

/*
 * The file with that hash in a dependency of this skill: a skill whose changes are inside lines
 * of another skill is written on top of that skill's file.
 */
static int find_in_dependency(struct session *s, struct ancestor *a,
	const struct manifest *manifest, const struct relpath *real, const struct hash *hash,
	bool *ret_found, struct error *err)
{
	static const enum pack_part parts[] = {PACK_MODIFY, PACK_ADD};

	for (size_t i = s->state.skill_count; i > 0 && !*ret_found; i--) {
		const struct applied_skill *skill = &s->state.skills[i - 1];
		CLEANUP(pack_release) struct pack pack = PACK_INIT;

		if (!origin_depends_on(s, manifest, skill->name))
			continue;
		if (origin_load_pack(s, skill->name, &pack, err) < 0)
			return -1;
		for (size_t j = 0; j < ARRAY_SIZE(parts) && !*ret_found; j++) {
			const struct pack_entry *entry =
				origin_find_entry(s, &pack, parts[j], real);
			struct hash there;

			if (!entry)
				continue;
			there = hash_of(pack_content(&pack, entry));
			*ret_found = hash_equal(&there, hash);
			if (*ret_found)
				take_from_pack(a, &pack, entry, skill->name, skill->version);
		}
	}
	return 0;
}

/* The lines of the base that the skill's file would remove. */
static char *lines_at_risk(struct view base, struct view theirs)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view lines[SHOWN_LINES];
	size_t count = lines_missing(base, theirs, lines, SHOWN_LINES);

	/* It has them all, but not in their order. */
	if (!count)
		count = lines_displaced(base, theirs, lines, SHOWN_LINES);

	for (size_t i = 0; i < count && i < SHOWN_LINES; i++)
		buf_appendf(&text, "\n    %.*s", VIEW_ARGS(lines[i]));
	if (count > SHOWN_LINES)
		buf_appendf(&text, "\n    and %zu more", count - SHOWN_LINES);
	return buf_take(&text);
}

static int refuse_ancestor(struct session *s, const struct manifest *manifest,
	const struct relpath *path, struct view base, struct view theirs, struct error *err)
{
	CLEANUP(freep) char *lines = lines_at_risk(base, theirs);

	if (!semver_compare_text(manifest->core_version, s->state.core_version)) {
		error_set(err, ERROR_INVALID,
			"%s %s was written for another '%s' of core %s, which is not known here: "
			"it would remove lines that may have been added since:%s",
			manifest->skill, manifest->version, path->text, manifest->core_version,
			lines);
		return error_hint(err,
			"if you edited the file before the core was saved, put the old one back, "
			"run 'nanoclaw init', and edit it again; or accept it with "
			"'--ancestor base'");
	}
	error_set(err, ERROR_INVALID,
		"%s %s was written for core %s, this is %s, and the file that it changed is no "
		"longer known: it would remove lines from '%s' that may have been added since:%s",
		manifest->skill, manifest->version, manifest->core_version,
		s->state.core_version, path->text, lines);
	return error_hint(
		err, "get a newer version of the skill, or accept it with '--ancestor base'");
}

/*
 * Does the tree that becomes the core have the skill's change already? Then the change would
 * belong to the core, and not go when the skill is removed.
 */
static int refuse_change_in_core(struct session *s, const struct manifest *manifest,
	const struct relpath *path, const struct hash *hash, const struct tx_file *base,
	struct view theirs, struct error *err)
{
	struct view content = view_of_buf(&base->content);
	struct hash present = hash_of(content);

	if (s->found_state || s->options->ancestor_is_base || base->kind != TX_FILE ||
		hash_equal(&present, hash) || !lines_keep_all(theirs, content) ||
		(!view_equal(theirs, content) && !session_base_is_edited(s, path, content)))
		return 0;
	error_set(err, ERROR_INVALID,
		"'%s' already has the change of skill '%s', and the core is not saved yet: the "
		"change would become part of the core",
		path->text, manifest->skill);
	return error_hint(err, CORE_WITHOUT_CHANGE "; or accept it with '--ancestor base'");
}

/* The present base, where that is safe. */
static int find_in_base(struct session *s, struct ancestor *a, const struct manifest *manifest,
	const struct relpath *path, bool hash_is_lost, struct tx_file *base, struct view theirs,
	struct error *err)
{
	bool older = semver_compare_text(manifest->core_version, s->state.core_version) < 0;
	struct view content = view_of_buf(&base->content);

	if (base->kind == TX_FILE && !lines_keep_all(content, theirs)) {
		bool edited = session_base_is_edited(s, path, content);

		if (!s->options->ancestor_is_base && edited) {
			CLEANUP(freep) char *lines = lines_at_risk(content, theirs);

			/* Edits made before the core was saved cannot be distinguished from the core. */
			error_set(err, ERROR_INVALID,
				"'%s' was edited before the core was saved (git has another version of it), so your "
				"lines cannot be told apart from lines that skill '%s' removes:%s",
				path->text, manifest->skill, lines);
			return error_hint(err,
				"save the core first: 'git stash', 'nanoclaw init', 'git stash pop'; "
				"or accept it with '--ancestor base'");
		}
		if (!s->options->ancestor_is_base && (older || hash_is_lost))
			return refuse_ancestor(s, manifest, path, content, theirs, err);
		if (edited || older || hash_is_lost)
			session_warn(s, "'%s' is merged with the current core, as accepted",
				path->text);
	}
	a->file = *base;
	*base = TX_FILE_INIT;
	a->label = xasprintf("core %s", s->state.core_version);
	return 0;
}

/*
 * A skill may have been written on top of another without saying so. Its file then has
 * most lines of the other's.
 */
static bool is_version_of(struct view added, struct view theirs)
{
	struct view rest = added, line;
	size_t count = 0;

	while (view_next(&rest, '\n', &line))
		count++;
	return 2 * lines_missing(added, theirs, NULL, 0) <= count;
}

/* The file of the skill that added it, where that is safe. */
static int find_added(struct session *s, struct ancestor *a, const struct manifest *manifest,
	const struct relpath *real, const struct hash *hash, struct view theirs,
	bool *ret_found, struct error *err)
{
	const struct applied_skill *adder = remap_adder(&s->state, s->layer, real);
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;
	struct hash there;
	struct view content;

	if (!adder)
		return 0;
	if (origin_load_pack(s, adder->name, &pack, err) < 0)
		return -1;
	entry = origin_find_entry(s, &pack, PACK_ADD, real);
	if (!entry)
		return 0;
	take_from_pack(a, &pack, entry, adder->name, adder->version);
	*ret_found = true;
	content = view_of_buf(&a->file.content);
	there = hash_of(content);
	if (hash ? hash_equal(hash, &there) : origin_depends_on(s, manifest, adder->name))
		return 0;
	if (s->options->ancestor_is_base || lines_keep_all(content, theirs))
		return 0;
	if (!hash && is_version_of(content, theirs))
		return 0;
	if (!hash) {
		CLEANUP(freep) char *lines = lines_at_risk(content, theirs);

		/* It may never have seen the file that another skill added under this name. */
		error_set(err, ERROR_INVALID,
			"skill '%s' changes '%s', which skill '%s' has added, but does not depend on it; "
			"it would remove:%s",
			manifest->skill, real->text, adder->name, lines);
		return error_hint(err,
			"its author should list '%s' under 'depends'; or accept it with "
			"'--ancestor base'",
			adder->name);
	}
	return refuse_ancestor(s, manifest, real, content, theirs, err);
}

/* The core that it was written for, if that was here before. */
static int find_in_earlier_core(struct session *s, struct ancestor *a,
	const struct manifest *manifest, const struct relpath *path, bool *ret_found,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	bool known;

	*ret_found = false;
	if (!s->found_state ||
		semver_compare_text(manifest->core_version, s->state.core_version) >= 0)
		return 0;
	if (earlier_cores_read(s, manifest->core_version, path, &file, &known, err) < 0)
		return -1;
	if (!known || file.kind != TX_FILE)
		return 0;
	*ret_found = true;
	a->file = file;
	file = TX_FILE_INIT;
	a->label = xasprintf("core %s", manifest->core_version);
	return 0;
}

/* --- a new version for another core ---------------------------------------------------- */

/* A file of the core that a version was written for. `*ret_known`: that is kept. */
static int read_core_of(struct session *s, const char *core_version, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_known, struct error *err)
{
	if (semver_compare_text(core_version, s->state.core_version) < 0)
		return earlier_cores_read(s, core_version, path, ret_file, ret_known, err);
	if (origin_read_base(s, path, ret_file, NULL, err) < 0)
		return -1;
	*ret_known = true;
	return 0;
}

/*
 * The version that is applied and the new one may have been written for two cores. The
 * differences between these cores came into the tree with the core, and a migration skill may
 * have reverted some: they are not changes of the skill. So the ancestor is the file of the
 * applied version as it would be on the core of the new one.
 */
static int carry_old_version(struct session *s, struct ancestor *a,
	const struct manifest *manifest, const struct pack *old, const struct relpath *path,
	struct error *err)
{
	CLEANUP(manifest_release) struct manifest then = MANIFEST_INIT;
	CLEANUP(tx_file_release) struct tx_file from = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file to = TX_FILE_INIT;
	const struct pack_entry *entry = NULL;
	CLEANUP(relpath_release) struct relpath real = origin_resolve(s, path);
	bool known = false;
	CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
	bool clean;

	if (pack_read_manifest(old, &then, err) < 0)
		return -1;
	entry = origin_find_entry(s, old, PACK_MODIFY, &real);
	if (!entry || !then.core_version ||
		!semver_compare_text(then.core_version, manifest->core_version))
		return 0;
	if (read_core_of(s, then.core_version, &entry->path, &from, &known, err) < 0)
		return -1;
	if (known && read_core_of(s, manifest->core_version, path, &to, &known, err) < 0)
		return -1;
	if (!known)
		return 0;
	/* Carry the file from one core to another, unless the merge conflicts. */
	if (merge3(&from, &to, &a->file, &merged, &clean, err) < 0)
		return -1;
	if (!clean || merged.kind != TX_FILE)
		return 0;
	buf_release(&a->file.content);
	a->file.content = merged.content;
	merged.content = BUF_INIT;
	return 0;
}

static int find_ancestor(struct session *s, const struct manifest *manifest,
	const struct pack *old, const struct relpath *path, struct view theirs,
	struct ancestor *ret_ancestor, struct error *err)
{
	const struct hash *hash = manifest_base_hash(manifest, path);
	CLEANUP(relpath_release) struct relpath real = origin_resolve(s, path);
	const struct applied_skill *applied = state_find(&s->state, manifest->skill);
	const struct pack_entry *in_old = origin_find_any(s, old, &real);
	CLEANUP(relpath_release) struct relpath in_base = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	bool found = false;

	if (in_old) {
		take_from_pack(ret_ancestor, old, in_old, manifest->skill,
			applied ? applied->version : "");
		return carry_old_version(s, ret_ancestor, manifest, old, path, err);
	}
	if (origin_read_base(s, path, &base, &in_base, err) < 0)
		return -1;
	if (hash && refuse_change_in_core(s, manifest, &real, hash, &base, theirs, err) < 0)
		return -1;
	if (hash && find_by_hash(s, ret_ancestor, hash, &base, &found, err) < 0)
		return -1;
	if (hash && !found &&
		find_in_dependency(s, ret_ancestor, manifest, &real, hash, &found, err) < 0)
		return -1;
	if (!found && base.kind == TX_ABSENT &&
		find_added(s, ret_ancestor, manifest, &real, hash, theirs, &found, err) < 0)
		return -1;
	if (!found && find_in_earlier_core(s, ret_ancestor, manifest, path, &found, err) < 0)
		return -1;
	if (found)
		return 0;
	return find_in_base(s, ret_ancestor, manifest, in_base.text ? &in_base : &real,
		hash != NULL, &base, theirs, err);
}

int ancestor_find(struct session *s, const struct manifest *manifest, const struct pack *old,
	const struct relpath *path, struct view theirs, struct ancestor *ret_ancestor,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath real = RELPATH_INIT;
	const struct applied_skill *then;
	struct hash found;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct record_hashes hashes;
	bool kept;

	if (find_ancestor(s, manifest, old, path, theirs, ret_ancestor, err) < 0)
		return -1;
	if (!s->restaged)
		return 0;
	real = origin_resolve(s, path);
	/*
	 * When layers are staged again: the file that it was merged with then, where that is
	 * still kept.
	 */
	then = state_find(s->restaged, manifest->skill);
	found = hash_of(view_of_buf(&ret_ancestor->file.content));
	/* Of an update, it was the file of the version before. */
	if (!then || record_was_updated(then->node) || ret_ancestor->file.kind != TX_FILE ||
		!record_hashes(then->node, relpath_view(&real), &hashes) || !hashes.has_base ||
		hash_equal(&hashes.base, &found))
		return 0;
	if (recorded_try_fetch(s, &hashes.base, &content, &kept, err) < 0)
		return -1;
	if (kept) {
		buf_release(&ret_ancestor->file.content);
		ret_ancestor->file.content = content;
		content = BUF_INIT;
	}
	return 0;
}

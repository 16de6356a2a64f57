#include "engine/skill_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ancestor.h"
#include "engine/layer.h"
#include "engine/lines.h"
#include "engine/merge.h"
#include "engine/origin.h"
#include "engine/pack.h"
#include "engine/recorded.h"
#include "util/beneath.h"

/* One skill on its way into the tree. */
struct staging {
	struct session *session;
	const struct package *package;
	const struct manifest *manifest;
	struct pack old;  /* the applied version, if there is one */
	struct pack pack; /* this version, to be kept */
	struct yaml_node *record;
	struct error *err;
};

/* --- merging ------------------------------------------------------------------ */

struct sides {
	const struct tx_file *ours;
	const struct ancestor *ancestor;
	struct view theirs;
	mode_t theirs_mode;
};

static char *their_label(const struct manifest *manifest)
{
	return xasprintf("%s %s", manifest->skill, manifest->version);
}

/* The execute bit as the skill wants it, where the skill changed it. */
static mode_t merge_modes(const struct sides *sides)
{
	mode_t ours = sides->ours->mode;
	bool before = sides->ancestor->file.kind == TX_FILE ? sides->ancestor->file.mode & 0100
							    : ours & 0100;
	bool after = sides->theirs_mode & 0100;

	if (before == after)
		return ours;
	return after ? ours | ((ours & 0444) >> 2) : ours & ~(mode_t)0111;
}

static void add_conflict(
	struct staging *st, const struct relpath *path, size_t markers, struct relpath beside)
{
	struct apply_result *result = st->session->result;

	GROW(result->conflicts, result->conflict_count, result->conflict_cap);
	result->conflicts[result->conflict_count++] = (struct conflict){
		.path = relpath_copy(path),
		.skill = xstrdup(st->manifest->skill),
		.markers = markers,
		.beside = beside,
	};
}

/* Where markers cannot show both: ours stays, and theirs is put beside it. */
static int put_beside(struct staging *st, const struct relpath *path, const struct sides *sides)
{
	CLEANUP(freep) char *name = xasprintf("%s.from-%s", path->text, st->manifest->skill);
	CLEANUP(relpath_release) struct relpath beside = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (relpath_parse(view_of(name), &beside, st->err) < 0 ||
		transaction_read(st->session->tx, &beside, &there, st->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return error_set(st->err, ERROR_INVALID,
			"'%s' cannot be merged as text, and '%s' is in the way", path->text,
			name);
	/* Ours too, so that abort can bring it back whatever is done to it. */
	if (transaction_put(
		    st->session->tx, &beside, sides->theirs, sides->theirs_mode, st->err) < 0 ||
		transaction_put(st->session->tx, path, view_of_buf(&sides->ours->content),
			sides->ours->mode, st->err) < 0)
		return -1;
	add_conflict(st, path, 0, relpath_copy(&beside));
	session_note_file(st->session, path, st->manifest->skill, OUTCOME_CONFLICT);
	return 0;
}

/* Is one binary, or nothing at all against something new? */
static bool beyond_markers(const struct sides *sides)
{
	bool both_new = sides->ancestor->file.kind != TX_FILE;

	if (both_new && (!sides->ours->content.len || !sides->theirs.len))
		return true;
	return merge_is_binary(view_of_buf(&sides->ours->content)) ||
	       merge_is_binary(view_of_buf(&sides->ancestor->file.content)) ||
	       merge_is_binary(sides->theirs);
}

/* What comes out where nothing has to be combined, also for a binary file. */
static bool same_side(const struct sides *sides, struct view *ret_content)
{
	struct view ours = view_of_buf(&sides->ours->content);
	struct view base = view_of_buf(&sides->ancestor->file.content);
	bool has_base = sides->ancestor->file.kind == TX_FILE;

	if (view_equal(ours, sides->theirs) || (has_base && view_equal(base, sides->theirs)))
		*ret_content = ours;
	else if (has_base && view_equal(ours, base))
		*ret_content = sides->theirs;
	else
		return false;
	return true;
}

static int put_merged(struct staging *st, const struct relpath *path, const struct sides *sides,
	struct view content, struct layer_file *ret_merged)
{
	mode_t mode = merge_modes(sides);
	bool same = mode == sides->ours->mode &&
		    view_equal(content, view_of_buf(&sides->ours->content));

	*ret_merged = layer_file_of_content(content, mode);
	session_note_file(
		st->session, path, st->manifest->skill, same ? OUTCOME_SAME : OUTCOME_MERGED);
	if (!view_equal(content, sides->theirs) &&
		recorded_keep(st->session, content, st->err) < 0)
		return -1;
	return same ? 0 : transaction_put(st->session->tx, path, content, mode, st->err);
}

static int merge_sides(struct staging *st, const struct relpath *path,
	const struct sides *sides, struct layer_file *ret_merged)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	CLEANUP(freep) char *label = their_label(st->manifest);
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(&sides->ours->content), "yours"};
	struct merge_input base = {view_of_buf(&sides->ancestor->file.content),
		sides->ancestor->label ? sides->ancestor->label : "nothing"};
	struct merge_input theirs = {sides->theirs, label};
	struct view whole;

	*ret_merged = layer_file_of(sides->ours);
	if (same_side(sides, &whole))
		return put_merged(st, path, sides, whole, ret_merged);
	if (beyond_markers(sides))
		return put_beside(st, path, sides);
	if (merge_contents(&ours, &base, &theirs, &options, &merged, st->err) < 0)
		return error_prefix(st->err, "'%s'", path->text);
	if (!merged.conflicts)
		return put_merged(st, path, sides, view_of_buf(&merged.content), ret_merged);
	*ret_merged = layer_file_of_content(view_of_buf(&merged.content), merge_modes(sides));
	add_conflict(st, path,
		lines_count_markers(view_of_buf(&merged.content)) -
			3 * (size_t)merged.conflicts,
		RELPATH_INIT);
	session_note_file(st->session, path, st->manifest->skill, OUTCOME_CONFLICT);
	return transaction_put(st->session->tx, path, view_of_buf(&merged.content),
		merge_modes(sides), st->err);
}

/* --- one file ------------------------------------------------------------------- */

static int record(struct staging *st, bool added, const struct relpath *path,
	const struct ancestor *ancestor, struct view theirs, const struct layer_file *merged)
{
	struct hash base = hash_of(view_of_buf(&ancestor->file.content));

	state_record_file(&st->session->state, st->record,
		&(struct file_record){
			.added = added,
			.path = path,
			.base = ancestor->file.kind == TX_FILE ? &base : NULL,
			.skill = hash_of(theirs),
			.merged = *merged,
		});
	if (!state_find(&st->session->state, st->manifest->skill))
		return 0;
	return layers_note(
		&st->session->state, st->manifest->skill, relpath_view(path), merged, st->err);
}

static int in_the_way(
	const char *skill, const struct relpath *path, enum tx_kind kind, struct error *err)
{
	static const char *const names[] = {
		[TX_SYMLINK] = "a symbolic link",
		[TX_FOLDER] = "a folder",
		[TX_OTHER] = "something that is no file",
	};
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(err, ERROR_INVALID, "skill '%s' wants a file at %s, and %s is there", skill,
		shown, names[kind]);
	return error_hint(err, "move it away first");
}

/* A file that the person deleted: bring it back, or leave it out. */
static int ask_deleted(struct staging *st, const struct relpath *path, bool *ret_restore)
{
	static const char *const choices[] = {
		"bring it back, with the skill's changes",
		"leave it deleted, without the skill's changes",
	};
	const struct ask *ask = &st->session->options->ask;
	CLEANUP(freep)
	char *question = xasprintf("You deleted '%s', and skill '%s' changes it.", path->text,
		st->manifest->skill);
	int answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, st->err);

	*ret_restore = answer == 0;
	return answer < 0 ? -1 : 0;
}

static int put_new(struct staging *st, const struct relpath *path, struct view content,
	mode_t mode, struct layer_file *ret_merged)
{
	*ret_merged = layer_file_of_content(content, mode);
	session_note_file(st->session, path, st->manifest->skill, OUTCOME_ADDED);
	return transaction_put(st->session->tx, path, content, mode, st->err);
}

/* Bring a deleted file back as it would be without that, then go on as always. */
static int restore_deleted(struct staging *st, const struct relpath *path,
	const struct sides *sides, struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file rebuilt = TX_FILE_INIT;
	struct sides with_rebuilt = *sides;
	struct apply_result *result = st->session->result;

	if (origin_rebuild(st->session, path, &rebuilt, st->err) < 0)
		return -1;
	if (rebuilt.kind != TX_FILE)
		return put_new(st, path, sides->theirs, sides->theirs_mode, ret_merged);
	with_rebuilt.ours = &rebuilt;
	if (transaction_put(st->session->tx, path, view_of_buf(&rebuilt.content), rebuilt.mode,
		    st->err) < 0 ||
		merge_sides(st, path, &with_rebuilt, ret_merged) < 0)
		return -1;
	if (result->files[result->file_count - 1].outcome != OUTCOME_CONFLICT)
		result->files[result->file_count - 1].outcome = OUTCOME_RESTORED;
	return 0;
}

/* Nothing is in the tree. Returns whether the file is to be recorded. */
static int stage_absent(struct staging *st, const struct relpath *path,
	const struct sides *sides, bool *ret_recorded, struct layer_file *ret_merged)
{
	*ret_recorded = true;
	if (sides->ancestor->file.kind == TX_ABSENT)
		return put_new(st, path, sides->theirs, sides->theirs_mode, ret_merged);
	if (ask_deleted(st, path, ret_recorded) < 0)
		return -1;
	if (*ret_recorded)
		return restore_deleted(st, path, sides, ret_merged);
	session_note_file(st->session, path, st->manifest->skill, OUTCOME_KEPT);
	return 0;
}

/* Would the skill take somebody else's file for its own? */
static int check_collision(
	struct staging *st, const struct relpath *path, const struct tx_file *base)
{
	const struct applied_skill *adder = state_adder_of(&st->session->state, path);

	if (base->kind != TX_ABSENT) {
		error_set(st->err, ERROR_INVALID,
			"skill '%s' adds '%s', which is a file of the core",
			st->manifest->skill, path->text);
		return error_hint(st->err, "its author should list it under 'modifies'");
	}
	if (adder && strcmp(adder->name, st->manifest->skill))
		return error_set(st->err, ERROR_INVALID,
			"skill '%s' adds '%s', which skill '%s' has added", st->manifest->skill,
			path->text, adder->name);
	return 0;
}

static int stage_add(struct staging *st, const struct relpath *path)
{
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	const struct pack_entry *old = pack_find(&st->old, PACK_ADD, path);
	struct sides sides = {.ours = &ours, .ancestor = &ancestor};
	bool recorded = true;
	struct layer_file merged;

	if (package_read_add(st->package, path, &theirs, &sides.theirs_mode, st->err) < 0 ||
		transaction_read(st->session->tx, path, &ours, st->err) < 0 ||
		session_read_base(st->session, path, &base, st->err) < 0)
		return -1;
	sides.theirs = view_of_buf(&theirs);
	pack_add(&st->pack, PACK_ADD, path, sides.theirs_mode, sides.theirs);
	if (old) {
		struct view content = pack_content(&st->old, old);

		buf_append(&ancestor.file.content, content.data, content.len);
		ancestor.file.kind = TX_FILE;
		ancestor.file.mode = old->mode;
		ancestor.label = xstrdup("the version before");
	}
	if (ours.kind == TX_ABSENT) {
		if ((!old && check_collision(st, path, &base) < 0) ||
			stage_absent(st, path, &sides, &recorded, &merged) < 0)
			return -1;
	} else if (ours.kind != TX_FILE) {
		return in_the_way(st->manifest->skill, path, ours.kind, st->err);
	} else {
		if ((!old && check_collision(st, path, &base) < 0) ||
			merge_sides(st, path, &sides, &merged) < 0)
			return -1;
	}
	return recorded ? record(st, true, path, &ancestor, sides.theirs, &merged) : 0;
}

static int stage_modify(struct staging *st, const struct relpath *path)
{
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	struct sides sides = {.ours = &ours, .ancestor = &ancestor};
	bool recorded = true;
	struct layer_file merged;

	if (package_read_modify(st->package, path, &theirs, &sides.theirs_mode, st->err) < 0)
		return -1;
	sides.theirs = view_of_buf(&theirs);
	pack_add(&st->pack, PACK_MODIFY, path, sides.theirs_mode, sides.theirs);
	if (ancestor_find(st->session, st->manifest, &st->old, path, sides.theirs, &ancestor,
		    st->err) < 0 ||
		transaction_read(st->session->tx, path, &ours, st->err) < 0)
		return -1;
	if (ancestor.file.kind != TX_FILE && ancestor.file.kind != TX_ABSENT)
		return in_the_way(st->manifest->skill, path, ancestor.file.kind, st->err);
	if (ours.kind == TX_ABSENT) {
		if (ancestor.file.kind == TX_ABSENT)
			session_warn(st->session,
				"skill '%s' changes '%s', which does not exist; it is added",
				st->manifest->skill, path->text);
		if (stage_absent(st, path, &sides, &recorded, &merged) < 0)
			return -1;
	} else if (ours.kind != TX_FILE) {
		return in_the_way(st->manifest->skill, path, ours.kind, st->err);
	} else if (merge_sides(st, path, &sides, &merged) < 0) {
		return -1;
	}
	return recorded ? record(st, false, path, &ancestor, sides.theirs, &merged) : 0;
}

/* --- what an earlier version had and this one has not ------------------------------ */

static int drop_added(struct staging *st, const struct pack_entry *entry)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;

	if (transaction_read(st->session->tx, &entry->path, &ours, st->err) < 0)
		return -1;
	if (ours.kind == TX_ABSENT)
		return 0;
	if (ours.kind != TX_FILE ||
		!view_equal(view_of_buf(&ours.content), pack_content(&st->old, entry))) {
		session_warn(st->session,
			"'%s' is no part of '%s' any more, but was changed since; it stays",
			entry->path.text, st->manifest->skill);
		session_note_file(st->session, &entry->path, st->manifest->skill, OUTCOME_KEPT);
		return 0;
	}
	session_note_file(st->session, &entry->path, st->manifest->skill, OUTCOME_REMOVED);
	return transaction_remove(st->session->tx, &entry->path, st->err);
}

/* Take the changes of the version before out again: merge back to what it changed. */
static int drop_modified(struct staging *st, const struct pack_entry *entry)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	struct sides sides = {.ours = &ours, .ancestor = &ancestor};
	struct view content = pack_content(&st->old, entry);
	struct layer_file merged;

	if (transaction_read(st->session->tx, &entry->path, &ours, st->err) < 0 ||
		origin_read(st->session, &entry->path, &base, st->err) < 0)
		return -1;
	if (ours.kind != TX_FILE || base.kind != TX_FILE)
		return 0;
	buf_append(&ancestor.file.content, content.data, content.len);
	ancestor.file.kind = TX_FILE;
	ancestor.file.mode = entry->mode;
	ancestor.label = xstrdup("the version before");
	sides.theirs = view_of_buf(&base.content);
	sides.theirs_mode = base.mode;
	if (merge_sides(st, &entry->path, &sides, &merged) < 0)
		return -1;
	return layers_note(&st->session->state, st->manifest->skill, relpath_view(&entry->path),
		&merged, st->err);
}

static int drop_old_files(struct staging *st)
{
	for (size_t i = 0; i < st->old.count; i++) {
		const struct pack_entry *entry = &st->old.entries[i];
		bool listed = manifest_adds(st->manifest, &entry->path) ||
			      manifest_modifies(st->manifest, &entry->path);

		if (listed)
			continue;
		if (entry->part == PACK_ADD && drop_added(st, entry) < 0)
			return -1;
		if (entry->part == PACK_MODIFY && drop_modified(st, entry) < 0)
			return -1;
	}
	return 0;
}

/* --- before anything is written ------------------------------------------------------- */

static int check_path(const struct project *project, const char *skill,
	const struct relpath *path, struct error *err)
{
	enum tx_kind kind;

	if (transaction_look(project, path, &kind, err) < 0)
		return -1;
	if (kind == TX_ABSENT || kind == TX_FILE)
		return 0;
	return in_the_way(skill, path, kind, err);
}

int skill_files_check(
	const struct project *project, const struct manifest *manifest, struct error *err)
{
	const struct manifest_paths *both[] = {&manifest->adds, &manifest->modifies};

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++)
			if (check_path(project, manifest->skill, &both[i]->list[j].path, err) <
				0)
				return -1;
	return 0;
}

size_t skill_files_size(const struct package *package)
{
	const struct manifest_paths *both[] = {
		&package->manifest.adds, &package->manifest.modifies};
	static const char *const folders[] = {"add", "modify"};
	size_t total = 0;

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			CLEANUP(freep)
			char *name = xasprintf("%s/%s", folders[i], both[i]->list[j].path.text);
			struct stat st;

			if (fstatat(package->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
				total += (size_t)st.st_size;
		}
	return total;
}

/* --- the skill ----------------------------------------------------------------------- */

static int stage_files(struct staging *st)
{
	const struct manifest *m = st->manifest;

	for (size_t i = 0; i < m->adds.count; i++)
		if (stage_add(st, &m->adds.list[i].path) < 0)
			return -1;
	for (size_t i = 0; i < m->modifies.count; i++)
		if (stage_modify(st, &m->modifies.list[i].path) < 0)
			return -1;
	return drop_old_files(st);
}

/* Keep the files of the package as they are now, with the manifest. */
static int stage_pack(struct staging *st)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (pack_path(st->manifest->skill, &path, st->err) < 0 ||
		relpath_parse(view_of(PACK_MANIFEST_NAME), &name, st->err) < 0)
		return -1;
	/* What was checked, whatever is on the disk by now. */
	pack_add(&st->pack, PACK_MANIFEST, &name, 0644, view_of(st->package->text));
	pack_write(&st->pack, &text);
	return transaction_put(st->session->tx, &path, view_of_buf(&text), 0644, st->err);
}

/*
 * The files of the version that is applied. Only entries of the first engine, which
 * did not keep them, may do without.
 */
static int load_old_version(struct staging *st)
{
	const struct applied_skill *applied =
		state_find(&st->session->state, st->manifest->skill);

	if (!applied)
		return 0;
	if (pack_load(st->session->project, applied->name, &st->old, st->err) < 0)
		return -1;
	if (st->old.count || !yaml_get(applied->node, "hashes"))
		return 0;
	error_set(st->err, ERROR_INVALID,
		"the files of skill '%s' %s, as it was applied, are gone", applied->name,
		applied->version);
	return error_hint(
		st->err, "bring back '.nanoclaw/applied/%s' from a copy", applied->name);
}

int skill_files_stage(struct session *s, const struct package *package, struct error *err)
{
	struct staging st = {
		.session = s,
		.package = package,
		.manifest = &package->manifest,
		.old = PACK_INIT,
		.pack = PACK_INIT,
		.err = err,
	};
	int failed;

	failed = load_old_version(&st) < 0;
	if (!failed) {
		/* Ancestors are looked up while the old entry is still there. */
		struct yaml_doc *doc = s->state.doc;

		st.record = yaml_new_mapping(doc);
		failed = stage_files(&st) < 0 || stage_pack(&st) < 0;
	}
	if (!failed)
		state_record(&s->state, &package->manifest, st.record);
	pack_release(&st.old);
	pack_release(&st.pack);
	return failed ? -1 : 0;
}

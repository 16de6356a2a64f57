/*
 * The inputs of a replay, staged in the place where layers are applied again: packs, patches,
 * kept contents, recorded resolutions, packages.
 *
 * All of them may come from elsewhere. Paths in a state were checked when it was read, files
 * are opened below their folders only, and the hash of a pack or patch must be the one in the
 * state.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/objects.h"
#include "engine/custom/custom.h"
#include "engine/package/package.h"
#include "engine/replay/internal.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/session/origin.h"
#include "engine/state/record.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/walk.h"

#define MOST_OF_A_FOLDER ((size_t)100000)

/* Stage a file, unless it exists with this content. */
static int put_input(struct replaying *r, const struct relpath *path, struct view content,
	mode_t mode, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct transaction *tx = r->session->tx;

	if (transaction_read(tx, path, &there, err) < 0)
		return -1;
	if (there.kind == TX_FILE && view_equal(view_of_buf(&there.content), content))
		return 0;
	return transaction_put(tx, path, content, mode, err);
}

/* A file in a folder of the kit; `*ret_found` is false if it is missing or unusable. */
static int read_from(int folder, const char *prefix, const char *name, struct buf *ret_text,
	bool *ret_found, struct error *err)
{
	CLEANUP(error_release) struct error unusable = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	*ret_found =
		folder >= 0 && relpath_printf(&path, &unusable, "%s%s", prefix, name) == 0 &&
		beneath_read(folder, &path, TRANSACTION_MAX_FILE, ret_text, &unusable) == 0;
	return unusable.errnum && unusable.errnum != EISDIR && !beneath_is_absent(&unusable)
		       ? error_move(err, &unusable)
		       : 0;
}

/* --- packs ------------------------------------------------------------------------------ */

static bool pack_has(const struct pack *pack, const struct hash *hash)
{
	for (size_t i = 0; i < pack->count; i++) {
		struct hash found = hash_of(pack_content(pack, &pack->entries[i]));

		if (pack->entries[i].part != PACK_MANIFEST && hash_equal(&found, hash))
			return true;
	}
	return false;
}

/*
 * Is the pack the skill that was applied? If not, `*ret_fault` says why. Only file contents are
 * compared, since the state has the names that the files got later.
 */
static int check_pack(const struct applied_skill *skill, const struct pack *pack,
	char **ret_fault, struct error *err)
{
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	CLEANUP(string_array_release)
	struct string_array paths = record_hashed_paths(skill->node);

	if (pack_read_manifest(pack, &manifest, err) < 0)
		return -1;
	if (!manifest.skill || strcmp(manifest.skill, skill->name) != 0) {
		*ret_fault = xstrdup("is another skill");
		return 0;
	}
	if (*skill->version && strcmp(manifest.version, skill->version) != 0) {
		*ret_fault = xasprintf("is version %s", manifest.version);
		return 0;
	}
	for (size_t i = 0; i < paths.count; i++) {
		struct record_hashes hashes;

		record_hashes(skill->node, view_of(paths.list[i]), &hashes);
		if (!hashes.has_skill || pack_has(pack, &hashes.skill))
			continue;
		*ret_fault =
			xasprintf("has a different file '%s' than was applied", paths.list[i]);
		return 0;
	}
	return 0;
}

static int stage_pack(struct replaying *r, const struct applied_skill *skill,
	const struct pack *pack, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (pack_path(skill->name, &path, err) < 0)
		return -1;
	pack_write(pack, &text);
	session_forget_pack(r->session, skill->name);
	return put_input(r, &path, view_of_buf(&text), 0644, err);
}

/* As it was kept; `*ret_fault` is NULL if that is staged. */
static int try_kept(struct replaying *r, const struct applied_skill *skill, char **ret_fault,
	struct error *err)
{
	CLEANUP(error_release) struct error damaged = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	bool found;

	if (read_from(r->source->kit, "applied/", skill->name, &text, &found, err) < 0)
		return -1;
	if (!found) {
		*ret_fault = xstrdup("is missing");
		return 0;
	}
	if (pack_parse(view_of_buf(&text), &pack, &damaged) < 0) {
		*ret_fault = xstrdup("is damaged");
		return 0;
	}
	if (check_pack(skill, &pack, ret_fault, err) < 0)
		return -1;
	return *ret_fault ? 0 : stage_pack(r, skill, &pack, err);
}

static int try_package(struct replaying *r, const struct applied_skill *skill,
	const struct package *package, char **ret_fault, struct error *err)
{
	CLEANUP(error_release) struct error faulty = ERROR_INIT;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;

	if (pack_of_package(package, &pack, &faulty) < 0) {
		*ret_fault = xasprintf("cannot be read: %s", faulty.message);
		return 0;
	}
	if (check_pack(skill, &pack, ret_fault, err) < 0)
		return -1;
	return *ret_fault ? 0 : stage_pack(r, skill, &pack, err);
}

/* Packages are where the command was given, and beside the core. */
struct packages {
	bool read; /* not before a pack is missing */
	struct package_list here;
	struct package_list beside;
};

static void packages_release(struct packages *packages)
{
	package_list_release(&packages->here);
	package_list_release(&packages->beside);
}

/* Use the first package that matches; `others` describes what is wrong with the rest. */
static int search_list(struct replaying *r, const struct applied_skill *skill,
	const struct package_list *packages, const struct package **ret_found,
	struct buf *others, struct error *err)
{
	for (size_t i = 0; i < packages->count && !*ret_found; i++) {
		const struct package *package = &packages->list[i];
		CLEANUP(freep) char *fault = NULL;

		if (strcmp(package->manifest.skill, skill->name) != 0)
			continue;
		if (try_package(r, skill, package, &fault, err) < 0)
			return -1;
		if (fault)
			buf_appendf(
				others, ", and the package '%s' %s", package->folder, fault);
		else
			*ret_found = package;
	}
	return 0;
}

static int search_packages(struct replaying *r, const struct applied_skill *skill,
	const struct packages *packages, const char *why_not_kept, struct error *err)
{
	CLEANUP(buf_release) struct buf others = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf(".nanoclaw/applied/%s", skill->name);
	const struct package *found = NULL;

	if (search_list(r, skill, &packages->here, &found, &others, err) < 0 ||
		search_list(r, skill, &packages->beside, &found, &others, err) < 0)
		return -1;
	if (found && r->source->own)
		replay_note(r, path, REPLAY_PACKAGE, NULL, NULL,
			"the pack %s; the skill is taken from the package '%s'", why_not_kept,
			found->folder);
	if (found)
		return 0;
	replay_note(r, path, REPLAY_MISSING, NULL, NULL, "skill '%s'%s%s: its pack %s%s",
		skill->name, *skill->version ? " " : "", skill->version, why_not_kept,
		others.len ? others.data : ", and there is no package of it");
	return 0;
}

static int stage_packs(struct replaying *r, struct error *err)
{
	CLEANUP(packages_release) struct packages packages = {0};
	const struct state *state = &r->source->state;

	for (size_t i = 0; i < state->skill_count; i++) {
		CLEANUP(freep) char *fault = NULL;

		if (try_kept(r, &state->skills[i], &fault, err) < 0)
			return -1;
		if (!fault)
			continue;
		if (!packages.read &&
			(package_list_read(r->project->root, &packages.here, err) < 0 ||
				(r->source->core_root >= 0 &&
					package_list_read(r->source->core_root,
						&packages.beside, err) < 0)))
			return -1;
		packages.read = true;
		if (search_packages(r, &state->skills[i], &packages, fault, err) < 0)
			return -1;
	}
	return 0;
}

/* --- patches ---------------------------------------------------------------------- */

/* Beside the state, or where the command was given. */
static int find_patch(struct replaying *r, const char *name, struct buf *ret_text,
	bool *ret_found, struct error *err)
{
	const int kit = r->source->kit, here = r->project->root;

	if (read_from(kit, "custom/", name, ret_text, ret_found, err) < 0 ||
		(!*ret_found &&
			read_from(kit, CUSTOM_FOLDER "/", name, ret_text, ret_found, err) < 0))
		return -1;
	return *ret_found ? 0
			  : read_from(here, CUSTOM_FOLDER "/", name, ret_text, ret_found, err);
}

static int stage_patch(struct replaying *r, const struct layer *patch, struct error *err)
{
	const char *file = record_patch_file(patch->node);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath beside = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	CLEANUP(freep) char *name = NULL;
	struct hash hash, recorded;
	bool found;

	if (!file) {
		replay_note(r, STATE_PATH, REPLAY_MISSING, NULL, NULL,
			"a custom modification has no 'patch_file'");
		return 0;
	}
	if (relpath_parse(view_of(file), &path, err) < 0 ||
		find_patch(r, path.text + strlen(CUSTOM_FOLDER "/"), &text, &found, err) < 0)
		return -1;
	if (!found) {
		replay_note(r, path.text, REPLAY_MISSING, NULL, NULL,
			"the patch is missing; it was looked for in 'custom' beside the state");
		return 0;
	}
	hash = hash_of(view_of_buf(&text));
	if (record_patch_hash(patch->node, &recorded) && !hash_equal(&hash, &recorded)) {
		replay_note(r, path.text, REPLAY_MISSING, NULL, NULL,
			"the patch was changed since it was recorded");
		return 0;
	}
	/* With what people wrote about it. */
	name = xasprintf("%s.md", patch->name);
	if (put_input(r, &path, view_of_buf(&text), 0644, err) < 0 ||
		find_patch(r, name, &note, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	if (relpath_printf(&beside, err, CUSTOM_FOLDER "/%s", name) < 0)
		return -1;
	return put_input(r, &beside, view_of_buf(&note), 0644, err);
}

/* --- folders ---------------------------------------------------------------------------- */

struct folder_copy {
	struct replaying *r;
	const char *to;
	size_t count;
};

static int copy_link(struct folder_copy *c, const struct walk_entry *entry,
	const struct relpath *path, struct error *err)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(entry->dirfd, entry->name, target, sizeof(target));

	if (len < 0)
		return errno == ENOENT
			       ? 0
			       : error_errno(err, "cannot read the link '%s'", path->text);
	return transaction_put_link(
		c->r->session->tx, path, (struct view){target, (size_t)len}, err);
}

static int copy_file(struct folder_copy *c, const struct walk_entry *entry,
	const struct relpath *path, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(
		entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open '%s'", path->text);
	if (file_read_fd(fd, path->text, TRANSACTION_MAX_FILE, &text, err) < 0)
		return -1;
	return put_input(
		c->r, path, view_of_buf(&text), entry->stat.st_mode & 0100 ? 0755 : 0644, err);
}

static enum walk_result copy_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct folder_copy *c = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (++c->count > MOST_OF_A_FOLDER) {
		error_set(err, ERROR_INVALID, "there are too many files in '%s'", c->to);
		return WALK_FAIL;
	}
	if (relpath_printf(&path, err, "%s/%s", c->to, entry->path) < 0 ||
		(entry->kind == WALK_FILE ? copy_file : copy_link)(c, entry, &path, err) < 0)
		return WALK_FAIL;
	return WALK_GO_ON;
}

static int copy_folder(struct replaying *r, int from, const char *to, struct error *err)
{
	struct folder_copy c = {r, to, 0};

	return walk(from, copy_entry, &c, err);
}

/* --- all ---------------------------------------------------------------------------------- */

int replay_stage_inputs(struct replaying *r, struct error *err)
{
	static const char *const folders[] = {"resolutions", "rr-cache", "hunks"};
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(hash_set_release) struct hash_set named = {0};

	if (stage_packs(r, err) < 0 || layers_read(&r->source->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].kind == LAYER_PATCH && !layers.list[i].baked &&
			stage_patch(r, &layers.list[i], err) < 0)
			return -1;
	if (r->in_place)
		return 0;
	/* How conflicts were resolved, for later operations. */
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(closep)
		int folder = openat(r->source->kit, folders[i],
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		CLEANUP(freep) char *to = xasprintf(".nanoclaw/%s", folders[i]);

		if (folder < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			return error_errno(err, "cannot open '%s'", folders[i]);
		if (folder >= 0 && copy_folder(r, folder, to, err) < 0)
			return -1;
	}
	/* Contents that the state names, and that are kept beside it. */
	if (hash_set_scan_state(&named, &r->source->state, err) < 0)
		return -1;
	hash_set_sort(&named);
	for (size_t i = 0; i < named.count; i++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		CLEANUP(buf_release) struct buf content = BUF_INIT;

		if (objects_read(r->source->kit, &named.list[i], TRANSACTION_MAX_FILE, &content,
			    &local) < 0) {
			if (local.errnum == EIO)
				return error_move(err, &local);
			continue;
		}
		if (recorded_keep(r->session, view_of_buf(&content), err) < 0)
			return -1;
	}
	return 0;
}

/* --- packages ----------------------------------------------------------------------- */

static enum walk_result copy_package(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct folder_copy *c = data;
	CLEANUP(freep) char *to = xasprintf("%s/%s", c->to, entry->name);
	CLEANUP(closep) int fd = -1;

	if (entry->kind != WALK_DIR)
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		error_errno(err, "cannot open '%s'", to);
		return WALK_FAIL;
	}
	if (faccessat(fd, "manifest.yaml", F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
		copy_folder(c->r, fd, to, err) < 0)
		return WALK_FAIL;
	return WALK_SKIP;
}

/* -1 as the descriptor of a folder that does not exist. */
static int open_folder(int root, const char *name, int *ret_fd, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(name);

	if (beneath_open_dir(root, &path, ret_fd, &missing) == 0)
		return 0;
	*ret_fd = -1;
	return beneath_is_absent(&missing) ? 0 : error_move(err, &missing);
}

static int copy_packages(struct replaying *r, int root, struct error *err)
{
	static const char *const folders[] = {".claude/skills", "skills"};
	CLEANUP(closep) int resolutions = -1;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		struct folder_copy c = {.r = r, .to = folders[i]};
		CLEANUP(closep) int fd = -1;

		if (open_folder(root, folders[i], &fd, err) < 0 ||
			(fd >= 0 && walk(fd, copy_package, &c, err) < 0))
			return -1;
	}
	if (open_folder(root, RESOLUTIONS_SHIPPED, &resolutions, err) < 0)
		return -1;
	return resolutions < 0 ? 0 : copy_folder(r, resolutions, RESOLUTIONS_SHIPPED, err);
}

int replay_stage_packages(struct replaying *r, struct error *err)
{
	/* Packages here replace those beside the core. */
	if (r->source->core_root >= 0 && copy_packages(r, r->source->core_root, err) < 0)
		return -1;
	return copy_packages(r, r->project->root, err);
}

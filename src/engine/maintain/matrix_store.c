#include "engine/maintain/matrix_store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/base_sums.h"
#include "engine/maintain/copies.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_key.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define SCRATCH_PREFIX "nanoclaw-matrix-"
#define SCRATCH_NOTE   "scratch"
/* In the scratch folder: the path of the project that made it. */
#define OWNER_NOTE "owner"

#define RESULT_MAX  ((size_t)1024 * 1024)
#define PROGRAM_MAX ((size_t)1024 * 1024 * 1024)

/* A longer name is cut and gets a hash; this leaves room for suffixes. */
#define NAME_ROOM ((size_t)200)

/* To be raised when entries run in another way than before. */
#define INPUTS_FORMAT "matrix 2"

static const unsigned no_sync = REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;

/* --- the folder --- */

int matrix_store_open(
	const struct project *project, struct matrix_store *ret_store, struct error *err)
{
	CLEANUP(relpath_release)
	struct relpath note = relpath_of(MATRIX_FOLDER "/" SCRATCH_NOTE);
	CLEANUP(closep) int fd = -1;

	/* The folder is made as the parent of a file in it. */
	if (beneath_open_parent(project->root, &note, BENEATH_CREATE, &fd, err) < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_errno(err, "cannot lock '" MATRIX_FOLDER "'");
		return error_set(
			err, ERROR_BUSY, "another matrix run is in progress in this project");
	}
	*ret_store = (struct matrix_store){.project = project, .fd = TAKE_FD(fd)};
	return 0;
}

void matrix_store_release(struct matrix_store *store)
{
	closep(&store->fd);
}

/* --- files of an entry --- */

static int entry_path(const struct matrix_entry *entry, const char *suffix,
	struct relpath *ret_path, struct error *err)
{
	const char *slash = strchr(entry->id, '/');
	CLEANUP(freep) char *name = xstrdup(slash + 1);

	if (strlen(name) > NAME_ROOM) {
		struct hash hash = hash_of(view_of(name));
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&hash, hex);
		free(name);
		name = xasprintf("%.*s-%.16s", (int)NAME_ROOM - 17, slash + 1, hex);
	}
	return relpath_printf(
		ret_path, err, "%.*s/%s%s", (int)(slash - entry->id), entry->id, name, suffix);
}

int matrix_store_open_log(const struct matrix_store *store, const struct matrix_entry *entry,
	int *ret_fd, char **ret_shown, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;
	int fd;

	if (entry_path(entry, ".log", &path, err) < 0 ||
		beneath_open_parent(store->fd, &path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	/* A new file, because the old one may be open in a pager. */
	if (sys.unlink(folder, relpath_base(&path), 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot replace the log '%s'", path.text);
	fd = sys.create(folder, relpath_base(&path),
		O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_errno(err, "cannot write the log '%s'", path.text);
	*ret_fd = fd;
	*ret_shown = xasprintf(MATRIX_FOLDER "/%s", path.text);
	return 0;
}

bool matrix_store_has_passed(const struct matrix_store *store, const struct matrix_entry *entry,
	const struct hash *inputs)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	char hex[HASH_HEX_SIZE];
	const char *outcome, *was;
	json_t *json = NULL;
	bool passed;

	if (entry_path(entry, ".json", &path, &ignored) < 0 ||
		beneath_read(store->fd, &path, RESULT_MAX, &text, &ignored) < 0 ||
		json_read(view_of_buf(&text), path.text, RESULT_MAX, &json, &ignored) < 0)
		return false;
	hash_to_hex(inputs, hex);
	outcome = json_string_value(json_object_get(json, "outcome"));
	was = json_string_value(json_object_get(json, "inputs"));
	passed = outcome && was && !strcmp(outcome, matrix_outcome_names[MATRIX_PASSED]) &&
		 !strcmp(was, hex);
	json_decref(json);
	return passed;
}

int matrix_store_put(const struct matrix_store *store, const struct matrix_result *result,
	const struct hash *inputs, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int folder = -1;
	char hex[HASH_HEX_SIZE];
	json_t *json;

	hash_to_hex(inputs, hex);
	json = json_pack("{s:s, s:s, s:s, s:f, s:o}", "id", result->entry->id, "inputs", hex,
		"outcome", matrix_outcome_names[result->outcome], "seconds", result->seconds,
		"message", json_text_or_null(result->message));
	json_write_ours(json, true, &text);
	json_decref(json);
	if (entry_path(result->entry, ".json", &path, err) < 0 ||
		beneath_open_parent(store->fd, &path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	return replace_file(
		folder, relpath_base(&path), view_of_buf(&text), 0644, NULL, no_sync, err);
}

/* --- the copies --- */

/* Has a run of this project made this folder? */
static bool is_ours(const struct project *project, const char *path)
{
	CLEANUP(freep) char *note = xasprintf("%s/" OWNER_NOTE, path);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf owner = BUF_INIT;
	const char *slash = strrchr(path, '/');
	struct stat st;

	return slash && !strncmp(slash + 1, SCRATCH_PREFIX, strlen(SCRATCH_PREFIX)) &&
	       !lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       file_read(note, RESULT_MAX, &owner, &ignored) == 0 &&
	       view_equal_str(view_of_buf(&owner), project->path);
}

int matrix_store_make_scratch(
	const struct matrix_store *store, struct scratch *ret_scratch, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath note = relpath_of(SCRATCH_NOTE);
	CLEANUP(buf_release) struct buf path = BUF_INIT;
	struct scratch scratch;

	if (beneath_read(store->fd, &note, RESULT_MAX, &path, &ignored) == 0) {
		/* Twice, because a dying process of the killed run may add a file meanwhile. */
		if (is_ours(store->project, path.data) &&
			tree_remove(AT_FDCWD, path.data, &ignored) < 0 &&
			tree_remove(AT_FDCWD, path.data, err) < 0)
			return error_prefix(
				err, "cannot remove the leftovers of an earlier run");
		if (replace_delete(store->fd, SCRATCH_NOTE, REPLACE_NO_DIR_SYNC, err) < 0)
			return -1;
	}
	if (scratch_make(SCRATCH_PREFIX, &scratch, err) < 0)
		return -1;
	if (replace_file(scratch.fd, OWNER_NOTE, view_of(store->project->path), 0600, NULL,
		    no_sync, err) < 0 ||
		replace_file(store->fd, SCRATCH_NOTE, view_of(scratch.path), 0644, NULL,
			no_sync, err) < 0) {
		scratch_remove(&scratch, &ignored);
		return -1;
	}
	*ret_scratch = scratch;
	return 0;
}

int matrix_store_remove_scratch(
	const struct matrix_store *store, struct scratch *scratch, struct error *err)
{
	if (scratch_remove(scratch, err) < 0)
		return -1;
	return replace_delete(store->fd, SCRATCH_NOTE, REPLACE_NO_DIR_SYNC, err);
}

/* --- inputs --- */

int matrix_inputs_program(struct hash *ret_hash, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (file_read("/proc/self/exe", PROGRAM_MAX, &content, err) < 0)
		return -1;
	*ret_hash = hash_of(view_of_buf(&content));
	return 0;
}

int matrix_shipped_open(int root, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(RESOLUTIONS_SHIPPED);
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	*ret_fd = -1;
	if (beneath_open_dir(root, &path, ret_fd, &missing) == 0 || missing.errnum == ENOENT)
		return 0;
	return error_move(err, &missing);
}

int matrix_shipped_names(const struct matrix *matrix, const struct matrix_entry *entry,
	int shipped, struct string_array *ret_names, struct error *err)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills present = RESOLUTION_SKILLS_INIT;
	CLEANUP(string_array_release) struct string_array all = {0};

	if (shipped < 0)
		return 0;
	for (size_t i = 0; i < entry->order.count; i++) {
		const struct package *package =
			package_list_find(&matrix->packages, entry->order.list[i]);

		resolution_skills_add(
			&present, package->manifest.skill, package->manifest.version);
	}
	resolution_skills_sort(&present);
	if (resolution_names_read(shipped, false, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++)
		if (resolution_key_fits(view_of(all.list[i]), &present))
			string_array_add(ret_names, all.list[i]);
	return 0;
}

/* Every file below a folder. */
static int inputs_add_folder(struct buf *text, const char *name, int fd, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;

	if (base_sums_collect(fd, &sums, err) < 0)
		return error_prefix(err, "%s", name);
	buf_appendf(text, "folder %s\n", name);
	base_sums_render(&sums, "0.0.0", text);
	return 0;
}

int matrix_inputs(const struct project *project, const struct matrix *matrix,
	const struct matrix_entry *entry, const struct matrix_run_options *options,
	const struct hash *program, const struct hash *core, struct hash *ret_hash,
	struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int shipped = -1;
	char ours[HASH_HEX_SIZE], hex[HASH_HEX_SIZE];

	hash_to_hex(program, ours);
	hash_to_hex(core, hex);
	buf_appendf(
		&text, INPUTS_FORMAT "\nprogram %s\nentry %s\ncore %s\n", ours, entry->id, hex);
	buf_appendf(&text, "install %d\nremoval %d\nsetup %s\n", !options->no_install,
		options->removal, matrix->setup ? matrix->setup : "");
	for (size_t i = 0; i < entry->order.count; i++) {
		const struct package *package =
			package_list_find(&matrix->packages, entry->order.list[i]);

		if (inputs_add_folder(&text, package->folder, package->fd, err) < 0)
			return -1;
	}
	if (matrix_shipped_open(project->root, &shipped, err) < 0 ||
		matrix_shipped_names(matrix, entry, shipped, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(closep) int fd = -1;

		if (copy_open_folder(shipped, names.list[i], &fd, err) < 0 ||
			inputs_add_folder(&text, names.list[i], fd, err) < 0)
			return -1;
	}
	*ret_hash = hash_of(view_of_buf(&text));
	return 0;
}

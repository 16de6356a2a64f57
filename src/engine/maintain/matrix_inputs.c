#include "engine/maintain/matrix_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/core/base_sums.h"
#include "util/beneath.h"
#include "util/file.h"

/* To be raised when an entry is run otherwise than before. */
#define FORMAT "matrix 2"

#define PROGRAM_MAX ((size_t)1024 * 1024 * 1024)

int matrix_inputs_program(struct hash *ret_hash, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (file_read("/proc/self/exe", PROGRAM_MAX, &content, err) < 0)
		return -1;
	*ret_hash = hash_of(view_of_buf(&content));
	return 0;
}

int matrix_inputs_open_shipped(int root, int *ret_fd, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	*ret_fd = -1;
	if (relpath_parse(view_of(RESOLUTIONS_SHIPPED), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, ret_fd, &missing) == 0 || missing.errnum == ENOENT)
		return 0;
	return error_set(err, missing.kind, "%s", missing.message);
}

static void drop_name(struct resolution_names *names, size_t at)
{
	free(names->list[at]);
	names->count--;
	for (size_t i = at; i < names->count; i++)
		names->list[i] = names->list[i + 1];
}

int matrix_inputs_resolutions(const struct matrix *matrix, const struct matrix_entry *entry,
	int store, struct resolution_names *ret_names, struct error *err)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills present = RESOLUTION_SKILLS_INIT;

	if (store < 0)
		return 0;
	for (size_t i = 0; i < entry->order.count; i++) {
		const struct package *package = matrix_package(matrix, entry->order.list[i]);

		resolution_skills_add(
			&present, package->manifest.skill, package->manifest.version);
	}
	resolution_skills_sort(&present);
	if (resolution_names_read(store, false, ret_names, err) < 0)
		return -1;
	for (size_t i = ret_names->count; i > 0; i--)
		if (!resolution_key_fits(view_of(ret_names->list[i - 1]), &present))
			drop_name(ret_names, i - 1);
	return 0;
}

/* All files below a folder. */
static int add_folder(struct buf *text, const char *name, int fd, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;

	if (base_sums_collect(fd, &sums, err) < 0)
		return error_prefix(err, "%s", name);
	buf_appendf(text, "folder %s\n", name);
	base_sums_render(&sums, "0.0.0", text);
	return 0;
}

static int add_resolutions(const struct project *project, const struct matrix *matrix,
	const struct matrix_entry *entry, struct buf *text, struct error *err)
{
	CLEANUP(resolution_names_release) struct resolution_names names = {0};
	CLEANUP(closep) int store = -1;

	if (matrix_inputs_open_shipped(project->root, &store, err) < 0 ||
		matrix_inputs_resolutions(matrix, entry, store, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(closep)
		int fd = openat(
			store, names.list[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			return error_errno(err, "cannot open '%s'", names.list[i]);
		if (add_folder(text, names.list[i], fd, err) < 0)
			return -1;
	}
	return 0;
}

int matrix_inputs(const struct project *project, const struct matrix *matrix,
	const struct matrix_entry *entry, const struct matrix_run_options *options,
	const struct hash *program, const struct hash *core, struct hash *ret_hash,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	char ours[HASH_HEX_SIZE], hex[HASH_HEX_SIZE];

	hash_to_hex(program, ours);
	hash_to_hex(core, hex);
	buf_appendf(&text, FORMAT "\nprogram %s\nentry %s\ncore %s\n", ours, entry->id, hex);
	buf_appendf(&text, "install %d\nremoval %d\nsetup %s\n", !options->no_install,
		options->removal, matrix->setup ? matrix->setup : "");
	for (size_t i = 0; i < entry->order.count; i++) {
		const struct package *package = matrix_package(matrix, entry->order.list[i]);

		if (add_folder(&text, package->folder, package->fd, err) < 0)
			return -1;
	}
	if (add_resolutions(project, matrix, entry, &text, err) < 0)
		return -1;
	*ret_hash = hash_of(view_of_buf(&text));
	return 0;
}
